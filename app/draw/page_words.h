/*
 * What a thread needs to find the words of pages: a segmenter, a stemmer, stop words, and a way to
 * tell the language of a page.
 */
#ifndef WN_DRAW_PAGE_WORDS_H
#define WN_DRAW_PAGE_WORDS_H

#include "base/buf.h"
#include "draw/count.h"
#include "text/stem.h"
#include "text/stopwords.h"
#include "text/words.h"
#include "winnow.h"

typedef struct wn_word_tools {
    wn_words *segmenter;
    wn_stemmer *stemmer;
    wn_stopwords stop;
    wn_buf sample; /* of a text whose language is guessed */
} wn_word_tools;

/* `stopwords` are the user's, one per line. False if out of memory; free them in any case. */
bool wn_draw_word_tools_make(wn_word_tools *tools, wn_str stopwords);
void wn_draw_word_tools_free(wn_word_tools *tools);

/*
 * The language of a page's text: what the user says (or NULL), what the page says, or what the
 * text looks like; "" if nothing tells. It may be kept in `code`.
 */
const char *wn_draw_page_language(const char *said, winnow_selection *content, wn_word_tools *tools,
                                  char code[WN_LANGUAGE_CODE]);

/*
 * Counts the words of what is kept of a page, in its language; `stem`: forms of a word together,
 * where the language has a stemmer.
 */
void wn_draw_count_page(wn_counts *counts, wn_word_tools *tools, winnow_selection *content,
                        const char *said, bool stem);

#endif
