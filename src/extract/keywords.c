#include "extract/lineblock.h"

#include "base/scan.h"
#include "text/language.h"
#include "text/stopwords.h"
#include "text/unicode.h"

enum { LONG_BIT = 31 };

static uint32_t length_bit(size_t len)
{
    return (uint32_t)1 << (len < LONG_BIT ? len : LONG_BIT);
}

/* The last five bits of a letter are the same in both cases. */
static unsigned low_bits(char c)
{
    return (unsigned char)c & 31;
}

static bool is_ascii(char c)
{
    return (unsigned char)c < 0x80;
}

/* Notes how a keyword begins. Other cases of letters beyond ASCII may have any bytes. */
static void note_start(wn_keywords *k, wn_str word)
{
    bool any_second = word.len < 2 || !is_ascii(word.ptr[1]);
    if (is_ascii(word.ptr[0]))
        k->pairs[low_bits(word.ptr[0])] |= any_second ? UINT32_MAX : 1u << low_bits(word.ptr[1]);
    else
        k->beyond_ascii = true;
}

/* Whether a word may be a keyword that begins with these two letters. */
static bool may_start(const wn_keywords *k, char first, char second)
{
    return k->pairs[low_bits(first)] >> low_bits(second) & 1;
}

/* The number of a keyword; their count if the word is not a keyword. */
static uint32_t find_word(const wn_keywords *k, wn_str folded)
{
    uint32_t i = 0;
    while (i < k->count && !wn_str_eq(k->words[i], folded))
        i++;
    return i;
}

static bool has_word(const wn_keywords *k, wn_str folded)
{
    return find_word(k, folded) < k->count;
}

static wn_str fold(wn_keywords *k, wn_str word)
{
    wn_buf_clear(k->folded);
    wn_text_fold(k->folded, word);
    return wn_buf_str(k->folded);
}

static void add_word(wn_keywords *k, wn_arena *arena, wn_str word)
{
    wn_str folded = fold(k, word);
    if (k->count == WN_MOST_KEYWORDS || folded.len == 0 || has_word(k, folded))
        return;
    if (wn_text_stopword_bits(folded) & k->stop_language)
        return;
    wn_str copy = wn_arena_copy(arena, folded);
    k->words[k->count++] = copy;
    k->lengths |= length_bit(copy.len);
    note_start(k, copy);
}

/* Takes the words of a user's list out again. */
static void drop_words(wn_keywords *k, wn_str lines)
{
    while (lines.len > 0) {
        const char *end = wn_scan_1(lines.ptr, lines.ptr + lines.len, '\n');
        wn_str line = wn_str_trim(wn_str_between(lines.ptr, end));
        lines = wn_str_from_offset(lines, (size_t)(end - lines.ptr) + 1);
        if (line.len == 0 || line.ptr[0] == '#')
            continue;
        uint32_t at = find_word(k, fold(k, line));
        if (at < k->count)
            memmove(&k->words[at], &k->words[at + 1], (--k->count - at) * sizeof *k->words);
    }
}

/* The bit of the page's stop words: of what it declares, else of what its text looks like. */
static uint32_t find_language(wn_words *words, const wn_page *page)
{
    char code[WN_LANGUAGE_CODE];
    const char *language = wn_text_language_normalise(page->language, code);
    uint32_t bit = wn_text_stopword_language_bit(wn_str_of(language));
    if (!bit)
        language = wn_text_language_guess(words, wn_buf_str(&page->text));
    return bit ? bit : wn_text_stopword_language_bit(wn_str_of(language));
}

bool wn_extract_keywords_start(wn_keywords *k, wn_arena *arena, wn_page_stream *stream,
                               const char *stop_words)
{
    *k = (wn_keywords){.reader = wn_page_stream_words(stream), .folded = &stream->folded};
    if (!k->reader)
        return false;
    if (stream->page->title.len == 0)
        return true;
    k->stop_language = find_language(k->reader, stream->page);
    wn_text_words_begin(k->reader, stream->page->title);
    for (wn_str word; wn_text_words_next(k->reader, &word);)
        add_word(k, arena, word);
    drop_words(k, wn_str_of(stop_words));
    return !arena->failed;
}

