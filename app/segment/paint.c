/*
 * Nodes are painted in the order of the document, but for positioned ones, which come after all
 * others by their z-index: about what appendix E of CSS 2.1 asks for.
 *
 * What a node takes from those around it is found from the top, before anything is painted: which
 * part of the page it can be seen in (overflow), the lines through its text, its list item.
 *
 * Not painted are gradients (light text gets a grey background instead), shadows, what is half
 * transparent as a whole, and dots and dashes.
 */
#include "segment/paint.h"

#include <math.h>
#include <stdlib.h>

#include "base/utf8.h"

enum {
    MOST_TEXTS = 200000,
    MOST_DEPTH = 1000000, /* of a z-index */
    PICTURE_COLOUR = 0xdddddd,
    STAND_IN_COLOUR = 0x6b7280, /* for a gradient or picture behind light text */
    CONTROL_COLOUR = 0x767676,  /* of the frame of a control */
    HINT_COLOUR = 0x757575,     /* of a placeholder */
};

static const float ENDLESS = 1e8f;

/* What a node takes from those around it. */
typedef struct surroundings {
    wn_rect seen_in;       /* the part of the page in which it is seen */
    wn_rect inside;        /* the same for its children */
    wn_rect inside_placed; /* the same for those that are positioned absolutely */
    int32_t order;         /* larger is painted later */
    wn_node_id item;       /* the list item that it is or is in */
    uint8_t lines;         /* through its text, as wn_style.underline */
    bool clear;            /* nothing of it is seen: opacity 0 */
} surroundings;

/* A list or an item of one. */
typedef struct numbering {
    int32_t number; /* of the item; of the list: of its last item so far */
    bool begun;     /* of a list: there was an item */
    bool marked;    /* of an item: its marker has been painted */
} numbering;

typedef struct painter {
    const wn_segmented *s;
    const wn_doc *doc;
    wn_sheet *sheet;
    wn_arena arena;
    surroundings *around;     /* by node */
    numbering *numbers;       /* by node */
    uint32_t *first_fragment; /* by node: number + 1; 0: none */
    uint32_t *next_fragment;  /* by fragment, the same */
    uint32_t texts;           /* painted so far */
    wn_buf text;
} painter;

/* ---- Rectangles -------------------------------------------------------------------------- */

static wn_rect rect_within(wn_rect a, wn_rect b)
{
    float left = fmaxf(a.x, b.x), top = fmaxf(a.y, b.y);
    float right = fminf(a.x + a.width, b.x + b.width);
    float bottom = fminf(a.y + a.height, b.y + b.height);
    return (wn_rect){left, top, fmaxf(right - left, 0), fmaxf(bottom - top, 0)};
}

static bool has_point(wn_rect r, float x, float y)
{
    return x >= r.x && x <= r.x + r.width && y >= r.y && y <= r.y + r.height;
}

/* ---- From the top ------------------------------------------------------------------------ */

/* The part of the page in which what is in a box is seen. The root scrolls instead. */
static wn_rect seen_inside(const painter *p, wn_node_id id, const wn_style *style, wn_rect outer)
{
    const wn_node *node = wn_doc_node(p->doc, id);
    bool x = style->overflow_x != WN_OVERFLOW_VISIBLE, y = style->overflow_y != WN_OVERFLOW_VISIBLE;
    bool root = wn_node_is(node, WN_TAG_HTML) || wn_node_is(node, WN_TAG_BODY);
    if (root || (!x && !y) || !p->s->page.boxes->items[id].exists)
        return outer;
    wn_rect box = wn_visual_view_box(&p->s->analysis.view, id);
    if (!x)
        box = (wn_rect){-ENDLESS, box.y, 2 * ENDLESS, box.height};
    if (!y)
        box = (wn_rect){box.x, -ENDLESS, box.width, 2 * ENDLESS};
    return rect_within(outer, box);
}

