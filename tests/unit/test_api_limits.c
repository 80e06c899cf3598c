/*
 * Memory and time through winnow.h: allocators that count and fail, time limits, callbacks that
 * cancel, and models whose bytes are gone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/handles.h"
#include "auto/model_data.h"
#include "support/check_page.h"
#include "support/files.h"
#include "winnow.h"

/* ---- An allocator that fails ------------------------------------------------------------- */

typedef struct shaky_memory {
    size_t calls, fails_at; /* the call that fails, from 1; 0: none does */
    bool stays_out;         /* all calls after that one fail, too */
    bool has_failed;
    size_t held; /* pieces that were given out and not released */
} shaky_memory;

static bool fails(shaky_memory *m)
{
    m->calls++;
    bool now = m->fails_at && (m->stays_out ? m->calls >= m->fails_at : m->calls == m->fails_at);
    m->has_failed |= now;
    return now;
}

static void *shaky_allocate(void *data, size_t size)
{
    shaky_memory *m = data;
    void *piece = fails(m) ? NULL : malloc(size ? size : 1);
    m->held += piece != NULL;
    return piece;
}

static void *shaky_resize(void *data, void *memory, size_t size)
{
    shaky_memory *m = data;
    if (!memory)
        return shaky_allocate(data, size);
    return fails(m) ? NULL : realloc(memory, size ? size : 1);
}

static void shaky_release(void *data, void *memory)
{
    shaky_memory *m = data;
    m->held -= memory != NULL;
    free(memory);
}

static winnow_page *shaky_page(shaky_memory *m)
{
    winnow_allocator allocator = {
        .struct_size = sizeof allocator,
        .allocate = shaky_allocate,
        .resize = shaky_resize,
        .release = shaky_release,
        .data = m,
    };
    winnow_page *page = winnow_page_new_with(&allocator);
    memset(&allocator, 0, sizeof allocator); /* it was copied */
    return page;
}

/* ---- Memory that runs out ---------------------------------------------------------------- */

typedef struct trial {
    const char *name, *method;
    wn_buf html;
    winnow_options *options;
    char *expected[2]; /* JSON and Markdown, with all memory */
    winnow_status status;
    int complaints;
} trial;

static const winnow_format trial_formats[2] = {WINNOW_FORMAT_JSON, WINNOW_FORMAT_MARKDOWN};

/* Says what went wrong. All trials are made before the test fails. */
static void complain(trial *t, const shaky_memory *m, const char *what)
{
    printf("%s, %s: %s after failure %zu%s\n", t->name, t->method, what, m->fails_at,
           m->stays_out ? " and all later ones" : "");
    t->complaints++;
}

static void show_difference(const char *text, const char *expected)
{
    size_t at = 0;
    while (text[at] == expected[at])
        at++;
    at = at > 40 ? at - 40 : 0;
    printf("got      …%.100s\nexpected …%.100s\n", text + at, expected + at);
}

/*
 * One page through a handle. What is said to be well must be what it is with all memory; else the
 * status, or the error of the handle, says that memory is out.
 */
static void run_shaky(trial *t, winnow_page *page, const shaky_memory *m)
{
    winnow_status parsed = winnow_parse(page, t->html.ptr, t->html.len, t->options);
    if (parsed != WINNOW_STATUS_OK && parsed != WINNOW_STATUS_NO_MEMORY)
        complain(t, m, winnow_status_name(parsed));
    winnow_selection *content = winnow_select(page, t->method, t->options);
    if (!content) {
        if (winnow_page_error(page)->status != WINNOW_STATUS_NO_MEMORY)
            complain(t, m, "no selection, and no word of memory");
        return;
    }
    winnow_status status = winnow_selection_status(content);
    bool is_partial = status == WINNOW_STATUS_PARTIAL &&
                      winnow_selection_limited(content) & WINNOW_LIMITED_MEMORY;
    if (status != t->status && status != WINNOW_STATUS_NO_MEMORY && !is_partial)
        complain(t, m, winnow_status_name(status));
    for (int i = 0; i < 2; i++) {
        size_t size;
        const char *text = winnow_write(content, trial_formats[i], t->options, &size);
        if (!text && winnow_page_error(page)->status != WINNOW_STATUS_NO_MEMORY)
            complain(t, m, "nothing was written, and no word of memory");
        if (text && strlen(text) != size)
            complain(t, m, "a wrong size");
        if (text && status == t->status && strcmp(text, t->expected[i]) != 0) {
            complain(t, m, "another text");
            show_difference(text, t->expected[i]);
        }
    }
}

