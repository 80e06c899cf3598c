/*
 * winnow's own rows: the tokenizer alone, the tree, and whole extractions. All of them
 * start from the page's bytes and include finding the encoding.
 *
 * Two more lines are answered for bench/run: "memory" (what a fresh page handle holds after a
 * page, by the page's size: the median) and "growth" (the time for the same bytes
 * cut into pieces of 10 KB to 100 MB).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "css/cascade.h"
#include "html/encoding.h"
#include "html/tokenizer.h"
#include "html/tree.h"
#include "layout/layout.h"
#include "winnow.h"

/* What the compiler must not find unused. */
static volatile size_t sink;

static void tokenize(const bench_pages *pages)
{
    wn_arena arena;
    wn_tokenizer tok = {0};
    size_t tokens = 0;
    wn_arena_init(&arena, 0);
    for (size_t i = 0; i < pages->count; i++) {
        wn_str bytes = wn_str_from(pages->items[i].bytes, pages->items[i].size);
        wn_arena_reset(&arena);
        wn_html_tokenizer_init(&tok, &arena, wn_html_decode(&arena, bytes, NULL).text);
        tok.follows_tags = true;
        while (wn_html_tokenizer_next(&tok))
            tokens++;
    }
    sink = tokens;
    wn_html_tokenizer_free(&tok);
    wn_arena_free(&arena);
}

static void build_tree(const bench_pages *pages)
{
    wn_arena arena;
    wn_doc doc = {0};
    wn_tree *tree = wn_html_tree_new();
    size_t nodes = 0;
    wn_arena_init(&arena, 0);
    for (size_t i = 0; tree && i < pages->count; i++) {
        wn_str bytes = wn_str_from(pages->items[i].bytes, pages->items[i].size);
        wn_arena_reset(&arena);
        wn_html_tree_parse(tree, &doc, &arena, wn_html_decode(&arena, bytes, NULL).text,
                           &wn_parse_defaults);
        nodes += doc.nodes.count;
    }
    sink = nodes;
    wn_html_tree_free(tree);
    wn_doc_free(&doc);
    wn_arena_free(&arena);
}

/* The tree, styles and boxes. */
static void lay_out(const bench_pages *pages)
{
    wn_arena arena;
    wn_doc doc = {0};
    wn_tree *tree = wn_html_tree_new();
    wn_css *css = wn_css_new();
    wn_layout *layout = wn_layout_new();
    size_t boxes = 0;
    wn_arena_init(&arena, 0);
    for (size_t i = 0; tree && css && layout && i < pages->count; i++) {
        wn_str bytes = wn_str_from(pages->items[i].bytes, pages->items[i].size);
        wn_arena_reset(&arena);
        wn_html_tree_parse(tree, &doc, &arena, wn_html_decode(&arena, bytes, NULL).text,
                           &wn_parse_defaults);
        const wn_styles *styles = wn_css_compute(css, &doc, &wn_css_defaults, &arena);
        boxes += styles && wn_layout_run(layout, &doc, styles, &wn_layout_defaults);
    }
    sink = boxes;
    wn_layout_free(layout);
    wn_css_free(css);
    wn_html_tree_free(tree);
    wn_doc_free(&doc);
    wn_arena_free(&arena);
}

static void extract(const bench_pages *pages, const char *method)
{
    winnow_page *page = winnow_page_new();
    size_t bytes = 0, size;
    for (size_t i = 0; page && i < pages->count; i++) {
        winnow_parse(page, pages->items[i].bytes, pages->items[i].size, NULL);
        winnow_selection *content = winnow_select(page, method, NULL);
        winnow_write(content, WINNOW_FORMAT_TEXT, NULL, &size);
        bytes += size + strlen(winnow_selection_metadata(content)->title);
    }
    sink = bytes;
    winnow_page_free(page);
}

static void extract_all(const bench_pages *pages)
{
    extract(pages, "all");
}

static void extract_auto(const bench_pages *pages)
{
    extract(pages, "auto");
}

/* The text alone, as winnow.extract() of Python gives it: metadata is read when it is asked for. */
static void extract_text(const bench_pages *pages)
{
    winnow_page *page = winnow_page_new();
    size_t bytes = 0, size;
    for (size_t i = 0; page && i < pages->count; i++) {
        winnow_parse(page, pages->items[i].bytes, pages->items[i].size, NULL);
        winnow_write(winnow_select(page, NULL, NULL), WINNOW_FORMAT_TEXT, NULL, &size);
        bytes += size;
    }
    sink = bytes;
    winnow_page_free(page);
}

