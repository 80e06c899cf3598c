/*
 * The page as it was laid out (paint.c), and over it the leaves of the block tree, coloured and
 * numbered by importance, and the chosen blocks with a thick frame. An inner block is drawn only if
 * it is chosen.
 */
#include <math.h>

#include "segment/paint.h"

enum {
    TALLEST = 16000, /* pixels of a page that are drawn: a PNG has no room for much more */
    BADGE = 13,      /* font size of the numbers */
    SMALL_BADGE = 9, /* the same in blocks that are not much higher */
};

/* ---- The blocks -------------------------------------------------------------------------- */

/*
 * The number is above the right end of its block, so that it covers none of the block's letters; at
 * the top of the page, where there is no room, in the corner.
 */
static void draw_badge(wn_sheet *sheet, const wn_vblock *block, uint32_t colour)
{
    wn_buf number = {0};
    wn_buf_add_format(&number, "%u", block->rank);
    double size = block->box.height > 3 * BADGE ? BADGE : SMALL_BADGE;
    double width = size * 0.6 * ((double)number.len + 1);
    double x = fmax(fmin(block->box.x + block->box.width, sheet->width) - width, 0);
    double y = fmax(block->box.y - (size + 4), 0);
    wn_draw_sheet_box(
        sheet, (wn_shape){.x = x, .y = y, .width = width, .height = size + 4, .colour = colour});
    wn_draw_sheet_label(sheet, (wn_shape){.x = x + width / 2,
                                          .y = y + size + 1,
                                          .size = size,
                                          .colour = 0xffffff,
                                          .bold = true,
                                          .anchor = WN_ANCHOR_MIDDLE,
                                          .text = wn_buf_str(&number)});
    wn_buf_free(&number);
}

static void draw_block(wn_sheet *sheet, const wn_segmented *s, const wn_vblock *block)
{
    uint32_t colour = wn_segment_colour(block->rank);
    wn_buf title = {0};
    wn_rect r = block->box;
    wn_shape box = {.x = r.x, .y = r.y, .width = r.width, .height = r.height, .colour = colour};
    wn_buf_add_format(&title, "%u: %s, importance %.3f, ", block->rank,
                      wn_visual_cause_name(block->cause), block->importance);
    wn_segment_add_xpath(s, block, &title);
    box.clear = 0.85;
    box.text = wn_buf_str(&title);
    wn_draw_sheet_box(sheet, box);
    box.text = WN_STR("");
    box.clear = 0;
    box.stroke = block->chosen ? 6 : 1.5;
    box.x -= box.stroke / 2; /* the frame is around the block, not on its letters */
    box.y -= box.stroke / 2;
    box.width += box.stroke;
    box.height += box.stroke;
    wn_draw_sheet_box(sheet, box);
    draw_badge(sheet, block, colour);
    wn_buf_free(&title);
}

static bool is_drawn(const wn_vblock *block)
{
    return (wn_visual_vblock_is_leaf(block) || block->chosen) && block->box.width > 0 &&
           block->box.height > 0;
}

/* The chosen ones last, so that their frames are on top. */
static void draw_blocks(wn_sheet *sheet, const wn_segmented *s)
{
    const wn_block_tree *tree = &s->analysis.tree;
    for (int chosen = 0; chosen <= 1; chosen++)
        for (wn_vblock_id id = WN_PAGE_BLOCK; id < tree->blocks.count; id++) {
            const wn_vblock *block = &tree->blocks.items[id];
            if (is_drawn(block) && block->chosen == chosen && block->box.y < sheet->height)
                draw_block(sheet, s, block);
        }
}

bool wn_segment_picture(const wn_segmented *s, const wn_segment_settings *settings,
                        wn_picture_format format, wn_buf *out, wn_buf *error)
{
    float width = floorf(wn_unit_px(s->page.boxes->width) + 0.5f);
    float height = floorf(wn_unit_px(s->page.boxes->height) + 0.5f);
    wn_sheet sheet = {.pixels = 1};
    sheet.width = width > 2 * settings->width ? 2 * settings->width : width;
    sheet.height = height > TALLEST ? TALLEST : height;
    if (!settings->boxes)
        wn_segment_paint_page(s, &sheet);
    draw_blocks(&sheet, s);
    bool drawn = wn_draw_sheet_write(&sheet, format, out, error);
    wn_draw_sheet_free(&sheet);
    return drawn;
}
