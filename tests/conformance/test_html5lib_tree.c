/*
 * Tree construction against html5lib's tests.
 *
 *     test_html5lib_tree [-v] [-n FAILURES] DIRECTORY
 *
 * DIRECTORY holds html5lib-tests, or is its tree-construction folder. A test that does not
 * name a scripting flag runs with scripting on and off; it counts once and passes if
 * both runs do. The tests in a folder "scripted" need a JavaScript engine and are
 * listed as skipped. After each run the document must pass its own check.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "html/tree.h"
#include "support/dump.h"
#include "support/files.h"

enum { SCRIPTING_OFF = 1, SCRIPTING_ON = 2 };

typedef struct tree_test {
    wn_str data;
    wn_str context;  /* of #document-fragment; ptr is NULL for a document */
    wn_str expected; /* lines of #document */
    int scripting;   /* SCRIPTING_*: the runs to make */
    int number;      /* in its file, from 1 */
} tree_test;

typedef struct totals {
    int passed, failed, skipped;
} totals;

typedef struct runner {
    totals all, file;
    const char *file_name;
    int failures_to_show;
    wn_tree *tree;
    wn_doc doc;
    wn_buf got;
    const char *check; /* what the document's own check says */
} runner;

/* ---- Reading a .dat file ----------------------------------------------------------------- */

/* Takes the next line, without its line end, from the front of `rest`. */
static wn_str take_line(wn_str *rest)
{
    const char *end = memchr(rest->ptr, '\n', rest->len);
    wn_str line = wn_str_from(rest->ptr, end ? (size_t)(end - rest->ptr) : rest->len);
    *rest = wn_str_from_offset(*rest, line.len + 1);
    return line;
}

/* Takes the lines up to the one that is `mark`, which is taken too; without the last line end. */
static wn_str take_until(wn_str *rest, wn_str mark)
{
    const char *start = rest->ptr, *end = start;
    while (rest->len > 0) {
        const char *line_start = rest->ptr;
        if (wn_str_eq(take_line(rest), mark)) {
            end = line_start;
            break;
        }
        end = rest->ptr;
    }
    return wn_str_between(start, end > start ? end - 1 : end);
}

/* The tree ends where the next test starts: after an empty line and at "#data". */
static wn_str take_tree(wn_str *rest)
{
    const char *start = rest->ptr, *end = start;
    while (rest->len > 0 && !wn_str_starts(*rest, WN_STR("#data\n"))) {
        take_line(rest);
        end = rest->ptr;
    }
    while (end > start && end[-1] == '\n')
        end--;
    return wn_str_between(start, end);
}

static bool next_test(wn_str *rest, tree_test *test)
{
    int number = test->number + 1;
    *test = (tree_test){.scripting = SCRIPTING_OFF | SCRIPTING_ON, .number = number};
    take_until(rest, WN_STR("#data"));
    if (rest->len == 0)
        return false;
    test->data = take_until(rest, WN_STR("#errors"));
    while (rest->len > 0) {
        wn_str line = take_line(rest);
        if (wn_str_eq(line, WN_STR("#document-fragment")))
            test->context = take_line(rest);
        else if (wn_str_eq(line, WN_STR("#script-on")))
            test->scripting = SCRIPTING_ON;
        else if (wn_str_eq(line, WN_STR("#script-off")))
            test->scripting = SCRIPTING_OFF;
        else if (wn_str_eq(line, WN_STR("#document")))
            break;
    }
    test->expected = take_tree(rest);
    return true;
}

/* ---- Running ----------------------------------------------------------------------------- */

static void parse(runner *r, const tree_test *test, bool scripting)
{
    wn_arena arena;
    char context[64] = "";
    wn_parse_options options = wn_parse_defaults;
    wn_arena_init(&arena, 0);
    options.scripting = scripting;
    if (test->context.ptr) {
        snprintf(context, sizeof context, "%.*s", WN_STR_ARGS(test->context));
        options.fragment_context = context;
    }
    wn_buf_clear(&r->got);
    wn_buf input = {0};
    wn_buf_add(&input, test->data);
    test_normalise_line_ends(&input);
    /* A copy of the exact size lets AddressSanitizer see a read past the end. */
    wn_str copy = wn_arena_copy(&arena, wn_buf_str(&input));
    wn_buf_free(&input);
    wn_html_tree_parse(r->tree, &r->doc, &arena, copy, &options);
    r->check = wn_doc_check(&r->doc);
    dump_tree(&r->got, &r->doc, test->context.ptr ? dump_fragment_root(&r->doc) : WN_DOCUMENT_NODE);
    while (r->got.len > 0 && r->got.ptr[r->got.len - 1] == '\n')
        r->got.len--;
    wn_arena_free(&arena);
}

