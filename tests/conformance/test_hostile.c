/*
 * Hostile pages: worst cases made by hand, and the corpora of other parsers' fuzzers.
 *
 *     test_hostile [-v] DIRECTORY
 *
 * Every file below DIRECTORY is a page; those that end in ".gz" are inflated here, up to
 * the limit of a page, which a gzip bomb reaches. What must hold for each of them is
 * written in support/check_page.h. The slowest are printed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check_page.h"
#include "support/files.h"

enum { SLOWEST = 5 };

typedef struct slow_page {
    const char *path;
    double seconds;
    size_t bytes, memory;
    const char *run;
} slow_page;

/* Keeps the slowest runs, the slowest first. */
static void note_slow(slow_page slowest[SLOWEST], const slow_page *page)
{
    int place = SLOWEST;
    while (place > 0 && slowest[place - 1].seconds < page->seconds)
        place--;
    if (place == SLOWEST)
        return;
    memmove(&slowest[place + 1], &slowest[place], (size_t)(SLOWEST - 1 - place) * sizeof *page);
    slowest[place] = *page;
}

static void note_page(slow_page slowest[SLOWEST], const char *path, size_t bytes,
                      const page_report *report)
{
    slow_page page = {.path = path, .bytes = bytes};
    for (int run = 0; run < PAGE_RUNS; run++) {
        if (report->seconds[run] > page.seconds) {
            page.seconds = report->seconds[run];
            page.memory = report->memory[run];
            page.run = page_run_names[run];
        }
    }
    note_slow(slowest, &page);
}

static bool run_file(const char *path, size_t max, bool verbose, slow_page slowest[SLOWEST])
{
    wn_buf bytes = {0};
    page_report report;
    bool read = test_file_inflate(&bytes, path, max);
    if (!read) {
        printf("FAILED %s: cannot be read\n", path);
        wn_buf_free(&bytes);
        return false;
    }
    bool passed = check_page(&report, wn_buf_str(&bytes));
    if (!passed)
        printf("FAILED %s (%zu bytes)\n%s", path, bytes.len, wn_buf_c_string(&report.problems));
    if (verbose)
        printf("%8.3f %8.3f %8.3f s %8.1f MB of %8.1f MB  %-8s %s\n", report.seconds[0],
               report.seconds[1], report.seconds[2], (double)report.memory[2] / 1e6,
               (double)bytes.len / 1e6, winnow_status_name(report.status), test_file_name(path));
    note_page(slowest, path, bytes.len, &report);
    wn_buf_free(&report.problems);
    wn_buf_free(&bytes);
    return passed;
}

int main(int argc, char **argv)
{
    test_files files = {0};
    slow_page slowest[SLOWEST + 1] = {0};
    bool verbose = false;
    int passed = 0;
    for (int option; (option = getopt(argc, argv, "v")) != -1;) {
        if (option == '?')
            return 2;
        verbose = true;
    }
    const char *directory = argv[optind];
    if (!directory || !test_files_find(&files, directory, NULL) || files.count == 0)
        test_skip("the hostile pages are not there", directory);
    size_t most = (size_t)winnow_options_number(NULL, WINNOW_OPTION_MAX_BYTES);
    for (size_t i = 0; i < files.count; i++)
        passed += run_file(files.paths[i], most, verbose, slowest);
    printf("the slowest:\n");
    for (int i = 0; i < SLOWEST && slowest[i].path; i++)
        printf("  %.3f s (%s), %.1f MB of memory for %.1f MB: %s\n", slowest[i].seconds,
               slowest[i].run, (double)slowest[i].memory / 1e6, (double)slowest[i].bytes / 1e6,
               test_file_name(slowest[i].path));
    printf("hostile: %d passed, %d failed\n", passed, (int)files.count - passed);
    int failed = (int)files.count - passed;
    test_files_free(&files);
    return failed ? 1 : 0;
}