/* Everything from a new handle on, with one failure; then the same handle with all memory. */
static bool try_failure(trial *t, size_t fails_at, bool stays_out)
{
    shaky_memory memory = {.fails_at = fails_at, .stays_out = stays_out};
    winnow_page *page = shaky_page(&memory);
    if (page) {
        run_shaky(t, page, &memory);
        memory.fails_at = 0;
        run_shaky(t, page, &memory);
        winnow_selection *content = winnow_select(page, t->method, t->options);
        bool is_well = winnow_selection_status(content) == t->status &&
                       winnow_write(content, WINNOW_FORMAT_JSON, t->options, NULL);
        memory.fails_at = fails_at;
        if (!is_well)
            complain(t, &memory, "it never recovers");
    }
    winnow_page_free(page);
    if (memory.held > 0)
        complain(t, &memory, "memory is lost");
    return memory.has_failed;
}

static void begin_trial(trial *t)
{
    winnow_page *page = winnow_page_new();
    winnow_parse(page, t->html.ptr, t->html.len, t->options);
    winnow_selection *content = winnow_select(page, t->method, t->options);
    t->status = winnow_selection_status(content);
    for (int i = 0; i < 2; i++) {
        const char *text = winnow_write(content, trial_formats[i], t->options, NULL);
        assert_non_null(text);
        t->expected[i] = strdup(text);
    }
    winnow_page_free(page);
}

static void memory_runs_out(void **state)
{
    enum { MOST_FAILURES = 2000 };
    static const char *const names[] = {"article.html", "nested_tables.html", "amp.html"};
    static const char *const methods[] = {"auto",  "lineblock", "bte", "xpath",
                                          "eifce", "outlier",   "all"};
    (void)state;
    int complaints = 0;
    const char *every = getenv("WINNOW_EVERY_FAILURE"); /* takes minutes */
    winnow_noise *noise = winnow_noise_new("home\n", 5);
    winnow_options *options = winnow_options_new();
    winnow_options_set_noise(options, noise);
    winnow_options_set(options, "explain", "yes");
    winnow_options_set(options, "links", "yes");
    winnow_options_set(options, "metadata", "yes");
    winnow_options_set(options, "url", "https://example.org/a/b.html");
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        char path[256];
        trial t = {.name = names[n], .options = options};
        snprintf(path, sizeof path, TESTS_DIR "/pages/%s", names[n]);
        assert_true(test_file_read(&t.html, path));
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
            t.method = methods[k];
            begin_trial(&t);
            for (size_t at = 1; at <= MOST_FAILURES && try_failure(&t, at, false);
                 at += 1 + (every ? 0 : at / 20))
                try_failure(&t, at, true);
            free(t.expected[0]);
            free(t.expected[1]);
        }
        complaints += t.complaints;
        wn_buf_free(&t.html);
    }
    winnow_options_free(options);
    winnow_noise_free(noise);
    assert_int_equal(complaints, 0);
}

/* A handle that several pages went through, with failures in between. */
static void all_memory_is_released(void **state)
{
    (void)state;
    shaky_memory memory = {0};
    test_files files = {0};
    winnow_page *page = shaky_page(&memory);
    assert_true(test_files_find(&files, TESTS_DIR "/pages", ".html"));
    const winnow_method_info *method;
    const winnow_format_info *format;
    for (size_t i = 0; i < files.count; i++) {
        wn_buf html = {0};
        assert_true(test_file_read(&html, files.paths[i]));
        winnow_parse(page, html.ptr, html.len, NULL);
        for (size_t m = 0; (method = winnow_method_at(m)) != NULL; m++) {
            winnow_selection *content = winnow_select(page, method->name, NULL);
            for (size_t f = 0; (format = winnow_format_at(f)) != NULL; f++)
                assert_non_null(winnow_write(content, format->format, NULL, NULL));
            winnow_selection_block_count(content);
        }
        winnow_write_failure(page, WINNOW_FORMAT_JSON, NULL, NULL, NULL);
        assert_null(winnow_select(page, "no such method", NULL));
        wn_buf_free(&html);
    }
    assert_true(memory.held > 0 && memory.calls > 0);
    assert_true(winnow_page_memory(page) > 0);
    winnow_page_free(page);
    assert_int_equal(memory.held, 0);
    test_files_free(&files);
}

