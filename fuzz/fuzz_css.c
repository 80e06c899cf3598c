/*
 * Fuzzes styles: a page with sheets and style= attributes, screens of several sizes, an arena that
 * runs out.
 *
 * Properties: every node has a style of the table; lengths are finite; the same engine gives the
 * same styles again.
 */
#include <math.h>

#include "css/cascade.h"
#include "fuzz.h"
#include "html/encoding.h"
#include "html/tree.h"

static bool load_sheet(void *data, wn_str url, wn_css_sheet *sheet)
{
    sheet->bytes = *(const wn_str *)data;
    return url.len > 0;
}

static void check_style(const wn_styles *styles, const wn_style *style)
{
    FUZZ_CHECK(isfinite(style->font_size) && style->font_size >= 0);
    FUZZ_CHECK(isfinite(style->line_height));
    FUZZ_CHECK(style->display <= WN_DISPLAY_RUBY_TEXT && style->font_class <= WN_FONT_MONO);
    FUZZ_CHECK(style->text_align <= WN_TEXT_ALIGN_WEBKIT_CENTER && style->clear <= WN_FLOAT_BOTH);
    for (int side = 0; side < 4; side++) {
        FUZZ_CHECK(isfinite(wn_css_length_px(styles, style->margin[side], 100)));
        FUZZ_CHECK(isfinite(style->border_width[side]) && style->border_width[side] >= 0);
    }
    FUZZ_CHECK(isfinite(wn_css_length_px(styles, style->width, 100)));
    for (uint32_t i = 0; style->grid_columns && i < style->grid_columns->track_count; i++)
        FUZZ_CHECK(isfinite(style->grid_columns->tracks[i].max.px));
}

static uint64_t check_styles(const wn_doc *doc, const wn_styles *styles)
{
    uint64_t digest = styles->count;
    for (wn_node_id id = 0; id < doc->nodes.count; id++) {
        FUZZ_CHECK(styles->of[id] < styles->count);
        FUZZ_CHECK(styles->generated_of[id] < styles->generated_count);
        digest = digest * 31 + styles->of[id];
    }
    for (uint32_t i = 0; i < styles->count; i++)
        check_style(styles, &styles->table[i]);
    return digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static wn_css *css; /* made once: it is working memory only */
    fuzz_input input = {data, size};
    wn_css_options options = wn_css_defaults;
    uint32_t flags = fuzz_choice(&input, 8);
    if (flags & 1)
        options.width = 400;
    wn_tree *tree = wn_html_tree_new();
    wn_doc doc = {0};
    wn_arena arena, small;
    if (!css)
        css = wn_css_new();
    wn_arena_init(&arena, 0);
    wn_arena_init(&small, 64 * 1024);
    wn_str text = wn_html_decode(&arena, fuzz_rest(&input), "utf-8").text;
    wn_css_sheet sheet = {.bytes = text, .user = (flags & 4) != 0};
    if (flags & 2) { /* the page is a sheet, too, and imports itself */
        options.sheets = &sheet;
        options.sheet_count = 1;
        options.load = load_sheet;
        options.load_data = &text;
    }
    wn_html_tree_parse(tree, &doc, &arena, text, &wn_parse_defaults);
    const wn_styles *styles = wn_css_compute(css, &doc, &options, &arena);
    FUZZ_CHECK(styles);
    uint64_t first = check_styles(&doc, styles);
    styles = wn_css_compute(css, &doc, &options, &arena);
    FUZZ_CHECK(styles && check_styles(&doc, styles) == first);
    wn_css_compute(css, &doc, &options, &small);
    wn_doc_free(&doc);
    wn_html_tree_free(tree);
    wn_arena_free(&arena);
    wn_arena_free(&small);
    return 0;
}
