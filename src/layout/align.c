/*
 * Alignment of items of flex and grid containers: which side start and end are, and baselines, the
 * lines that items are lined up by.
 *
 * An item has baselines across its own lines. In the axis along them, and if it has no lines at
 * all, one is synthesised from its border box: its lower edge, or its middle if lines are vertical.
 * Items are lined up in two groups, one at each end of the room they share: with the first baseline
 * at the end where their lines start, with the last one at the other.
 * https://drafts.csswg.org/css-align/#baseline-rules
 */
#include <assert.h>

#include "layout/engine.h"

/*
 * Whether an item's own lines start at the right, or its text, in the axis along its container's.
 */
static bool starts_at_right(const wn_lay *lay, uint32_t number)
{
    const wn_lay_box *box = &lay->boxes.items[number];
    return wn_layout_turn_is_across(lay, number) ? box[1].writing == WN_WRITING_VERTICAL_RL
                                                 : box->style->rtl;
}

/* The same for the bottom, in the axis across the container's lines. */
static bool starts_at_bottom(const wn_lay *lay, uint32_t number)
{
    const wn_lay_box *box = &lay->boxes.items[number];
    return wn_layout_turn_is_across(lay, number)
               ? box->style->rtl != (box->writing == WN_WRITING_VERTICAL_RL)
               : box->kind == WN_LAY_TURNED;
}

uint8_t wn_layout_align_of(const wn_lay *lay, uint32_t child, bool along_lines)
{
    assert(child > 0 && child < lay->boxes.count);
    const wn_lay_box *box = &lay->boxes.items[child];
    const wn_style *container = lay->boxes.items[box->parent].style;
    uint8_t align = box->anonymous ? (uint8_t)WN_ALIGN_AUTO : box->style->align_self;
    if (align == WN_ALIGN_AUTO)
        align = container->align_items;
    if (align == WN_ALIGN_SELF_START || align == WN_ALIGN_SELF_END) {
        bool far_side = along_lines ? starts_at_right(lay, child) != container->rtl
                                    : starts_at_bottom(lay, child);
        return (align == WN_ALIGN_SELF_END) != far_side ? WN_ALIGN_END : WN_ALIGN_START;
    }
    return align == WN_ALIGN_NORMAL || align == WN_ALIGN_AUTO ? WN_ALIGN_STRETCH : align;
}

wn_px wn_layout_baseline_first(const wn_lay_box *box)
{
    return box->baseline != WN_PX_NONE             ? box->baseline
           : box->writing != WN_WRITING_HORIZONTAL ? box->height / 2
                                                   : box->height;
}

wn_px wn_layout_baseline_last(const wn_lay_box *box)
{
    return box->last_baseline != WN_PX_NONE ? box->last_baseline : wn_layout_baseline_first(box);
}

/* The baseline of a box that is across, in the axis along the lines of its container. */
static wn_baseline across(const wn_lay_box *outer, bool last)
{
    assert(outer->kind == WN_LAY_TURNED);
    const wn_lay_box *inner = outer + 1;
    wn_px at = last ? inner->last_baseline : inner->baseline;
    if (at == WN_PX_NONE)
        at = outer->writing != WN_WRITING_HORIZONTAL    ? outer->width / 2
             : inner->writing == WN_WRITING_VERTICAL_RL ? outer->width
                                                        : 0;
    bool from_right = inner->writing == WN_WRITING_VERTICAL_RL;
    return (wn_baseline){from_right ? outer->width - at : at, from_right != last};
}

wn_baseline wn_layout_baseline_of(const wn_lay *lay, uint32_t number, bool along_lines, bool last,
                                  bool rtl)
{
    const wn_lay_box *box = &lay->boxes.items[number];
    if (!along_lines)
        return (wn_baseline){
            last ? wn_layout_baseline_last(box) : wn_layout_baseline_first(box),
            (box->kind == WN_LAY_TURNED && !wn_layout_turn_is_across(lay, number)) != last};
    if (wn_layout_turn_is_across(lay, number))
        return across(box, last);
    bool vertical = box->writing != WN_WRITING_HORIZONTAL;
    return (wn_baseline){vertical ? box->width / 2 : 0, (rtl && !vertical) != last};
}
