/*
 * Reasons: which features decided about a block.
 *
 * The contribution of a feature is how much the score changes if the feature has its usual value on
 * the page and all others stay the same. Only the trees that use a feature are evaluated again;
 * that is still several times the work of a score, so it is only done for explanations.
 */
#ifndef WN_AUTO_REASONS_H
#define WN_AUTO_REASONS_H

#include "auto/features.h"
#include "auto/forest.h"

enum { WN_REASONS = 5 };

typedef struct wn_auto_reason {
    wn_auto_feature feature;
    int value;
    int32_t part; /* of the logit, in 1/1024: more than 0 speaks for content */
} wn_auto_reason;

typedef struct wn_auto_reasons {
    const wn_auto_features *features;
    const wn_auto_forest *forest;
    wn_auto_row usual; /* the median of each feature */
    /*
     * The trees that ask for each feature: those of f are trees[first[f]] to trees[first[f + 1] -
     * 1].
     */
    uint32_t first[WN_FEATURE_COUNT + 1];
    uint16_t *trees;
} wn_auto_reasons;

/* Looks at all blocks for what is usual; false if out of memory. */
bool wn_auto_reasons_prepare(wn_auto_reasons *reasons, const wn_auto_features *features,
                             const wn_auto_forest *forest, wn_arena *arena);

/* The features that decided, the strongest first; returns how many there are. */
uint32_t wn_auto_reasons_of(const wn_auto_reasons *reasons, uint32_t block,
                            wn_auto_reason found[WN_REASONS]);

#endif
