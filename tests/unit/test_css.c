/*
 * Styles of whole pages: what the cascade makes of sheets and attributes.
 *
 * Most cases are a sheet and a few elements, of which the one with id="x" must come out green if
 * (and only if) the sheet says so.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "css/cascade.h"
#include "css/media.h"
#include "css/token.h"
#include "html/tree.h"
#include "support/check_page.h"
#include "support/extract.h"
#include "support/files.h"

#define GREEN ((wn_color)0x008000FF)

/* ---- Pages ------------------------------------------------------------------------------- */

typedef struct page {
    wn_tree *tree;
    wn_css *css;
    wn_doc doc;
    wn_arena arena;
    const wn_styles *styles;
} page;

static page open_page_with(wn_str html, const wn_css_options *options)
{
    page p = {.tree = wn_html_tree_new(), .css = wn_css_new()};
    wn_arena_init(&p.arena, 0);
    wn_html_tree_parse(p.tree, &p.doc, &p.arena, html, &wn_parse_defaults);
    p.styles = wn_css_compute(p.css, &p.doc, options, &p.arena);
    assert_non_null(p.styles);
    return p;
}

static page open_page(const char *html)
{
    return open_page_with(wn_str_of(html), &wn_css_defaults);
}

static void close_page(page *p)
{
    wn_doc_free(&p->doc);
    wn_html_tree_free(p->tree);
    wn_css_free(p->css);
    wn_arena_free(&p->arena);
}

static const wn_style *style_of(const page *p, wn_tag tag)
{
    wn_node_id id = wn_doc_find(&p->doc, tag);
    assert_int_not_equal(id, WN_NO_NODE);
    return wn_css_style_of(p->styles, id);
}

/* The element with id="x". */
static wn_node_id find_x(const page *p)
{
    for (wn_node_id id = 1; id < p->doc.nodes.count; id++) {
        const wn_node *node = wn_doc_node(&p->doc, id);
        if (node->kind == WN_KIND_ELEMENT &&
            wn_str_eq(wn_node_attr_value(node, WN_ATTR_ID), WN_STR("x")))
            return id;
    }
    fail_msg("no element x");
    return 0;
}

static wn_style style_of_x(const char *html)
{
    page p = open_page(html);
    wn_style style = *wn_css_style_of(p.styles, find_x(&p));
    close_page(&p);
    return style;
}

/* What `declarations` say of a <div>. */
static wn_style declared(const char *declarations)
{
    wn_buf html = {0};
    wn_buf_add_format(&html, "<!doctype html><div id=x style=\"%s\"></div>", declarations);
    wn_style style = style_of_x(wn_buf_c_string(&html));
    wn_buf_free(&html);
    return style;
}

/* ---- Tokens ------------------------------------------------------------------------------ */

static void tokens(void **state)
{
    static const struct {
        const char *text;
        uint8_t kind;
        const char *value;
    } cases[] = {
        {"abc", WN_CSS_IDENT, "abc"},
        {"-\\41 b", WN_CSS_IDENT, "-Ab"},
        {"--x", WN_CSS_IDENT, "--x"},
        {"/* c */ url( a.png )", WN_CSS_URL, "a.png"},
        {"url(a b)", WN_CSS_BAD, NULL},
        {"url('a')", WN_CSS_FUNCTION, "url"},
        {"\"a\\\nb\\\"\"", WN_CSS_STRING, "ab\""},
        {"\"a\nb\"", WN_CSS_BAD, NULL},
        {"#1a", WN_CSS_HASH, "1a"},
        {"@media", WN_CSS_AT, "media"},
        {"1.5em", WN_CSS_DIMENSION, "em"},
        {"1e3", WN_CSS_NUMBER, NULL},
        {"12%", WN_CSS_PERCENT, NULL},
        {"+", WN_CSS_DELIM, NULL},
        {"\\", WN_CSS_DELIM, NULL},
        {"", WN_CSS_END, NULL},
        {"/* not closed", WN_CSS_END, NULL},
    };
    wn_arena arena;
    (void)state;
    wn_arena_init(&arena, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wn_str text = wn_str_of(cases[i].text);
        wn_css_reader reader = {text.ptr, text.ptr + text.len, &arena};
        wn_css_token token;
        wn_css_next(&reader, &token);
        if (token.kind != cases[i].kind)
            fail_msg("%s: kind %d", cases[i].text, token.kind);
        if (cases[i].value && !wn_str_eq(token.text, wn_str_of(cases[i].value)))
            fail_msg("%s: %.*s", cases[i].text, WN_STR_ARGS(token.text));
    }
    wn_css_reader reader = {"-1.25e2", NULL, &arena};
    reader.end = reader.p + 7;
    wn_css_token token;
    wn_css_next(&reader, &token);
    assert_true(token.number == -125);
    wn_arena_free(&arena);
}

/* ---- Selectors --------------------------------------------------------------------------- */

