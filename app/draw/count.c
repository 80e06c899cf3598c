/*
 * Words to weights: a hash table with open addressing over a list of words.
 */
#include "draw/count.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/escape.h"
#include "base/json.h"
#include "base/utf8.h"
#include "text/unicode.h"

enum { FIRST_SLOTS = 1024 };

/* ---- The table --------------------------------------------------------------------------- */

/* The slot of a word, or the free one where it belongs. */
static uint32_t *find_slot(const wn_counts *c, wn_str word)
{
    uint32_t mask = c->slots.count - 1;
    uint32_t at = wn_str_hash(word) & mask;
    while (c->slots.items[at] && !wn_str_eq(c->list.items[c->slots.items[at] - 1].word, word))
        at = (at + 1) & mask;
    return &c->slots.items[at];
}

/* Keeps at least half of the slots free; false when memory is out. */
static bool make_room(wn_counts *c)
{
    if (c->list.count < c->slots.count / 2)
        return true;
    uint32_t wanted = c->slots.count ? c->slots.count * 2 : FIRST_SLOTS;
    if (c->list.count > UINT32_MAX / 8 || !wn_array_reserve(&c->slots, wanted))
        return false;
    c->slots.count = wanted;
    memset(c->slots.items, 0, wanted * sizeof *c->slots.items);
    for (uint32_t i = 0; i < c->list.count; i++)
        *find_slot(c, c->list.items[i].word) = i + 1;
    return true;
}

static void add_times(wn_counts *c, wn_str folded, uint64_t times)
{
    if (c->failed || !make_room(c)) {
        c->failed = true;
        return;
    }
    uint32_t *slot = find_slot(c, folded);
    if (!*slot) {
        wn_str copy = wn_arena_copy(&c->arena, folded);
        wn_weight *new = c->arena.failed ? NULL : wn_array_push(&c->list);
        c->failed = !new;
        if (!new)
            return;
        *new = (wn_weight){.word = copy};
        *slot = c->list.count;
    }
    c->list.items[*slot - 1].count += times;
    c->total += times;
}

void wn_counts_add(wn_counts *c, wn_str folded)
{
    add_times(c, folded, 1);
}

void wn_counts_merge(wn_counts *c, const wn_counts *other)
{
    for (uint32_t i = 0; i < other->list.count; i++)
        add_times(c, other->list.items[i].word, other->list.items[i].count);
    c->failed = c->failed || other->failed;
}

void wn_counts_free(wn_counts *c)
{
    wn_array_free(&c->list);
    wn_array_free(&c->slots);
    wn_arena_free(&c->arena);
    wn_buf_free(&c->folded);
}

/* ---- What is counted --------------------------------------------------------------------- */

static bool is_letter(wn_char_class class)
{
    return class == WN_CLASS_LETTER || class >= WN_CLASS_THAI;
}

/* Whether a word says something by itself, as far as its characters show. */
static bool is_tag(wn_str word)
{
    size_t characters = 0, letters = 0, ideographs = 0;
    for (const char *p = word.ptr, *end = p + word.len; p < end; characters++) {
        wn_char_class class = wn_class_of(wn_utf8_next(&p));
        letters += is_letter(class);
        ideographs += class == WN_CLASS_HAN;
    }
    return letters > 0 && characters + ideographs > 1 && characters <= WN_LONGEST_TAG;
}

/* What is left of an address that stands in the text. */
static bool is_address_part(wn_str word)
{
    static const char *const parts[] = {"http", "https", "www", "com", "org", "html"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (wn_str_eq(word, wn_str_of(parts[i])))
            return true;
    }
    return false;
}

static wn_str without_possessive(wn_str word)
{
    bool has = word.len > 2 && memcmp(word.ptr + word.len - 2, "'s", 2) == 0;
    return has ? wn_str_from(word.ptr, word.len - 2) : word;
}

static void add_word(wn_counts *c, const wn_stopwords *stop, wn_str word)
{
    wn_buf_clear(&c->folded);
    wn_fold(&c->folded, word);
    c->failed = c->failed || c->folded.failed;
    wn_str folded = wn_buf_str(&c->folded);
    wn_str tag = without_possessive(folded); /* it's is a stop word, it is another */
    if (is_tag(tag) && !is_address_part(tag) && !wn_stopwords_has(stop, folded) &&
        !wn_stopwords_has(stop, tag))
        wn_counts_add(c, tag);
}

void wn_counts_add_text(wn_counts *c, wn_words *segmenter, const wn_stopwords *stop, wn_str text)
{
    wn_words_begin(segmenter, text);
    for (wn_str word; !c->failed && wn_words_next(segmenter, &word);)
        add_word(c, stop, word);
}

/* ---- The most frequent ------------------------------------------------------------------- */

static int by_weight(const void *left, const void *right)
{
    const wn_weight *a = left, *b = right;
    if (a->count != b->count)
        return a->count < b->count ? 1 : -1;
    return wn_str_compare(a->word, b->word);
}

size_t wn_counts_top(wn_counts *c, size_t most, uint64_t least)
{
    if (c->list.count > 0)
        qsort(c->list.items, c->list.count, sizeof *c->list.items, by_weight);
    wn_array_free(&c->slots);
    size_t n = 0;
    while (n < c->list.count && n < most && c->list.items[n].count >= least)
        n++;
    return n;
}

/* ---- Weights as data --------------------------------------------------------------------- */

void wn_counts_json(wn_buf *out, const wn_counts *c, size_t n, uint64_t pages)
{
    wn_json_writer json = {.out = out};
    wn_json_begin_object(&json);
    wn_json_key(&json, "pages");
    wn_json_uint(&json, pages);
    wn_json_key(&json, "counted");
    wn_json_uint(&json, c->total);
    wn_json_key(&json, "different");
    wn_json_uint(&json, c->list.count);
    wn_json_key(&json, "words");
    wn_json_begin_array(&json);
    for (size_t i = 0; i < n; i++) {
        wn_json_begin_object(&json);
        wn_json_key(&json, "word");
        wn_json_string(&json, c->list.items[i].word);
        wn_json_key(&json, "count");
        wn_json_uint(&json, c->list.items[i].count);
        wn_json_end_object(&json);
    }
    wn_json_end_array(&json);
    wn_json_end_object(&json);
    wn_buf_add_char(out, '\n');
}

void wn_counts_csv(wn_buf *out, const wn_counts *c, size_t n)
{
    wn_buf_add_literal(out, "word,count\r\n");
    for (size_t i = 0; i < n; i++) {
        wn_add_csv_field(out, c->list.items[i].word);
        wn_buf_add_format(out, ",%" PRIu64 "\r\n", c->list.items[i].count);
    }
}
