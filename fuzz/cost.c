#include "cost.h"

#include "base/buf.h"
#include "base/cost.h"

enum {
    SMALL = 4 << 10, /* bytes of the pages that a recipe is made into */
    LARGE = 16 << 10,
    LONGEST_RECIPE = 512,
    SEPARATOR = 0xFF,
    /* Blocks that a page of any size may cost, and those that a step of a limited stage stands for. */
    FREE_BLOCKS = 1 << 20,
    BLOCKS_PER_STEP = 32,
    /* Blocks that every byte may cost, as the small page may be cheap for another reason. */
    USUAL_BLOCKS = 256,
    LEVELS = 32, /* of steps per byte, each twice the one before */
};

/* Linear growth, and a half more for what only begins to matter in larger pages. */
static const double GROWTH = 1.5 * LARGE / SMALL;

static uint64_t blocks;

/* What is seen of a run: for each stage the level of its steps per byte, and of all blocks. */
__attribute__((
    section("__libfuzzer_extra_counters"))) static uint8_t levels[(WN_COST_STAGES + 1) * LEVELS];

/* Called by the compiler's code at the start of each block, in place of libFuzzer's (CMakeLists.txt). */
void __wrap___sanitizer_cov_trace_pc(void);

__attribute__((no_sanitize("coverage"))) void __wrap___sanitizer_cov_trace_pc(void)
{
    blocks++;
}

/* ---- Recipes ----------------------------------------------------------------------------- */

static wn_str next_part(wn_str *rest)
{
    const char *end = memchr(rest->ptr, SEPARATOR, rest->len);
    wn_str part = wn_str_from(rest->ptr, end ? (size_t)(end - rest->ptr) : rest->len);
    *rest = wn_str_from_offset(*rest, part.len + (end != NULL));
    return part;
}

/* Makes a page of about `size` bytes; the parts that are repeated have equal shares of it. */
static wn_str make_page(wn_buf *page, wn_str recipe, size_t size)
{
    size_t repeated = 0;
    for (size_t i = 0; i < recipe.len; i++)
        repeated += (unsigned char)recipe.ptr[i] == SEPARATOR;
    repeated = (repeated + 1) / 2;
    size_t share = repeated ? size / repeated : 0;
    wn_buf_clear(page);
    for (bool repeats = false; recipe.len > 0; repeats = !repeats) {
        wn_str part = next_part(&recipe);
        size_t times = repeats && part.len ? share / part.len + 1 : 1;
        for (size_t i = 0; i < times; i++)
            wn_buf_add(page, part);
    }
    return wn_buf_str(page);
}

/* ---- Costs ------------------------------------------------------------------------------- */

typedef struct cost_sum {
    size_t bytes;
    uint64_t blocks;
    uint64_t limited; /* steps of stages that have a limit */
} cost_sum;

static unsigned level_of(uint64_t steps, size_t bytes)
{
    uint64_t per_byte = 8 * steps / (bytes + 1);
    unsigned level = 0;
    while (per_byte > 0 && level < LEVELS - 1) {
        per_byte /= 2;
        level++;
    }
    return level;
}

static cost_sum measure(cost_work *work, wn_str page, uint32_t choice)
{
    memset(wn_cost_spent, 0, sizeof wn_cost_spent);
    blocks = 0;
    work(page, choice);
    cost_sum sum = {.bytes = page.len, .blocks = blocks};
    for (unsigned i = 0; i < WN_COST_STAGES; i++)
        sum.limited += wn_cost_stage_is_limit((wn_cost_stage)i) ? wn_cost_spent[i] : 0;
    return sum;
}

static void tell_fuzzer(const cost_sum *sum)
{
    for (unsigned i = 0; i < WN_COST_STAGES; i++)
        levels[i * LEVELS + level_of(wn_cost_spent[i], sum->bytes)] = 1;
    levels[WN_COST_STAGES * LEVELS + level_of(sum->blocks, sum->bytes)] = 1;
}

static void print_costs(const cost_sum *small, const cost_sum *large)
{
    fprintf(stderr, "%zu bytes: %llu blocks; %zu bytes: %llu blocks, %.1f per byte\n", small->bytes,
            (unsigned long long)small->blocks, large->bytes, (unsigned long long)large->blocks,
            (double)large->blocks / (double)(large->bytes + 1));
    for (unsigned i = 0; i < WN_COST_STAGES; i++)
        if (wn_cost_spent[i])
            fprintf(stderr, "  %s: %llu steps, %.2f per byte\n",
                    wn_cost_stage_name((wn_cost_stage)i), (unsigned long long)wn_cost_spent[i],
                    (double)wn_cost_spent[i] / (double)(large->bytes + 1));
}

int cost_test(const uint8_t *data, size_t size, cost_work *work)
{
    static wn_buf page; /* made once: it is working memory only */
    if (size < 2 || size > LONGEST_RECIPE)
        return -1;
    wn_str recipe = wn_str_from((const char *)data + 1, size - 1);
    cost_sum small = measure(work, make_page(&page, recipe, SMALL), data[0]);
    cost_sum large = measure(work, make_page(&page, recipe, LARGE), data[0]);
    tell_fuzzer(&large);
    if (getenv("WINNOW_COSTS"))
        print_costs(&small, &large);
    double linear = GROWTH * (double)small.blocks, usual = USUAL_BLOCKS * (double)large.bytes;
    double most = FREE_BLOCKS + (linear > usual ? linear : usual) +
                  BLOCKS_PER_STEP * (double)large.limited;
    if ((double)large.blocks > most) {
        print_costs(&small, &large);
        FUZZ_CHECK(!"costs more than its share");
    }
    return 0;
}
