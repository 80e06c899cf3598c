/*
 * The page as it was laid out: backgrounds, borders, pictures as grey boxes, text line by line;
 * over it the leaves of the block tree, coloured and numbered by importance, and the chosen blocks
 * with a thick frame. An inner block is drawn only if it is chosen.
 */
#include <math.h>

#include "draw/sheet.h"
#include "segment/segment.h"

enum {
    TALLEST = 16000, /* pixels of a page that are drawn: a PNG has no room for much more */
    MOST_TEXTS = 200000,
    PICTURE_COLOUR = 0xdddddd,
    BADGE = 13, /* font size of the numbers */
};

typedef struct picture {
    const wn_segmented *s;
    wn_sheet sheet;
} picture;

static uint32_t rgb_of(wn_color colour)
{
    return colour >> 8;
}

static double clear_of(wn_color colour)
{
    return 1 - wn_color_alpha(colour) / 255.0;
}

static void add_box(picture *p, wn_rect r, wn_color colour)
{
    if (r.width <= 0 || r.height <= 0 || wn_color_alpha(colour) == 0 || r.y >= p->sheet.height)
        return;
    wn_sheet_box(&p->sheet, (wn_shape){.x = r.x,
                                       .y = r.y,
                                       .width = r.width,
                                       .height = r.height,
                                       .colour = rgb_of(colour),
                                       .clear = clear_of(colour)});
}

/* ---- The page ---------------------------------------------------------------------------- */

static void draw_borders(picture *p, const wn_style *style, wn_rect r)
{
    const float *w = style->border_width;
    const wn_color *c = style->border_color;
    add_box(p, (wn_rect){r.x, r.y, r.width, w[WN_TOP]}, c[WN_TOP]);
    add_box(p, (wn_rect){r.x, r.y + r.height - w[WN_BOTTOM], r.width, w[WN_BOTTOM]}, c[WN_BOTTOM]);
    add_box(p, (wn_rect){r.x, r.y, w[WN_LEFT], r.height}, c[WN_LEFT]);
    add_box(p, (wn_rect){r.x + r.width - w[WN_RIGHT], r.y, w[WN_RIGHT], r.height}, c[WN_RIGHT]);
}

static void draw_element(picture *p, wn_node_id id)
{
    const wn_segmented *s = p->s;
    const wn_style *style = wn_style_of(s->page.styles, id);
    unsigned kind = s->sight.kinds.of[id];
    if (!(kind & WN_NODE_SHOWN) || !s->page.boxes->items[id].exists ||
        style->visibility != WN_VISIBILITY_VISIBLE)
        return;
    wn_rect box = wn_view_box(&s->sight.view, id);
    add_box(p, box, style->background_color);
    if (kind & WN_NODE_PICTURE)
        add_box(p, box, PICTURE_COLOUR << 8 | 0xFF);
    draw_borders(p, style, box);
}

/* The colour of the root, or of the body, is that of the whole page. */
static void draw_canvas(picture *p)
{
    const wn_doc *doc = &p->s->doc;
    wn_color colour =
        wn_style_of(p->s->page.styles, wn_doc_find(doc, WN_TAG_HTML))->background_color;
    if (wn_color_alpha(colour) == 0)
        colour = wn_style_of(p->s->page.styles, wn_doc_find(doc, WN_TAG_BODY))->background_color;
    add_box(p, (wn_rect){0, 0, (float)p->sheet.width, (float)p->sheet.height}, colour);
}

static bool is_visible(const wn_segmented *s, const wn_text_fragment *f)
{
    return f->style->visibility == WN_VISIBILITY_VISIBLE &&
           (s->sight.kinds.of[f->node] & WN_NODE_SHOWN);
}

/*
 * The text as it is shown: runs of white space become one space. At the ends one stays, too: it is
 * the gap to what stands beside it in the line.
 */
static void add_shown(wn_buf *out, const wn_text_fragment *f)
{
    for (uint32_t i = 0; i < f->len; i++) {
        bool space = wn_is_space(f->text[i]);
        if (!space || out->len == 0 || out->ptr[out->len - 1] != ' ')
            wn_buf_add_char(out, space ? ' ' : f->text[i]);
    }
}

