/*
 * Markers: the bullets and numbers of list items.
 *
 * Outside of the item they take no room. Inside they are at the start of its first line and
 * push it along.  https://drafts.csswg.org/css-lists-3/#markers
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "layout/engine.h"

enum {
    MOST_SIBLINGS = 1000, /* passed to find the item before */
    MOST_ORDINAL = 1000000000,
    NUMBER_SIZE = 32,
};

/* ---- Numbers ----------------------------------------------------------------------------- */

static int32_t number_of(const wn_attr *attr, int32_t otherwise)
{
    wn_str text = attr ? wn_str_trim(wn_attr_value(attr)) : WN_STR("");
    bool minus = text.len > 0 && text.ptr[0] == '-';
    size_t at = minus;
    int32_t number = 0;
    for (; at < text.len && wn_is_ascii_digit(text.ptr[at]) && number < MOST_ORDINAL / 10; at++)
        number = number * 10 + (text.ptr[at] - '0');
    return at == (size_t)minus ? otherwise : minus ? -number : number;
}

int32_t wn_layout_marker_ordinal(const wn_lay *lay, wn_node_id node)
{
    const wn_node *n = wn_doc_node(lay->doc, node);
    if (!wn_node_is(n, WN_TAG_LI))
        return 1;
    wn_node_id before = n->prev;
    for (int i = 0; before && i < MOST_SIBLINGS; i++) {
        uint32_t box = lay->box_of.items[before];
        if (box && wn_node_is(wn_doc_node(lay->doc, before), WN_TAG_LI))
            return number_of(wn_node_attr(n, WN_ATTR_VALUE), lay->boxes.items[box].ordinal + 1);
        before = wn_doc_node(lay->doc, before)->prev;
    }
    const wn_node *list = wn_doc_node(lay->doc, n->parent);
    int32_t start = number_of(
        list->kind == WN_KIND_ELEMENT ? wn_node_attr(list, WN_ATTR_START) : NULL, 1);
    return number_of(wn_node_attr(n, WN_ATTR_VALUE), start);
}

/* a to z, aa to zz …, from the end. */
static void write_letters(char *out, int32_t number, char first)
{
    char letters[NUMBER_SIZE];
    size_t count = 0;
    for (; number > 0 && count < sizeof letters; number = (number - 1) / 26)
        letters[count++] = (char)(first + (number - 1) % 26);
    assert(count < NUMBER_SIZE);
    for (size_t i = 0; i < count; i++)
        out[i] = letters[count - 1 - i];
    out[count] = '\0';
}

static void write_roman(char *out, size_t size, int32_t number, bool upper)
{
    static const struct {
        int32_t value;
        const char *lower, *upper;
    } signs[] = {
        {1000, "m", "M"}, {900, "cm", "CM"}, {500, "d", "D"},  {400, "cd", "CD"}, {100, "c", "C"},
        {90, "xc", "XC"}, {50, "l", "L"},    {40, "xl", "XL"}, {10, "x", "X"},    {9, "ix", "IX"},
        {5, "v", "V"},    {4, "iv", "IV"},   {1, "i", "I"},
    };
    size_t at = 0;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        for (; number >= signs[i].value && at + 3 < size; number -= signs[i].value)
            at += (size_t)snprintf(out + at, size - at, "%s",
                                   upper ? signs[i].upper : signs[i].lower);
    out[at] = '\0';
}

/* The number of an item, a dot and a space. */
static wn_str marker_text(wn_lay *lay, const wn_lay_box *box)
{
    char number[NUMBER_SIZE] = "";
    int32_t n = box->ordinal;
    bool small = n > 0 && n < 4000;
    switch (box->style->list_style) {
    case WN_LIST_LOWER_ALPHA:
    case WN_LIST_UPPER_ALPHA:
        if (n > 0)
            write_letters(number, n, box->style->list_style == WN_LIST_LOWER_ALPHA ? 'a' : 'A');
        break;
    case WN_LIST_LOWER_ROMAN:
    case WN_LIST_UPPER_ROMAN:
        if (small)
            write_roman(number, sizeof number, n, box->style->list_style == WN_LIST_UPPER_ROMAN);
        break;
    case WN_LIST_DECIMAL_ZERO:
        snprintf(number, sizeof number, "%02d", (int)n);
        break;
    default:
        break;
    }
    if (!*number)
        snprintf(number, sizeof number, "%d", (int)n);
    size_t length = strlen(number);
    char *text = wn_layout_alloc(lay, length + 2);
    if (!text)
        return WN_STR("");
    memcpy(text, number, length);
    memcpy(text + length, ". ", 2);
    return wn_str_from(text, length + 2);
}

/* ---- Room -------------------------------------------------------------------------------- */

static bool has_marker(const wn_lay_box *box)
{
    return box->style->display == WN_DISPLAY_LIST_ITEM && !box->anonymous &&
           box->style->list_style != WN_LIST_NONE;
}

static bool is_sign(uint8_t list_style)
{
    return list_style == WN_LIST_DISC || list_style == WN_LIST_CIRCLE ||
           list_style == WN_LIST_SQUARE || list_style == WN_LIST_OTHER;
}

/* How wide a marker is, with the gap after it; the sizes of signs are those of Chromium. */
static wn_px marker_width(wn_lay *lay, const wn_lay_box *box, wn_str text)
{
    const wn_layout_font *font = wn_layout_cached_font(lay, box->style);
    uint8_t kind = box->style->list_style;
    uint32_t previous = 0;
    if (kind == WN_LIST_CLOSED || kind == WN_LIST_OPEN)
        return font->size * 106 / 100;
    if (is_sign(kind)) {
        wn_px ascent = font->ascent / WN_UNIT;
        return (ascent * 2 / 3 + 1) / 2 * WN_UNIT + font->size;
    }
    return wn_layout_font_measure(font, text, &previous);
}

wn_px wn_layout_marker_inside(wn_lay *lay, uint32_t number)
{
    const wn_lay_box *box = wn_layout_at(lay, number);
    if (!has_marker(box) || !box->style->list_style_inside)
        return 0;
    wn_str text = is_sign(box->style->list_style) ? WN_STR("") : marker_text(lay, box);
    return marker_width(lay, wn_layout_at(lay, number), text);
}
