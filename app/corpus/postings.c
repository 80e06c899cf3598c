#include "corpus/postings.h"

#include <assert.h>
#include <string.h>

enum {
    /* What is gathered at most, about 1,000 pages of 10 KB: 48 MB with the room for sorting. */
    MOST_WORDS = 1000000,
    MOST_BYTES = 16 << 20,
    MOST_PAGES = 1 << 20,
    /* A block is written when it has so many bytes: two pages of a database, read at once. */
    BLOCK_BYTES = 8000,
    LONGEST_WORD = 255, /* its length is one byte; index.c has none so long */
    LEVEL_BITS = 3,
    LENGTH_BITS = 8,
    RADIX_BITS = 11,
    RADIX = 1 << RADIX_BITS,
};

/* ---- Numbers ----------------------------------------------------------------------------- */

static void add_number(wn_buf *out, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        wn_buf_add_char(out, (char)(number | 0x80));
    wn_buf_add_char(out, (char)number);
}

static bool take_number(wn_str *bytes, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < bytes->len && i < 10; i++) {
        unsigned char byte = (unsigned char)bytes->ptr[i];
        *number |= (uint64_t)(byte & 0x7F) << (7 * i);
        if (byte < 0x80) {
            *bytes = wn_str_from_offset(*bytes, i + 1);
            return true;
        }
    }
    return false;
}

/* ---- Blocks ------------------------------------------------------------------------------ */

bool wn_corpus_block_end(wn_block_writer *w)
{
    if (w->block.len == 0)
        return true;
    bool written = !w->block.failed && !w->first.failed && !w->last.failed &&
                   w->write(w->data, wn_buf_str(&w->first), wn_buf_str(&w->block));
    wn_buf_clear(&w->block);
    return written;
}

bool wn_corpus_block_add(wn_block_writer *w, wn_str word, wn_str postings)
{
    if (w->block.len >= BLOCK_BYTES && !wn_corpus_block_end(w))
        return false;
    bool again = w->block.len > 0 && wn_str_eq(word, wn_buf_str(&w->last));
    assert(word.len <= LONGEST_WORD);
    if (w->block.len == 0) {
        wn_buf_clear(&w->first);
        wn_buf_add(&w->first, word);
    }
    wn_buf_add_char(&w->block, again ? 0 : (char)(unsigned char)word.len);
    if (!again) {
        wn_buf_clear(&w->last);
        wn_buf_add(&w->last, word);
        wn_buf_add(&w->block, word);
    }
    add_number(&w->block, postings.len);
    wn_buf_add(&w->block, postings);
    return true;
}

void wn_corpus_block_writer_free(wn_block_writer *w)
{
    wn_buf_free(&w->block);
    wn_buf_free(&w->first);
    wn_buf_free(&w->last);
}

bool wn_corpus_block_next(wn_block_reader *reader)
{
    wn_str rest = reader->rest;
    if (rest.len == 0)
        return false;
    size_t length = (unsigned char)rest.ptr[0];
    rest = wn_str_from_offset(rest, 1);
    if (length > rest.len)
        return false;
    if (length > 0)
        reader->word = wn_str_from(rest.ptr, length);
    rest = wn_str_from_offset(rest, length);
    uint64_t size;
    if (!take_number(&rest, &size) || size > rest.len)
        return false;
    reader->postings = wn_str_from(rest.ptr, (size_t)size);
    reader->rest = wn_str_from_offset(rest, (size_t)size);
    return true;
}

/* ---- Postings ---------------------------------------------------------------------------- */

static uint32_t level_bits(uint32_t packed)
{
    return packed & ((1 << LEVEL_BITS) - 1);
}

bool wn_corpus_postings_read(wn_postings *list, wn_str *bytes)
{
    uint64_t id = 0;
    for (uint64_t number; take_number(bytes, &number);) {
        id += number >> LEVEL_BITS;
        wn_posting *posting = wn_array_push(list);
        if (!posting)
            return false;
        *posting = (wn_posting){(int64_t)id, level_bits((uint32_t)number)};
    }
    return true;
}

void wn_corpus_postings_write(wn_buf *out, const wn_postings *list)
{
    uint64_t last = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        uint64_t id = (uint64_t)list->items[i].id;
        add_number(out, (id - last) << LEVEL_BITS | list->items[i].level);
        last = id;
    }
}

static int by_id_and_age(const void *left, const void *right)
{
    const wn_posting *a = left, *b = right;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return a->level < b->level ? -1 : a->level > b->level;
}

