/*
 * Replaced elements: pictures, frames and form controls, which have a size of their own.
 *
 * Images are never read, so they appear as in a browser that could not load them: as large as their
 * attributes and style say, or else just their alternative text. The sizes of form controls are
 * those of Chromium.
 */
#include <math.h>
#include <stddef.h>

#include "base/utf8.h"
#include "layout/engine.h"

enum {
    PX = WN_UNIT,
    BROKEN_PICTURE = 16 * PX, /* the sign of a picture that is missing */
    FRAME_WIDTH = 300 * PX,
    FRAME_HEIGHT = 150 * PX,
    AUDIO_HEIGHT = 54 * PX,
    CHECK_BOX = 13 * PX,
    SLIDER_WIDTH = 129 * PX,
    SLIDER_HEIGHT = 16 * PX,
    FILE_WIDTH = 238 * PX,
    COLOR_WIDTH = 44 * PX,
    COLOR_HEIGHT = 23 * PX,
    SELECT_ARROW = 19 * PX, /* beside the longest option, with the gap before it */
    SCROLL_BAR = 15 * PX,
    METER_EMS = 5,
    MAX_CHARS = 1000,   /* of size= and cols= */
    MAX_OPTIONS = 2000, /* that are looked at for the longest */
};

/* The number at the start of an attribute's value; -1 if there is none or it is a percentage. */
static wn_px pixels_of(const wn_node *node, wn_attr_name name)
{
    wn_str value = wn_str_trim(wn_node_attr_value(node, name));
    wn_px number = 0;
    size_t i = 0;
    for (; i < value.len && wn_is_ascii_digit(value.ptr[i]) && number < WN_PX_MAX; i++)
        number = number * 10 + (value.ptr[i] - '0');
    if (i == 0 || (i < value.len && value.ptr[i] == '%'))
        return WN_PX_AUTO;
    return wn_px_min(number * PX, WN_PX_MAX);
}

static uint32_t count_of(const wn_node *node, wn_attr_name name, uint32_t otherwise)
{
    wn_px px = pixels_of(node, name);
    uint32_t count = px > 0 ? (uint32_t)wn_px_min(px / PX, MAX_CHARS) : 0;
    return count > 0 ? count : otherwise;
}

static void set_natural(wn_lay_box *box, wn_px width, wn_px height)
{
    box->natural_width = width;
    box->natural_height = height;
}

/* The size that attributes give a picture or frame; the same ratio if one of them is changed. */
static void size_by_attributes(const wn_node *node, wn_lay_box *box, wn_px width, wn_px height)
{
    wn_px w = pixels_of(node, WN_ATTR_WIDTH), h = pixels_of(node, WN_ATTR_HEIGHT);
    set_natural(box, w >= 0 ? w : width, h >= 0 ? h : height);
}

/* The ratio of the natural sizes. */
static void set_ratio(wn_lay_box *box)
{
    if (box->natural_width > 0 && box->natural_height > 0)
        box->natural_ratio = (float)box->natural_width / (float)box->natural_height;
}

static wn_px line_height(const wn_style *style, const wn_layout_font *font)
{
    return wn_px_from(wn_css_line_height(style, (float)font->line_spacing / PX));
}

/* ---- Form controls ----------------------------------------------------------------------- */

static wn_px text_width(const wn_layout_font *font, wn_str text)
{
    uint32_t previous = 0;
    return wn_layout_font_measure(font, text, &previous);
}

/*
 * The width of a field for that many letters: their number times the mean width, plus the amount by
 * which the widest letter exceeds the mean, as in Chromium with the fonts that layout uses.
 */
static wn_px field_width(const wn_style *style, uint32_t letters)
{
    static const struct {
        float mean, more; /* in em */
    } fonts[] = {
        [WN_FONT_SERIF] = {0.5686f, 0.62f},
        [WN_FONT_SANS] = {0.59f, 0.66f},
        [WN_FONT_MONO] = {0.6f, 0},
    };
    float mean = fonts[style->font_class].mean * style->font_size;
    float whole = floorf(mean + 0.5f);
    float width = (whole > mean ? whole : mean) * (float)letters +
                  fonts[style->font_class].more * style->font_size;
    return wn_px_from(ceilf(width));
}

static bool is_one_of(wn_str value, const char *const *names)
{
    for (; *names; names++)
        if (wn_str_eq_nocase(value, wn_str_of(*names)))
            return true;
    return false;
}

