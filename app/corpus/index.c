#include "corpus/index.h"

enum {
    FIRST_SLOTS = 1024,
    /* Longer words are not indexed: nobody types them, and databases have limits. */
    MAX_WORD = 200,
    /* What PostgreSQL can keep of a page, less than 1 MB: a word with what comes with it. Words
       behind that are not found. */
    MAX_INDEX = 1000000,
    WORD_OVERHEAD = 8,
};

/* BM25 with its usual constants, and the length of a common article in place of the mean. */
static const double SATURATION = 1.2, LENGTH_SHARE = 0.75, COMMON_LENGTH = 500;

/* The lowest weight of each level, and what a word of it is worth. */
static const double level_bounds[WN_LEVELS] = {0, 0.7, 1.1, 1.5};
const double wn_level_worth[WN_LEVELS] = {0.5, 0.9, 1.3, 1.8};

double wn_bm25(double occurrences, double words)
{
    double length = 1 - LENGTH_SHARE + LENGTH_SHARE * words / COMMON_LENGTH;
    return occurrences * (SATURATION + 1) / (occurrences + SATURATION * length);
}

bool wn_next_stem(wn_str *stems, wn_str *stem)
{
    const char *p = stems->ptr, *end = p + stems->len;
    while (p < end && *p == ' ')
        p++;
    if (p == end)
        return false;
    const char *space = memchr(p, ' ', (size_t)(end - p));
    const char *stop = space ? space : end;
    *stem = wn_str_between(p, stop);
    *stems = wn_str_between(stop, end);
    return true;
}

/* ---- Counting ---------------------------------------------------------------------------- */

static wn_index_slot *find_slot(const wn_index_page *index, wn_str word)
{
    uint32_t mask = index->slots.count - 1;
    uint32_t at = wn_str_hash(word) & mask;
    for (;; at = (at + 1) & mask) {
        wn_index_slot *slot = &index->slots.items[at];
        if (slot->count == 0 || wn_str_eq(wn_str_from(slot->word, slot->length), word))
            return slot;
    }
}

static bool make_slots(wn_index_page *index, uint32_t count)
{
    if (!wn_array_reserve(&index->slots, count))
        return false;
    memset(index->slots.items, 0, count * sizeof *index->slots.items);
    index->slots.count = count;
    return true;
}

/* Makes the table twice as large when it is half full. */
static bool make_room(wn_index_page *index)
{
    if (index->words * 2 < index->slots.count)
        return true;
    wn_index_page larger = {0};
    if (index->slots.count > UINT32_MAX / 4 || !make_slots(&larger, index->slots.count * 2))
        return false;
    for (uint32_t i = 0; i < index->slots.count; i++) {
        const wn_index_slot *slot = &index->slots.items[i];
        if (slot->count)
            *find_slot(&larger, wn_str_from(slot->word, slot->length)) = *slot;
    }
    free(index->slots.items);
    index->slots.items = larger.slots.items;
    index->slots.count = larger.slots.count;
    index->slots.capacity = larger.slots.capacity;
    return true;
}

/* Counts the words of `stems`, each for `occurrences`; *total becomes their number. */
static bool count_words(wn_index_page *index, wn_str stems, uint32_t occurrences, size_t *size,
                        size_t *total)
{
    for (wn_str word; wn_next_stem(&stems, &word); ++*total) {
        if (word.len > MAX_WORD)
            continue;
        if (!make_room(index))
            return false;
        wn_index_slot *slot = find_slot(index, word);
        if (slot->count == 0) {
            if (*size + word.len + WORD_OVERHEAD > MAX_INDEX)
                continue;
            *size += word.len + WORD_OVERHEAD;
            slot->word = word.ptr;
            slot->length = (uint32_t)word.len;
            index->words++;
        }
        if (slot->count <= UINT32_MAX - occurrences)
            slot->count += occurrences;
    }
    return true;
}

/* ---- Levels ------------------------------------------------------------------------------ */

static size_t level_of(double weight)
{
    size_t level = WN_LEVELS - 1;
    while (weight < level_bounds[level])
        level--;
    return level;
}

static void add_to_level(wn_index_page *index, const wn_index_slot *slot, size_t total)
{
    wn_buf *level = &index->levels[level_of(wn_bm25(slot->count, (double)total))];
    if (level->len > 0)
        wn_buf_add_char(level, ' ');
    wn_buf_add(level, wn_str_from(slot->word, slot->length));
}

bool wn_index_words(wn_index_page *index, wn_str title_stems, wn_str stems)
{
    size_t size = 0, total = 0, in_title = 0;
    index->words = 0;
    for (size_t i = 0; i < WN_LEVELS; i++)
        wn_buf_clear(&index->levels[i]);
    if (!make_slots(index, FIRST_SLOTS) ||
        !count_words(index, title_stems, WN_TITLE_OCCURRENCES, &size, &in_title) ||
        !count_words(index, stems, 1, &size, &total))
        return false;
    for (uint32_t i = 0; i < index->slots.count; i++) {
        if (index->slots.items[i].count)
            add_to_level(index, &index->slots.items[i], total);
    }
    bool failed = false;
    for (size_t i = 0; i < WN_LEVELS; i++)
        failed = failed || index->levels[i].failed;
    return !failed;
}

void wn_index_free(wn_index_page *index)
{
    for (size_t i = 0; i < WN_LEVELS; i++)
        wn_buf_free(&index->levels[i]);
    wn_array_free(&index->slots);
}