/* What is not positioned comes first, then what is, without a z-index or with one. */
static int32_t order_of(const wn_style *style, int32_t outer)
{
    if (outer != 0 || style->position == WN_POSITION_STATIC)
        return outer;
    int32_t depth = style->z_index_auto ? 0 : style->z_index;
    depth = depth > MOST_DEPTH ? MOST_DEPTH : depth < -MOST_DEPTH ? -MOST_DEPTH : depth;
    return 2 * depth + (depth >= 0);
}

/* Whether lines through the text around an element go on through its own. */
static bool takes_lines(const wn_style *style)
{
    return style->float_side == WN_FLOAT_NONE && style->position != WN_POSITION_ABSOLUTE &&
           style->position != WN_POSITION_FIXED && style->display != WN_DISPLAY_INLINE_BLOCK &&
           style->display != WN_DISPLAY_INLINE_FLEX && style->display != WN_DISPLAY_INLINE_TABLE;
}

/* The number that an attribute gives; `fallback` if there is none. */
static int32_t number_in(const wn_node *node, wn_attr_name name, int32_t fallback)
{
    wn_str text = wn_str_trim(wn_node_attr_value(node, name));
    char digits[12] = "";
    if (text.len == 0 || text.len >= sizeof digits)
        return fallback;
    memcpy(digits, text.ptr, text.len);
    long number = strtol(digits, NULL, 10);
    return number > -1000000000 && number < 1000000000 ? (int32_t)number : fallback;
}

static void count_item(painter *p, wn_node_id id)
{
    const wn_node *node = wn_doc_node(p->doc, id);
    numbering *list = &p->numbers[node->parent];
    if (!list->begun)
        list->number = number_in(wn_doc_node(p->doc, node->parent), WN_ATTR_START, 1) - 1;
    list->begun = true;
    list->number = number_in(node, WN_ATTR_VALUE, list->number + 1);
    p->numbers[id].number = list->number;
}

static void look_around(painter *p, wn_node_id id)
{
    const wn_node *node = wn_doc_node(p->doc, id);
    const surroundings *outer = &p->around[node->parent];
    surroundings *own = &p->around[id];
    *own = *outer;
    own->seen_in = outer->inside;
    if (node->kind != WN_KIND_ELEMENT)
        return;
    const wn_style *style = wn_css_style_of(p->s->page.styles, id);
    if (style->position == WN_POSITION_ABSOLUTE)
        own->seen_in = outer->inside_placed;
    else if (style->position == WN_POSITION_FIXED)
        own->seen_in = (wn_rect){-ENDLESS, -ENDLESS, 2 * ENDLESS, 2 * ENDLESS};
    own->inside = seen_inside(p, id, style, own->seen_in);
    if (style->position != WN_POSITION_STATIC || style->has_transform)
        own->inside_placed = own->inside;
    own->order = order_of(style, outer->order);
    own->clear |= style->opacity <= 0;
    own->lines = (takes_lines(style) ? outer->lines : 0) | style->underline;
    if (style->specified_display == WN_DISPLAY_LIST_ITEM) {
        own->item = id;
        count_item(p, id);
    }
}

static bool look(painter *p)
{
    uint32_t count = p->doc->nodes.count, fragments = p->s->page.boxes->fragment_count;
    p->around = wn_arena_alloc(&p->arena, count * sizeof *p->around);
    p->numbers = wn_arena_alloc(&p->arena, count * sizeof *p->numbers);
    p->first_fragment = wn_arena_alloc(&p->arena, count * sizeof *p->first_fragment);
    p->next_fragment = wn_arena_alloc(&p->arena, (fragments + 1) * sizeof *p->next_fragment);
    if (p->arena.failed)
        return false;
    memset(p->around, 0, count * sizeof *p->around);
    memset(p->numbers, 0, count * sizeof *p->numbers);
    memset(p->first_fragment, 0, count * sizeof *p->first_fragment);
    surroundings *page = &p->around[WN_DOCUMENT_NODE];
    page->inside = page->inside_placed = (wn_rect){-ENDLESS, -ENDLESS, 2 * ENDLESS, 2 * ENDLESS};
    wn_node_id id = WN_DOCUMENT_NODE;
    while ((id = wn_doc_next(p->doc, id, WN_DOCUMENT_NODE)))
        look_around(p, id);
    for (uint32_t i = fragments; i-- > 0;) { /* backwards, so that the first one ends up first */
        wn_node_id node = p->s->page.boxes->fragments[i].node;
        p->next_fragment[i] = p->first_fragment[node];
        p->first_fragment[node] = i + 1;
    }
    return true;
}

