/*
 * Words to weights: how often each word is in the texts, stop words left out.
 *
 *     wn_counts counts = {0};
 *     wn_draw_counts_add_text(&counts, &reading, text);              // as often as there are texts
 *     size_t n = wn_draw_counts_top(&counts, 100, 1);                // the first n of counts.list
 *     wn_draw_counts_free(&counts);
 *
 * Forms of a word are counted together: those with one stem ("kernel", "kernels"), or without a
 * stemmer those that differ in case. They are shown in the most common form, as written: "London",
 * "mill". At the start of a sentence and in headings any word may be capitalised, so those forms
 * count only for words that occur nowhere else.
 *
 * Not counted are stop words, numbers and number words, single letters (except ideographs), parts
 * of addresses (http, www, com), and runs of letters too long to be a word. A final English 's is
 * removed.
 *
 * Memory grows with the number of different words, not with the length of the texts.
 */
#ifndef WN_DRAW_COUNT_H
#define WN_DRAW_COUNT_H

#include "base/arena.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/map.h"
#include "text/stem.h"
#include "text/stopwords.h"
#include "text/words.h"

enum { WN_LONGEST_TAG = 40 }; /* characters; longer ones are addresses, keys, noise */

typedef struct wn_draw_weight {
    wn_str word; /* its commonest form */
    uint64_t count;
} wn_draw_weight;

/* How often a form of a word occurs; its key is the word, a line end, and the form. */
typedef struct wn_draw_form {
    uint32_t word;
    uint64_t count;   /* where its case is the writer's choice */
    uint64_t initial; /* at the start of a sentence, and in titles */
} wn_draw_form;

/* Zero it before the first use. */
typedef struct wn_counts {
    wn_map words;              /* stems, or folded words */
    wn_array(uint64_t) counts; /* by number of the word */
    wn_map forms;
    wn_array(wn_draw_form) of_forms; /* by number of the form */
    wn_arena arena;                  /* the bytes of both */
    wn_buf folded, key;
    uint64_t total; /* words counted, each time they came */
    bool failed;    /* out of memory: some are missing */

    wn_array(wn_draw_weight) list; /* made by wn_draw_counts_top() */
} wn_counts;

/* How texts are read: all in one language. */
typedef struct wn_draw_reading {
    wn_words *segmenter;
    const wn_stopwords *stop;
    wn_stemmer *stemmer;      /* NULL: forms are not joined */
    const char *number_words; /* number_words.h; NULL: they count */
} wn_draw_reading;

/* Counts the words of `text`, which is well-formed UTF-8; sentences end where a line does. */
void wn_draw_counts_add_text(wn_counts *counts, const wn_draw_reading *reading, wn_str text);

/* Counts one folded word, whatever it is. */
void wn_draw_counts_add(wn_counts *counts, wn_str folded);

/* The same for a word that was counted that often. */
void wn_draw_counts_add_times(wn_counts *counts, wn_str folded, uint64_t times);

/*
 * Adds what wn_draw_counts_csv() has written, or who counts elsewhere; false if it is something
 * else.
 */
bool wn_draw_counts_read_csv(wn_counts *counts, wn_str csv);

/* The form of that number, as it is written; valid as long as the counts. */
wn_str wn_draw_counts_form(const wn_counts *counts, uint32_t number);

/* Adds what another has counted. */
void wn_draw_counts_merge(wn_counts *counts, const wn_counts *other);

/*
 * Makes the list, the most frequent first and equals by their bytes. Returns how many of them
 * belong to the cloud: at most `most`, each counted at least `least` times.
 */
size_t wn_draw_counts_top(wn_counts *counts, size_t most, uint64_t least);

/* Appends the first `n` weights as JSON, or as CSV (RFC 4180) with a line of names. */
void wn_draw_counts_json(wn_buf *out, const wn_counts *counts, size_t n, uint64_t pages);
void wn_draw_counts_csv(wn_buf *out, const wn_counts *counts, size_t n);

void wn_draw_counts_free(wn_counts *counts);

#endif
