/*
 * The cascade; so far only what a browser does without any sheet.
 */
#include "css/cascade.h"

#include <stdlib.h>
#include <string.h>

const wn_css_options wn_css_defaults = {.width = 1366, .height = 768};

struct wn_css {
    wn_array(wn_style) table;
};

wn_css *wn_css_new(void)
{
    return calloc(1, sizeof(wn_css));
}

void wn_css_free(wn_css *css)
{
    if (css)
        wn_array_free(&css->table);
    free(css);
}

size_t wn_css_memory(const wn_css *css)
{
    return sizeof *css + wn_array_bytes(&css->table);
}

typedef struct tag_style {
    uint16_t tag;
    uint8_t display;
    bool bold;
    float font, margin; /* in em; 0: as the parent, none */
} tag_style;

static const tag_style tag_styles[] = {
    {WN_TAG_HTML, WN_DISPLAY_BLOCK, 0, 0, 0},
    {WN_TAG_BODY, WN_DISPLAY_BLOCK, 0, 0, 0},
    {WN_TAG_DIV, WN_DISPLAY_BLOCK, 0, 0, 0},
    {WN_TAG_P, WN_DISPLAY_BLOCK, 0, 0, 1},
    {WN_TAG_H1, WN_DISPLAY_BLOCK, 1, 2, 0.67f},
    {WN_TAG_H2, WN_DISPLAY_BLOCK, 1, 1.5f, 0.83f},
    {WN_TAG_H3, WN_DISPLAY_BLOCK, 1, 1.17f, 1},
    {WN_TAG_H4, WN_DISPLAY_BLOCK, 1, 0, 1.33f},
    {WN_TAG_H5, WN_DISPLAY_BLOCK, 1, 0.83f, 1.67f},
    {WN_TAG_H6, WN_DISPLAY_BLOCK, 1, 0.67f, 2.33f},
    {WN_TAG_UL, WN_DISPLAY_BLOCK, 0, 0, 1},
    {WN_TAG_OL, WN_DISPLAY_BLOCK, 0, 0, 1},
    {WN_TAG_LI, WN_DISPLAY_LIST_ITEM, 0, 0, 0},
    {WN_TAG_B, WN_DISPLAY_INLINE, 1, 0, 0},
    {WN_TAG_STRONG, WN_DISPLAY_INLINE, 1, 0, 0},
    {WN_TAG_TABLE, WN_DISPLAY_TABLE, 0, 0, 0},
    {WN_TAG_TBODY, WN_DISPLAY_TABLE_ROW_GROUP, 0, 0, 0},
    {WN_TAG_TR, WN_DISPLAY_TABLE_ROW, 0, 0, 0},
    {WN_TAG_TD, WN_DISPLAY_TABLE_CELL, 0, 0, 0},
    {WN_TAG_HEAD, WN_DISPLAY_NONE, 0, 0, 0},
    {WN_TAG_STYLE, WN_DISPLAY_NONE, 0, 0, 0},
    {WN_TAG_SCRIPT, WN_DISPLAY_NONE, 0, 0, 0},
};

static void start_style(wn_style *style)
{
    memset(style, 0, sizeof *style);
    style->display = style->specified_display = WN_DISPLAY_INLINE;
    style->color = WN_COLOR_BLACK;
    style->font_size = 16;
    style->font_weight = 400;
    style->tab_size = 8;
    style->list_style = WN_LIST_DISC;
    style->opacity = style->flex_shrink = 1;
    style->z_index_auto = true;
    style->align_self = style->justify_self = WN_ALIGN_AUTO;
    for (int side = 0; side < 4; side++) {
        style->margin[side].kind = style->padding[side].kind = WN_LENGTH_FIXED;
        style->border_color[side] = WN_COLOR_BLACK;
    }
    style->text_indent.kind = WN_LENGTH_FIXED;
    style->vertical_align_length.kind = WN_LENGTH_FIXED;
}

/* The number of the style of an element with `tag` in a parent with style `parent`. */
static uint32_t style_for(wn_css *css, uint32_t parent, uint16_t tag)
{
    wn_style style;
    start_style(&style);
    memcpy(&style, &css->table.items[parent], offsetof(wn_style, inherited_end));
    for (size_t i = 0; i < sizeof tag_styles / sizeof *tag_styles; i++) {
        const tag_style *t = &tag_styles[i];
        if (t->tag != tag)
            continue;
        style.display = style.specified_display = t->display;
        if (t->bold)
            style.font_weight = 700;
        if (t->font > 0)
            style.font_size *= t->font;
        style.margin[WN_TOP].px = style.margin[WN_BOTTOM].px = t->margin * style.font_size;
    }
    for (uint32_t i = 1; i < css->table.count; i++)
        if (memcmp(&css->table.items[i], &style, sizeof style) == 0)
            return i;
    wn_style *slot = wn_array_push(&css->table);
    if (!slot)
        return 0;
    *slot = style;
    return css->table.count - 1;
}

const wn_styles *wn_css_compute(wn_css *css, const wn_doc *doc, const wn_css_options *options,
                                wn_arena *arena)
{
    wn_styles *styles = wn_arena_alloc(arena, sizeof *styles);
    uint32_t *of = wn_arena_alloc(arena, doc->nodes.count * sizeof *of);
    uint32_t *generated_of = wn_arena_alloc(arena, doc->nodes.count * sizeof *of);
    css->table.count = 0;
    if (!styles || !of || !generated_of || !wn_array_reserve(&css->table, 2)) {
        arena->failed = true;
        return NULL;
    }
    memset(of, 0, doc->nodes.count * sizeof *of);
    memset(generated_of, 0, doc->nodes.count * sizeof *of);
    css->table.count = 2;
    start_style(&css->table.items[0]);
    start_style(&css->table.items[1]);
    css->table.items[0].display = WN_DISPLAY_NONE;
    css->table.items[1].display = WN_DISPLAY_BLOCK;
    of[WN_DOCUMENT_NODE] = 1;
    for (wn_node_id id = wn_doc_next(doc, WN_DOCUMENT_NODE, WN_DOCUMENT_NODE); id;
         id = wn_doc_next(doc, id, WN_DOCUMENT_NODE)) {
        const wn_node *node = wn_doc_node(doc, id);
        if (node->kind == WN_KIND_TEXT)
            of[id] = of[node->parent];
        else if (node->kind == WN_KIND_ELEMENT && of[node->parent])
            of[id] = style_for(css, of[node->parent], node->tag);
    }
    *styles = (wn_styles){
        .table = css->table.items,
        .count = css->table.count,
        .of = of,
        .generated_of = generated_of,
        .viewport_width = options->width,
        .viewport_height = options->height,
    };
    return styles;
}
