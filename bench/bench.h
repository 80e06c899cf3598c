/*
 * What the benchmark programs share: the pages, the clock and the conversation.
 *
 *     bench_PROGRAM FOLDER
 *
 * reads all files of the folder into memory, prints "ready PAGES BYTES" and then answers
 * each line of its standard input, which names a row, with the seconds that one round over
 * all pages took. bench/run talks to all programs in turn, so that they share the ups and
 * downs of the machine.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>

typedef struct bench_page {
    char *bytes;
    size_t size;
} bench_page;

typedef struct bench_pages {
    bench_page *items;
    size_t count;
    size_t bytes; /* of all pages together */
} bench_pages;

/* One thing to measure: does its work once for all pages. */
typedef struct bench_row {
    const char *name;
    void (*round)(const bench_pages *pages);
} bench_row;

/* The folder's files in the order of their names; ends the program when there are none. */
bench_pages bench_load(const char *folder);

/* The processor time of this program: other programs on the machine do not count. */
double bench_seconds(void);

/* The conversation; `rows` ends with a row without a name. Returns main's result. */
int bench_main(int argc, char **argv, const bench_row *rows);

#endif
