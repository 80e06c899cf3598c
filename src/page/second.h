/*
 * The second look: what can be said of a block once all blocks have a first probability.
 *
 * A block that looks like nothing may stand in the middle of what is surely content, or be one of
 * thirty cards that rise and fall together. These features carry the first probabilities of the
 * elements around, of neighbours, of blocks of the same kind and of the heading above.
 */
#ifndef WN_PAGE_SECOND_H
#define WN_PAGE_SECOND_H

#include "learn/forest.h"
#include "page/features.h"

/* clang-format off */
#define WN_SECOND_LEVEL_FEATURES(F, L) F(L##_CHANCE) F(L##_BEST)

#define WN_SECOND_FEATURES(F) \
    F(CHANCE) F(LOGIT) F(RANK) F(EXPECTED_BEFORE) F(EXPECTED_BEHIND) F(LEFT3_CHANCE) F(LEFT2_CHANCE) F(LEFT1_CHANCE) \
    F(RIGHT1_CHANCE) F(RIGHT2_CHANCE) F(RIGHT3_CHANCE) F(NEAR3_CHANCE) F(NEAR8_CHANCE) F(NEAR20_CHANCE) \
    F(CLASS_CHANCE) F(PATH_CHANCE) F(HEADING_CHANCE) F(SECTION_CHANCE) F(PAGE_EXPECTED) \
    F(PAGE_EXPECTED_SHARE) F(PAGE_CERTAINTY) F(PAGE_CUT) F(EXPECTED50_UP) F(EXPECTED50_DOWN) F(EXPECTED90_UP) \
    F(EXPECTED90_DOWN) F(CONTAINER_UP) F(CONTAINER_DOWN) F(CONTAINER_F1) F(CONTAINER_SHARE) \
    WN_SECOND_LEVEL_FEATURES(F, L0) WN_SECOND_LEVEL_FEATURES(F, L1) WN_SECOND_LEVEL_FEATURES(F, L2) \
    WN_SECOND_LEVEL_FEATURES(F, L3) WN_SECOND_LEVEL_FEATURES(F, L4) WN_SECOND_LEVEL_FEATURES(F, L5)
/* clang-format on */

#define WN_SECOND_NUMBER(name) WN_S_##name,
typedef enum wn_second_feature {
    WN_SECOND_FEATURES(WN_SECOND_NUMBER) WN_SECOND_COUNT
} wn_second_feature;

extern const char *const wn_second_names[WN_SECOND_COUNT];

/* A row of both: first the features of features.h, then these. */
enum { WN_BOTH_COUNT = WN_FEATURE_COUNT + WN_SECOND_COUNT };
#define WN_ROW_SIZES ((wn_row_sizes){WN_FEATURE_COUNT, WN_BOTH_COUNT})

/* Three distances of each element, as pairs of up and down. */
enum { WN_SECOND_PEAKS = 3 };

typedef struct wn_second {
    const wn_features *features;
    const int32_t *logits;                  /* first answers, in 1/1024 */
    uint16_t *chances;                      /* by block: first probabilities, in 1/1024 */
    uint32_t *expected;                     /* by bone: content words to be expected, in 1/16 */
    uint16_t *best;                         /* by bone: the highest probability in it */
    uint8_t (*peaks)[2 * WN_SECOND_PEAKS];  /* by bone */
    uint64_t *before;                       /* by block, and one more: expected words before it */
    uint16_t *of_class, *of_path, *of_head; /* by block: mean of its like, of its section */
    int16_t of_page[WN_SECOND_COUNT];       /* those that are the same for all blocks */
    uint32_t ranks[WN_LOGIT_ONE + 2];       /* by probability: words of all blocks above it */
} wn_second;

/* Prepares the second look; false when memory is out. */
bool wn_second_prepare(wn_second *second, const wn_features *features, const int32_t *logits,
                       wn_arena *arena);

/* Writes the second features of one block. */
void wn_second_row(const wn_second *second, uint32_t block, int16_t *row);

#endif
