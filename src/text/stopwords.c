/*
 * Stop words: a hash table that was generated, and one for the user's words.
 */
#include "text/stopwords.h"

#include "base/utf8.h"
#include "text/unicode.h"

enum { FIRST_SLOTS = 64 };

/* ---- The lists that come with winnow ----------------------------------------------------- */

uint32_t wn_stopword_bits(wn_str folded)
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

uint32_t wn_stopword_language_bit(wn_str language)
{
    for (uint32_t i = 0; wn_stopword_languages[i][0]; i++) {
        if (wn_str_eq(language, wn_str_of(wn_stopword_languages[i])))
            return (uint32_t)1 << i;
    }
    return 0;
}

/* ---- The user's words -------------------------------------------------------------------- */

/* The slot of a word, or the free one where it would be put; the table has a free slot. */
static wn_str *find_slot(const wn_stopwords *stop, wn_str word)
{
    uint32_t mask = stop->slots.count - 1;
    uint32_t at = wn_str_hash(word) & mask;
    while (stop->slots.items[at].ptr && !wn_str_eq(stop->slots.items[at], word))
        at = (at + 1) & mask;
    return &stop->slots.items[at];
}

/* Makes the table twice as large when it is half full. */
static bool make_room(wn_stopwords *stop)
{
    uint32_t old_count = stop->slots.count;
    if (stop->added * 2 < old_count)
        return true;
    if (old_count > UINT32_MAX / 4)
        return false;
    wn_stopwords larger = {0};
    larger.slots.count = old_count ? old_count * 2 : FIRST_SLOTS;
    if (!wn_array_reserve(&larger.slots, larger.slots.count))
        return false;
    for (uint32_t i = 0; i < larger.slots.count; i++)
        larger.slots.items[i] = (wn_str){0};
    for (uint32_t i = 0; i < old_count; i++) {
        if (stop->slots.items[i].ptr)
            *find_slot(&larger, stop->slots.items[i]) = stop->slots.items[i];
    }
    free(stop->slots.items);
    stop->slots.items = larger.slots.items;
    stop->slots.count = larger.slots.count;
    stop->slots.capacity = larger.slots.capacity;
    return true;
}

static bool add_word(wn_stopwords *stop, wn_str word)
{
    if (!make_room(stop))
        return false;
    wn_str *slot = find_slot(stop, word);
    if (slot->ptr)
        return true;
    wn_str copy = wn_arena_copy(&stop->arena, word);
    if (stop->arena.failed)
        return false;
    *slot = copy;
    stop->added++;
    return true;
}

bool wn_stopwords_add(wn_stopwords *stop, wn_str lines)
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
        wn_fold(&folded, word);
        if (folded.len > 0 && word.ptr[0] != '#')
            all = add_word(stop, wn_buf_str(&folded));
        all = all && !folded.failed;
    }
    wn_buf_free(&folded);
    return all;
}

bool wn_stopwords_use(wn_stopwords *stop, wn_str language)
{
    stop->languages = wn_stopword_language_bit(language);
    return stop->languages != 0;
}

bool wn_stopwords_has(const wn_stopwords *stop, wn_str folded)
{
    if (stop->languages && (wn_stopword_bits(folded) & stop->languages))
        return true;
    return stop->added > 0 && find_slot(stop, folded)->ptr;
}

void wn_stopwords_free(wn_stopwords *stop)
{
    wn_array_free(&stop->slots);
    wn_arena_free(&stop->arena);
    stop->added = 0;
}
