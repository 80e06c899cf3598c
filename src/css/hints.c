#include "css/hints.h"

#include <math.h>

#include "css/color.h"

enum { MAX_DIMENSION = 1 << 20 };

typedef struct writer {
    wn_css_decls *out;
    const wn_node *node;
    bool failed; /* out of memory */
} writer;

/* ---- Writing ----------------------------------------------------------------------------- */

static wn_css_decl *add(writer *w, wn_css_property property, wn_css_value type)
{
    wn_css_decl *decl = wn_array_push(w->out);
    if (decl)
        *decl = (wn_css_decl){.property = (uint16_t)property, .type = (uint8_t)type};
    else
        w->failed = true;
    return decl;
}

static void add_length(writer *w, wn_css_property property, float number, wn_css_unit unit)
{
    wn_css_decl *decl = add(w, property, WN_VALUE_LENGTH);
    if (decl) {
        decl->number = number;
        decl->unit = (uint8_t)unit;
    }
}

static void add_word(writer *w, wn_css_property property, unsigned word)
{
    wn_css_decl *decl = add(w, property, WN_VALUE_WORD);
    if (decl)
        decl->number = (float)word;
}

static void add_color(writer *w, wn_css_property property, wn_str text)
{
    wn_color color;
    if (!wn_css_legacy_color(text, &color))
        return;
    wn_css_decl *decl = add(w, property, WN_VALUE_COLOR);
    if (decl)
        decl->color = color;
}

static const wn_attr *attr_of(const writer *w, wn_attr_name name)
{
    return wn_node_attr(w->node, name);
}

/* ---- Reading ----------------------------------------------------------------------------- */

/* https://html.spec.whatwg.org/#rules-for-parsing-dimension-values */
static bool read_dimension(wn_str text, float *number, wn_css_unit *unit)
{
    const char *p = text.ptr, *end = text.ptr + text.len;
    while (p < end && wn_is_space(*p))
        p++;
    if (p < end && *p == '+')
        p++;
    if (p >= end || (!wn_is_ascii_digit(*p) && *p != '.'))
        return false;
    float value = 0, factor = 0.1f;
    for (; p < end && wn_is_ascii_digit(*p); p++)
        value = fminf(value * 10 + (float)(*p - '0'), MAX_DIMENSION);
    if (p < end && *p == '.')
        for (p++; p < end && wn_is_ascii_digit(*p); p++, factor /= 10)
            value += (float)(*p - '0') * factor;
    *number = value;
    *unit = p < end && *p == '%' ? WN_CSS_PERCENTAGE : WN_CSS_PX;
    return true;
}

static bool read_integer(wn_str text, float *number)
{
    wn_css_unit unit;
    bool minus = text.len > 0 && text.ptr[0] == '-';
    if (!read_dimension(minus ? wn_str_from_offset(text, 1) : text, number, &unit))
        return false;
    *number = minus ? -truncf(*number) : truncf(*number);
    return true;
}

static void add_dimension(writer *w, wn_attr_name name, wn_css_property property, bool zero_too)
{
    const wn_attr *attr = attr_of(w, name);
    float number;
    wn_css_unit unit;
    if (attr && read_dimension(wn_attr_value(attr), &number, &unit) && (number > 0 || zero_too))
        add_length(w, property, number, unit);
}

static void add_sides(writer *w, wn_css_property first, float px)
{
    for (unsigned i = 0; i < 4; i++)
        add_length(w, (wn_css_property)(first + i), px, WN_CSS_PX);
}

/* An attribute without a number of its own, by name. */
static bool find_other(const writer *w, const char *name, wn_str *value)
{
    for (uint32_t i = 0; i < w->node->len; i++) {
        const wn_attr *attr = &w->node->attrs[i];
        if (attr->id == WN_ATTR_UNKNOWN &&
            wn_str_eq(wn_str_from(attr->name, attr->name_len), wn_str_of(name))) {
            *value = wn_attr_value(attr);
            return true;
        }
    }
    return false;
}

/* ---- Elements ---------------------------------------------------------------------------- */

