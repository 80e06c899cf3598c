/*
 * Words to weights: a map of words, and a count for each.
 */
#include "draw/count.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/escape.h"
#include "base/json.h"
#include "base/utf8.h"
#include "text/unicode.h"

/* ---- Counting ---------------------------------------------------------------------------- */

/* The count of a word, 0 if it is new; NULL when memory is out. */
static uint64_t *count_of(wn_counts *c, wn_str folded)
{
    uint32_t number = wn_map_add(&c->words, folded, &c->arena);
    if (number == WN_MAP_NONE)
        return NULL;
    assert(number <= c->counts.count);
    if (number < c->counts.count)
        return &c->counts.items[number];
    uint64_t *count = wn_array_push(&c->counts);
    if (count)
        *count = 0;
    return count;
}

void wn_draw_counts_add_times(wn_counts *c, wn_str folded, uint64_t times)
{
    uint64_t *count = c->failed ? NULL : count_of(c, folded);
    c->failed = !count;
    if (!count)
        return;
    *count += times;
    c->total += times;
}

void wn_draw_counts_add(wn_counts *c, wn_str folded)
{
    wn_draw_counts_add_times(c, folded, 1);
}

void wn_draw_counts_merge(wn_counts *c, const wn_counts *other)
{
    for (uint32_t i = 0; i < other->counts.count; i++)
        wn_draw_counts_add_times(c, other->words.keys.items[i], other->counts.items[i]);
    c->failed = c->failed || other->failed;
}

void wn_draw_counts_free(wn_counts *c)
{
    wn_map_free(&c->words);
    wn_array_free(&c->counts);
    wn_array_free(&c->list);
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
        wn_char_class class = wn_text_class_of(wn_utf8_next(&p));
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
    wn_text_fold(&c->folded, word);
    c->failed = c->failed || c->folded.failed;
    wn_str folded = wn_buf_str(&c->folded);
    wn_str tag = without_possessive(folded); /* it's is a stop word, it is another */
    if (is_tag(tag) && !is_address_part(tag) && !wn_text_stopwords_has(stop, folded) &&
        !wn_text_stopwords_has(stop, tag))
        wn_draw_counts_add(c, tag);
}

void wn_draw_counts_add_text(wn_counts *c, wn_words *segmenter, const wn_stopwords *stop,
                             wn_str text)
{
    wn_text_words_begin(segmenter, text);
    for (wn_str word; !c->failed && wn_text_words_next(segmenter, &word);)
        add_word(c, stop, word);
}

/* ---- Counts that were written ------------------------------------------------------------- */

/* Takes a field of CSV off the front, into `field`; what follows it begins after a comma or line end. */
static void take_field(wn_str *csv, wn_buf *field)
{
    bool quoted = csv->len > 0 && csv->ptr[0] == '"';
    size_t at = quoted;
    wn_buf_clear(field);
    for (; at < csv->len; at++) {
        char c = csv->ptr[at];
        if (quoted && c == '"' && at + 1 < csv->len && csv->ptr[at + 1] == '"')
            at++;
        else if (quoted && c == '"')
            quoted = false;
        else if (!quoted && (c == ',' || c == '\n'))
            break;
        if (quoted || (c != '"' && c != '\r'))
            wn_buf_add_char(field, c);
    }
    *csv = wn_str_from_offset(*csv, at < csv->len ? at + 1 : at);
}

bool wn_draw_counts_read_csv(wn_counts *c, wn_str csv)
{
    wn_buf word = {0}, number = {0};
    bool sound = wn_str_starts(csv, WN_STR("word,count"));
    take_field(&csv, &word);
    take_field(&csv, &number);
    while (sound && csv.len > 0) {
        take_field(&csv, &word);
        take_field(&csv, &number);
        char *end;
        unsigned long long times = strtoull(wn_buf_c_string(&number), &end, 10);
        sound = number.len > 0 && word.len > 0 && *end == '\0' &&
                wn_utf8_valid_prefix(wn_buf_str(&word)) == word.len;
        if (sound)
            wn_draw_counts_add_times(c, wn_buf_str(&word), times);
    }
    c->failed = c->failed || word.failed || number.failed;
    wn_buf_free(&word);
    wn_buf_free(&number);
    return sound;
}

/* ---- The most frequent ------------------------------------------------------------------- */

static int by_weight(const void *left, const void *right)
{
    const wn_draw_weight *a = left, *b = right;
    if (a->count != b->count)
        return a->count < b->count ? 1 : -1;
    return wn_str_compare(a->word, b->word);
}

/* Words and counts as one list, in the order in which they came; false when memory is out. */
static bool make_list(wn_counts *c)
{
    uint32_t count = c->counts.count;
    assert(c->failed || count == c->words.keys.count);
    if (!wn_array_reserve(&c->list, count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        c->list.items[i] = (wn_draw_weight){c->words.keys.items[i], c->counts.items[i]};
    c->list.count = count;
    return true;
}

size_t wn_draw_counts_top(wn_counts *c, size_t most, uint64_t least)
{
    c->failed = !make_list(c) || c->failed;
    if (c->list.count > 0)
        qsort(c->list.items, c->list.count, sizeof *c->list.items, by_weight);
    size_t n = 0;
    while (n < c->list.count && n < most && c->list.items[n].count >= least)
        n++;
    return n;
}

/* ---- Weights as data --------------------------------------------------------------------- */

void wn_draw_counts_json(wn_buf *out, const wn_counts *c, size_t n, uint64_t pages)
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

void wn_draw_counts_csv(wn_buf *out, const wn_counts *c, size_t n)
{
    wn_buf_add_literal(out, "word,count\r\n");
    for (size_t i = 0; i < n; i++) {
        wn_add_csv_field(out, c->list.items[i].word);
        wn_buf_add_format(out, ",%" PRIu64 "\r\n", c->list.items[i].count);
    }
}
