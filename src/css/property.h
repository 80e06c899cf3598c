/*
 * The properties that styles are made of, their names and how their values are read.
 *
 * Longhands are in the order in which they are computed: what others depend on (the direction,
 * the font size that an em is, the colour that currentcolor is) comes first.
 */
#ifndef WN_CSS_PROPERTY_H
#define WN_CSS_PROPERTY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* How a longhand's value is read and what it is stored as. */
typedef enum wn_css_form {
    WN_FORM_WORD,   /* a keyword of a list, as a uint8_t */
    WN_FORM_LENGTH, /* a wn_length */
    WN_FORM_PX,     /* a float: a length that is known once the font is; `normal` is 0 */
    WN_FORM_NUMBER, /* a float */
    WN_FORM_COLOR,  /* a wn_color */
    WN_FORM_OTHER,  /* by functions of its own */
} wn_css_form;

/* What a length may be beside a length. */
enum {
    WN_LENGTHS_AUTO = 1 << 0,     /* auto */
    WN_LENGTHS_NONE = 1 << 1,     /* none, stored as auto */
    WN_LENGTHS_NORMAL = 1 << 2,   /* normal, stored as auto */
    WN_LENGTHS_NEGATIVE = 1 << 3, /* may be below 0 */
    WN_LENGTHS_CONTENT = 1 << 4,  /* min-content, max-content, fit-content, stretch */
    WN_LENGTHS_UNITLESS = 1 << 5, /* in quirks mode a number is so many pixels */
    WN_LENGTHS_BASIS = 1 << 6,    /* content */
};

#define WN_SIZE_FLAGS (WN_LENGTHS_AUTO | WN_LENGTHS_CONTENT | WN_LENGTHS_UNITLESS)
#define WN_MAX_FLAGS (WN_LENGTHS_NONE | WN_LENGTHS_CONTENT | WN_LENGTHS_UNITLESS)
#define WN_MARGIN_FLAGS (WN_LENGTHS_AUTO | WN_LENGTHS_NEGATIVE | WN_LENGTHS_UNITLESS)