/* `match`: the selector matches #x on the page. */
static const struct {
    const char *selector;
    const char *body;
    bool match;
} selector_cases[] = {
    {"#x", "<p id=x>", true},
    {"p#x.a.b", "<p id=x class='b c a'>", true},
    {".A", "<p id=x class=a>", false},
    {"DIV", "<div id=x>", true},
    {"my-tag", "<my-tag id=x>", true},
    {"* > p", "<div><p id=x>", true},
    {"div p", "<div><b><i></i></b><section><p id=x></section></div>", true},
    {"div > p", "<div><section><p id=x></section></div>", false},
    {"a > b c > d", "<a><b><c><b><c><d id=x>", true},
    {".u > .v .w", "<div class=u><div class=v><div class=v><p id=x class=w>", true},
    {"i + p", "<i></i> text <p id=x>", true},
    {"i + p", "<i></i><b></b><p id=x>", false},
    {"i ~ p", "<i></i><b></b><p id=x>", true},
    {"u + i ~ p", "<u></u><i></i><b></b><i></i><p id=x>", true},
    {"[title]", "<p id=x title>", true},
    {"[title=ab]", "<p id=x title=abc>", false},
    {"[title^=ab]", "<p id=x title=abc>", true},
    {"[title$=bc]", "<p id=x title=abc>", true},
    {"[title*='b']", "<p id=x title=abc>", true},
    {"[title*='']", "<p id=x title=abc>", false},
    {"[title~=b]", "<p id=x title='a b c'>", true},
    {"[title~=b]", "<p id=x title>", false},
    {"[lang|=en]", "<p id=x lang=en-GB>", true},
    {"[data-q='A' i]", "<p id=x data-q=a>", true},
    {"[data-q='A']", "<p id=x data-q=a>", false},
    {"[type=TEXT]", "<input id=x type=text>", true},
    {":first-child", "<div><p id=x></div>", true},
    {"p:last-child", "<div><p id=x></p><b></b></div>", false},
    {"p:last-of-type", "<div><p id=x></p><b></b></div>", true},
    {":only-child", "<div><p id=x></div>", true},
    {"li:nth-child(2n+1)", "<ul><li><li><li id=x></ul>", true},
    {"li:nth-child(even)", "<ul><li><li><li id=x></ul>", false},
    {"li:nth-child(-n + 3)", "<ul><li><li><li id=x></ul>", true},
    {"li:nth-last-child(2)", "<ul><li><li id=x><li></ul>", true},
    {"p:nth-of-type(2)", "<div><b></b><p></p><p id=x></div>", true},
    {"p:nth-child(2 of .a)", "<div><p class=a></p><p></p><p class=a id=x></div>", true},
    {":root #x", "<p id=x>", true},
    {"p:empty", "<p id=x><!-- c --></p>", true},
    {"p:empty", "<p id=x> </p>", false},
    {"a:link", "<a id=x href=y>", true},
    {"a:link", "<a id=x>", false},
    {":checked", "<input id=x type=checkbox checked>", true},
    {":disabled", "<input id=x disabled>", true},
    {"p:hover", "<p id=x>", false},
    {"p:not(:hover)", "<p id=x>", true},
    {"p:not(.a, .b)", "<p id=x class=b>", false},
    {":is(i, p.a)", "<p id=x class=a>", true},
    {":is(::nonsense, p)", "<p id=x>", true},
    {":where(div p)", "<div><p id=x></div>", true},
    {"div:has(> img) p", "<div><img><p id=x></div>", true},
    {"div:has(> img) p", "<div><b><img></b><p id=x></div>", false},
    {"p:has(+ i)", "<p id=x></p><i></i>", true},
    {":lang(en)", "<div lang=en-US><p id=x></div>", true},
    {"p:dir(rtl)", "<div dir=rtl><p id=x></div>", true},
    {"p:nonsense, p", "<p id=x>", false},
    {"p::nonsense, p", "<p id=x>", false},
    {"p::-webkit-thing, p", "<p id=x>", true},
    {"p, ", "<p id=x>", false},
    {"> p", "<p id=x>", false},
    {"\\70", "<p id=x>", true},
    {".\\31 0", "<p id=x class=10>", true},
    {"p /**/ .a", "<p><b id=x class=a>", true},
};

static void selectors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof selector_cases / sizeof *selector_cases; i++) {
        wn_buf html = {0};
        wn_buf_add_format(&html, "<!doctype html><style>%s { color: green }</style>%s",
                          selector_cases[i].selector, selector_cases[i].body);
        wn_style style = style_of_x(wn_buf_c_string(&html));
        if ((style.color == GREEN) != selector_cases[i].match)
            fail_msg("%s on %s", selector_cases[i].selector, selector_cases[i].body);
        wn_buf_free(&html);
    }
}

/* ---- The cascade ------------------------------------------------------------------------- */

