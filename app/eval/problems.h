/*
 * Bad data: everything that is wrong with a set or with results, by name.
 *
 * A figure is only as good as its pages, so nothing is silently left out: each page
 * or line that could not be used, or was used with a reservation, is kept here and told at the
 * end, in the messages and in the report.
 */
#ifndef WN_EVAL_PROBLEMS_H
#define WN_EVAL_PROBLEMS_H

#include "base/arena.h"
#include "base/array.h"
#include "base/buf.h"

typedef enum wn_problem_kind {
    WN_PROBLEM_BROKEN_LINE,   /* of pages.jsonl: skipped */
    WN_PROBLEM_REPEATED,      /* an id that was there before: skipped */
    WN_PROBLEM_NO_HTML,       /* the page cannot be read: not scored */
    WN_PROBLEM_NO_GOLD,       /* its gold cannot be read: not scored */
    WN_PROBLEM_NO_TEXT,       /* a method failed on the page: scored as an empty text */
    WN_PROBLEM_BROKEN_RESULT, /* a line of another tool's results: skipped */
    /* From here on they are remarks: the figures are complete. */
    WN_PROBLEM_EMPTY_GOLD, /* scores 1 for an empty text and 0 for any other */
    WN_PROBLEM_NO_RESULT,  /* the other tool has no text for the page: scored as an empty one */
    WN_PROBLEM_UNMATCHED,  /* a result for a page that the set does not have */
    WN_PROBLEM_UNLISTED,   /* a file that pages.jsonl does not name */
    WN_PROBLEM_KINDS,
} wn_problem_kind;

typedef struct wn_problem {
    wn_problem_kind kind;
    wn_str name;   /* of the page, file or line */
    wn_str detail; /* may be empty */
} wn_problem;

/* Zero it before the first use. */
typedef struct wn_problems {
    wn_array(wn_problem) list;
    uint64_t counts[WN_PROBLEM_KINDS];
    wn_arena arena;
    bool failed; /* out of memory: the counts are right, names are missing */
} wn_problems;

void wn_eval_problems_free(wn_problems *problems);

/* Adds one; both strings are copied. */
void wn_eval_problems_add(wn_problems *problems, wn_problem_kind kind, wn_str name, wn_str detail);

/* Adds all of `from`, which becomes empty. */
void wn_eval_problems_move(wn_problems *problems, wn_problems *from);

/* "no-gold", as in JSON. Static. */
const char *wn_eval_problem_name(wn_problem_kind kind);

/* What it means, for many: "pages without gold text, not scored". Static. */
const char *wn_eval_problem_meaning(wn_problem_kind kind);

/* Adds the first few of a kind, quoted: "'a', 'b' and 3 more". */
void wn_eval_problems_add_names(const wn_problems *problems, wn_problem_kind kind, wn_buf *out);

/* Says all of them on standard error, one line per kind; remarks only if not `quiet`. */
void wn_eval_problems_say(const wn_problems *problems, bool quiet);

/* Whether there are some that are more than remarks. */
bool wn_eval_problems_serious(const wn_problems *problems);

#endif