static void body_hints(writer *w)
{
    static const struct {
        const char *name;
        uint8_t first, second;
    } margins[] = {
        {"marginwidth", WN_PROP_MARGIN_LEFT, WN_PROP_MARGIN_RIGHT},
        {"leftmargin", WN_PROP_MARGIN_LEFT, WN_PROP_MARGIN_RIGHT},
        {"marginheight", WN_PROP_MARGIN_TOP, WN_PROP_MARGIN_BOTTOM},
        {"topmargin", WN_PROP_MARGIN_TOP, WN_PROP_MARGIN_BOTTOM},
    };
    for (size_t i = 0; i < sizeof margins / sizeof *margins; i++) {
        wn_str value;
        float number;
        if (find_other(w, margins[i].name, &value) && read_integer(value, &number) && number >= 0) {
            add_length(w, margins[i].first, number, WN_CSS_PX);
            add_length(w, margins[i].second, number, WN_CSS_PX);
        }
    }
    add_color(w, WN_PROP_COLOR, wn_node_attr_value(w->node, WN_ATTR_TEXT));
}

/* <font size="+1" color face> */
static void font_hints(writer *w)
{
    const wn_attr *size = attr_of(w, WN_ATTR_SIZE);
    if (size) {
        wn_str text = wn_str_trim(wn_attr_value(size));
        bool relative = text.len && (text.ptr[0] == '+' || text.ptr[0] == '-');
        float number;
        if (read_integer(text, &number)) {
            number = fminf(fmaxf(relative ? number + 3 : number, 1), 7);
            /* 1 is x-small, 7 xxx-large */
            add_word(w, WN_PROP_FONT_SIZE, (unsigned)(WN_WORD_SIZES + 1 + number));
        }
    }
    add_color(w, WN_PROP_COLOR, wn_node_attr_value(w->node, WN_ATTR_COLOR));
    wn_str face = wn_node_attr_value(w->node, WN_ATTR_FACE);
    if (wn_str_contains_nocase(face, WN_STR("courier")) ||
        wn_str_contains_nocase(face, WN_STR("mono")))
        add_word(w, WN_PROP_FONT_FAMILY, WN_FONT_MONO);
    else if (wn_str_contains_nocase(face, WN_STR("arial")) ||
             wn_str_contains_nocase(face, WN_STR("helvetica")) ||
             wn_str_contains_nocase(face, WN_STR("sans-serif")))
        add_word(w, WN_PROP_FONT_FAMILY, WN_FONT_SANS);
    else if (face.len)
        add_word(w, WN_PROP_FONT_FAMILY, WN_FONT_SERIF);
}

static void table_hints(writer *w)
{
    float number;
    const wn_attr *border = attr_of(w, WN_ATTR_BORDER);
    add_dimension(w, WN_ATTR_WIDTH, WN_PROP_WIDTH, false);
    add_dimension(w, WN_ATTR_HEIGHT, WN_PROP_HEIGHT, false);
    const wn_attr *spacing = attr_of(w, WN_ATTR_CELLSPACING);
    if (spacing && read_integer(wn_attr_value(spacing), &number) && number >= 0)
        add_length(w, WN_PROP_BORDER_SPACING, number, WN_CSS_PX);
    if (border) {
        if (!read_integer(wn_attr_value(border), &number))
            number = 1;
        if (number > 0) {
            add_sides(w, WN_PROP_BORDER_TOP_WIDTH, number);
            for (unsigned i = 0; i < 4; i++)
                add_word(w, (wn_css_property)(WN_PROP_BORDER_TOP_STYLE + i), WN_BORDER_OUTSET);
        }
    }
    wn_str color;
    if (find_other(w, "bordercolor", &color))
        for (unsigned i = 0; i < 4; i++)
            add_color(w, (wn_css_property)(WN_PROP_BORDER_TOP_COLOR + i), color);
}

/* The table a cell is in. */
static const wn_node *table_of(const wn_doc *doc, wn_node_id id)
{
    for (int i = 0; i < 4 && id; i++) {
        id = wn_doc_node(doc, id)->parent;
        if (wn_node_is(wn_doc_node(doc, id), WN_TAG_TABLE))
            return wn_doc_node(doc, id);
    }
    return NULL;
}

static void cell_hints(writer *w, const wn_doc *doc, wn_node_id id)
{
    const wn_node *table = table_of(doc, id);
    float number;
    add_dimension(w, WN_ATTR_WIDTH, WN_PROP_WIDTH, false);
    add_dimension(w, WN_ATTR_HEIGHT, WN_PROP_HEIGHT, false);
    if (!table)
        return;
    const wn_attr *padding = wn_node_attr(table, WN_ATTR_CELLPADDING);
    if (padding && read_integer(wn_attr_value(padding), &number) && number >= 0)
        add_sides(w, WN_PROP_PADDING_TOP, number);
    const wn_attr *border = wn_node_attr(table, WN_ATTR_BORDER);
    if (border && !(read_integer(wn_attr_value(border), &number) && number == 0)) {
        add_sides(w, WN_PROP_BORDER_TOP_WIDTH, 1);
        for (unsigned i = 0; i < 4; i++)
            add_word(w, (wn_css_property)(WN_PROP_BORDER_TOP_STYLE + i), WN_BORDER_INSET);
    }
}

