#include "css/compute.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "css/color.h"

enum {
    MAX_ARMS = 60000,
    MEDIUM = 4, /* font size keywords, from xx-small */
};

#define MIN_LOGICAL_SIZE 6.0f /* browsers make relative font sizes no smaller */
#define MAX_FONT_SIZE 10000.0f
#define MAX_LENGTH 1e7f

#define ZERO                                                                                       \
    {                                                                                              \
        .kind = WN_LENGTH_FIXED                                                                    \
    }

const wn_style wn_css_initial = {
    .color = WN_COLOR_BLACK,
    .font_size = 16,
    .text_indent = ZERO,
    .font_weight = 400,
    .font_class = WN_FONT_SERIF,
    .list_style = WN_LIST_DISC,
    .tab_size = 8,
    .font_keyword = MEDIUM,
    .display = WN_DISPLAY_INLINE,
    .specified_display = WN_DISPLAY_INLINE,
    .border_width = {3, 3, 3, 3},
    .border_color = {WN_COLOR_BLACK, WN_COLOR_BLACK, WN_COLOR_BLACK, WN_COLOR_BLACK},
    .opacity = 1,
    .margin = {ZERO, ZERO, ZERO, ZERO},
    .padding = {ZERO, ZERO, ZERO, ZERO},
    .vertical_align_length = ZERO,
    .align_self = WN_ALIGN_AUTO,
    .justify_self = WN_ALIGN_AUTO,
    .flex_shrink = 1,
    .z_index_auto = true,
    .aspect_ratio_auto = true,
    .grid_row_start = {.name = {"", 0, 0}},
    .grid_row_end = {.name = {"", 0, 0}},
    .grid_column_start = {.name = {"", 0, 0}},
    .grid_column_end = {.name = {"", 0, 0}},
};

/* ---- Collecting -------------------------------------------------------------------------- */

void wn_css_start(wn_css_computer *c, const wn_style *parent, const wn_css_env *env)
{
    c->is_root = !parent;
    c->parent = parent ? parent : &wn_css_initial;
    c->env = env;
    c->rtl = c->parent->rtl;
    c->writing = c->parent->writing_mode;
    memset(c->reverted_won, 0, sizeof c->reverted_won);
    c->customs.count = 0;
    c->content = NULL;
    memset(c->won, 0, sizeof c->won);
    memset(c->color_set, 0, sizeof c->color_set);
}

static bool has_won(const wn_css_computer *c, unsigned property)
{
    return c->won[property / 64] >> property % 64 & 1;
}

static void win(wn_css_computer *c, unsigned property, const wn_css_decl *decl)
{
    assert(property < WN_PROP_LONGHANDS);
    c->winners[property] = decl;
    c->won[property / 64] |= (uint64_t)1 << property % 64;
}

/* The side that a side of text from left to right is, in lines of another direction. */
static unsigned physical_of(const wn_css_computer *c, unsigned side)
{
    static const uint8_t turned[2][4] = {
        {WN_RIGHT, WN_BOTTOM, WN_LEFT, WN_TOP}, /* vertical-rl: block-start is on the right */
        {WN_LEFT, WN_BOTTOM, WN_RIGHT, WN_TOP},
    };
    bool along_line = side == WN_LEFT || side == WN_RIGHT;
    if (c->rtl && along_line)
        side = WN_LEFT + WN_RIGHT - side;
    return c->writing == WN_WRITING_HORIZONTAL ? side
                                               : turned[c->writing == WN_WRITING_VERTICAL_LR][side];
}

/* https://drafts.csswg.org/css-logical/: the property that a logical one means here. */
static unsigned physical(const wn_css_computer *c, unsigned property)
{
    static const uint16_t sides[] = {
        WN_PROP_MARGIN_TOP,       WN_PROP_PADDING_TOP,      WN_PROP_TOP,
        WN_PROP_BORDER_TOP_WIDTH, WN_PROP_BORDER_TOP_STYLE, WN_PROP_BORDER_TOP_COLOR,
    };
    static const uint16_t sizes[] = {WN_PROP_WIDTH, WN_PROP_MIN_WIDTH, WN_PROP_MAX_WIDTH,
                                     WN_PROP_OVERFLOW_X};
    if (!c->rtl && c->writing == WN_WRITING_HORIZONTAL)
        return property;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        if (property >= sides[i] && property < sides[i] + 4u)
            return sides[i] + physical_of(c, property - sides[i]);
    for (size_t i = 0; c->writing != WN_WRITING_HORIZONTAL && i < sizeof sizes / sizeof *sizes; i++)
        if (property == sizes[i] || property == sizes[i] + 1u)
            return 2u * sizes[i] + 1 - property;
    return property;
}

