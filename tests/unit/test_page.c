/*
 * Unit tests of the page: what blocks are made of a document, what the result tells of them, and
 * that neither limits nor hostile nesting break anything.
 *
 *     test_page        no arguments
 *
 * The text of blocks and how it is written is tested by the cases in tests/cases/text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "auto/trimmed_page.h"
#include "html/tree.h"
#include "page/builder.h"
#include "support/check_page.h"
#include "support/extract.h"
#include "support/files.h"

typedef struct fixture {
    wn_arena arena;
    wn_tree *tree;
    wn_doc doc;
    wn_page_builder *builder;
    wn_page page;
    extractor *extractor;
    wn_buf html;
} fixture;

static int setup(void **state)
{
    static fixture f;
    f = (fixture){.tree = wn_html_tree_new(), .builder = wn_page_builder_new()};
    f.extractor = extractor_new();
    f.extractor->method = "all";
    extractor_set(f.extractor, "blocks", "yes");
    wn_arena_init(&f.arena, 0);
    *state = &f;
    return f.tree && f.builder ? 0 : -1;
}

static int teardown(void **state)
{
    fixture *f = *state;
    wn_doc_free(&f->doc);
    wn_html_tree_free(f->tree);
    wn_page_builder_free(f->builder);
    wn_page_free(&f->page);
    wn_arena_free(&f->arena);
    wn_buf_free(&f->html);
    extractor_free(f->extractor);
    return 0;
}

/* ---- Helpers ----------------------------------------------------------------------------- */

/* What must hold for every page: blocks and spans in order, inside the text. */
static void assert_sound(const wn_page *page)
{
    uint32_t end = 0, spans = 0;
    for (uint32_t i = 0; i < page->blocks.count; i++) {
        const wn_block *block = &page->blocks.items[i];
        assert_true(block->len > 0 && block->text >= end);
        end = block->text + block->len;
        assert_true(end < page->text.len && page->text.ptr[end] == '\0');
        assert_true(block->link_bytes <= block->len);
        assert_int_equal(block->first_span, spans);
        spans += block->span_count;
        uint32_t start = block->text;
        for (uint32_t j = block->first_span; j < spans; j++) {
            const wn_span *span = &page->spans.items[j];
            bool is_image = span->kind == WN_SPAN_IMAGE; /* it has no text */
            assert_true(span->start >= start && span->end <= end);
            assert_true(is_image ? span->start == span->end : span->start < span->end);
            start = span->start;
        }
    }
    assert_int_equal(spans, page->spans.count);
}

static const wn_page *build(fixture *f, const char *html)
{
    wn_html_tree_parse(f->tree, &f->doc, &f->arena, wn_str_of(html), &wn_parse_defaults);
    wn_page_build(f->builder, &f->page, &f->doc, NULL);
    assert_false(f->page.failed);
    assert_sound(&f->page);
    return &f->page;
}

static const wn_block *find_block(const wn_page *page, const char *text)
{
    for (uint32_t i = 0; i < page->blocks.count; i++)
        if (wn_str_eq(wn_block_text(page, &page->blocks.items[i]), wn_str_of(text)))
            return &page->blocks.items[i];
    fail_msg("no block \"%s\", only: %s", text, page->blocks.count ? page->text.ptr : "none");
    return NULL;
}

static const extracted *run(fixture *f, const void *html, size_t size)
{
    return extract(f->extractor, html, size);
}

static const extracted *run_string(fixture *f, const char *html)
{
    return run(f, html, strlen(html));
}

static void repeat(wn_buf *out, const char *text, int times)
{
    for (int i = 0; i < times; i++)
        wn_buf_add_literal(out, text);
}

/* ---- Blocks ------------------------------------------------------------------------------ */

