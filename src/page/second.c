/*
 * The second look: sums of first probabilities over elements, kinds and sections.
 */
#include "page/second.h"

#include "learn/forest.h"
#include "page/cut.h"
#include "page/features_text.h"

enum {
    ONE = WN_LOGIT_ONE,
    PART = 16, /* expected words are counted in parts of this size */
};

static const wn_cut_aim cut_aim = {
    .beta = 4, .spread = 5 * ONE, .lowest = ONE / 16, .highest = ONE};

#define NAME_OF(name) #name,
const char *const wn_second_names[WN_SECOND_COUNT] = {WN_SECOND_FEATURES(NAME_OF)};

static uint32_t words_of(const wn_second *s, uint32_t block)
{
    return s->features->page->blocks.items[block].words;
}

/* ---- Elements ---------------------------------------------------------------------------- */

static void add_up(wn_second *s)
{
    const wn_skeleton *k = &s->features->skeleton;
    memset(s->expected, 0, k->count * sizeof *s->expected);
    memset(s->best, 0, k->count * sizeof *s->best);
    for (uint32_t i = 0; i < s->features->page->blocks.count; i++) {
        uint32_t bone = k->of_block[i];
        s->expected[bone] += (uint32_t)((uint64_t)words_of(s, i) * s->chances[i] * PART / ONE);
        if (s->chances[i] > s->best[bone])
            s->best[bone] = s->chances[i];
    }
    for (uint32_t i = k->count; i-- > 1;) {
        uint32_t parent = k->bones[i].parent;
        s->expected[parent] += s->expected[i];
        if (s->best[i] > s->best[parent])
            s->best[parent] = s->best[i];
    }
}

/* The deepest element with that many thousandths of the expected words. */
static uint32_t peak_of(const wn_second *s, uint32_t share)
{
    const wn_skeleton *k = &s->features->skeleton;
    uint64_t wanted = (uint64_t)s->expected[0] * share;
    uint32_t peak = 0;
    for (uint32_t i = 1; i < k->count && s->expected[0] > 0; i++)
        if ((uint64_t)s->expected[i] * 1000 >= wanted && k->bones[i].depth > k->bones[peak].depth)
            peak = i;
    return peak;
}

/* The expected F1 of taking an element as it is, in thousandths. */
static uint32_t f1_of(const wn_second *s, uint32_t bone)
{
    uint64_t words = (uint64_t)s->features->skeleton.bones[bone].words * PART;
    uint64_t all = words + s->expected[0];
    return all ? (uint32_t)(2000 * (uint64_t)s->expected[bone] / all) : 0;
}

static uint32_t best_container(const wn_second *s)
{
    uint32_t best = 0, highest = f1_of(s, 0);
    for (uint32_t i = 1; i < s->features->skeleton.count; i++) {
        uint32_t f1 = f1_of(s, i);
        if (f1 >= highest) {
            highest = f1;
            best = i;
        }
    }
    return best;
}

static void measure(wn_second *s, uint32_t peak, unsigned pair)
{
    wn_skeleton_measure(&s->features->skeleton, peak, s->peaks[0] + 2 * pair, sizeof *s->peaks);
}

/* ---- Kinds and sections ------------------------------------------------------------------ */

/* The mean probability of the blocks of each kind, weighted by words. */
static bool mean_by_kind(wn_second *s, const wn_likes *kinds, size_t kind_at, uint16_t *means,
                         wn_arena *arena)
{
    uint64_t *sums = wn_arena_alloc(arena, kinds->count * sizeof *sums);
    if (!sums)
        return false;
    memset(sums, 0, kinds->count * sizeof *sums);
    uint32_t count = s->features->page->blocks.count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t kind = *(const uint32_t *)((const char *)&s->features->blocks[i] + kind_at);
        sums[kind] += (uint64_t)(words_of(s, i) + 1) * s->chances[i];
    }
    for (uint32_t i = 0; i < kinds->count; i++) { /* sums become means */
        const wn_kind *kind = &kinds->items[i];
        if (kind->count)
            sums[i] /= (uint64_t)kind->words + kind->count;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t kind = *(const uint32_t *)((const char *)&s->features->blocks[i] + kind_at);
        means[i] = (uint16_t)sums[kind];
    }
    return true;
}