void wn_css_apply(wn_css_computer *c, const wn_css_decl *decls, uint32_t count, bool important)
{
    for (uint32_t i = 0; i < count; i++) {
        const wn_css_decl *decl = &decls[i];
        if (decl->important != important)
            continue;
        unsigned property = decl->property;
        if (property == WN_PROP_CUSTOM) {
            const wn_css_decl **slot = wn_array_push(&c->customs);
            if (slot)
                *slot = decl;
            else
                c->arena->failed = true;
        } else if (property == WN_PROP_ALL) {
            for (unsigned p = WN_PROP_WRITING_MODE; p < WN_PROP_LONGHANDS; p++)
                win(c, p, decl);
        } else if (property < WN_PROP_LONGHANDS) {
            win(c, decl->logical ? physical(c, property) : property, decl);
        }
    }
}

void wn_css_mark_reverted(wn_css_computer *c)
{
    memcpy(c->reverted, c->winners, sizeof c->reverted);
    memcpy(c->reverted_won, c->won, sizeof c->reverted_won);
}

/* ---- Lengths ----------------------------------------------------------------------------- */

/* How high an x and how wide a 0 is, in em, of the fonts that layout measures with. */
static const float ex_of[] = {
    [WN_FONT_SERIF] = 0.459f, [WN_FONT_SANS] = 0.519f, [WN_FONT_MONO] = 0.528f};
static const float ch_of[] = {
    [WN_FONT_SERIF] = 0.5f, [WN_FONT_SANS] = 0.556f, [WN_FONT_MONO] = 0.6f};

static float clamp(float value)
{
    return value > MAX_LENGTH ? MAX_LENGTH : value > -MAX_LENGTH ? value : -MAX_LENGTH;
}

/* The pixels of a sum, its percentage left out; an em is `font_size`. */
static float sum_px(const wn_css_computer *c, const wn_css_sum *sum, const wn_style *style)
{
    float em = style->font_size;
    float px = sum->of[WN_CSS_PX] + sum->of[WN_CSS_EM] * em +
               sum->of[WN_CSS_REM] * (c->is_root ? em : c->root_font_size) +
               sum->of[WN_CSS_EX] * em * ex_of[style->font_class] +
               sum->of[WN_CSS_CH] * em * ch_of[style->font_class];
    if (sum->of[WN_CSS_LH] != 0)
        px += sum->of[WN_CSS_LH] * wn_css_line_height(style, em * 1.15f);
    return clamp(px);
}

static wn_css_sum sum_of(const wn_css_decl *decl)
{
    wn_css_sum sum = {{0}};
    if (decl->type == WN_VALUE_CALC)
        return ((const wn_css_calc *)decl->data)->first;
    sum.of[decl->unit] = decl->number;
    return sum;
}

/* Adds an arm; returns its number, 0 when there are too many. */
static uint16_t add_arm(wn_css_computer *c, wn_length_arm arm)
{
    if (c->arms.count >= MAX_ARMS)
        return 0;
    if (!wn_array_reserve(&c->arms, c->arms.count + 2)) {
        c->arena->failed = true;
        return 0;
    }
    if (c->arms.count == 0)
        c->arms.items[c->arms.count++] = (wn_length_arm){0};
    assert(arm.next < c->arms.count);
    c->arms.items[c->arms.count] = arm;
    return (uint16_t)c->arms.count++;
}

static wn_length calc_length(wn_css_computer *c, const wn_css_calc *calc)
{
    wn_length length = {sum_px(c, &calc->first, &c->style),
                        clamp(calc->first.of[WN_CSS_PERCENTAGE]), WN_LENGTH_FIXED, 0};
    bool percent = length.percent != 0;
    for (int i = 0; i < calc->arm_count; i++)
        percent |= calc->arms[i].of[WN_CSS_PERCENTAGE] != 0;
    uint16_t next = 0;
    for (int i = calc->arm_count; percent && i-- > 0;)
        next = add_arm(c, (wn_length_arm){sum_px(c, &calc->arms[i], &c->style),
                                          clamp(calc->arms[i].of[WN_CSS_PERCENTAGE]), next,
                                          calc->larger[i]});
    length.arm = next;
    for (int i = 0; !percent && i < calc->arm_count; i++) {
        float side = sum_px(c, &calc->arms[i], &c->style);
        length.px = calc->larger[i] ? fmaxf(length.px, side) : fminf(length.px, side);
    }
    return length;
}

