/*
 * Stop words: a hash table that was generated, and a map of the user's words.
 */
#include "text/stopwords.h"

#include "base/utf8.h"
#include "text/unicode.h"

/* ---- The lists that come with winnow ----------------------------------------------------- */

uint32_t wn_text_stopword_bits(wn_str folded)
{
    uint32_t at = wn_str_hash(folded) & wn_stopword_slot_mask;
    for (uint16_t number; (number = wn_stopword_slots[at]) != 0;) {
        const wn_stopword_entry *entry = &wn_stopword_entries[number];
        if (wn_str_eq(folded, wn_str_from(wn_stopword_text + entry->offset, entry->length)))
            return entry->languages;
        at = (at + 1) & wn_stopword_slot_mask;
    }
    return 0;
}

uint32_t wn_text_stopword_language_bit(wn_str language)
{
    for (uint32_t i = 0; wn_stopword_languages[i][0]; i++) {
        if (wn_str_eq(language, wn_str_of(wn_stopword_languages[i])))
            return (uint32_t)1 << i;
    }
    return 0;
}

/* ---- The user's words -------------------------------------------------------------------- */

bool wn_text_stopwords_add(wn_stopwords *stop, wn_str lines)
{
    wn_buf folded = {0};
    bool all = true;
    if (wn_str_starts(lines, WN_STR("\xEF\xBB\xBF")))
        lines = wn_str_from_offset(lines, 3);
    while (lines.len > 0 && all) {
        const char *end = memchr(lines.ptr, '\n', lines.len);
        size_t line_len = end ? (size_t)(end - lines.ptr) : lines.len;
        wn_str word = wn_str_trim(wn_str_from(lines.ptr, line_len));
        word.len = wn_utf8_valid_prefix(word);
        lines = wn_str_from_offset(lines, line_len + 1);
        wn_buf_clear(&folded);
        wn_text_fold(&folded, word);
        if (folded.len > 0 && word.ptr[0] != '#')
            all = wn_map_add(&stop->added, wn_buf_str(&folded), &stop->arena) != WN_MAP_NONE;
        all = all && !folded.failed;
    }
    wn_buf_free(&folded);
    return all;
}

bool wn_text_stopwords_use(wn_stopwords *stop, wn_str language)
{
    stop->languages = wn_text_stopword_language_bit(language);
    return stop->languages != 0;
}

bool wn_text_stopwords_has(const wn_stopwords *stop, wn_str folded)
{
    if (stop->languages && (wn_text_stopword_bits(folded) & stop->languages))
        return true;
    return wn_map_find(&stop->added, folded) != WN_MAP_NONE;
}

void wn_text_stopwords_free(wn_stopwords *stop)
{
    wn_map_free(&stop->added);
    wn_arena_free(&stop->arena);
}
