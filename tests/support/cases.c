#include "support/cases.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/files.h"

typedef struct runner {
    const test_cases *cases;
    int passed, failed;
    bool update;
    const char *file_name;
    wn_buf got;
    wn_buf rewritten; /* with -u: the new text of the file */
} runner;

/* ---- Options of a case ------------------------------------------------------------------- */

static bool next_option(wn_str *rest, wn_str *name, wn_str *value)
{
    *rest = wn_str_trim(*rest);
    const char *end = rest->ptr + rest->len, *stop = rest->ptr;
    while (stop < end && !wn_is_space(*stop))
        stop++;
    const char *equals = memchr(rest->ptr, '=', (size_t)(stop - rest->ptr));
    *name = wn_str_between(rest->ptr, equals ? equals : stop);
    *value = equals ? wn_str_between(equals + 1, stop) : WN_STR("");
    *rest = wn_str_between(stop, end);
    return name->len > 0;
}

wn_str test_case_option(const test_case *test, const char *wanted)
{
    wn_str rest = test->options, name, value;
    while (next_option(&rest, &name, &value))
        if (wn_str_eq(name, wn_str_of(wanted)))
            return value;
    return wn_str_from(NULL, 0);
}

uint32_t test_case_number(const test_case *test, const char *name, uint32_t otherwise)
{
    wn_str value = test_case_option(test, name);
    uint32_t number = 0;
    for (size_t i = 0; i < value.len && wn_is_ascii_digit(value.ptr[i]); i++)
        number = number * 10 + (uint32_t)(value.ptr[i] - '0');
    return value.len > 0 ? number : otherwise;
}

/* The place of a name in a list; that of its NULL if it is not there. */
static size_t find_name(const char *const *list, wn_str name)
{
    size_t i = 0;
    while (list[i] && !wn_str_eq(name, wn_str_of(list[i])))
        i++;
    return i;
}

/* A misspelt option would silently test something else. */
static bool options_known(const runner *r, const test_case *test)
{
    wn_str rest = test->options, name, value;
    while (next_option(&rest, &name, &value)) {
        if (!r->cases->options[find_name(r->cases->options, name)]) {
            printf("unknown option: %.*s\n", WN_STR_ARGS(name));
            return false;
        }
    }
    return true;
}

/* ---- Reading a file ---------------------------------------------------------------------- */

/* Takes the next line with its line end. */
static wn_str take_line(wn_str *rest)
{
    const char *end = memchr(rest->ptr, '\n', rest->len);
    wn_str line = wn_str_from(rest->ptr, end ? (size_t)(end - rest->ptr) + 1 : rest->len);
    *rest = wn_str_from_offset(*rest, line.len);
    return line;
}

static bool is_mark(wn_str line)
{
    return wn_str_starts(line, WN_STR("--- ")) || wn_str_eq(wn_str_trim(line), WN_STR("---"));
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

static void run_part(runner *r, const test_case *test, size_t part, wn_str expected)
{
    wn_buf_clear(&r->got);
    bool known = options_known(r, test);
    r->cases->run(r->cases->data, test, part, &r->got);
    if (known && wn_str_eq(expected, wn_buf_str(&r->got))) {
        r->passed++;
        return;
    }
    r->failed++;
    if (!r->update)
        printf("FAILED %s: %.*s\ninput: %.*s\nexpected:\n%.*sgot:\n%s\n", r->file_name,
               WN_STR_ARGS(test->title), WN_STR_ARGS(test->input), WN_STR_ARGS(expected),
               wn_buf_c_string(&r->got));
}

/* Reads what follows the mark of an input and runs it; false if the case is not whole. */
static bool read_case(runner *r, wn_str *rest, test_case *test)
{
    test->input = take_part(rest);
    wn_buf_add(&r->rewritten, test->input);
    if (test->input.len > 0)
        test->input.len--;
    for (;;) {
        wn_str mark = take_line(rest), name = wn_str_trim(mark);
        wn_buf_add(&r->rewritten, mark);
        if (wn_str_eq(name, WN_STR("---")))
            return true;
        size_t part = find_name(r->cases->parts, wn_str_trim(wn_str_from_offset(name, 3)));
        if (!r->cases->parts[part])
            return false;
        run_part(r, test, part, take_part(rest));
        wn_buf_add(&r->rewritten, wn_buf_str(&r->got));
    }
}

static bool run_file(runner *r, const char *path)
{
    wn_buf text = {0};
    wn_str mark = wn_str_of(r->cases->mark);
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
        if (wn_str_starts(line, mark)) {
            test.options = wn_str_from_offset(line, mark.len);
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

int test_cases_run(const test_cases *cases, int argc, char **argv, const char *folder)
{
    runner r = {.cases = cases};
    test_files files = {0};
    bool sound = true;
    for (int letter; (letter = getopt(argc, argv, "u")) != -1;) {
        if (letter == '?')
            return 2;
        r.update = true;
    }
    for (int i = optind; i < argc; i++)
        if (!test_files_find(&files, argv[i], ".txt"))
            test_skip("no cases", argv[i]);
    if (optind == argc && folder)
        test_files_find(&files, folder, ".txt");
    if (files.count == 0)
        test_skip("no cases", argv[optind]);
    for (size_t i = 0; i < files.count; i++)
        sound = run_file(&r, files.paths[i]) && sound;
    printf("cases: %d passed, %d %s\n", r.passed, r.failed, r.update ? "rewritten" : "failed");
    test_files_free(&files);
    wn_buf_free(&r.got);
    wn_buf_free(&r.rewritten);
    return sound && (r.update || r.failed == 0) ? 0 : 1;
}