static void elements_give_kinds(void **state)
{
    static const struct {
        const char *html;
        winnow_block_kind kind;
    } examples[] = {
        {"x", WINNOW_BLOCK_PARAGRAPH},
        {"<p>x", WINNOW_BLOCK_PARAGRAPH},
        {"<h3>x", WINNOW_BLOCK_HEADING},
        {"<h3><div>x", WINNOW_BLOCK_HEADING},
        {"<ul><li>x", WINNOW_BLOCK_LIST_ITEM},
        {"<ul><li><p>x", WINNOW_BLOCK_LIST_ITEM},
        {"<ul><li><h2>x", WINNOW_BLOCK_HEADING},
        {"<dl><dt>x", WINNOW_BLOCK_TERM},
        {"<dl><dd>x", WINNOW_BLOCK_DETAIL},
        {"<table><tr><td>x<td>y", WINNOW_BLOCK_CELL},
        {"<table><tr><th>x<th>y", WINNOW_BLOCK_CELL},
        {"<table><tr><td>x", WINNOW_BLOCK_PARAGRAPH},
        {"<table><caption>x", WINNOW_BLOCK_CAPTION},
        {"<figure><figcaption>x", WINNOW_BLOCK_CAPTION},
        {"<pre>x", WINNOW_BLOCK_CODE},
        {"<pre><code>x", WINNOW_BLOCK_CODE},
        {"<p><code>x", WINNOW_BLOCK_PARAGRAPH},
        {"<blockquote>x", WINNOW_BLOCK_QUOTE},
        {"<blockquote><p>x", WINNOW_BLOCK_QUOTE},
        {"<select><option>x", WINNOW_BLOCK_FORM},
        {"<fieldset><legend>x", WINNOW_BLOCK_FORM},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const wn_block *block = find_block(build(*state, examples[i].html), "x");
        if (block->kind != examples[i].kind)
            fail_msg("%s: %s", examples[i].html, winnow_block_kind_name(block->kind));
    }
}

static void headings_have_levels(void **state)
{
    const wn_page *page = build(*state, "<h1>a</h1><h6>b</h6><p>c");
    assert_int_equal(find_block(page, "a")->level, 1);
    assert_int_equal(find_block(page, "b")->level, 6);
    assert_int_equal(find_block(page, "c")->level, 0);
}

static void lists_have_depths_and_numbers(void **state)
{
    const wn_page *page = build(*state, "<ol start=5><li>a<ul><li>b<p>c</p><li>d</ul>e"
                                        "<li value=9>f<li>g</ol><p>h");
    static const struct {
        const char *text;
        int depth, number;
        bool starts, ordered;
    } expected[] = {
        {"a", 1, 5, true, true},  {"b", 2, 1, true, false},  {"c", 2, 1, false, false},
        {"d", 2, 2, true, false}, {"e", 1, 5, false, true},  {"f", 1, 9, true, true},
        {"g", 1, 10, true, true}, {"h", 0, 0, false, false},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const wn_block *block = find_block(page, expected[i].text);
        assert_int_equal(block->list_depth, expected[i].depth);
        assert_int_equal(block->number, expected[i].number);
        assert_int_equal(!!(block->flags & WN_BLOCK_ITEM_START), expected[i].starts);
        assert_int_equal(!!(block->flags & WN_BLOCK_ORDERED), expected[i].ordered);
    }
}

static void quotations_have_depths(void **state)
{
    const wn_page *page = build(*state, "<blockquote>a<blockquote>b</blockquote>c</blockquote>d");
    assert_int_equal(find_block(page, "a")->quote_depth, 1);
    assert_int_equal(find_block(page, "b")->quote_depth, 2);
    assert_int_equal(find_block(page, "c")->quote_depth, 1);
    assert_int_equal(find_block(page, "d")->quote_depth, 0);
}