/* An article with a comment and many links. */
static void add_commented(wn_buf *html)
{
    wn_buf_add_literal(html, "<title>Mills</title><article><h1>Mills</h1>");
    for (int i = 0; i < 300; i++)
        wn_buf_add_format(html,
                          "<p>Mill number %d by the river grinds grain, and <a href=/%d>its wheel"
                          "</a> turns slowly.<img src=/%d.jpg alt=Wheel width=300 height=200>",
                          i, i, i);
    wn_buf_add_literal(html, "</article><div class=comments id=comments><h2>Comments</h2>"
                             "<div class=comment><b class=author>Ann Bee</b> "
                             "<time>3 May 2024</time><p>My uncle had such a mill for many "
                             "years, and we all miss the bread.</div></div>");
}

static char *write_copy(winnow_selection *content, winnow_options *options, bool links)
{
    winnow_options_set_flag(options, WINNOW_OPTION_LINKS, links);
    winnow_options_set_flag(options, WINNOW_OPTION_IMAGES, links);
    const char *text = winnow_write(content, WINNOW_FORMAT_JSON, options, NULL);
    return text ? strdup(text) : NULL;
}

/* What was listed before memory ran out is still whole afterwards. */
static void lists_outlive_a_failure(void **state)
{
    (void)state;
    shaky_memory m = {0};
    winnow_page *page = shaky_page(&m);
    winnow_options *options = winnow_options_new();
    wn_buf html = {0};
    add_commented(&html);
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        m.fails_at = 0;
        assert_int_equal(winnow_parse(page, html.ptr, html.len, options), WINNOW_STATUS_OK);
        winnow_selection *content = winnow_select(page, "auto", options);
        char *before = write_copy(content, options, false);
        assert_non_null(strstr(before, "we all miss the bread"));
        m.fails_at = m.calls + n;
        m.has_failed = false;
        free(write_copy(content, options, true));
        failed = m.has_failed;
        m.fails_at = 0;
        char *after = write_copy(content, options, false);
        assert_string_equal(after, before);
        char *linked = write_copy(content, options, true);
        assert_non_null(strstr(linked, "/299.jpg"));
        free(before);
        free(after);
        free(linked);
    }
    wn_buf_free(&html);
    winnow_options_free(options);
    winnow_page_free(page);
    assert_int_equal(m.held, 0);
}

static void pages_of_two_allocators(void **state)
{
    static const char html[] = "<p>Rain fell on Monday, and on Tuesday.";
    (void)state;
    shaky_memory a = {0}, b = {0};
    winnow_page *first = shaky_page(&a), *second = shaky_page(&b), *third = winnow_page_new();
    for (int i = 0; i < 3; i++) {
        winnow_page *page = i == 0 ? first : i == 1 ? second : third;
        winnow_parse(page, html, sizeof html - 1, NULL);
        winnow_selection *content = winnow_select(page, "all", NULL);
        assert_non_null(winnow_write(content, WINNOW_FORMAT_JSON, NULL, NULL));
    }
    assert_true(a.held > 0 && a.held == b.held);
    winnow_page_free(first);
    assert_int_equal(a.held, 0);
    winnow_page_free(third);
    winnow_page_free(second);
    assert_int_equal(b.held, 0);
}

/* ---- Callbacks that use the library ------------------------------------------------------ */

typedef struct busy_callback {
    winnow_options *options;
    char *text;
    int calls;
} busy_callback;

