/*
 * Styles: the computed style of each node of a page.
 *
 * Many nodes have the same style, so a node has the number of a style (wn_styles.of), and the table
 * contains each style once. Two nodes with the same number are equal in everything below; different
 * numbers mean that something differs, except for the names of grid lines, which may be equal.
 *
 * Lengths are in CSS pixels. What depends on layout (percentages, auto, the contents' size)
 * is left to it as a wn_length; everything else is resolved: font sizes, em, vw, calc(),
 * var(), currentcolor. Borders without a style have width 0.
 *
 * `display` is what CSS calls the used value: floats, absolutely positioned boxes, the root and the
 * children of flex and grid containers are block-level already. `specified_display` is what
 * was there before.
 *
 * A text has the number of its parent's style; the text itself is always inline. Number 0 is for
 * nodes that are never drawn (comments, the doctype, what is in a <template>): display none.
 */
#ifndef WN_CSS_STYLE_H
#define WN_CSS_STYLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "html/document.h"

/* ---- Values ------------------------------------------------------------------------------ */

typedef uint32_t wn_color; /* 0xRRGGBBAA */

#define WN_COLOR_TRANSPARENT ((wn_color)0x00000000)
#define WN_COLOR_BLACK ((wn_color)0x000000FF)
#define WN_COLOR_WHITE ((wn_color)0xFFFFFFFF)

static inline uint8_t wn_css_color_alpha(wn_color color)
{
    return (uint8_t)color;
}

typedef enum wn_length_kind {
    WN_LENGTH_AUTO,  /* auto; for max sizes: none; for gaps and tracks: normal or auto */
    WN_LENGTH_FIXED, /* px + percent: resolve with wn_css_length_px() */
    WN_LENGTH_MIN_CONTENT,
    WN_LENGTH_MAX_CONTENT,
    WN_LENGTH_FIT_CONTENT, /* of a track: px and percent are its limit */
    WN_LENGTH_STRETCH,     /* -webkit-fill-available, stretch */
    WN_LENGTH_CONTENT,     /* flex-basis: content */
    WN_LENGTH_FR,          /* of a track: px is the number of shares */
} wn_length_kind;

/* A length that layout finishes: calc(px + percent %), then compared with others. */
typedef struct wn_length {
    float px;
    float percent;
    uint16_t kind; /* wn_length_kind */
    uint16_t arm;  /* of min(), max() and clamp(): the number of the next arm; 0: none */
} wn_length;

/* One more side of a comparison: smaller or larger of the value so far and px + percent %. */
typedef struct wn_length_arm {
    float px;
    float percent;
    uint16_t next; /* arm, or 0 */
    bool larger;   /* max(), else min() */
} wn_length_arm;

/* The name of a grid line or area; len 0: none. */
typedef struct wn_grid_name {
    const char *ptr;
    uint32_t len;
    uint32_t hash; /* equal names have equal hashes */
} wn_grid_name;

static inline bool wn_css_grid_name_eq(wn_grid_name a, wn_grid_name b)
{
    return a.hash == b.hash && a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0;
}

/* A row or column of a grid: minmax(min, max). A plain breadth has both alike, `2fr` min AUTO. */
typedef struct wn_track {
    wn_length min;
    wn_length max;
} wn_track;

/* A name comes before track number `before` (after the last one if that is the count). */
typedef struct wn_grid_line_name {
    wn_grid_name name;
    uint32_t before;
} wn_grid_line_name;

/*
 * grid-template-columns or -rows. repeat(N, …) is written out; repeat(auto-fill, …) is once,
 * in tracks [repeat_start, repeat_end), to be repeated as often as it fits.
 */
typedef struct wn_track_list {
    const wn_track *tracks;
    const wn_grid_line_name *names; /* in order of `before` */
    uint32_t track_count;
    uint32_t name_count;
    uint32_t repeat_start;
    uint32_t repeat_end; /* equal to the start: nothing is to be repeated */
    bool repeat_fit;     /* auto-fit: repetitions that stay empty collapse */
    bool subgrid;        /* the tracks are the parent grid's; there are none here */
} wn_track_list;

/* A named area of grid-template-areas; lines are counted from 0. */
typedef struct wn_grid_area {
    wn_grid_name name;
    uint16_t row_start, row_end, column_start, column_end;
} wn_grid_area;

