/*
 * Words to weights: a map of words with a count for each, and a map of their forms.
 */
#include "draw/count.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/escape.h"
#include "base/json.h"
#include "base/utf8.h"
#include "draw/number_words.h"
#include "text/unicode.h"

/* ---- Counting ---------------------------------------------------------------------------- */

/* The number of a word, with a count of its own; WN_MAP_NONE if out of memory. */
static uint32_t word_number(wn_counts *c, wn_str word)
{
    uint32_t number = wn_map_add(&c->words, word, &c->arena);
    if (number == WN_MAP_NONE || number < c->counts.count)
        return number;
    assert(number == c->counts.count);
    uint64_t *count = wn_array_push(&c->counts);
    if (count)
        *count = 0;
    return count ? number : WN_MAP_NONE;
}

/* A form of a word; NULL if out of memory. */
static wn_draw_form *form_of(wn_counts *c, wn_str word, wn_str form)
{
    uint32_t of = word_number(c, word);
    wn_buf_clear(&c->key);
    wn_buf_add(&c->key, word);
    wn_buf_add_char(&c->key, '\n');
    wn_buf_add(&c->key, form);
    uint32_t number = c->key.failed || of == WN_MAP_NONE
                          ? WN_MAP_NONE
                          : wn_map_add(&c->forms, wn_buf_str(&c->key), &c->arena);
    if (number == WN_MAP_NONE || number < c->of_forms.count)
        return number == WN_MAP_NONE ? NULL : &c->of_forms.items[number];
    assert(number == c->of_forms.count);
    wn_draw_form *fresh = wn_array_push(&c->of_forms);
    if (fresh)
        *fresh = (wn_draw_form){.word = of};
    return fresh;
}

static void add_form(wn_counts *c, wn_str word, wn_str form, uint64_t count, uint64_t initial)
{
    wn_draw_form *place = c->failed ? NULL : form_of(c, word, form);
    c->failed = !place;
    if (!place)
        return;
    place->count += count;
    place->initial += initial;
    c->counts.items[place->word] += count + initial;
    c->total += count + initial;
}

void wn_draw_counts_add(wn_counts *c, wn_str folded)
{
    wn_draw_counts_add_times(c, folded, 1);
}

void wn_draw_counts_add_times(wn_counts *c, wn_str folded, uint64_t times)
{
    add_form(c, folded, folded, times, 0);
}

/* Its key begins with the word. */
wn_str wn_draw_counts_form(const wn_counts *c, uint32_t number)
{
    wn_str word = c->words.keys.items[c->of_forms.items[number].word];
    return wn_str_from_offset(c->forms.keys.items[number], word.len + 1);
}

void wn_draw_counts_merge(wn_counts *c, const wn_counts *other)
{
    for (uint32_t i = 0; i < other->of_forms.count; i++) {
        const wn_draw_form *form = &other->of_forms.items[i];
        add_form(c, other->words.keys.items[form->word], wn_draw_counts_form(other, i), form->count,
                 form->initial);
    }
    c->failed = c->failed || other->failed;
}

