/*
 * What tells the type of a page, and how well it will come out: what the probabilities of all
 * blocks say of the page as a whole, before anything is dropped, and what its title and headings
 * say of its type. A page whose blocks are all sure is likely to come out well. Type and expected
 * F1 are judged by these features and by those of the page.
 */
#ifndef WN_AUTO_PAGE_TYPE_H
#define WN_AUTO_PAGE_TYPE_H

#include "auto/features.h"
#include "auto/threshold.h"

/* clang-format off */
#define WN_PAGE_TYPE_FEATURES(F) \
    F(PAGE_EXPECTED) F(PAGE_EXPECTED_SHARE) F(PAGE_CERTAINTY) \
    F(PAGE_TITLE0) F(PAGE_TITLE1) F(PAGE_TITLE2) F(PAGE_TITLE3) F(PAGE_TITLE4) F(PAGE_TITLE5) F(PAGE_TITLE6) \
    F(PAGE_HEADINGS0) F(PAGE_HEADINGS1) F(PAGE_HEADINGS2) F(PAGE_HEADINGS3) F(PAGE_HEADINGS4) \
    F(PAGE_HEADINGS5) F(PAGE_HEADINGS6)
/* clang-format on */

#define WN_PAGE_TYPE_NUMBER(name) WN_T_##name,
typedef enum wn_auto_page_type_feature {
    WN_PAGE_TYPE_FEATURES(WN_PAGE_TYPE_NUMBER) WN_PAGE_TYPE_FEATURE_COUNT
} wn_auto_page_type_feature;

extern const char *const wn_auto_page_type_names[WN_PAGE_TYPE_FEATURE_COUNT];

/*
 * A row about a page: the features of its largest block, which include those of the page, then
 * these.
 */
enum { WN_PAGE_ROW = WN_FEATURE_COUNT + WN_PAGE_TYPE_FEATURE_COUNT };
#define WN_ROW_SIZES ((wn_auto_row_sizes){WN_FEATURE_COUNT, WN_PAGE_ROW})

/* Writes these features. Before blocks are judged, `words` is NULL: what comes of it is 0. */
void wn_auto_page_type_row(const wn_auto_features *features, const wn_auto_words_by_chance words,
                           int16_t *row);

#endif