/* ---- Boxes ------------------------------------------------------------------------------- */

static void add_box(painter *p, wn_rect r, wn_color colour, float radius)
{
    if (r.width <= 0 || r.height <= 0 || wn_css_color_alpha(colour) == 0 || r.y >= p->sheet->height)
        return;
    wn_draw_sheet_box(p->sheet, (wn_shape){.x = r.x,
                                           .y = r.y,
                                           .width = r.width,
                                           .height = r.height,
                                           .radius = radius,
                                           .colour = colour >> 8,
                                           .clear = 1 - wn_css_color_alpha(colour) / 255.0});
}

static void add_frame(painter *p, wn_rect r, float width, wn_color colour, float radius)
{
    if (r.width <= width || r.height <= width || wn_css_color_alpha(colour) == 0 ||
        r.y >= p->sheet->height)
        return;
    wn_draw_sheet_box(p->sheet, (wn_shape){.x = r.x + width / 2,
                                           .y = r.y + width / 2,
                                           .width = r.width - width,
                                           .height = r.height - width,
                                           .radius = radius > width / 2 ? radius - width / 2 : 0,
                                           .stroke = width,
                                           .colour = colour >> 8,
                                           .clear = 1 - wn_css_color_alpha(colour) / 255.0});
}

static bool is_even(const wn_style *style)
{
    for (int side = 1; side < 4; side++)
        if (style->border_width[side] != style->border_width[0] ||
            style->border_color[side] != style->border_color[0])
            return false;
    return style->border_width[0] > 0;
}

static void paint_borders(painter *p, const wn_style *style, wn_rect r, float radius)
{
    const float *w = style->border_width;
    const wn_color *c = style->border_color;
    if (radius > 0 && is_even(style)) {
        add_frame(p, r, w[0], c[0], radius);
        return;
    }
    add_box(p, (wn_rect){r.x, r.y, r.width, w[WN_TOP]}, c[WN_TOP], 0);
    add_box(p, (wn_rect){r.x, r.y + r.height - w[WN_BOTTOM], r.width, w[WN_BOTTOM]}, c[WN_BOTTOM],
            0);
    add_box(p, (wn_rect){r.x, r.y, w[WN_LEFT], r.height}, c[WN_LEFT], 0);
    add_box(p, (wn_rect){r.x + r.width - w[WN_RIGHT], r.y, w[WN_RIGHT], r.height}, c[WN_RIGHT], 0);
}

static bool is_input(const wn_node *node, const char *type)
{
    return wn_node_is(node, WN_TAG_INPUT) &&
           wn_str_eq_nocase(wn_node_attr_value(node, WN_ATTR_TYPE), wn_str_of(type));
}