/* Sheets that make #x of "<div class=d><p id=x class=p>" green. */
static const char *const green_sheets[] = {
    "p { color: red } p { color: green }",
    "#x { color: green } p.p { color: red }",
    "p { color: green !important } #x { color: red }",
    ":where(#x) { color: red } p { color: green }",
    ":is(#x, b) { color: green } p.p { color: red }",
    "div { color: green } p { color: inherit }",
    "div { color: green }",
    "p { color: green; color: nonsense }",
    "p { color: green; colour: red }",
    "p { color: green; ; color red; }",
    "p { color: green } } p { color: red }",
    "@media screen { p { color: green } }",
    "p { color: green } @media print { p { color: red } }",
    "p { color: green } @media (max-width: 600px) { p { color: red } }",
    "@media (min-width: 600px) and (hover) { p { color: green } }",
    "@media not all and (width < 100px) { p { color: green } }",
    "p { color: green } @nonsense { p { color: red } }",
    "@supports (display: grid) and (not (display: nonsense)) { p { color: green } }",
    "@layer a { #x { color: red } } p { color: green }",
    "@layer a, b; @layer b { p { color: green } } @layer a { #x { color: red } }",
    "@layer a { p { color: green !important } } p { color: red !important }",
    "@layer a { @layer b { p { color: red } } p { color: green } }",
    "div { p { color: green } }",
    "div { & > p { color: green } color: red }",
    "div { > p { color: green } }",
    "p { &.p { color: green } } p { color: red }",
    "p { color: red; @media screen { color: green } }",
    "p { color: green; &:hover { color: red } }",
    ".p { .d & { color: green } }",
    ":root { --c: green } p { color: var(--c) }",
    "p { color: var(--none, green) }",
    ":root { --a: var(--b); --b: green } p { color: var(--a) }",
    "div { --c: green } :root { --c: red } p { color: var(--c) }",
    "div { color: green } p { --a: var(--b); --b: var(--a); color: var(--a) }",
    "@property --c { syntax: '*'; inherits: false; initial-value: green } p { color: var(--c) }",
    "p { color: rgb(0 128 0) }",
    "p { color: rgba(0, 128, 0, 1) }",
    "p { color: hsl(120, 100%, 25.1%) }",
    "p { color: #008000ff }",
    "p { color: color-mix(in srgb, green, green) }",
    "p { color: green; color: rgb(0, 128) }",
    "<!-- p { color: green } -->",
    "@charset 'utf-8'; p { color: green }",
    "p { background: url(a;b}c); color: green }",
    "p { color: red } p { all: initial; color: green }",
    "@scope (.d) { p { color: green } }",
};

static void cascade(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof green_sheets / sizeof *green_sheets; i++) {
        wn_buf html = {0};
        wn_buf_add_format(&html, "<!doctype html><style>%s</style><div class=d><p id=x class=p>",
                          green_sheets[i]);
        wn_style style = style_of_x(wn_buf_c_string(&html));
        if (style.color != GREEN)
            fail_msg("%08x: %s", style.color, green_sheets[i]);
        wn_buf_free(&html);
    }
}

static void browsers_defaults(void **state)
{
    (void)state;
    page p = open_page("<!doctype html><title>t</title><h1>a</h1><p>b<b>c</b><!-- d --></p>"
                       "<ul><li><pre></pre></ul><table border=1><td>");
    assert_int_equal(style_of(&p, WN_TAG_HEAD)->display, WN_DISPLAY_NONE);
    assert_int_equal(style_of(&p, WN_TAG_BODY)->display, WN_DISPLAY_BLOCK);
    assert_int_equal(style_of(&p, WN_TAG_BODY)->margin[WN_LEFT].px, 8);
    assert_int_equal(style_of(&p, WN_TAG_H1)->font_size, 32);
    assert_int_equal(style_of(&p, WN_TAG_H1)->font_weight, 700);
    assert_int_equal(style_of(&p, WN_TAG_P)->margin[WN_TOP].px, 16);
    assert_int_equal(style_of(&p, WN_TAG_B)->display, WN_DISPLAY_INLINE);
    assert_int_equal(style_of(&p, WN_TAG_B)->font_weight, 700);
    assert_int_equal(style_of(&p, WN_TAG_UL)->padding[WN_LEFT].px, 40);
    assert_int_equal(style_of(&p, WN_TAG_LI)->display, WN_DISPLAY_LIST_ITEM);
    assert_int_equal(style_of(&p, WN_TAG_PRE)->font_size, 13);
    assert_int_equal(style_of(&p, WN_TAG_TD)->border_width[WN_TOP], 1);
    assert_int_equal(style_of(&p, WN_TAG_TD)->padding[WN_TOP].px, 1);
    close_page(&p);
}