static void cells_have_places(void **state)
{
    const wn_page *page = build(*state, "<table><caption>cap<tr><th colspan=2>a<th>b<tr><td>c<td>"
                                        "<td>d</table><table><tr><td>e<td>f</table>g");
    static const struct {
        const char *text;
        uint32_t table, row, column;
        bool header;
    } expected[] = {
        {"a", 1, 0, 0, true},  {"b", 1, 0, 2, true},    {"c", 1, 1, 0, false},
        {"d", 1, 1, 2, false}, {"e", 2, 0, 0, false},   {"f", 2, 0, 1, false},
        {"g", 0, 0, 0, false}, {"cap", 1, 0, 0, false},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const wn_block *block = find_block(page, expected[i].text);
        assert_int_equal(block->table, expected[i].table);
        assert_int_equal(block->row, expected[i].row);
        assert_int_equal(block->column, expected[i].column);
        assert_int_equal(!!(block->flags & WN_BLOCK_HEADER_CELL), expected[i].header);
    }
}

static void tables_around_tables_are_none(void **state)
{
    const wn_page *page = build(*state,
                                "<table><tr><td>a<td><table><tr><td>b<td>c</table></table>");
    assert_int_equal(find_block(page, "a")->table, 0);
    assert_int_equal(find_block(page, "a")->kind, WINNOW_BLOCK_PARAGRAPH);
    assert_int_equal(find_block(page, "b")->table, find_block(page, "c")->table);
    assert_int_equal(find_block(page, "b")->kind, WINNOW_BLOCK_CELL);
}

static void links_and_code_are_spans(void **state)
{
    const wn_page *page = build(*state, "<p>ab <a href=x> cd <code>e</code></a> <a>f</a>"
                                        "<samp>g<a href=y>h</a></samp>");
    const wn_block *block = find_block(page, "ab cd e fgh");
    static const struct {
        wn_span_kind kind;
        uint32_t start, end;
    } expected[] = {
        {WN_SPAN_LINK, 3, 7},
        {WN_SPAN_CODE, 6, 7},
        {WN_SPAN_CODE, 9, 11},
        {WN_SPAN_LINK, 10, 11},
    };
    assert_int_equal(block->span_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        const wn_span *span = &page->spans.items[block->first_span + i];
        assert_int_equal(span->kind, expected[i].kind);
        assert_int_equal(span->start - block->text, expected[i].start);
        assert_int_equal(span->end - block->text, expected[i].end);
    }
    assert_int_equal(block->link_bytes, 5);
}

static void a_link_around_blocks_is_in_each(void **state)
{
    const wn_page *page = build(*state, "<a href=x><h2>ab</h2><p>cd</a>");
    assert_int_equal(find_block(page, "ab")->link_bytes, 2);
    assert_int_equal(find_block(page, "cd")->link_bytes, 2);
}

static void hidden_text_is_marked(void **state)
{
    static const struct {
        const char *html;
        unsigned flags;
    } examples[] = {
        {"<p>x", 0},
        {"<p hidden>x", WN_BLOCK_HIDDEN},
        {"<p>seen <b hidden>x<br></b>", WN_BLOCK_HIDDEN | WN_BLOCK_CONTINUES},
        {"<p>seen<br><br>x", WN_BLOCK_CONTINUES},
        {"<p>seen<p>x", 0},
        {"<div style='display: none'><p>x", WN_BLOCK_HIDDEN},
        {"<p style='DISPLAY:NONE'>x", WN_BLOCK_HIDDEN},
        {"<p style='visibility:hidden'>x", WN_BLOCK_HIDDEN},
        {"<dialog>x", WN_BLOCK_HIDDEN},
        {"<dialog open>x", 0},
        {"<p aria-hidden=true>x", WN_BLOCK_ARIA_HIDDEN},
        {"<p aria-hidden=false>x", 0},
        {"<body><noscript>x", WN_BLOCK_NOSCRIPT},
        {"<body><template><p>x", WN_BLOCK_TEMPLATE},
        {"<details><p>x", WN_BLOCK_FOLDED},
        {"<details><summary>x", 0},
        {"<details open><p>x", 0},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const wn_block *block = find_block(build(*state, examples[i].html), "x");
        if (block->flags != examples[i].flags)
            fail_msg("%s: flags %x", examples[i].html, block->flags);
    }
}

