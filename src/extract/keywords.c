#include "extract/lineblock.h"

#include "text/language.h"
#include "text/stopwords.h"
#include "text/unicode.h"

enum { LONG_BIT = 31 };

static uint32_t length_bit(size_t len)
{
    return (uint32_t)1 << (len < LONG_BIT ? len : LONG_BIT);
}

static void note_first(wn_keywords *k, char c)
{
    unsigned char byte = (unsigned char)c;
    k->firsts[byte / 8] |= (uint8_t)(1 << byte % 8);
}

static bool has_word(const wn_keywords *k, wn_str folded)
{
    for (uint32_t i = 0; i < k->count; i++)
        if (wn_str_eq(k->words[i], folded))
            return true;
    return false;
}

static wn_str fold(wn_keywords *k, wn_str word)
{
    wn_buf_clear(k->folded);
    wn_fold(k->folded, word);
    return wn_buf_str(k->folded);
}

static void add_word(wn_keywords *k, wn_arena *arena, wn_str word)
{
    wn_str folded = fold(k, word);
    if (k->count == WN_MOST_KEYWORDS || folded.len == 0 || has_word(k, folded))
        return;
    if (wn_stopword_bits(folded) & k->stop_language)
        return;
    wn_str copy = wn_arena_copy(arena, folded);
    k->words[k->count++] = copy;
    k->lengths |= length_bit(copy.len);
    note_first(k, copy.ptr[0]);
    if (wn_is_ascii_alpha(copy.ptr[0]))
        note_first(k, (char)(copy.ptr[0] & ~0x20));
    else if ((unsigned char)copy.ptr[0] >= 0x80) /* its capital may begin with any byte */
        memset(k->firsts + 16, 0xFF, 16);
}

/* The bit of the page's stop words: of what it declares, else of what its text looks like. */
static uint32_t find_language(wn_words *words, const wn_page *page)
{
    char code[WN_LANGUAGE_CODE];
    const char *language = wn_language_normalise(page->language, code);
    uint32_t bit = wn_stopword_language_bit(wn_str_of(language));
    if (!bit)
        language = wn_language_guess(words, wn_buf_str(&page->text));
    return bit ? bit : wn_stopword_language_bit(wn_str_of(language));
}

bool wn_keywords_start(wn_keywords *k, wn_arena *arena, wn_stream *stream)
{
    *k = (wn_keywords){.reader = wn_stream_words(stream), .folded = &stream->folded};
    if (!k->reader)
        return false;
    if (stream->page->title.len == 0)
        return true;
    k->stop_language = find_language(k->reader, stream->page);
    wn_words_begin(k->reader, stream->page->title);
    for (wn_str word; wn_words_next(k->reader, &word);)
        add_word(k, arena, word);
    return !arena->failed;
}

/* Most words are told from keywords by their first byte or, in ASCII, by their length. */
static bool may_be_keyword(const wn_keywords *k, wn_str word)
{
    unsigned char first = (unsigned char)word.ptr[0];
    if (!(k->firsts[first / 8] >> first % 8 & 1))
        return false;
    return first >= 0x80 || (k->lengths & length_bit(word.len)) || word.len > 8;
}

uint32_t wn_keywords_count(wn_keywords *k, wn_str text)
{
    uint32_t count = 0;
    wn_words_begin(k->reader, text);
    for (wn_str word; k->count > 0 && wn_words_next(k->reader, &word);)
        count += may_be_keyword(k, word) && has_word(k, fold(k, word));
    return count;
}
