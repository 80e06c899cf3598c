/*
 * bte: the stretch of the page with the most words in it and the most tags around it.
 *
 * Phan Thi Ha, Ha Hai Nam: Automatic Main Text Extraction from Web Pages, 2013; after
 * A. Finn, N. Kushmerick, B. Smyth: Fact or Fiction: Content Classification for Digital
 * Libraries, 2001 (body text extraction).
 *
 * The idea: an article is a long run of words with few tags, and boilerplate before and after it
 * has many tags for few words. Write the page as a row of tokens, 1 for a tag and -1 for a word,
 * and take the stretch [i, j] with the smallest sum: it maximises the number of words inside plus
 * tags outside.
 *
 *  Step 0  removes parts without content: everything outside the body, scripts, styles, images,
 *          form fields, frames, marquees, comments (`clean=no`: Finn's original has no such step).
 *  Step 1  creates the tokens and merges equal neighbours into runs: {2, -5} for two tags and five
 *          words.
 *  Step 2  searches. `original` is Finn's: all i and j over single tokens, each sum computed from
 *          scratch. `improved` is the paper's: over runs, with a running sum. `linear` is one pass,
 *          and the default. All three give the same stretch.
 *  Step 3  keeps the words of the stretch.
 *
 * What we changed, and why:
 *
 *  a) The printed Algorithm 2 never assigns its minimum; we follow the objective as stated. If
 *     several are equal, the one with the smallest start wins, then the one with the largest end.
 *  b) The linear search: a running sum that restarts when it becomes positive.
 *  c) In scripts without spaces between words (Thai, Chinese, …) a dictionary finds them.
 *  d) `original` and `improved` refuse large pages: more than 5,000 tokens, and more than 100,000
 *     runs.
 *
 * It uses words and tags; it ignores links and the names of elements. It fails on content in
 * several places and on pages of short items (shops, forums), and it keeps whatever lies between
 * two parts of the content, because there is only one stretch.
 *
 * Example: <ul><li>Home<li>News</ul><p>It has been raining since Monday.</p>
 *
 *     1 1 -1 1 -1 1 1 -1 -1 -1 -1 -1 -1 1        runs {2, -1, 1, -1, 2, -6, 1}
 *                     `---------------'          sum -6: "It has … Monday."
 */
#include "extract/bte.h"

#include "base/utf8.h"
#include "extract/method.h"

/* ---- Parameters -------------------------------------------------------------------------- */

enum { SEARCH, CLEAN };
enum { LINEAR, IMPROVED, ORIGINAL };

const wn_param *const wn_bte_params[] = {
    [SEARCH] = WN_CHOICE(
        "search", "one pass, all pairs of runs, or all pairs of tokens; same result", "linear",
        "linear, improved or original", "linear", "improved", "original"),
    [CLEAN] = WN_SWITCH("clean", "first remove parts without content", "yes"),
    NULL,
};

/* ---- Searches ---------------------------------------------------------------------------- */

wn_bte_stretch wn_extract_bte_linear(const int32_t *runs, uint32_t count)
{
    wn_bte_stretch best = {0};
    int64_t sum = 0; /* the smallest of all stretches that end here */
    uint32_t start = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (sum > 0) {
            sum = 0;
            start = i;
        }
        sum += runs[i];
        if (sum < best.sum || (sum == best.sum && sum < 0 && start == best.start))
            best = (wn_bte_stretch){start, i + 1, sum};
    }
    return best;
}

wn_bte_stretch wn_extract_bte_improved(const int32_t *runs, uint32_t count)
{
    wn_bte_stretch best = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (runs[i] > 0)
            continue;
        int64_t sum = 0;
        for (uint32_t j = i; j < count; j++) {
            sum += runs[j];
            if (sum < best.sum || (sum == best.sum && sum < 0 && i == best.start))
                best = (wn_bte_stretch){i, j + 1, sum};
        }
    }
    return best;
}

