/*
 * Judging the blocks of a page by a model: rows of features are made and judged in batches,
 * so that no page needs memory for all of its rows.
 */
#ifndef WN_AUTO_JUDGE_H
#define WN_AUTO_JUDGE_H

#include "auto/features.h"
#include "auto/model.h"

enum { WN_GATE_SHUT = INT16_MIN };

/*
 * What is known of a page before any of its blocks is judged, so that only one forest has to be
 * asked about them. In 1/1024; above 0 means rather yes.
 */
typedef struct wn_auto_gates {
    int32_t story; /* read from top to bottom: an article or a thread */
    int32_t item;  /* about one thing, with its properties: a product, a job, a recipe */
} wn_auto_gates;

wn_auto_gates wn_auto_judge_gates(const wn_auto_features *features, const wn_auto_model *model);

/* The trees that judge the blocks of this page. */
const wn_auto_forest *wn_auto_judge_forest(const wn_auto_features *features,
                                           const wn_auto_model *model, wn_auto_gates gates);

/* The answer of these trees for each block, in 1/1024. A hasty judge asks the first trees only. */
void wn_auto_judge_blocks(const wn_auto_features *features, const wn_auto_forest *forest,
                          bool hasty, int32_t *logits);

/* Whether a text was on the page before: a second time it is not content, but see copies.h. */
bool wn_auto_is_copy(const wn_auto_features *features, const wn_auto_model *model, uint32_t block);

/* The probability that an answer stands for, in 1/1024. */
uint32_t wn_auto_judge_chance(const wn_auto_model *model, int32_t logit);

/* The probabilities of all blocks; 0 for copies. */
void wn_auto_judge_chances(const wn_auto_features *features, const wn_auto_model *model,
                           const int32_t *logits, uint16_t *chances);

#endif
