/*
 * Judging the blocks of a page by a model: rows of features are made and judged in batches,
 * so that no page needs memory for all of its rows.
 */
#ifndef WN_PAGE_JUDGE_H
#define WN_PAGE_JUDGE_H

#include "learn/model.h"
#include "page/features.h"
#include "page/second.h"

/*
 * The first answers, in 1/1024: `logits` has one for each block. A hasty judge asks the first
 * trees only.
 */
void wn_judge_first(const wn_features *features, const wn_model *model, bool hasty,
                    int32_t *logits);

/* The second answers, which replace the first ones. */
void wn_judge_second(const wn_second *second, const wn_model *model, int32_t *logits);

#endif