/* Most words are told from keywords by their first letters or, in ASCII, by their length. */
static bool may_be_keyword(const wn_keywords *k, wn_str word)
{
    if (!is_ascii(word.ptr[0]))
        return k->beyond_ascii;
    bool plain = word.len > 1 && is_ascii(word.ptr[1]);
    if (plain && !may_start(k, word.ptr[0], word.ptr[1]))
        return false;
    return (k->lengths & length_bit(word.len)) || word.len > 8;
}

/* Whether `text` may begin with the keyword: what is beyond ASCII may be the same letters. */
static bool may_begin_with(wn_str text, wn_str keyword)
{
    for (size_t i = 0; i < keyword.len; i++) {
        char c = i < text.len ? text.ptr[i] : ' ';
        if (wn_ascii_lower(c) != keyword.ptr[i])
            return !is_ascii(c);
    }
    return keyword.len == text.len || !wn_is_ascii_alnum(text.ptr[keyword.len]);
}

static bool may_begin_with_any(const wn_keywords *k, wn_str text)
{
    for (uint32_t i = 0; i < k->count; i++)
        if (may_begin_with(text, k->words[i]))
            return true;
    return false;
}

/* Whether the word at the start of `text` may be a keyword. */
static inline bool may_start_at(const wn_keywords *k, wn_str text)
{
    char next = text.len > 1 ? text.ptr[1] : ' ';
    return (may_start(k, text.ptr[0], next) || !is_ascii(next)) && may_begin_with_any(k, text);
}

#ifdef WN_SIMD_BIT_PER_BYTE
static inline wn_vec is_alnum_vector(wn_vec v)
{
    return wn_vec_or(wn_vec_between(v, '0', '9'),
                     wn_vec_or(wn_vec_between(v, 'A', 'Z'), wn_vec_between(v, 'a', 'z')));
}
#endif

/*
 * The first place from `from` on where a word in ASCII begins that may be a keyword; the text's
 * length if there is none. Most texts are menus, and hold no keyword.
 */
static size_t find_start(const wn_keywords *k, wn_str text, size_t from)
{
    bool in_word = false;
    size_t i = from;
#ifdef WN_SIMD_BIT_PER_BYTE
    for (; text.len - i > WN_VEC_SIZE; i += WN_VEC_SIZE) {
        uint64_t letters = wn_vec_mask(is_alnum_vector(wn_vec_load(text.ptr + i)));
        uint64_t starts = letters & ~(letters << 1 | in_word);
        for (; starts; starts &= starts - 1) {
            size_t at = i + (size_t)__builtin_ctzll(starts);
            if (may_start_at(k, wn_str_from_offset(text, at)))
                return at;
        }
        in_word = letters >> (WN_VEC_SIZE - 1) & 1;
    }
#endif
    for (; i < text.len; i++) {
        bool letter = wn_is_ascii_alnum(text.ptr[i]);
        if (letter && !in_word && may_start_at(k, wn_str_from_offset(text, i)))
            return i;
        in_word = letter;
    }
    return text.len;
}

static uint32_t count_all(wn_keywords *k, wn_str text, uint32_t enough)
{
    uint32_t count = 0;
    wn_text_words_begin(k->reader, text);
    for (wn_str word; count < enough && wn_text_words_next(k->reader, &word);)
        count += may_be_keyword(k, word) && has_word(k, fold(k, word));
    return count;
}

/*
 * Keywords in ASCII: only the stretches without white space that may hold one are cut into words.
 */
static uint32_t count_stretches(wn_keywords *k, wn_str text, uint32_t enough)
{
    uint32_t count = 0;
    size_t end = 0; /* of the last stretch */
    for (size_t at; count < enough && (at = find_start(k, text, end)) < text.len;) {
        size_t start = at;
        while (start > end && !wn_is_space(text.ptr[start - 1]))
            start--;
        for (end = at; end < text.len && !wn_is_space(text.ptr[end]);)
            end++;
        count += count_all(k, wn_str_from(text.ptr + start, end - start), enough - count);
    }
    return count;
}

uint32_t wn_extract_keywords_count(wn_keywords *k, wn_str text, uint32_t enough)
{
    const char *end = text.ptr + text.len;
    if (k->count == 0)
        return 0;
    if (k->beyond_ascii && wn_scan_non_ascii(text.ptr, end) < end)
        return count_all(k, text, enough);
    return count_stretches(k, text, enough);
}