/* The mean probability of the blocks between two headings, for each block of them. */
static void mean_by_section(wn_second *s)
{
    uint32_t count = s->features->page->blocks.count;
    for (uint32_t start = 0; start < count;) {
        uint32_t end = start + 1;
        while (end < count && s->features->page->blocks.items[end].kind != WINNOW_HEADING)
            end++;
        uint32_t body = start + (s->features->page->blocks.items[start].kind == WINNOW_HEADING);
        uint64_t words = s->features->blocks[end].words_before -
                         s->features->blocks[body].words_before;
        uint64_t sum = s->before[end] - s->before[body];
        for (uint32_t i = start; i < end; i++)
            s->of_head[i] = (uint16_t)(words ? sum * ONE / PART / words : 0);
        start = end;
    }
}

/* ---- The page ---------------------------------------------------------------------------- */

static void rank(wn_second *s)
{
    memset(s->ranks, 0, sizeof s->ranks);
    for (uint32_t i = 0; i < s->features->page->blocks.count; i++)
        s->ranks[s->chances[i]] += words_of(s, i);
    s->of_page[WN_S_PAGE_CUT] = (int16_t)wn_best_cut(s->ranks, cut_aim);
    uint32_t above = 0;
    for (uint32_t chance = ONE + 2; chance-- > 0;) {
        uint32_t here = s->ranks[chance];
        s->ranks[chance] = above;
        above += here;
    }
}

static void sum_before(wn_second *s)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s->features->page->blocks.count; i++) {
        s->before[i] = sum;
        sum += (uint64_t)words_of(s, i) * s->chances[i] * PART / ONE;
    }
    s->before[s->features->page->blocks.count] = sum;
}

static void describe_page(wn_second *s)
{
    const wn_bone *all = &s->features->skeleton.bones[0];
    uint64_t certain = 0;
    for (uint32_t chance = 1; chance <= ONE; chance++) {
        uint64_t words = s->ranks[chance - 1] - s->ranks[chance];
        certain += words * (chance > ONE / 2 ? chance - ONE / 2 : ONE / 2 - chance);
    }
    certain += (uint64_t)(all->words - s->ranks[0]) * (ONE / 2);
    uint32_t container = best_container(s);
    measure(s, peak_of(s, 500), 0);
    measure(s, peak_of(s, 900), 1);
    measure(s, container, 2);
    s->of_page[WN_S_PAGE_EXPECTED] = wn_clip(s->expected[0] / PART);
    s->of_page[WN_S_PAGE_EXPECTED_SHARE] = wn_share(s->expected[0], (uint64_t)all->words * PART);
    s->of_page[WN_S_PAGE_CERTAINTY] = wn_share(certain, (uint64_t)all->words * (ONE / 2));
    s->of_page[WN_S_CONTAINER_F1] = wn_clip(f1_of(s, container));
    s->of_page[WN_S_CONTAINER_SHARE] = wn_share(s->expected[container], s->expected[0]);
}

/* ---- One block --------------------------------------------------------------------------- */

static void describe_levels(const wn_second *s, uint32_t block, int16_t *row)
{
    const wn_skeleton *k = &s->features->skeleton;
    uint32_t bone = k->of_block[block];
    for (int level = 0; level < WN_FEATURE_LEVELS; level++) {
        uint64_t words = (uint64_t)k->bones[bone].words * PART;
        int16_t *out = row + WN_S_L0_CHANCE + 2 * level;
        out[0] = (int16_t)(words ? (uint64_t)s->expected[bone] * ONE / words : 0);
        out[1] = (int16_t)s->best[bone];
        bone = k->bones[bone].parent;
    }
}

/* The mean over the blocks at most `reach` away, weighted by words. */
static int16_t mean_near(const wn_second *s, uint32_t block, uint32_t reach)
{
    uint32_t count = s->features->page->blocks.count;
    uint32_t low = block > reach ? block - reach : 0;
    uint32_t high = block + reach + 1 < count ? block + reach + 1 : count;
    uint64_t words = s->features->blocks[high].words_before - s->features->blocks[low].words_before;
    return (int16_t)(words ? (s->before[high] - s->before[low]) * ONE / PART / words : 0);
}

