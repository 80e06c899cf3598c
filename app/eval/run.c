#include "eval/run.h"

#include <math.h>
#include <time.h>

#include "eval/folds.h"
#include "eval/run_parts.h"
#include "text/normal.h"

enum { LARGEST_PAGE = 256 << 20 };

/* ---- Helpers ----------------------------------------------------------------------------- */

/* Seconds that this thread has worked: other programs and threads do not count. */
static double thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void add_problem(page_task *t, wn_problem_kind kind, wn_str id, const char *detail)
{
    wn_eval_problems_add(&t->problems, kind, id, wn_str_of(detail));
}

/* "lineblock: too-large" */
static void add_failure(page_task *t, wn_str id, const wn_runner *runner, winnow_status status)
{
    wn_buf detail = {0};
    wn_buf_add_format(&detail, "%s: %s", runner->name, winnow_status_name(status));
    add_problem(t, WN_PROBLEM_NO_TEXT, id, wn_buf_c_string(&detail));
    wn_buf_free(&detail);
}

static bool is_failure(winnow_status status)
{
    return status != WINNOW_STATUS_OK && status != WINNOW_STATUS_EMPTY &&
           status != WINNOW_STATUS_PARTIAL;
}

/* ---- Texts ------------------------------------------------------------------------------- */

/* With --segment: the text in one form, in `out`. */
static wn_str one_form(const run *r, worker *w, wn_buf *out, wn_str text)
{
    if (!r->settings->segment)
        return text;
    wn_buf_clear(out);
    wn_text_add_normal(out, text);
    w->measurer.failed |= out->failed;
    return wn_buf_str(out);
}

/* All of an HTML text as Markdown, valid until the next; "" if out of memory. */
static wn_str markdown_of(worker *w, wn_str html)
{
    size_t size = 0;
    if (!w->converter)
        w->converter = winnow_page_new();
    winnow_options_set_flag(w->options, WINNOW_OPTION_HEADING, false);
    if (w->converter)
        winnow_parse(w->converter, html.ptr, html.len, w->options);
    winnow_selection *all = w->converter ? winnow_select(w->converter, "all", w->options) : NULL;
    const char *written = all ? winnow_write(all, WINNOW_FORMAT_MARKDOWN, w->options, &size) : NULL;
    w->measurer.failed |= !written;
    return wn_str_from(written ? written : "", size);
}

/* The words of a text whose gold has a structure; that of the text goes into the measurer. */
static wn_str read_structure(worker *w, wn_structure *structure, wn_str text, bool is_html)
{
    wn_eval_structure_read(structure, is_html ? markdown_of(w, text) : text);
    w->measurer.failed |= structure->failed;
    return wn_buf_str(&structure->text);
}

/* What a method writes: Markdown where the gold has a structure to compare with. */
static wn_str extract(run *r, worker *w, page_task *t, const wn_runner *runner,
                      const wn_eval_page *page, wn_str html, double *seconds)
{
    winnow_options *options = w->options;
    winnow_format format = w->measurer.structured ? WINNOW_FORMAT_MARKDOWN : WINNOW_FORMAT_TEXT;
    winnow_options_set_noise(options, runner->noise);
    winnow_options_set_flag(options, WINNOW_OPTION_HEADING, false); /* as in plain text */
    if (r->settings->folds)
        winnow_options_set_model(options, wn_eval_folds_model(r->settings->folds, t->page));
    winnow_options_set_site(options, runner->site ? wn_eval_run_site(r, page) : NULL);
    size_t size = 0;
    double start = thread_seconds();
    winnow_parse(w->page, html.ptr, html.len, options);
    winnow_selection *content = winnow_select(w->page, runner->method, options);
    const char *written = winnow_write(content, format, options, &size);
    *seconds = thread_seconds() - start;
    winnow_status status = written ? winnow_selection_status(content) : WINNOW_STATUS_NO_MEMORY;
    if (is_failure(status))
        add_failure(t, page->id, runner, status);
    return is_failure(status) ? WN_STR("") : wn_str_from(written, size);
}