/* A few of them are not read, unless they are all there is. */
static void hidden_words_do_not_divide_a_line(void **state)
{
    find_block(build(*state, "<p>In 1991 <span style='display:none'>(1991-02-20)</span>it was"),
               "In 1991 it was");
    find_block(build(*state, "<table><tr><td><i hidden>0042</i>forty-two<td>b</table>"),
               "forty-two");
    find_block(build(*state, "<p><span hidden>alone</span></p><p>b"), "alone");
    find_block(build(*state, "<p>What comes next: <span hidden>a text that is long enough to be "
                             "the rest of this very sentence, which a click shows.</span>"),
               "a text that is long enough to be the rest of this very sentence, which a click "
               "shows.");
}

static void words_are_counted(void **state)
{
    assert_int_equal(find_block(build(*state, "<p>a  bc\n<b>d</b>e f"), "a bc de f")->words, 4);
    assert_int_equal(find_block(build(*state, "<pre>a  b\nc</pre>"), "a  b\nc")->words, 3);
    assert_true(find_block(build(*state, "<p>中文文字"), "中文文字")->words >= 2);
}

/* Programs that colour code wrap its lines. */
static void code_is_one_block(void **state)
{
    static const char *const examples[] = {
        "<pre>a b\n c</pre>",
        "<pre><code><div>a b</div><div> c</div></code></pre>",
        "<pre><code><div>a b<br></div><div> c<br></div></code></pre>",
        "<pre><ol><li>a <b>b</b></li><li> c</li></ol></pre>",
        "<pre>a b<div> c</div></pre>",
        "<pre>a b<br> c</pre>",
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const wn_page *page = build(*state, examples[i]);
        assert_int_equal(page->blocks.count, 1);
        const wn_block *block = find_block(page, "a b\n c");
        assert_int_equal(block->kind, WINNOW_BLOCK_CODE);
        assert_int_equal(block->words, 3);
    }
    assert_int_equal(find_block(build(*state, "<pre>a<p>b"), "b")->words, 1);
    assert_int_equal(build(*state, "<pre>a</pre><div>b</div>")->blocks.count, 2);
}

