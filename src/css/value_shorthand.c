/*
 * Shorthands: which longhands each one stands for, and how its value is taken apart.
 *
 * Those of grids are in value_grid.c, that of fonts in value_font.c.
 */
#include <assert.h>

#include "css/value_parts.h"

enum { MAX_LONGHANDS = 24 }; /* of one shorthand */

/* ---- Which longhands ------------------------------------------------------------------------ */

#define SIDES(NAME)                                                                                \
    WN_PROP_##NAME##_TOP, WN_PROP_##NAME##_RIGHT, WN_PROP_##NAME##_BOTTOM, WN_PROP_##NAME##_LEFT
#define EDGES(PART)                                                                                \
    WN_PROP_BORDER_TOP_##PART, WN_PROP_BORDER_RIGHT_##PART, WN_PROP_BORDER_BOTTOM_##PART,          \
        WN_PROP_BORDER_LEFT_##PART
#define EDGE(SIDE)                                                                                 \
    WN_PROP_BORDER_##SIDE##_WIDTH, WN_PROP_BORDER_##SIDE##_STYLE, WN_PROP_BORDER_##SIDE##_COLOR

/*
 * The longhands of each shorthand; `logical`: which sides depends on the direction of text and
 * lines.
 */
static const struct {
    uint16_t shorthand;
    bool logical;
    uint16_t longhands[MAX_LONGHANDS];
} shorthands[] = {
    {WN_PROP_MARGIN, false, {SIDES(MARGIN)}},
    {WN_PROP_PADDING, false, {SIDES(PADDING)}},
    {WN_PROP_INSET, false, {WN_PROP_TOP, WN_PROP_RIGHT, WN_PROP_BOTTOM, WN_PROP_LEFT}},
    {WN_PROP_BORDER, false, {EDGE(TOP), EDGE(RIGHT), EDGE(BOTTOM), EDGE(LEFT)}},
    {WN_PROP_BORDER_TOP, false, {EDGE(TOP)}},
    {WN_PROP_BORDER_RIGHT, false, {EDGE(RIGHT)}},
    {WN_PROP_BORDER_BOTTOM, false, {EDGE(BOTTOM)}},
    {WN_PROP_BORDER_LEFT, false, {EDGE(LEFT)}},
    {WN_PROP_BORDER_WIDTH, false, {EDGES(WIDTH)}},
    {WN_PROP_BORDER_STYLE, false, {EDGES(STYLE)}},
    {WN_PROP_BORDER_COLOR, false, {EDGES(COLOR)}},
    {WN_PROP_BACKGROUND, false, {WN_PROP_BACKGROUND_COLOR, WN_PROP_BACKGROUND_IMAGE}},
    {WN_PROP_FONT,
     false,
     {WN_PROP_FONT_STYLE, WN_PROP_FONT_VARIANT_CAPS, WN_PROP_FONT_WEIGHT, WN_PROP_FONT_SIZE,
      WN_PROP_LINE_HEIGHT, WN_PROP_FONT_FAMILY}},
    {WN_PROP_FONT_VARIANT, false, {WN_PROP_FONT_VARIANT_CAPS}},
    {WN_PROP_LIST_STYLE,
     false,
     {WN_PROP_LIST_STYLE_TYPE, WN_PROP_LIST_STYLE_POSITION, WN_PROP_LIST_STYLE_IMAGE}},
    {WN_PROP_FLEX, false, {WN_PROP_FLEX_GROW, WN_PROP_FLEX_SHRINK, WN_PROP_FLEX_BASIS}},
    {WN_PROP_FLEX_FLOW, false, {WN_PROP_FLEX_DIRECTION, WN_PROP_FLEX_WRAP}},
    {WN_PROP_GAP, false, {WN_PROP_ROW_GAP, WN_PROP_COLUMN_GAP}},
    {WN_PROP_OVERFLOW, false, {WN_PROP_OVERFLOW_X, WN_PROP_OVERFLOW_Y}},
    {WN_PROP_PLACE_CONTENT, false, {WN_PROP_ALIGN_CONTENT, WN_PROP_JUSTIFY_CONTENT}},
    {WN_PROP_PLACE_ITEMS, false, {WN_PROP_ALIGN_ITEMS, WN_PROP_JUSTIFY_ITEMS}},
    {WN_PROP_PLACE_SELF, false, {WN_PROP_ALIGN_SELF, WN_PROP_JUSTIFY_SELF}},
    {WN_PROP_COLUMNS, false, {WN_PROP_COLUMN_WIDTH, WN_PROP_COLUMN_COUNT}},
    {WN_PROP_TEXT_DECORATION, false, {WN_PROP_TEXT_DECORATION_LINE}},
    {WN_PROP_RADIUS, false, {WN_PROP_BORDER_RADIUS}},
    {WN_PROP_GRID,
     false,
     {WN_PROP_GRID_TEMPLATE_COLUMNS, WN_PROP_GRID_TEMPLATE_ROWS, WN_PROP_GRID_TEMPLATE_AREAS,
      WN_PROP_GRID_AUTO_COLUMNS, WN_PROP_GRID_AUTO_ROWS, WN_PROP_GRID_AUTO_FLOW}},
    {WN_PROP_GRID_TEMPLATE,
     false,
     {WN_PROP_GRID_TEMPLATE_COLUMNS, WN_PROP_GRID_TEMPLATE_ROWS, WN_PROP_GRID_TEMPLATE_AREAS}},
    {WN_PROP_GRID_AREA,
     false,
     {WN_PROP_GRID_ROW_START, WN_PROP_GRID_COLUMN_START, WN_PROP_GRID_ROW_END,
      WN_PROP_GRID_COLUMN_END}},
    {WN_PROP_GRID_ROW, false, {WN_PROP_GRID_ROW_START, WN_PROP_GRID_ROW_END}},
    {WN_PROP_GRID_COLUMN, false, {WN_PROP_GRID_COLUMN_START, WN_PROP_GRID_COLUMN_END}},
    {WN_PROP_TRANSLATE, false, {WN_PROP_TRANSFORM}},
    {WN_PROP_MARGIN_INLINE, true, {WN_PROP_MARGIN_LEFT, WN_PROP_MARGIN_RIGHT}},
    {WN_PROP_MARGIN_BLOCK, true, {WN_PROP_MARGIN_TOP, WN_PROP_MARGIN_BOTTOM}},
    {WN_PROP_PADDING_INLINE, true, {WN_PROP_PADDING_LEFT, WN_PROP_PADDING_RIGHT}},
    {WN_PROP_PADDING_BLOCK, true, {WN_PROP_PADDING_TOP, WN_PROP_PADDING_BOTTOM}},
    {WN_PROP_INSET_INLINE, true, {WN_PROP_LEFT, WN_PROP_RIGHT}},
    {WN_PROP_INSET_BLOCK, true, {WN_PROP_TOP, WN_PROP_BOTTOM}},
    {WN_PROP_BORDER_INLINE, true, {EDGE(LEFT), EDGE(RIGHT)}},
    {WN_PROP_BORDER_BLOCK, true, {EDGE(TOP), EDGE(BOTTOM)}},
    {WN_PROP_BORDER_INLINE_START, true, {EDGE(LEFT)}},
    {WN_PROP_BORDER_INLINE_END, true, {EDGE(RIGHT)}},
    {WN_PROP_BORDER_BLOCK_START, true, {EDGE(TOP)}},
    {WN_PROP_BORDER_BLOCK_END, true, {EDGE(BOTTOM)}},
    {WN_PROP_BORDER_INLINE_WIDTH, true, {WN_PROP_BORDER_LEFT_WIDTH, WN_PROP_BORDER_RIGHT_WIDTH}},
    {WN_PROP_BORDER_BLOCK_WIDTH, true, {WN_PROP_BORDER_TOP_WIDTH, WN_PROP_BORDER_BOTTOM_WIDTH}},
    {WN_PROP_BORDER_INLINE_STYLE, true, {WN_PROP_BORDER_LEFT_STYLE, WN_PROP_BORDER_RIGHT_STYLE}},
    {WN_PROP_BORDER_BLOCK_STYLE, true, {WN_PROP_BORDER_TOP_STYLE, WN_PROP_BORDER_BOTTOM_STYLE}},
    {WN_PROP_BORDER_INLINE_COLOR, true, {WN_PROP_BORDER_LEFT_COLOR, WN_PROP_BORDER_RIGHT_COLOR}},
    {WN_PROP_BORDER_BLOCK_COLOR, true, {WN_PROP_BORDER_TOP_COLOR, WN_PROP_BORDER_BOTTOM_COLOR}},
};

