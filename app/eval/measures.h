/*
 * Measures: how close a text is to the gold text of its page.
 *
 * All of them count what both texts have in common and give precision (common / ours),
 * recall (common / gold) and F1 (2 common / (ours + gold)). They differ in what is counted:
 *
 *     words     words as a bag, whatever their order (the definition of the WCXB benchmark)
 *     lcs       words of the longest common subsequence (San & Aye, the line-block paper)
 *     length    characters without spaces (Thanadechteemapat & Fung, the Thai paper):
 *               LEC of ours, LEP of the gold, LM of the gold outside the word LCS;
 *               common is LEP - LM
 *     shingles  four words in a row, minding the case (the ScrapingHub article benchmark)
 *     rouge     five words in a row (ROUGE-5)
 *     snippets  sentences that must be in the text and others that must not
 *     code, formulas, tables   where the gold is Markdown or HTML: how similar those of both are
 *
 * If one of the texts is empty there is nothing to divide by: all three are 1 if the other
 * one is empty too, else 0. The gold of a page is read once and compared with many texts:
 *
 *     wn_measurer m = {0};
 *     wn_eval_measurer_begin(&m, gold);
 *     wn_eval_measurer_score(&m, text, snippets, &score);
 *
 * There are also the shares of a page's text and tags that lie inside its content (Ha & Nam,
 * the bte paper, table 1), which say something about the page and nothing about a method.
 */
#ifndef WN_EVAL_MEASURES_H
#define WN_EVAL_MEASURES_H

#include "base/buf.h"
#include "eval/lcs.h"
#include "eval/structure.h"
#include "eval/teds.h"
#include "eval/words.h"

typedef enum wn_measure {
    WN_MEASURE_WORDS,
    WN_MEASURE_LCS,
    WN_MEASURE_LENGTH,
    WN_MEASURE_SHINGLES,
    WN_MEASURE_ROUGE,
    WN_MEASURE_SNIPPETS,
    WN_MEASURE_CODE,
    WN_MEASURE_FORMULAS,
    WN_MEASURE_TABLES,
    WN_MEASURE_COUNT,
} wn_measure;

/* "words", "lcs", …; NULL past the end. Static. */
const char *wn_eval_measure_name(const void *unused, size_t measure);

/* Each is NaN where it is not defined (a page without snippets). */
typedef struct wn_prf {
    double precision, recall, f1;
} wn_prf;

/* From counts, with the rule for empty texts. */
wn_prf wn_eval_prf_of(uint64_t common, uint64_t ours, uint64_t gold);

/* The sentences of a page, folded (wn_eval_add_folded); an empty one counts for nothing. */
typedef struct wn_eval_snippets {
    const wn_str *with, *without;
    uint32_t with_count, without_count;
} wn_eval_snippets;

/* What became of one page. */
typedef struct wn_score {
    wn_prf by[WN_MEASURE_COUNT];
    uint32_t with_count, with_found, without_count, without_found;
    uint64_t bytes; /* of the text */
} wn_score;

typedef struct wn_shares {
    double text; /* of the page's characters, without spaces, that are content */
    double tags; /* of its tags that are between words of the content */
} wn_shares;

/* The gold of a page, and working memory that is kept from page to page. */
typedef struct wn_measurer {
    wn_vocabulary small, cased; /* lower case, and as the text has it */
    wn_word_list gold, ours;    /* in lower case */
    wn_word_list gold_cased, ours_cased;
    wn_array(uint32_t) gold_ids, our_ids;
    wn_array(uint32_t) counts; /* of words or shingles of the gold that are not yet found */
    wn_array(uint32_t) match;  /* by word of the gold: the place in ours */
    wn_lcs lcs;
    wn_map64 shingles; /* of the gold */
    wn_buf folded;
    wn_arena arena;      /* of the page's markup */
    wn_words *segmenter; /* cuts scripts without spaces into words; NULL: words are Python's */
    wn_structure gold_structure, our_structure;
    wn_edit edit;
    wn_teds teds;
    bool structured; /* both structures were read, and are compared */
    bool failed;     /* out of memory; sticky until the next page */
} wn_measurer;

void wn_eval_measurer_free(wn_measurer *m);

/* Begins a page. `gold` must live as long as the page is measured. */
void wn_eval_measurer_begin(wn_measurer *m, wn_str gold);

/* Reads the words of a text, in lower case; false if out of memory. */
bool wn_eval_measurer_read(wn_measurer *m, wn_word_list *words, wn_str text);

/* Compares `text` with the gold by all measures; false if out of memory. */
bool wn_eval_measurer_score(wn_measurer *m, wn_str text, const wn_eval_snippets *snippets,
                            wn_score *score);

/* ---- The measures one by one: m->gold and m->ours have been read -------------------------- */

wn_prf wn_eval_measure_words(wn_measurer *m);

/* Also leaves in m->match which words of the gold were found where. */
wn_prf wn_eval_measure_lcs(wn_measurer *m);

/* From what wn_eval_measure_lcs() left. */
wn_prf wn_eval_measure_length(const wn_measurer *m);

wn_prf wn_eval_measure_shingles(wn_measurer *m);
wn_prf wn_eval_measure_rouge(wn_measurer *m);

/* How similar code, formulas and tables of m->gold_structure and m->our_structure are. */
void wn_eval_measure_structure(wn_measurer *m, wn_score *score);

/* Fills in the counts of `score` and its WN_MEASURE_SNIPPETS. */
void wn_eval_measure_snippets(wn_measurer *m, wn_str text, const wn_eval_snippets *snippets,
                              wn_score *score);

/* The shares of the page `html`, whose gold was begun; replaces m->ours. */
wn_shares wn_eval_measure_shares(wn_measurer *m, wn_str html);

#endif
