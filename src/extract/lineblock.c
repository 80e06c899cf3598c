/*
 * lineblock: lines of the source, judged by their text, tags, links and the title's words.
 *
 * Pan Ei San, Nilar Aye: Main Content Extraction from Dynamic Web Pages (without a date; its
 * newest reference is of 2013).
 *
 * The idea: content is long text with few tags and few links, and it speaks of what the
 * title says. No tree is needed to see that, only lines:
 *
 *  1. What nobody reads (head, scripts, styles, comments, …) is filtered out.
 *  2. A line is a line of the source that holds whole links. Neighbouring lines with text
 *     are one line-block while at most `distance` lines without text lie between them.
 *  3. Of each line-block: TTR, characters of text per tag; ATTR, the share of its text that
 *     is links; TKD, how often words of the title (stop words left out) occur in it.
 *  4. A line-block is content if these pass their thresholds.
 *
 * What we changed, and why:
 *
 *  a) Pages on one long line are the rule today, so block-level tags end a line before and
 *     after them, too: each is on a line of its own.
 *  b) The paper gives two rules. In its step 4 all three must pass; in its step 3 words of
 *     the title rescue a block that the densities would lose. `rule=all` is the first,
 *     `rule=rescue` the second and the default: titles are short, and most paragraphs of an
 *     article do not repeat two of their words.
 *  c) The paper gives no distance and no lambdas. Ours were chosen on cleaneval-dev.
 *  d) A page without a title: its words are not tested.
 *
 * What it sees: text, tags, links, the title. What it does not see: structure. Where it fails:
 * content in many short blocks (recipes, listings, forums), and boilerplate in
 * sentences (notices, descriptions of the author).
 *
 * Example, with the title "Bladder cancer: Exciting drug break":
 *
 *     <ul><li><a href=1>Home</a></li>          TTR 2, ATTR 1, TKD 0     dropped
 *     <li><a href=2>Health</a></li></ul>
 *     <p>A new drug against bladder cancer     TTR 60, ATTR 0, TKD 3    kept
 *     has helped patients in a trial.</p>
 */
#include "base/scan.h"
#include "base/utf8.h"
#include "extract/lineblock.h"
#include "extract/method.h"

/* ---- Parameters -------------------------------------------------------------------------- */

enum {
    RULE,
    THRESHOLDS,
    DISTANCE,
    TTR,
    ATTR,
    TKD,
    LAMBDA_TTR,
    LAMBDA_ATTR,
    LAMBDA_TKD,
    STOP_WORDS
};
enum { RULE_ALL, RULE_RESCUE };
enum { FIXED, SIGMA };

const wn_param *const wn_lineblock_params[] = {
    [RULE] = WN_CHOICE("rule", "all three features must pass, or words of the title rescue a block",
                       "rescue", "all or rescue", "all", "rescue"),
    [THRESHOLDS] = WN_CHOICE("thresholds",
                             "the same for all pages, or lambda times the standard deviation",
                             "fixed", "fixed or sigma", "fixed", "sigma"),
    [DISTANCE] = WN_WHOLE("distance",
                          "the maximum number of lines without text inside a "
                          "line-block",
                          0, 0, 1000),
    [TTR] = WN_NUMBER("ttr", "fixed: minimum characters per tag", 30, 0, 100000),
    [ATTR] = WN_NUMBER("attr", "fixed: maximum share of links in the text", 0.2, 0, 2),
    [TKD] = WN_NUMBER("tkd", "fixed: minimum number of title words", 2, 0, 100000),
    [LAMBDA_TTR] = WN_NUMBER("lambda_ttr", "sigma: factor for characters per tag", 0.05, 0, 100),
    [LAMBDA_ATTR] = WN_NUMBER("lambda_attr", "sigma: factor for the share of links", 0.7, 0, 100),
    [LAMBDA_TKD] = WN_NUMBER("lambda_tkd", "sigma: factor for words of the title", 0.25, 0, 100),
    [STOP_WORDS] = WN_WORDS("stop_words", "further words to ignore in titles, in addition to the "
                                          "stop words of the language"),
    NULL,
};

/* ---- Types ------------------------------------------------------------------------------- */

typedef struct line_block {
    uint32_t first_block; /* of the page; it ends where the next one begins */
    uint32_t chars, link_chars, tags;
    uint32_t source, source_end; /* offsets of its first and last text, for --explain */
    double ttr, attr, tkd;
} line_block;