void wn_draw_counts_free(wn_counts *c)
{
    wn_map_free(&c->words);
    wn_map_free(&c->forms);
    wn_array_free(&c->counts);
    wn_array_free(&c->of_forms);
    wn_array_free(&c->list);
    wn_arena_free(&c->arena);
    wn_buf_free(&c->folded);
    wn_buf_free(&c->key);
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

/* What is left of an address that is in the text. */
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

/*
 * The word as it is written, without what folding took off its end; folded, if it hides something.
 */
static wn_str written_form(wn_str word, wn_str folded, wn_str tag)
{
    static const char soft_hyphen[] = "\xC2\xAD";
    if (tag.len < folded.len) { /* an apostrophe, of one byte or three, and an s */
        word.len--;
        while (word.len > 0 && (word.ptr[word.len - 1] & 0xC0) == 0x80)
            word.len--;
        word.len -= word.len > 0;
    }
    return word.len > 0 && !wn_str_contains_nocase(word, wn_str_of(soft_hyphen)) ? word : tag;
}

/* Whether a word begins a sentence: nothing, or the end of another, comes before it in the line. */
static bool begins_sentence(wn_str line, const char *word)
{
    while (word > line.ptr && (wn_is_space(word[-1]) || strchr("\"'([-", word[-1])))
        word--;
    return word == line.ptr || strchr(".!?:;|", word[-1]) != NULL;
}

/* Whether a line is set as titles are: none of its longer words begins with a small letter. */
static bool is_title(wn_str line)
{
    enum { LONGER = 4 };
    for (size_t i = 0; i < line.len;) {
        size_t start = i;
        while (i < line.len && !wn_is_space(line.ptr[i]))
            i++;
        if (i - start >= LONGER && line.ptr[start] >= 'a' && line.ptr[start] <= 'z')
            return false;
        while (i < line.len && wn_is_space(line.ptr[i]))
            i++;
    }
    return true;
}

static void add_word(wn_counts *c, const wn_draw_reading *reading, wn_str word, bool initial)
{
    wn_buf_clear(&c->folded);
    wn_text_fold(&c->folded, word);
    c->failed = c->failed || c->folded.failed;
    wn_str folded = wn_buf_str(&c->folded);
    wn_str tag = without_possessive(folded); /* it's is a stop word, it is another */
    if (!is_tag(tag) || is_address_part(tag) || wn_text_stopwords_has(reading->stop, folded) ||
        wn_text_stopwords_has(reading->stop, tag) ||
        (reading->number_words && wn_draw_is_number_word(reading->number_words, tag)))
        return;
    wn_str form = written_form(word, folded, tag);
    wn_str stem = reading->stemmer ? wn_text_stem(reading->stemmer, tag) : tag;
    add_form(c, stem, form, !initial, initial);
}

void wn_draw_counts_add_text(wn_counts *c, const wn_draw_reading *reading, wn_str text)
{
    while (text.len > 0 && !c->failed) {
        wn_str line = wn_str_take_until(&text, '\n');
        bool title = is_title(line);
        wn_text_words_begin(reading->segmenter, line);
        for (wn_str word; !c->failed && wn_text_words_next(reading->segmenter, &word);)
            add_word(c, reading, word, title || begins_sentence(line, word.ptr));
    }
}

/* ---- Counts that were written ------------------------------------------------------------- */

/*
 * Takes a field of CSV off the front, into `field`; what follows it begins after a comma or line
 * end.
 */
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

/* Whether a form shows a word better than another: by its counts; of equal ones small letters. */
static bool is_commoner(const wn_counts *c, uint32_t form, uint32_t other)
{
    const wn_draw_form *a = &c->of_forms.items[form], *b = &c->of_forms.items[other];
    if (a->count != b->count)
        return a->count > b->count;
    if (a->initial != b->initial)
        return a->initial > b->initial;
    return wn_str_compare(wn_draw_counts_form(c, form), wn_draw_counts_form(c, other)) > 0;
}

/* Words by their commonest form, and their counts, as one list; false if out of memory. */
static bool make_list(wn_counts *c)
{
    uint32_t count = c->counts.count;
    assert(c->failed || count == c->words.keys.count);
    wn_array(uint32_t) best = {0}; /* form of each word, plus 1 */
    if (!wn_array_reserve(&c->list, count) || !wn_array_reserve(&best, count)) {
        wn_array_free(&best);
        return false;
    }
    if (count > 0)
        memset(best.items, 0, count * sizeof *best.items);
    for (uint32_t i = 0; i < c->of_forms.count; i++) {
        uint32_t *of_word = &best.items[c->of_forms.items[i].word];
        if (*of_word == 0 || is_commoner(c, i, *of_word - 1))
            *of_word = i + 1;
    }
    for (uint32_t i = 0; i < count; i++)
        c->list.items[i] = (wn_draw_weight){
            best.items[i] ? wn_draw_counts_form(c, best.items[i] - 1) : c->words.keys.items[i],
            c->counts.items[i]};
    c->list.count = count;
    wn_array_free(&best);
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