static wn_length length_of(wn_css_computer *c, const wn_css_decl *decl)
{
    if (decl->type == WN_VALUE_WORD) {
        unsigned word = (unsigned)decl->number;
        return (wn_length){.kind = word >= WN_WORD_CONTENTS ? (uint16_t)(word - WN_WORD_CONTENTS)
                                                            : (uint16_t)WN_LENGTH_AUTO};
    }
    if (decl->type == WN_VALUE_CALC)
        return calc_length(c, decl->data);
    wn_css_sum sum = sum_of(decl);
    float percent = clamp(sum.of[WN_CSS_PERCENTAGE]);
    if (decl->unit == WN_CSS_PERCENTAGE && percent == 0)
        percent = FLT_MIN; /* 0% is not 0: of a size that is not known it is auto */
    return (wn_length){sum_px(c, &sum, &c->style), percent, WN_LENGTH_FIXED, 0};
}

/* A length that must be known now: percentages count of `base`. */
static float px_of(wn_css_computer *c, const wn_css_decl *decl, float base)
{
    wn_length length = length_of(c, decl);
    float px = length.px + length.percent * base / 100;
    for (uint16_t arm = length.arm; arm; arm = c->arms.items[arm].next) {
        assert(arm < c->arms.count && c->arms.items[arm].next < arm);
        const wn_length_arm *a = &c->arms.items[arm];
        float side = a->px + a->percent * base / 100;
        px = a->larger ? fmaxf(px, side) : fminf(px, side);
    }
    return px;
}

/* ---- Fonts ------------------------------------------------------------------------------- */

static float keyword_size(unsigned keyword, bool mono)
{
    static const float sizes[] = {16, 9, 10, 13, 16, 18, 24, 32, 48};
    static const float mono_sizes[] = {13, 9, 9, 10, 13, 16, 20, 26, 39};
    assert(keyword < sizeof sizes / sizeof *sizes);
    return mono ? mono_sizes[keyword] : sizes[keyword];
}

/* `monospace` alone has its own default size, and relative sizes follow it. */
static void adjust_for_mono(wn_css_computer *c)
{
    wn_style *s = &c->style;
    if (s->font_absolute || s->font_mono_alone == c->parent->font_mono_alone)
        return;
    if (s->font_keyword)
        s->font_size = keyword_size(s->font_keyword, s->font_mono_alone);
    else
        s->font_size *= s->font_mono_alone ? 13.0f / 16 : 16.0f / 13;
}

static void set_font_size(wn_css_computer *c, unsigned property, const wn_css_decl *decl)
{
    (void)property;
    wn_style *s = &c->style;
    const wn_style *parent = c->parent;
    if (decl->type == WN_VALUE_WORD) {
        unsigned word = (unsigned)decl->number;
        if (word > WN_WORD_SIZES) {
            s->font_keyword = (uint8_t)(word - WN_WORD_SIZES);
            s->font_absolute = false;
            s->font_size = keyword_size(s->font_keyword, parent->font_mono_alone);
        } else {
            s->font_keyword = 0;
            s->font_absolute = parent->font_absolute;
            s->font_size = parent->font_size * (word == WN_WORD_LARGER ? 1.2f : 1 / 1.2f);
        }
        return;
    }
    /* em and % are of the parent's size. */
    wn_css_sum sum = sum_of(decl);
    bool relative = sum.of[WN_CSS_EM] != 0 || sum.of[WN_CSS_PERCENTAGE] != 0 ||
                    sum.of[WN_CSS_EX] != 0 || sum.of[WN_CSS_CH] != 0;
    wn_style own = c->style;
    s->font_size = parent->font_size;
    s->font_class = parent->font_class;
    bool root = c->is_root;
    c->is_root = false; /* rem on the root are of the initial size */
    float size = px_of(c, decl, parent->font_size);
    c->is_root = root;
    s->font_class = own.font_class;
    s->font_keyword = 0;
    s->font_absolute = parent->font_absolute || !relative;
    s->font_size = fminf(fmaxf(size, 0), MAX_FONT_SIZE);
    if (relative && s->font_size > 0 && s->font_size < MIN_LOGICAL_SIZE && !s->font_absolute)
        s->font_size = MIN_LOGICAL_SIZE;
}

static void set_font_weight(wn_css_computer *c, unsigned property, const wn_css_decl *decl)
{
    (void)property;
    uint16_t from = c->parent->font_weight;
    if (decl->type == WN_VALUE_NUMBER)
        c->style.font_weight = (uint16_t)decl->number;
    else if (decl->number == WN_WORD_BOLDER)
        c->style.font_weight = from < 350 ? 400 : from < 550 ? 700 : from < 900 ? 900 : from;
    else
        c->style.font_weight = from < 100 ? from : from < 550 ? 100 : from < 750 ? 400 : 700;
}