/* The longhands of a property, ended by 0; of a longhand itself alone. */
const uint16_t *wn_css_longhands_of(wn_css_property property, uint16_t self[2], bool *logical)
{
    for (size_t i = 0; property >= WN_PROP_LONGHANDS && i < sizeof shorthands / sizeof *shorthands;
         i++)
        if (shorthands[i].shorthand == property) {
            *logical |= shorthands[i].logical;
            return shorthands[i].longhands;
        }
    self[0] = property < WN_PROP_LONGHANDS || property == WN_PROP_ALL ? (uint16_t)property : 0;
    self[1] = 0;
    return self;
}

/* ---- Sides and borders ---------------------------------------------------------------------- */

/* Adds the value of declaration `from` for another property. */
static bool add_copy(wn_css_writer *w, uint32_t from, unsigned property)
{
    assert(from < w->out->count);
    wn_css_decl *copy = wn_css_add(w, (wn_css_property)property);
    if (!copy)
        return false;
    *copy = w->out->items[from];
    copy->property = (uint16_t)property;
    return true;
}

/* One to four values for top, right, bottom, left; of two sides one or two. */
static bool read_sides(wn_css_writer *w, const uint16_t *longhands)
{
    uint32_t start = w->out->count, sides = 0, given = 0;
    while (longhands[sides])
        sides++;
    while (given < sides && !wn_css_at_end(w)) {
        if (!wn_css_read_longhand(w, (wn_css_property)longhands[given]))
            return false;
        given++;
    }
    if (given == 0)
        return false;
    for (uint32_t side = given; side < sides; side++) {
        uint32_t from = side == 1 || given == 1 ? 0 : side - 2; /* left is like right */
        if (!add_copy(w, start + from, longhands[side]))
            return false;
    }
    return true;
}

