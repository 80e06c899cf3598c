/*
 * The tokenizer against html5lib's tokenizer tests.
 *
 *     test_html5lib_tokenizer [-v] [-n FAILURES] DIRECTORY
 *
 * DIRECTORY holds html5lib-tests, or is its tokenizer folder. A test counts once and passes
 * if it does in all its initial states. Tokens are compared, error codes are not. Both
 * sides are brought to the text of support/dump.h, so that a failure can be read.
 *
 * Strings with lone surrogates are kept as WTF-8: the tokenizer looks at bytes and
 * does not care. The tests of xmlViolation.test ask for another output than HTML's
 * (an XML infoset) and are listed as skipped.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/utf8.h"
#include "html/tokenizer.h"
#include "support/dump.h"
#include "support/files.h"

typedef struct totals {
    int passed, failed, skipped;
} totals;

typedef struct runner {
    totals all, file;
    const char *file_name;
    int failures_to_show;
    wn_json json;
    wn_arena arena;
    wn_tokenizer tokenizer;
    wn_buf input, expected, got;
} runner;

/* ---- Strings of the tests ---------------------------------------------------------------- */

/* The code unit of "\uHHHH" at p, or -1. */
static long escaped_unit(const char *p, const char *end)
{
    char digits[5] = "";
    if (end - p < 6 || p[0] != '\\' || p[1] != 'u')
        return -1;
    memcpy(digits, p + 2, 4);
    char *rest;
    long unit = strtol(digits, &rest, 16);
    return *rest ? -1 : unit;
}

/* Adds s, whose "\uHHHH" are replaced if it is escaped twice. */
static void add_unescaped(wn_buf *out, wn_str s, bool twice)
{
    const char *p = s.ptr, *end = s.ptr + s.len;
    while (p < end) {
        long unit = twice ? escaped_unit(p, end) : -1;
        if (unit < 0) {
            wn_buf_add_char(out, *p++);
            continue;
        }
        char utf8[4];
        p += 6;
        wn_buf_add(out, wn_str_from(utf8, (size_t)wn_utf8_encode((uint32_t)unit, utf8)));
    }
}

/* ---- What is expected -------------------------------------------------------------------- */

static void add_expected_string(runner *r, wn_json_id id, bool twice)
{
    wn_buf text = {0};
    add_unescaped(&text, wn_json_text(&r->json, id), twice);
    dump_quoted(&r->expected, wn_buf_str(&text));
    wn_buf_free(&text);
}

static void add_expected_identifier(runner *r, const char *label, wn_json_id id, bool twice)
{
    if (wn_json_node_at(&r->json, id)->kind != WN_JSON_STRING)
        return;
    wn_buf_add_format(&r->expected, " %s ", label);
    add_expected_string(r, id, twice);
}

static void add_expected_attrs(runner *r, wn_json_id object, bool twice)
{
    wn_json_each_key (&r->json, key, object) {
        wn_buf_add_char(&r->expected, ' ');
        add_unescaped(&r->expected, wn_json_text(&r->json, key), twice);
        wn_buf_add_char(&r->expected, '=');
        add_expected_string(r, key + 1, twice);
    }
}

/* One token as dump_token() would write it; `field` are the items of its array. */
static void add_expected_token(runner *r, const wn_json_id *field, int count, bool twice)
{
    wn_str kind = wn_json_text(&r->json, field[0]);
    wn_buf *out = &r->expected;
    if (wn_str_eq(kind, WN_STR("Character"))) {
        wn_buf_add_literal(out, "text ");
        add_expected_string(r, field[1], twice);
    } else if (wn_str_eq(kind, WN_STR("Comment"))) {
        wn_buf_add_literal(out, "comment ");
        add_expected_string(r, field[1], twice);
    } else if (wn_str_eq(kind, WN_STR("DOCTYPE"))) {
        wn_buf_add_literal(out, "doctype ");
        add_unescaped(out, wn_json_text(&r->json, field[1]), twice);
        add_expected_identifier(r, "public", field[2], twice);
        add_expected_identifier(r, "system", field[3], twice);
        if (wn_json_node_at(&r->json, field[4])->kind == WN_JSON_FALSE)
            wn_buf_add_literal(out, " quirks");
    } else {
        bool start = wn_str_eq(kind, WN_STR("StartTag"));
        wn_buf_add_literal(out, start ? "start " : "end ");
        add_unescaped(out, wn_json_text(&r->json, field[1]), twice);
        if (start)
            add_expected_attrs(r, field[2], twice);
        if (count > 3)
            wn_buf_add_literal(out, " /");
    }
    wn_buf_add_char(out, '\n');
}

static void build_expected(runner *r, wn_json_id output, bool twice)
{
    wn_buf_clear(&r->expected);
    wn_json_each (&r->json, token, output) {
        wn_json_id field[5] = {0};
        int count = 0;
        wn_json_each (&r->json, item, token) {
            if (count < 5)
                field[count++] = item;
        }
        add_expected_token(r, field, count, twice);
    }
}

/* ---- What we get ------------------------------------------------------------------------- */

static wn_tokenizer_state state_named(wn_str name)
{
    static const struct {
        const char *name;
        wn_tokenizer_state state;
    } states[] = {
        {"Data state", WN_STATE_DATA},          {"PLAINTEXT state", WN_STATE_PLAINTEXT},
        {"RCDATA state", WN_STATE_RCDATA},      {"RAWTEXT state", WN_STATE_RAWTEXT},
        {"Script data state", WN_STATE_SCRIPT}, {"CDATA section state", WN_STATE_CDATA},
    };
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (wn_str_eq(name, wn_str_of(states[i].name)))
            return states[i].state;
    fprintf(stderr, "unknown state: %.*s\n", WN_STR_ARGS(name));
    exit(1);
}