static void set_line_height(wn_css_computer *c, unsigned property, const wn_css_decl *decl)
{
    (void)property;
    wn_style *s = &c->style;
    if (decl->type == WN_VALUE_WORD) {
        s->line_height_kind = WN_LINE_HEIGHT_NORMAL;
        s->line_height = 0;
    } else if (decl->type == WN_VALUE_NUMBER) {
        s->line_height_kind = WN_LINE_HEIGHT_NUMBER;
        s->line_height = decl->number;
    } else {
        s->line_height = fmaxf(px_of(c, decl, s->font_size), 0);
        s->line_height_kind = WN_LINE_HEIGHT_PX;
    }
}

/* ---- Grids ------------------------------------------------------------------------------- */

static wn_length track_length(wn_css_computer *c, const wn_css_calc *calc, uint8_t kind)
{
    wn_length length = calc_length(c, calc);
    length.kind = kind;
    return length;
}

static const wn_track_list *make_list(wn_css_computer *c, const wn_css_decl *decl)
{
    if (decl->type != WN_VALUE_DATA)
        return NULL;
    const wn_css_track_list *from = decl->data;
    uint32_t count = from->list.track_count;
    wn_track_list *list = wn_arena_alloc(c->arena, sizeof *list);
    wn_track *tracks = wn_arena_alloc(c->arena, count * sizeof *tracks + 1);
    if (!list || !tracks)
        return NULL;
    *list = from->list;
    list->tracks = tracks;
    for (uint32_t i = 0; i < count; i++) {
        tracks[i].min = track_length(c, &from->tracks[i].min, from->tracks[i].min_kind);
        tracks[i].max = track_length(c, &from->tracks[i].max, from->tracks[i].max_kind);
    }
    return list;
}

/* ---- Properties -------------------------------------------------------------------------- */

/* The fields of a property, from another style: what inherit and initial do. */
static void copy_fields(wn_css_computer *c, unsigned property, const wn_style *from)
{
    const wn_css_longhand *l = &wn_css_longhands[property];
    wn_style *s = &c->style;
    assert(l->offset + l->size <= sizeof *s);
    memcpy((char *)s + l->offset, (const char *)from + l->offset, l->size);
    switch (property) {
    case WN_PROP_FONT_FAMILY:
        s->font_mono_alone = from->font_mono_alone;
        break;
    case WN_PROP_FONT_SIZE:
        s->font_keyword = from->font_keyword;
        s->font_absolute = from->font_absolute;
        break;
    case WN_PROP_LINE_HEIGHT:
        s->line_height_kind = from->line_height_kind;
        break;
    case WN_PROP_Z_INDEX:
        s->z_index_auto = from->z_index_auto;
        break;
    case WN_PROP_VERTICAL_ALIGN:
        s->vertical_align_length = from->vertical_align_length;
        break;
    case WN_PROP_BORDER_SPACING:
        s->border_spacing_y = from->border_spacing_y;
        break;
    case WN_PROP_GRID_AUTO_FLOW:
        s->grid_flow_dense = from->grid_flow_dense;
        break;
    case WN_PROP_ASPECT_RATIO:
        s->aspect_ratio_auto = from->aspect_ratio_auto;
        break;
    case WN_PROP_TRANSFORM:
        s->translate_x = from->translate_x;
        s->translate_y = from->translate_y;
        s->translate_x_percent = from->translate_x_percent;
        s->translate_y_percent = from->translate_y_percent;
        break;
    case WN_PROP_CLIP:
    case WN_PROP_CLIP_PATH:
        s->clipped_away = from->clipped_away;
        break;
    case WN_PROP_BORDER_TOP_COLOR:
    case WN_PROP_BORDER_RIGHT_COLOR:
    case WN_PROP_BORDER_BOTTOM_COLOR:
    case WN_PROP_BORDER_LEFT_COLOR:
        c->color_set[property - WN_PROP_BORDER_TOP_COLOR] = from != &wn_css_initial;
        break;
    default:
        break;
    }
}

static bool is_inherited(unsigned property)
{
    return wn_css_longhands[property].offset < offsetof(wn_style, inherited_end);
}

static void set_wide(wn_css_computer *c, unsigned property, wn_css_wide wide)
{
    bool inherit = wide == WN_WIDE_INHERIT || (wide != WN_WIDE_INITIAL && is_inherited(property));
    copy_fields(c, property, inherit ? c->parent : &wn_css_initial);
}