/* What they make is theirs, and not from the allocator of the page that calls them. */
static void be_busy(busy_callback *busy)
{
    winnow_options_free(busy->options);
    winnow_free(busy->text);
    busy->options = winnow_options_new();
    winnow_options_set(busy->options, "url", "https://example.org/");
    busy->text = winnow_extract("<p>Rain.", 8);
    busy->calls++;
}

static bool busy_loader(void *data, const char *url, winnow_sheet *sheet)
{
    (void)url;
    sheet->bytes = "p { color: red }";
    sheet->size = 16;
    be_busy(data);
    return true;
}

static bool busy_cancel(void *data)
{
    be_busy(data);
    return false;
}

static void callbacks_may_call_the_library(void **state)
{
    static const char html[] = "<link rel=stylesheet href=a.css><p>Rain fell on Monday.";
    (void)state;
    shaky_memory memory = {0};
    busy_callback loader = {0}, cancel = {0};
    winnow_page *page = shaky_page(&memory);
    winnow_options *options = winnow_options_new();
    winnow_options_set(options, "url", "https://example.org/");
    winnow_options_set_sheet_loader(options, busy_loader, &loader);
    winnow_options_set_cancel(options, busy_cancel, &cancel);
    winnow_parse(page, html, sizeof html - 1, options);
    assert_int_equal(winnow_selection_status(winnow_select(page, "eifce", options)),
                     WINNOW_STATUS_OK);
    assert_true(loader.calls > 0 && cancel.calls > 0);
    winnow_page_free(page);
    assert_int_equal(memory.held, 0);
    assert_string_equal(loader.text, "Rain.\n");
    winnow_options_free(loader.options);
    winnow_options_free(cancel.options);
    winnow_free(loader.text);
    winnow_free(cancel.text);
    winnow_options_free(options);
}

/* ---- Budgets ----------------------------------------------------------------------------- */

/* Blocks have 32-bit offsets into their page's text. */
static void text_has_offsets_of_32_bits(void **state)
{
    (void)state;
    winnow_page *page = winnow_page_new();
    winnow_parse(page, "<p>short", 8, NULL);
    assert_in_range(page->tree.page.text.max, 1, INT32_MAX);
    assert_in_range(page->tree.text_page.text.max, 1, INT32_MAX);
    winnow_page_free(page);
}

/* A budget of styles or layout that is used up shows, and text is kept; so with little memory. */
static void budgets_of_layout_show(void **state)
{
    (void)state;
    static const char *const starts[] = {
        "<style>div{display:grid}p{grid-row:9999}</style>",
        "<style>body{display:grid}p{grid-column:span 1000;grid-row:span 1000}</style>",
    };
    for (int i = 0; i < 4; i++) {
        wn_buf html = {0};
        wn_buf_add_literal(&html, starts[i % 2]);
        for (int k = 0; k < 3000; k++)
            wn_buf_add_literal(&html, i % 2 ? "<p>words</p>" : "<div><p>words</p></div>");
        winnow_page *page = winnow_page_new();
        winnow_options *options = winnow_options_new();
        winnow_options_set_number(options, WINNOW_OPTION_MAX_MEMORY, i < 2 ? 0 : 200000000);
        winnow_parse(page, html.ptr, html.len, options);
        winnow_selection *content = winnow_select(page, "eifce", options);
        assert_int_equal(winnow_selection_status(content), WINNOW_STATUS_PARTIAL);
        assert_int_equal(winnow_selection_limited(content), WINNOW_LIMITED_WORK);
        assert_non_null(strstr(winnow_write(content, WINNOW_FORMAT_JSON, NULL, NULL), "\"work\""));
        assert_true(winnow_page_memory(page) < 100000000);
        winnow_options_free(options);
        winnow_page_free(page);
        wn_buf_free(&html);
    }
}

/* ---- Time -------------------------------------------------------------------------------- */

enum { LARGE = 50 << 20, MILLISECONDS = 50 };

/* Processor time to parse and select, as the machine may be busy; pieces have some size. */
#define MOST_SECONDS (0.001 * MILLISECONDS * 2.5)

typedef struct large_page {
    const char *name, *start, *repeated;
    bool has_nodes;      /* so many that no method reads them all in time */
    const char *charset; /* NULL: UTF-8 */
} large_page;

