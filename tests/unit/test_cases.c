/*
 * The parser against our own cases, in TESTS_DIR/cases (tests/README.md tells more):
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

#include "html/tree.h"
#include "support/cases.h"
#include "support/dump.h"
#include "support/files.h"

enum { TOKENS, TREE };

static const char *const parts[] = {[TOKENS] = "tokens", [TREE] = "tree", NULL};

static const char *const known_options[] = {
    "escaped", "state", "last",       "cdata", "follow", "scripting", "fragment",
    "depth",   "nodes", "attributes", "show",  "repeat", NULL,
};

typedef struct runner {
    wn_tree *tree;
    wn_doc doc;
    wn_tokenizer tokenizer;
    wn_arena arena;
} runner;

/* ---- Input ------------------------------------------------------------------------------- */

static bool has_option(const test_case *test, const char *name)
{
    return test_case_option(test, name).ptr != NULL;
}

static wn_tokenizer_state state_option(const test_case *test)
{
    static const char *const names[] = {
        [WN_STATE_DATA] = "data",           [WN_STATE_RCDATA] = "rcdata",
        [WN_STATE_RAWTEXT] = "rawtext",     [WN_STATE_SCRIPT] = "script",
        [WN_STATE_PLAINTEXT] = "plaintext", [WN_STATE_CDATA] = "cdata",
    };
    wn_str name = test_case_option(test, "state");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (wn_str_eq(name, wn_str_of(names[i])))
            return (wn_tokenizer_state)i;
    return WN_STATE_DATA;
}

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
    for (uint32_t times = test_case_number(test, "repeat", 1); times > 0; times--) {
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

static void run_tokenizer(runner *r, const test_case *test, wn_buf *got)
{
    wn_tokenizer *tok = &r->tokenizer;
    dump_tokens dump = {.out = got};
    wn_html_tokenizer_init(tok, &r->arena, prepare_input(r, test));
    tok->state = state_option(test);
    tok->last_start_tag = has_option(test, "last") ? test_case_option(test, "last") : WN_STR("");
    tok->cdata_allowed = has_option(test, "cdata") || tok->state == WN_STATE_CDATA;
    tok->follows_tags = has_option(test, "follow");
    tok->scripting = has_option(test, "scripting");
    tok->max_attrs = test_case_number(test, "attributes", tok->max_attrs);
    while (wn_html_tokenizer_next(tok))
        dump_token(&dump, &tok->token);
    dump_tokens_finish(&dump);
}

static void show_state(const runner *r, wn_buf *got)
{
    static const char *const modes[] = {[WN_NO_QUIRKS] = "no quirks",
                                        [WN_LIMITED_QUIRKS] = "limited quirks",
                                        [WN_QUIRKS] = "quirks"};
    wn_buf_add_format(got, "mode: %s\nlimited:%s%s%s%s\n", modes[r->doc.quirks],
                      r->doc.limited & WN_LIMITED_DEPTH ? " depth" : "",
                      r->doc.limited & WN_LIMITED_NODES ? " nodes" : "",
                      r->doc.limited & WN_LIMITED_ATTRS ? " attributes" : "",
                      r->doc.limited & WN_LIMITED_MEMORY ? " memory" : "");
}

static void run_tree(runner *r, const test_case *test, wn_buf *got)
{
    wn_parse_options options = wn_parse_defaults;
    char context[64];
    wn_str fragment = test_case_option(test, "fragment");
    snprintf(context, sizeof context, "%.*s", WN_STR_ARGS(fragment));
    for (char *c = context; *c; c++)
        *c = *c == ':' ? ' ' : *c; /* "svg:path" on a line of options is "svg path" */
    options.fragment_context = fragment.ptr ? context : NULL;
    options.scripting = has_option(test, "scripting");
    options.max_depth = test_case_number(test, "depth", options.max_depth);
    options.max_nodes = test_case_number(test, "nodes", options.max_nodes);
    options.max_attrs = test_case_number(test, "attributes", options.max_attrs);
    wn_html_tree_parse(r->tree, &r->doc, &r->arena, prepare_input(r, test), &options);
    if (has_option(test, "show"))
        show_state(r, got);
    dump_tree(got, &r->doc, fragment.ptr ? dump_fragment_root(&r->doc) : WN_DOCUMENT_NODE);
    const char *wrong = wn_doc_check(&r->doc);
    if (wrong)
        wn_buf_add_format(got, "CHECK FAILED: %s\n", wrong);
}

static void run_case(void *data, const test_case *test, size_t part, wn_buf *got)
{
    runner *r = data;
    wn_arena_reset(&r->arena);
    if (part == TOKENS)
        run_tokenizer(r, test, got);
    else
        run_tree(r, test, got);
}

int main(int argc, char **argv)
{
    runner r = {.tree = wn_html_tree_new()};
    test_cases cases = {"--- input", known_options, parts, run_case, &r};
    wn_arena_init(&r.arena, 0);
    int code = r.tree ? test_cases_run(&cases, argc, argv, TESTS_DIR "/cases") : 1;
    wn_html_tree_free(r.tree);
    wn_doc_free(&r.doc);
    wn_html_tokenizer_free(&r.tokenizer);
    wn_arena_free(&r.arena);
    return code;
}
