/*
 * Files of cases, to be read by people: a title, prose, an input, and what comes out of it.
 *
 *     ## A title
 *     Prose.
 *     --- input repeat=2 links          the mark of the input, and options
 *     <p>a
 *     --- txt                           a part: what comes out in one form …
 *     a
 *     --- md                            … and in another
 *     a
 *     ---
 *
 * A program that runs them takes [-u] [FILE | DIRECTORY]... With -u the parts are rewritten with what
 * comes out: review the difference before you commit it.
 */
#ifndef WN_TESTS_CASES_H
#define WN_TESTS_CASES_H

#include <stdbool.h>

#include "base/buf.h"

typedef struct test_case {
    wn_str title;
    wn_str options; /* the rest of the line that marks the input */
    wn_str input;   /* its lines, without the last line end */
} test_case;

typedef struct test_cases {
    const char *mark;           /* of the input: "--- input" */
    const char *const *options; /* those there are; NULL ends them: a misspelt one is a failure */
    const char *const *parts;   /* likewise */

    /* Puts what comes out of the case for one part, a number in `parts`, into `got`. */
    void (*run)(void *data, const test_case *test, size_t part, wn_buf *got);
    void *data;
} test_cases;

/* The option's value ("" for one without), or a string with a NULL pointer if it is not given. */
wn_str test_case_option(const test_case *test, const char *name);
uint32_t test_case_number(const test_case *test, const char *name, uint32_t otherwise);

/* Runs the files that are named, or those below `folder`. Returns what main() returns. */
int test_cases_run(const test_cases *cases, int argc, char **argv, const char *folder);

#endif