typedef struct reader {
    wn_page_stream *stream;
    uint32_t distance;
    wn_array(line_block) blocks;

    /* The line that is read. */
    bool has_text;
    bool after_tag;     /* it began after a tag, not at the start of a line of the source */
    uint32_t line_tags; /* before its first text */

    /* Lines without text after the last one with. */
    uint32_t gap, gap_tags;
} reader;

typedef struct thresholds {
    double ttr, attr, tkd;
    bool tests_tkd;
} thresholds;

/* ---- Lines and line-blocks --------------------------------------------------------------- */

static line_block *last_block(reader *r)
{
    return r->blocks.count ? &r->blocks.items[r->blocks.count - 1] : NULL;
}

static void end_line(reader *r, bool at_newline)
{
    bool counts = r->line_tags > 0 || (at_newline && !r->after_tag);
    if (!r->has_text && counts) {
        r->gap++;
        r->gap_tags += r->line_tags;
    }
    r->has_text = false;
    r->line_tags = 0;
    r->after_tag = !at_newline;
}

static void open_block(reader *r)
{
    wn_page_stream_end_block(r->stream);
    line_block *block = wn_array_push(&r->blocks);
    if (block)
        *block = (line_block){.first_block = r->stream->page->blocks.count,
                              .source = r->stream->source};
    else
        r->stream->page->failed = true;
}

/* The line is one with text from now on: it joins the last line-block or starts a new one. */
static void begin_text(reader *r)
{
    if (r->has_text)
        return;
    if (r->blocks.count == 0 || r->gap > r->distance)
        open_block(r);
    else
        last_block(r)->tags += r->gap_tags;
    line_block *block = last_block(r);
    if (block)
        block->tags += r->line_tags;
    r->has_text = true;
    r->gap = r->gap_tags = r->line_tags = 0;
}

/* White space of any kind, no-break spaces included. */
static bool is_blank(wn_str text)
{
    size_t i = 0;
    char last = text.ptr[text.len - 1];
    if (!wn_is_space(last) && last != '\xA0') /* most texts */
        return false;
    while (i < text.len) {
        if (wn_is_space(text.ptr[i]))
            i++;
        else if (i + 1 < text.len && memcmp(text.ptr + i, "\xC2\xA0", 2) == 0)
            i += 2;
        else
            return false;
    }
    return true;
}

/*
 * Characters of the block that gathers, plus those of all text before it: only differences count.
 */
static uint32_t added_characters(const wn_page_stream *s)
{
    return (uint32_t)s->page->text.len - s->spacing.continued;
}

/* Text without a line end inside, or with one that counts for nothing. */
static void add_segment(reader *r, wn_str text)
{
    wn_page_stream *s = r->stream;
    if (is_blank(text)) {
        wn_page_stream_add(s, text);
        return;
    }
    begin_text(r);
    line_block *block = last_block(r);
    uint32_t before = added_characters(s);
    wn_page_stream_add(s, text);
    if (!block)
        return;
    uint32_t chars = added_characters(s) - before;
    block->chars += chars;
    block->link_chars += s->in_link ? chars : 0;
    block->source_end = wn_page_stream_source_after(s, text.len);
}

/* Ends the lines that are white space and no more; returns what is left, indentation included. */
static wn_str pass_empty_lines(reader *r, wn_str text)
{
    const char *p = text.ptr, *end = p + text.len, *line = p;
    while (p < end && wn_is_space(*p)) {
        if (*p++ != '\n')
            continue;
        end_line(r, true);
        line = p;
        p = wn_scan_indent(p, end);
    }
    if (p == end)
        line = end;
    if (line > text.ptr && !wn_page_stream_ignores_space(r->stream))
        wn_page_stream_add(r->stream, wn_str_between(text.ptr, line));
    r->stream->source = wn_page_stream_source_after(r->stream, (size_t)(line - text.ptr));
    return wn_str_between(line, end);
}

/* A newline ends the line, but not inside a link. */
static void add_text(reader *r)
{
    wn_str rest = r->stream->text;
    while (!r->stream->in_link && (rest = pass_empty_lines(r, rest)).len > 0) {
        const char *end = rest.ptr + rest.len, *newline = wn_scan_2(rest.ptr, end, '\n', '\n');
        size_t len = (size_t)(newline - rest.ptr) + (newline < end);
        add_segment(r, wn_str_from(rest.ptr, len));
        if (newline < end)
            end_line(r, true);
        rest = wn_str_from_offset(rest, len);
        r->stream->source = wn_page_stream_source_after(r->stream, len);
    }
    if (rest.len > 0)
        add_segment(r, rest);
}