static int16_t chance_at(const wn_second *s, uint32_t block, int offset)
{
    int64_t at = (int64_t)block + offset;
    return at < 0 || at >= s->features->page->blocks.count ? -1 : (int16_t)s->chances[at];
}

static void describe_neighbours(const wn_second *s, uint32_t block, int16_t *row)
{
    for (int i = 0; i < 3; i++) {
        row[WN_S_LEFT3_CHANCE + i] = chance_at(s, block, i - 3);
        row[WN_S_RIGHT1_CHANCE + i] = chance_at(s, block, i + 1);
    }
    row[WN_S_NEAR3_CHANCE] = mean_near(s, block, 3);
    row[WN_S_NEAR8_CHANCE] = mean_near(s, block, 8);
    row[WN_S_NEAR20_CHANCE] = mean_near(s, block, 20);
}

void wn_second_row(const wn_second *s, uint32_t block, int16_t *row)
{
    const wn_features *f = s->features;
    const uint8_t *peaks = s->peaks[f->skeleton.of_block[block]];
    uint64_t all = s->before[f->page->blocks.count];
    memcpy(row, s->of_page, sizeof s->of_page);
    row[WN_S_CHANCE] = (int16_t)s->chances[block];
    row[WN_S_LOGIT] = wn_clip(s->logits[block]);
    row[WN_S_RANK] = wn_share(s->ranks[s->chances[block]], f->skeleton.bones[0].words);
    row[WN_S_EXPECTED_BEFORE] = wn_share(s->before[block], all);
    row[WN_S_EXPECTED_BEHIND] = wn_share(all - s->before[block + 1], all);
    describe_neighbours(s, block, row);
    row[WN_S_CLASS_CHANCE] = (int16_t)s->of_class[block];
    row[WN_S_PATH_CHANCE] = (int16_t)s->of_path[block];
    row[WN_S_HEADING_CHANCE] = f->blocks[block].heading_level
                                   ? (int16_t)s->chances[f->blocks[block].heading_block]
                                   : -1;
    row[WN_S_SECTION_CHANCE] = (int16_t)s->of_head[block];
    for (int i = 0; i < 2 * WN_SECOND_PEAKS; i++)
        row[(i < 4 ? WN_S_EXPECTED50_UP : WN_S_CONTAINER_UP - 4) + i] = peaks[i];
    describe_levels(s, block, row);
}

/* ---- The whole --------------------------------------------------------------------------- */

static bool take_memory(wn_second *s, wn_arena *arena)
{
    size_t bones = s->features->skeleton.count, blocks = s->features->page->blocks.count + 1;
    s->chances = wn_arena_alloc(arena, blocks * sizeof *s->chances);
    s->expected = wn_arena_alloc(arena, bones * sizeof *s->expected);
    s->best = wn_arena_alloc(arena, bones * sizeof *s->best);
    s->peaks = wn_arena_alloc(arena, bones * sizeof *s->peaks);
    s->before = wn_arena_alloc(arena, blocks * sizeof *s->before);
    s->of_class = wn_arena_alloc(arena, blocks * sizeof *s->of_class);
    s->of_path = wn_arena_alloc(arena, blocks * sizeof *s->of_path);
    s->of_head = wn_arena_alloc(arena, blocks * sizeof *s->of_head);
    return s->chances && s->expected && s->best && s->peaks && s->before && s->of_class &&
           s->of_path && s->of_head;
}

bool wn_second_prepare(wn_second *s, const wn_features *features, const int32_t *logits,
                       wn_arena *arena)
{
    s->features = features;
    s->logits = logits;
    memset(s->of_page, 0, sizeof s->of_page);
    if (!take_memory(s, arena))
        return false;
    for (uint32_t i = 0; i < features->page->blocks.count; i++)
        s->chances[i] = (uint16_t)wn_logistic(logits[i]);
    add_up(s);
    sum_before(s);
    rank(s);
    mean_by_section(s);
    describe_page(s);
    return mean_by_kind(s, &features->classes, offsetof(wn_block_features, classes), s->of_class,
                        arena) &&
           mean_by_kind(s, &features->paths, offsetof(wn_block_features, path), s->of_path, arena);
}