static void elements_that_touch(void **state)
{
    static const struct {
        const char *html, *text;
    } examples[] = {
        {"<span>Size</span><span>XL</span>", "Size XL"},
        {"<a href=x>Contact</a><a href=y>Blog</a>", "Contact Blog"},
        {"<span><b>Size</b></span><span><i>Über</i></span>", "Size Über"},
        {"<label>Pads</label><span>158</span>", "Pads 158"},
        {"<a href=x>ab</a><img><a href=y>Cd</a>", "ab Cd"},
        {"<span>ab</span><i></i><span>Cd</span>", "ab Cd"},
        {"<span>ab</span> <span>Cd</span>", "ab Cd"},
        /* Inside a word. */
        {"<span>ear</span><span>ly</span>", "early"},
        {"<b>O</b><i>NCE</i>", "ONCE"},
        {"<i>A</i><i>B</i><i>C</i><i>D</i>", "ABCD"},
        {"Mac<b>Adam</b>", "MacAdam"},
        {"Mac<img><b>Adam</b>", "MacAdam"},
        {"Mac<script>x</script><b>Adam</b>", "MacAdam"},
        {"<b>Mac</b>Adam", "MacAdam"},
        {"<i>CO</i><sub>2</sub>", "CO2"},
        {"<span>AB-</span><span>4</span>", "AB-4"},
        {"<span>snake_</span><wbr><span>Case</span>", "snake_Case"},
        {"<span>中文</span><span>5文</span>", "中文5文"},
        {"<pre><b>int</b><i>X</i>", "intX"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const wn_page *page = build(*state, examples[i].html);
        assert_int_equal(page->blocks.count, 1);
        find_block(page, examples[i].text);
    }
}

/* ---- Results ----------------------------------------------------------------------------- */

static void results_tell_title_and_language(void **state)
{
    const extracted *result = run_string(*state,
                                         "<html lang=' pt-BR '><title> A\n <b>B </title><p>x");
    const winnow_metadata *metadata = winnow_selection_metadata(result->content);
    assert_string_equal(metadata->title, "A <b>B");
    assert_string_equal(metadata->language, "pt-BR");
    assert_string_equal(winnow_selection_method(result->content), "all");
    assert_int_equal(result->status, WINNOW_STATUS_OK);
    result = run_string(*state, "<p>x");
    assert_string_equal(winnow_selection_metadata(result->content)->title, "");
}

static void explaining_gives_every_block_with_reason_and_path(void **state)
{
    fixture *f = *state;
    const char *html = "<body><div id=main class='a  b'><p>seen</div><p hidden>not</p>";
    const extracted *result = run_string(f, html);
    assert_int_equal(extracted_kept_count(result), 1);
    assert_string_equal(extracted_kept(result, 0)->path, "");

    extractor_set(f->extractor, "explain", "yes");
    result = run_string(f, html);
    assert_int_equal(winnow_selection_block_count(result->content), 2);
    const winnow_block *seen = winnow_selection_block(result->content, 0);
    const winnow_block *hidden = winnow_selection_block(result->content, 1);
    assert_true(seen->kept);
    assert_string_equal(seen->path, "html > body > div#main.a.b > p");
    assert_string_equal(seen->text, "seen");
    assert_false(hidden->kept);
    assert_string_equal(hidden->reason, "hidden");
    assert_string_equal(result->text, "seen\n");
}

/* What is shown never changes which text there is. */
static void formats_have_the_same_blocks(void **state)
{
    fixture *f = *state;
    const char *html = "<h1>a</h1><p>b <a href=x>c</a><ul><li>d</ul><p hidden>e";
    for (int format = WINNOW_FORMAT_TEXT; format <= WINNOW_FORMAT_JSON; format++) {
        for (int links = 0; links < 2; links++) {
            f->extractor->format = (winnow_format)format;
            extractor_set(f->extractor, "links", links ? "yes" : "no");
            const extracted *result = run_string(f, html);
            assert_int_equal(extracted_kept_count(result), 3);
            assert_string_equal(extracted_kept(result, 1)->text, "b c");
        }
    }
}

static void statuses(void **state)
{
    static const struct {
        const char *bytes;
        winnow_status status;
    } examples[] = {
        {"", WINNOW_STATUS_EMPTY},
        {"<!DOCTYPE html><title>t</title>", WINNOW_STATUS_EMPTY},
        {"<p hidden>x", WINNOW_STATUS_EMPTY},
        {"<p>x", WINNOW_STATUS_OK},
        {"%PDF-1.4\n%\xE2\xE3\xCF\xD3\n1 0 obj", WINNOW_STATUS_NOT_HTML},
        {"\x89PNG\r\n\x1A\n", WINNOW_STATUS_NOT_HTML},
        {"PK\x03\x04zip", WINNOW_STATUS_NOT_HTML},
        {"just words, and no markup", WINNOW_STATUS_NOT_HTML},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const extracted *result = run_string(*state, examples[i].bytes);
        if (result->status != examples[i].status)
            fail_msg("\"%s\": %s", examples[i].bytes, winnow_status_name(result->status));
        assert_int_equal(strlen(result->text), result->size);
    }
    assert_int_equal(run(*state, NULL, 0)->status, WINNOW_STATUS_EMPTY);
    ((fixture *)*state)->extractor->method = "none";
    assert_int_equal(run_string(*state, "<p>x")->status, WINNOW_STATUS_UNKNOWN_METHOD);
}

/* ---- Limits ------------------------------------------------------------------------------ */

static void reaching_a_limit_gives_what_there_is(void **state)
{
    fixture *f = *state;
    wn_buf_add_literal(&f->html, "<body><p>first");
    repeat(&f->html, "<div>", 20);
    repeat(&f->html, "<p a=1 b=2 c=3 d=4>more", 1000);
    static const unsigned bits[] = {WINNOW_LIMITED_BYTES, WINNOW_LIMITED_NODES,
                                    WINNOW_LIMITED_DEPTH, WINNOW_LIMITED_ATTRIBUTES};
    for (int i = 0; i < 4; i++) {
        extractor_set(f->extractor, "max_bytes", i == 0 ? "50" : "0");
        extractor_set(f->extractor, "max_nodes", i == 1 ? "50" : "3000000");
        extractor_set(f->extractor, "max_depth", i == 2 ? "10" : "512");
        extractor_set(f->extractor, "max_attributes", i == 3 ? "2" : "1024");
        const extracted *result = run(f, f->html.ptr, f->html.len);
        assert_int_equal(result->status, WINNOW_STATUS_PARTIAL);
        assert_int_equal(result->limited, bits[i]);
        assert_memory_equal(result->text, "first", 5);
    }
}

static void assert_valid_with_little_memory(fixture *f, uint64_t memory)
{
    extractor *e = f->extractor;
    winnow_options_set_number(e->options, WINNOW_OPTION_MAX_MEMORY, memory);
    winnow_page_free(e->page);
    e->page = winnow_page_new(); /* a fresh one: it has no memory to reuse */
    const extracted *result = run(f, f->html.ptr, f->html.len);
    bool limited = result->limited & WINNOW_LIMITED_MEMORY ||
                   result->limited & WINNOW_LIMITED_NODES;
    assert_int_equal(strlen(result->text), result->size);
    assert_true(result->status == WINNOW_STATUS_OK || result->status == WINNOW_STATUS_PARTIAL ||
                result->status == WINNOW_STATUS_NO_MEMORY ||
                result->status == WINNOW_STATUS_EMPTY || result->status == WINNOW_STATUS_NOT_HTML);
    assert_true(result->status != WINNOW_STATUS_PARTIAL || limited);
}

static void any_memory_limit_gives_a_valid_result(void **state)
{
    fixture *f = *state;
    wn_buf_add_literal(&f->html, "<title>t</title><base href=/x/>");
    repeat(&f->html,
           "<h2>a &amp; b</h2><ul><li>c<ol><li><a href=u>d</a> <code>e</code></ol></ul>"
           "<table><tr><th>f<th>g<tr><td>h<td>i</table><blockquote>j<pre>k\nl</pre></blockquote>",
           200);
    extractor_set(f->extractor, "links", "yes");
    extractor_set(f->extractor, "explain", "yes");
    for (int format = WINNOW_FORMAT_TEXT; format <= WINNOW_FORMAT_JSON; format++) {
        f->extractor->format = (winnow_format)format;
        for (uint64_t memory = 1; memory <= 1 << 20; memory += memory / 3 + 1)
            assert_valid_with_little_memory(f, memory);
    }
}

/* ---- Hostile nesting --------------------------------------------------------------------- */

/* Runs the page in both formats; output must not be much larger than the input. */
static void assert_bounded(fixture *f, size_t most_bytes_per_byte)
{
    double start = test_now();
    for (int format = WINNOW_FORMAT_TEXT; format <= WINNOW_FORMAT_MARKDOWN; format++) {
        f->extractor->format = (winnow_format)format;
        extractor_set(f->extractor, "links", "yes");
        const extracted *result = run(f, f->html.ptr, f->html.len);
        assert_true(result->status == WINNOW_STATUS_OK || result->status == WINNOW_STATUS_PARTIAL);
        if (result->size > f->html.len * most_bytes_per_byte)
            fail_msg("%zu bytes of output from %zu", result->size, f->html.len);
    }
    double most = 4 * check_page_time_scale();
    if (test_now() - start > most)
        fail_msg("took more than %.0f s", most);
    wn_buf_clear(&f->html);
}

static void a_million_open_tags(void **state)
{
    static const char *const tags[] = {"<div>",        "<b>",       "<a href=x>", "<span hidden>",
                                       "<p>",          "<ul>",      "<li>",       "<table>",
                                       "<blockquote>", "<details>", "</x>"};
    fixture *f = *state;
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        wn_buf_add_literal(&f->html, "<p>first");
        repeat(&f->html, tags[i], 1000000 / (int)(sizeof tags / sizeof *tags));
        wn_buf_add_literal(&f->html, "last");
        assert_bounded(f, 2);
    }
    wn_buf_add_literal(&f->html, "<p>first");
    for (size_t i = 0; i < 1000000; i++)
        wn_buf_add_literal(&f->html, tags[i % (sizeof tags / sizeof *tags)]);
    wn_buf_add_literal(&f->html, "last");
    assert_bounded(f, 2);
}