static void attributes(void **state)
{
    (void)state;
    wn_style s = style_of_x(
        "<table cellpadding=5 bgcolor=#fff><td id=x bgcolor=red width=50% nowrap>");
    assert_int_equal(s.background_color, 0xFF0000FF);
    assert_true(s.width.percent == 50 && s.width.kind == WN_LENGTH_FIXED);
    assert_int_equal(s.padding[WN_LEFT].px, 5);
    assert_int_equal(s.white_space, WN_WHITE_SPACE_NOWRAP);
    s = style_of_x("<style>img { width: 10px }</style><img id=x width=40 height=20 align=left>");
    assert_int_equal(s.width.px, 10);
    assert_int_equal(s.height.px, 20);
    assert_int_equal(s.float_side, WN_FLOAT_LEFT);
    assert_int_equal(s.display, WN_DISPLAY_BLOCK);
    assert_int_equal(style_of_x("<font id=x size=5 color=green>").font_size, 24);
    assert_int_equal(style_of_x("<div hidden id=x>").display, WN_DISPLAY_NONE);
    assert_int_equal(style_of_x("<center><p id=x>").text_align, WN_TEXT_ALIGN_WEBKIT_CENTER);
}

/* ---- Values ------------------------------------------------------------------------------ */

static void values(void **state)
{
    (void)state;
    wn_style s = declared("margin: 1px auto 2em; padding: 5%; font-size: 20px");
    assert_int_equal(s.margin[WN_TOP].px, 1);
    assert_int_equal(s.margin[WN_LEFT].kind, WN_LENGTH_AUTO);
    assert_int_equal(s.margin[WN_BOTTOM].px, 40);
    assert_int_equal(s.padding[WN_RIGHT].percent, 5);
    s = declared("width: calc(50% - 2 * (1em + 4px)); height: 50vh; min-width: -1px");
    assert_true(s.width.percent == 50 && s.width.px == -40);
    assert_int_equal(s.height.px, 384);
    assert_int_equal(s.min_width.kind, WN_LENGTH_AUTO);
    s = declared("border: thin solid; border-left: none; border-top-width: 2.7px");
    assert_true(s.border_width[WN_TOP] == 2 && s.border_width[WN_LEFT] == 0);
    assert_true(s.border_width[WN_RIGHT] == 1 && s.border_color[WN_RIGHT] == WN_COLOR_BLACK);
    s = declared("font: italic bold 2em/1.5 Nonsense, sans-serif");
    assert_true(s.italic && s.font_weight == 700 && s.font_size == 32);
    assert_true(s.font_class == WN_FONT_SANS && wn_css_line_height(&s, 0) == 48);
    s = declared("display: inline-flex; float: right; flex: 1");
    assert_int_equal(s.display, WN_DISPLAY_FLEX);
    assert_int_equal(s.specified_display, WN_DISPLAY_INLINE_FLEX);
    assert_true(s.flex_grow == 1 && s.flex_basis.kind == WN_LENGTH_FIXED);
    s = declared("overflow-x: hidden; position: absolute; float: left");
    assert_true(s.overflow_y == WN_OVERFLOW_AUTO && s.float_side == WN_FLOAT_NONE);
    s = declared("direction: rtl; margin-inline-start: 7px; float: inline-start");
    assert_true(s.margin[WN_RIGHT].px == 7 && s.float_side == WN_FLOAT_RIGHT);
    s = declared("background: no-repeat center / cover url(a.png), #abc; opacity: 50%");
    assert_true(s.has_background_image && s.background_color == 0xAABBCCFF && s.opacity == 0.5f);
    s = declared("width: 10; height: 1px 2px; color: #ab");
    assert_true(s.width.kind == WN_LENGTH_AUTO && s.height.kind == WN_LENGTH_AUTO);
    s = declared("clip: rect(0 0 0 0); z-index: -3; order: 2; aspect-ratio: 16 / 9");
    assert_true(s.clipped_away && s.z_index == -3 && !s.z_index_auto && s.order == 2);
    assert_true(fabsf(s.aspect_ratio - 16 / 9.0f) < 1e-5f);
}

static void comparisons(void **state)
{
    (void)state;
    page p = open_page("<!doctype html><p id=x style='width: min(100% - 20px, 600px);"
                       "height: clamp(10px, 50%, 90px); padding: max(1em, 2px)'>");
    const wn_style *s = wn_css_style_of(p.styles, find_x(&p));
    assert_true(wn_css_length_px(p.styles, s->width, 400) == 380);
    assert_true(wn_css_length_px(p.styles, s->width, 4000) == 600);
    assert_true(wn_css_length_has_percent(p.styles, s->width));
    assert_true(wn_css_length_px(p.styles, s->height, 10) == 10);
    assert_true(wn_css_length_px(p.styles, s->height, 100) == 50);
    assert_true(wn_css_length_px(p.styles, s->height, 1000) == 90);
    assert_true(s->padding[WN_TOP].px == 16 && !s->padding[WN_TOP].arm);
    close_page(&p);
}