static bool rises(const wn_postings *list)
{
    for (uint32_t i = 1; i < list->count; i++) {
        if (list->items[i - 1].id >= list->items[i].id)
            return false;
    }
    return true;
}

/* The place in the list decides among those of one page; it is noted beside the level for that. */
void wn_corpus_postings_sort(wn_postings *list)
{
    if (rises(list))
        return;
    for (uint32_t i = 0; i < list->count; i++)
        list->items[i].level |= i << LEVEL_BITS;
    qsort(list->items, list->count, sizeof *list->items, by_id_and_age);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        wn_posting posting = {list->items[i].id, level_bits(list->items[i].level)};
        if (i + 1 == list->count || list->items[i + 1].id != posting.id)
            list->items[kept++] = posting;
    }
    list->count = kept;
}

void wn_corpus_postings_drop_gone(wn_postings *list)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->items[i].level < WN_LEVELS)
            list->items[kept++] = list->items[i];
    }
    list->count = kept;
}

/* ---- Gathering --------------------------------------------------------------------------- */

static uint64_t prefix_of(wn_str word)
{
    unsigned char bytes[8] = {0};
    uint64_t prefix = 0;
    memcpy(bytes, word.ptr, word.len < 8 ? word.len : 8);
    for (size_t i = 0; i < 8; i++)
        prefix = prefix << 8 | bytes[i];
    return prefix;
}

static bool add_word(wn_gathered *g, wn_str word, uint32_t page, uint32_t level)
{
    wn_gathered_word *place = wn_array_push(&g->list);
    if (!place)
        return false;
    assert(page < MOST_PAGES && word.len <= LONGEST_WORD && level <= WN_POSTING_GONE);
    uint32_t packed = (page << LENGTH_BITS | (uint32_t)word.len) << LEVEL_BITS | level;
    *place = (wn_gathered_word){prefix_of(word), (uint32_t)g->words.len, packed};
    wn_buf_add(&g->words, word);
    return true;
}

bool wn_corpus_gathered_add(wn_gathered *g, int64_t id, const wn_index_page *index, bool gone)
{
    uint32_t number = g->ids.count;
    int64_t *place = wn_array_push(&g->ids);
    if (!place)
        return false;
    *place = id;
    g->unsorted = g->unsorted || (number > 0 && place[-1] >= id);
    g->gone = g->gone || gone;
    for (uint32_t level = 0; level < WN_LEVELS; level++) {
        wn_str words = wn_buf_str(&index->levels[level]);
        for (wn_str word; wn_corpus_next_stem(&words, &word);) {
            if (word.len <= LONGEST_WORD &&
                !add_word(g, word, number, gone ? (uint32_t)WN_POSTING_GONE : level))
                return false;
        }
    }
    return !g->words.failed;
}

bool wn_corpus_gathered_is_full(const wn_gathered *g)
{
    return g->list.count >= MOST_WORDS || g->words.len >= MOST_BYTES ||
           g->ids.count >= MOST_PAGES - 1;
}

void wn_corpus_gathered_clear(wn_gathered *g)
{
    g->list.count = g->ids.count = 0;
    g->unsorted = g->gone = false;
    wn_buf_clear(&g->words);
}

void wn_corpus_gathered_free(wn_gathered *g)
{
    wn_array_free(&g->list);
    wn_array_free(&g->spare);
    wn_array_free(&g->ids);
    wn_buf_free(&g->words);
    wn_array_free(&g->of_word);
    wn_buf_free(&g->bytes);
}

/* ---- Sorting ----------------------------------------------------------------------------- */

static uint32_t length_of(const wn_gathered_word *word)
{
    return word->page >> LEVEL_BITS & LONGEST_WORD;
}

static wn_str word_at(const wn_gathered *g, uint32_t at)
{
    const wn_gathered_word *word = &g->list.items[at];
    return wn_str_from(g->words.ptr + word->place, length_of(word));
}

/*
 * Words of up to eight bytes are known by their prefix: the others are looked up, which costs more.
 */
static bool is_same_word(const wn_gathered *g, uint32_t a, uint32_t b)
{
    const wn_gathered_word *x = &g->list.items[a], *y = &g->list.items[b];
    return x->prefix == y->prefix && length_of(x) == length_of(y) &&
           (length_of(x) <= 8 || wn_str_eq(word_at(g, a), word_at(g, b)));
}