/* Depths are counted in bytes and shown up to a bound: neither may overflow. */
static void deep_nesting_is_shown_up_to_a_bound(void **state)
{
    static const char *const nests[] = {
        "<ul><li>x",
        "<ol start=99999999><li>x",
        "<blockquote>x",
        "<ul><li><blockquote>x",
        "<ul><ul><li>x",
        "<dl><dd>x",
        "<table><tr><td>x<td>y",
        "<blockquote><pre>a\n\n\n\n</pre>",
    };
    fixture *f = *state;
    extractor_set(f->extractor, "max_depth", "65535");
    for (size_t i = 0; i < sizeof nests / sizeof *nests; i++) {
        repeat(&f->html, nests[i], 300);
        assert_bounded(f, 40);
        repeat(&f->html, nests[i], 5000);
        assert_bounded(f, 40);
    }
    extractor_set(f->extractor, "max_depth", "0");
    repeat(&f->html, "<blockquote>", 100000);
    repeat(&f->html, "<p>x", 1000);
    assert_bounded(f, 40);
}

/* Many blocks deep down: finding out what they are in must not cost a walk each. */
static void many_blocks_deep_down(void **state)
{
    fixture *f = *state;
    repeat(&f->html, "<div>", 400);
    repeat(&f->html, "<ul><li>", 20);
    repeat(&f->html, "<p>x", 200000);
    assert_bounded(f, 40);
    wn_buf_add_literal(&f->html, "<ul>");
    repeat(&f->html, "<li>x", 200000);
    assert_bounded(f, 2);
}

