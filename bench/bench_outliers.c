/*
 * How long the search for noise words takes: a word list of so many words, with counts as Zipf
 * saw them, four attributes and five classes.
 *
 *     bench_outliers [WORDS [K [THREADS]]]        default 1000000 30 2
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "corpus/outliers.h"

enum { CLASSES = 5, DIMS = 4 + CLASSES, N = 50 };
static const double DOCUMENTS = 200000;

static uint64_t state = 1;

static double random_share(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) / 9007199254740992.0;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The word of rank r is there about 1.5 WORDS / r times; half of all words once. */
static void fill_row(double *row, uint32_t rank, uint32_t words)
{
    double total = ceil(1.5 * words / (rank + 1) * (0.5 + random_share()));
    double documents = ceil(DOCUMENTS * (1 - exp(-total / DOCUMENTS)) * (0.5 + random_share() / 2));
    documents = documents < total ? documents : total;
    row[0] = total;
    row[1] = documents;
    row[2] = floor(documents * (0.4 + random_share() / 2));
    row[3] = log(DOCUMENTS / documents) * total / documents / (100 + 900 * random_share());
    double rest = total;
    for (uint32_t i = 0; i < CLASSES - 1; i++) {
        row[4 + i] = floor(rest * random_share() + 0.5);
        rest -= row[4 + i];
    }
    row[3 + CLASSES] = rest;
}

int main(int argc, char **argv)
{
    uint32_t words = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000000;
    uint32_t k = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 30;
    uint32_t threads = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 2;
    double *values = malloc((size_t)words * DIMS * sizeof *values);
    wn_outlier found[N];
    if (!values)
        return 1;
    for (uint32_t i = 0; i < words; i++)
        fill_row(values + (size_t)i * DIMS, i, words);
    wn_outlier_search search = {
        .points = {values, words, DIMS}, .n = N, .k = k, .threads = threads};
    double start = seconds();
    uint32_t count = wn_corpus_outliers_find(&search, found);
    double taken = seconds() - start;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    if (count == WN_OUTLIERS_FAILED)
        return 1;
    printf("%u words, k = %u, %u threads: %u outliers in %.2f s (processor: %.2f s), %ld MB\n",
           words, k, threads, count, taken,
           (double)(usage.ru_utime.tv_sec) + (double)usage.ru_utime.tv_usec / 1e6,
           usage.ru_maxrss / 1024);
    free(values);
    return 0;
}
