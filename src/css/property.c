#include "css/property.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "css/style.h"

/* ---- Words ------------------------------------------------------------------------------- */

#define WORDS(NAME, ...) static const wn_css_word NAME[] = {__VA_ARGS__, {NULL, 0}}

WORDS(WORDS_DIRECTION, {"ltr", 0}, {"rtl", 1});
WORDS(WORDS_WRITING_MODE, {"horizontal-tb", WN_WRITING_HORIZONTAL},
      {"lr-tb", WN_WRITING_HORIZONTAL}, {"rl-tb", WN_WRITING_HORIZONTAL},
      {"lr", WN_WRITING_HORIZONTAL}, {"rl", WN_WRITING_HORIZONTAL},
      {"vertical-rl", WN_WRITING_VERTICAL_RL}, {"tb-rl", WN_WRITING_VERTICAL_RL},
      {"tb", WN_WRITING_VERTICAL_RL}, {"sideways-rl", WN_WRITING_VERTICAL_RL},
      {"vertical-lr", WN_WRITING_VERTICAL_LR}, {"sideways-lr", WN_WRITING_VERTICAL_LR});
WORDS(WORDS_BASELINE_SOURCE, {"auto", WN_BASELINE_AUTO}, {"first", WN_BASELINE_FIRST},
      {"last", WN_BASELINE_LAST});
WORDS(WORDS_COLUMN_FILL, {"balance", 0}, {"balance-all", 0}, {"auto", 1});
WORDS(WORDS_BREAK, {"auto", WN_BREAK_AUTO}, {"avoid", WN_BREAK_AVOID},
      {"avoid-column", WN_BREAK_AVOID}, {"avoid-page", WN_BREAK_AUTO}, {"page", WN_BREAK_AUTO},
      {"column", WN_BREAK_COLUMN}, {"always", WN_BREAK_COLUMN}, {"all", WN_BREAK_COLUMN});
WORDS(WORDS_BREAK_INSIDE, {"auto", 0}, {"avoid", 1}, {"avoid-column", 1}, {"avoid-page", 0});
WORDS(WORDS_FONT_STYLE, {"normal", 0}, {"italic", 1}, {"oblique", 1});
WORDS(WORDS_CAPS, {"normal", 0}, {"small-caps", 1}, {"all-small-caps", 1}, {"petite-caps", 1},
      {"all-petite-caps", 1}, {"unicase", 0}, {"titling-caps", 0});
WORDS(WORDS_POSITION, {"static", WN_POSITION_STATIC}, {"relative", WN_POSITION_RELATIVE},
      {"absolute", WN_POSITION_ABSOLUTE}, {"fixed", WN_POSITION_FIXED},
      {"sticky", WN_POSITION_STICKY}, {"-webkit-sticky", WN_POSITION_STICKY});
WORDS(WORDS_FLOAT, {"none", WN_FLOAT_NONE}, {"left", WN_FLOAT_LEFT}, {"right", WN_FLOAT_RIGHT},
      {"inline-start", WN_FLOAT_LEFT | 4}, {"inline-end", WN_FLOAT_RIGHT | 4});
WORDS(WORDS_CLEAR, {"none", WN_FLOAT_NONE}, {"left", WN_FLOAT_LEFT}, {"right", WN_FLOAT_RIGHT},
      {"both", WN_FLOAT_BOTH}, {"inline-start", WN_FLOAT_LEFT | 4},
      {"inline-end", WN_FLOAT_RIGHT | 4});
WORDS(WORDS_BOX_SIZING, {"content-box", 0}, {"border-box", 1});
WORDS(WORDS_OVERFLOW, {"visible", WN_OVERFLOW_VISIBLE}, {"hidden", WN_OVERFLOW_HIDDEN},
      {"scroll", WN_OVERFLOW_SCROLL}, {"auto", WN_OVERFLOW_AUTO}, {"overlay", WN_OVERFLOW_AUTO},
      {"clip", WN_OVERFLOW_CLIP});
WORDS(WORDS_VISIBILITY, {"visible", WN_VISIBILITY_VISIBLE}, {"hidden", WN_VISIBILITY_HIDDEN},
      {"collapse", WN_VISIBILITY_COLLAPSE});