/* Controls that no sheet of the page has dressed look as the browser's own do. */
static bool paint_control(painter *p, const wn_node *node, const wn_style *style, wn_rect box)
{
    const wn_color frame = (wn_color)CONTROL_COLOUR << 8 | 0xFF;
    bool round = is_input(node, "radio"), tick = is_input(node, "checkbox");
    if (round || tick) {
        float radius = round ? fminf(box.width, box.height) / 2 : 2.5f;
        add_box(p, box, WN_COLOR_WHITE, radius);
        add_frame(p, box, 1, frame, radius);
        if (wn_node_attr(node, WN_ATTR_CHECKED))
            add_box(p,
                    (wn_rect){box.x + box.width / 4, box.y + box.height / 4, box.width / 2,
                              box.height / 2},
                    frame, radius / 2);
        return true;
    }
    bool plain = style->border_style[0] == WN_BORDER_INSET ||
                 style->border_style[0] == WN_BORDER_OUTSET;
    if (!plain || !is_even(style))
        return false;
    add_frame(p, box, 1, frame, 3);
    return true;
}

static bool is_visible(const painter *p, wn_node_id id, const wn_style *style)
{
    return (p->s->analysis.kinds.of[id] & WN_NODE_SHOWN) && p->s->page.boxes->items[id].exists &&
           style->visibility == WN_VISIBILITY_VISIBLE && !p->around[id].clear;
}

static bool is_light(wn_color c)
{
    unsigned red = c >> 24, green = c >> 16 & 0xFF, blue = c >> 8 & 0xFF;
    return 299 * red + 587 * green + 114 * blue > 160 * 1000; /* of 255, as eyes weigh them */
}

/*
 * The colour behind a node. Gradients and pictures are not painted; light text on one would vanish
 * on white paper, so a grey that it can be read on takes their place.
 */
static wn_color paper_of(const wn_style *style)
{
    bool bare = wn_css_color_alpha(style->background_color) == 0;
    return style->has_background_image && bare && is_light(style->color)
               ? (wn_color)STAND_IN_COLOUR << 8 | 0xFF
               : style->background_color;
}

static void paint_box(painter *p, wn_node_id id)
{
    const wn_segmented *s = p->s;
    const wn_node *node = wn_doc_node(p->doc, id);
    const wn_style *style = wn_css_style_of(s->page.styles, id);
    unsigned kind = s->analysis.kinds.of[id];
    if (!is_visible(p, id, style))
        return;
    wn_rect whole = wn_visual_view_box(&s->analysis.view, id);
    wn_rect box = rect_within(whole, p->around[id].seen_in);
    bool cut = box.width < whole.width || box.height < whole.height;
    float radius = cut ? 0 : fminf(style->border_radius, fminf(box.width, box.height) / 2);
    add_box(p, box, paper_of(style), radius);
    if (kind & WN_NODE_PICTURE)
        add_box(p, box, (wn_color)PICTURE_COLOUR << 8 | 0xFF, radius);
    if (cut || !(kind & WN_NODE_CONTROL) || !paint_control(p, node, style, box))
        paint_borders(p, style, box, radius);
}

/* The colour of the root, or of the body, is that of the whole page. */
static void paint_canvas(painter *p)
{
    const wn_styles *styles = p->s->page.styles;
    wn_color colour = wn_css_style_of(styles, wn_doc_find(p->doc, WN_TAG_HTML))->background_color;
    if (wn_css_color_alpha(colour) == 0)
        colour = wn_css_style_of(styles, wn_doc_find(p->doc, WN_TAG_BODY))->background_color;
    add_box(p, (wn_rect){0, 0, (float)p->sheet->width, (float)p->sheet->height}, colour, 0);
}

/* ---- Text -------------------------------------------------------------------------------- */

/* A label in the font of a style. */
static wn_shape label_of(const wn_style *style, double x, double baseline, wn_str text)
{
    return (wn_shape){
        .x = x,
        .y = baseline,
        .size = style->font_size,
        .colour = style->color >> 8,
        .clear = 1 - wn_css_color_alpha(style->color) / 255.0,
        .face = style->font_class == WN_FONT_MONO    ? WN_DRAW_FACE_MONO
                : style->font_class == WN_FONT_SERIF ? WN_DRAW_FACE_SERIF
                                                     : WN_DRAW_FACE_SANS,
        .bold = style->font_weight >= 600,
        .italic = style->italic,
        .text = text,
    };
}