typedef struct wn_grid_areas {
    const wn_grid_area *areas;
    uint32_t count;
    uint32_t rows, columns; /* size of the template */
} wn_grid_areas;

/*
 * grid-row-start and the like. auto: number 0, no name. With a name and number n: the n-th line
 * of that name (0: the line or edge of the area of that name); with span: that many lines on.
 */
typedef struct wn_grid_line {
    wn_grid_name name;
    int32_t number; /* from 1; negative: from the end */
    bool span;
} wn_grid_line;

/* ---- Keywords ---------------------------------------------------------------------------- */

typedef enum wn_display {
    WN_DISPLAY_NONE,
    WN_DISPLAY_CONTENTS,
    WN_DISPLAY_INLINE,
    WN_DISPLAY_BLOCK,
    WN_DISPLAY_FLOW_ROOT,
    WN_DISPLAY_INLINE_BLOCK,
    WN_DISPLAY_LIST_ITEM,
    WN_DISPLAY_TABLE,
    WN_DISPLAY_INLINE_TABLE,
    WN_DISPLAY_TABLE_ROW_GROUP,
    WN_DISPLAY_TABLE_HEADER_GROUP,
    WN_DISPLAY_TABLE_FOOTER_GROUP,
    WN_DISPLAY_TABLE_ROW,
    WN_DISPLAY_TABLE_CELL,
    WN_DISPLAY_TABLE_COLUMN,
    WN_DISPLAY_TABLE_COLUMN_GROUP,
    WN_DISPLAY_TABLE_CAPTION,
    WN_DISPLAY_FLEX,
    WN_DISPLAY_INLINE_FLEX,
    WN_DISPLAY_GRID,
    WN_DISPLAY_INLINE_GRID,
    WN_DISPLAY_RUBY,
    WN_DISPLAY_RUBY_TEXT,
} wn_display;

typedef enum wn_position {
    WN_POSITION_STATIC,
    WN_POSITION_RELATIVE,
    WN_POSITION_ABSOLUTE,
    WN_POSITION_FIXED,
    WN_POSITION_STICKY,
} wn_position;

/* `float` (none, left, right) and `clear` (also both); inline-start and -end are resolved. */
typedef enum wn_float {
    WN_FLOAT_NONE,
    WN_FLOAT_LEFT,
    WN_FLOAT_RIGHT,
    WN_FLOAT_BOTH,
} wn_float;

typedef enum wn_border_style {
    WN_BORDER_NONE,
    WN_BORDER_HIDDEN,
    WN_BORDER_DOTTED,
    WN_BORDER_DASHED,
    WN_BORDER_SOLID,
    WN_BORDER_DOUBLE,
    WN_BORDER_GROOVE,
    WN_BORDER_RIDGE,
    WN_BORDER_INSET,
    WN_BORDER_OUTSET,
} wn_border_style;

typedef enum wn_font_class {
    WN_FONT_SERIF, /* what browsers start from */
    WN_FONT_SANS,
    WN_FONT_MONO,
} wn_font_class;

typedef enum wn_line_height_kind {
    WN_LINE_HEIGHT_NORMAL, /* by the font */
    WN_LINE_HEIGHT_NUMBER, /* times the font size */
    WN_LINE_HEIGHT_PX,
} wn_line_height_kind;

typedef enum wn_text_align {
    WN_TEXT_ALIGN_START,
    WN_TEXT_ALIGN_END,
    WN_TEXT_ALIGN_LEFT,
    WN_TEXT_ALIGN_RIGHT,
    WN_TEXT_ALIGN_CENTER,
    WN_TEXT_ALIGN_JUSTIFY,
    /* <center>, <div align>, <td align>: these move blocks inside as well as text. */
    WN_TEXT_ALIGN_WEBKIT_LEFT,
    WN_TEXT_ALIGN_WEBKIT_RIGHT,
    WN_TEXT_ALIGN_WEBKIT_CENTER,
} wn_text_align;

typedef enum wn_vertical_align {
    WN_VALIGN_BASELINE,
    WN_VALIGN_SUB,
    WN_VALIGN_SUPER,
    WN_VALIGN_TOP,
    WN_VALIGN_TEXT_TOP,
    WN_VALIGN_MIDDLE,
    WN_VALIGN_BOTTOM,
    WN_VALIGN_TEXT_BOTTOM,
    WN_VALIGN_LENGTH, /* vertical_align_length; percent: of the line height */
} wn_vertical_align;