static void picture_hints(writer *w)
{
    wn_str value;
    float number, width, height;
    wn_css_unit unit, other;
    add_dimension(w, WN_ATTR_WIDTH, WN_PROP_WIDTH, true);
    add_dimension(w, WN_ATTR_HEIGHT, WN_PROP_HEIGHT, true);
    const wn_attr *w_attr = attr_of(w, WN_ATTR_WIDTH), *h_attr = attr_of(w, WN_ATTR_HEIGHT);
    if (w_attr && h_attr && read_dimension(wn_attr_value(w_attr), &width, &unit) &&
        read_dimension(wn_attr_value(h_attr), &height, &other) && unit == WN_CSS_PX &&
        other == WN_CSS_PX && width > 0 && height > 0) {
        wn_css_decl *decl = add(w, WN_PROP_ASPECT_RATIO, WN_VALUE_NUMBER);
        if (decl)
            decl->number = width / height;
    }
    if (find_other(w, "hspace", &value) && read_dimension(value, &number, &unit)) {
        add_length(w, WN_PROP_MARGIN_LEFT, number, unit);
        add_length(w, WN_PROP_MARGIN_RIGHT, number, unit);
    }
    if (find_other(w, "vspace", &value) && read_dimension(value, &number, &unit)) {
        add_length(w, WN_PROP_MARGIN_TOP, number, unit);
        add_length(w, WN_PROP_MARGIN_BOTTOM, number, unit);
    }
    const wn_attr *border = attr_of(w, WN_ATTR_BORDER);
    if (border && read_integer(wn_attr_value(border), &number) && number > 0) {
        add_sides(w, WN_PROP_BORDER_TOP_WIDTH, number);
        for (unsigned i = 0; i < 4; i++)
            add_word(w, (wn_css_property)(WN_PROP_BORDER_TOP_STYLE + i), WN_BORDER_SOLID);
    }
}

static void rule_hints(writer *w)
{
    float number;
    const wn_attr *size = attr_of(w, WN_ATTR_SIZE), *color = attr_of(w, WN_ATTR_COLOR);
    add_dimension(w, WN_ATTR_WIDTH, WN_PROP_WIDTH, false);
    bool solid = color || attr_of(w, WN_ATTR_NOSHADE);
    for (unsigned i = 0; solid && i < 4; i++) {
        add_word(w, (wn_css_property)(WN_PROP_BORDER_TOP_STYLE + i), WN_BORDER_SOLID);
        if (color)
            add_color(w, (wn_css_property)(WN_PROP_BORDER_TOP_COLOR + i), wn_attr_value(color));
    }
    if (!size || !read_integer(wn_attr_value(size), &number))
        return;
    if (number <= 1)
        add_length(w, WN_PROP_BORDER_BOTTOM_WIDTH, 0, WN_CSS_PX);
    else
        add_length(w, WN_PROP_HEIGHT, number - 2, WN_CSS_PX);
}

/* <svg width="20" height="1.5em">: lengths as in style sheets. */
static void svg_length(writer *w, wn_attr_name name, wn_css_property property)
{
    static const struct {
        const char *name;
        wn_css_unit unit;
        float factor;
    } units[] = {
        {"em", WN_CSS_EM, 1},  {"rem", WN_CSS_REM, 1},        {"ex", WN_CSS_EX, 1},
        {"ch", WN_CSS_CH, 1},  {"pt", WN_CSS_PX, 96.0f / 72}, {"pc", WN_CSS_PX, 16},
        {"in", WN_CSS_PX, 96}, {"cm", WN_CSS_PX, 96 / 2.54f}, {"mm", WN_CSS_PX, 96 / 25.4f},
    };
    const wn_attr *attr = attr_of(w, name);
    wn_str text = attr ? wn_str_trim(wn_attr_value(attr)) : WN_STR("");
    float number;
    wn_css_unit unit;
    if (!read_dimension(text, &number, &unit))
        return;
    size_t letters = 0;
    while (letters < text.len && wn_is_ascii_alpha(text.ptr[text.len - 1 - letters]))
        letters++;
    wn_str suffix = wn_str_from_offset(text, text.len - letters);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (wn_str_eq_nocase(suffix, wn_str_of(units[i].name))) {
            unit = units[i].unit;
            number *= units[i].factor;
        }
    add_length(w, property, number, unit);
}

