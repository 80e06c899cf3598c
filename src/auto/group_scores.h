/*
 * Group scores: repeated elements are kept or dropped together.
 *
 * The titles of all cards of a list, or all its prices, have the same classes around them, and
 * people keep all or none of them. So the score of each block is blended with the mean of its
 * group: alone, a long title would be kept and a short one dropped. Pages of the early web name
 * hardly any classes; there every block keeps its own score.
 */
#ifndef WN_AUTO_GROUP_SCORES_H
#define WN_AUTO_GROUP_SCORES_H

#include "auto/features.h"
#include "base/arena.h"

/*
 * Moves the score of each block towards the mean of its group, weighted by words: by `share`, in
 * 1/1024. False if out of memory.
 */
bool wn_auto_blend_group_scores(const wn_auto_features *features, int32_t share, wn_arena *arena,
                                int32_t *logits);

#endif