/*
 * Sorts by the first bytes, eleven bits at a time, the lowest first; what is equal stays in order.
 * A million words are sorted in a fraction of the time that comparing takes.
 */
static bool sort_by_prefix(wn_gathered *g)
{
    if (!wn_array_reserve(&g->spare, g->list.count))
        return false;
    for (unsigned shift = 0; shift < 64; shift += RADIX_BITS) {
        uint32_t starts[RADIX] = {0}, sum = 0;
        for (uint32_t i = 0; i < g->list.count; i++)
            starts[g->list.items[i].prefix >> shift & (RADIX - 1)]++;
        for (uint32_t digit = 0; digit < RADIX; digit++) {
            uint32_t count = starts[digit];
            starts[digit] = sum;
            sum += count;
        }
        for (uint32_t i = 0; i < g->list.count; i++) {
            const wn_gathered_word *word = &g->list.items[i];
            g->spare.items[starts[word->prefix >> shift & (RADIX - 1)]++] = *word;
        }
        wn_gathered_word *sorted = g->spare.items;
        uint32_t room = g->spare.capacity;
        g->spare.items = g->list.items;
        g->spare.capacity = g->list.capacity;
        g->list.items = sorted;
        g->list.capacity = room;
    }
    return true;
}

/* A word of a stretch with one prefix, to be sorted by all of it. */
typedef struct rest_word {
    wn_str word;
    wn_gathered_word gathered;
} rest_word;

static int by_word_and_page(const void *left, const void *right)
{
    const rest_word *a = left, *b = right;
    int order = wn_str_compare(a->word, b->word);
    return order ? order
                 : (a->gathered.page > b->gathered.page) - (a->gathered.page < b->gathered.page);
}

/* Sorts the words from `from` to `to`, which begin alike. */
static bool sort_stretch(wn_gathered *g, uint32_t from, uint32_t to)
{
    bool same = true;
    for (uint32_t i = from + 1; same && i < to; i++)
        same = is_same_word(g, from, i);
    if (same)
        return true;
    rest_word *words = malloc((to - from) * sizeof *words);
    if (!words)
        return false;
    for (uint32_t i = from; i < to; i++)
        words[i - from] = (rest_word){word_at(g, i), g->list.items[i]};
    qsort(words, to - from, sizeof *words, by_word_and_page);
    for (uint32_t i = from; i < to; i++)
        g->list.items[i] = words[i - from].gathered;
    free(words);
    return true;
}

/* ---- Writing ----------------------------------------------------------------------------- */

static wn_posting posting_of(const wn_gathered *g, uint32_t at)
{
    uint32_t page = g->list.items[at].page;
    return (wn_posting){g->ids.items[page >> (LEVEL_BITS + LENGTH_BITS)], level_bits(page)};
}

/* The postings of the words from `from` to `to`, which are one word. */
static bool write_word(wn_gathered *g, uint32_t from, uint32_t to, wn_block_writer *writer)
{
    g->of_word.count = 0;
    if (!wn_array_reserve(&g->of_word, to - from))
        return false;
    for (uint32_t i = from; i < to; i++)
        g->of_word.items[g->of_word.count++] = posting_of(g, i);
    if (g->unsorted)
        wn_corpus_postings_sort(&g->of_word);
    wn_buf_clear(&g->bytes);
    wn_corpus_postings_write(&g->bytes, &g->of_word);
    return !g->bytes.failed && wn_corpus_block_add(writer, word_at(g, from), wn_buf_str(&g->bytes));
}

static bool write_stretch(wn_gathered *g, uint32_t from, uint32_t to, wn_block_writer *writer)
{
    bool sound = true;
    uint32_t start = from;
    for (uint32_t i = from + 1; sound && i <= to; i++) {
        if (i < to && is_same_word(g, start, i))
            continue;
        sound = write_word(g, start, i, writer);
        start = i;
    }
    return sound;
}

bool wn_corpus_gathered_write(wn_gathered *g, wn_block_writer *writer)
{
    bool sound = sort_by_prefix(g);
    for (uint32_t from = 0, to; sound && from < g->list.count; from = to) {
        uint64_t prefix = g->list.items[from].prefix;
        to = from + 1;
        while (to < g->list.count && g->list.items[to].prefix == prefix)
            to++;
        sound = sort_stretch(g, from, to) && write_stretch(g, from, to, writer);
    }
    wn_corpus_gathered_clear(g);
    return wn_corpus_block_end(writer) && sound;
}
