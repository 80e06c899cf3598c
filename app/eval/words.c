#include "eval/words.h"

#include <assert.h>

#include "base/utf8.h"
#include "text/unicode.h"

enum { LONGEST_TEXT = 0x7FFFFFFF };

/* ---- Characters -------------------------------------------------------------------------- */

/* Where a text is being read. */
typedef struct reader {
    const char *start, *pos, *end;
    const char *valid; /* up to here it is known to be well-formed */
} reader;

static reader read_text(wn_str text)
{
    if (text.len > LONGEST_TEXT)
        text.len = LONGEST_TEXT;
    return (reader){
        .start = text.ptr, .pos = text.ptr, .end = text.ptr + text.len, .valid = text.ptr};
}

/* The next character, U+FFFD for an ill-formed part; not to be called at the end. */
static uint32_t next_char(reader *r)
{
    if (r->pos >= r->valid)
        r->valid = r->pos + wn_utf8_valid_prefix(wn_str_between(r->pos, r->end));
    if (r->pos < r->valid)
        return wn_utf8_next(&r->pos);
    r->pos += wn_utf8_ill_formed(wn_str_between(r->pos, r->end));
    return WN_REPLACEMENT;
}

/*
 * Whether a cased letter follows `r`, ignorable characters aside. The reader is a copy,
 * so looking ahead does not move the one that reads.
 */
static bool cased_follows(reader r)
{
    while (r.pos < r.end) {
        uint32_t c = next_char(&r);
        if (!wn_text_char_set_has(&wn_case_ignorable, c))
            return wn_text_char_set_has(&wn_cased, c);
    }
    return false;
}

/* The same for what comes before `end`. Ill-formed parts are neither cased nor ignorable. */
static bool cased_precedes(const reader *r, const char *end)
{
    while (end > r->start) {
        const char *lead = end - 1;
        while (lead > r->start && end - lead < 4 && (*lead & 0xC0) == 0x80)
            lead--;
        wn_str bytes = wn_str_between(lead, end);
        if (wn_utf8_valid_prefix(bytes) < bytes.len)
            return false;
        const char *p = lead;
        uint32_t c = wn_utf8_next(&p);
        assert(p == end);
        if (!wn_text_char_set_has(&wn_case_ignorable, c))
            return wn_text_char_set_has(&wn_cased, c);
        end = lead;
    }
    return false;
}

/*
 * The lower case of the sigma that was just read. Each sigma looks only as far as the next
 * ones on both sides, for they are cased themselves: time stays linear.
 */
static uint32_t small_sigma(const reader *r)
{
    enum { SIGMA_BYTES = 2 };
    bool is_final = cased_precedes(r, r->pos - SIGMA_BYTES) && !cased_follows(*r);
    return is_final ? WN_FINAL_SIGMA : WN_SMALL_SIGMA;
}

/* The lower case of `c`, which was just read from `r`; a dotted I is left to the caller. */
static uint32_t small_letter(const reader *r, uint32_t c)
{
    if (c < 0x80)
        return (unsigned char)wn_ascii_lower((char)c);
    if (c == WN_SIGMA)
        return small_sigma(r);
    return c == WN_DOTTED_I ? c : wn_text_lower(c);
}

static void add_char(wn_buf *out, uint32_t c)
{
    char bytes[4];
    if (c < 0x80)
        wn_buf_add_char(out, (char)c);
    else
        wn_buf_add(out, wn_str_from(bytes, (size_t)wn_utf8_encode(c, bytes)));
}

/* ---- Words ------------------------------------------------------------------------------- */

/* A text on its way into a list of words. */
typedef struct word_reader {
    reader text;
    wn_word_list *words;
    wn_vocabulary *vocabulary;
    uint32_t pending; /* characters before the first word, which are added to it */
    bool inside;      /* a word has begun */
} word_reader;