/* X(NAME, "name", FORM, field of wn_style, list of words or flags of lengths) */
#define WN_CSS_LONGHANDS(X)                                                                        \
    X(DIRECTION, "direction", WORD, rtl, WORDS_DIRECTION)                                          \
    X(WRITING_MODE, "writing-mode", WORD, writing_mode, WORDS_WRITING_MODE)                        \
    X(FONT_FAMILY, "font-family", OTHER, font_class, 0)                                            \
    X(FONT_SIZE, "font-size", OTHER, font_size, 0)                                                 \
    X(FONT_WEIGHT, "font-weight", OTHER, font_weight, 0)                                           \
    X(FONT_STYLE, "font-style", WORD, italic, WORDS_FONT_STYLE)                                    \
    X(FONT_VARIANT_CAPS, "font-variant-caps", WORD, small_caps, WORDS_CAPS)                        \
    X(LINE_HEIGHT, "line-height", OTHER, line_height, 0)                                           \
    X(COLOR, "color", COLOR, color, 0)                                                             \
    X(DISPLAY, "display", OTHER, specified_display, 0)                                             \
    X(POSITION, "position", WORD, position, WORDS_POSITION)                                        \
    X(FLOAT, "float", WORD, float_side, WORDS_FLOAT)                                               \
    X(CLEAR, "clear", WORD, clear, WORDS_CLEAR)                                                    \
    X(BOX_SIZING, "box-sizing", WORD, border_box, WORDS_BOX_SIZING)                                \
    X(BASELINE_SOURCE, "baseline-source", WORD, baseline_source, WORDS_BASELINE_SOURCE)            \
    X(OVERFLOW_X, "overflow-x", WORD, overflow_x, WORDS_OVERFLOW)                                  \
    X(OVERFLOW_Y, "overflow-y", WORD, overflow_y, WORDS_OVERFLOW)                                  \
    X(VISIBILITY, "visibility", WORD, visibility, WORDS_VISIBILITY)                                \
    X(OPACITY, "opacity", NUMBER, opacity, 0)                                                      \
    X(Z_INDEX, "z-index", OTHER, z_index, 0)                                                       \
    X(WIDTH, "width", LENGTH, width, WN_SIZE_FLAGS)                                                \
    X(HEIGHT, "height", LENGTH, height, WN_SIZE_FLAGS)                                             \
    X(MIN_WIDTH, "min-width", LENGTH, min_width, WN_SIZE_FLAGS)                                    \
    X(MIN_HEIGHT, "min-height", LENGTH, min_height, WN_SIZE_FLAGS)                                 \
    X(MAX_WIDTH, "max-width", LENGTH, max_width, WN_MAX_FLAGS)                                     \
    X(MAX_HEIGHT, "max-height", LENGTH, max_height, WN_MAX_FLAGS)                                  \
    X(MARGIN_TOP, "margin-top", LENGTH, margin[0], WN_MARGIN_FLAGS)                                \
    X(MARGIN_RIGHT, "margin-right", LENGTH, margin[1], WN_MARGIN_FLAGS)                            \
    X(MARGIN_BOTTOM, "margin-bottom", LENGTH, margin[2], WN_MARGIN_FLAGS)                          \
    X(MARGIN_LEFT, "margin-left", LENGTH, margin[3], WN_MARGIN_FLAGS)                              \
    X(PADDING_TOP, "padding-top", LENGTH, padding[0], WN_LENGTHS_UNITLESS)                         \
    X(PADDING_RIGHT, "padding-right", LENGTH, padding[1], WN_LENGTHS_UNITLESS)                     \
    X(PADDING_BOTTOM, "padding-bottom", LENGTH, padding[2], WN_LENGTHS_UNITLESS)                   \
    X(PADDING_LEFT, "padding-left", LENGTH, padding[3], WN_LENGTHS_UNITLESS)                       \
    X(TOP, "top", LENGTH, inset[0], WN_MARGIN_FLAGS)                                               \
    X(RIGHT, "right", LENGTH, inset[1], WN_MARGIN_FLAGS)                                           \
    X(BOTTOM, "bottom", LENGTH, inset[2], WN_MARGIN_FLAGS)                                         \
    X(LEFT, "left", LENGTH, inset[3], WN_MARGIN_FLAGS)                                             \
    X(BORDER_TOP_WIDTH, "border-top-width", OTHER, border_width[0], 0)                             \
    X(BORDER_RIGHT_WIDTH, "border-right-width", OTHER, border_width[1], 0)                         \
    X(BORDER_BOTTOM_WIDTH, "border-bottom-width", OTHER, border_width[2], 0)                       \
    X(BORDER_LEFT_WIDTH, "border-left-width", OTHER, border_width[3], 0)                           \
    X(BORDER_TOP_STYLE, "border-top-style", WORD, border_style[0], WORDS_BORDER)                   \
    X(BORDER_RIGHT_STYLE, "border-right-style", WORD, border_style[1], WORDS_BORDER)               \
    X(BORDER_BOTTOM_STYLE, "border-bottom-style", WORD, border_style[2], WORDS_BORDER)             \
    X(BORDER_LEFT_STYLE, "border-left-style", WORD, border_style[3], WORDS_BORDER)                 \
    X(BORDER_TOP_COLOR, "border-top-color", COLOR, border_color[0], 0)                             \
    X(BORDER_RIGHT_COLOR, "border-right-color", COLOR, border_color[1], 0)                         \
    X(BORDER_BOTTOM_COLOR, "border-bottom-color", COLOR, border_color[2], 0)                       \
    X(BORDER_LEFT_COLOR, "border-left-color", COLOR, border_color[3], 0)                           \
    X(BACKGROUND_COLOR, "background-color", COLOR, background_color, 0)                            \
    X(BACKGROUND_IMAGE, "background-image", OTHER, has_background_image, 0)                        \
    X(TEXT_ALIGN, "text-align", WORD, text_align, WORDS_TEXT_ALIGN)                                \
    X(TEXT_INDENT, "text-indent", LENGTH, text_indent, WN_LENGTHS_NEGATIVE | WN_LENGTHS_UNITLESS)  \
    X(VERTICAL_ALIGN, "vertical-align", OTHER, vertical_align, 0)                                  \
    X(WHITE_SPACE, "white-space", WORD, white_space, WORDS_WHITE_SPACE)                            \
    X(WORD_BREAK, "word-break", WORD, word_break, WORDS_WORD_BREAK)                                \
    X(OVERFLOW_WRAP, "overflow-wrap", WORD, overflow_wrap, WORDS_OVERFLOW_WRAP)                    \
    X(TEXT_TRANSFORM, "text-transform", WORD, text_transform, WORDS_TRANSFORM)                     \
    X(LETTER_SPACING, "letter-spacing", PX, letter_spacing, 0)                                     \
    X(WORD_SPACING, "word-spacing", PX, word_spacing, 0)                                           \
    X(TAB_SIZE, "tab-size", OTHER, tab_size, 0)                                                    \
    X(LIST_STYLE_TYPE, "list-style-type", OTHER, list_style, 0)                                    \
    X(LIST_STYLE_POSITION, "list-style-position", WORD, list_style_inside, WORDS_LIST_POSITION)    \
    X(LIST_STYLE_IMAGE, "list-style-image", OTHER, list_style_image, 0)                            \
    X(TEXT_DECORATION_LINE, "text-decoration-line", OTHER, underline, 0)                           \
    X(TEXT_OVERFLOW, "text-overflow", WORD, text_overflow, WORDS_TEXT_OVERFLOW)                    \
    X(TABLE_LAYOUT, "table-layout", WORD, table_fixed, WORDS_TABLE_LAYOUT)                         \
    X(BORDER_COLLAPSE, "border-collapse", WORD, border_collapse, WORDS_COLLAPSE)                   \
    X(BORDER_SPACING, "border-spacing", OTHER, border_spacing_x, 0)                                \
    X(CAPTION_SIDE, "caption-side", WORD, caption_bottom, WORDS_CAPTION_SIDE)                      \
    X(EMPTY_CELLS, "empty-cells", WORD, hide_empty_cells, WORDS_EMPTY_CELLS)                       \
    X(FLEX_DIRECTION, "flex-direction", WORD, flex_direction, WORDS_FLEX_DIRECTION)                \
    X(FLEX_WRAP, "flex-wrap", WORD, flex_wrap, WORDS_FLEX_WRAP)                                    \
    X(FLEX_GROW, "flex-grow", NUMBER, flex_grow, 0)                                                \
    X(FLEX_SHRINK, "flex-shrink", NUMBER, flex_shrink, 0)                                          \
    X(FLEX_BASIS, "flex-basis", LENGTH, flex_basis, WN_SIZE_FLAGS | WN_LENGTHS_BASIS)              \
    X(ORDER, "order", OTHER, order, 0)                                                             \
    X(ALIGN_CONTENT, "align-content", OTHER, align_content, 0)                                     \
    X(ALIGN_ITEMS, "align-items", OTHER, align_items, 0)                                           \
    X(ALIGN_SELF, "align-self", OTHER, align_self, 0)                                              \
    X(JUSTIFY_CONTENT, "justify-content", OTHER, justify_content, 0)                               \
    X(JUSTIFY_ITEMS, "justify-items", OTHER, justify_items, 0)                                     \
    X(JUSTIFY_SELF, "justify-self", OTHER, justify_self, 0)                                        \
    X(ROW_GAP, "row-gap", LENGTH, row_gap, WN_LENGTHS_NORMAL)                                      \
    X(COLUMN_GAP, "column-gap", LENGTH, column_gap, WN_LENGTHS_NORMAL)                             \
    X(GRID_TEMPLATE_COLUMNS, "grid-template-columns", OTHER, grid_columns, 0)                      \
    X(GRID_TEMPLATE_ROWS, "grid-template-rows", OTHER, grid_rows, 0)                               \
    X(GRID_TEMPLATE_AREAS, "grid-template-areas", OTHER, grid_areas, 0)                            \
    X(GRID_AUTO_COLUMNS, "grid-auto-columns", OTHER, grid_auto_columns, 0)                         \
    X(GRID_AUTO_ROWS, "grid-auto-rows", OTHER, grid_auto_rows, 0)                                  \
    X(GRID_AUTO_FLOW, "grid-auto-flow", OTHER, grid_flow_column, 0)                                \
    X(GRID_ROW_START, "grid-row-start", OTHER, grid_row_start, 0)                                  \
    X(GRID_ROW_END, "grid-row-end", OTHER, grid_row_end, 0)                                        \
    X(GRID_COLUMN_START, "grid-column-start", OTHER, grid_column_start, 0)                         \
    X(GRID_COLUMN_END, "grid-column-end", OTHER, grid_column_end, 0)                               \
    X(COLUMN_COUNT, "column-count", OTHER, column_count, 0)                                        \
    X(COLUMN_FILL, "column-fill", WORD, column_fill_auto, WORDS_COLUMN_FILL)                       \
    X(BREAK_BEFORE, "break-before", WORD, break_before, WORDS_BREAK)                               \
    X(BREAK_AFTER, "break-after", WORD, break_after, WORDS_BREAK)                                  \
    X(BREAK_INSIDE, "break-inside", WORD, break_inside_avoid, WORDS_BREAK_INSIDE)                  \
    X(COLUMN_WIDTH, "column-width", OTHER, column_width, 0)                                        \
    X(COLUMN_SPAN, "column-span", WORD, column_span_all, WORDS_COLUMN_SPAN)                        \
    X(ASPECT_RATIO, "aspect-ratio", OTHER, aspect_ratio, 0)                                        \
    X(OBJECT_FIT, "object-fit", WORD, object_fit, WORDS_OBJECT_FIT)                                \
    X(TRANSFORM, "transform", OTHER, has_transform, 0)                                             \
    X(CLIP, "clip", OTHER, has_clip, 0)                                                            \
    X(CLIP_PATH, "clip-path", OTHER, has_clip, 0)                                                  \
    X(BOX_SHADOW, "box-shadow", OTHER, has_shadow, 0)                                              \
    X(BORDER_RADIUS, "border-top-left-radius", OTHER, border_radius, 0)                            \
    X(CONTAIN, "contain", OTHER, contain, 0)                                                       \
    X(LINE_CLAMP, "-webkit-line-clamp", OTHER, line_clamp, 0)                                      \
    X(POINTER_EVENTS, "pointer-events", WORD, no_pointer, WORDS_POINTER)                           \
    X(CONTENT, "content", OTHER, unused, 0)

