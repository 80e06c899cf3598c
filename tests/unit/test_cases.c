/*
 * The parser against our own cases: readable files with a title, a reason, an input and
 * what comes out of it.
 *
 *     test_cases [-u] [FILE | DIRECTORY]...
 *
 * Without arguments the cases in TESTS_DIR/cases are run. With -u the expected parts are
 * rewritten with what the parser gives: review the difference before you commit it.
 *
 * A case (tests/README.md tells more):
 *
 *     ## A title
 *     Prose.
 *     --- input state=rcdata last=title
 *     a &amp; b
 *     --- tokens
 *     text "a & b"
 *     ---
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "html/tree.h"
#include "support/dump.h"
#include "support/files.h"

typedef struct test_case {
    wn_str title;
    wn_str options;  /* the rest of the "--- input" line */
    wn_str input;    /* its lines, without the last line end */
    bool tokens;     /* "--- tokens" rather than "--- tree" */
    wn_str expected; /* its lines, with the last line end */
} test_case;

typedef struct runner {
    int passed, failed;
    bool update;
    const char *file_name;
    wn_tree *tree;
    wn_doc doc;
    wn_tokenizer tokenizer;
    wn_arena arena;
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

/* The option's value ("" for one without), or an empty string with a NULL pointer. */
static wn_str option(const test_case *test, const char *wanted)
{
    wn_str rest = test->options, name, value;
    while (next_option(&rest, &name, &value))
        if (wn_str_eq(name, wn_str_of(wanted)))
            return value;
    return wn_str_from(NULL, 0);
}

static bool has_option(const test_case *test, const char *name)
{
    return option(test, name).ptr != NULL;
}

static uint32_t number_option(const test_case *test, const char *name, uint32_t otherwise)
{
    wn_str value = option(test, name);
    if (value.len == 0)
        return otherwise;
    uint32_t number = 0;
    for (size_t i = 0; i < value.len && wn_is_ascii_digit(value.ptr[i]); i++)
        number = number * 10 + (uint32_t)(value.ptr[i] - '0');
    return number;
}

/* A misspelt option would silently test something else. */
static bool options_known(const test_case *test)
{
    static const char *const known[] = {"escaped", "state",      "last",     "cdata",
                                        "follow",  "scripting",  "fragment", "depth",
                                        "nodes",   "attributes", "show",     "repeat"};
    wn_str rest = test->options, name, value;
    while (next_option(&rest, &name, &value)) {
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            found |= wn_str_eq(name, wn_str_of(known[i]));
        if (!found) {
            printf("unknown option: %.*s\n", WN_STR_ARGS(name));
            return false;
        }
    }
    return true;
}

static wn_tokenizer_state state_option(const test_case *test)
{
    static const char *const names[] = {
        [WN_STATE_DATA] = "data",           [WN_STATE_RCDATA] = "rcdata",
        [WN_STATE_RAWTEXT] = "rawtext",     [WN_STATE_SCRIPT] = "script",
        [WN_STATE_PLAINTEXT] = "plaintext", [WN_STATE_CDATA] = "cdata",
    };
    wn_str name = option(test, "state");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (wn_str_eq(name, wn_str_of(names[i])))
            return (wn_tokenizer_state)i;
    return WN_STATE_DATA;
}

/* ---- Input ------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef", *found = c ? strchr(digits, wn_ascii_lower(c)) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* With "escaped", \n \t \r \f \\ and \xHH stand for bytes that cannot be seen in a text file. */
static void add_unescaped(wn_buf *out, wn_str s)
{
    static const char names[] = "nrtf\\", values[] = "\n\r\t\f\\";
    for (size_t i = 0; i < s.len; i++) {
        const char *name = NULL;
        if (s.ptr[i] != '\\' || i + 1 == s.len) {
            wn_buf_add_char(out, s.ptr[i]);
        } else if (s.ptr[i + 1] == 'x' && i + 3 < s.len) {
            wn_buf_add_char(out, (char)(hex_digit(s.ptr[i + 2]) * 16 + hex_digit(s.ptr[i + 3])));
            i += 3;
        } else if ((name = strchr(names, s.ptr[i + 1]))) {
            wn_buf_add_char(out, values[name - names]);
            i++;
        } else {
            wn_buf_add_char(out, s.ptr[i]);
        }
    }
}

/* The input in the arena: unescaped, repeated, line ends normalised. */
static wn_str prepare_input(runner *r, const test_case *test)
{
    wn_buf input = {0};
    for (uint32_t times = number_option(test, "repeat", 1); times > 0; times--) {
        if (has_option(test, "escaped"))
            add_unescaped(&input, test->input);
        else
            wn_buf_add(&input, test->input);
    }
    test_normalise_line_ends(&input);
    wn_str copy = wn_arena_copy(&r->arena, wn_buf_str(&input));
    wn_buf_free(&input);
    return copy;
}

/* ---- Running a case ---------------------------------------------------------------------- */

static void run_tokenizer(runner *r, const test_case *test)
{
    wn_tokenizer *tok = &r->tokenizer;
    dump_tokens dump = {.out = &r->got};
    wn_tokenizer_init(tok, &r->arena, prepare_input(r, test));
    tok->state = state_option(test);
    tok->last_start_tag = has_option(test, "last") ? option(test, "last") : WN_STR("");
    tok->cdata_allowed = has_option(test, "cdata") || tok->state == WN_STATE_CDATA;
    tok->follows_tags = has_option(test, "follow");
    tok->scripting = has_option(test, "scripting");
    tok->max_attrs = number_option(test, "attributes", tok->max_attrs);
    while (wn_tokenizer_next(tok))
        dump_token(&dump, &tok->token);
    dump_tokens_finish(&dump);
}

static void show_state(runner *r)
{
    static const char *const modes[] = {[WN_NO_QUIRKS] = "no quirks",
                                        [WN_LIMITED_QUIRKS] = "limited quirks",
                                        [WN_QUIRKS] = "quirks"};
    wn_buf_add_format(&r->got, "mode: %s\nlimited:%s%s%s%s\n", modes[r->doc.quirks],
                      r->doc.limited & WN_LIMITED_DEPTH ? " depth" : "",
                      r->doc.limited & WN_LIMITED_NODES ? " nodes" : "",
                      r->doc.limited & WN_LIMITED_ATTRS ? " attributes" : "",
                      r->doc.limited & WN_LIMITED_MEMORY ? " memory" : "");
}

static void run_tree(runner *r, const test_case *test)
{
    wn_parse_options options = wn_parse_defaults;
    char context[64];
    wn_str fragment = option(test, "fragment");
    snprintf(context, sizeof context, "%.*s", WN_STR_ARGS(fragment));
    for (char *c = context; *c; c++)
        *c = *c == ':' ? ' ' : *c; /* "svg:path" on a line of options is "svg path" */
    options.fragment_context = fragment.ptr ? context : NULL;
    options.scripting = has_option(test, "scripting");
    options.max_depth = number_option(test, "depth", options.max_depth);
    options.max_nodes = number_option(test, "nodes", options.max_nodes);
    options.max_attrs = number_option(test, "attributes", options.max_attrs);
    wn_tree_parse(r->tree, &r->doc, &r->arena, prepare_input(r, test), &options);
    if (has_option(test, "show"))
        show_state(r);
    dump_tree(&r->got, &r->doc, fragment.ptr ? dump_fragment_root(&r->doc) : WN_DOCUMENT_NODE);
    const char *wrong = wn_doc_check(&r->doc);
    if (wrong)
        wn_buf_add_format(&r->got, "CHECK FAILED: %s\n", wrong);
}

static void run_case(runner *r, const test_case *test)
{
    wn_arena_reset(&r->arena);
    wn_buf_clear(&r->got);
    bool known = options_known(test);
    if (test->tokens)
        run_tokenizer(r, test);
    else
        run_tree(r, test);
    if (known && wn_str_eq(test->expected, wn_buf_str(&r->got))) {
        r->passed++;
        return;
    }
    r->failed++;
    if (!r->update)
        printf("FAILED %s: %.*s\ninput: %.*s\nexpected:\n%.*sgot:\n%s\n", r->file_name,
               WN_STR_ARGS(test->title), WN_STR_ARGS(test->input), WN_STR_ARGS(test->expected),
               wn_buf_c_string(&r->got));
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

static bool is_mark(wn_str line, const char *mark)
{
    return wn_str_eq(wn_str_trim(line), wn_str_of(mark));
}

/* Takes the lines before the next mark, and copies them with -u if `keep`. */
static wn_str take_part(runner *r, wn_str *rest, bool keep)
{
    const char *start = rest->ptr;
    while (rest->len > 0 && !wn_str_starts(*rest, WN_STR("---")))
        take_line(rest);
    wn_str part = wn_str_between(start, rest->ptr);
    if (keep)
        wn_buf_add(&r->rewritten, part);
    return part;
}

/* Reads what follows an "--- input" line and runs it. False if the case is not whole. */
static bool read_case(runner *r, wn_str *rest, test_case *test)
{
    test->input = take_part(r, rest, true);
    if (test->input.len > 0)
        test->input.len--;
    wn_str mark = take_line(rest);
    test->tokens = is_mark(mark, "--- tokens");
    if (!test->tokens && !is_mark(mark, "--- tree"))
        return false;
    wn_buf_add(&r->rewritten, mark);
    test->expected = take_part(r, rest, false);
    wn_str end = take_line(rest);
    if (!is_mark(end, "---"))
        return false;
    run_case(r, test);
    wn_buf_add(&r->rewritten, wn_buf_str(&r->got));
    wn_buf_add(&r->rewritten, end);
    return true;
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
        if (wn_str_starts(line, WN_STR("--- input"))) {
            test.options = wn_str_from_offset(line, strlen("--- input"));
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
    runner r = {.tree = wn_tree_new()};
    test_files files = {0};
    bool sound = r.tree != NULL;
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
        test_files_find(&files, TESTS_DIR "/cases", ".txt");
#endif
    if (files.count == 0)
        test_skip("no cases", argv[optind]);
    wn_arena_init(&r.arena, 0);
    for (size_t i = 0; i < files.count; i++)
        sound = run_file(&r, files.paths[i]) && sound;
    printf("cases: %d passed, %d %s\n", r.passed, r.failed, r.update ? "rewritten" : "failed");

    test_files_free(&files);
    wn_tree_free(r.tree);
    wn_doc_free(&r.doc);
    wn_tokenizer_free(&r.tokenizer);
    wn_arena_free(&r.arena);
    wn_buf_free(&r.got);
    wn_buf_free(&r.rewritten);
    return sound && (r.update || r.failed == 0) ? 0 : 1;
}