static void grids(void **state)
{
    (void)state;
    page p = open_page(
        "<!doctype html><p id=x style=\"display: grid; grid-template-columns: [a]"
        " 100px repeat(2, 1fr [b]) minmax(10%, auto) repeat(auto-fit, 5em);"
        " grid-template-areas: 'h h' 'm s'; grid-column: 2 / span 3; gap: 1px 2px\">");
    const wn_style *s = wn_css_style_of(p.styles, find_x(&p));
    const wn_track_list *columns = s->grid_columns;
    assert_non_null(columns);
    assert_int_equal(columns->track_count, 5);
    assert_int_equal(columns->tracks[0].max.px, 100);
    assert_int_equal(columns->tracks[2].max.kind, WN_LENGTH_FR);
    assert_int_equal(columns->tracks[3].min.percent, 10);
    assert_int_equal(columns->tracks[4].max.px, 80);
    assert_int_equal(columns->repeat_start, 4);
    assert_int_equal(columns->repeat_end, 5);
    assert_int_equal(columns->name_count, 3);
    assert_int_equal(columns->names[2].before, 3);
    assert_int_equal(s->grid_areas->count, 3);
    assert_int_equal(s->grid_areas->areas[0].column_end, 2);
    assert_int_equal(s->grid_column_start.number, 2);
    assert_true(s->grid_column_end.span && s->grid_column_end.number == 3);
    assert_true(s->row_gap.px == 1 && s->column_gap.px == 2);
    close_page(&p);
}

static void generated_text(void **state)
{
    (void)state;
    page p = open_page("<!doctype html><style>p::before { content: 'a' attr(title) }"
                       "p:after { content: ''; display: table; clear: both }</style>"
                       "<p id=x title=b>");
    uint32_t number = p.styles->generated_of[find_x(&p)];
    assert_int_not_equal(number, 0);
    const wn_generated *made = &p.styles->generated[number];
    assert_true(wn_str_eq(made->before_text, WN_STR("ab")));
    assert_int_equal(p.styles->table[made->after_style].display, WN_DISPLAY_TABLE);
    assert_int_equal(p.styles->table[made->after_style].clear, WN_FLOAT_BOTH);
    close_page(&p);
}

static void styles_are_shared(void **state)
{
    wn_buf html = {0};
    (void)state;
    wn_buf_add_literal(&html,
                       "<!doctype html><style>li { color: red } .a li { margin: 1px }</style>");
    for (int i = 0; i < 1000; i++)
        wn_buf_add_literal(&html, "<ul class=a><li>a<li>b</ul>");
    page p = open_page(wn_buf_c_string(&html));
    assert_in_range(p.styles->count, 5, 12);
    close_page(&p);
    wn_buf_free(&html);
}

/* ---- The index of rules ------------------------------------------------------------------ */

typedef struct piece {
    const char *text;
    int specificity;
} piece;

static unsigned draw(unsigned *state, unsigned below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 16) % below;
}

/* A selector of one to three compounds, many of which end alike. */
static int random_selector(wn_buf *out, unsigned *state)
{
    static const piece pieces[] = {
        {"p", 1},
        {"div", 1},
        {".a", 10},
        {".b", 10},
        {".c.a", 20},
        {"#i", 100},
        {"*", 0},
        {"[title]", 10},
        {":is(.a,p)", 10},
        {":where(.b .c)", 0},
        {":not(.a)", 10},
        {"div.b", 11},
        {".c", 10},
        {":is(div .b,*)", 11},
        {"p:first-child", 11},
        {".d", 10},
    };
    static const char *const combinators[] = {" ", " ", " > ", " + ", " ~ "};
    int specificity = 0;
    unsigned count = 1 + draw(state, 3);
    for (unsigned i = 0; i < count; i++) {
        /* The last one is from the front: large buckets. */
        const piece *one = &pieces[draw(state, i + 1 == count ? 4 : 16)];
        if (i > 0)
            wn_buf_add_literal(out, combinators[draw(state, 5)]);
        wn_buf_add_literal(out, one->text);
        specificity += one->specificity;
    }
    return specificity;
}

static void random_page(wn_buf *out, unsigned *state)
{
    static const char *const tags[] = {"<div class=a>",
                                       "<div class='b c'>",
                                       "<div id=i class=d>",
                                       "<p class='a b'>",
                                       "<p title=x>",
                                       "<div>",
                                       "<p class=c>",
                                       "</div>",
                                       "</p>",
                                       "</div>"};
    wn_buf_add_literal(out, "<!doctype html><body>");
    for (int i = 0; i < 80; i++)
        wn_buf_add_literal(out, tags[draw(state, 10)]);
}

enum { RANDOM_RULES = 150 };