/* X(NAME, "name"): properties that stand for several, and those that depend on the direction. */
#define WN_CSS_SHORTHANDS(X)                                                                       \
    X(ALL, "all")                                                                                  \
    X(MARGIN, "margin")                                                                            \
    X(PADDING, "padding")                                                                          \
    X(INSET, "inset")                                                                              \
    X(BORDER, "border")                                                                            \
    X(BORDER_TOP, "border-top")                                                                    \
    X(BORDER_RIGHT, "border-right")                                                                \
    X(BORDER_BOTTOM, "border-bottom")                                                              \
    X(BORDER_LEFT, "border-left")                                                                  \
    X(BORDER_WIDTH, "border-width")                                                                \
    X(BORDER_STYLE, "border-style")                                                                \
    X(BORDER_COLOR, "border-color")                                                                \
    X(BACKGROUND, "background")                                                                    \
    X(FONT, "font")                                                                                \
    X(FONT_VARIANT, "font-variant")                                                                \
    X(LIST_STYLE, "list-style")                                                                    \
    X(FLEX, "flex")                                                                                \
    X(FLEX_FLOW, "flex-flow")                                                                      \
    X(GAP, "gap")                                                                                  \
    X(OVERFLOW, "overflow")                                                                        \
    X(PLACE_CONTENT, "place-content")                                                              \
    X(PLACE_ITEMS, "place-items")                                                                  \
    X(PLACE_SELF, "place-self")                                                                    \
    X(COLUMNS, "columns")                                                                          \
    X(TEXT_DECORATION, "text-decoration")                                                          \
    X(RADIUS, "border-radius")                                                                     \
    X(GRID, "grid")                                                                                \
    X(GRID_TEMPLATE, "grid-template")                                                              \
    X(GRID_AREA, "grid-area")                                                                      \
    X(GRID_ROW, "grid-row")                                                                        \
    X(GRID_COLUMN, "grid-column")                                                                  \
    X(TEXT_WRAP, "text-wrap")                                                                      \
    X(TRANSLATE, "translate")                                                                      \
    X(MARGIN_INLINE, "margin-inline")                                                              \
    X(MARGIN_BLOCK, "margin-block")                                                                \
    X(PADDING_INLINE, "padding-inline")                                                            \
    X(PADDING_BLOCK, "padding-block")                                                              \
    X(INSET_INLINE, "inset-inline")                                                                \
    X(INSET_BLOCK, "inset-block")                                                                  \
    X(BORDER_INLINE, "border-inline")                                                              \
    X(BORDER_BLOCK, "border-block")                                                                \
    X(BORDER_INLINE_START, "border-inline-start")                                                  \
    X(BORDER_INLINE_END, "border-inline-end")                                                      \
    X(BORDER_BLOCK_START, "border-block-start")                                                    \
    X(BORDER_BLOCK_END, "border-block-end")                                                        \
    X(BORDER_INLINE_WIDTH, "border-inline-width")                                                  \
    X(BORDER_BLOCK_WIDTH, "border-block-width")                                                    \
    X(BORDER_INLINE_STYLE, "border-inline-style")                                                  \
    X(BORDER_BLOCK_STYLE, "border-block-style")                                                    \
    X(BORDER_INLINE_COLOR, "border-inline-color")                                                  \
    X(BORDER_BLOCK_COLOR, "border-block-color")

