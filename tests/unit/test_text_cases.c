/*
 * The text of pages against our own cases: HTML in, plain text and Markdown out.
 *
 *     test_text_cases [-u] [FILE | DIRECTORY]...
 *
 * Without arguments the cases in TESTS_DIR/cases/text are run. With -u the expected parts are
 * rewritten with what the library gives: review the difference before you commit it.
 *
 * A case:
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
 * The method is "all". The two spaces of a line break in Markdown are shown as two middle
 * dots, since spaces at the end of a line cannot be seen.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "support/files.h"
#include "winnow.h"

typedef struct test_case {
    wn_str title;
    wn_str options; /* the rest of the "--- html" line */
    wn_str html;    /* its lines, without the last line end */
} test_case;

typedef struct runner {
    int passed, failed;
    bool update;
    const char *file_name;
    winnow_context *context;
    wn_buf got;
    wn_buf rewritten; /* with -u: the new text of the file */
} runner;

/* ---- Running a case ---------------------------------------------------------------------- */

/* Takes the next word of the options. */
static wn_str take_word(wn_str *rest)
{
    *rest = wn_str_trim(*rest);
    size_t end = 0;
    while (end < rest->len && !wn_is_space(rest->ptr[end]))
        end++;
    wn_str word = wn_str_from(rest->ptr, end);
    *rest = wn_str_from_offset(*rest, end);
    return word;
}

/* A misspelt option would silently test something else: false. */
static bool read_options(winnow_options *options, char url[256], wn_str rest)
{
    wn_str word;
    while ((word = take_word(&rest)).len > 0) {
        if (wn_str_eq(word, WN_STR("links"))) {
            options->links = true;
        } else if (wn_str_starts(word, WN_STR("url=")) && word.len < 256) {
            wn_str value = wn_str_from_offset(word, 4);
            memcpy(url, value.ptr, value.len);
            url[value.len] = '\0';
            options->url = url;
        } else {
            return false;
        }
    }
    return true;
}

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

static void run_case(runner *r, const test_case *test, winnow_format format, wn_str expected)
{
    char url[256];
    winnow_options options;
    winnow_options_init(&options);
    options.method = "all";
    options.format = format;
    options.charset = "utf-8";
    bool known = read_options(&options, url, test->options);
    /* The copy is as large as the input, so that sanitizers see what is read behind it. */
    char *copy = malloc(test->html.len + 1);
    memcpy(copy, test->html.ptr, test->html.len);
    const winnow_result *result = winnow_run(r->context, copy, test->html.len, &options);
    wn_buf_clear(&r->got);
    add_with_breaks_shown(&r->got, wn_str_from(result->text, result->size));
    free(copy);
    if (known && wn_str_eq(expected, wn_buf_str(&r->got))) {
        r->passed++;
        return;
    }
    r->failed++;
    if (!r->update)
        printf("FAILED %s: %.*s%s\nhtml: %.*s\nexpected:\n%.*sgot:\n%s\n", r->file_name,
               WN_STR_ARGS(test->title), known ? "" : " (unknown option)", WN_STR_ARGS(test->html),
               WN_STR_ARGS(expected), wn_buf_c_string(&r->got));
}

/* ---- Reading a file ---------------------------------------------------------------------- */

static wn_str take_line(wn_str *rest)
{
    const char *end = memchr(rest->ptr, '\n', rest->len);
    wn_str line = wn_str_from(rest->ptr, end ? (size_t)(end - rest->ptr) + 1 : rest->len);
    *rest = wn_str_from_offset(*rest, line.len);
    return line;
}

static bool is_mark(wn_str line)
{
    wn_str trimmed = wn_str_trim(line);
    return wn_str_starts(line, WN_STR("--- ")) || wn_str_eq(trimmed, WN_STR("---"));
}

/* The lines before the next mark. */
static wn_str take_part(wn_str *rest)
{
    const char *start = rest->ptr;
    wn_str ahead = *rest;
    while (rest->len > 0 && !is_mark(take_line(&ahead)))
        *rest = ahead;
    return wn_str_between(start, rest->ptr);
}

/* Reads and runs what follows an "--- html" line. False if the case is not whole. */
static bool read_case(runner *r, wn_str *rest, test_case *test)
{
    test->html = take_part(rest);
    wn_buf_add(&r->rewritten, test->html);
    if (test->html.len > 0)
        test->html.len--;
    for (;;) {
        wn_str mark = take_line(rest), name = wn_str_trim(mark);
        wn_buf_add(&r->rewritten, mark);
        if (wn_str_eq(name, WN_STR("---")))
            return true;
        bool markdown = wn_str_eq(name, WN_STR("--- md"));
        if (!markdown && !wn_str_eq(name, WN_STR("--- txt")))
            return false;
        run_case(r, test, markdown ? WINNOW_FORMAT_MARKDOWN : WINNOW_FORMAT_TEXT, take_part(rest));
        wn_buf_add(&r->rewritten, wn_buf_str(&r->got));
    }
}

static bool run_file(runner *r, const char *path)
{
    wn_buf text = {0};
    bool sound = test_file_read(&text, path);
    wn_str rest = wn_buf_str(&text);
    test_case test = {.title = WN_STR("(no title)")};
    r->file_name = test_file_name(path);
    wn_buf_clear(&r->rewritten);
    while (sound && rest.len > 0) {
        wn_str line = take_line(&rest);
        wn_buf_add(&r->rewritten, line);
        if (wn_str_starts(line, WN_STR("## ")))
            test.title = wn_str_trim(wn_str_from_offset(line, 3));
        if (wn_str_starts(line, WN_STR("--- html"))) {
            test.options = wn_str_from_offset(line, strlen("--- html"));
            sound = read_case(r, &rest, &test);
        }
    }
    if (!sound)
        printf("FAILED %s: cannot be read, near: %.*s\n", path, WN_STR_ARGS(test.title));
    else if (r->update && !wn_str_eq(wn_buf_str(&text), wn_buf_str(&r->rewritten)))
        sound = test_file_write(path, wn_buf_str(&r->rewritten));
    wn_buf_free(&text);
    return sound;
}

int main(int argc, char **argv)
{
    runner r = {.context = winnow_context_new()};
    test_files files = {0};
    bool sound = r.context != NULL;
    for (int letter; (letter = getopt(argc, argv, "u")) != -1;) {
        if (letter == '?')
            return 2;
        r.update = true;
    }
    for (int i = optind; i < argc; i++)
        if (!test_files_find(&files, argv[i], ".txt"))
            test_skip("no cases", argv[i]);
#ifdef TESTS_DIR
    if (optind == argc)
        test_files_find(&files, TESTS_DIR "/cases/text", ".txt");
#endif
    if (files.count == 0)
        test_skip("no cases", argv[optind]);
    for (size_t i = 0; i < files.count; i++)
        sound = run_file(&r, files.paths[i]) && sound;
    printf("text cases: %d passed, %d %s\n", r.passed, r.failed, r.update ? "rewritten" : "failed");

    test_files_free(&files);
    winnow_context_free(r.context);
    wn_buf_free(&r.got);
    wn_buf_free(&r.rewritten);
    return sound && (r.update || r.failed == 0) ? 0 : 1;
}