static void set_color(wn_css_computer *c, unsigned property, const wn_css_decl *decl)
{
    wn_color current = property == WN_PROP_COLOR ? c->parent->color : c->style.color;
    wn_color color = decl->type == WN_VALUE_CURRENT ? current : decl->color;
    memcpy((char *)&c->style + wn_css_longhands[property].offset, &color, sizeof color);
    if (property >= WN_PROP_BORDER_TOP_COLOR && property <= WN_PROP_BORDER_LEFT_COLOR)
        c->color_set[property - WN_PROP_BORDER_TOP_COLOR] = true;
}

/* Whole pixels, but never nothing. */
static float border_width(wn_css_computer *c, const wn_css_decl *decl)
{
    if (decl->type == WN_VALUE_WORD)
        return decl->number == WN_WORD_THIN ? 1 : decl->number == WN_WORD_MEDIUM ? 3 : 5;
    float px = px_of(c, decl, 0);
    return px <= 0 ? 0 : px < 1 ? 1 : floorf(px);
}

static int32_t integer_of(const wn_css_decl *decl)
{
    return (int32_t)fminf(fmaxf(decl->number, -1e9f), 1e9f);
}

static void set_pair(wn_css_computer *c, unsigned property, const wn_css_decl *decl)
{
    wn_style *s = &c->style;
    if (decl->type == WN_VALUE_LENGTH) { /* cellspacing */
        s->border_spacing_x = s->border_spacing_y = decl->number;
        return;
    }
    if (decl->type == WN_VALUE_NUMBER) { /* width and height of a picture */
        s->aspect_ratio = decl->number;
        s->aspect_ratio_auto = true;
        return;
    }
    const wn_css_pair *pair = decl->data;
    wn_length lengths[] = {calc_length(c, &pair->first), calc_length(c, &pair->second)};
    float first = lengths[0].px, second = lengths[1].px;
    if (property == WN_PROP_BORDER_SPACING) {
        s->border_spacing_x = first;
        s->border_spacing_y = second;
    } else if (property == WN_PROP_ASPECT_RATIO) {
        s->aspect_ratio = pair->first.first.of[WN_CSS_PX];
        s->aspect_ratio_auto = pair->word;
    } else {
        s->has_transform = pair->word;
        s->translate_x = pair->word ? first : 0;
        s->translate_y = pair->word ? second : 0;
        s->translate_x_percent = pair->word ? lengths[0].percent : 0;
        s->translate_y_percent = pair->word ? lengths[1].percent : 0;
    }
}

/* ---- Properties with a function of their own --------------------------------------------- */

static unsigned word_of(const wn_css_decl *decl)
{
    return decl->type == WN_VALUE_WORD ? (unsigned)decl->number : 0;
}

static void set_font_family(wn_css_computer *c, unsigned property, const wn_css_decl *decl)
{
    (void)property;
    c->style.font_class = word_of(decl) & 3;
    c->style.font_mono_alone = (word_of(decl) & 4) != 0;
}

static void set_display(wn_css_computer *c, unsigned property, const wn_css_decl *decl)
{
    (void)property;
    c->style.specified_display = (uint8_t)word_of(decl);
}

static void set_z_index(wn_css_computer *c, unsigned property, const wn_css_decl *decl)
{
    (void)property;
    c->style.z_index_auto = decl->type == WN_VALUE_WORD;
    c->style.z_index = c->style.z_index_auto ? 0 : integer_of(decl);
}

static void set_order(wn_css_computer *c, unsigned property, const wn_css_decl *decl)
{
    (void)property;
    c->style.order = integer_of(decl);
}

static void set_border_width(wn_css_computer *c, unsigned property, const wn_css_decl *decl)
{
    c->style.border_width[property - WN_PROP_BORDER_TOP_WIDTH] = border_width(c, decl);
}

static void set_vertical_align(wn_css_computer *c, unsigned property, const wn_css_decl *decl)
{
    (void)property;
    bool word = decl->type == WN_VALUE_WORD;
    c->style.vertical_align = word ? (uint8_t)decl->number : (uint8_t)WN_VALIGN_LENGTH;
    if (!word)
        c->style.vertical_align_length = length_of(c, decl);
}

static void set_tab_size(wn_css_computer *c, unsigned property, const wn_css_decl *decl)
{
    (void)property;
    c->style.tab_size = (uint8_t)fminf(decl->number, 255);
}

static void set_column_count(wn_css_computer *c, unsigned property, const wn_css_decl *decl)
{
    (void)property;
    bool word = decl->type == WN_VALUE_WORD;
    c->style.column_count = word ? 0 : (uint16_t)fminf(decl->number, 1000);
}