static void begin_word(word_reader *w, const char *at)
{
    wn_word *word = wn_array_push(&w->words->list);
    if (!word) {
        w->vocabulary->failed = true;
        return;
    }
    *word = (wn_word){.start = (uint32_t)(at - w->text.start), .length = w->pending};
    w->pending = 0;
    w->inside = true;
    wn_buf_clear(&w->vocabulary->word);
}

static void end_word(word_reader *w, const char *at)
{
    if (!w->inside)
        return;
    wn_word *word = &w->words->list.items[w->words->list.count - 1];
    word->end = (uint32_t)(at - w->text.start);
    word->id = wn_text_vocabulary_number(w->vocabulary, wn_buf_str(&w->vocabulary->word));
    w->inside = false;
}

static void count_char(word_reader *w, uint32_t c)
{
    if (wn_text_is_space_char(c))
        return;
    w->words->length++;
    if (w->words->list.count > 0)
        w->words->list.items[w->words->list.count - 1].length++;
    else
        w->pending++;
}

/* Adds a character of a word, in lower case if that is wanted; `c` was just read. */
static void add_letter(word_reader *w, uint32_t c, bool lower)
{
    bool splits = lower && c == WN_DOTTED_I;
    uint32_t small = lower ? small_letter(&w->text, c) : c;
    add_char(&w->vocabulary->word, splits ? 'i' : small);
}

static void read_char(word_reader *w, bool lower)
{
    const char *at = w->text.pos;
    uint32_t c = next_char(&w->text);
    if (!wn_text_is_word_char(c))
        end_word(w, at);
    else if (!w->inside)
        begin_word(w, at);
    if (w->inside)
        add_letter(w, c, lower);
    count_char(w, c);
    if (lower && c == WN_DOTTED_I)
        end_word(w, w->text.pos);
}

static word_reader start_list(wn_word_list *words, wn_vocabulary *vocabulary, wn_str text)
{
    words->list.count = 0;
    words->length = 0;
    return (word_reader){.text = read_text(text), .words = words, .vocabulary = vocabulary};
}

bool wn_eval_word_list_read(wn_word_list *words, wn_vocabulary *vocabulary, wn_str text, bool lower)
{
    word_reader w = start_list(words, vocabulary, text);
    while (w.text.pos < w.text.end && !vocabulary->failed)
        read_char(&w, lower);
    end_word(&w, w.text.pos);
    return !vocabulary->failed && !vocabulary->word.failed;
}

/* Reads up to `end`; what is not in a word counts with the word before it. */
static void read_until(word_reader *w, const char *end, bool lower)
{
    while (w->text.pos < end && !w->vocabulary->failed) {
        uint32_t c = next_char(&w->text);
        if (w->inside)
            add_letter(w, c, lower);
        count_char(w, c);
    }
}

bool wn_eval_word_list_segment(wn_word_list *words, wn_vocabulary *vocabulary, wn_words *segmenter,
                               wn_str text, bool lower)
{
    word_reader w = start_list(words, vocabulary, text);
    wn_str word;
    wn_text_words_begin(segmenter, wn_str_between(w.text.start, w.text.end));
    while (!vocabulary->failed && wn_text_words_next(segmenter, &word)) {
        read_until(&w, word.ptr, lower);
        begin_word(&w, word.ptr);
        read_until(&w, word.ptr + word.len, lower);
        end_word(&w, w.text.pos);
    }
    read_until(&w, w.text.end, lower);
    return !vocabulary->failed && !vocabulary->word.failed;
}

void wn_eval_word_list_free(wn_word_list *words)
{
    wn_array_free(&words->list);
}

/* ---- Folded text ------------------------------------------------------------------------- */

void wn_eval_add_folded(wn_buf *out, wn_str text)
{
    reader r = read_text(text);
    size_t begin = out->len;
    bool space = false;
    while (r.pos < r.end) {
        uint32_t c = next_char(&r);
        uint32_t small = small_letter(&r, c);
        if (wn_text_is_space_char(c)) {
            space = true;
            continue;
        }
        if (space && out->len > begin)
            wn_buf_add_char(out, ' ');
        space = false;
        add_char(out, small);
    }
}
