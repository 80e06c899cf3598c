/*
 * The results of another tool, scored like our methods: a folder with one file per page, or a
 * JSONL file with one record per page.
 *
 * Files are matched by their name without its ending (results/0001.txt is page 0001), records by
 * their "id", which may be a path. The text of a record is its "text", "articleBody" or "content";
 * null says that the tool has none.
 * Only places are kept in memory; texts are read when their page is scored.
 */
#ifndef WN_EVAL_RESULTS_H
#define WN_EVAL_RESULTS_H

#include "eval/set.h"

/* Where the text of a page is. */
typedef struct wn_result_place {
    const char *file; /* in the folder; NULL: none */
    uint64_t offset;  /* of the record in the file */
    uint64_t size;    /* of the record; 0: none */
} wn_result_place;

/* Zero it before it is opened. */
typedef struct wn_results {
    const char *path;
    bool is_folder;
    wn_result_place *places; /* by page of the set */
    wn_arena arena;          /* file names */
    int fd;                  /* of the JSONL file */
    wn_buf error;
} wn_results;

/* Finds the results of `set` at `path`; false when nothing can be read there: see `error`. */
bool wn_eval_results_open(wn_results *results, const char *path, const wn_eval_set *set,
                          wn_problems *problems);
void wn_eval_results_free(wn_results *results);

/* What a thread needs to read texts. */
typedef struct wn_results_reader {
    winnow_loader *loader;
    wn_buf record;
    wn_json json;
    wn_arena arena;
} wn_results_reader;

void wn_eval_results_reader_init(wn_results_reader *reader);
void wn_eval_results_reader_free(wn_results_reader *reader);

/*
 * The text of a page, valid until the reader's next call; false if there is none. It may be
 * called by many threads, each with a reader of its own.
 */
bool wn_eval_results_read(const wn_results *results, uint32_t page, wn_results_reader *reader,
                          wn_str *text);

/* Whether it is a file of HTML; what is not may be plain text or Markdown. */
bool wn_eval_results_is_html(const wn_results *results, uint32_t page);

#endif
