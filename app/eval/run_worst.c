/*
 * The worst pages of each row, and what is wrong with them.
 *
 * They are known only when all pages are scored, and texts are not kept that long; so these
 * few pages are extracted once more. Words of the gold outside the longest common subsequence
 * were missed, words of ours outside it kept wrongly; the longest stretch of each is shown.
 */
#include <math.h>

#include "base/utf8.h"
#include "eval/run_parts.h"

enum { SHOWN_BYTES = 100 };

/* ---- The choice -------------------------------------------------------------------------- */

typedef struct candidate {
    double f1;
    uint32_t page;
} candidate;

static int by_f1(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    int order = (x->f1 > y->f1) - (x->f1 < y->f1);
    return order ? order : (x->page > y->page) - (x->page < y->page);
}

/* Adds the worst pages of a row to the report; their words are filled in later. */
static bool choose(run *r, uint32_t runner)
{
    wn_report *report = r->report;
    candidate *list = malloc((report->pages.count + 1) * sizeof *list);
    uint32_t count = 0;
    for (uint32_t i = 0; list && i < report->pages.count; i++) {
        double f1 = wn_eval_report_result(report, i, runner)->score.by[report->lead].f1;
        if (!isnan(f1))
            list[count++] = (candidate){f1, i};
    }
    if (list)
        qsort(list, count, sizeof *list, by_f1);
    bool sound = list != NULL;
    for (uint32_t i = 0; sound && i < count && i < r->settings->worst; i++) {
        wn_worst *worst = wn_array_push(&report->worst);
        sound = worst != NULL;
        if (worst)
            *worst = (wn_worst){.runner = runner, .result = list[i].page};
    }
    free(list);
    return sound;
}

/* ---- What was missed, what was wrong ----------------------------------------------------- */

/* The first and last word, and the number, of the longest stretch that is not in `found`. */
typedef struct stretch {
    uint32_t first, count, all;
} stretch;

static stretch longest_unfound(const bool *found, uint32_t count)
{
    stretch longest = {0};
    uint32_t length = 0;
    for (uint32_t i = 0; i < count; i++) {
        length = found[i] ? 0 : length + 1;
        longest.all += !found[i];
        if (length > longest.count) {
            longest.count = length;
            longest.first = i + 1 - length;
        }
    }
    return longest;
}

/* The words of a stretch as they are in the text, cut to what fits into a line. */
static wn_str excerpt(wn_report *report, const wn_word_list *words, stretch s, wn_str text)
{
    if (s.count == 0)
        return WN_STR("");
    wn_buf out = {0};
    uint32_t start = words->list.items[s.first].start;
    uint32_t end = words->list.items[s.first + s.count - 1].end;
    for (uint32_t i = start; i < end && out.len < SHOWN_BYTES; i++) {
        bool space = wn_is_space(text.ptr[i]);
        if (!space || (out.len > 0 && out.ptr[out.len - 1] != ' '))
            wn_buf_add_char(&out, space ? ' ' : text.ptr[i]);
    }
    if (out.len >= SHOWN_BYTES) {
        out.len = wn_utf8_valid_prefix(wn_buf_str(&out));
        wn_buf_add_literal(&out, "…");
    }
    wn_str copy = wn_arena_copy(&report->arena, wn_buf_str(&out));
    wn_buf_free(&out);
    return copy;
}

static bool describe(run *r, const wn_measurer *m, wn_worst *worst, wn_str text, wn_str gold)
{
    worst->gold_words = m->gold.list.count;
    worst->our_words = m->ours.list.count;
    bool *found = calloc((size_t)worst->gold_words + worst->our_words + 1, sizeof *found);
    if (!found)
        return false;
    bool *ours = found + worst->gold_words;
    for (uint32_t i = 0; i < m->match.count; i++) {
        found[i] = m->match.items[i] != WN_LCS_NONE;
        if (found[i])
            ours[m->match.items[i]] = true;
    }
    stretch missed = longest_unfound(found, worst->gold_words);
    stretch wrong = longest_unfound(ours, worst->our_words);
    worst->missed = missed.all;
    worst->wrong = wrong.all;
    worst->missed_text = excerpt(r->report, &m->gold, missed, gold);
    worst->wrong_text = excerpt(r->report, &m->ours, wrong, text);
    free(found);
    return !r->report->arena.failed;
}

static bool look_again(run *r, worker *w, wn_worst *worst)
{
    page_task t = {.page = r->report->pages.items[worst->result].page};
    wn_measurer *m = &w->measurer;
    wn_str html, gold;
    double seconds;
    const wn_eval_page *page = &r->set->pages.items[t.page];
    bool sound = true;
    if (wn_eval_run_read(r, w, &t, page, &html, &gold)) {
        const wn_runner *runner = &r->runners->list.items[worst->runner];
        wn_str text = wn_eval_run_text(r, w, &t, runner, page, html, &seconds);
        wn_eval_measurer_begin(m, gold);
        sound = !m->failed && wn_eval_measurer_read(m, &m->ours, text);
        if (sound)
            wn_eval_measure_lcs(m);
        sound = sound && !m->failed && describe(r, m, worst, text, gold);
    }
    wn_eval_problems_free(&t.problems); /* they were told when the page was scored */
    return sound;
}

/* One of the worst pages on its way. */
typedef struct worst_task {
    uint32_t index;
    bool sound;
} worst_task;

static bool next_worst(void *data, winnow_task *place)
{
    run *r = data;
    worst_task *t = place->own;
    t->index = r->given++;
    return t->index < r->report->worst.count;
}

static void work_on_worst(void *data, winnow_worker *member, winnow_task *place)
{
    run *r = data;
    worst_task *t = place->own;
    t->sound = look_again(r, wn_eval_run_worker(member), &r->report->worst.items[t->index]);
}

static bool take_worst(void *data, winnow_task *place)
{
    (void)data;
    return ((const worst_task *)place->own)->sound;
}

bool wn_eval_run_worst(run *r)
{
    winnow_run plan = {
        .task_size = sizeof(worst_task),
        .next = next_worst,
        .work = work_on_worst,
        .take = take_worst,
    };
    bool sound = true;
    for (uint32_t i = 0; sound && r->settings->worst > 0 && i < r->runners->list.count; i++)
        sound = choose(r, i);
    /* In one thread: their texts go into the report's memory. */
    return sound && wn_eval_run_through(r, &plan, 1) == WINNOW_STATUS_OK;
}