static void set_line_clamp(wn_css_computer *c, unsigned property, const wn_css_decl *decl)
{
    (void)property;
    bool word = decl->type == WN_VALUE_WORD;
    c->style.line_clamp = word ? 0 : (uint8_t)fminf(decl->number, 255);
}

static void set_column_width(wn_css_computer *c, unsigned property, const wn_css_decl *decl)
{
    (void)property;
    c->style.column_width = decl->type == WN_VALUE_WORD ? 0 : fmaxf(px_of(c, decl, 0), 1);
}

static void set_border_radius(wn_css_computer *c, unsigned property, const wn_css_decl *decl)
{
    (void)property;
    c->style.border_radius = px_of(c, decl, 100);
}

/* clip and clip-path say the same things. */
static void set_clip(wn_css_computer *c, unsigned property, const wn_css_decl *decl)
{
    (void)property;
    c->style.has_clip |= (word_of(decl) & 1) != 0;
    c->style.clipped_away |= (word_of(decl) & 2) != 0;
}

static void set_content(wn_css_computer *c, unsigned property, const wn_css_decl *decl)
{
    (void)property;
    c->content = decl->data;
}

static void set_tracks(wn_css_computer *c, unsigned property, const wn_css_decl *decl)
{
    const wn_track_list *list = make_list(c, decl);
    memcpy((char *)&c->style + wn_css_longhands[property].offset, &list, sizeof list);
}

static void set_areas(wn_css_computer *c, unsigned property, const wn_css_decl *decl)
{
    (void)property;
    c->style.grid_areas = decl->type == WN_VALUE_DATA ? decl->data : NULL;
}

static void set_grid_flow(wn_css_computer *c, unsigned property, const wn_css_decl *decl)
{
    (void)property;
    c->style.grid_flow_column = word_of(decl) & 1;
    c->style.grid_flow_dense = (word_of(decl) & 2) != 0;
}

static void set_grid_line(wn_css_computer *c, unsigned property, const wn_css_decl *decl)
{
    memcpy((char *)&c->style + wn_css_longhands[property].offset, decl->data, sizeof(wn_grid_line));
}

typedef void (*setter)(wn_css_computer *c, unsigned property, const wn_css_decl *decl);

/* The properties of WN_FORM_OTHER; alignment, images and flags are one byte and left out. */
static const setter setters[WN_PROP_LONGHANDS] = {
    [WN_PROP_FONT_FAMILY] = set_font_family,
    [WN_PROP_FONT_SIZE] = set_font_size,
    [WN_PROP_FONT_WEIGHT] = set_font_weight,
    [WN_PROP_LINE_HEIGHT] = set_line_height,
    [WN_PROP_DISPLAY] = set_display,
    [WN_PROP_Z_INDEX] = set_z_index,
    [WN_PROP_ORDER] = set_order,
    [WN_PROP_BORDER_TOP_WIDTH] = set_border_width,
    [WN_PROP_BORDER_RIGHT_WIDTH] = set_border_width,
    [WN_PROP_BORDER_BOTTOM_WIDTH] = set_border_width,
    [WN_PROP_BORDER_LEFT_WIDTH] = set_border_width,
    [WN_PROP_VERTICAL_ALIGN] = set_vertical_align,
    [WN_PROP_TAB_SIZE] = set_tab_size,
    [WN_PROP_BORDER_SPACING] = set_pair,
    [WN_PROP_ASPECT_RATIO] = set_pair,
    [WN_PROP_TRANSFORM] = set_pair,
    [WN_PROP_COLUMN_COUNT] = set_column_count,
    [WN_PROP_LINE_CLAMP] = set_line_clamp,
    [WN_PROP_COLUMN_WIDTH] = set_column_width,
    [WN_PROP_BORDER_RADIUS] = set_border_radius,
    [WN_PROP_CLIP] = set_clip,
    [WN_PROP_CLIP_PATH] = set_clip,
    [WN_PROP_CONTENT] = set_content,
    [WN_PROP_GRID_TEMPLATE_COLUMNS] = set_tracks,
    [WN_PROP_GRID_TEMPLATE_ROWS] = set_tracks,
    [WN_PROP_GRID_AUTO_COLUMNS] = set_tracks,
    [WN_PROP_GRID_AUTO_ROWS] = set_tracks,
    [WN_PROP_GRID_TEMPLATE_AREAS] = set_areas,
    [WN_PROP_GRID_AUTO_FLOW] = set_grid_flow,
    [WN_PROP_GRID_ROW_START] = set_grid_line,
    [WN_PROP_GRID_ROW_END] = set_grid_line,
    [WN_PROP_GRID_COLUMN_START] = set_grid_line,
    [WN_PROP_GRID_COLUMN_END] = set_grid_line,
};