static int32_t sum_of(const int8_t *tokens, uint32_t start, uint32_t end)
{
    int32_t sum = 0;
    for (uint32_t i = start; i < end; i++)
        sum += tokens[i];
    return sum;
}

wn_bte_stretch wn_extract_bte_original(const int8_t *tokens, uint32_t count)
{
    wn_bte_stretch best = {0};
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = i; j < count; j++) {
            int64_t sum = sum_of(tokens, i, j + 1);
            if (sum < best.sum || (sum == best.sum && sum < 0 && i == best.start))
                best = (wn_bte_stretch){i, j + 1, sum};
        }
    }
    return best;
}

/* ---- Tokens ------------------------------------------------------------------------------ */

/* Where the words of a run are in page->text; nothing for a run of tags. */
typedef struct place {
    uint32_t start, end;
} place;

typedef struct reader {
    wn_page_stream *stream;
    wn_array(int32_t) runs; /* encode[] of the paper */
    wn_array(place) places; /* one per run */
    uint32_t tokens;
} reader;

/* Adds tokens of one kind: a new run, or more of the last one. */
static void add_tokens(reader *r, int32_t value, uint32_t start, uint32_t end)
{
    uint32_t last = r->runs.count - 1;
    bool same = r->runs.count > 0 && (r->runs.items[last] < 0) == (value < 0);
    if (same) {
        r->runs.items[last] += value;
        r->places.items[last].end = end;
    } else if (wn_array_reserve(&r->runs, r->runs.count + 1) &&
               wn_array_reserve(&r->places, r->runs.count + 1)) {
        r->runs.items[r->runs.count++] = value;
        r->places.items[r->places.count++] = (place){start, end};
    } else { /* neither array has it, nor the number of tokens */
        r->stream->page->failed = true;
        return;
    }
    r->tokens += (uint32_t)(value < 0 ? -value : value);
}

/* The words that a dictionary finds, as far as time allows: a text may be as long as the page. */
static uint32_t count_segmented(wn_words *words, wn_str text, wn_watch *watch)
{
    enum { A_PIECE = 16 << 10 };
    bool is_limited = watch && wn_watch_is_limited(watch);
    size_t count = 0;
    do {
        wn_str piece = is_limited ? wn_utf8_prefix(text, A_PIECE) : text;
        count += wn_text_words_count(words, piece);
        text = wn_str_from_offset(text, piece.len);
    } while (text.len > 0 && !wn_watch_look(watch));
    return (uint32_t)count;
}

/*
 * The words of a text: runs without a space, or what a dictionary says where there are none.
 * `before` is the state of the spacing before the text was added.
 */
static uint32_t count_words(reader *r, wn_page_spacing before, wn_str text)
{
    const wn_page_spacing *now = &r->stream->spacing;
    if (now->ideographs > before.ideographs) {
        wn_words *words = wn_page_stream_words(r->stream);
        return words ? count_segmented(words, text, r->stream->watch)
                     : now->ideographs - before.ideographs;
    }
    bool glued = !before.at_space && !wn_is_space(text.ptr[0]);
    return now->words - before.words + glued;
}

static void add_text(reader *r)
{
    wn_page_stream *s = r->stream;
    wn_page_spacing before = s->spacing;
    uint32_t start = (uint32_t)s->page->text.len;
    wn_page_stream_add(s, s->text);
    uint32_t words = count_words(r, before, s->text), end = (uint32_t)s->page->text.len;
    while (end > start && wn_is_space(s->page->text.ptr[end - 1]))
        end--; /* white space may go when the block ends */
    if (words > 0)
        add_tokens(r, -(int32_t)words, start, end);
}

static void read_tokens(reader *r)
{
    wn_page_piece piece;
    while ((piece = wn_page_stream_next(r->stream)) != WN_PIECE_END) {
        if (piece == WN_PIECE_TEXT)
            add_text(r);
        else
            add_tokens(r, 1, 0, 0);
    }
    wn_page_stream_finish(r->stream);
}