/*
 * The text as it is shown: runs of white space become one space, letters change as text-transform
 * says. At the ends one space stays: it is the gap to what is beside it in the line.
 */
static void add_shown(wn_buf *out, const wn_text_fragment *f)
{
    uint32_t previous = 0;
    for (const char *at = f->text, *end = at + f->len; at < end;) {
        uint32_t c = wn_utf8_next(&at);
        bool space = c < 0x80 && wn_is_space((char)c);
        char bytes[4];
        if (space && previous == ' ')
            continue;
        uint32_t shown = space ? ' ' : wn_layout_shown(f->style->text_transform, c, previous);
        wn_buf_add(out, wn_str_from(bytes, (size_t)wn_utf8_encode(shown, bytes)));
        previous = space ? ' ' : c;
    }
}

/* Lines under, through or over a piece of text. */
static void paint_lines(painter *p, const wn_text_fragment *f, unsigned lines)
{
    float size = f->style->font_size, thick = fmaxf(1, roundf(size / 18));
    float x = wn_unit_px(f->x), width = wn_unit_px(f->width), y = wn_unit_px(f->baseline);
    if (lines & 1)
        add_box(p, (wn_rect){x, y + size / 9, width, thick}, f->style->color, 0);
    if (lines & 2)
        add_box(p, (wn_rect){x, y - size * 0.3f, width, thick}, f->style->color, 0);
    if (lines & 4)
        add_box(p, (wn_rect){x, y - size * 0.9f, width, thick}, f->style->color, 0);
}

/* ---- Markers ----------------------------------------------------------------------------- */

