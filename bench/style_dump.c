/*
 * The styles of pages, in the words of a browser, for tools/compare_styles.py.
 *
 *     style_dump FILE...
 *
 * For each page a line "page FILE AUTHOR" (1 if it brings CSS), then a line for each element in
 * document order, with tabs between: name, display, float, clear, font size, background colour,
 * and the widths of the borders at the top, right, bottom and left.
 */
#include <stdio.h>

#include "css/cascade.h"
#include "html/encoding.h"
#include "html/tree.h"

static const char *const displays[] = {
    "none",
    "contents",
    "inline",
    "block",
    "flow-root",
    "inline-block",
    "list-item",
    "table",
    "inline-table",
    "table-row-group",
    "table-header-group",
    "table-footer-group",
    "table-row",
    "table-cell",
    "table-column",
    "table-column-group",
    "table-caption",
    "flex",
    "inline-flex",
    "grid",
    "inline-grid",
    "ruby",
    "ruby-text",
};
static const char *const sides[] = {"none", "left", "right", "both"};

static void print_color(wn_color color)
{
    unsigned r = color >> 24, g = color >> 16 & 255, b = color >> 8 & 255, alpha = color & 255;
    if (alpha == 255)
        printf("rgb(%u, %u, %u)", r, g, b);
    else
        printf("rgba(%u, %u, %u, %.2f)", r, g, b, alpha / 255.0);
}

static void print_element(const wn_node *node, const wn_style *s)
{
    wn_str name = wn_node_name(node);
    printf("%.*s\t%s\t%s\t%s\t%.3f\t", WN_STR_ARGS(name), displays[s->display],
           sides[s->float_side], sides[s->clear], s->font_size);
    print_color(s->background_color);
    for (int side = 0; side < 4; side++)
        printf("\t%g", s->border_width[side]);
    putchar('\n');
}

static void print_page(const char *path, const wn_doc *doc, const wn_styles *styles)
{
    printf("page\t%s\t%d\n", path, styles->has_author_css);
    for (wn_node_id id = WN_DOCUMENT_NODE; id;) {
        const wn_node *node = wn_doc_node(doc, id);
        if (node->kind == WN_KIND_ELEMENT)
            print_element(node, wn_css_style_of(styles, id));
        id = node->kind == WN_KIND_CONTENT ? wn_doc_skip(doc, id, WN_DOCUMENT_NODE)
                                           : wn_doc_next(doc, id, WN_DOCUMENT_NODE);
    }
}

static bool read_file(wn_buf *out, const char *path)
{
    FILE *file = fopen(path, "rb");
    wn_buf_clear(out);
    if (!file)
        return false;
    size_t got;
    while (wn_buf_reserve(out, 1 << 16) && (got = fread(out->ptr + out->len, 1, 1 << 16, file)) > 0)
        out->len += got;
    fclose(file);
    return !out->failed;
}

int main(int argc, char **argv)
{
    wn_tree *tree = wn_html_tree_new();
    wn_css *css = wn_css_new();
    wn_doc doc = {0};
    wn_arena arena;
    wn_buf bytes = {0};
    bool ok = tree && css;
    wn_arena_init(&arena, 0);
    for (int i = 1; i < argc && ok; i++) {
        wn_arena_reset(&arena);
        ok = read_file(&bytes, argv[i]);
        if (!ok)
            break;
        wn_str text = wn_html_decode(&arena, wn_buf_str(&bytes), NULL).text;
        wn_html_tree_parse(tree, &doc, &arena, text, &wn_parse_defaults);
        const wn_styles *styles = wn_css_compute(css, &doc, &wn_css_defaults, &arena);
        ok = styles != NULL;
        if (ok)
            print_page(argv[i], &doc, styles);
    }
    wn_doc_free(&doc);
    wn_buf_free(&bytes);
    wn_html_tree_free(tree);
    wn_css_free(css);
    wn_arena_free(&arena);
    return ok ? 0 : 1;
}
