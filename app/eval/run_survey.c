/*
 * The first pass over a set, for rows that need to know what its pages have in common: the noise words
 * of "outlier", and what repeats on the pages of a site.
 */
#include <stdlib.h>

#include "io/pool.h"
#include "eval/run_parts.h"

/* One page on its way through the pool. */
typedef struct survey_task {
    uint32_t page; /* of the set */
    wn_survey_page learned;
} survey_task;

typedef struct survey_run {
    run *run;
    wn_survey_reader *readers; /* one a worker */
    uint32_t given;
} survey_run;

static bool fill_task(void *data, void *place)
{
    survey_run *s = data;
    survey_task *t = place;
    if (s->given == s->run->settings->page_count)
        return false;
    t->page = s->run->settings->pages[s->given++];
    return true;
}

static void work_on_page(void *data, size_t number, void *place)
{
    survey_run *s = data;
    survey_task *t = place;
    const wn_eval_page *page = &s->run->set->pages.items[t->page];
    wn_loaded html = wn_eval_read_html(s->run->set, page, &s->run->workers[number].html);
    wn_survey_read(&s->run->survey, &s->readers[number], html.error ? WN_STR("") : html.bytes, NULL,
                   &t->learned);
}

/* The label of a page is its type; where types are not known, its domain. */
static bool take_task(void *data, void *place)
{
    survey_run *s = data;
    survey_task *t = place;
    const wn_eval_page *page = &s->run->set->pages.items[t->page];
    wn_buf site_key = {0};
    wn_sites_key(&site_key, page->url, WN_STR(""));
    wn_survey_take(&s->run->survey, &t->learned, page->type.len ? page->type : page->domain,
                   wn_buf_str(&site_key));
    wn_buf_free(&site_key);
    return !s->run->survey.failed;
}

static bool survey_pages(run *r)
{
    size_t jobs = r->settings->jobs, window = wn_io_pool_window(jobs);
    survey_run s = {.run = r, .readers = calloc(jobs, sizeof *s.readers)};
    survey_task *tasks = calloc(window, sizeof *tasks);
    if (s.readers && tasks) {
        wn_io_pool pool = {
            .fill = fill_task,
            .work = work_on_page,
            .take = take_task,
            .data = &s,
            .tasks = tasks,
            .task_size = sizeof *tasks,
        };
        wn_io_pool_run(&pool, jobs);
    } else {
        r->survey.failed = true;
    }
    for (size_t i = 0; s.readers && i < jobs; i++)
        wn_survey_reader_free(&s.readers[i]);
    for (size_t i = 0; tasks && i < window; i++)
        wn_survey_page_free(&tasks[i].learned);
    free(s.readers);
    free(tasks);
    return !r->survey.failed;
}

/* Whether a row is the method "outlier"; then `request` has its parameters. */
static bool is_outlier(const wn_runner *runner, wn_request *request)
{
    return runner->is_method &&
           wn_request_parse(request, wn_str_of(runner->method), NULL) == WN_REQUEST_OK &&
           request->method->info.needs_noise;
}

bool wn_run_survey(run *r)
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
        sound = wn_survey_noise(&r->survey, &request, (uint32_t)r->settings->jobs, &stems);
        runner->noise = sound ? winnow_noise_new(stems.ptr, stems.len) : NULL;
        sound = runner->noise != NULL;
        wn_buf_free(&stems);
    }
    return sound && wn_sites_settle(&r->survey.sites);
}

const winnow_site *wn_run_site(const run *r, const wn_eval_page *page)
{
    wn_buf site_key = {0};
    wn_sites_key(&site_key, page->url, WN_STR(""));
    const winnow_site *site = wn_sites_find(&r->survey.sites, wn_buf_str(&site_key));
    wn_buf_free(&site_key);
    return site;
}
