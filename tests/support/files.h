/*
 * Files for tests: whole files in memory, directories as sorted lists, gzip, clocks.
 */
#ifndef WN_TESTS_FILES_H
#define WN_TESTS_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* A test that lacks its data says so and exits with this; runners count it as skipped. */
enum { TEST_EXIT_SKIPPED = 77 };

typedef struct test_files {
    char **paths; /* sorted; owned */
    size_t count;
} test_files;

/*
 * Adds the regular files at or below `path` whose name ends with `suffix` (NULL: all).
 * False when there is nothing at `path`.
 */
bool test_files_find(test_files *files, const char *path, const char *suffix);
void test_files_free(test_files *files);

/* The part of a path after its last slash. */
const char *test_file_name(const char *path);

/* Puts a file's bytes into `out`, which is emptied first; false if it cannot be read. */
bool test_file_read(wn_buf *out, const char *path);
bool test_file_write(const char *path, wn_str bytes);

/*
 * Like test_file_read(), but inflates a file whose name ends with ".gz"; of more than
 * `max` bytes the first `max` are kept.
 */
bool test_file_inflate(wn_buf *out, const char *path, size_t max);

/* What the standard's "preprocessing the input stream" does: CR and CR LF become LF. */
void test_normalise_line_ends(wn_buf *text);

/* Seconds of processor time: other work on the machine does not make a test fail. */
double test_now(void);

/* Prints "SKIPPED: …" and ends the program. */
_Noreturn void test_skip(const char *what, const char *path);

/* A generator of numbers that is the same everywhere (xorshift); the state must not be 0. */
static inline uint64_t test_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

#endif
