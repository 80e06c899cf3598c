/*
 * The first pass over a set, for rows that need to know what its pages have in common: the noise
 * words of "outlier", and what repeats on the pages of a site.
 */
#include "eval/run_parts.h"

/* One page on its way. */
typedef struct survey_task {
    uint32_t page; /* of the set */
    wn_survey_page learned;
} survey_task;

static void work_on_page(void *data, winnow_worker *member, winnow_task *place)
{
    const run *r = data;
    survey_task *t = place->own;
    worker *w = wn_eval_run_worker(member);
    const winnow_loaded *html = wn_eval_read_html(r->set, &r->set->pages.items[t->page], w->html);
    wn_corpus_survey_read(&r->survey, &w->survey, w->page,
                          wn_str_from(html->bytes, html->error ? 0 : html->size), NULL,
                          &t->learned);
}

/* The label of a page is its type; where types are not known, its domain. */
static bool take_task(void *data, winnow_task *place)
{
    run *r = data;
    survey_task *t = place->own;
    const wn_eval_page *page = &r->set->pages.items[t->page];
    wn_buf site_key = {0};
    wn_corpus_sites_key(&site_key, page->url, WN_STR(""));
    wn_corpus_survey_take(&r->survey, &t->learned, page->type.len ? page->type : page->domain,
                          wn_buf_str(&site_key));
    wn_buf_free(&site_key);
    return !r->survey.failed;
}

static void end_task(void *data, winnow_task *place)
{
    survey_task *t = place->own;
    (void)data;
    wn_corpus_survey_page_free(&t->learned);
}

static bool survey_pages(run *r)
{
    winnow_run plan = {
        .task_size = sizeof(survey_task),
        .next = wn_eval_run_next,
        .work = work_on_page,
        .take = take_task,
        .end_task = end_task,
    };
    return wn_eval_run_through(r, &plan, r->settings->jobs) == WINNOW_STATUS_OK;
}

/* Whether a row is the method "outlier"; then `request` has its parameters. */
static bool is_outlier(const wn_runner *runner, wn_request *request)
{
    return runner->is_method &&
           wn_request_parse(request, wn_str_of(runner->method), NULL) == WN_REQUEST_OK &&
           request->method->info.needs_noise;
}

bool wn_eval_run_survey(run *r)
{
    wn_request request;
    for (uint32_t i = 0; i < r->runners->list.count; i++) {
        const wn_runner *runner = &r->runners->list.items[i];
        r->survey.wants_words = r->survey.wants_words || is_outlier(runner, &request);
        r->survey.wants_sites = r->survey.wants_sites || runner->site;
    }
    if (!r->survey.wants_words && !r->survey.wants_sites)
        return true;
    bool sound = survey_pages(r);
    for (uint32_t i = 0; sound && i < r->runners->list.count; i++) {
        wn_runner *runner = &r->runners->list.items[i];
        if (!is_outlier(runner, &request))
            continue;
        wn_buf stems = {0};
        sound = wn_corpus_survey_noise(&r->survey, &request, (uint32_t)r->settings->jobs, &stems);
        runner->noise = sound ? winnow_noise_new(stems.ptr, stems.len) : NULL;
        sound = runner->noise != NULL;
        wn_buf_free(&stems);
    }
    return sound && wn_corpus_sites_settle(&r->survey.sites);
}

const winnow_site *wn_eval_run_site(const run *r, const wn_eval_page *page)
{
    wn_buf site_key = {0};
    wn_corpus_sites_key(&site_key, page->url, WN_STR(""));
    const winnow_site *site = wn_corpus_sites_find(&r->survey.sites, wn_buf_str(&site_key));
    wn_buf_free(&site_key);
    return site;
}
