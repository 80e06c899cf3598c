/*
 * Features of the page, from how many words have which probability.
 */
#include "auto/page_type.h"

#include <assert.h>
#include <string.h>

#include "auto/features_text.h"

enum { ONE = WN_LOGIT_ONE, HALF = ONE / 2 };

_Static_assert(WN_T_PAGE_TITLE6 - WN_T_PAGE_TITLE0 + 1 == WN_PAGE_TYPES, "types by the title");
_Static_assert(WN_T_PAGE_HEADINGS6 - WN_T_PAGE_HEADINGS0 + 1 == WN_PAGE_TYPES, "by headings");

#define NAME_OF(name) #name,
const char *const wn_auto_page_type_names[WN_PAGE_TYPE_FEATURE_COUNT] = {
    WN_PAGE_TYPE_FEATURES(NAME_OF)};

void wn_auto_page_type_row(const wn_auto_features *features, const wn_auto_words_by_chance words,
                           int16_t *row)
{
    uint64_t all = 0, expected = 0, certain = 0;
    for (uint32_t chance = 0; words && chance <= ONE; chance++) {
        all += words[chance];
        expected += (uint64_t)words[chance] * chance;
        certain += (uint64_t)words[chance] * (chance > HALF ? chance - HALF : HALF - chance);
    }
    assert(expected <= all * ONE && certain <= all * HALF); /* both are shares of it */
    row[WN_T_PAGE_EXPECTED] = wn_auto_clip((int64_t)(expected / ONE));
    row[WN_T_PAGE_EXPECTED_SHARE] = wn_auto_share(expected, all * ONE);
    row[WN_T_PAGE_CERTAINTY] = wn_auto_share(certain, all * HALF);
    memcpy(&row[WN_T_PAGE_TITLE0], features->title_types, sizeof features->title_types);
    memcpy(&row[WN_T_PAGE_HEADINGS0], features->headings_types, sizeof features->headings_types);
}