typedef enum wn_white_space {
    WN_WHITE_SPACE_NORMAL,
    WN_WHITE_SPACE_NOWRAP,
    WN_WHITE_SPACE_PRE,
    WN_WHITE_SPACE_PRE_WRAP,
    WN_WHITE_SPACE_PRE_LINE,
    WN_WHITE_SPACE_BREAK_SPACES,
} wn_white_space;

typedef enum wn_word_break {
    WN_WORD_BREAK_NORMAL,
    WN_WORD_BREAK_ALL,
    WN_WORD_BREAK_KEEP_ALL,
} wn_word_break;

typedef enum wn_overflow_wrap {
    WN_OVERFLOW_WRAP_NORMAL,
    WN_OVERFLOW_WRAP_BREAK_WORD,
    WN_OVERFLOW_WRAP_ANYWHERE, /* also word-break: break-word */
} wn_overflow_wrap;

typedef enum wn_text_transform {
    WN_TRANSFORM_NONE,
    WN_TRANSFORM_UPPERCASE,
    WN_TRANSFORM_LOWERCASE,
    WN_TRANSFORM_CAPITALIZE,
} wn_text_transform;

typedef enum wn_visibility {
    WN_VISIBILITY_VISIBLE,
    WN_VISIBILITY_HIDDEN,
    WN_VISIBILITY_COLLAPSE,
} wn_visibility;

typedef enum wn_overflow {
    WN_OVERFLOW_VISIBLE,
    WN_OVERFLOW_HIDDEN,
    WN_OVERFLOW_SCROLL,
    WN_OVERFLOW_AUTO,
    WN_OVERFLOW_CLIP,
} wn_overflow;

typedef enum wn_list_style {
    WN_LIST_NONE,
    WN_LIST_DISC,
    WN_LIST_CIRCLE,
    WN_LIST_SQUARE,
    WN_LIST_DECIMAL,
    WN_LIST_DECIMAL_ZERO,
    WN_LIST_LOWER_ALPHA,
    WN_LIST_UPPER_ALPHA,
    WN_LIST_LOWER_ROMAN,
    WN_LIST_UPPER_ROMAN,
    WN_LIST_CLOSED, /* triangles of <summary> */
    WN_LIST_OPEN,
    WN_LIST_OTHER, /* a counter style or string that is not told apart */
} wn_list_style;

typedef enum wn_flex_direction {
    WN_FLEX_ROW,
    WN_FLEX_ROW_REVERSE,
    WN_FLEX_COLUMN,
    WN_FLEX_COLUMN_REVERSE,
} wn_flex_direction;

typedef enum wn_flex_wrap {
    WN_FLEX_NOWRAP,
    WN_FLEX_WRAP,
    WN_FLEX_WRAP_REVERSE,
} wn_flex_wrap;

/* Values of align-* and justify-*. AUTO only for the -self ones; safe and unsafe are dropped. */
typedef enum wn_align {
    WN_ALIGN_NORMAL,
    WN_ALIGN_AUTO,
    WN_ALIGN_STRETCH,
    WN_ALIGN_START,
    WN_ALIGN_END,
    WN_ALIGN_FLEX_START,
    WN_ALIGN_FLEX_END,
    WN_ALIGN_SELF_START,
    WN_ALIGN_SELF_END,
    WN_ALIGN_CENTER,
    WN_ALIGN_LEFT,
    WN_ALIGN_RIGHT,
    WN_ALIGN_BASELINE,
    WN_ALIGN_LAST_BASELINE,
    WN_ALIGN_SPACE_BETWEEN,
    WN_ALIGN_SPACE_AROUND,
    WN_ALIGN_SPACE_EVENLY,
} wn_align;

typedef enum wn_object_fit {
    WN_OBJECT_FILL,
    WN_OBJECT_CONTAIN,
    WN_OBJECT_COVER,
    WN_OBJECT_NONE,
    WN_OBJECT_SCALE_DOWN,
} wn_object_fit;

typedef enum wn_writing_mode {
    WN_WRITING_HORIZONTAL,
    WN_WRITING_VERTICAL_RL,
    WN_WRITING_VERTICAL_LR,
} wn_writing_mode;