/* The width of a field for a date or time; 0 if it is for something else. */
static wn_px date_width(wn_str type, float font_size)
{
    static const struct {
        const char *type;
        float ems;
    } fields[] = {
        {"date", 8.8f},    {"time", 6.9f},   {"datetime-local", 14.95f},
        {"month", 11.05f}, {"week", 10.45f},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (wn_str_eq_nocase(type, wn_str_of(fields[i].type)))
            return wn_px_from(fields[i].ems * font_size);
    return 0;
}

static void make_input(wn_lay *lay, const wn_node *node, wn_lay_box *box)
{
    static const char *const buttons[] = {"submit", "reset", "button", NULL};
    const wn_layout_font *font = wn_layout_cached_font(lay, box->style);
    wn_str type = wn_node_attr_value(node, WN_ATTR_TYPE);
    wn_str value = wn_node_attr_value(node, WN_ATTR_VALUE);
    wn_px line = line_height(box->style, font);
    box->own_baseline = WN_BASELINE_OF_TEXT;
    if (is_one_of(type, buttons)) {
        if (!wn_node_attr(node, WN_ATTR_VALUE))
            value = wn_str_eq_nocase(type, WN_STR("submit"))  ? WN_STR("Submit")
                    : wn_str_eq_nocase(type, WN_STR("reset")) ? WN_STR("Reset")
                                                              : WN_STR("");
        set_natural(box, text_width(font, value) / PX * PX, line);
    } else if (wn_str_eq_nocase(type, WN_STR("checkbox")) ||
               wn_str_eq_nocase(type, WN_STR("radio"))) {
        set_natural(box, CHECK_BOX, CHECK_BOX);
        box->own_baseline = WN_BASELINE_OF_BORDER;
    } else if (wn_str_eq_nocase(type, WN_STR("range"))) {
        set_natural(box, SLIDER_WIDTH, SLIDER_HEIGHT);
        box->own_baseline = WN_BASELINE_OF_BORDER;
    } else if (wn_str_eq_nocase(type, WN_STR("color"))) {
        set_natural(box, COLOR_WIDTH, COLOR_HEIGHT);
    } else if (wn_str_eq_nocase(type, WN_STR("image"))) {
        wn_str alt = wn_node_attr_value(node, WN_ATTR_ALT);
        size_by_attributes(node, box, alt.len ? text_width(font, alt) : BROKEN_PICTURE,
                           BROKEN_PICTURE);
    } else if (wn_str_eq_nocase(type, WN_STR("file"))) {
        set_natural(box, FILE_WIDTH, line + 6 * PX);
    } else {
        wn_px width = date_width(type, box->style->font_size);
        set_natural(box, width ? width : field_width(box->style, count_of(node, WN_ATTR_SIZE, 20)),
                    line);
    }
}

static void make_textarea(wn_lay *lay, const wn_node *node, wn_lay_box *box)
{
    const wn_layout_font *font = wn_layout_cached_font(lay, box->style);
    box->own_baseline = WN_BASELINE_OF_FIRST_LINE;
    wn_px width = field_width(box->style, count_of(node, WN_ATTR_COLS, 20));
    set_natural(box, width + SCROLL_BAR,
                line_height(box->style, font) * count_of(node, WN_ATTR_ROWS, 2));
}

/* The text of an option without white space at its ends. */
static wn_str option_text(const wn_doc *doc, const wn_node *option)
{
    const wn_attr *label = wn_node_attr(option, WN_ATTR_LABEL);
    if (label && label->value_len)
        return wn_attr_value(label);
    const wn_node *text = wn_doc_node(doc, option->first_child);
    return text->kind == WN_KIND_TEXT ? wn_str_trim(wn_node_text(text)) : WN_STR("");
}

static void make_select(wn_lay *lay, const wn_node *node, wn_lay_box *box)
{
    const wn_layout_font *font = wn_layout_cached_font(lay, box->style);
    wn_px widest = 0;
    uint32_t options = 0;
    for (wn_node_id id = wn_doc_next(lay->doc, box->node, box->node); id && options < MAX_OPTIONS;
         id = wn_doc_next(lay->doc, id, box->node)) {
        const wn_node *option = wn_doc_node(lay->doc, id);
        if (!wn_node_is(option, WN_TAG_OPTION) && !wn_node_is(option, WN_TAG_OPTGROUP))
            continue;
        options++;
        if (wn_node_is(option, WN_TAG_OPTION))
            widest = wn_px_max(widest, text_width(font, option_text(lay->doc, option)));
    }
    bool multiple = wn_node_attr(node, WN_ATTR_MULTIPLE) != NULL;
    uint32_t rows = count_of(node, WN_ATTR_SIZE, multiple ? 4 : 1);
    wn_px line = line_height(box->style, font);
    if (rows > 1) {
        set_natural(box, widest + SCROLL_BAR + 4 * PX, (line + PX) * rows);
        return;
    }
    set_natural(box, widest / PX * PX + SELECT_ARROW, wn_px_max(line, font->line_spacing) + 2 * PX);
    box->own_baseline = WN_BASELINE_OF_TEXT;
}

/* A <meter> or <progress>. */
static void make_bar(wn_lay *lay, const wn_node *node, wn_lay_box *box)
{
    wn_px em = wn_layout_cached_font(lay, box->style)->size;
    set_natural(box, em * (node->tag == WN_TAG_METER ? METER_EMS : 2 * METER_EMS), em);
}

/* ---- Pictures ---------------------------------------------------------------------------- */

/* A picture that is missing: with its size if it has one, else as its alternative text. */
static void make_picture(wn_lay *lay, const wn_node *node, wn_lay_box *box)
{
    const wn_style *style = box->style;
    wn_str alt = wn_node_attr_value(node, WN_ATTR_ALT);
    bool has_width = !wn_css_length_is_auto(style->width),
         has_height = !wn_css_length_is_auto(style->height);
    if (wn_layout_picture_size(wn_node_attr_value(node, WN_ATTR_SRC), &box->natural_width,
                               &box->natural_height)) {
        set_ratio(box);
        return;
    }
    size_by_attributes(node, box, WN_PX_AUTO, WN_PX_AUTO);
    set_ratio(box);
    const wn_layout_font *font = wn_layout_cached_font(lay, style);
    wn_px text = alt.len ? text_width(font, alt) : 0;
    bool sign = alt.len || !wn_node_attr(node, WN_ATTR_ALT); /* that the picture is missing */
    if (box->natural_width < 0)
        box->natural_width = sign ? BROKEN_PICTURE + text : has_height ? BROKEN_PICTURE : 0;
    if (box->natural_height < 0 && !has_height && alt.len) {
        box->natural_height = line_height(style, font);
        box->own_baseline = WN_BASELINE_OF_TEXT;
    } else if (box->natural_height < 0) {
        box->natural_height = sign || has_width ? BROKEN_PICTURE : 0;
    }
}

/*
 * An <svg>: with a viewBox it has a ratio, and is as wide as there is room unless a side is given.
 */
static void make_drawing(const wn_node *node, wn_lay_box *box)
{
    wn_px w = pixels_of(node, WN_ATTR_WIDTH), h = pixels_of(node, WN_ATTR_HEIGHT);
    double ratio = 0;
    for (uint32_t i = 0; i < node->len && ratio <= 0; i++)
        if (wn_str_eq(wn_str_from(node->attrs[i].name, node->attrs[i].name_len), WN_STR("viewBox")))
            ratio = wn_layout_picture_ratio(wn_attr_value(&node->attrs[i]));
    if (ratio <= 0) {
        set_natural(box, w >= 0 ? w : FRAME_WIDTH, h >= 0 ? h : FRAME_HEIGHT);
        if (w > 0 && h > 0)
            set_ratio(box);
        return;
    }
    set_natural(box, w, h);
    box->natural_ratio = (float)ratio;
    if (w < 0 && h >= 0)
        box->natural_width = wn_px_from((float)h / PX * (float)ratio);
    else if (h < 0 && w >= 0)
        box->natural_height = wn_px_from((float)w / PX / (float)ratio);
    else if (w > 0 && h > 0)
        set_ratio(box);
}

void wn_layout_replaced_baseline(wn_lay *lay, wn_lay_box *box)
{
    wn_px up, down, room;
    box->baseline = box->last_baseline = WN_PX_NONE;
    switch (box->own_baseline) {
    case WN_BASELINE_OF_BORDER:
        box->baseline = box->height;
        break;
    case WN_BASELINE_OF_TEXT:
        wn_layout_lines_strut(lay, box->style, &up, &down);
        room = box->height - wn_layout_edge_height(box) - up - down;
        box->baseline = box->edge[WN_TOP] + room / 2 + up;
        break;
    case WN_BASELINE_OF_FIRST_LINE:
        wn_layout_lines_strut(lay, box->style, &up, &down);
        if (box->style->baseline_source == WN_BASELINE_FIRST)
            box->baseline = box->edge[WN_TOP] + up;
        break;
    default:
        break;
    }
    box->last_baseline = box->baseline;
}

/* The natural size of an HTML element; false if it is not replaced. */
static bool make_html(wn_lay *lay, const wn_node *node, wn_lay_box *box)
{
    switch (node->tag) {
    case WN_TAG_IMG:
        make_picture(lay, node, box);
        return true;
    case WN_TAG_VIDEO:
    case WN_TAG_CANVAS:
        size_by_attributes(node, box, FRAME_WIDTH, FRAME_HEIGHT);
        set_ratio(box);
        return true;
    case WN_TAG_IFRAME:
    case WN_TAG_EMBED:
        size_by_attributes(node, box, FRAME_WIDTH, FRAME_HEIGHT);
        return true;
    case WN_TAG_AUDIO:
        set_natural(box, FRAME_WIDTH, AUDIO_HEIGHT);
        return true;
    case WN_TAG_INPUT:
        make_input(lay, node, box);
        return true;
    case WN_TAG_TEXTAREA:
        make_textarea(lay, node, box);
        return true;
    case WN_TAG_SELECT:
        make_select(lay, node, box);
        return true;
    case WN_TAG_METER:
    case WN_TAG_PROGRESS:
        make_bar(lay, node, box);
        return true;
    default:
        return false;
    }
}

bool wn_layout_make_replaced(wn_lay *lay, wn_lay_box *box)
{
    const wn_node *node = wn_doc_node(lay->doc, box->node);
    if (node->ns == WN_NS_SVG && node->tag == WN_TAG_SVG)
        make_drawing(node, box);
    else if (node->ns != WN_NS_HTML || !make_html(lay, node, box))
        return false;
    box->kind = WN_LAY_REPLACED;
    return true;
}