static const large_page large_pages[] = {
    {"paragraphs", "<p>first words of the page.",
     "<div class=\"row\"><p>The mill by the river ground the flour of three villages, and "
     "<a href=\"/x\">its miller</a> kept the books.</p></div>",
     true, NULL},
    {"nested", "<p>first words of the page.", "<div><b><ul><li><table><tr><td>mill", true, NULL},
    {"one word", "<p>first words of the page.<p>", "wwwwwwww", false, NULL},
    {"comments", "<p>first words of the page.", "<!-- - -- ", false, NULL},
    {"references", "<p>first words of the page.<p>", "&amp;&#x41;&notin&unknown;& ", false, NULL},
    {"attributes", "<p>first words of the page.<p ", "a=1 b='2' c=\"3\" ", false, NULL},
    {"rows", "<p>first words of the page.<table>", "<tr><td>one<td>two<td>three", true, NULL},
    {"not UTF-8", "<p>first words of the page.<p>", "M\xFChle am Flu\xDF ", false, NULL},
    {"Latin 1", "<p>first words of the page.<p>", "M\xFChle am Flu\xDF ", false, "latin1"},
    {"GB 18030", "<p>first words of the page.<p>", "\xD6\xD0\xCE\xC4", false, "gb18030"},
    {"Shift JIS", "<p>first words of the page.<p>", "\x93\xFA\x96\x7B\x8C\xEA", false, "sjis"},
    {"escapes", "<p>first words of the page.<p>", "\x1B$BF|K\\8l\x1B(Ba", false, "iso-2022-jp"},
    {"Johab", "<p>first words of the page.<p>", "\xD0\x65\x8B\x69", false, "johab"},
    {"Chinese", "<p>first words of the page.<p>", "\u4E2D\u6587\u6587\u672C", false, NULL},
    {"line ends", "<p>first words of the page.<p>", "mill\r\n", false, NULL},
    {"ampersands", "<p>first words of the page.<p>", "&&&&&&&&", false, NULL},
    {"long references", "<p>first words of the page.<p>", "&nGt;", false, NULL},
    {"references in values", "<p>first words of the page.<p title='", "&nGt;", false, NULL},
    {"a tag's name", "<p>first words of the page.<", "millMILL", false, NULL},
    {"a script", "<p>first words of the page.<script>", "a<b ", false, NULL},
    {"a title", "<p>first words of the page.<title>", "a<b&nGt; ", false, NULL},
    {"plain text", "<p>first words of the page.<plaintext>", "a<b c ", false, NULL},
    {"CDATA", "<p>first words of the page.<svg><![CDATA[", "a]] ", false, NULL},
};

static void make_large(wn_buf *out, const large_page *page)
{
    wn_buf_add_literal(out, page->start);
    while (out->len < LARGE)
        wn_buf_add_literal(out, page->repeated);
}

/* Parses and selects with a limit; returns the seconds of processor time. */
static double run_with_limit(const wn_buf *html, const large_page *kind, const char *method)
{
    winnow_page *page = winnow_page_new();
    winnow_options *options = winnow_options_new();
    winnow_options_set_number(options, WINNOW_OPTION_MAX_MILLISECONDS, MILLISECONDS);
    winnow_options_set_number(options, WINNOW_OPTION_MAX_BYTES, 0);
    winnow_options_set(options, "charset", kind->charset ? kind->charset : "utf-8");
    double start = test_now();
    winnow_parse(page, html->ptr, html->len, options);
    winnow_selection *content = winnow_select(page, method, options);
    double took = test_now() - start;
    winnow_status status = winnow_selection_status(content);
    assert_non_null(winnow_write(content, WINNOW_FORMAT_JSON, options, NULL));
    bool is_limited = winnow_selection_limited(content) & WINNOW_LIMITED_TIME;
    bool is_valid = status == WINNOW_STATUS_PARTIAL || status == WINNOW_STATUS_EMPTY;
    if (kind->has_nodes && !(is_limited && is_valid))
        fail_msg("%s, %s: %s, limited %x", kind->name, method, winnow_status_name(status),
                 winnow_selection_limited(content));
    winnow_options_free(options);
    winnow_page_free(page);
    return took;
}