static void add_roman(wn_buf *out, int32_t number)
{
    static const struct {
        int32_t value;
        const char *text;
    } digits[] = {{1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"},
                  {90, "xc"},  {50, "l"},   {40, "xl"}, {10, "x"},   {9, "ix"},
                  {5, "v"},    {4, "iv"},   {1, "i"}};
    for (size_t i = 0; i < sizeof digits / sizeof *digits; i++)
        for (; number >= digits[i].value; number -= digits[i].value)
            wn_buf_add_literal(out, digits[i].text);
}

static void add_letters(wn_buf *out, int32_t number)
{
    char letters[8];
    int count = 0;
    for (; number > 0 && count < 8; number = (number - 1) / 26)
        letters[count++] = (char)('a' + (number - 1) % 26);
    while (count > 0)
        wn_buf_add_char(out, letters[--count]);
}

/* "1.", "iv."; a sign for those without numbers, or for numbers that cannot be written so. */
static void add_marker(wn_buf *out, unsigned kind, int32_t number)
{
    bool upper = kind == WN_LIST_UPPER_ALPHA || kind == WN_LIST_UPPER_ROMAN;
    bool roman = kind == WN_LIST_LOWER_ROMAN || kind == WN_LIST_UPPER_ROMAN;
    bool alpha = kind == WN_LIST_LOWER_ALPHA || kind == WN_LIST_UPPER_ALPHA;
    if (kind == WN_LIST_DISC || kind == WN_LIST_OTHER)
        wn_buf_add_literal(out, "•");
    else if (kind == WN_LIST_CIRCLE)
        wn_buf_add_literal(out, "◦");
    else if (kind == WN_LIST_SQUARE)
        wn_buf_add_literal(out, "▪");
    else if (kind == WN_LIST_CLOSED || kind == WN_LIST_OPEN)
        wn_buf_add_literal(out, kind == WN_LIST_OPEN ? "▾" : "▸");
    else if (roman && number > 0 && number < 4000)
        add_roman(out, number);
    else if (alpha && number > 0)
        add_letters(out, number);
    else
        wn_buf_add_format(out, kind == WN_LIST_DECIMAL_ZERO ? "%02d" : "%d", (int)number);
    for (size_t i = 0; upper && i < out->len; i++)
        out->ptr[i] = (char)(wn_is_ascii_alpha(out->ptr[i]) ? out->ptr[i] & ~0x20 : out->ptr[i]);
    wn_buf_add_literal(out, kind >= WN_LIST_DECIMAL && kind <= WN_LIST_UPPER_ROMAN ? "." : "");
}

/* The markers of the items that begin with this piece of text, beside it. */
static void paint_markers(painter *p, const wn_text_fragment *f)
{
    for (wn_node_id id = p->around[f->node].item; id && !p->numbers[id].marked;
         id = p->around[wn_doc_node(p->doc, id)->parent].item) {
        const wn_style *style = wn_css_style_of(p->s->page.styles, id);
        wn_rect box = wn_visual_view_box(&p->s->analysis.view, id);
        float gap = style->font_size * 0.45f;
        p->numbers[id].marked = true;
        if (style->list_style == WN_LIST_NONE || style->list_style_inside ||
            style->list_style_image)
            continue;
        float x = style->rtl ? box.x + box.width + gap : box.x - gap;
        wn_buf_clear(&p->text);
        add_marker(&p->text, style->list_style, p->numbers[id].number);
        wn_shape label = label_of(style, x, wn_unit_px(f->baseline), wn_buf_str(&p->text));
        label.anchor = style->rtl ? WN_ANCHOR_START : WN_ANCHOR_END;
        wn_draw_sheet_label(p->sheet, label);
    }
}

/* ---- Pieces of text ---------------------------------------------------------------------- */

static bool is_seen(const painter *p, const wn_text_fragment *f)
{
    float x = wn_unit_px(f->x), y = wn_unit_px(f->baseline), size = f->style->font_size;
    return f->style->visibility == WN_VISIBILITY_VISIBLE && y - size < p->sheet->height &&
           (p->s->analysis.kinds.of[f->node] & WN_NODE_SHOWN) && !p->around[f->node].clear &&
           has_point(p->around[f->node].seen_in, x + wn_unit_px(f->width) / 2, y - size / 3);
}

#define MIDDLE_OF_LETTERS 0.34 /* em above the baseline */

static void paint_fragment(painter *p, const wn_text_fragment *f)
{
    if (!is_seen(p, f) || p->texts >= MOST_TEXTS)
        return;
    if (!f->downwards)
        paint_lines(p, f, p->around[f->node].lines);
    wn_buf_clear(&p->text);
    add_shown(&p->text, f);
    if (wn_str_trim(wn_buf_str(&p->text)).len == 0)
        return;
    p->texts++;
    wn_shape label = label_of(f->style, wn_unit_px(f->x), wn_unit_px(f->baseline),
                              wn_buf_str(&p->text));
    label.fit = wn_unit_px(f->width);
    label.downwards = f->downwards;
    if (f->downwards) /* the middle of its letters is given */
        label.x -= MIDDLE_OF_LETTERS * (double)f->style->font_size;
    wn_draw_sheet_label(p->sheet, label);
    paint_markers(p, f);
}

/* What is in a field or on a button: its value, its hint, the choice that is made. */
static wn_str text_in_control(painter *p, wn_node_id id, bool *hint)
{
    const wn_node *node = wn_doc_node(p->doc, id);
    wn_str text = wn_node_attr_value(node, WN_ATTR_VALUE);
    if (wn_node_is(node, WN_TAG_SELECT)) {
        wn_node_id chosen = WN_NO_NODE, option = id;
        while ((option = wn_doc_next(p->doc, option, id))) {
            const wn_node *one = wn_doc_node(p->doc, option);
            if (wn_node_is(one, WN_TAG_OPTION) && (!chosen || wn_node_attr(one, WN_ATTR_SELECTED)))
                chosen = option;
        }
        wn_buf_clear(&p->text);
        if (chosen)
            wn_doc_add_text(p->doc, chosen, &p->text);
        return wn_str_trim(wn_buf_str(&p->text));
    }
    if (text.len == 0 && is_input(node, "submit"))
        return WN_STR("Submit");
    if (text.len == 0 && is_input(node, "reset"))
        return WN_STR("Reset");
    *hint = text.len == 0;
    return *hint ? wn_node_attr_value(node, WN_ATTR_PLACEHOLDER) : text;
}

/* Fields are empty boxes to layout. */
static void paint_text_in_control(painter *p, wn_node_id id)
{
    const wn_node *node = wn_doc_node(p->doc, id);
    const wn_style *style = wn_css_style_of(p->s->page.styles, id);
    static const char *const without[] = {"checkbox", "radio", "range",  "color",
                                          "file",     "image", "hidden", "password"};
    if (!wn_node_is(node, WN_TAG_INPUT) && !wn_node_is(node, WN_TAG_SELECT))
        return;
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        if (is_input(node, without[i]))
            return;
    wn_rect box = wn_visual_view_box(&p->s->analysis.view, id);
    bool shown = is_visible(p, id, style) &&
                 has_point(p->around[id].seen_in, box.x + box.width / 2, box.y + box.height / 2);
    bool hint = false;
    wn_str text = shown ? text_in_control(p, id, &hint) : WN_STR("");
    float left = style->border_width[WN_LEFT] + style->padding[WN_LEFT].px;
    bool centred = style->text_align == WN_TEXT_ALIGN_CENTER;
    if (text.len == 0 || box.width <= 2 * left || p->texts++ >= MOST_TEXTS)
        return;
    /* About as many letters as fit: half an em each. */
    float room = (box.width - 2 * left) / (style->font_size * 0.5f);
    size_t most = room > 0 ? (size_t)room + 1 : 0;
    text = wn_utf8_prefix(text, most);
    wn_shape label = label_of(style, centred ? box.x + box.width / 2 : box.x + left,
                              box.y + box.height / 2 + style->font_size * 0.35f, text);
    label.anchor = centred ? WN_ANCHOR_MIDDLE : WN_ANCHOR_START;
    if (hint)
        label.colour = HINT_COLOUR;
    wn_draw_sheet_label(p->sheet, label);
}

/* ---- The page ---------------------------------------------------------------------------- */

static void paint_node(painter *p, wn_node_id id)
{
    const wn_node *node = wn_doc_node(p->doc, id);
    if (node->kind == WN_KIND_ELEMENT) {
        paint_box(p, id);
        paint_text_in_control(p, id);
    }
    for (uint32_t i = p->first_fragment[id]; i; i = p->next_fragment[i - 1])
        paint_fragment(p, &p->s->page.boxes->fragments[i - 1]);
}

typedef struct placed {
    wn_node_id id;
    int32_t order;
    uint32_t place; /* in the document */
} placed;

static int by_order(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

void wn_segment_paint_page(const wn_segmented *s, wn_sheet *sheet)
{
    painter p = {.s = s, .doc = &s->doc, .sheet = sheet};
    wn_arena_init(&p.arena, 0);
    placed *nodes = wn_arena_alloc(&p.arena, s->doc.nodes.count * sizeof *nodes);
    if (nodes && look(&p)) {
        uint32_t count = 0;
        wn_node_id id = WN_DOCUMENT_NODE;
        while ((id = wn_doc_next(p.doc, id, WN_DOCUMENT_NODE))) {
            nodes[count] = (placed){id, p.around[id].order, count};
            count++;
        }
        qsort(nodes, count, sizeof *nodes, by_order);
        paint_canvas(&p);
        for (uint32_t i = 0; i < count; i++)
            paint_node(&p, nodes[i].id);
    }
    sheet->failed |= p.arena.failed || p.text.failed;
    wn_buf_free(&p.text);
    wn_arena_free(&p.arena);
}