static void svg_hints(writer *w)
{
    svg_length(w, WN_ATTR_WIDTH, WN_PROP_WIDTH);
    svg_length(w, WN_ATTR_HEIGHT, WN_PROP_HEIGHT);
}

/* ---- All --------------------------------------------------------------------------------- */

/* Whether the element may have hints at all: most have none, and cost nothing. */
static bool has_hint_attr(const wn_node *node)
{
    for (uint32_t i = 0; i < node->len; i++)
        switch (node->attrs[i].id) {
        case WN_ATTR_BGCOLOR:
        case WN_ATTR_BACKGROUND:
        case WN_ATTR_WIDTH:
        case WN_ATTR_HEIGHT:
        case WN_ATTR_BORDER:
        case WN_ATTR_CELLSPACING:
        case WN_ATTR_COLOR:
        case WN_ATTR_SIZE:
        case WN_ATTR_FACE:
        case WN_ATTR_TEXT:
        case WN_ATTR_NOSHADE:
            return true;
        case WN_ATTR_UNKNOWN:
            if (node->tag == WN_TAG_BODY || node->tag == WN_TAG_IMG || node->tag == WN_TAG_TABLE)
                return true;
            break;
        default:
            break;
        }
    return node->tag == WN_TAG_TD || node->tag == WN_TAG_TH;
}

/* bgcolor and background, of the page and the parts of tables. */
static void background_hints(writer *w)
{
    add_color(w, WN_PROP_BACKGROUND_COLOR, wn_node_attr_value(w->node, WN_ATTR_BGCOLOR));
    if (attr_of(w, WN_ATTR_BACKGROUND))
        add_word(w, WN_PROP_BACKGROUND_IMAGE, 1);
}

/* The parts of a page that may have a background; false for other elements. */
static bool add_part(writer *w, const wn_doc *doc, wn_node_id id)
{
    switch (w->node->tag) {
    case WN_TAG_BODY:
        body_hints(w);
        break;
    case WN_TAG_TABLE:
        table_hints(w);
        break;
    case WN_TAG_TD:
    case WN_TAG_TH:
        cell_hints(w, doc, id);
        break;
    case WN_TAG_TR:
    case WN_TAG_TBODY:
    case WN_TAG_THEAD:
    case WN_TAG_TFOOT:
        add_dimension(w, WN_ATTR_HEIGHT, WN_PROP_HEIGHT, false);
        break;
    default:
        return false;
    }
    background_hints(w);
    return true;
}

static void add_html(writer *w)
{
    switch (w->node->tag) {
    case WN_TAG_FONT:
        font_hints(w);
        break;
    case WN_TAG_COL:
    case WN_TAG_COLGROUP:
        add_dimension(w, WN_ATTR_WIDTH, WN_PROP_WIDTH, false);
        break;
    case WN_TAG_IMG:
    case WN_TAG_OBJECT:
    case WN_TAG_EMBED:
    case WN_TAG_VIDEO:
    case WN_TAG_IFRAME:
    case WN_TAG_CANVAS:
    case WN_TAG_APPLET:
        picture_hints(w);
        break;
    case WN_TAG_INPUT:
        if (wn_str_eq_nocase(wn_node_attr_value(w->node, WN_ATTR_TYPE), WN_STR("image")))
            picture_hints(w);
        break;
    case WN_TAG_HR:
        rule_hints(w);
        break;
    default:
        break;
    }
}

static void add_all(writer *w, const wn_doc *doc, wn_node_id id)
{
    if (w->node->ns != WN_NS_SVG) {
        if (!add_part(w, doc, id))
            add_html(w);
    } else if (w->node->tag == WN_TAG_SVG) {
        svg_hints(w);
    }
}

bool wn_css_add_hints(const wn_doc *doc, wn_node_id id, wn_css_decls *out, uint64_t *hash)
{
    writer w = {.out = out, .node = wn_doc_node(doc, id)};
    uint32_t start = out->count;
    *hash = 0;
    if (!has_hint_attr(w.node))
        return true;
    add_all(&w, doc, id);
    for (uint32_t i = start; i < out->count; i++) {
        const wn_css_decl *d = &out->items[i];
        uint32_t bits;
        memcpy(&bits, &d->number, sizeof bits);
        uint64_t value = d->type == WN_VALUE_COLOR ? d->color : bits;
        *hash = (*hash ^ value ^ (uint64_t)d->property << 40 ^ (uint64_t)d->unit << 36 ^
                 (uint64_t)d->type << 50) *
                UINT64_C(0x9E3779B97F4A7C15);
        *hash ^= *hash >> 29;
    }
    return !w.failed;
}
