#include "cli/collection.h"

#include "cli/corpus.h"
#include "cli/job.h"
#include "corpus/kept_words.h"
#include "io/input.h"
#include "io/message.h"
#include "io/path.h"

enum { WITH_TEXT = 1 << WN_STORED_OK | 1 << WN_STORED_PARTIAL };

static int out_of_memory(void)
{
    wn_io_sayf("out of memory while the collection was learned");
    return WN_EXIT_FAILED;
}

/* ---- From the inputs --------------------------------------------------------------------- */

/* One page on its way. */
typedef struct task {
    wn_buf site_key, label;
    wn_survey_page learned;
} task;

typedef struct pass {
    wn_survey *survey;
    const wn_collection_plan *plan;
} pass;

wn_str wn_cli_collection_label(wn_str path)
{
    while (path.len > 0 && path.ptr[path.len - 1] != '/')
        path.len--;
    return wn_io_path_last(path);
}

static wn_str path_of(const winnow_input *input)
{
    return wn_str_of(input->file ? input->file : input->id);
}

static void work_on_page(void *data, winnow_worker *worker, winnow_task *place)
{
    pass *p = data;
    task *t = place->own;
    const winnow_loaded *loaded = worker->loaded;
    wn_str path = path_of(place->input);
    wn_buf_clear(&t->site_key);
    wn_buf_clear(&t->label);
    wn_corpus_sites_key(&t->site_key, wn_str_of(loaded->url), path);
    wn_buf_add(&t->label, wn_cli_collection_label(path));
    wn_corpus_survey_read(p->survey, worker->own, worker->page,
                          wn_str_from(loaded->bytes, loaded->error ? 0 : loaded->size),
                          worker->options, &t->learned);
}

static bool take_task(void *data, winnow_task *place)
{
    pass *p = data;
    task *t = place->own;
    if (!place->skipped)
        wn_corpus_survey_take(p->survey, &t->learned, wn_buf_str(&t->label),
                              wn_buf_str(&t->site_key));
    return !p->survey->failed;
}

static void end_task(void *data, winnow_task *place)
{
    task *t = place->own;
    (void)data;
    wn_buf_free(&t->site_key);
    wn_buf_free(&t->label);
    wn_corpus_survey_page_free(&t->learned);
}

static void end_worker(void *data, winnow_worker *worker)
{
    (void)data;
    wn_corpus_survey_reader_free(worker->own);
}

static bool can_be_read_twice(const wn_collection_plan *plan)
{
    for (char **name = plan->names; *name; name++)
        if (strcmp(*name, "-") == 0 || wn_io_is_url(*name))
            return false;
    return plan->names[0] != NULL;
}

/* Whether the inputs are a collection. */
static int check_inputs(const wn_collection_plan *plan, const char *why)
{
    if (!plan->single && can_be_read_twice(plan))
        return WN_GO_ON;
    if (!plan->single)
        return wn_cli_wrong_usage(plan->command,
                                  "%s reads its inputs twice, but standard input and addresses "
                                  "can be read only once; save them first, or use --store",
                                  why);
    return wn_cli_wrong_usage(plan->command,
                              "%s needs a collection of pages; name a folder, an archive, "
                              "several pages, or a --store",
                              why);
}

static int learn_from_inputs(wn_survey *survey, const wn_collection_plan *plan)
{
    pass p = {.survey = survey, .plan = plan};
    int code = check_inputs(plan, survey->wants_words ? "the method outlier" : "--site");
    if (code != WN_GO_ON)
        return code;
    winnow_run run = {
        .struct_size = sizeof run,
        .inputs = wn_cli_job_open(plan->names, plan->http, plan->max_record),
        .options = plan->options,
        .threads = plan->jobs,
        .task_size = sizeof(task),
        .worker_size = sizeof(wn_survey_reader),
        .work = work_on_page,
        .take = take_task,
        .end_task = end_task,
        .end_worker = end_worker,
        .data = &p,
    };
    if (!run.inputs)
        return WN_EXIT_FAILED;
    if (winnow_run_pages(&run) != WINNOW_STATUS_OK)
        survey->failed = true;
    winnow_inputs_close(run.inputs);
    return survey->failed ? out_of_memory() : WN_GO_ON;
}

/* ---- From a store ------------------------------------------------------------------------ */

static int store_failed(const wn_store *store)
{
    return wn_cli_corpus_failed(store, "cannot learn from the store");
}