typedef enum wn_css_property {
    WN_PROP_NONE,
#define X(NAME, name, form, field, extra) WN_PROP_##NAME,
    WN_CSS_LONGHANDS(X)
#undef X
        WN_PROP_LONGHANDS, /* longhands are below it */
#define X(NAME, name) WN_PROP_##NAME,
    WN_CSS_SHORTHANDS(X)
#undef X
        WN_PROP_CUSTOM, /* --name */
    WN_PROP_OTHER,      /* a property of browsers that no style here has a place for */
    WN_PROP_COUNT,
} wn_css_property;

typedef struct wn_css_word {
    const char *name;
    uint8_t value;
} wn_css_word;

typedef struct wn_css_longhand {
    uint8_t form;             /* wn_css_form */
    uint8_t flags;            /* WN_LENGTHS_* */
    uint16_t offset, size;    /* in wn_style */
    const wn_css_word *words; /* ends with a NULL name */
} wn_css_longhand;

/* By property; longhands only. */
extern const wn_css_longhand wn_css_longhands[WN_PROP_LONGHANDS];

/*
 * Property names, found by hash. A logical name (margin-inline-start, block-size) means a
 * longhand; which one depends on direction and writing mode: `logical` is set and the longhand
 * is the one of text from left to right.
 */
typedef struct wn_css_names {
    uint16_t slots[1024]; /* number of a name + 1; 0: empty */
} wn_css_names;

void wn_css_names_init(wn_css_names *names);
wn_css_property wn_css_find_property(const wn_css_names *names, wn_str name, bool *logical);

/* The name of a longhand or shorthand. */
const char *wn_css_property_name(wn_css_property property);

#endif
