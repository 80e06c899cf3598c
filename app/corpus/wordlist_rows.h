/*
 * Rows of a word list for people and programs: which of them, as a table, as data, as a picture.
 */
#ifndef WN_CORPUS_WORDLIST_ROWS_H
#define WN_CORPUS_WORDLIST_ROWS_H

#include "corpus/wordlist.h"
#include "draw/sheet.h"

/* ---- Which rows -------------------------------------------------------------------------- */

typedef enum wn_word_condition_op {
    WN_OP_EQUAL,
    WN_OP_NOT_EQUAL,
    WN_OP_LESS,
    WN_OP_AT_MOST,
    WN_OP_MORE,
    WN_OP_AT_LEAST,
} wn_word_condition_op;

/*
 * A condition "ATTRIBUTE OP VALUE". The attributes are word, total, documents, labelled, tfidf,
 * distance, outlier (true or false), and the labels. A row fulfils none on a value that it does not
 * have.
 */
typedef struct wn_word_condition {
    uint32_t attribute; /* of wn_attribute_name() */
    uint32_t class;     /* of a label: its number */
    wn_word_condition_op op;
    double number;
    wn_str word;
} wn_word_condition;

/*
 * Reads a condition; false when it is not one: `error` says why. `list` NULL: any name may be a
 * label.
 */
bool wn_corpus_word_condition_read(wn_word_condition *condition, const wn_wordlist *list,
                                   const char *text, wn_buf *error);

enum {
    WN_DROP_OUTLIERS = 1 << 0,
    WN_DROP_UNKNOWN_ATTRIBUTES = 1 << 1, /* rows with missing or illegal values */
    WN_DROP_UNKNOWN_LABEL = 1 << 2,      /* words of pages without labels only */
};

typedef struct wn_word_rows {
    wn_array(uint32_t) list; /* words */
    bool failed;
} wn_word_rows;

/* The rows, by word, that fulfil all conditions and are not dropped. */
void wn_corpus_word_rows_choose(wn_word_rows *rows, const wn_wordlist *list,
                                const wn_word_condition *conditions, size_t count, unsigned drop);

/* The outliers, the farthest first. */
void wn_corpus_word_rows_outliers(wn_word_rows *rows, const wn_wordlist *list);

/* ---- How they are shown ------------------------------------------------------------------ */

void wn_corpus_word_rows_table(const wn_word_rows *rows, const wn_wordlist *list, wn_buf *out);
void wn_corpus_word_rows_csv(const wn_word_rows *rows, const wn_wordlist *list, wn_buf *out);
void wn_corpus_word_rows_json(const wn_word_rows *rows, const wn_wordlist *list, wn_buf *out);

/* Draws the rows: words from left to right, how often they occur, outliers marked. */
void wn_corpus_word_rows_plot(const wn_word_rows *rows, const wn_wordlist *list, wn_sheet *sheet);

#endif
