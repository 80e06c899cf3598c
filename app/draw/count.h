/*
 * Words to weights: how often each word stands in the texts, stop words left out.
 *
 *     wn_counts counts = {0};
 *     wn_draw_counts_add_text(&counts, segmenter, &stop, text);      // as often as there are texts
 *     size_t n = wn_draw_counts_top(&counts, 100, 1);                // the first n of counts.list
 *     wn_draw_counts_free(&counts);
 *
 * Words are counted in the form of wn_text_fold(): case does not matter. Not counted is what says
 * nothing in a cloud: stop words, numbers, single letters (an ideograph is more than a
 * letter), what all addresses have (http, www, com), and runs of letters too long to be a
 * word. An English 's is cut off.
 *
 * Memory grows with the number of different words, not with the length of the texts.
 */
#ifndef WN_DRAW_COUNT_H
#define WN_DRAW_COUNT_H

#include "base/arena.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/map.h"
#include "text/stopwords.h"
#include "text/words.h"

enum { WN_LONGEST_TAG = 40 }; /* characters; longer ones are addresses, keys, noise */

typedef struct wn_draw_weight {
    wn_str word; /* folded */
    uint64_t count;
} wn_draw_weight;

/* Zero it before the first use. */
typedef struct wn_counts {
    wn_map words;
    wn_array(uint64_t) counts; /* by number of the word */
    wn_arena arena;            /* the words' bytes */
    wn_buf folded;
    uint64_t total; /* words counted, each time they came */
    bool failed;    /* memory is out: some are missing */

    wn_array(wn_draw_weight) list; /* made by wn_draw_counts_top() */
} wn_counts;

/* Counts the words of `text`, which is well-formed UTF-8. */
void wn_draw_counts_add_text(wn_counts *counts, wn_words *segmenter, const wn_stopwords *stop,
                             wn_str text);

/* Counts one folded word, whatever it is. */
void wn_draw_counts_add(wn_counts *counts, wn_str folded);

/* The same for one that was counted so often. */
void wn_draw_counts_add_times(wn_counts *counts, wn_str folded, uint64_t times);

/* Adds what wn_draw_counts_csv() has written, or who counts elsewhere; false if it is something else. */
bool wn_draw_counts_read_csv(wn_counts *counts, wn_str csv);

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