static void draw_text(picture *p, const wn_text_fragment *f, wn_buf *text)
{
    const wn_style *style = f->style;
    double baseline = wn_unit_px(f->baseline);
    if (baseline - style->font_size >= p->sheet.height || !is_visible(p->s, f))
        return;
    wn_buf_clear(text);
    add_shown(text, f);
    if (wn_str_trim(wn_buf_str(text)).len == 0)
        return;
    wn_sheet_label(&p->sheet, (wn_shape){
                                  .x = wn_unit_px(f->x),
                                  .y = baseline,
                                  .size = style->font_size,
                                  .colour = rgb_of(style->color),
                                  .clear = clear_of(style->color),
                                  .face = style->font_class == WN_FONT_MONO    ? WN_FACE_MONO
                                          : style->font_class == WN_FONT_SERIF ? WN_FACE_SERIF
                                                                               : WN_FACE_SANS,
                                  .bold = style->font_weight >= 600,
                                  .italic = style->italic,
                                  .fit = wn_unit_px(f->width),
                                  .text = wn_buf_str(text),
                              });
}

static void draw_page(picture *p)
{
    const wn_doc *doc = &p->s->doc;
    const wn_boxes *boxes = p->s->page.boxes;
    wn_buf text = {0};
    draw_canvas(p);
    wn_node_id id = WN_DOCUMENT_NODE;
    while ((id = wn_doc_next(doc, id, WN_DOCUMENT_NODE)))
        if (wn_doc_node(doc, id)->kind == WN_KIND_ELEMENT)
            draw_element(p, id);
    for (uint32_t i = 0; i < boxes->fragment_count && i < MOST_TEXTS; i++)
        draw_text(p, &boxes->fragments[i], &text);
    wn_buf_free(&text);
}

/* ---- The blocks -------------------------------------------------------------------------- */

static void draw_badge(picture *p, const wn_vblock *block, uint32_t colour)
{
    wn_buf number = {0};
    wn_buf_add_format(&number, "%u", block->rank);
    double width = 8 + 8.0 * (double)number.len;
    double x = block->box.x < 0 ? 0 : block->box.x, y = block->box.y < 0 ? 0 : block->box.y;
    wn_sheet_box(&p->sheet,
                 (wn_shape){.x = x, .y = y, .width = width, .height = BADGE + 5, .colour = colour});
    wn_sheet_label(&p->sheet, (wn_shape){.x = x + width / 2,
                                         .y = y + BADGE + 1,
                                         .size = BADGE,
                                         .colour = 0xffffff,
                                         .bold = true,
                                         .anchor = WN_ANCHOR_MIDDLE,
                                         .text = wn_buf_str(&number)});
    wn_buf_free(&number);
}

static void draw_block(picture *p, const wn_vblock *block)
{
    uint32_t colour = wn_segment_colour(block->rank);
    wn_buf title = {0};
    wn_rect r = block->box;
    wn_shape box = {.x = r.x, .y = r.y, .width = r.width, .height = r.height, .colour = colour};
    wn_buf_add_format(&title, "%u: %s, importance %.3f, ", block->rank, wn_cause_name(block->cause),
                      block->importance);
    wn_segment_add_xpath(p->s, block, &title);
    box.clear = 0.85;
    box.text = wn_buf_str(&title);
    wn_sheet_box(&p->sheet, box);
    box.text = WN_STR("");
    box.clear = 0;
    box.stroke = block->chosen ? 6 : 1.5;
    wn_sheet_box(&p->sheet, box);
    draw_badge(p, block, colour);
    wn_buf_free(&title);
}

static bool is_drawn(const wn_vblock *block)
{
    return (wn_vblock_is_leaf(block) || block->chosen) && block->box.width > 0 &&
           block->box.height > 0;
}

/* The chosen ones last, so that their frames are on top. */
static void draw_blocks(picture *p)
{
    const wn_block_tree *tree = &p->s->sight.tree;
    for (int chosen = 0; chosen <= 1; chosen++)
        for (wn_vblock_id id = WN_PAGE_BLOCK; id < tree->blocks.count; id++) {
            const wn_vblock *block = &tree->blocks.items[id];
            if (is_drawn(block) && block->chosen == chosen && block->box.y < p->sheet.height)
                draw_block(p, block);
        }
}

bool wn_segment_picture(const wn_segmented *s, const wn_segment_settings *settings,
                        wn_picture_format format, wn_buf *out, wn_buf *error)
{
    float width = floorf(wn_unit_px(s->page.boxes->width) + 0.5f);
    float height = floorf(wn_unit_px(s->page.boxes->height) + 0.5f);
    picture p = {.s = s};
    p.sheet.pixels = 1;
    p.sheet.width = width > 2 * settings->width ? 2 * settings->width : width;
    p.sheet.height = height > TALLEST ? TALLEST : height;
    if (!settings->boxes)
        draw_page(&p);
    draw_blocks(&p);
    bool drawn = wn_sheet_write(&p.sheet, format, out, error);
    wn_sheet_free(&p.sheet);
    return drawn;
}