/* border: width, style and colour in any order; what is missing is initial. */
static bool read_border(wn_css_writer *w, const uint16_t *longhands)
{
    uint32_t start = w->out->count;
    bool seen[3] = {false, false, false};
    if (wn_css_at_end(w))
        return false;
    while (!wn_css_at_end(w)) {
        bool read = false;
        for (int part = 0; part < 3 && !read; part++)
            if (!seen[part] && wn_css_read_longhand(w, (wn_css_property)longhands[part]))
                read = seen[part] = true;
        if (!read)
            return false;
    }
    for (int part = 0; part < 3; part++)
        if (!seen[part]) {
            wn_css_decl *decl = wn_css_add(w, (wn_css_property)longhands[part]);
            if (!decl)
                return false;
            decl->type = WN_VALUE_WIDE;
            decl->number = WN_WIDE_INITIAL;
        }
    for (uint32_t i = 3; longhands[i]; i++) {
        uint32_t part = i % 3;
        for (uint32_t j = start; j < start + 3; j++)
            if (w->out->items[j].property == longhands[part] && !add_copy(w, j, longhands[i]))
                return false;
    }
    return true;
}

static bool read_radius(wn_css_writer *w)
{
    wn_css_calc first, calc;
    if (!wn_css_read_plain_length(w, 0, &first) ||
        !wn_css_add_calc(w, WN_PROP_BORDER_RADIUS, &first))
        return false;
    while (!wn_css_at_end(w))
        if (!wn_css_take_delim(w, '/') && !wn_css_read_plain_length(w, 0, &calc))
            return false;
    return true;
}

/* ---- Others --------------------------------------------------------------------------------- */