/* Of many rules that end alike the same ones match as if each were alone. */
static void many_rules_alike(void **state)
{
    (void)state;
    unsigned dice = 7;
    wn_buf html = {0}, all = {0}, selector = {0};
    random_page(&html, &dice);
    page *p = calloc(RANDOM_RULES + 1, sizeof *p);
    int specificity[RANDOM_RULES];
    for (int i = 0; i < RANDOM_RULES; i++) {
        wn_css_options options = wn_css_defaults;
        wn_buf_clear(&selector);
        specificity[i] = random_selector(&selector, &dice);
        wn_buf_add_format(&all, "%s { z-index: %d }", wn_buf_c_string(&selector), i + 1);
        wn_buf_add_literal(&selector, " { z-index: 1 }");
        wn_css_sheet sheet = {.bytes = wn_buf_str(&selector)};
        options.sheets = &sheet;
        options.sheet_count = 1;
        p[i] = open_page_with(wn_buf_str(&html), &options);
    }
    wn_css_options options = wn_css_defaults;
    wn_css_sheet sheet = {.bytes = wn_buf_str(&all)};
    options.sheets = &sheet;
    options.sheet_count = 1;
    page *together = &p[RANDOM_RULES];
    *together = open_page_with(wn_buf_str(&html), &options);
    int matched = 0;
    for (wn_node_id id = WN_DOCUMENT_NODE; id < together->doc.nodes.count; id++) {
        int best = -1;
        for (int i = 0; i < RANDOM_RULES; i++)
            if (wn_css_style_of(p[i].styles, id)->z_index == 1 &&
                (best < 0 || specificity[i] >= specificity[best]))
                best = i;
        assert_int_equal(wn_css_style_of(together->styles, id)->z_index, best + 1);
        matched += best >= 0;
    }
    assert_in_range(matched, 20, 200);
    for (int i = 0; i <= RANDOM_RULES; i++)
        close_page(&p[i]);
    free(p);
    wn_buf_free(&html);
    wn_buf_free(&all);
    wn_buf_free(&selector);
}

/* ---- Other sheets ------------------------------------------------------------------------ */

static bool load_sheet(void *data, wn_str url, wn_css_sheet *sheet)
{
    int *asked = data;
    *asked += 1;
    if (wn_str_eq(url, WN_STR("http://e.org/a/one.css")))
        sheet->bytes = WN_STR("@import 'two.css'; b { color: green }");
    else if (wn_str_eq(url, WN_STR("http://e.org/a/two.css")))
        sheet->bytes = WN_STR("@import url(one.css); p, b { color: red }");
    else if (wn_str_eq(url, WN_STR("http://e.org/moved.css"))) {
        sheet->bytes = WN_STR("@import 'near.css'");
        sheet->url = WN_STR("http://other.org/b/moved.css");
    } else if (wn_str_eq(url, WN_STR("http://other.org/b/near.css")))
        sheet->bytes = WN_STR("u { color: green }");
    else if (wn_str_eq(url, WN_STR("http://e.org/latin.css")))
        sheet->bytes = WN_STR("@charset \"windows-1252\"; .caf\xe9 { color: green }");
    else if (wn_str_eq(url, WN_STR("http://e.org/declared.css"))) {
        sheet->bytes = WN_STR(".caf\xe9 { color: green }");
        sheet->charset = "latin1";
    } else
        return false;
    return true;
}

static void linked_sheets(void **state)
{
    (void)state;
    int asked = 0;
    wn_css_sheet own = {.bytes = {"i { color: green }", 18}};
    wn_css_options options = wn_css_defaults;
    options.load = load_sheet;
    options.load_data = &asked;
    options.base = WN_STR("http://e.org/a/page.html");
    options.sheets = &own;
    options.sheet_count = 1;
    page p = open_page_with(
        WN_STR("<link rel=stylesheet href=one.css><link rel=stylesheet href=no.css>"
               "<p><b id=x></b><i>"),
        &options);
    assert_int_equal(style_of(&p, WN_TAG_P)->color, 0xFF0000FF);
    assert_int_equal(style_of(&p, WN_TAG_B)->color, GREEN);
    assert_int_equal(style_of(&p, WN_TAG_I)->color, GREEN);
    close_page(&p);
}

/* Imports are relative to where a sheet came from in the end. */
static void linked_sheet_that_moved(void **state)
{
    (void)state;
    int asked = 0;
    wn_css_options options = wn_css_defaults;
    options.load = load_sheet;
    options.load_data = &asked;
    options.base = WN_STR("http://e.org/");
    page p = open_page_with(WN_STR("<link rel=stylesheet href=moved.css><u>a"), &options);
    assert_int_equal(style_of(&p, WN_TAG_U)->color, GREEN);
    assert_int_equal(asked, 2);
    close_page(&p);
}