static void add_tag(reader *r)
{
    if (r->stream->breaks) {
        end_line(r, false);
        r->line_tags = 1;
        end_line(r, false);
    } else if (r->has_text && r->blocks.count) {
        last_block(r)->tags++;
    } else {
        r->line_tags++;
    }
}

static void read_lines(reader *r)
{
    wn_page_piece piece;
    while ((piece = wn_page_stream_next(r->stream)) != WN_PIECE_END) {
        if (piece == WN_PIECE_TEXT)
            add_text(r);
        else
            add_tag(r);
    }
    wn_page_stream_finish(r->stream);
}

static uint32_t end_of(const reader *r, uint32_t index)
{
    return index + 1 < r->blocks.count ? r->blocks.items[index + 1].first_block
                                       : r->stream->page->blocks.count;
}

/* ---- Features ---------------------------------------------------------------------------- */

static void measure(reader *r)
{
    for (uint32_t i = 0; i < r->blocks.count; i++) {
        line_block *b = &r->blocks.items[i];
        b->ttr = (double)b->chars / (b->tags ? b->tags : 1);
        b->attr = b->chars ? (double)b->link_chars / b->chars : 0;
    }
}

/* TKD of one line-block; it need not count further than `enough`. */
static double count_title_words(const reader *r, uint32_t index, wn_keywords *keywords,
                                uint32_t enough)
{
    const wn_page *page = r->stream->page;
    uint32_t count = 0;
    for (uint32_t i = r->blocks.items[index].first_block; i < end_of(r, index); i++)
        if (count < enough)
            count += wn_extract_keywords_count(
                keywords, wn_block_text(page, &page->blocks.items[i]), enough - count);
    return count;
}

static double ttr_of(const line_block *b)
{
    return b->ttr;
}

static double attr_of(const line_block *b)
{
    return b->attr;
}

static double tkd_of(const line_block *b)
{
    return b->tkd;
}

/* Newton's method; the library links no libm. */
static double square_root(double x)
{
    enum { MOST_STEPS = 200 };
    double root = x > 1 ? x : 1;
    for (int i = 0; i < MOST_STEPS && root * root - x > 1e-12 * x; i++)
        root = (root + x / root) / 2;
    return x > 0 ? root : 0;
}

static double deviation(const reader *r, double (*feature)(const line_block *))
{
    double sum = 0, squares = 0, n = r->blocks.count;
    for (uint32_t i = 0; i < r->blocks.count; i++)
        sum += feature(&r->blocks.items[i]);
    double mean = n > 0 ? sum / n : 0;
    for (uint32_t i = 0; i < r->blocks.count; i++) {
        double distance = feature(&r->blocks.items[i]) - mean;
        squares += distance * distance;
    }
    return n > 0 ? square_root(squares / n) : 0;
}

static thresholds choose_thresholds(const reader *r, const double *values, bool tests_tkd)
{
    if ((int)values[THRESHOLDS] == FIXED)
        return (thresholds){values[TTR], values[ATTR], values[TKD], tests_tkd};
    return (thresholds){values[LAMBDA_TTR] * deviation(r, ttr_of),
                        values[LAMBDA_ATTR] * deviation(r, attr_of),
                        values[LAMBDA_TKD] * deviation(r, tkd_of), tests_tkd};
}

/* Says what the features are compared with: "τ of TTR is 3.1 (λ 0.05, σ 61.9)". */
static const char *note_thresholds(const reader *r, const double *values, const thresholds *t,
                                   wn_arena *arena)
{
    const struct {
        const char *name, *test;
        double threshold, lambda;
        double (*feature)(const line_block *);
    } rows[] = {
        {"TTR", "above", t->ttr, values[LAMBDA_TTR], ttr_of},
        {"ATTR", "below", t->attr, values[LAMBDA_ATTR], attr_of},
        {"TKD", "at least", t->tkd, values[LAMBDA_TKD], tkd_of},
    };
    wn_buf text = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        wn_buf_add_format(&text, "%-4s %s τ = %.4g", rows[i].name, rows[i].test, rows[i].threshold);
        if ((int)values[THRESHOLDS] == SIGMA)
            wn_buf_add_format(&text, " = λσ with λ = %.4g, σ = %.4g", rows[i].lambda,
                              deviation(r, rows[i].feature));
        else
            wn_buf_add_literal(&text, " (fixed)");
        bool untested = rows[i].feature == tkd_of && !t->tests_tkd;
        wn_buf_add_literal(&text, untested ? "; not tested, the page has no title\n" : "\n");
    }
    const char *notes = wn_arena_c_string(arena, wn_buf_str(&text));
    wn_buf_free(&text);
    return notes;
}