static void show_failure(runner *r, const tree_test *test, bool scripting)
{
    if (r->failures_to_show-- <= 0)
        return;
    wn_buf quoted = {0};
    dump_quoted(&quoted, test->data);
    printf("FAILED %s, test %d, scripting %s", r->file_name, test->number,
           scripting ? "on" : "off");
    if (test->context.ptr)
        printf(", fragment of <%.*s>", WN_STR_ARGS(test->context));
    printf("\ninput: %s\nexpected:\n%.*s\ngot:\n%s\n", wn_buf_c_string(&quoted),
           WN_STR_ARGS(test->expected), wn_buf_c_string(&r->got));
    if (r->check)
        printf("check: %s\n", r->check);
    printf("\n");
    wn_buf_free(&quoted);
}

static bool run_with(runner *r, const tree_test *test, bool scripting)
{
    parse(r, test, scripting);
    bool passed = !r->check && wn_str_eq(test->expected, wn_buf_str(&r->got));
    if (!passed)
        show_failure(r, test, scripting);
    return passed;
}

static bool run_test(runner *r, const tree_test *test)
{
    bool passed = true;
    if (test->scripting & SCRIPTING_OFF)
        passed = run_with(r, test, false);
    if (test->scripting & SCRIPTING_ON)
        passed = run_with(r, test, true) && passed;
    return passed;
}

static bool run_file(runner *r, const char *path, bool verbose)
{
    wn_buf text = {0};
    bool scripted = strstr(path, "/scripted/") != NULL;
    r->file = (totals){0};
    r->file_name = test_file_name(path);
    if (!test_file_read(&text, path)) {
        printf("%s: cannot be read\n", path);
        return false;
    }
    wn_str rest = wn_buf_str(&text);
    for (tree_test test = {0}; next_test(&rest, &test);) {
        if (scripted) {
            printf("skipped scripted/%s, test %d (needs a JavaScript engine)\n", r->file_name,
                   test.number);
            r->file.skipped++;
        } else if (run_test(r, &test)) {
            r->file.passed++;
        } else {
            r->file.failed++;
        }
    }
    if (verbose)
        printf("%-44s %5d passed, %d failed, %d skipped\n", r->file_name, r->file.passed,
               r->file.failed, r->file.skipped);
    r->all.passed += r->file.passed;
    r->all.failed += r->file.failed;
    r->all.skipped += r->file.skipped;
    wn_buf_free(&text);
    return true;
}

/* The encoding tests of html5lib have the same file name ending and another content. */
static bool is_tree_test(const char *path)
{
    return !strstr(path, "/encoding/");
}

int main(int argc, char **argv)
{
    runner r = {.failures_to_show = 10};
    bool verbose = false, sound = true;
    test_files files = {0};
    for (int option; (option = getopt(argc, argv, "vn:")) != -1;) {
        if (option == '?')
            return 2;
        verbose |= option == 'v';
        if (option == 'n')
            r.failures_to_show = atoi(optarg);
    }
    const char *directory = argv[optind];
    if (!directory || !test_files_find(&files, directory, ".dat") || files.count == 0)
        test_skip("html5lib's tree construction tests are not there", directory);
    r.tree = wn_html_tree_new();
    for (size_t i = 0; i < files.count && r.tree; i++)
        if (is_tree_test(files.paths[i]))
            sound = run_file(&r, files.paths[i], verbose) && sound;
    printf("html5lib tree construction: %d passed, %d failed, %d skipped (scripted)\n",
           r.all.passed, r.all.failed, r.all.skipped);

    test_files_free(&files);
    wn_html_tree_free(r.tree);
    wn_doc_free(&r.doc);
    wn_buf_free(&r.got);
    return sound && r.all.failed == 0 ? 0 : 1;
}