static void wide_and_ragged_tables(void **state)
{
    fixture *f = *state;
    wn_buf_add_literal(&f->html, "<table><tr>");
    repeat(&f->html, "<td>x", 20000);
    repeat(&f->html, "<tr><td>y", 20000);
    assert_bounded(f, 4);
    wn_buf_add_literal(&f->html, "<table>");
    repeat(&f->html, "<tr><td colspan=1000>x<td>y", 10000);
    assert_bounded(f, 40);
    wn_buf_add_literal(&f->html, "<table>");
    repeat(&f->html, "<tr><td>x<td><pre>y</pre>", 20000);
    wn_buf_add_literal(&f->html, "<tr><td>x<td><pre>y\nz</pre>");
    assert_bounded(f, 4);
}

static void many_spans_in_a_block(void **state)
{
    fixture *f = *state;
    wn_buf_add_literal(&f->html, "<p><code>");
    repeat(&f->html, "<a href=x>y</a> ", 20000);
    assert_bounded(f, 4);
    wn_buf_add_literal(&f->html, "<p><a href=x>");
    repeat(&f->html, "<code>y</code>z", 20000);
    assert_bounded(f, 4);
    wn_buf_add_literal(&f->html, "<p>");
    repeat(&f->html, "[*_`<br>[", 20000);
    assert_bounded(f, 4);
    wn_buf_add_literal(&f->html, "<p>");
    repeat(&f->html, "http://_", 20000);
    assert_bounded(f, 4);
}

/* ---- Trimmed pages ------------------------------------------------------------------------ */

static void assert_edge(fixture *f, const char *html, bool is_edge)
{
    const wn_block *block = find_block(build(f, html), "x");
    assert_int_equal(!!(block->flags & WN_BLOCK_EDGE), is_edge);
}