/* Longhands in any order, each at most once; those that are missing get their initial value. */
static bool read_any_order(wn_css_writer *w, const uint16_t *longhands)
{
    bool seen[MAX_LONGHANDS] = {false};
    if (wn_css_at_end(w))
        return false;
    while (!wn_css_at_end(w)) {
        bool read = false;
        for (int i = 0; longhands[i] && !read; i++)
            if (!seen[i] && wn_css_read_longhand(w, (wn_css_property)longhands[i]))
                read = seen[i] = true;
        if (!read)
            return false;
    }
    for (int i = 0; longhands[i]; i++)
        if (!seen[i]) {
            wn_css_decl *decl = wn_css_add(w, (wn_css_property)longhands[i]);
            if (!decl)
                return false;
            decl->type = WN_VALUE_WIDE;
            decl->number = WN_WIDE_INITIAL;
        }
    return true;
}

/* background: colour, images and where they go, in any order, layers apart by commas. */
static bool read_background(wn_css_writer *w)
{
    static const wn_css_word placing[] = {
        {"none", 0},        {"left", 0},      {"right", 0},       {"top", 0},
        {"bottom", 0},      {"center", 0},    {"repeat", 0},      {"repeat-x", 0},
        {"repeat-y", 0},    {"no-repeat", 0}, {"space", 0},       {"round", 0},
        {"scroll", 0},      {"fixed", 0},     {"local", 0},       {"border-box", 0},
        {"padding-box", 0}, {"text", 0},      {"content-box", 0}, {"cover", 0},
        {"contain", 0},     {"auto", 0},      {NULL, 0},
    };
    bool image = false, has_color = false;
    unsigned word;
    wn_css_calc calc;
    if (wn_css_at_end(w))
        return false;
    while (!wn_css_at_end(w)) {
        if (wn_css_take_image(w))
            image = true;
        else if (wn_css_take_listed(w, placing, &word) || wn_css_take_delim(w, '/'))
            continue;
        else if (wn_css_take_delim(w, ',')) {
            if (has_color || wn_css_at_end(w))
                return false; /* only the last layer has one */
        } else if (!has_color && wn_css_read_longhand(w, WN_PROP_BACKGROUND_COLOR))
            has_color = true;
        else if (!wn_css_read_plain_length(w, WN_LENGTHS_NEGATIVE | WN_LENGTHS_UNITLESS, &calc))
            return false;
    }
    if (!has_color) {
        wn_css_decl *decl = wn_css_add(w, WN_PROP_BACKGROUND_COLOR);
        if (decl)
            decl->type = WN_VALUE_COLOR;
    }
    return wn_css_add_word(w, WN_PROP_BACKGROUND_IMAGE, image);
}

/* place-content: align, then justify; one value is both. */
static bool read_place(wn_css_writer *w, wn_css_property align, wn_css_property justify)
{
    if (!wn_css_read_longhand(w, align))
        return false;
    if (!wn_css_at_end(w))
        return wn_css_read_longhand(w, justify);
    unsigned word = (unsigned)w->out->items[w->out->count - 1].number;
    return wn_css_add_word(w, justify, word);
}

static bool read_flex(wn_css_writer *w)
{
    float grow = 1, shrink = 1;
    bool numbers = false;
    if (wn_css_take_word(w, WN_STR("none"))) {
        grow = shrink = 0;
        wn_css_add_word(w, WN_PROP_FLEX_BASIS, WN_WORD_AUTO);
    } else {
        bool basis = false;
        while (!wn_css_at_end(w)) {
            const wn_css_token *t = wn_css_at(w);
            float number;
            bool unitless = t->kind == WN_CSS_NUMBER || t->kind == WN_CSS_FUNCTION;
            if (!numbers && unitless && wn_css_take_number(w, &grow)) {
                numbers = true;
                if (grow < 0)
                    return false;
                if (wn_css_at(w)->kind == WN_CSS_NUMBER && wn_css_take_number(w, &number))
                    shrink = number;
            } else if (!basis && wn_css_read_longhand(w, WN_PROP_FLEX_BASIS)) {
                basis = true;
            } else {
                return false;
            }
        }
        if (!basis && !numbers)
            return false;
        if (!basis) {
            wn_css_decl *decl = wn_css_add(w, WN_PROP_FLEX_BASIS);
            if (decl) {
                decl->type = WN_VALUE_LENGTH;
                decl->unit = WN_CSS_PERCENTAGE;
            }
        }
    }
    return shrink >= 0 && wn_css_add_number(w, WN_PROP_FLEX_GROW, grow) &&
           wn_css_add_number(w, WN_PROP_FLEX_SHRINK, shrink);
}

