/*
 * The outlook: what the probabilities of all blocks say of the page as a whole, before anything is
 * cut, and what its title and headings say of its type. A page whose blocks are all sure is likely to come out well.
 * The type of the page and the F1 to expect are judged by this and by the features of the page.
 */
#ifndef WN_AUTO_PAGE_TYPE_H
#define WN_AUTO_PAGE_TYPE_H

#include "auto/features.h"
#include "auto/threshold.h"

/* clang-format off */
#define WN_OUTLOOK_FEATURES(F) \
    F(PAGE_EXPECTED) F(PAGE_EXPECTED_SHARE) F(PAGE_CERTAINTY) \
    F(PAGE_TITLE0) F(PAGE_TITLE1) F(PAGE_TITLE2) F(PAGE_TITLE3) F(PAGE_TITLE4) F(PAGE_TITLE5) F(PAGE_TITLE6) \
    F(PAGE_HEADINGS0) F(PAGE_HEADINGS1) F(PAGE_HEADINGS2) F(PAGE_HEADINGS3) F(PAGE_HEADINGS4) \
    F(PAGE_HEADINGS5) F(PAGE_HEADINGS6)
/* clang-format on */

#define WN_OUTLOOK_NUMBER(name) WN_O_##name,
typedef enum wn_outlook_feature {
    WN_OUTLOOK_FEATURES(WN_OUTLOOK_NUMBER) WN_OUTLOOK_COUNT
} wn_outlook_feature;

extern const char *const wn_outlook_names[WN_OUTLOOK_COUNT];

/* A row about a page: the features of its largest block, which include those of the page, then these. */
enum { WN_PAGE_ROW = WN_FEATURE_COUNT + WN_OUTLOOK_COUNT };
#define WN_ROW_SIZES ((wn_row_sizes){WN_FEATURE_COUNT, WN_PAGE_ROW})

/* Writes the outlook. */
void wn_outlook_row(const wn_features *features, const wn_words_by_chance words, int16_t *row);

#endif
