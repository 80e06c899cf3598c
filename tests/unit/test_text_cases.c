/*
 * The text of pages against our own cases, in TESTS_DIR/cases/text: HTML in, text in several forms out.
 *
 *     ## A title
 *     Prose.
 *     --- html links url=http://example.com/
 *     <p>See <a href="/x">there</a>.
 *     --- txt
 *     See there.
 *     --- md
 *     See [there](http://example.com/x).
 *     ---
 *
 * The method is "all", or what the option method= says. The two spaces of a line break in Markdown are
 * shown as two middle dots, since spaces at the end of a line cannot be seen.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cases.h"
#include "support/extract.h"

static const char *const parts[] = {"txt", "md",  "json", "jsonl", "html",
                                    "xml", "tei", "csv",  NULL};

static const char *const known_options[] = {"links", "formatting", "images", "url", "method", NULL};

static void add_with_breaks_shown(wn_buf *out, wn_str text)
{
    while (text.len > 0) {
        if (wn_str_starts(text, WN_STR("  \n"))) {
            wn_buf_add_literal(out, "··");
            text = wn_str_from_offset(text, 2);
        }
        wn_buf_add_char(out, text.ptr[0]);
        text = wn_str_from_offset(text, 1);
    }
}

/* The text between two marks that it may have: what is known of a page is tested elsewhere. */
static wn_str inside(wn_str text, const char *start, const char *end)
{
    const char *from = strstr(text.ptr, start), *to = strstr(text.ptr, end);
    return from && to ? wn_str_between(from + strlen(start), to) : text;
}

/* The value of an option as a string of its own; NULL if it is not given. */
static char *copy_option(const test_case *test, const char *name)
{
    wn_str value = test_case_option(test, name);
    return value.ptr ? strndup(value.ptr, value.len) : NULL;
}

static void run_case(void *data, const test_case *test, size_t part, wn_buf *got)
{
    static const char *const flags[] = {"links", "images", "formatting"};
    char *method = copy_option(test, "method"), *url = copy_option(test, "url");
    extractor *e = data;
    e->method = method ? method : "all";
    e->format = winnow_format_find(parts[part])->format;
    extractor_set(e, "charset", "utf-8");
    extractor_set(e, "url", url);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        extractor_set(e, flags[i], test_case_option(test, flags[i]).ptr ? "yes" : "no");
    /* The copy is as large as the input, so that sanitizers see what is read past it. */
    char *copy = malloc(test->input.len + 1);
    memcpy(copy, test->input.ptr, test->input.len);
    const extracted *result = extract(e, copy, test->input.len);
    wn_str text = wn_str_from(result->text, result->size);
    text = inside(inside(text, "<body>\n", "</body>"), "<main>\n", "</main>");
    add_with_breaks_shown(got, text);
    free(copy);
    free(method);
    free(url);
}

int main(int argc, char **argv)
{
    extractor *e = extractor_new();
    test_cases cases = {"--- html", known_options, parts, run_case, e};
    int code = test_cases_run(&cases, argc, argv, TESTS_DIR "/cases/text");
    extractor_free(e);
    return code;
}
