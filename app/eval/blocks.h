/*
 * Blocks right and wrong: accuracy, precision, recall and specificity as Lingwal's paper counts
 * them.
 *
 * The blocks of a page are those of its visible text (method "all"). The gold labels each of them:
 * content if at least half of its words are in the longest common subsequence of the page and the
 * gold, else noise. In the same way a block was kept if at least half of its words are in that of
 * the page and our text; so any text can be judged, whoever made it.
 *
 *                 content          noise
 *     kept        kept_content     kept_noise         precision    kept_content / kept
 *     dropped     dropped_content  dropped_noise      recall       kept_content / content
 *                                                     specificity  dropped_noise / noise
 *                                                     accuracy     (kept_content + dropped_noise) /
 *                                                                  all
 */
#ifndef WN_EVAL_BLOCKS_H
#define WN_EVAL_BLOCKS_H

#include "eval/measures.h"
#include "winnow.h"

typedef struct wn_block_counts {
    uint64_t kept_content, kept_noise, dropped_content, dropped_noise;
} wn_block_counts;

/* One block of a page. */
typedef struct wn_judged_block {
    uint32_t first, count; /* of its words */
    bool content;
} wn_judged_block;

/* The blocks of a page, and working memory. Zero it before the first use. */
typedef struct wn_block_judge {
    wn_array(wn_judged_block) blocks;
    wn_array(uint32_t) ids, others, match; /* words of the page; of the other text; places */
    wn_word_list words;
} wn_block_judge;

void wn_eval_block_judge_free(wn_block_judge *judge);

/* Labels the blocks of a page by the gold that `m` was begun with; false if out of memory. */
bool wn_eval_block_judge_begin(wn_block_judge *judge, wn_measurer *m, winnow_selection *all);

/* Counts what became of them in the text that `m` has just scored; false if out of memory. */
bool wn_eval_block_judge_count(wn_block_judge *judge, wn_measurer *m, wn_block_counts *counts);

void wn_eval_block_counts_add(wn_block_counts *sum, const wn_block_counts *counts);

/* NaN where there is nothing to divide by. */
double wn_eval_block_accuracy(const wn_block_counts *counts);
double wn_eval_block_precision(const wn_block_counts *counts);
double wn_eval_block_recall(const wn_block_counts *counts);
double wn_eval_block_specificity(const wn_block_counts *counts);

#endif
