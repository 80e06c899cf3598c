/*
 * Fuzzes layout: pages with their styles, with and without fragments, few boxes, small screens.
 *
 * Properties: there is a box for every node; sizes are not negative; pieces of text lie in
 * texts; the same engine gives the same boxes again.
 */
#include "fuzz.h"

#include "css/cascade.h"
#include "html/encoding.h"
#include "html/tree.h"
#include "layout/layout.h"

/* Something that changes if any box does. */
static uint64_t digest(const wn_boxes *boxes)
{
    uint64_t sum = boxes->fragment_count;
    for (uint32_t i = 0; i < boxes->count; i++) {
        const wn_box *b = &boxes->items[i];
        FUZZ_CHECK(b->width >= 0 && b->height >= 0);
        sum = sum * 31 + (uint32_t)b->x;
        sum = sum * 31 + (uint32_t)b->y;
        sum = sum * 31 + (uint32_t)b->width;
        sum = sum * 31 + (uint32_t)b->height + b->exists;
    }
    for (uint32_t i = 0; i < boxes->fragment_count; i++) {
        const wn_text_fragment *f = &boxes->fragments[i];
        for (uint32_t k = 0; k < f->len; k++)
            sum = sum * 31 + (unsigned char)f->text[k];
    }
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static wn_tree *tree;
    static wn_css *css;
    static wn_layout *layout;
    static wn_doc doc;
    static wn_arena arena;
    if (!tree) {
        tree = wn_html_tree_new();
        css = wn_css_new();
        layout = wn_layout_new();
        wn_arena_init(&arena, 0);
    }
    fuzz_input input = {data, size};
    wn_layout_options options = wn_layout_defaults;
    options.fragments = fuzz_choice(&input, 2);
    if (fuzz_choice(&input, 8) == 1)
        options.max_boxes = 7;
    if (fuzz_choice(&input, 8) == 1)
        options.width = 50;
    wn_arena_reset(&arena);
    wn_decoded decoded = wn_html_decode(&arena, fuzz_rest(&input), "utf-8");
    wn_html_tree_parse(tree, &doc, &arena, decoded.text, &wn_parse_defaults);
    const wn_styles *styles = wn_css_compute(css, &doc, &wn_css_defaults, &arena);
    if (!styles)
        return 0;
    const wn_boxes *boxes = wn_layout_run(layout, &doc, styles, &options);
    if (!boxes)
        return 0;
    FUZZ_CHECK(boxes->count == doc.nodes.count);
    uint64_t first = digest(boxes);
    boxes = wn_layout_run(layout, &doc, styles, &options);
    FUZZ_CHECK(boxes && digest(boxes) == first);
    return 0;
}