/* ---- The search on a page ---------------------------------------------------------------- */

/* binary_tokens[] of the paper, from the runs. */
static int8_t *make_tokens(const reader *r, wn_arena *arena)
{
    int8_t *tokens = wn_arena_alloc(arena, r->tokens + 1);
    uint32_t at = 0;
    for (uint32_t i = 0; tokens && i < r->runs.count; i++) {
        int32_t run = r->runs.items[i];
        for (int32_t k = run < 0 ? -run : run; k > 0; k--)
            tokens[at++] = run < 0 ? -1 : 1;
    }
    return tokens;
}

/* The run that token number `token` begins; the number of runs after the last. */
static uint32_t run_at(const reader *r, uint32_t token)
{
    uint32_t run = 0, at = 0;
    for (; run < r->runs.count && at < token; run++) {
        int32_t length = r->runs.items[run];
        at += (uint32_t)(length < 0 ? -length : length);
    }
    return run;
}

static wn_bte_stretch search_original(const reader *r, wn_arena *arena, bool *too_large)
{
    *too_large = r->tokens > WN_BTE_MOST_TOKENS;
    const int8_t *tokens = *too_large ? NULL : make_tokens(r, arena);
    if (!tokens)
        return (wn_bte_stretch){0};
    wn_bte_stretch found = wn_extract_bte_original(tokens, r->tokens);
    return (wn_bte_stretch){run_at(r, found.start), run_at(r, found.end), found.sum};
}

/* The best stretch, in runs. */
static wn_bte_stretch search(const reader *r, int how, wn_arena *arena, bool *too_large)
{
    if (how == ORIGINAL)
        return search_original(r, arena, too_large);
    *too_large = how == IMPROVED && r->runs.count > WN_BTE_MOST_RUNS;
    if (*too_large)
        return (wn_bte_stretch){0};
    return how == IMPROVED ? wn_extract_bte_improved(r->runs.items, r->runs.count)
                           : wn_extract_bte_linear(r->runs.items, r->runs.count);
}

/* ---- Verdicts ---------------------------------------------------------------------------- */

/* Where the stretch is in page->text: both its ends are runs of words. */
static place place_of(const reader *r, wn_bte_stretch found)
{
    if (found.end == found.start)
        return (place){0, 0};
    return (place){r->places.items[found.start].start, r->places.items[found.end - 1].end};
}

/* Blocks that lie across an end of the stretch are cut there. */
static void keep_stretch(wn_page *page, place kept, bool explain, wn_arena *arena,
                         wn_selection *selection)
{
    uint32_t cuts[] = {kept.start, kept.end};
    uint32_t *starts = wn_page_cut(page, cuts, kept.end > kept.start ? 2 : 0, arena);
    if (!starts || !wn_selection_start(selection, arena, page->blocks.count, explain)) {
        arena->failed = true;
        return;
    }
    for (uint32_t i = 0; i < selection->count; i++) {
        bool inside = starts[i] >= kept.start && starts[i] < kept.end;
        const char *reason = inside                 ? "inside the stretch with most words"
                             : starts[i] < kept.end ? "before it"
                                                    : "after it";
        selection->verdicts[i] = (wn_verdict){.reason = reason, .keep = inside};
    }
}

void wn_extract_read_bte(wn_page_stream *stream, const wn_request *request, wn_arena *arena,
                         wn_selection *selection)
{
    reader r = {.stream = stream};
    stream->raw = request->values[CLEAN] == 0;
    read_tokens(&r);
    wn_bte_stretch found = search(&r, (int)request->values[SEARCH], arena, &selection->too_large);
    keep_stretch(stream->page, place_of(&r, found), request->explain, arena, selection);
    wn_array_free(&r.runs);
    wn_array_free(&r.places);
}