WORDS(WORDS_BORDER, {"none", WN_BORDER_NONE}, {"hidden", WN_BORDER_HIDDEN},
      {"dotted", WN_BORDER_DOTTED}, {"dashed", WN_BORDER_DASHED}, {"solid", WN_BORDER_SOLID},
      {"double", WN_BORDER_DOUBLE}, {"groove", WN_BORDER_GROOVE}, {"ridge", WN_BORDER_RIDGE},
      {"inset", WN_BORDER_INSET}, {"outset", WN_BORDER_OUTSET});
WORDS(WORDS_TEXT_ALIGN, {"start", WN_TEXT_ALIGN_START}, {"end", WN_TEXT_ALIGN_END},
      {"left", WN_TEXT_ALIGN_LEFT}, {"right", WN_TEXT_ALIGN_RIGHT},
      {"center", WN_TEXT_ALIGN_CENTER}, {"justify", WN_TEXT_ALIGN_JUSTIFY},
      {"-webkit-left", WN_TEXT_ALIGN_WEBKIT_LEFT}, {"-webkit-right", WN_TEXT_ALIGN_WEBKIT_RIGHT},
      {"-webkit-center", WN_TEXT_ALIGN_WEBKIT_CENTER},
      {"-internal-center", WN_TEXT_ALIGN_CENTER | 16}, {"match-parent", WN_TEXT_ALIGN_START | 32});
WORDS(WORDS_WHITE_SPACE, {"normal", WN_WHITE_SPACE_NORMAL}, {"nowrap", WN_WHITE_SPACE_NOWRAP},
      {"pre", WN_WHITE_SPACE_PRE}, {"pre-wrap", WN_WHITE_SPACE_PRE_WRAP},
      {"pre-line", WN_WHITE_SPACE_PRE_LINE}, {"break-spaces", WN_WHITE_SPACE_BREAK_SPACES},
      {"-webkit-nowrap", WN_WHITE_SPACE_NOWRAP});
WORDS(WORDS_WORD_BREAK, {"normal", WN_WORD_BREAK_NORMAL}, {"break-all", WN_WORD_BREAK_ALL},
      {"keep-all", WN_WORD_BREAK_KEEP_ALL}, {"break-word", WN_WORD_BREAK_NORMAL | 4},
      {"auto-phrase", WN_WORD_BREAK_NORMAL});
WORDS(WORDS_OVERFLOW_WRAP, {"normal", WN_OVERFLOW_WRAP_NORMAL},
      {"break-word", WN_OVERFLOW_WRAP_BREAK_WORD}, {"anywhere", WN_OVERFLOW_WRAP_ANYWHERE});
WORDS(WORDS_TRANSFORM, {"none", WN_TRANSFORM_NONE}, {"uppercase", WN_TRANSFORM_UPPERCASE},
      {"lowercase", WN_TRANSFORM_LOWERCASE}, {"capitalize", WN_TRANSFORM_CAPITALIZE},
      {"full-width", WN_TRANSFORM_NONE}, {"math-auto", WN_TRANSFORM_NONE});
WORDS(WORDS_LIST_POSITION, {"outside", 0}, {"inside", 1});
WORDS(WORDS_TEXT_OVERFLOW, {"clip", 0}, {"ellipsis", 1});
WORDS(WORDS_TABLE_LAYOUT, {"auto", 0}, {"fixed", 1});
WORDS(WORDS_COLLAPSE, {"separate", 0}, {"collapse", 1});
WORDS(WORDS_CAPTION_SIDE, {"top", 0}, {"bottom", 1});
WORDS(WORDS_EMPTY_CELLS, {"show", 0}, {"hide", 1});
WORDS(WORDS_FLEX_DIRECTION, {"row", WN_FLEX_ROW}, {"row-reverse", WN_FLEX_ROW_REVERSE},
      {"column", WN_FLEX_COLUMN}, {"column-reverse", WN_FLEX_COLUMN_REVERSE});
WORDS(WORDS_FLEX_WRAP, {"nowrap", WN_FLEX_NOWRAP}, {"wrap", WN_FLEX_WRAP},
      {"wrap-reverse", WN_FLEX_WRAP_REVERSE});
WORDS(WORDS_COLUMN_SPAN, {"none", 0}, {"all", 1});
WORDS(WORDS_OBJECT_FIT, {"fill", WN_OBJECT_FILL}, {"contain", WN_OBJECT_CONTAIN},
      {"cover", WN_OBJECT_COVER}, {"none", WN_OBJECT_NONE}, {"scale-down", WN_OBJECT_SCALE_DOWN});
