#include "eval/problems.h"

#include <inttypes.h>

#include "io/message.h"

enum { SHOWN_NAMES = 5 };

static const struct {
    const char *name, *meaning;
} kinds[] = {
    [WN_PROBLEM_BROKEN_LINE] = {"broken-line", "lines of pages.jsonl that cannot be used"},
    [WN_PROBLEM_REPEATED] = {"repeated", "pages listed again; the first line counts"},
    [WN_PROBLEM_NO_HTML] = {"no-html", "pages that cannot be read, not scored"},
    [WN_PROBLEM_NO_GOLD] = {"no-gold", "pages without a gold text, not scored"},
    [WN_PROBLEM_NO_TEXT] = {"no-text", "times a method failed; an empty text was scored"},
    [WN_PROBLEM_BROKEN_RESULT] = {"broken-result", "lines of results that cannot be used"},
    [WN_PROBLEM_EMPTY_GOLD] =
        {"empty-gold", "pages with an empty gold text; an empty output scores 1, any other 0"},
    [WN_PROBLEM_NO_RESULT] = {"no-result", "pages without a result; an empty text was scored"},
    [WN_PROBLEM_UNMATCHED] = {"unmatched", "results of no page of the set"},
    [WN_PROBLEM_UNLISTED] = {"unlisted", "files of the set that are not in pages.jsonl"},
};

const char *wn_eval_problem_name(wn_problem_kind kind)
{
    return kinds[kind].name;
}

const char *wn_eval_problem_meaning(wn_problem_kind kind)
{
    return kinds[kind].meaning;
}

void wn_eval_problems_free(wn_problems *problems)
{
    wn_array_free(&problems->list);
    wn_arena_free(&problems->arena);
}

void wn_eval_problems_add(wn_problems *problems, wn_problem_kind kind, wn_str name, wn_str detail)
{
    problems->counts[kind]++;
    wn_problem *problem = wn_array_push(&problems->list);
    if (problem) {
        *problem = (wn_problem){
            .kind = kind,
            .name = wn_arena_copy(&problems->arena, name),
            .detail = wn_arena_copy(&problems->arena, detail),
        };
    }
    problems->failed = problems->failed || !problem || problems->arena.failed;
}

void wn_eval_problems_move(wn_problems *problems, wn_problems *from)
{
    for (uint32_t i = 0; i < from->list.count; i++) {
        const wn_problem *p = &from->list.items[i];
        wn_eval_problems_add(problems, p->kind, p->name, p->detail);
    }
    from->list.count = 0;
    memset(from->counts, 0, sizeof from->counts);
    wn_arena_reset(&from->arena);
}

static void add_quoted(wn_buf *out, const wn_problem *problem)
{
    wn_buf_add_char(out, '\'');
    wn_add_printable(out, problem->name);
    wn_buf_add_char(out, '\'');
    if (problem->detail.len > 0) {
        wn_buf_add_literal(out, " (");
        wn_add_printable(out, problem->detail);
        wn_buf_add_char(out, ')');
    }
}

void wn_eval_problems_add_names(const wn_problems *problems, wn_problem_kind kind, wn_buf *out)
{
    uint64_t shown = 0, count = problems->counts[kind];
    for (uint32_t i = 0; i < problems->list.count && shown < SHOWN_NAMES; i++) {
        if (problems->list.items[i].kind != kind)
            continue;
        wn_buf_add_literal(out, shown++ ? ", " : "");
        add_quoted(out, &problems->list.items[i]);
    }
    if (count > shown)
        wn_buf_add_format(out, " and %" PRIu64 " more", count - shown);
}

void wn_eval_problems_say(const wn_problems *problems, bool quiet)
{
    for (wn_problem_kind kind = 0; kind < WN_PROBLEM_KINDS; kind++) {
        if (problems->counts[kind] == 0 || (quiet && kind >= WN_PROBLEM_EMPTY_GOLD))
            continue;
        wn_buf message = {0};
        wn_buf_add_format(&message, "%s: %" PRIu64 ": ", wn_eval_problem_meaning(kind),
                          problems->counts[kind]);
        wn_eval_problems_add_names(problems, kind, &message);
        wn_io_say(&message);
        wn_buf_free(&message);
    }
}

bool wn_eval_problems_serious(const wn_problems *problems)
{
    for (wn_problem_kind kind = 0; kind < WN_PROBLEM_EMPTY_GOLD; kind++) {
        if (problems->counts[kind] > 0)
            return true;
    }
    return false;
}
