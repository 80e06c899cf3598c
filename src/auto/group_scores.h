/*
 * Blocks alike: what a page repeats is meant alike.
 *
 * The titles of all cards of a list, or all its prices, have the same classes around them, and people keep all or
 * none of them. So each block hears what was answered for the others of its kind: alone, a long title would be kept and
 * a short one dropped. Pages of the early web name hardly any classes; there every block stands for itself.
 */
#ifndef WN_AUTO_GROUP_SCORES_H
#define WN_AUTO_GROUP_SCORES_H

#include "auto/features.h"
#include "base/arena.h"

/*
 * Draws the answer of each block towards the mean of its kind, weighted by words: by `share`, in 1/1024.
 * False when memory is out.
 */
bool wn_alike_share(const wn_features *features, int32_t share, wn_arena *arena, int32_t *logits);

#endif