static void tokenize(runner *r, wn_tokenizer_state state, wn_str last_start_tag)
{
    wn_tokenizer *tok = &r->tokenizer;
    dump_tokens dump = {.out = &r->got};
    wn_arena arena;
    wn_buf_clear(&r->got);
    wn_arena_init(&arena, 0);
    /* A copy of the exact size lets AddressSanitizer see a read past the end. */
    wn_str copy = wn_arena_copy(&arena, wn_buf_str(&r->input));
    wn_html_tokenizer_init(tok, &arena, copy);
    tok->state = state;
    tok->last_start_tag = last_start_tag;
    tok->cdata_allowed = state == WN_STATE_CDATA;
    while (wn_html_tokenizer_next(tok))
        dump_token(&dump, &tok->token);
    dump_tokens_finish(&dump);
    wn_arena_free(&arena);
}

/* ---- Running ----------------------------------------------------------------------------- */

static void show_failure(runner *r, wn_json_id test, wn_str state)
{
    if (r->failures_to_show-- <= 0)
        return;
    wn_str description = wn_json_text(&r->json, wn_json_get(&r->json, test, "description"));
    wn_buf quoted = {0};
    dump_quoted(&quoted, wn_buf_str(&r->input));
    printf("FAILED %s: %.*s (%.*s)\n  input:    %s\n", r->file_name, WN_STR_ARGS(description),
           WN_STR_ARGS(state), wn_buf_c_string(&quoted));
    printf("  expected:\n%s  got:\n%s\n", wn_buf_c_string(&r->expected), wn_buf_c_string(&r->got));
    wn_buf_free(&quoted);
}

static bool run_in_state(runner *r, wn_json_id test, wn_str state)
{
    wn_str last = wn_json_text(&r->json, wn_json_get(&r->json, test, "lastStartTag"));
    tokenize(r, state_named(state), last);
    bool passed = wn_str_eq(wn_buf_str(&r->expected), wn_buf_str(&r->got));
    if (!passed)
        show_failure(r, test, state);
    return passed;
}

static bool run_test(runner *r, wn_json_id test)
{
    wn_json_id states = wn_json_get(&r->json, test, "initialStates");
    wn_json_id escaped = wn_json_get(&r->json, test, "doubleEscaped");
    bool twice = wn_json_node_at(&r->json, escaped)->kind == WN_JSON_TRUE;
    wn_buf_clear(&r->input);
    add_unescaped(&r->input, wn_json_text(&r->json, wn_json_get(&r->json, test, "input")), twice);
    test_normalise_line_ends(&r->input);
    build_expected(r, wn_json_get(&r->json, test, "output"), twice);
    if (!states)
        return run_in_state(r, test, WN_STR("Data state"));
    bool passed = true;
    wn_json_each (&r->json, state, states) {
        passed = run_in_state(r, test, wn_json_text(&r->json, state)) && passed;
    }
    return passed;
}

static void skip_xml_tests(runner *r, wn_json_id tests)
{
    wn_json_each (&r->json, test, tests) {
        wn_str name = wn_json_text(&r->json, wn_json_get(&r->json, test, "description"));
        printf("skipped %s: %.*s (asks for an XML infoset)\n", r->file_name, WN_STR_ARGS(name));
        r->file.skipped++;
    }
}

static bool run_file(runner *r, const char *path, bool verbose)
{
    wn_buf text = {0};
    r->file = (totals){0};
    r->file_name = test_file_name(path);
    wn_arena_reset(&r->arena);
    if (!test_file_read(&text, path) ||
        !wn_json_parse(&r->json, &r->arena, wn_buf_str(&text), WN_JSON_WTF8, 0)) {
        printf("%s: cannot be read: %s at %zu\n", path, r->json.error ? r->json.error : "",
               r->json.error_offset);
        return false;
    }
    wn_json_each (&r->json, test, wn_json_get(&r->json, WN_JSON_ROOT, "tests")) {
        if (run_test(r, test))
            r->file.passed++;
        else
            r->file.failed++;
    }
    skip_xml_tests(r, wn_json_get(&r->json, WN_JSON_ROOT, "xmlViolationTests"));
    if (verbose)
        printf("%-32s %5d passed, %d failed, %d skipped\n", r->file_name, r->file.passed,
               r->file.failed, r->file.skipped);
    r->all.passed += r->file.passed;
    r->all.failed += r->file.failed;
    r->all.skipped += r->file.skipped;
    wn_buf_free(&text);
    return true;
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
    if (!directory || !test_files_find(&files, directory, ".test") || files.count == 0)
        test_skip("html5lib's tokenizer tests are not there", directory);
    wn_arena_init(&r.arena, 0);
    for (size_t i = 0; i < files.count; i++)
        sound = run_file(&r, files.paths[i], verbose) && sound;
    printf("html5lib tokenizer: %d passed, %d failed, %d skipped (xmlViolation)\n", r.all.passed,
           r.all.failed, r.all.skipped);

    test_files_free(&files);
    wn_json_free(&r.json);
    wn_arena_free(&r.arena);
    wn_html_tokenizer_free(&r.tokenizer);
    wn_buf_free(&r.input);
    wn_buf_free(&r.expected);
    wn_buf_free(&r.got);
    return sound && r.all.failed == 0 ? 0 : 1;
}