static void encodings_of_sheets(void **state)
{
    (void)state;
    int asked = 0;
    wn_css_options options = wn_css_defaults;
    options.load = load_sheet;
    options.load_data = &asked;
    options.base = WN_STR("http://e.org/");
    page p = open_page_with(WN_STR("<link rel=stylesheet href=latin.css><u class=caf\xc3\xa9>a"),
                            &options);
    assert_int_equal(style_of(&p, WN_TAG_U)->color, GREEN);
    close_page(&p);
    p = open_page_with(WN_STR("<link rel=stylesheet href=declared.css><u class=caf\xc3\xa9>a"),
                       &options);
    assert_int_equal(style_of(&p, WN_TAG_U)->color, GREEN);
    close_page(&p);
    wn_css_sheet wide = {.bytes = WN_STR("\xff\xfeu\0{\0c\0o\0l\0o\0r\0:\0t\0a\0n\0}\0")};
    options.sheets = &wide;
    options.sheet_count = 1;
    p = open_page_with(WN_STR("<u>a"), &options);
    assert_int_equal(style_of(&p, WN_TAG_U)->color, 0xD2B48CFF);
    close_page(&p);
}

/* What is not for this screen, or only on demand, is not asked for; nor is anything endlessly. */
static void sheets_that_are_not_asked_for(void **state)
{
    (void)state;
    int asked = 0;
    wn_css_options options = wn_css_defaults;
    options.load = load_sheet;
    options.load_data = &asked;
    page p = open_page_with(WN_STR("<link rel=stylesheet media=print href=a.css>"
                                   "<link rel='alternate stylesheet' href=a.css>"
                                   "<link rel=stylesheet disabled href=a.css><link rel=icon href=a>"
                                   "<link rel=stylesheet type=text/less href=a.css>"
                                   "<link rel=stylesheet><template><link rel=stylesheet href=a>"
                                   "</template><style>@import 'b.css' print;</style>"),
                            &options);
    assert_int_equal(asked, 0);
    close_page(&p);
    wn_buf html = {0};
    for (int i = 0; i < 1000; i++)
        wn_buf_add_literal(&html, "<link rel=stylesheet href=missing.css>");
    wn_buf_add_literal(&html, "<style>");
    for (int i = 0; i < 1000; i++)
        wn_buf_add_literal(&html, "@import 'missing.css';");
    p = open_page_with(wn_buf_str(&html), &options);
    assert_in_range(asked, 1, 200);
    assert_true(p.styles->limited);
    close_page(&p);
    wn_buf_free(&html);
}

static bool load_for_interface(void *data, const char *url, winnow_sheet *sheet)
{
    static const char text[] = ".b { display: none }";
    strcat(data, url);
    assert_string_equal(sheet->url, url);
    sheet->bytes = text;
    sheet->size = sizeof text - 1;
    return strcmp(url, "https://e.org/x/b.css") == 0;
}

/* The same through winnow.h. */
static void sheets_of_the_interface(void **state)
{
    (void)state;
    static const char html[] =
        "<!doctype html><link rel=stylesheet href=b.css><p>Some words that stay "
        "here for good.<p class=a>Apple<p class=b>Birch<p>And more words.";
    char asked[200] = "";
    extractor *e = extractor_new();
    winnow_sheet own = {.struct_size = sizeof own, .bytes = ".a { display: none }", .size = 20};
    extractor_set(e, "url", "https://e.org/x/y");
    const char *text = extract_by(e, "eifce", html)->text;
    assert_non_null(strstr(text, "Apple"));
    assert_non_null(strstr(text, "Birch"));
    winnow_options_add_sheet(e->options, &own);
    winnow_options_set_sheet_loader(e->options, load_for_interface, asked);
    text = extract_by(e, "eifce", html)->text;
    assert_string_equal(asked, "https://e.org/x/b.css");
    assert_null(strstr(text, "Apple"));
    assert_null(strstr(text, "Birch"));
    assert_non_null(strstr(text, "more words"));
    extractor_set(e, "sheet_base", "https://other.org/");
    text = extract_by(e, "eifce", html)->text;
    assert_string_equal(asked, "https://e.org/x/b.csshttps://other.org/b.css");
    assert_non_null(strstr(text, "Birch"));
    extractor_free(e);
}

/* ---- Hostile sheets ---------------------------------------------------------------------- */

static void repeat(wn_buf *out, const char *text, int times)
{
    for (int i = 0; i < times; i++)
        wn_buf_add_literal(out, text);
}

/* Two seconds each, and memory in proportion. */
static void check_hostile(wn_buf *html, const char *name)
{
    double start = test_now();
    page p = open_page_with(wn_buf_str(html), &wn_css_defaults);
    double seconds = test_now() - start;
    size_t memory = wn_css_memory(p.css) + p.arena.reserved;
    if (seconds > 2 * check_page_time_scale())
        fail_msg("%s: %.2f s", name, seconds);
    if (memory > ((size_t)300 << 20) + 40 * html->len)
        fail_msg("%s: %zu bytes", name, memory);
    close_page(&p);
    wn_buf_free(html);
}