static void navigation_footers_and_drawings_are_edges(void **state)
{
    assert_edge(*state, "<nav><ul><li><a href=/>x</a></ul></nav>", true);
    assert_edge(*state, "<footer><p>x</footer>", true);
    assert_edge(*state, "<div role=Navigation><p>x</div>", true);
    assert_edge(*state, "<div role=contentinfo>x</div>", true);
    assert_edge(*state, "<svg><text>x</text></svg>", true);
    assert_edge(*state, "<svg><foreignObject><p>x</foreignObject></svg>", true);
    assert_edge(*state, "<svg></svg><p>x", false);
    assert_edge(*state, "<nav>menu</nav><p>x", false);
    assert_edge(*state, "<header>x</header>", false);
    assert_edge(*state, "<div role=main>x</div>", false);
    assert_edge(*state, "<blockquote>said<footer>x</footer></blockquote>", false);
    /* It divides no block. */
    assert_int_equal(build(*state, "<p>a <nav style='display:inline'>b</nav> c")->blocks.count, 2);
}

static wn_auto_trimmed_page trimmed_of(fixture *f, const char *html)
{
    wn_auto_trimmed_page trimmed;
    assert_true(wn_auto_trim_page(&trimmed, build(f, html), &f->arena));
    return trimmed;
}

static void a_trimmed_page_has_no_edges(void **state)
{
    wn_auto_trimmed_page trimmed = trimmed_of(
        *state, "<nav><p>Home page<p>Shop</nav><p>One<p>Two<footer>Imprint</footer><p>Three");
    static const uint32_t origins[] = {2, 3, 5};
    assert_int_equal(trimmed.page.blocks.count, 3);
    assert_memory_equal(trimmed.origins, origins, sizeof origins);
    assert_int_equal(trimmed.words_beside, 4);
    assert_ptr_equal(trimmed.page.text.ptr, ((fixture *)*state)->page.text.ptr);
    assert_int_equal(trimmed_of(*state, "<nav>Home</nav>").page.blocks.count, 0);
    assert_int_equal(trimmed_of(*state, "").page.blocks.count, 0);
}

/* A <nav> that is never closed holds the article, too. */
static void texts_at_the_edges_make_them_none(void **state)
{
    fixture *f = *state;
    wn_buf_add_literal(&f->html, "<p>A site of words<nav><a href=/>Home</a>");
    for (int i = 0; i < 20; i++)
        wn_buf_add_literal(
            &f->html, "<p>An article says, in sentence after sentence, what someone wants to say.");
    wn_buf_add_char(&f->html, '\0');
    wn_auto_trimmed_page trimmed = trimmed_of(f, f->html.ptr);
    assert_int_equal(trimmed.page.blocks.count, 22);
    assert_int_equal(trimmed.words_beside, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(elements_give_kinds),
        TEST(headings_have_levels),
        TEST(lists_have_depths_and_numbers),
        TEST(quotations_have_depths),
        TEST(cells_have_places),
        TEST(tables_around_tables_are_none),
        TEST(links_and_code_are_spans),
        TEST(a_link_around_blocks_is_in_each),
        TEST(hidden_text_is_marked),
        TEST(hidden_words_do_not_divide_a_line),
        TEST(words_are_counted),
        TEST(code_is_one_block),
        TEST(elements_that_touch),
        TEST(results_tell_title_and_language),
        TEST(explaining_gives_every_block_with_reason_and_path),
        TEST(formats_have_the_same_blocks),
        TEST(statuses),
        TEST(reaching_a_limit_gives_what_there_is),
        TEST(any_memory_limit_gives_a_valid_result),
        TEST(a_million_open_tags),
        TEST(deep_nesting_is_shown_up_to_a_bound),
        TEST(many_blocks_deep_down),
        TEST(wide_and_ragged_tables),
        TEST(many_spans_in_a_block),
        TEST(navigation_footers_and_drawings_are_edges),
        TEST(a_trimmed_page_has_no_edges),
        TEST(texts_at_the_edges_make_them_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