/* The fastest of several tries counts: other work on the machine makes a run slower, never faster. */
static void check_time(const wn_buf *html, const large_page *kind, const char *method)
{
    enum { MOST_TRIES = 5 };
    double most = MOST_SECONDS * check_page_time_scale(), fastest = most + 1;
    for (int tries = 0; tries < MOST_TRIES && fastest > most; tries++) {
        double took = run_with_limit(html, kind, method);
        fastest = took < fastest ? took : fastest;
    }
    if (fastest > most)
        fail_msg("%s, %s: %.3f s", kind->name, method, fastest);
}

static void large_pages_end_in_time(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof large_pages / sizeof *large_pages; i++) {
        wn_buf html = {0};
        make_large(&html, &large_pages[i]);
        const winnow_method_info *method;
        for (size_t m = 0; (method = winnow_method_at(m)) != NULL; m++)
            if (!method->needs_noise)
                check_time(&html, &large_pages[i], method->name);
        wn_buf_free(&html);
    }
}

/* What was read by then is there. */
static void what_was_read_in_time_is_kept(void **state)
{
    (void)state;
    wn_buf html = {0};
    make_large(&html, &large_pages[0]);
    winnow_page *page = winnow_page_new();
    winnow_options *options = winnow_options_new();
    winnow_options_set_number(options, WINNOW_OPTION_MAX_MILLISECONDS, 200);
    winnow_options_set_number(options, WINNOW_OPTION_MAX_BYTES, 0);
    winnow_options_set(options, "charset", "utf-8");
    winnow_parse(page, html.ptr, html.len, options);
    winnow_selection *content = winnow_select(page, "all", options);
    assert_int_equal(winnow_selection_status(content), WINNOW_STATUS_PARTIAL);
    assert_true(winnow_selection_limited(content) & WINNOW_LIMITED_TIME);
    assert_non_null(strstr(winnow_write(content, WINNOW_FORMAT_TEXT, NULL, NULL), "first words"));
    assert_non_null(strstr(winnow_write(content, WINNOW_FORMAT_JSON, NULL, NULL), "\"time\""));
    /* The next page has its own time. */
    winnow_parse(page, "<p>short", 8, options);
    content = winnow_select(page, "all", options);
    assert_int_equal(winnow_selection_status(content), WINNOW_STATUS_OK);
    assert_int_equal(winnow_selection_limited(content), 0);
    winnow_options_free(options);
    winnow_page_free(page);
    wn_buf_free(&html);
}

/* A limit that is not reached changes nothing. */
static void enough_time_changes_nothing(void **state)
{
    (void)state;
    wn_buf html = {0};
    assert_true(test_file_read(&html, TESTS_DIR "/pages/article.html"));
    winnow_options *options = winnow_options_new();
    winnow_options_set_number(options, WINNOW_OPTION_MAX_MILLISECONDS, 1000000);
    winnow_page *page = winnow_page_new(), *other = winnow_page_new();
    winnow_parse(page, html.ptr, html.len, NULL);
    winnow_parse(other, html.ptr, html.len, options);
    const winnow_method_info *method;
    for (size_t m = 0; (method = winnow_method_at(m)) != NULL; m++) {
        winnow_selection *a = winnow_select(page, method->name, NULL);
        winnow_selection *b = winnow_select(other, method->name, options);
        assert_int_equal(winnow_selection_limited(b), 0);
        assert_string_equal(winnow_write(a, WINNOW_FORMAT_JSON, NULL, NULL),
                            winnow_write(b, WINNOW_FORMAT_JSON, options, NULL));
    }
    winnow_options_free(options);
    winnow_page_free(page);
    winnow_page_free(other);
    wn_buf_free(&html);
}

/* ---- Cancelling -------------------------------------------------------------------------- */

typedef struct countdown {
    int left, asked;
} countdown;

static bool count_down(void *data)
{
    countdown *c = data;
    c->asked++;
    return c->left-- <= 0;
}

