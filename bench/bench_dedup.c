/*
 * How long the search for redundant pages takes, and how much memory: synthetic pages of 100 to 500
 * words, every fifth a copy of an earlier one with up to 4% of its words changed. Pages are made when
 * they are read, so that nothing but the search takes memory.
 *
 *     bench_dedup [PAGES [MEMORY-IN-MB]]        default 1000000 128
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "base/hash.h"
#include "corpus/dedup.h"

enum { VOCABULARY = 50000 };

static uint64_t next_random(uint64_t *state)
{
    return wn_splitmix64(state);
}

/* Page i; of the copies also what is changed depends on i alone. */
static bool make_page(void *data, uint32_t page, bool exact, wn_buf *out)
{
    (void)data, (void)exact;
    bool copy = page % 5 == 4;
    uint64_t edits = (page + UINT64_C(1)) << 32;
    uint32_t original = copy ? page - 4 - (uint32_t)(next_random(&edits) % (page / 5 + 1)) * 5
                             : page;
    uint64_t words = original;
    uint64_t count = 100 + next_random(&words) % 401, limit = copy ? next_random(&edits) % 41 : 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t random = next_random(&words), word = random % VOCABULARY * (random >> 40) >> 24;
        if (copy && next_random(&edits) % 1000 < limit)
            word = next_random(&edits) % VOCABULARY;
        wn_buf_add_format(out, "w%" PRIx64 " ", word);
    }
    return !out->failed;
}

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    uint32_t pages = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000000;
    uint64_t memory = (argc > 2 ? strtoul(argv[2], NULL, 10) : 128) << 20;
    static wn_dedup dedup;
    wn_dedup_options options = {
        .bands = WN_MINHASH_BANDS,
        .rows = WN_MINHASH_ROWS,
        .threshold = 0.8,
        .memory = memory,
        .read = make_page,
    };
    wn_buf text = {0};
    double start = seconds(CLOCK_MONOTONIC), worked = seconds(CLOCK_PROCESS_CPUTIME_ID);
    wn_corpus_dedup_init(&dedup, &options);
    for (uint32_t i = 0; i < pages; i++) {
        wn_buf_clear(&text);
        make_page(NULL, i, false, &text);
        if (!wn_corpus_dedup_add(&dedup, wn_buf_str(&text), WN_STR("")))
            return 1;
    }
    if (!wn_corpus_dedup_find(&dedup))
        return 1;
    uint32_t copies = 0;
    for (uint32_t i = 0; i < pages; i++)
        copies += wn_corpus_dedup_first(&dedup, i) != i;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%u pages: %u copies, %" PRIu64
           " pairs compared, %s, %.1f s (processor: %.1f s), %ld MB\n",
           pages, copies, dedup.compared, dedup.keys.file ? "sorted on disk" : "sorted in memory",
           seconds(CLOCK_MONOTONIC) - start, seconds(CLOCK_PROCESS_CPUTIME_ID) - worked,
           usage.ru_maxrss / 1024);
    wn_corpus_dedup_free(&dedup);
    wn_buf_free(&text);
    return 0;
}
