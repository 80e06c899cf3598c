#include "corpus/index.h"

#include <assert.h>

enum {
    /* Longer words are not indexed: nobody types them, and databases have limits. */
    MAX_WORD = 200,
    /* What PostgreSQL can keep of a page, less than 1 MB: a word with what comes with it. Words
       after that are not found. */
    MAX_INDEX = 1000000,
    WORD_OVERHEAD = 8,
};

/* BM25 with its usual constants, and the length of a common article in place of the mean. */
static const double SATURATION = 1.2, LENGTH_SHARE = 0.75, COMMON_LENGTH = 500;

/* The lowest weight of each level, and what a word of it is worth. */
static const double level_bounds[WN_LEVELS] = {0, 0.7, 1.1, 1.5};
const double wn_level_worth[WN_LEVELS] = {0.5, 0.9, 1.3, 1.8};

double wn_corpus_bm25(double occurrences, double words)
{
    double length = 1 - LENGTH_SHARE + LENGTH_SHARE * words / COMMON_LENGTH;
    return occurrences * (SATURATION + 1) / (occurrences + SATURATION * length);
}

bool wn_corpus_next_stem(wn_str *stems, wn_str *stem)
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

/* The number of a word; WN_MAP_NONE if it does not fit any more, or out of memory. */
static uint32_t number_word(wn_index_page *index, wn_str word, size_t *size)
{
    uint32_t number = wn_map_find(&index->words, word);
    if (number != WN_MAP_NONE || *size + word.len + WORD_OVERHEAD > MAX_INDEX)
        return number;
    uint32_t *count = wn_array_push(&index->counts);
    index->words.failed = index->words.failed || !count;
    if (!count)
        return WN_MAP_NONE;
    *count = 0;
    *size += word.len + WORD_OVERHEAD;
    return wn_map_add(&index->words, word, NULL);
}

/* Counts the words of `stems`, each for `occurrences`; *total becomes their number. */
static bool count_words(wn_index_page *index, wn_str stems, uint32_t occurrences, size_t *size,
                        size_t *total)
{
    for (wn_str word; wn_corpus_next_stem(&stems, &word); ++*total) {
        if (word.len > MAX_WORD)
            continue;
        uint32_t number = number_word(index, word, size);
        if (index->words.failed)
            return false;
        if (number != WN_MAP_NONE && index->counts.items[number] <= UINT32_MAX - occurrences)
            index->counts.items[number] += occurrences;
    }
    return true;
}

/* ---- Levels ------------------------------------------------------------------------------ */

static size_t level_of(double weight)
{
    size_t level = WN_LEVELS - 1;
    assert(weight >= level_bounds[0]); /* so the search ends */
    while (weight < level_bounds[level])
        level--;
    return level;
}

static void add_to_level(wn_index_page *index, uint32_t number, size_t total)
{
    double weight = wn_corpus_bm25(index->counts.items[number], (double)total);
    wn_buf *level = &index->levels[level_of(weight)];
    if (level->len > 0)
        wn_buf_add_char(level, ' ');
    wn_buf_add(level, index->words.keys.items[number]);
}

bool wn_corpus_index_words(wn_index_page *index, wn_str title_stems, wn_str stems)
{
    size_t size = 0, total = 0, in_title = 0;
    wn_map_clear(&index->words);
    index->counts.count = 0;
    for (size_t i = 0; i < WN_LEVELS; i++)
        wn_buf_clear(&index->levels[i]);
    if (!count_words(index, title_stems, WN_TITLE_OCCURRENCES, &size, &in_title) ||
        !count_words(index, stems, 1, &size, &total))
        return false;
    assert(index->counts.count == index->words.keys.count);
    for (uint32_t i = 0; i < index->counts.count; i++)
        add_to_level(index, i, total);
    bool failed = false;
    for (size_t i = 0; i < WN_LEVELS; i++)
        failed = failed || index->levels[i].failed;
    return !failed;
}

void wn_corpus_index_free(wn_index_page *index)
{
    for (size_t i = 0; i < WN_LEVELS; i++)
        wn_buf_free(&index->levels[i]);
    wn_map_free(&index->words);
    wn_array_free(&index->counts);
}
