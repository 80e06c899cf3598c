/*
 * Whole pages through the whole library: those in tests/pages, and large ones made here.
 *
 *     test_pages [FILE | DIRECTORY]...
 *
 * What must hold for each of them is written in support/check_page.h: a sound tree, a valid
 * status, a second, bounded memory.
 */
#include <stdio.h>
#include <string.h>

#include "support/check_page.h"
#include "support/extract.h"
#include "support/files.h"

enum {
    LARGE = 2 << 20, /* bytes of a page on one line */
    DEEP = 100000,   /* elements inside each other */
};

typedef struct totals {
    int passed, failed;
} totals;

static void count(totals *t, const char *name, bool passed, const char *problems)
{
    if (passed)
        t->passed++;
    else
        t->failed++;
    if (!passed)
        printf("FAILED %s\n%s", name, problems);
}

static void check(totals *t, const char *name, wn_str bytes)
{
    page_report report;
    bool passed = check_page(&report, bytes);
    count(t, name, passed, wn_buf_c_string(&report.problems));
    wn_buf_free(&report.problems);
}

/* ---- Pages made here --------------------------------------------------------------------- */

static void repeat(wn_buf *out, const char *text, size_t bytes)
{
    while (out->len < bytes && !out->failed)
        wn_buf_add_literal(out, text);
}

static void repeat_times(wn_buf *out, const char *text, int times)
{
    for (int i = 0; i < times; i++)
        wn_buf_add_literal(out, text);
}

static void make_one_line(wn_buf *out)
{
    wn_buf_add_literal(out, "<!DOCTYPE html><html><head><title>One line</title></head><body>"
                            "<p>firstword of a page that never breaks its line.</p>");
    repeat(out,
           "<div class=\"row\"><p>The mill by the river ground the flour of three villages, "
           "and <a href=\"/x\">its miller</a> kept the books.</p></div>",
           LARGE);
    wn_buf_add_literal(out, "<p>And here stands the lastword</p></body></html>");
}

static void make_deep_divs(wn_buf *out)
{
    repeat_times(out, "<div>", DEEP);
    wn_buf_add_literal(out, "bottom");
    repeat_times(out, "</div>", DEEP);
}

static void make_deep_inlines(wn_buf *out)
{
    repeat_times(out, "<b><i><font><a>x", DEEP / 4);
}

static void make_misnested(wn_buf *out)
{
    repeat_times(out, "<b><p></b><table><a><i></table>x", DEEP / 10);
}

static void make_deep_tables(wn_buf *out)
{
    repeat_times(out, "<table><tr><td>", DEEP / 20);
}

static void make_deep_foreign(wn_buf *out)
{
    repeat_times(out, "<svg><g><foreignObject><math><mi>", DEEP / 20);
}

static void make_deep_templates(wn_buf *out)
{
    repeat_times(out, "<template><p>", DEEP / 20);
}

static void make_deep_lists(wn_buf *out)
{
    repeat_times(out, "<ul><li>item<dl><dt>term<dd>", DEEP / 20);
}

static void make_many_attributes(wn_buf *out)
{
    wn_buf_add_literal(out, "<p ");
    for (int i = 0; i < DEEP; i++)
        wn_buf_add_format(out, "a%d=%d ", i, i);
    wn_buf_add_literal(out, ">text");
}

static void make_long_word(wn_buf *out)
{
    repeat(out, "w", LARGE);
}

static void make_open_comment(wn_buf *out)
{
    wn_buf_add_literal(out, "<p>text<!-- ");
    repeat(out, "<!-- - -- ", LARGE);
}

static void make_open_script(wn_buf *out)
{
    wn_buf_add_literal(out, "<p>text<script>");
    repeat(out, "<!-- <script> </scrip ", LARGE);
}

static void make_references(wn_buf *out)
{
    repeat(out, "&amp;&#x41;&notin&unknown;& ", LARGE);
}

static const struct {
    const char *name;
    void (*make)(wn_buf *out);
} made[] = {
    {"one line", make_one_line},
    {"deep divs", make_deep_divs},
    {"deep inlines", make_deep_inlines},
    {"misnested", make_misnested},
    {"deep tables", make_deep_tables},
    {"deep foreign", make_deep_foreign},
    {"deep templates", make_deep_templates},
    {"deep lists", make_deep_lists},
    {"many attributes", make_many_attributes},
    {"long word", make_long_word},
    {"open comment", make_open_comment},
    {"open script", make_open_script},
    {"references", make_references},
};

/* Nothing of the long line is lost. */
static void check_one_line(totals *t)
{
    wn_buf page = {0};
    extractor *e = extractor_new();
    make_one_line(&page);
    e->method = "all";
    const extracted *result = extract(e, page.ptr, page.len);
    const char *title = winnow_selection_metadata(result->content)->title;
    bool whole = result->status == WINNOW_STATUS_OK && strcmp(title, "One line") == 0 &&
                 strstr(result->text, "firstword") && strstr(result->text, "the lastword");
    count(t, "one line: its text", whole, "the text is not whole\n");
    extractor_free(e);
    wn_buf_free(&page);
}

int main(int argc, char **argv)
{
    totals t = {0};
    test_files files = {0};
    wn_buf bytes = {0};
    for (int i = 1; i < argc; i++)
        if (!test_files_find(&files, argv[i], NULL))
            test_skip("no pages", argv[i]);
#ifdef TESTS_DIR
    if (argc == 1)
        test_files_find(&files, TESTS_DIR "/pages", ".html");
#endif
    for (size_t i = 0; i < files.count; i++) {
        bool read = test_file_read(&bytes, files.paths[i]);
        count(&t, files.paths[i], read, "cannot be read\n");
        check(&t, files.paths[i], wn_buf_str(&bytes));
    }
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        wn_buf_clear(&bytes);
        made[i].make(&bytes);
        check(&t, made[i].name, wn_buf_str(&bytes));
    }
    check_one_line(&t);
    printf("pages: %d passed, %d failed\n", t.passed, t.failed);
    test_files_free(&files);
    wn_buf_free(&bytes);
    return t.failed ? 1 : 0;
}