static void set(wn_css_computer *c, unsigned property, const wn_css_decl *decl)
{
    const wn_css_longhand *l = &wn_css_longhands[property];
    char *field = (char *)&c->style + l->offset;
    wn_length length;
    float px;
    switch (l->form) {
    case WN_FORM_WORD:
        *(uint8_t *)field = (uint8_t)decl->number;
        break;
    case WN_FORM_LENGTH:
        length = length_of(c, decl);
        if (!(l->flags & WN_LENGTHS_NEGATIVE) && length.px < 0 && length.percent == 0)
            length.px = 0;
        memcpy(field, &length, sizeof length);
        break;
    case WN_FORM_PX:
        px = decl->type == WN_VALUE_WORD ? 0 : px_of(c, decl, c->style.font_size);
        memcpy(field, &px, sizeof px);
        break;
    case WN_FORM_NUMBER:
        memcpy(field, &decl->number, sizeof decl->number);
        break;
    case WN_FORM_COLOR:
        set_color(c, property, decl);
        break;
    default:
        if (setters[property])
            setters[property](c, property, decl);
        else
            *(uint8_t *)field = (uint8_t)word_of(decl);
    }
}

/* ---- Variables --------------------------------------------------------------------------- */

/* Reads a value with its variables replaced; the declaration of `property` in it, or NULL. */
static const wn_css_decl *read_text(wn_css_computer *c, unsigned property, const wn_css_text *text)
{
    if (c->read_text != text || c->read_env != c->env) {
        wn_buf buf = {0};
        c->read_decls.count = 0;
        c->read_text = text;
        c->read_env = c->env;
        if (wn_css_substitute(c->vars, c->env, text->text, &buf)) {
            /* Values may keep slices of their text. */
            wn_str copy = wn_arena_copy(c->arena, wn_buf_str(&buf));
            wn_css_read_value(c->values, (wn_css_property)text->property, text->logical, copy,
                              &c->read_decls);
        }
        wn_buf_free(&buf);
    }
    const wn_css_decl *found = NULL;
    for (uint32_t i = 0; i < c->read_decls.count; i++) {
        const wn_css_decl *decl = &c->read_decls.items[i];
        unsigned p = decl->logical ? physical(c, decl->property) : decl->property;
        if (p == property && decl->type != WN_VALUE_VAR)
            found = decl;
    }
    return found;
}

static void compute(wn_css_computer *c, unsigned property)
{
    const wn_css_decl *decl = c->winners[property];
    static const wn_css_decl unset = {.type = WN_VALUE_WIDE, .number = WN_WIDE_UNSET};
    for (int i = 0; i < 2; i++) {
        if (decl->type == WN_VALUE_VAR)
            decl = read_text(c, property, decl->data);
        if (!decl)
            decl = &unset;
        if (decl->type != WN_VALUE_WIDE || decl->number != WN_WIDE_REVERT)
            break;
        decl = c->reverted_won[property / 64] >> property % 64 & 1 ? c->reverted[property] : &unset;
    }
    if (decl->type == WN_VALUE_WIDE)
        set_wide(c, property, (wn_css_wide)decl->number);
    else
        set(c, property, decl);
}

/* ---- Used values ------------------------------------------------------------------------- */

static uint8_t block_level(uint8_t display)
{
    switch (display) {
    case WN_DISPLAY_INLINE:
    case WN_DISPLAY_INLINE_BLOCK:
    case WN_DISPLAY_TABLE_ROW_GROUP:
    case WN_DISPLAY_TABLE_HEADER_GROUP:
    case WN_DISPLAY_TABLE_FOOTER_GROUP:
    case WN_DISPLAY_TABLE_ROW:
    case WN_DISPLAY_TABLE_CELL:
    case WN_DISPLAY_TABLE_COLUMN:
    case WN_DISPLAY_TABLE_COLUMN_GROUP:
    case WN_DISPLAY_TABLE_CAPTION:
    case WN_DISPLAY_RUBY:
    case WN_DISPLAY_RUBY_TEXT:
        return WN_DISPLAY_BLOCK;
    case WN_DISPLAY_INLINE_TABLE:
        return WN_DISPLAY_TABLE;
    case WN_DISPLAY_INLINE_FLEX:
        return WN_DISPLAY_FLEX;
    case WN_DISPLAY_INLINE_GRID:
        return WN_DISPLAY_GRID;
    default:
        return display;
    }
}

