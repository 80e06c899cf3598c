/*
 * Features of texts: what a block's own words and signs say, and what the head of the
 * page says that the block can be compared with. For features.c only.
 */
#ifndef WN_AUTO_FEATURES_TEXT_H
#define WN_AUTO_FEATURES_TEXT_H

#include "auto/features.h"

enum {
    WN_TITLE_WORDS = 24,
    WN_PHRASE_BITS = 1 << 15, /* of a set of phrases */
    WN_PAGE_WORDS = 64,       /* of one text that tell the page's type */
    WN_TEXT_WORDS = 24,       /* of a block that are looked up: the first ones say enough */
};

/* Runs of three words that occur in a text, as bits of their hashes. */
typedef struct wn_auto_phrases {
    uint8_t bits[WN_PHRASE_BITS / 8];
    uint32_t words; /* of the text */
} wn_auto_phrases;

/* What the head of the page says. */
typedef struct wn_auto_head_facts {
    uint32_t title[WN_TITLE_WORDS]; /* hashes of its longer words */
    uint32_t title_count;
    uint64_t title_bits; /* one for each of them, by its hash: most words are told apart by that */
    wn_auto_phrases description;  /* <meta name=description> and the like */
    wn_auto_phrases data;         /* JSON-LD */
    wn_str url;                   /* the page's own word for its address; may be empty */
    int16_t types[WN_PAGE_TYPES]; /* what its words say of the page's type */
    bool has_viewport;            /* it was made with telephones in mind */
} wn_auto_head_facts;

/* What features_text.c needs to know while it reads words. */
typedef struct wn_auto_word_reader {
    const wn_auto_lexicon *lexicon;
    const wn_auto_word_listener *listener; /* may be NULL */
} wn_auto_word_reader;

static inline int16_t wn_auto_clip(int64_t n)
{
    return (int16_t)(n > INT16_MAX ? INT16_MAX : n < -INT16_MAX ? -INT16_MAX : n);
}

/* part / whole: most numbers are small, and dividing those takes a fraction of the time. */
static inline uint64_t wn_auto_divide(uint64_t part, uint64_t whole)
{
    return (part | whole) >> 32 ? part / whole : (uint32_t)part / (uint32_t)whole;
}

/* part / whole in thousandths; 0 of nothing. Many parts are 0: no division says so. */
static inline int16_t wn_auto_share(uint64_t part, uint64_t whole)
{
    uint64_t share = part && whole ? wn_auto_divide(part * 1000, whole) : 0;
    return (int16_t)(share > INT16_MAX ? INT16_MAX : share);
}

static inline bool wn_auto_is_word_byte(char c)
{
    return wn_is_ascii_alnum(c) || (unsigned char)c >= 0x80;
}

/* The next run of letters, digits and bytes outside ASCII; false when there is none. */
static inline bool wn_auto_next_word(wn_str text, size_t *at, wn_str *word)
{
    size_t i = *at;
    while (i < text.len && !wn_auto_is_word_byte(text.ptr[i]))
        i++;
    size_t start = i;
    while (i < text.len && wn_auto_is_word_byte(text.ptr[i]))
        i++;
    *at = i;
    *word = wn_str_from(text.ptr + start, i - start);
    return i > start;
}

/* Looks a word up and tells the listener of it; `at` is the element or the block where it is. */
static inline int wn_auto_read_word(const wn_auto_word_reader *reader, wn_auto_word_kind kind,
                                    uint32_t word, uint32_t at)
{
    if (reader->listener)
        reader->listener->hear(reader->listener->user, kind, word, at);
    return wn_auto_lexicon_weight(reader->lexicon, word);
}

/* Reads the head of the document. */
void wn_auto_read_head(wn_auto_head_facts *facts, const wn_page *page,
                       const wn_auto_word_reader *reader);

/* What is counted while the text of a block is read. */
typedef struct wn_auto_text_counts {
    uint32_t characters, letters, digits, others, wide;
    uint32_t commas, stops, calls, bullets, money, lines;
    uint32_t words, upper_words, all_upper_words;
    uint32_t in_title, in_description, in_data;
    int sum, lowest, highest, first;
    bool has_address, has_copyright;
} wn_auto_text_counts;

/* The text of a block that is read, and the word in it. */
typedef struct wn_auto_text_reading {
    const wn_auto_lexicon *lexicon;
    wn_str text;
    wn_auto_text_counts n;
    uint32_t hashes[WN_TEXT_WORDS]; /* of the first words */
    uint32_t whole;                 /* of all words, if the text is short */
    bool has_whole;
    const char *start; /* of the word that is read */
    uint32_t letters;  /* of it; 0: none is read */
    bool starts_upper, all_upper;
} wn_auto_text_reading;

/*
 * The features of a block's own text, in two steps: reading it, and looking its words up. Whoever
 * reads the next block before looking up the words of this one does not wait for memory.
 */
void wn_auto_read_text(wn_auto_text_reading *reading, const wn_page *page, uint32_t block,
                       const wn_auto_lexicon *lexicon);
void wn_auto_describe_text(int16_t *own, wn_auto_text_reading *reading, const wn_page *page,
                           uint32_t block, const wn_auto_head_facts *head,
                           const wn_auto_word_reader *reader);

/* The weights of the words of a heading: mean, lowest, highest. */
void wn_auto_read_heading(int16_t weights[3], const wn_page *page, uint32_t block,
                          const wn_auto_word_reader *reader);

/*
 * What the words of a text say of the page's type, added to `types`. `place` tells where the text
 * is; only the first `most` words are read, at most WN_PAGE_WORDS. Returns how many that were.
 */
uint32_t wn_auto_read_page_words(int16_t types[WN_PAGE_TYPES], wn_auto_word_kind kind, char place,
                                 wn_str text, uint32_t most, const wn_auto_word_reader *reader);

#endif