typedef enum wn_baseline_source {
    WN_BASELINE_AUTO, /* of an inline-block the last one, of others the first */
    WN_BASELINE_FIRST,
    WN_BASELINE_LAST,
} wn_baseline_source;

/* Of `contain`. */
enum {
    WN_CONTAIN_LAYOUT = 1, /* or paint: a formatting context of its own */
    WN_CONTAIN_SIZE = 2,   /* the contents have no say in the height */
    WN_CONTAIN_WIDTH = 4,  /* nor in the width */
};

typedef enum wn_break {
    WN_BREAK_AUTO,
    WN_BREAK_AVOID,
    WN_BREAK_COLUMN, /* or page, always …: a new column begins */
} wn_break;

/* Order of everything that has four sides. */
enum { WN_TOP, WN_RIGHT, WN_BOTTOM, WN_LEFT };

/* ---- The style --------------------------------------------------------------------------- */

typedef struct wn_style {
    /* Inherited. The first field after these is `inherited_end`. */
    wn_color color;
    float font_size;
    float line_height; /* by its kind; see wn_css_line_height() */
    float letter_spacing;
    float word_spacing;
    float border_spacing_x, border_spacing_y;
    wn_length text_indent;
    uint16_t font_weight;     /* 1 to 1000; 400 normal, 700 bold */
    uint8_t font_class;       /* wn_font_class */
    uint8_t line_height_kind; /* wn_line_height_kind */
    uint8_t text_align;       /* wn_text_align */
    uint8_t white_space;      /* wn_white_space */
    uint8_t word_break;       /* wn_word_break */
    uint8_t overflow_wrap;    /* wn_overflow_wrap */
    uint8_t text_transform;   /* wn_text_transform */
    uint8_t visibility;       /* wn_visibility */
    uint8_t list_style;       /* wn_list_style */
    uint8_t writing_mode;     /* wn_writing_mode */
    bool italic;              /* or oblique */
    bool rtl;                 /* direction */
    bool small_caps;          /* font-variant */
    bool list_style_inside;   /* list-style-position */
    bool list_style_image;    /* there is a picture for the marker */
    bool border_collapse;     /* collapse, else separate */
    bool caption_bottom;      /* caption-side */
    bool hide_empty_cells;    /* empty-cells */
    bool no_pointer;          /* pointer-events: none */
    uint8_t tab_size;         /* in spaces */
    uint8_t font_keyword;     /* the size came from `medium` (4) or the like; else 0 */
    bool font_absolute;       /* the size came from a length that depends on no other font */
    bool font_mono_alone;     /* font-family is `monospace` and nothing else */

    /* Not inherited. */
    uint8_t inherited_end;          /* always 0 */
    uint8_t display;                /* wn_display, used */
    uint8_t specified_display;      /* wn_display, before it was made block-level */
    uint8_t position;               /* wn_position */
    uint8_t float_side;             /* wn_float; NONE if absolutely positioned */
    uint8_t clear;                  /* wn_float */
    bool border_box;                /* box-sizing */
    uint8_t overflow_x, overflow_y; /* wn_overflow; visible becomes auto beside hidden */
    uint8_t vertical_align;         /* wn_vertical_align */
    uint8_t baseline_source;        /* wn_baseline_source */
    uint8_t text_overflow;          /* 1: ellipsis */
    uint8_t underline;              /* 1: underline, 2: line-through, 4: overline */
    uint8_t object_fit;             /* wn_object_fit */
    bool table_fixed;               /* table-layout */
    bool has_transform;             /* transform, translate, rotate or scale, not none */
    bool has_clip;                  /* clip: rect(…) or clip-path; see clipped_away */
    bool clipped_away;              /* clipped to nothing: what pages do for screen readers only */
    bool has_background_image;      /* a picture or gradient */
    bool has_shadow;                /* box-shadow */
    uint8_t contain;                /* WN_CONTAIN_* */
    uint8_t border_style[4];        /* wn_border_style */
    float border_width[4];          /* used: 0 without a style; whole pixels */
    wn_color border_color[4];
    wn_color background_color;
    float border_radius; /* px of the top left corner; percent: of a box of 100 px */
    float opacity;
    float translate_x, translate_y;                 /* transform's translations, px … */
    float translate_x_percent, translate_y_percent; /* … and percent of the box's own size */

    wn_length width, height, min_width, min_height, max_width, max_height;
    wn_length margin[4], padding[4], inset[4]; /* inset: top, right, bottom, left */
    wn_length vertical_align_length;

    uint8_t flex_direction;                               /* wn_flex_direction */
    uint8_t flex_wrap;                                    /* wn_flex_wrap */
    uint8_t align_content, align_items, align_self;       /* wn_align */
    uint8_t justify_content, justify_items, justify_self; /* wn_align */
    float flex_grow, flex_shrink;
    wn_length flex_basis;
    int32_t order;
    wn_length row_gap, column_gap;
    int32_t z_index;
    bool z_index_auto;
    bool grid_flow_column; /* grid-auto-flow */
    bool grid_flow_dense;
    bool column_span_all;
    uint16_t column_count;             /* of columns; 0: auto */
    uint8_t line_clamp;                /* -webkit-line-clamp; 0: none */
    bool column_fill_auto;             /* column-fill: auto, else balance */
    uint8_t break_before, break_after; /* wn_break */
    bool break_inside_avoid;
    uint8_t unused;
    float column_width;     /* 0: auto */
    float aspect_ratio;     /* width / height; 0: auto */
    bool aspect_ratio_auto; /* `auto` beside a ratio: a picture's own ratio comes first */

    const wn_track_list *grid_columns, *grid_rows;           /* NULL: none */
    const wn_track_list *grid_auto_columns, *grid_auto_rows; /* NULL: auto */
    const wn_grid_areas *grid_areas;                         /* NULL: none */
    wn_grid_line grid_row_start, grid_row_end, grid_column_start, grid_column_end;
} wn_style;

