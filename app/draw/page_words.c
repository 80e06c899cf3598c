#include "draw/page_words.h"

#include "draw/number_words.h"
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

void wn_draw_count_page(wn_counts *counts, wn_word_tools *tools, winnow_selection *content,
                        const char *said, bool stem)
{
    char code[WN_LANGUAGE_CODE];
    wn_str language = wn_str_of(wn_draw_page_language(said, content, tools, code));
    wn_text_words_set_language(tools->segmenter, language);
    wn_text_stopwords_use(&tools->stop, language);
    stem = wn_text_stemmer_use(tools->stemmer, language) && stem;
    wn_draw_reading reading = {
        .segmenter = tools->segmenter,
        .stop = &tools->stop,
        .stemmer = stem ? tools->stemmer : NULL,
        .number_words = wn_draw_number_words(language),
    };
    const winnow_block *block;
    for (size_t i = 0; (block = winnow_selection_block(content, i)) != NULL; i++)
        if (block->kept)
            wn_draw_counts_add_text(counts, &reading, wn_str_from(block->text, block->size));
}
