/*
 * The three searches of bte (src/extract/bte.h): how they grow, and what a page costs.
 *
 *     bench_bte growth             "growth TOKENS SEARCH MILLISECONDS", the search alone
 *     bench_bte news FOLDER        "news METHOD PAGES MILLISECONDS", whole extractions
 *
 * The tokens of `growth` are made up: runs of 1 to 4 tags and of 1 to 16 words, which is about what
 * pages have. The pages of `news` are the first 100 of the folder on which no
 * search refuses, that is of at most 5,000 tokens, before anything is taken out of them.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "extract/bte.h"
#include "winnow.h"

enum {
    NEWS_PAGES = 100,
    MOST_TOKENS = 1000000, /* for `linear` and `improved` */
    MOST_ORIGINAL = 4000,  /* for `original`: it is cubic */
};

static const char *const news_methods[] = {
    "bte:search=original,clean=no",
    "bte:search=original",
    "bte:search=improved",
    "bte:search=linear",
};

typedef struct page_tokens {
    int8_t *tokens;
    int32_t *runs;
    uint32_t token_count, run_count;
} page_tokens;

/* What the compiler must not find unused. */
static volatile int64_t sink;

/* ---- Growth ------------------------------------------------------------------------------ */

/* Numerical Recipes' generator: the same tokens everywhere. */
static uint32_t draw(uint32_t *state, uint32_t most)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 16) % most + 1;
}

static page_tokens make_up(uint32_t count)
{
    page_tokens page = {malloc(count), malloc(count * sizeof *page.runs), 0, 0};
    uint32_t state = 1;
    while (page.tokens && page.runs && page.token_count < count) {
        bool words = page.run_count % 2 == 1;
        uint32_t left = count - page.token_count, length = draw(&state, words ? 16 : 4);
        length = length < left ? length : left;
        page.runs[page.run_count++] = words ? -(int32_t)length : (int32_t)length;
        memset(page.tokens + page.token_count, words ? -1 : 1, length);
        page.token_count += length;
    }
    return page;
}

static int64_t search(const char *name, const page_tokens *page)
{
    if (strcmp(name, "original") == 0)
        return wn_extract_bte_original(page->tokens, page->token_count).sum;
    if (strcmp(name, "improved") == 0)
        return wn_extract_bte_improved(page->runs, page->run_count).sum;
    return wn_extract_bte_linear(page->runs, page->run_count).sum;
}

/* Repeats a search until a clock can see it; returns milliseconds of one. */
static double time_search(const char *name, const page_tokens *page)
{
    double start = bench_seconds(), took = 0;
    uint32_t rounds = 0;
    while (took < 0.05) {
        sink = search(name, page);
        rounds++;
        took = bench_seconds() - start;
    }
    return took * 1e3 / rounds;
}

static void measure_growth(void)
{
    static const uint32_t sizes[] = {1000, 2000, 4000, 10000, 100000, MOST_TOKENS};
    static const char *const searches[] = {"original", "improved", "linear"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        page_tokens page = make_up(sizes[i]);
        for (size_t k = 0; k < 3; k++)
            if (k > 0 || sizes[i] <= MOST_ORIGINAL)
                printf("growth %u %s %.6f\n", sizes[i], searches[k],
                       time_search(searches[k], &page));
        fflush(stdout);
        free(page.tokens);
        free(page.runs);
    }
}

/* ---- Pages ------------------------------------------------------------------------------- */

/* Runs a method on a page; adds the time it took unless it refuses the page. */
static bool run(winnow_page *handle, const bench_page *page, const char *method, double *seconds)
{
    double start = bench_seconds();
    winnow_parse(handle, page->bytes, page->size, NULL);
    winnow_selection *content = winnow_select(handle, method, NULL);
    winnow_write(content, WINNOW_FORMAT_TEXT, NULL, NULL);
    bool refused = winnow_selection_status(content) == WINNOW_STATUS_TOO_LARGE;
    if (!refused)
        *seconds += bench_seconds() - start;
    return !refused;
}

static void measure_news(const char *folder)
{
    bench_pages pages = bench_load(folder),
                chosen = {calloc(NEWS_PAGES, sizeof *pages.items), 0, 0};
    winnow_page *handle = winnow_page_new();
    double seconds = 0;
    if (!handle || !chosen.items)
        exit(1);
    for (size_t i = 0; i < pages.count && chosen.count < NEWS_PAGES; i++)
        if (run(handle, &pages.items[i], news_methods[0], &seconds))
            chosen.items[chosen.count++] = pages.items[i];
    printf("news %s %zu %.6f\n", news_methods[0], chosen.count, seconds * 1e3);
    fflush(stdout);
    for (size_t k = 1; k < sizeof news_methods / sizeof *news_methods; k++) {
        seconds = 0;
        for (size_t i = 0; i < chosen.count; i++)
            run(handle, &chosen.items[i], news_methods[k], &seconds);
        printf("news %s %zu %.6f\n", news_methods[k], chosen.count, seconds * 1e3);
        fflush(stdout);
    }
    winnow_page_free(handle);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "growth") == 0) {
        measure_growth();
    } else if (argc == 3 && strcmp(argv[1], "news") == 0) {
        measure_news(argv[2]);
    } else {
        fprintf(stderr, "usage: %s growth | news FOLDER\n", argv[0]);
        return 2;
    }
    return 0;
}
