/*
 * outlier: blocks with enough words, not counting noise words.
 *
 * Surabhi Lingwal: Noise Reduction and Content Retrieval from Web Pages, 2013.
 *
 * The idea: the words of menus and frames are on every page of a collection, so among all words
 * they are outliers. The paper describes each word by numbers (how often, on how many pages, in
 * which class of pages, TF-IDF), defines those with the farthest k-th nearest neighbour as
 * outliers, and counts the words of a block without them. A block of at least five words is
 * content.
 *
 * The outliers belong to a collection, not to a page: whoever has one finds them
 * (`winnow corpus outliers`, app/corpus/outliers.h) and hands them over as request->noise.
 * Without a collection the method says that it needs one.
 *
 *  1. The page's language chooses stop words and stems (text/terms.h).
 *  2. A block is what lies between two block-level tags; b, i, span, br and unknown tags do not
 *     end it. Its tokens are cut at everything that is no letter.
 *  3. Tokens whose stem is an outlier are not counted. Stop words are: the paper takes them out
 *     after this step, from what it writes.
 *  4. Kept are blocks with at least `min_words` (5) tokens.
 *
 * What we changed, and why: the outliers leave only the count, never the text, because people
 * read it. `stopwords=skip` also leaves stop words out of the count, and those of `stop_words`.
 *
 * It uses words only, not links, markup or position. It keeps teasers and notices of more than five
 * words, and loses captions, headings and items with fewer.
 *
 * Example, with the outliers {share, newslett}:
 *
 *     <li>Share Newsletter Share Share Share       0 words     dropped
 *     <p>The rain has stopped in the <b>north</b>  7 words     kept
 */
#include "base/arena.h"
#include "extract/method.h"
#include "extract/noise.h"
#include "text/terms.h"

/* ---- Parameters -------------------------------------------------------------------------- */

/* Those from N on say which words are outliers; whoever has the collection reads them. */
enum { MIN_WORDS, STOPWORDS, STOP_WORDS, N, K, SCALE, MIN_DOCUMENTS, MAX_DOCUMENTS };

const wn_param *const wn_outlier_params[] = {
    [MIN_WORDS] = WN_WHOLE("min_words", "minimum number of words of a block", 5, 0, 1000),
    [STOPWORDS] = WN_CHOICE("stopwords", "whether stop words count", "count", "count or skip",
                            "count", "skip"),
    [STOP_WORDS] = WN_WORDS("stop_words", "more stop words, for stopwords=skip"),
    [N] = WN_WHOLE("n", "number of outliers in the collection", 50, 0, 1000000),
    [K] = WN_WHOLE("k", "the neighbour whose distance counts", 30, 1, 1000000),
    [SCALE] = WN_CHOICE("scale", "how the attributes of words are scaled", "none", "none, log or z",
                        "none", "log", "z"),
    [MIN_DOCUMENTS] = WN_WHOLE("min_documents",
                               "the minimum number of pages with a word for it "
                               "to be considered",
                               0, 0, 1000000000),
    [MAX_DOCUMENTS] = WN_WHOLE("max_documents", "maximum number of pages with a word; 0: any", 0, 0,
                               1000000000),
    NULL,
};

/* ---- Blocks ------------------------------------------------------------------------------ */

/*
 * The end of the block that begins at `first`: its parts that the page cut inside the element
 * belong to it.
 */
static uint32_t end_of_block(const wn_page *page, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < page->blocks.count && page->blocks.items[end].flags & WN_BLOCK_CONTINUES &&
           page->blocks.items[end].node == page->blocks.items[first].node)
        end++;
    return end;
}

static uint32_t count_words(wn_terms *terms, const wn_noise *noise, bool skip_stopwords,
                            wn_str text)
{
    uint32_t count = 0;
    wn_text_terms_begin(terms, text);
    for (wn_term term; wn_text_terms_next(terms, &term);)
        count += !wn_extract_noise_has(noise, term.stem) && !(skip_stopwords && term.is_stop);
    return count;
}

static const char *reason_for(wn_arena *arena, uint32_t words, bool explain)
{
    if (!explain)
        return "words without outliers";
    wn_buf reason = {0};
    wn_buf_add_format(&reason, "%u word%s without outliers", words, words == 1 ? "" : "s");
    const char *copy = wn_arena_c_string(arena, wn_buf_str(&reason));
    wn_buf_free(&reason);
    return copy;
}

static void judge(const wn_page *page, const wn_request *request, wn_terms *terms,
                  const wn_noise *noise, wn_arena *arena, wn_selection *selection)
{
    const wn_block *blocks = page->blocks.items;
    bool skip_stopwords = request->values[STOPWORDS] == 1;
    for (uint32_t first = 0, end; first < selection->count; first = end) {
        uint32_t words = 0;
        end = end_of_block(page, first);
        for (uint32_t i = first; i < end; i++)
            if (!(blocks[i].flags & WN_BLOCK_INVISIBLE))
                words += count_words(terms, noise, skip_stopwords, wn_block_text(page, &blocks[i]));
        wn_verdict verdict = {.reason = reason_for(arena, words, request->explain),
                              .keep = words >= request->values[MIN_WORDS]};
        for (uint32_t i = first; i < end; i++)
            selection->verdicts[i] = blocks[i].flags & WN_BLOCK_INVISIBLE
                                         ? (wn_verdict){.reason = "hidden"}
                                         : verdict;
    }
}

void wn_extract_select_outlier(const wn_page *page, const wn_request *request, wn_arena *arena,
                               wn_selection *selection)
{
    char code[WN_LANGUAGE_CODE];
    wn_terms terms = {0};
    if (!request->noise) {
        selection->needs_collection = true;
        return;
    }
    wn_text_terms_use(&terms, page->language, wn_buf_str(&page->text), code);
    if (!wn_text_stopwords_add(&terms.stop, wn_str_of(request->texts[STOP_WORDS])))
        terms.failed = true;
    judge(page, request, &terms, request->noise, arena, selection);
    if (terms.failed)
        arena->failed = true;
    wn_text_terms_free(&terms);
}