/* The lines of the stored texts, page by page. */
static int learn_sites(wn_survey *survey, wn_store *store)
{
    wn_store_filter filter = {.statuses = WITH_TEXT};
    wn_store_walk *walk = wn_corpus_store_walk_open(store, &filter, WN_FIELD_TEXT);
    wn_survey_page learned = {0};
    wn_buf site_key = {0};
    wn_stored page;
    while (walk && !survey->failed && wn_corpus_store_walk_next(walk, &page)) {
        wn_buf_clear(&site_key);
        wn_corpus_sites_key(&site_key, page.url, page.source);
        wn_corpus_survey_take_lines(survey, &learned, page.text, wn_buf_str(&site_key));
    }
    bool walked = walk && wn_corpus_store_walk_close(walk);
    wn_corpus_survey_page_free(&learned);
    wn_buf_free(&site_key);
    if (survey->failed)
        return out_of_memory();
    return walked ? WN_GO_ON : store_failed(store);
}

/*
 * What `corpus outliers` has found or, if it was never run, would find, unless there are inputs to
 * learn from.
 */
static int learn_words(wn_collection *c, const wn_collection_plan *plan, const wn_request *request,
                       wn_store *store)
{
    wn_store_filter filter = {.statuses = WITH_TEXT};
    wn_terms terms = {0};
    if (!wn_corpus_kept_words_noise(store, &c->stems))
        return store_failed(store);
    wn_buf_c_string(&c->stems);
    if (c->stems.len > 0 || plan->opened)
        return WN_GO_ON;
    bool counted = wn_corpus_kept_words_count(store, &filter, &terms, false, &c->survey.words);
    wn_text_terms_free(&terms);
    if (!counted)
        return c->survey.words.failed ? out_of_memory() : store_failed(store);
    return wn_corpus_survey_noise(&c->survey, request, (uint32_t)plan->jobs, &c->stems)
               ? WN_GO_ON
               : out_of_memory();
}

static int learn_from_store(wn_collection *c, const wn_collection_plan *plan,
                            const wn_request *request, wn_store *store)
{
    int code = WN_GO_ON;
    if (c->survey.wants_words)
        code = learn_words(c, plan, request, store);
    if (code == WN_GO_ON && c->survey.wants_sites)
        code = learn_sites(&c->survey, store);
    return code;
}

static int learn_from_named_store(wn_collection *c, const wn_collection_plan *plan,
                                  const wn_request *request)
{
    wn_store *store = wn_cli_corpus_open(plan->store, WN_STORE_READ);
    int code = store ? learn_from_store(c, plan, request, store) : WN_EXIT_FAILED;
    wn_corpus_store_close(store);
    return code;
}

/* ---- Both -------------------------------------------------------------------------------- */

/* Gathers what is asked for: the survey of the sites, the stems of the noise words. */
static int survey_collection(wn_collection *c, const wn_collection_plan *plan)
{
    wn_request request;
    wn_request_error error = wn_request_parse(&request, wn_str_of(plan->method), NULL);
    c->survey.wants_words = error == WN_REQUEST_OK && request.method->info.needs_noise;
    c->survey.wants_sites = plan->site;
    if (!c->survey.wants_words && !c->survey.wants_sites)
        return !plan->store
                   ? WN_GO_ON
                   : wn_cli_wrong_usage(plan->command, "--store has no effect with the method %s",
                                        plan->method);
    if (plan->store)
        return learn_from_named_store(c, plan, &request);
    int code = plan->opened ? learn_from_store(c, plan, &request, plan->opened) : WN_GO_ON;
    bool knows_words = c->stems.len > 0;
    if (plan->opened && (knows_words || !c->survey.wants_words) && !can_be_read_twice(plan))
        return code;
    if (code == WN_GO_ON)
        code = learn_from_inputs(&c->survey, plan);
    if (code == WN_GO_ON && c->survey.wants_words && !knows_words &&
        !wn_corpus_survey_noise(&c->survey, &request, (uint32_t)plan->jobs, &c->stems))
        code = out_of_memory();
    return code;
}

int wn_cli_collection_learn(wn_collection *c, const wn_collection_plan *plan)
{
    int code = survey_collection(c, plan);
    if (code != WN_GO_ON)
        return code;
    if (!wn_corpus_sites_settle(&c->survey.sites))
        return out_of_memory();
    if (c->survey.wants_words && !(c->noise = winnow_noise_new(c->stems.ptr, c->stems.len)))
        return out_of_memory();
    return WN_GO_ON;
}

void wn_cli_collection_apply(const wn_collection *c, const winnow_input *input, const char *url,
                             winnow_options *options)
{
    winnow_options_set_noise(options, c->noise);
    if (!c->survey.wants_sites)
        return;
    wn_buf site_key = {0};
    wn_corpus_sites_key(&site_key, wn_str_of(url), path_of(input));
    winnow_options_set_site(options, wn_corpus_sites_find(&c->survey.sites, wn_buf_str(&site_key)));
    wn_buf_free(&site_key);
}

void wn_cli_collection_free(wn_collection *c)
{
    wn_corpus_survey_free(&c->survey);
    winnow_noise_free(c->noise);
    wn_buf_free(&c->stems);
}