static void cancelling(void **state)
{
    (void)state;
    wn_buf html = {0};
    make_large(&html, &large_pages[0]);
    html.len = LARGE / 10;
    winnow_page *page = winnow_page_new();
    winnow_options *options = winnow_options_new();
    const winnow_method_info *method;
    for (size_t m = 0; (method = winnow_method_at(m)) != NULL; m++) {
        for (int left = 0; left < 200; left += 50) {
            countdown c = {.left = left};
            winnow_options_set_cancel(options, count_down, &c);
            winnow_parse(page, html.ptr, html.len, options);
            winnow_selection *content = winnow_select(page, method->name, options);
            if (winnow_selection_status(content) != WINNOW_STATUS_CANCELLED)
                fail_msg("%s: %s after %d questions", method->name,
                         winnow_status_name(winnow_selection_status(content)), c.asked);
            assert_non_null(winnow_write(content, WINNOW_FORMAT_JSON, options, NULL));
        }
    }
    winnow_options_set_cancel(options, NULL, NULL);
    winnow_parse(page, html.ptr, html.len, options);
    assert_int_equal(winnow_selection_status(winnow_select(page, "all", options)),
                     WINNOW_STATUS_OK);
    winnow_options_free(options);
    winnow_page_free(page);
    wn_buf_free(&html);
}

/* ---- Models ------------------------------------------------------------------------------ */

static const char *extract_with(winnow_page *page, const wn_buf *html, const winnow_model *model)
{
    winnow_options *options = winnow_options_new();
    winnow_options_set_model(options, model);
    winnow_parse(page, html->ptr, html->len, options);
    const char *text = winnow_write(winnow_select(page, "auto", options), WINNOW_FORMAT_JSON, NULL,
                                    NULL);
    winnow_options_free(options);
    return text;
}

static void models_at_any_address(void **state)
{
    (void)state;
    size_t size = wn_auto_model_data_count * sizeof *wn_auto_model_data;
    char *bytes = malloc(size + 8);
    wn_buf html = {0};
    winnow_page *page = winnow_page_new(), *own = winnow_page_new();
    assert_true(test_file_read(&html, TESTS_DIR "/pages/article.html"));
    const char *expected = extract_with(own, &html, NULL);
    for (size_t offset = 0; offset < 8; offset++) {
        winnow_model *model;
        memcpy(bytes + offset, wn_auto_model_data, size);
        assert_int_equal(winnow_model_load(&model, bytes + offset, size), WINNOW_STATUS_OK);
        memset(bytes, 0xA5, size + 8); /* they were copied */
        assert_string_equal(extract_with(page, &html, model), expected);
        winnow_model_free(model);
    }
    free(bytes);
    winnow_page_free(page);
    winnow_page_free(own);
    wn_buf_free(&html);
}

static void bytes_that_are_not_a_model(void **state)
{
    (void)state;
    winnow_model *model = (winnow_model *)1;
    assert_int_equal(winnow_model_load(&model, wn_auto_model_data, 3), WINNOW_STATUS_BAD_MODEL);
    assert_null(model);
    assert_int_equal(winnow_model_load(&model, "", 0), WINNOW_STATUS_BAD_MODEL);
    size_t size = wn_auto_model_data_count * sizeof *wn_auto_model_data;
    for (size_t cut = 1; cut < size; cut += size / 300)
        assert_int_equal(winnow_model_load(&model, wn_auto_model_data, size - cut),
                         WINNOW_STATUS_BAD_MODEL);
    assert_null(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(all_memory_is_released),
        cmocka_unit_test(lists_outlive_a_failure),
        cmocka_unit_test(pages_of_two_allocators),
        cmocka_unit_test(callbacks_may_call_the_library),
        cmocka_unit_test(large_pages_end_in_time),
        cmocka_unit_test(what_was_read_in_time_is_kept),
        cmocka_unit_test(enough_time_changes_nothing),
        cmocka_unit_test(text_has_offsets_of_32_bits),
        cmocka_unit_test(budgets_of_layout_show),
        cmocka_unit_test(cancelling),
        cmocka_unit_test(models_at_any_address),
        cmocka_unit_test(bytes_that_are_not_a_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