/* ---- Verdicts ---------------------------------------------------------------------------- */

static bool is_dense(const line_block *b, const thresholds *t)
{
    return b->ttr > t->ttr && b->attr < t->attr;
}

/* Zero words of the title are never enough, whatever the deviation says. */
static bool has_title_words(const line_block *b, const thresholds *t)
{
    return b->tkd >= t->tkd && b->tkd > 0;
}

static wn_verdict judge(const line_block *b, const thresholds *t, bool rescue)
{
    bool dense = is_dense(b, t);
    if (!t->tests_tkd || (rescue && dense))
        return (wn_verdict){.reason = dense ? "dense text" : "too many tags or links",
                            .keep = dense};
    bool title = has_title_words(b, t);
    if (rescue)
        return (wn_verdict){.reason = title ? "words of the title" : "too many tags or links",
                            .keep = title};
    const char *reason = !dense  ? "too many tags or links"
                         : title ? "dense text with words of the title"
                                 : "no words of the title";
    return (wn_verdict){.reason = reason, .keep = dense && title};
}

static const char *copy_format(wn_buf *buf, wn_arena *arena)
{
    const char *copy = wn_arena_c_string(arena, wn_buf_str(buf));
    wn_buf_free(buf);
    return copy;
}

/* Adds the numbers to the reason; returns the lines of the source. *line and *at move along. */
static const char *explain(const reader *r, const line_block *b, wn_verdict *verdict,
                           wn_arena *arena, uint32_t *line, uint32_t *at)
{
    wn_buf reason = {0}, where = {0};
    const char *source = r->stream->doc->source.ptr;
    for (; *at < b->source; ++*at)
        *line += source[*at] == '\n';
    uint32_t first = *line;
    for (; *at < b->source_end; ++*at)
        *line += source[*at] == '\n';
    wn_buf_add_format(&where, first == *line ? "line %u" : "lines %u to %u", first, *line);
    wn_buf_add_format(&reason, "TTR %.1f, ATTR %.2f, TKD %.0f: %s", b->ttr, b->attr, b->tkd,
                      verdict->reason);
    verdict->reason = copy_format(&reason, arena);
    return copy_format(&where, arena);
}

static void decide(reader *r, const wn_request *request, wn_arena *arena, wn_selection *selection,
                   wn_keywords *keywords)
{
    bool rescue = (int)request->values[RULE] == RULE_RESCUE;
    bool needs_all = request->explain || !rescue || (int)request->values[THRESHOLDS] == SIGMA;
    for (uint32_t i = 0; needs_all && i < r->blocks.count; i++)
        r->blocks.items[i].tkd = count_title_words(r, i, keywords, UINT32_MAX);
    thresholds t = choose_thresholds(r, request->values, wn_extract_keywords_any(keywords));
    if (request->explain)
        selection->notes = note_thresholds(r, request->values, &t, arena);
    uint32_t line = 1, at = 0, enough = (uint32_t)t.tkd + 1;
    for (uint32_t i = 0; i < r->blocks.count; i++) {
        line_block *b = &r->blocks.items[i];
        if (!needs_all && t.tests_tkd && !is_dense(b, &t))
            b->tkd = count_title_words(r, i, keywords, enough);
        wn_verdict verdict = judge(b, &t, rescue);
        const char *place = request->explain ? explain(r, b, &verdict, arena, &line, &at) : NULL;
        for (uint32_t k = b->first_block; k < end_of(r, i); k++) {
            selection->verdicts[k] = verdict;
            if (place)
                selection->places[k] = place;
        }
    }
}

void wn_extract_read_lineblock(wn_page_stream *stream, const wn_request *request, wn_arena *arena,
                               wn_selection *selection)
{
    reader r = {.stream = stream, .distance = (uint32_t)request->values[DISTANCE]};
    read_lines(&r);
    measure(&r);
    wn_keywords keywords;
    uint32_t count = stream->page->blocks.count;
    bool ready = wn_selection_start(selection, arena, count, request->explain) &&
                 wn_extract_keywords_start(&keywords, arena, stream, request->texts[STOP_WORDS]);
    if (ready)
        decide(&r, request, arena, selection, &keywords);
    wn_array_free(&r.blocks);
}