wn_str wn_eval_run_text(run *r, worker *w, page_task *t, const wn_runner *runner,
                        const wn_eval_page *page, wn_str html, double *seconds)
{
    wn_str text = WN_STR("");
    bool is_html = !runner->is_method && wn_eval_results_is_html(&runner->results, t->page);
    *seconds = 0;
    if (runner->is_method)
        text = extract(r, w, t, runner, page, html, seconds);
    else if (!wn_eval_results_read(&runner->results, t->page, &w->others, &text))
        add_problem(t, WN_PROBLEM_NO_RESULT, page->id, runner->name);
    if (w->measurer.structured)
        text = read_structure(w, &w->measurer.our_structure, text, is_html);
    return one_form(r, w, &w->our_text, text);
}

bool wn_eval_run_read(run *r, worker *w, page_task *t, const wn_eval_page *page, wn_str *html,
                      wn_str *gold)
{
    wn_text_form form;
    const winnow_loaded *page_file = wn_eval_read_html(r->set, page, w->html);
    const winnow_loaded *gold_file = wn_eval_read_gold(r->set, page, w->gold, &form);
    if (page_file->error)
        add_problem(t, WN_PROBLEM_NO_HTML, page->id, page_file->error);
    if (gold_file->error)
        add_problem(t, WN_PROBLEM_NO_GOLD, page->id, gold_file->error);
    *html = wn_str_from(page_file->bytes, page_file->size);
    *gold = wn_str_from(gold_file->bytes, gold_file->size);
    w->measurer.structured = form != WN_FORM_PLAIN;
    if (w->measurer.structured)
        *gold = read_structure(w, &w->measurer.gold_structure, *gold, form == WN_FORM_HTML);
    if (r->settings->segment && !w->measurer.segmenter)
        w->measurer.segmenter = wn_text_words_new();
    *gold = one_form(r, w, &w->gold_text, *gold);
    return !page_file->error && !gold_file->error;
}

/* ---- One page ---------------------------------------------------------------------------- */

/* Labels the blocks of the page by its gold; false if out of memory. */
static bool judge_blocks(worker *w, wn_str html)
{
    winnow_parse(w->page, html.ptr, html.len, NULL);
    return wn_eval_block_judge_begin(&w->judge, &w->measurer, winnow_select(w->page, "all", NULL));
}

static void score_page(run *r, worker *w, page_task *t, const wn_eval_page *page, wn_str html)
{
    wn_eval_snippets snippets = wn_eval_read_snippets(page, &w->json, &w->arena);
    bool labels = r->report->labels;
    if (labels && !judge_blocks(w, html)) {
        t->failed = true;
        return;
    }
    for (uint32_t i = 0; i < r->runners->list.count; i++) {
        wn_run_result *result = &t->results[i];
        wn_str text = wn_eval_run_text(r, w, t, &r->runners->list.items[i], page, html,
                                       &result->seconds);
        if (!wn_eval_measurer_score(&w->measurer, text, &snippets, &result->score))
            t->failed = true;
        if (labels && !wn_eval_block_judge_count(&w->judge, &w->measurer, &result->blocks))
            t->failed = true;
    }
    t->result.shares = wn_eval_measure_shares(&w->measurer, html);
    t->failed = t->failed || w->measurer.failed || w->arena.failed;
}

static void work_on_page(void *data, winnow_worker *member, winnow_task *place)
{
    run *r = data;
    page_task *t = place->own;
    worker *w = wn_eval_run_worker(member);
    const wn_eval_page *page = &r->set->pages.items[t->page];
    wn_str html, gold;
    wn_arena_reset(&w->arena);
    if (!t->results)
        t->results = calloc(r->runners->list.count + 1, sizeof *t->results);
    t->failed = !t->results;
    t->scored = !t->failed && wn_eval_run_read(r, w, t, page, &html, &gold);
    if (t->failed)
        return;
    t->result = (wn_page_result){
        .page = t->page, .html_bytes = html.len, .gold_bytes = gold.len, .shares = {NAN, NAN}};
    if (!t->scored)
        return;
    wn_eval_measurer_begin(&w->measurer, gold);
    if (w->measurer.gold.list.count == 0)
        add_problem(t, WN_PROBLEM_EMPTY_GOLD, page->id, "");
    score_page(r, w, t, page, html);
}