/* ---- The styles of a page ---------------------------------------------------------------- */

/* What ::before and ::after put into an element; style 0: nothing. */
typedef struct wn_generated {
    uint32_t before_style, after_style;
    wn_str before_text, after_text; /* of `content`; "" for pictures and counters */
} wn_generated;

typedef struct wn_styles {
    const wn_style *table;
    uint32_t count;
    const uint32_t *of; /* by node: number in `table` */

    const uint32_t *generated_of; /* by node: number in `generated`; 0: nothing */
    const wn_generated *generated;
    uint32_t generated_count;

    const wn_length_arm *arms; /* by wn_length.arm */

    /* The texts of the sheets that are not ours, in the order of the cascade. */
    const wn_str *sheets;
    uint32_t sheet_count;

    float viewport_width, viewport_height;
    bool has_author_css; /* a sheet or a style attribute had a say */
    bool limited;        /* a limit was reached: some rules or values were dropped */
} wn_styles;

static inline const wn_style *wn_css_style_of(const wn_styles *styles, wn_node_id node)
{
    return &styles->table[styles->of[node]];
}

/* The arms of a comparison, applied to `px`. */
static inline float wn_css_length_compare(const wn_styles *styles, uint16_t arm, float px,
                                          float base)
{
    for (; arm; arm = styles->arms[arm].next) {
        const wn_length_arm *a = &styles->arms[arm];
        float side = a->px + a->percent * base / 100;
        px = (a->larger ? side > px : side < px) ? side : px;
    }
    return px;
}

/* A WN_LENGTH_FIXED in pixels; percentages are of `base`. */
static inline float wn_css_length_px(const wn_styles *styles, wn_length length, float base)
{
    float px = length.px + length.percent * base / 100;
    return length.arm ? wn_css_length_compare(styles, length.arm, px, base) : px;
}

static inline bool wn_css_length_is_auto(wn_length length)
{
    return length.kind == WN_LENGTH_AUTO;
}

/* Whether `base` has a say in a length. */
static inline bool wn_css_length_has_percent(const wn_styles *styles, wn_length length)
{
    bool has = length.percent != 0;
    for (uint16_t arm = length.arm; arm && !has; arm = styles->arms[arm].next)
        has = styles->arms[arm].percent != 0;
    return has;
}

/* The line height in pixels; `normal` is what the font says for its size. */
static inline float wn_css_line_height(const wn_style *style, float normal)
{
    return style->line_height_kind == WN_LINE_HEIGHT_NORMAL ? normal
           : style->line_height_kind == WN_LINE_HEIGHT_PX   ? style->line_height
                                                            : style->line_height * style->font_size;
}

#endif