WORDS(WORDS_POINTER, {"auto", 0}, {"none", 1}, {"all", 0}, {"painted", 0}, {"visible", 0},
      {"visiblepainted", 0}, {"visiblefill", 0}, {"visiblestroke", 0}, {"fill", 0}, {"stroke", 0},
      {"bounding-box", 0});

/* ---- Longhands --------------------------------------------------------------------------- */

#define SIZE_OF(field) sizeof(((wn_style *)0)->field)

#define FLAGS_WORD(extra) 0
#define FLAGS_LENGTH(extra) (extra)
#define FLAGS_PX(extra) 0
#define FLAGS_NUMBER(extra) 0
#define FLAGS_COLOR(extra) 0
#define FLAGS_OTHER(extra) 0
#define LIST_WORD(extra) extra
#define LIST_LENGTH(extra) NULL
#define LIST_PX(extra) NULL
#define LIST_NUMBER(extra) NULL
#define LIST_COLOR(extra) NULL
#define LIST_OTHER(extra) NULL

const wn_css_longhand wn_css_longhands[WN_PROP_LONGHANDS] = {
#define X(NAME, name, form_, field, extra)                                                         \
    [WN_PROP_##NAME] = {WN_FORM_##form_, FLAGS_##form_(extra), offsetof(wn_style, field),          \
                        SIZE_OF(field), LIST_##form_(extra)},
    WN_CSS_LONGHANDS(X)
#undef X
};

/* ---- Names ------------------------------------------------------------------------------- */

typedef struct property_name {
    const char *name;
    uint16_t property;
    bool logical;
} property_name;

/* Own names first, in the order of their numbers; then other names of the same things. */
static const property_name names_table[] = {
#define X(NAME, name, form, field, extra) {name, WN_PROP_##NAME, false},
    WN_CSS_LONGHANDS(X)
#undef X
#define X(NAME, name) {name, WN_PROP_##NAME, false},
        WN_CSS_SHORTHANDS(X)
#undef X
            {"inline-size", WN_PROP_WIDTH, true},
    {"block-size", WN_PROP_HEIGHT, true},
    {"min-inline-size", WN_PROP_MIN_WIDTH, true},
    {"min-block-size", WN_PROP_MIN_HEIGHT, true},
    {"max-inline-size", WN_PROP_MAX_WIDTH, true},
    {"max-block-size", WN_PROP_MAX_HEIGHT, true},
    {"margin-inline-start", WN_PROP_MARGIN_LEFT, true},
    {"margin-inline-end", WN_PROP_MARGIN_RIGHT, true},
    {"-webkit-margin-start", WN_PROP_MARGIN_LEFT, true},
    {"-webkit-margin-end", WN_PROP_MARGIN_RIGHT, true},
    {"margin-block-start", WN_PROP_MARGIN_TOP, true},
    {"margin-block-end", WN_PROP_MARGIN_BOTTOM, true},
    {"padding-inline-start", WN_PROP_PADDING_LEFT, true},
    {"padding-inline-end", WN_PROP_PADDING_RIGHT, true},
    {"-webkit-padding-start", WN_PROP_PADDING_LEFT, true},
    {"-webkit-padding-end", WN_PROP_PADDING_RIGHT, true},
    {"padding-block-start", WN_PROP_PADDING_TOP, true},
    {"padding-block-end", WN_PROP_PADDING_BOTTOM, true},
    {"inset-inline-start", WN_PROP_LEFT, true},
    {"inset-inline-end", WN_PROP_RIGHT, true},
    {"inset-block-start", WN_PROP_TOP, true},
    {"inset-block-end", WN_PROP_BOTTOM, true},
    {"border-inline-start-width", WN_PROP_BORDER_LEFT_WIDTH, true},
    {"border-inline-end-width", WN_PROP_BORDER_RIGHT_WIDTH, true},
    {"border-block-start-width", WN_PROP_BORDER_TOP_WIDTH, true},
    {"border-block-end-width", WN_PROP_BORDER_BOTTOM_WIDTH, true},
    {"border-inline-start-style", WN_PROP_BORDER_LEFT_STYLE, true},
    {"border-inline-end-style", WN_PROP_BORDER_RIGHT_STYLE, true},
    {"border-block-start-style", WN_PROP_BORDER_TOP_STYLE, true},
    {"border-block-end-style", WN_PROP_BORDER_BOTTOM_STYLE, true},
    {"border-inline-start-color", WN_PROP_BORDER_LEFT_COLOR, true},
    {"border-inline-end-color", WN_PROP_BORDER_RIGHT_COLOR, true},
    {"border-block-start-color", WN_PROP_BORDER_TOP_COLOR, true},
    {"border-block-end-color", WN_PROP_BORDER_BOTTOM_COLOR, true},
    {"overflow-inline", WN_PROP_OVERFLOW_X, true},
    {"overflow-block", WN_PROP_OVERFLOW_Y, true},
    {"word-wrap", WN_PROP_OVERFLOW_WRAP, false},
    {"line-clamp", WN_PROP_LINE_CLAMP, false},
    {"grid-gap", WN_PROP_GAP, false},
    {"grid-row-gap", WN_PROP_ROW_GAP, false},
    {"grid-column-gap", WN_PROP_COLUMN_GAP, false},
    {"-webkit-box-sizing", WN_PROP_BOX_SIZING, false},
    {"-webkit-transform", WN_PROP_TRANSFORM, false},
    {"-webkit-flex", WN_PROP_FLEX, false},
    {"-webkit-flex-basis", WN_PROP_FLEX_BASIS, false},
    {"-webkit-flex-direction", WN_PROP_FLEX_DIRECTION, false},
    {"-webkit-flex-flow", WN_PROP_FLEX_FLOW, false},
    {"-webkit-flex-grow", WN_PROP_FLEX_GROW, false},
    {"-webkit-flex-shrink", WN_PROP_FLEX_SHRINK, false},
    {"-webkit-flex-wrap", WN_PROP_FLEX_WRAP, false},
    {"-webkit-order", WN_PROP_ORDER, false},
    {"-webkit-align-items", WN_PROP_ALIGN_ITEMS, false},
    {"-webkit-align-content", WN_PROP_ALIGN_CONTENT, false},
    {"-webkit-align-self", WN_PROP_ALIGN_SELF, false},
    {"-webkit-justify-content", WN_PROP_JUSTIFY_CONTENT, false},
    {"-webkit-box-shadow", WN_PROP_BOX_SHADOW, false},
    {"-webkit-border-radius", WN_PROP_RADIUS, false},
    {"-webkit-border-top-left-radius", WN_PROP_BORDER_RADIUS, false},
    {"-webkit-columns", WN_PROP_COLUMNS, false},
    {"-webkit-column-count", WN_PROP_COLUMN_COUNT, false},
    {"-webkit-column-gap", WN_PROP_COLUMN_GAP, false},
    {"-webkit-column-break-before", WN_PROP_BREAK_BEFORE, false},
    {"-webkit-column-break-after", WN_PROP_BREAK_AFTER, false},
    {"-webkit-column-break-inside", WN_PROP_BREAK_INSIDE, false},
    {"-webkit-column-fill", WN_PROP_COLUMN_FILL, false},
    {"-webkit-column-width", WN_PROP_COLUMN_WIDTH, false},
    {"-webkit-column-span", WN_PROP_COLUMN_SPAN, false},
    {"-webkit-opacity", WN_PROP_OPACITY, false},
    {"-webkit-clip-path", WN_PROP_CLIP_PATH, false},
    {"text-wrap-mode", WN_PROP_TEXT_WRAP, false},
    {"-webkit-writing-mode", WN_PROP_WRITING_MODE, false},
    {"rotate", WN_PROP_TRANSLATE, false},
    {"scale", WN_PROP_TRANSLATE, false},
/* Known to browsers, and asked for by @supports; no part of a style here. */
#define Y(name) {name, WN_PROP_OTHER, false},
    Y("accent-color") Y("align-tracks") Y("animation") Y("animation-name") Y("animation-duration") Y(
        "animation-delay") Y("animation-timeline") Y("appearance") Y("-webkit-appearance")
        Y("backdrop-filter") Y("backface-visibility") Y("background-attachment") Y("background-blend-mode") Y(
            "background-clip") Y("-webkit-background-clip") Y("background-origin") Y("background-position")
            Y("background-repeat") Y(
                "background-size") Y("border-image") Y("border-bottom-left-radius") Y("border-bottom-right-radius")
                Y("border-top-right-radius") Y("caret-color") Y(
                    "color-scheme") Y("container") Y("container-name") Y("container-type") Y("content-visibility")
                    Y("counter-increment") Y("counter-reset") Y("counter-set") Y("cursor") Y(
                        "fill") Y("filter") Y("-webkit-filter") Y("font-display") Y("font-feature-settings")
                        Y("font-kerning") Y("font-optical-sizing") Y("font-size-adjust") Y(
                            "font-stretch") Y("font-synthesis") Y("font-variation-settings") Y("font-variant-numeric")
                            Y("hyphens") Y("image-rendering") Y("initial-letter") Y("isolation") Y(
                                "mask") Y("mask-image") Y("-webkit-mask") Y("-webkit-mask-image")
                                Y("mask-size") Y("mix-blend-mode") Y("object-position") Y(
                                    "offset-path") Y("outline") Y("outline-color") Y("outline-offset")
                                    Y("outline-style") Y("outline-width") Y("overflow-anchor") Y(
                                        "overscroll-behavior") Y("perspective") Y("quotes") Y("resize") Y("scroll-behavior")
                                        Y("scroll-margin") Y("scroll-padding") Y("scroll-snap-type") Y(
                                            "scroll-snap-align") Y("scrollbar-color")
                                            Y("scrollbar-gutter") Y("scrollbar-width") Y(
                                                "shape-outside") Y("stroke") Y("text-decoration-color")
                                                Y("text-decoration-style") Y("text-decoration-thickness") Y(
                                                    "text-decoration-skip-ink") Y("text-emphasis")
                                                    Y("text-orientation") Y("text-rendering") Y(
                                                        "text-shadow") Y("text-size-adjust") Y("-webkit-text-size-adjust")
                                                        Y("text-underline-offset") Y(
                                                            "-webkit-text-stroke") Y("-webkit-text-fill-color")
                                                            Y("-webkit-tap-highlight-color") Y("-webkit-font-smoothing") Y(
                                                                "-webkit-overflow-scrolling") Y("-webkit-box-orient")
                                                                Y("-webkit-user-select") Y(
                                                                    "touch-action") Y("transform-origin")
                                                                    Y("transform-style") Y(
                                                                        "transition") Y("user-select")
                                                                        Y("view-transition-name") Y(
                                                                            "will-change") Y("zoom") Y("unicode-bidi")
                                                                            Y("orphans") Y("widows") Y(
                                                                                "position-anchor") Y("anchor-name")
                                                                                Y("view-timeline") Y(
                                                                                    "animation-range")
                                                                                    Y("interpolate-size") Y(
                                                                                        "field-sizing")
                                                                                        Y("text-box") Y(
                                                                                            "text-box-trim")
                                                                                            Y("white-space-collapse")
#undef Y
};

enum { NAMES = sizeof names_table / sizeof *names_table, SLOTS = 1024 };

static uint32_t hash_name(wn_str name)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < name.len; i++)
        hash = (hash ^ (unsigned char)wn_ascii_lower(name.ptr[i])) * 16777619u;
    return hash ^ hash >> 15;
}

void wn_css_names_init(wn_css_names *names)
{
    memset(names, 0, sizeof *names);
    for (uint16_t i = 0; i < NAMES; i++) {
        uint32_t slot = hash_name(wn_str_of(names_table[i].name)) % SLOTS;
        while (names->slots[slot])
            slot = (slot + 1) % SLOTS;
        names->slots[slot] = (uint16_t)(i + 1);
    }
}

wn_css_property wn_css_find_property(const wn_css_names *names, wn_str name, bool *logical)
{
    *logical = false;
    if (wn_str_starts(name, WN_STR("--")))
        return WN_PROP_CUSTOM;
    for (uint32_t slot = hash_name(name) % SLOTS; names->slots[slot]; slot = (slot + 1) % SLOTS) {
        assert(names->slots[slot] <= NAMES);
        const property_name *found = &names_table[names->slots[slot] - 1];
        if (wn_str_eq_nocase(wn_str_of(found->name), name)) {
            *logical = found->logical;
            return (wn_css_property)found->property;
        }
    }
    return WN_PROP_NONE;
}

const char *wn_css_property_name(wn_css_property property)
{
    for (size_t i = 0; i < NAMES; i++)
        if (names_table[i].property == property)
            return names_table[i].name;
    return "";
}