/* list-style: `none` may be the type or the image. */
static bool read_list_style(wn_css_writer *w, const uint16_t *longhands)
{
    if (!wn_css_is_ident(wn_css_at(w), WN_STR("none")) ||
        wn_css_is_ident(&wn_css_at(w)[1], WN_STR("none")))
        return read_any_order(w, longhands);
    w->cursor.at++;
    wn_css_add_word(w, WN_PROP_LIST_STYLE_TYPE, WN_LIST_NONE);
    if (wn_css_at_end(w))
        return wn_css_add_word(w, WN_PROP_LIST_STYLE_POSITION, 0) &&
               wn_css_add_word(w, WN_PROP_LIST_STYLE_IMAGE, 0);
    return read_any_order(w, longhands);
}

static bool read_font_variant(wn_css_writer *w)
{
    bool caps = false;
    while (wn_css_at(w)->kind == WN_CSS_IDENT || wn_css_at(w)->kind == WN_CSS_FUNCTION) {
        caps |= wn_css_is_ident(wn_css_at(w), WN_STR("small-caps"));
        if (wn_css_at(w)->kind == WN_CSS_FUNCTION)
            wn_css_skip_function(&w->cursor);
        else
            w->cursor.at++;
    }
    return wn_css_add_word(w, WN_PROP_FONT_VARIANT_CAPS, caps);
}

static bool read_text_wrap(wn_css_writer *w)
{
    if (wn_css_take_word(w, WN_STR("nowrap")))
        return wn_css_add_word(w, WN_PROP_WHITE_SPACE, WN_WHITE_SPACE_NOWRAP);
    while (wn_css_at(w)->kind == WN_CSS_IDENT)
        w->cursor.at++;
    return true;
}

bool wn_css_read_shorthand(wn_css_writer *w, wn_css_property property)
{
    uint16_t self[2];
    const uint16_t *longhands = wn_css_longhands_of(property, self, &w->logical);
    switch (property) {
    case WN_PROP_BORDER:
    case WN_PROP_BORDER_TOP:
    case WN_PROP_BORDER_RIGHT:
    case WN_PROP_BORDER_BOTTOM:
    case WN_PROP_BORDER_LEFT:
    case WN_PROP_BORDER_INLINE:
    case WN_PROP_BORDER_BLOCK:
    case WN_PROP_BORDER_INLINE_START:
    case WN_PROP_BORDER_INLINE_END:
    case WN_PROP_BORDER_BLOCK_START:
    case WN_PROP_BORDER_BLOCK_END:
        return read_border(w, longhands);
    case WN_PROP_BACKGROUND:
        return read_background(w);
    case WN_PROP_FONT:
        return wn_css_read_font(w);
    case WN_PROP_FONT_VARIANT:
        return read_font_variant(w);
    case WN_PROP_LIST_STYLE:
        return read_list_style(w, longhands);
    case WN_PROP_FLEX:
        return read_flex(w);
    case WN_PROP_FLEX_FLOW:
    case WN_PROP_COLUMNS:
        return read_any_order(w, longhands);
    case WN_PROP_PLACE_CONTENT:
    case WN_PROP_PLACE_ITEMS:
    case WN_PROP_PLACE_SELF:
        return read_place(w, (wn_css_property)longhands[0], (wn_css_property)longhands[1]);
    case WN_PROP_TEXT_DECORATION:
        return wn_css_read_decoration(w, true);
    case WN_PROP_RADIUS:
        return read_radius(w);
    case WN_PROP_TEXT_WRAP:
        return read_text_wrap(w);
    case WN_PROP_TRANSLATE:
        return wn_css_read_translate(w);
    case WN_PROP_GRID:
    case WN_PROP_GRID_TEMPLATE:
    case WN_PROP_GRID_AREA:
    case WN_PROP_GRID_ROW:
    case WN_PROP_GRID_COLUMN:
        return wn_css_read_grid_shorthand(w, property);
    case WN_PROP_ALL:
        return false;
    default:
        return read_sides(w, longhands);
    }
}
