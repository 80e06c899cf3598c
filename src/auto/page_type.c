/*
 * The outlook, from how many words have which probability.
 */
#include "auto/page_type.h"

#include <string.h>

#include "auto/features_text.h"

enum { ONE = WN_LOGIT_ONE, HALF = ONE / 2 };

#define NAME_OF(name) #name,
const char *const wn_outlook_names[WN_OUTLOOK_COUNT] = {WN_OUTLOOK_FEATURES(NAME_OF)};

void wn_outlook_row(const wn_features *features, const wn_words_by_chance words, int16_t *row)
{
    uint64_t all = 0, expected = 0, certain = 0;
    for (uint32_t chance = 0; chance <= ONE; chance++) {
        all += words[chance];
        expected += (uint64_t)words[chance] * chance;
        certain += (uint64_t)words[chance] * (chance > HALF ? chance - HALF : HALF - chance);
    }
    row[WN_O_PAGE_EXPECTED] = wn_clip((int64_t)(expected / ONE));
    row[WN_O_PAGE_EXPECTED_SHARE] = wn_share(expected, all * ONE);
    row[WN_O_PAGE_CERTAINTY] = wn_share(certain, all * HALF);
    memcpy(&row[WN_O_PAGE_TITLE0], features->title_types, sizeof features->title_types);
    memcpy(&row[WN_O_PAGE_HEADINGS0], features->headings_types, sizeof features->headings_types);
}