static void extract_lineblock(const bench_pages *pages)
{
    extract(pages, "lineblock");
}

static void extract_bte(const bench_pages *pages)
{
    extract(pages, "bte");
}

static void extract_xpath(const bench_pages *pages)
{
    extract(pages, "xpath");
}

static void extract_eifce(const bench_pages *pages)
{
    extract(pages, "eifce");
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Prints "memory MEDIAN 90TH" of a fresh handle's bytes by the page's bytes. */
static void measure_memory(const bench_pages *pages)
{
    double *ratios = calloc(pages->count, sizeof *ratios);
    for (size_t i = 0; ratios && i < pages->count; i++) {
        winnow_page *page = winnow_page_new();
        winnow_parse(page, pages->items[i].bytes, pages->items[i].size, NULL);
        winnow_write(winnow_select(page, NULL, NULL), WINNOW_FORMAT_TEXT, NULL, NULL);
        ratios[i] = (double)winnow_page_memory(page) / (double)(pages->items[i].size + 1);
        winnow_page_free(page);
    }
    if (ratios) {
        qsort(ratios, pages->count, sizeof *ratios, compare_doubles);
        printf("memory %.3f %.3f\n", ratios[pages->count / 2], ratios[pages->count * 9 / 10]);
    }
    free(ratios);
}

/* All pages one after the other, over and over, up to `size` bytes. */
static bench_page concatenate(const bench_pages *pages, size_t size)
{
    bench_page whole = {malloc(size), 0};
    for (size_t i = 0; whole.bytes && whole.size < size; i = (i + 1) % pages->count) {
        size_t part = pages->items[i].size;
        if (part > size - whole.size)
            part = size - whole.size;
        memcpy(whole.bytes + whole.size, pages->items[i].bytes, part);
        whole.size += part;
    }
    return whole;
}

/* `whole` in pieces of about `size` bytes; each but the first begins with a tag. */
static bench_pages cut(bench_page whole, size_t size)
{
    bench_pages pieces = {calloc(whole.size / size + 1, sizeof *pieces.items), 0, whole.size};
    for (size_t start = 0; pieces.items && start < whole.size;) {
        size_t left = whole.size - start, taken = size < left ? size : left;
        const char *tag = memchr(whole.bytes + start + taken, '<', left - taken);
        taken = tag ? (size_t)(tag - whole.bytes) - start : left;
        pieces.items[pieces.count++] = (bench_page){whole.bytes + start, taken};
        start += taken;
    }
    return pieces;
}

/* Prints "growth BYTES TREE ALL AUTO" for each size, times in milliseconds per MB, best of 3. */
static void measure_growth(const bench_pages *pages)
{
    static void (*const rounds[])(const bench_pages *) = {build_tree, extract_all, extract_auto};
    bench_page whole = concatenate(pages, 100u * 1000 * 1000);
    for (size_t size = 10 * 1000; whole.bytes && size <= whole.size; size *= 10) {
        bench_pages pieces = cut(whole, size);
        printf("growth %zu", size);
        for (size_t k = 0; k < sizeof rounds / sizeof *rounds; k++) {
            double best = 1e9;
            for (int i = 0; i < 3; i++) {
                double start = bench_seconds();
                rounds[k](&pieces);
                double took = bench_seconds() - start;
                best = took < best ? took : best;
            }
            printf(" %.3f", best * 1e3 / ((double)whole.size / 1e6));
            fflush(stdout);
        }
        printf("\n");
        free(pieces.items);
    }
    free(whole.bytes);
}

int main(int argc, char **argv)
{
    static const bench_row rows[] = {
        {"tokenizer", tokenize},
        {"tree", build_tree},
        {"layout", lay_out},
        {"all", extract_all},
        {"auto", extract_auto},
        {"text", extract_text},
        {"lineblock", extract_lineblock},
        {"bte", extract_bte},
        {"xpath", extract_xpath},
        {"eifce", extract_eifce},
        {"memory", measure_memory},
        {"growth", measure_growth},
        {NULL, NULL},
    };
    return bench_main(argc, argv, rows);
}
