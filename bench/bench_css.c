/*
 * What a large style sheet costs: about 300 KB of rules on a page of about 5,000 nodes.
 *
 *     bench_css        "css CASE RULES BYTES NODES READ STYLE", times in milliseconds, best of 9
 *
 * READ is for the sheet alone: tokens, selectors, the index. STYLE is for the styles of all elements
 * after that: matching, the cascade, computed values. The cases differ in what the selectors end with,
 * since that is how rules are looked up.
 */
#include <stdio.h>

#include "bench.h"
#include "css/cascade.h"
#include "html/tree.h"

enum {
    SHEET_BYTES = 300 * 1000,
    SECTIONS = 25,
    ITEMS = 40, /* of a section, each of five nodes */
    NAMES = 800,
    ROUNDS = 9,
};

static const char DECLARATIONS[] = "{margin:4px 0 2px;color:#333;font-size:1.1em}\n";

/* Selector number n of a case. */
typedef void write_selector(wn_buf *out, unsigned n);

/* Utility classes: most match nothing. */
static void by_class(wn_buf *out, unsigned n)
{
    wn_buf_add_format(out, ".n%u", n);
}

/* What component frameworks write. */
static void by_classes(wn_buf *out, unsigned n)
{
    wn_buf_add_format(out, ".s%u .n%u .title", n % SECTIONS, n % NAMES);
}

/* All rules end with one tag: the class before it decides. */
static void by_tag(wn_buf *out, unsigned n)
{
    wn_buf_add_format(out, ".s%u .n%u a", n % SECTIONS, n % NAMES);
}

/* The same with ancestors that are there: the filter lets all pass. */
static void by_tag_below_all(wn_buf *out, unsigned n)
{
    wn_buf_add_format(out, "body .s%u > ul li.n%u > a", n % SECTIONS, n % NAMES);
}

static void by_any(wn_buf *out, unsigned n)
{
    wn_buf_add_format(out, ".s%u .n%u *", n % SECTIONS, n % NAMES);
}

/* By place among siblings: elements that look alike cannot share what they are matched by. */
static void by_place(wn_buf *out, unsigned n)
{
    wn_buf_add_format(out, ".n%u li:nth-child(%un+%u)", n % NAMES, n % 5 + 1, n % 7);
}

static const struct {
    const char *name;
    write_selector *write;
} cases[] = {
    {"class", by_class}, {"classes", by_classes}, {"tag", by_tag}, {"children", by_tag_below_all},
    {"any", by_any},     {"place", by_place},
};

static unsigned write_sheet(wn_buf *out, write_selector *selector)
{
    unsigned rules = 0;
    while (out->len < SHEET_BYTES) {
        selector(out, rules++);
        wn_buf_add_literal(out, DECLARATIONS);
    }
    return rules;
}

static void write_page(wn_buf *out)
{
    unsigned name = 0;
    wn_buf_add_literal(out, "<!doctype html><body>");
    for (unsigned s = 0; s < SECTIONS; s++) {
        wn_buf_add_format(out, "<div class=s%u><ul>", s);
        for (unsigned i = 0; i < ITEMS; i++)
            wn_buf_add_format(out,
                              "<li class='n%u item'><a href=x>one</a><p class=title>two</p></li>",
                              name++ % NAMES);
        wn_buf_add_literal(out, "</ul></div>");
    }
}

/* Milliseconds for the styles of a page, best of the rounds. */
static double measure(wn_css *css, wn_tree *tree, wn_str html, wn_str sheet, unsigned *nodes)
{
    double best = 1e9;
    wn_arena doc_arena, arena;
    wn_doc doc = {0};
    wn_arena_init(&doc_arena, 0);
    wn_arena_init(&arena, 0);
    wn_html_tree_parse(tree, &doc, &doc_arena, html, &wn_parse_defaults);
    wn_css_sheet own = {.bytes = sheet};
    wn_css_options options = wn_css_defaults;
    options.sheets = &own;
    options.sheet_count = 1;
    for (int i = 0; i < ROUNDS; i++) {
        wn_arena_reset(&arena);
        double start = bench_seconds();
        const wn_styles *styles = wn_css_compute(css, &doc, &options, &arena);
        double took = (bench_seconds() - start) * 1e3;
        if (!styles || styles->limited)
            fprintf(stderr, "bench_css: the styles are not complete\n");
        best = took < best ? took : best;
    }
    *nodes = doc.nodes.count;
    wn_doc_free(&doc);
    wn_arena_free(&doc_arena);
    wn_arena_free(&arena);
    return best;
}

int main(void)
{
    wn_css *css = wn_css_new();
    wn_tree *tree = wn_html_tree_new();
    wn_buf page = {0}, sheet = {0};
    write_page(&page);
    for (size_t i = 0; css && tree && i < sizeof cases / sizeof *cases; i++) {
        unsigned nodes;
        wn_buf_clear(&sheet);
        unsigned rules = write_sheet(&sheet, cases[i].write);
        double read = measure(css, tree, WN_STR("<p>"), wn_buf_str(&sheet), &nodes);
        double all = measure(css, tree, wn_buf_str(&page), wn_buf_str(&sheet), &nodes);
        printf("css %s %u %zu %u %.2f %.2f\n", cases[i].name, rules, sheet.len, nodes, read,
               all > read ? all - read : 0);
    }
    wn_buf_free(&page);
    wn_buf_free(&sheet);
    wn_html_tree_free(tree);
    wn_css_free(css);
    return 0;
}