static bool has_items(uint8_t display)
{
    return display == WN_DISPLAY_FLEX || display == WN_DISPLAY_INLINE_FLEX ||
           display == WN_DISPLAY_GRID || display == WN_DISPLAY_INLINE_GRID;
}

/* https://drafts.csswg.org/css-display-3/#transformations */
static void use_display(wn_css_computer *c)
{
    wn_style *s = &c->style;
    bool absolute = s->position == WN_POSITION_ABSOLUTE || s->position == WN_POSITION_FIXED;
    if (absolute)
        s->float_side = WN_FLOAT_NONE;
    s->display = s->specified_display;
    if (c->is_root && s->display == WN_DISPLAY_CONTENTS)
        s->display = WN_DISPLAY_BLOCK;
    if (c->is_root || absolute || s->float_side || (!c->is_root && has_items(c->parent->display)))
        s->display = block_level(s->display);
}

/* The side that start or end is, of what words.c marked with 4. */
static uint8_t physical_side(uint8_t side, bool rtl)
{
    if (!(side & 4))
        return side;
    side &= 3;
    return rtl ? (side == WN_FLOAT_LEFT ? WN_FLOAT_RIGHT : WN_FLOAT_LEFT) : side;
}

static void use_text_align(wn_css_computer *c)
{
    wn_style *s = &c->style;
    if (s->text_align & 16) /* of <th>: centred unless something else is inherited */
        s->text_align = c->parent->text_align == WN_TEXT_ALIGN_START ? (uint8_t)WN_TEXT_ALIGN_CENTER
                                                                     : c->parent->text_align;
    else if (s->text_align & 32) {
        s->text_align = c->parent->text_align;
        if (s->text_align == WN_TEXT_ALIGN_START || s->text_align == WN_TEXT_ALIGN_END)
            s->text_align = (s->text_align == WN_TEXT_ALIGN_END) != c->parent->rtl
                                ? WN_TEXT_ALIGN_RIGHT
                                : WN_TEXT_ALIGN_LEFT;
    }
}

static void use_overflow(wn_style *s)
{
    bool x = s->overflow_x == WN_OVERFLOW_VISIBLE || s->overflow_x == WN_OVERFLOW_CLIP;
    bool y = s->overflow_y == WN_OVERFLOW_VISIBLE || s->overflow_y == WN_OVERFLOW_CLIP;
    if (x && !y && s->overflow_x == WN_OVERFLOW_VISIBLE)
        s->overflow_x = WN_OVERFLOW_AUTO;
    if (y && !x && s->overflow_y == WN_OVERFLOW_VISIBLE)
        s->overflow_y = WN_OVERFLOW_AUTO;
}

static void use_borders(wn_css_computer *c)
{
    wn_style *s = &c->style;
    for (int side = 0; side < 4; side++) {
        if (s->border_style[side] <= WN_BORDER_HIDDEN)
            s->border_width[side] = 0;
        if (!c->color_set[side])
            s->border_color[side] = s->color;
    }
}

void wn_css_finish(wn_css_computer *c)
{
    wn_style *s = &c->style;
    memcpy(s, &wn_css_initial, sizeof *s);
    memcpy(s, c->parent, offsetof(wn_style, inherited_end));
    if (c->customs.count)
        c->env = wn_css_env_make(c->vars, c->env, c->customs.items, c->customs.count);
    for (unsigned word = 0; word < sizeof c->won / sizeof *c->won; word++)
        for (uint64_t bits = c->won[word]; bits; bits &= bits - 1) {
            unsigned property = word * 64 + (unsigned)__builtin_ctzll(bits);
            compute(c, property);
            bool last_of_font = has_won(c, WN_PROP_FONT_SIZE) ? property == WN_PROP_FONT_SIZE
                                                              : property == WN_PROP_FONT_FAMILY;
            if (last_of_font)
                adjust_for_mono(c);
        }
    if (s->word_break & 4) { /* break-word: an old name of overflow-wrap: anywhere */
        s->word_break = WN_WORD_BREAK_NORMAL;
        s->overflow_wrap = WN_OVERFLOW_WRAP_ANYWHERE;
    }
    s->float_side = physical_side(s->float_side, s->rtl);
    s->clear = physical_side(s->clear, s->rtl);
    use_display(c);
    use_text_align(c);
    use_overflow(s);
    use_borders(c);
    s->unused = 0;
}

void wn_css_computer_free(wn_css_computer *c)
{
    wn_array_free(&c->arms);
    wn_array_free(&c->customs);
    wn_array_free(&c->read_decls);
}