static void hostile(void **state)
{
    (void)state;
    wn_buf b = {0};
    wn_buf_add_literal(&b, "<style>");
    for (int i = 0; i < 100000; i++)
        wn_buf_add_format(&b, ".a%d p, p:nth-child(%d) { margin: %dpx }", i, i, i);
    wn_buf_add_literal(&b, "</style>");
    repeat(&b, "<div class=a1><p>", 3000);
    check_hostile(&b, "100,000 rules");

    wn_buf_add_literal(&b, "<style>");
    repeat(&b, "* { color: red } ", 100000);
    wn_buf_add_literal(&b, "</style>");
    repeat(&b, "<div><p>", 3000);
    check_hostile(&b, "100,000 rules for all");

    wn_buf_add_literal(&b, "<style>");
    repeat(&b, "div ", 10000);
    wn_buf_add_literal(&b, "{ color: red }");
    repeat(&b, ":not(", 10000);
    wn_buf_add_literal(&b, "{} ");
    repeat(&b, "div > ", 10000);
    wn_buf_add_literal(&b, "p { color: red }</style>");
    repeat(&b, "<div>", 10000);
    check_hostile(&b, "deep selectors");

    wn_buf_add_literal(&b, "<style>");
    repeat(&b, "div, p { & & { color: red; ", 10000);
    wn_buf_add_literal(&b, "</style>");
    repeat(&b, "<div>", 500);
    check_hostile(&b, "deep nesting");

    wn_buf_add_literal(&b, "<style>p { --a0: var(--a1) var(--a1);");
    for (int i = 1; i < 10000; i++)
        wn_buf_add_format(&b, "--a%d: var(--a%d) var(--a%d);", i, i + 1, i + 1);
    wn_buf_add_literal(&b, "--a10000: x; width: var(--a0); --c: var(--d); --d: var(--c) }</style>");
    repeat(&b, "<p style='width: var(--a9990); height: var(--c)'>", 1000);
    check_hostile(&b, "variables");

    wn_buf_add_literal(&b, "<p style='width: ");
    repeat(&b, "calc(", 100000);
    wn_buf_add_literal(&b, "; height: calc(1px");
    repeat(&b, " + min(1px, 2%)", 6000);
    wn_buf_add_literal(&b, ")'>");
    check_hostile(&b, "calc()");

    wn_buf_add_literal(&b, "<p style='");
    repeat(&b, "color: red; ", 900000);
    wn_buf_add_literal(&b, "'>");
    check_hostile(&b, "10 MB of style=");

    wn_buf_add_literal(&b, "<style>i ~ b, b:has(u), b:nth-child(2n of b) { color: red }</style>");
    repeat(&b, "<b></b>", 50000);
    check_hostile(&b, "siblings");
}

/* ---- Memory ------------------------------------------------------------------------------ */

/* Styles are whole or missing, and a page that failed leaves nothing to the next one. */
static void memory_runs_out(void **state)
{
    (void)state;
    enum { STEP = 1000, MOST = 4 << 20 };
    page p = open_page(
        "<style>@layer a,b;:root{--c:green;--d:var(--c)}#x{color:var(--d);width:min(5%,20px)}"
        ".g{display:grid;grid-template:'a b' 1fr 'c c' [z] auto / repeat(3,10px) 1fr}"
        ".g:nth-child(2n)::before{content:'a' attr(title) 'b'}@layer a{p.q,.g p{margin:1em}}</style>"
        "<div class='g q'></div><div class=g title=t><p class=q bgcolor=red></div><div id=x></div>");
    bool enough = false;
    for (size_t max = STEP; !enough; max += STEP) {
        wn_arena small;
        wn_arena_init(&small, max);
        const wn_styles *styles = wn_css_compute(p.css, &p.doc, &wn_css_defaults, &small);
        enough = styles != NULL;
        assert_int_equal(small.failed, !enough);
        if (enough)
            assert_int_equal(wn_css_style_of(styles, find_x(&p))->color, GREEN);
        wn_arena_free(&small);
        assert_true(max < MOST);
    }
    close_page(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens),
        cmocka_unit_test(selectors),
        cmocka_unit_test(cascade),
        cmocka_unit_test(browsers_defaults),
        cmocka_unit_test(attributes),
        cmocka_unit_test(values),
        cmocka_unit_test(comparisons),
        cmocka_unit_test(grids),
        cmocka_unit_test(generated_text),
        cmocka_unit_test(styles_are_shared),
        cmocka_unit_test(linked_sheets),
        cmocka_unit_test(linked_sheet_that_moved),
        cmocka_unit_test(encodings_of_sheets),
        cmocka_unit_test(sheets_that_are_not_asked_for),
        cmocka_unit_test(sheets_of_the_interface),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(many_rules_alike),
        cmocka_unit_test(hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