/* ---- The caller's thread ----------------------------------------------------------------- */

static void show_progress(void *data)
{
    run *r = data;
    if (wn_io_progress_due(r->settings->progress))
        wn_io_progress_show(r->settings->progress, r->settings->page_count - r->taken, true);
}

static bool keep_results(run *r, const page_task *t)
{
    wn_page_result *page = wn_array_push(&r->report->pages);
    if (!page)
        return false;
    *page = t->result;
    for (uint32_t i = 0; i < r->runners->list.count; i++) {
        wn_run_result *result = wn_array_push(&r->report->results);
        if (!result)
            return false;
        *result = t->results[i];
    }
    return true;
}

static bool take_task(void *data, winnow_task *place)
{
    run *r = data;
    page_task *t = place->own;
    r->taken++;
    wn_eval_problems_move(r->problems, &t->problems);
    wn_io_progress_count(r->settings->progress, t->scored ? WN_IO_PAGE_DONE : WN_IO_PAGE_FAILED,
                         t->result.html_bytes);
    if (t->failed || (t->scored && !keep_results(r, t)))
        r->report->failed = true;
    show_progress(r);
    return !r->report->failed;
}

/* ---- Setting up and ending --------------------------------------------------------------- */

static bool begin_worker(void *data, winnow_worker *member)
{
    worker *w = member->own;
    (void)data;
    w->html = wn_eval_loader(LARGEST_PAGE);
    w->gold = wn_eval_loader(LARGEST_PAGE);
    wn_eval_results_reader_init(&w->others);
    return w->html && w->gold && w->others.loader;
}

static void end_worker(void *data, winnow_worker *member)
{
    worker *w = member->own;
    (void)data;
    winnow_loader_free(w->html);
    winnow_loader_free(w->gold);
    wn_corpus_survey_reader_free(&w->survey);
    wn_eval_results_reader_free(&w->others);
    wn_eval_measurer_free(&w->measurer);
    wn_eval_block_judge_free(&w->judge);
    wn_json_free(&w->json);
    wn_arena_free(&w->arena);
    wn_buf_free(&w->gold_text);
    wn_buf_free(&w->our_text);
    winnow_page_free(w->converter);
}

static void end_task(void *data, winnow_task *place)
{
    page_task *t = place->own;
    (void)data;
    free(t->results);
    wn_eval_problems_free(&t->problems);
}

worker *wn_eval_run_worker(winnow_worker *member)
{
    worker *w = member->own;
    w->page = member->page;
    w->options = member->options;
    return w;
}

bool wn_eval_run_next(void *data, winnow_task *place)
{
    run *r = data;
    uint32_t *page = place->own;
    if (r->given == r->settings->page_count)
        return false;
    *page = r->settings->pages[r->given++];
    return true;
}

winnow_status wn_eval_run_through(run *r, winnow_run *plan, size_t threads)
{
    plan->struct_size = sizeof *plan;
    plan->threads = threads;
    plan->worker_size = sizeof(worker);
    plan->begin_worker = begin_worker;
    plan->end_worker = end_worker;
    plan->data = r;
    r->given = 0;
    return winnow_run_pages(plan);
}

/* Scores all pages. */
static bool score_pages(run *r)
{
    winnow_run plan = {
        .task_size = sizeof(page_task),
        .next = wn_eval_run_next,
        .work = work_on_page,
        .take = take_task,
        .end_task = end_task,
        .idle = show_progress,
    };
    return wn_eval_run_through(r, &plan, r->settings->jobs) == WINNOW_STATUS_OK;
}

bool wn_eval_run(const wn_run_settings *settings, const wn_eval_set *set, wn_runners *runners,
                 wn_problems *problems, wn_report *report)
{
    run r = {
        .settings = settings,
        .set = set,
        .runners = runners,
        .problems = problems,
        .report = report,
    };
    bool sound = wn_eval_run_survey(&r) && score_pages(&r) && wn_eval_run_worst(&r);
    report->failed = report->failed || !sound;
    wn_corpus_survey_free(&r.survey);
    return !report->failed;
}
