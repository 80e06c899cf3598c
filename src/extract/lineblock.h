/*
 * Keywords: the words of a page's title, without stop words, to be found in its text.
 */
#ifndef WN_EXTRACT_LINEBLOCK_H
#define WN_EXTRACT_LINEBLOCK_H

#include "page/stream.h"

enum { WN_MOST_KEYWORDS = 64 }; /* titles are short; what is longer is not a title */

typedef struct wn_keywords {
    wn_str words[WN_MOST_KEYWORDS]; /* folded */
    uint32_t count;
    uint32_t lengths;   /* a bit for each length of a keyword in bytes, the last for longer ones */
    uint32_t pairs[32]; /* a bit for the first two letters of each, by their last five bits */
    bool beyond_ascii;  /* one begins with another letter than a to z */
    uint32_t stop_language; /* the bit of its stop words */
    wn_words *reader;
    wn_buf *folded;
} wn_keywords;

/*
 * The keywords of the page's title, without stop words of its language and without those of
 * `stop_words`, one per line (NULL: none); false if out of memory.
 */
bool wn_extract_keywords_start(wn_keywords *keywords, wn_arena *arena, wn_page_stream *stream,
                               const char *stop_words);

static inline bool wn_extract_keywords_any(const wn_keywords *keywords)
{
    return keywords->count > 0;
}

/* How many words of `text` are keywords; it need not count further than `enough`. */
uint32_t wn_extract_keywords_count(wn_keywords *keywords, wn_str text, uint32_t enough);

#endif
