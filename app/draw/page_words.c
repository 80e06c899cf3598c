#include "draw/page_words.h"

#include "text/language.h"

enum { SAMPLE = 64 << 10 }; /* bytes from which a language is guessed */

bool wn_draw_word_tools_make(wn_word_tools *tools, wn_str stopwords)
{
    tools->segmenter = wn_text_words_new();
    tools->stemmer = wn_text_stemmer_new();
    return tools->segmenter && tools->stemmer && wn_text_stopwords_add(&tools->stop, stopwords);
}

void wn_draw_word_tools_free(wn_word_tools *tools)
{
    wn_text_words_free(tools->segmenter);
    wn_text_stemmer_free(tools->stemmer);
    wn_text_stopwords_free(&tools->stop);
    wn_buf_free(&tools->sample);
}

const char *wn_draw_page_language(const char *said, winnow_selection *content, wn_word_tools *tools,
                                  char code[WN_LANGUAGE_CODE])
{
    if (!said)
        said = winnow_selection_metadata(content)->language;
    const char *language = wn_text_language_normalise(wn_str_of(said), code);
    if (language[0])
        return language;
    wn_buf *sample = &tools->sample;
    wn_buf_clear(sample);
    const winnow_block *block;
    for (size_t i = 0; (block = winnow_selection_block(content, i)) && sample->len < SAMPLE; i++) {
        if (!block->kept)
            continue;
        wn_buf_add(sample, wn_str_from(block->text, block->size));
        wn_buf_add_char(sample, '\n');
    }
    return wn_text_language_guess(tools->segmenter, wn_buf_str(sample));
}
