#include "eval/measures.h"

#include <math.h>

#include "base/utf8.h"

const char *wn_eval_measure_name(const void *unused, size_t measure)
{
    (void)unused;
    static const char *const names[] = {
        [WN_MEASURE_WORDS] = "words",   [WN_MEASURE_LCS] = "lcs",
        [WN_MEASURE_LENGTH] = "length", [WN_MEASURE_SHINGLES] = "shingles",
        [WN_MEASURE_ROUGE] = "rouge",   [WN_MEASURE_SNIPPETS] = "snippets",
        [WN_MEASURE_CODE] = "code",     [WN_MEASURE_FORMULAS] = "formulas",
        [WN_MEASURE_TABLES] = "tables", [WN_MEASURE_COUNT] = NULL,
    };
    return names[measure];
}

wn_prf wn_eval_prf_of(uint64_t common, uint64_t ours, uint64_t gold)
{
    if (ours == 0 || gold == 0) {
        double both_empty = ours == gold;
        return (wn_prf){both_empty, both_empty, both_empty};
    }
    return (wn_prf){
        .precision = (double)common / (double)ours,
        .recall = (double)common / (double)gold,
        .f1 = 2 * (double)common / ((double)ours + (double)gold),
    };
}

void wn_eval_measurer_free(wn_measurer *m)
{
    wn_text_vocabulary_free(&m->small);
    wn_text_vocabulary_free(&m->cased);
    wn_eval_word_list_free(&m->gold);
    wn_eval_word_list_free(&m->ours);
    wn_eval_word_list_free(&m->gold_cased);
    wn_eval_word_list_free(&m->ours_cased);
    wn_array_free(&m->gold_ids);
    wn_array_free(&m->our_ids);
    wn_array_free(&m->counts);
    wn_array_free(&m->match);
    wn_eval_lcs_free(&m->lcs);
    wn_map64_free(&m->shingles);
    wn_buf_free(&m->folded);
    wn_arena_free(&m->arena);
    wn_text_words_free(m->segmenter);
    wn_eval_structure_free(&m->gold_structure);
    wn_eval_structure_free(&m->our_structure);
    wn_eval_edit_free(&m->edit);
    wn_eval_teds_free(&m->teds);
}

static bool read_words(wn_measurer *m, wn_word_list *words, wn_vocabulary *vocabulary, wn_str text,
                       bool lower)
{
    if (m->segmenter && wn_utf8_valid_prefix(text) == text.len)
        return wn_eval_word_list_segment(words, vocabulary, m->segmenter, text, lower);
    return wn_eval_word_list_read(words, vocabulary, text, lower);
}

bool wn_eval_measurer_read(wn_measurer *m, wn_word_list *words, wn_str text)
{
    return read_words(m, words, &m->small, text, true);
}

void wn_eval_measurer_begin(wn_measurer *m, wn_str gold)
{
    wn_text_vocabulary_clear(&m->small);
    wn_text_vocabulary_clear(&m->cased);
    m->failed = !wn_eval_measurer_read(m, &m->gold, gold) ||
                !read_words(m, &m->gold_cased, &m->cased, gold, false);
}

bool wn_eval_measurer_score(wn_measurer *m, wn_str text, const wn_eval_snippets *snippets,
                            wn_score *score)
{
    m->failed = m->failed || !wn_eval_measurer_read(m, &m->ours, text) ||
                !read_words(m, &m->ours_cased, &m->cased, text, false);
    *score = (wn_score){.bytes = text.len};
    if (m->failed)
        return false;
    score->by[WN_MEASURE_WORDS] = wn_eval_measure_words(m);
    score->by[WN_MEASURE_LCS] = wn_eval_measure_lcs(m);
    score->by[WN_MEASURE_LENGTH] = wn_eval_measure_length(m);
    score->by[WN_MEASURE_SHINGLES] = wn_eval_measure_shingles(m);
    score->by[WN_MEASURE_ROUGE] = wn_eval_measure_rouge(m);
    wn_eval_measure_snippets(m, text, snippets, score);
    wn_eval_measure_structure(m, score);
    return !m->failed;
}
