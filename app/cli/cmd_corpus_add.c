/*
 * winnow corpus add: pages into a store.
 *
 * Workers read pages, extract them and prepare their words; the caller's thread puts them into the
 * store, several hundred per transaction. A page counts as added when its transaction is on disk,
 * so whatever happens, what was reported is there, and the same command run again adds the rest:
 * unchanged pages are not even extracted again.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/hash.h"
#include "cli/collection.h"
#include "cli/commands.h"
#include "cli/corpus.h"
#include "cli/job.h"
#include "cli/methods.h"
#include "corpus/page_maker.h"
#include "io/message.h"
#include "io/progress.h"

enum {
    /* A transaction ends after so many pages, bytes of text or seconds: others wait that long. */
    BATCH_PAGES = 4000,
    BATCH_BYTES = 64 << 20,
    /* Pages that are worked on while the disk is waited for, a tenth of a second now and then. */
    PAGES_AHEAD = 256,
    /* Memory that one large page made larger than this is not kept for the next. */
    KEPT_TASK = 1 << 20,
};

static const double BATCH_SECONDS = 2;

/* ---- Options ----------------------------------------------------------------------------- */

typedef struct settings {
    wn_method_settings method;
    const char *store, *label, *url, *charset, *stopwords;
    wn_web_settings web;
    wn_page_limits limits;
    bool progress, quiet, replace, site;
    uint64_t jobs, limit, max_record; /* 0: not given */
} settings;

static const wn_option options[] = {
    {.heading = "What is added"},
    WN_STORE_OPTION,
    WN_VALUE(TEXT, "method", 'm', "NAME", method.method,
             "how content is found (default: auto); parameters may follow, as in "
             "lineblock:rule=all,distance=2; 'help' lists them",
             .choices = wn_cli_method_name, .summaries = wn_cli_method_summary),
    WN_VALUE(LIST, "param", 0, "NAME=VALUE", method.params,
             "a parameter of the method; can be repeated"),
    WN_VALUE(TEXT, "label", 0, "LABEL", label,
             "the label of the pages (default: the name of the folder that contains a page)"),
    WN_VALUE(TEXT, "url", 0, "URL", url, "the address of the page; only with one page"),
    WN_FROM_OPTIONS,
    WN_VALUE(TEXT, "charset", 0, "NAME", charset,
             "the encoding of the pages; overrides the declared encoding"),
    WN_VALUE(NUMBER, "limit", 0, "N", limit, "only the first N pages", .min = 1),
    WN_FLAG("site", 0, site,
            "drop text that repeats on the pages of a site, in the inputs and in the store"),
    WN_VALUE(TEXT, "stopwords", 0, "FILE", stopwords,
             "more words to leave out of the stems, one per line; the readable text and the search "
             "keep them"),
    WN_FLAG("replace", 0, replace, "extract and write pages again even if they have not changed"),

    {.heading = "Work and its limits"},
    WN_JOBS_OPTION,
    WN_MAX_BYTES_OPTION,
    WN_VALUE(SIZE, "max-record", 0, "SIZE", max_record,
             "decompress at most this much of a page that is compressed or in an archive "
             "(default: 32M)",
             .min = 1, .max = WN_LARGEST_PAGE),
    WN_PAGE_LIMIT_OPTIONS,
    WN_FLAG("progress", 0, progress, "show progress even if standard error is not a terminal"),
    WN_FLAG("quiet", 'q', quiet, "no progress, no summary; only errors"),

    {.heading = "Pages from the web"},
    WN_WEB_OPTIONS,

    {.heading = "Help"},
    {0},
};

/* ---- The work ---------------------------------------------------------------------------- */

typedef enum fate { FATE_READY, FATE_UNCHANGED, FATE_FAILED } fate;

/* One page on its way. */
typedef struct task {
    wn_buf source, label;
    bool known;          /* it is in the store … */
    uint64_t known_hash; /* … and was this */
    fate fate;
    wn_buf message;
    uint64_t bytes;
    wn_arena arena;
    wn_index_page index;
    wn_stored page;
} task;

typedef struct adding {
    const settings *settings;
    const char *method;       /* with its parameters */
    wn_collection collection; /* what is known of other pages */
    wn_buf stop_words;
    wn_hash_key manner; /* of everything but the page that decides about its record */
    wn_store *store;
    wn_buf folder; /* where we are, for names that do not begin there */
    winnow_inputs *inputs;
    winnow_options *options; /* the same for all pages */
    wn_io_progress progress;
    bool ask;    /* whether the store may have pages already */
    bool failed; /* the store; a message was printed */
    uint64_t given, taken, unchanged;
    uint64_t batch_pages, batch_bytes; /* 0 pages: no transaction is open */
    double batch_start;
    size_t jobs;
} adding;

/* ---- Where a page comes from ------------------------------------------------------------- */

/* Appends a path without "." and empty parts; ".." stays, for it may lead out of a link. */
static void add_clean_path(wn_buf *out, const char *path)
{
    while (*path) {
        size_t length = strcspn(path, "/");
        if (length > 0 && !(length == 1 && path[0] == '.')) {
            wn_buf_add_char(out, '/');
            wn_buf_add(out, wn_str_from(path, length));
        }
        path += length + (path[length] == '/');
    }
}

static bool is_file(const winnow_input *input)
{
    return input->kind == WINNOW_INPUT_FILE || input->kind == WINNOW_INPUT_FOUND ||
           (input->file && strcmp(input->file, "-") != 0);
}

/* Out of a pipe: there is nothing to tell such pages apart but what they are. */
static bool is_nameless(const adding *a, const winnow_input *input)
{
    return !is_file(input) && input->kind != WINNOW_INPUT_URL && !a->settings->url;
}

/*
 * Pages are identified by their source: a file by its full path, a page from the web by its
 * address.
 */
static void name_source(const adding *a, task *t, const winnow_input *input)
{
    const char *file = input->file ? input->file : input->id;
    wn_buf_clear(&t->source);
    if (a->settings->url) {
        wn_buf_add_literal(&t->source, a->settings->url);
    } else if (is_file(input)) {
        if (file[0] != '/')
            wn_buf_add(&t->source, wn_buf_str(&a->folder));
        add_clean_path(&t->source, file);
    } else {
        wn_buf_add_literal(&t->source, input->id);
    }
}

static void name_label(const adding *a, task *t, const winnow_input *input)
{
    wn_buf_clear(&t->label);
    if (a->settings->label)
        wn_buf_add_literal(&t->label, a->settings->label);
    else if (is_file(input))
        wn_buf_add(&t->label, wn_cli_collection_label(wn_buf_str(&t->source)));
}

/* ---- Messages ---------------------------------------------------------------------------- */

static void fail_task(winnow_task *place, const char *reason)
{
    task *t = place->own;
    t->fate = FATE_FAILED;
    wn_cli_job_add_unreadable(&t->message, place->input, reason);
}

/* ---- Workers ----------------------------------------------------------------------------- */

static void make_page(const adding *a, winnow_worker *worker, winnow_task *place, uint64_t hash)
{
    task *t = place->own;
    const winnow_loaded *loaded = worker->loaded;
    const char *url = winnow_options_text(worker->options, WINNOW_OPTION_URL);
    wn_buf reason = {0};
    wn_cli_collection_apply(&a->collection, place->input, url, worker->options);
    winnow_parse(worker->page, loaded->bytes, loaded->size, worker->options);
    winnow_selection *content = winnow_select(worker->page, a->method, worker->options);
    wn_cli_job_add_reason(&reason, wn_cli_job_status(content), loaded);
    wn_page_origin origin = {
        .url = url,
        .source = wn_buf_str(&t->source),
        .label = wn_buf_str(&t->label),
        .offset = place->input->offset,
        .inner = place->input->inner,
        .page_bytes = loaded->size,
        .page_hash = hash,
    };
    if (reason.len > 0)
        fail_task(place, wn_buf_c_string(&reason));
    else if (!wn_corpus_page_make(worker->own, content, &origin, &t->arena, &t->index, &t->page))
        fail_task(place, "out of memory");
    else
        place->waiting = t->page.text.len + t->page.stems.len + t->page.all_stems.len;
    if ((loaded->truncated || loaded->damaged) && t->page.status == WN_STORED_OK)
        t->page.status = WN_STORED_PARTIAL;
    wn_buf_free(&reason);
}

static void work_on_page(void *data, winnow_worker *worker, winnow_task *place)
{
    const adding *a = data;
    task *t = place->own;
    const winnow_loaded *loaded = worker->loaded;
    if (loaded->error) {
        wn_buf reason = {0};
        wn_cli_job_add_load_error(&reason, loaded);
        fail_task(place, wn_buf_c_string(&reason));
        wn_buf_free(&reason);
        return;
    }
    t->bytes = loaded->size;
    wn_hash_key key = a->manner;
    key.high ^= wn_hash_stable64(a->manner, wn_buf_str(&t->label));
    uint64_t hash = wn_hash_stable64(key, wn_str_from(loaded->bytes, loaded->size));
    if (is_nameless(a, place->input))
        wn_buf_add_format(&t->source, "#%016" PRIx64, hash);
    if (t->known && t->known_hash == hash && !a->settings->replace)
        t->fate = FATE_UNCHANGED;
    else
        make_page(a, worker, place, hash);
}

static bool begin_worker(void *data, winnow_worker *worker)
{
    const adding *a = data;
    return wn_corpus_page_maker_init(worker->own, wn_buf_str(&a->stop_words));
}

static void end_worker(void *data, winnow_worker *worker)
{
    (void)data;
    wn_corpus_page_maker_free(worker->own);
}

/* ---- The store --------------------------------------------------------------------------- */

/* Says what failed; nothing of the open transaction stays. Always false. */
static bool store_failed(adding *a)
{
    wn_io_progress_wipe(&a->progress);
    wn_cli_corpus_failed(a->store, "cannot write to the store");
    wn_corpus_store_rollback(a->store);
    wn_store_counts counts = wn_corpus_store_counted(a->store);
    wn_io_sayf("%" PRIu64 " added and %" PRIu64 " updated pages are safely in it; the same command "
               "run again adds the rest",
               counts.added, counts.updated);
    a->failed = true;
    return false;
}

static bool end_batch(adding *a)
{
    if (a->batch_pages == 0)
        return true;
    a->batch_pages = a->batch_bytes = 0;
    return wn_corpus_store_commit(a->store) || store_failed(a);
}

static bool batch_is_full(const adding *a)
{
    return a->batch_pages >= BATCH_PAGES || a->batch_bytes >= BATCH_BYTES ||
           wn_io_seconds() - a->batch_start >= BATCH_SECONDS;
}

static bool put_page(adding *a, const task *t)
{
    if (a->batch_pages == 0) {
        if (!wn_corpus_store_begin(a->store))
            return store_failed(a);
        a->batch_start = wn_io_seconds();
    }
    if (!wn_corpus_store_put(a->store, &t->page))
        return store_failed(a);
    a->batch_pages++;
    a->batch_bytes += t->page.text_bytes;
    return !batch_is_full(a) || end_batch(a);
}

/* ---- The caller's thread ----------------------------------------------------------------- */

/* Asks the store what it knows of the page; false: stop. */
static bool recall_page(adding *a, task *t, const winnow_input *input)
{
    t->known = false;
    if (!a->ask || is_nameless(a, input))
        return true;
    return wn_corpus_store_find(a->store, wn_buf_str(&t->source), input->offset, input->inner,
                                &t->known, &t->known_hash) ||
           store_failed(a);
}

static bool next_page(void *data, winnow_task *place)
{
    adding *a = data;
    task *t = place->own;
    if (a->failed)
        return false;
    a->given++;
    t->bytes = 0;
    t->fate = FATE_READY;
    name_source(a, t, place->input);
    name_label(a, t, place->input);
    return recall_page(a, t, place->input);
}

static void show_progress(adding *a)
{
    bool exact;
    if (wn_io_progress_due(&a->progress))
        wn_io_progress_show(&a->progress,
                            a->given - a->taken + winnow_inputs_ahead(a->inputs, &exact),
                            exact && !a->settings->limit);
}

/*
 * A page that takes long does not keep the others from the disk, nor other processes from the
 * store.
 */
static void wait_for_page(void *data)
{
    adding *a = data;
    if (!a->failed && a->batch_pages && batch_is_full(a))
        end_batch(a);
    show_progress(a);
}

static void empty_task(task *t)
{
    if (t->arena.reserved > KEPT_TASK)
        wn_arena_free(&t->arena);
    else
        wn_arena_reset(&t->arena);
    wn_buf_clear(&t->message);
}

static bool take_task(void *data, winnow_task *place)
{
    adding *a = data;
    task *t = place->own;
    bool ready = t->fate == FATE_READY && !place->skipped;
    bool go_on = !a->failed;
    a->taken++;
    if (go_on && ready)
        go_on = put_page(a, t);
    a->unchanged += t->fate == FATE_UNCHANGED;
    bool empty = ready && t->page.status == WN_STORED_EMPTY;
    if (!place->skipped)
        wn_io_progress_count(&a->progress,
                             t->fate == FATE_FAILED ? WN_IO_PAGE_FAILED
                             : empty                ? WN_IO_PAGE_EMPTY
                                                    : WN_IO_PAGE_DONE,
                             t->bytes);
    if (t->message.len > 0) {
        wn_io_progress_wipe(&a->progress);
        wn_io_say(&t->message);
    }
    empty_task(t);
    show_progress(a);
    return go_on;
}

static void end_task(void *data, winnow_task *place)
{
    task *t = place->own;
    (void)data;
    wn_buf_free(&t->source);
    wn_buf_free(&t->label);
    wn_buf_free(&t->message);
    wn_arena_free(&t->arena);
    wn_corpus_index_free(&t->index);
}

/* ---- Setting up and ending --------------------------------------------------------------- */

static void free_all(adding *a)
{
    wn_cli_collection_free(&a->collection);
    winnow_options_free(a->options);
    wn_buf_free(&a->folder);
    wn_buf_free(&a->stop_words);
    wn_corpus_store_close(a->store);
}

static void note_folder(adding *a)
{
    char *here = getcwd(NULL, 0);
    if (here)
        add_clean_path(&a->folder, here);
    free(here);
}

/* Sends the pages through the workers; false, after a message, if out of memory. */
static bool run_pages(adding *a)
{
    winnow_run run = {
        .struct_size = sizeof run,
        .inputs = a->inputs,
        .options = a->options,
        .threads = a->jobs,
        .limit = a->settings->limit,
        .task_size = sizeof(task),
        .worker_size = sizeof(wn_page_maker),
        .begin_worker = begin_worker,
        .end_worker = end_worker,
        .next = next_page,
        .work = work_on_page,
        .take = take_task,
        .end_task = end_task,
        .idle = wait_for_page,
        .data = a,
        .ahead = PAGES_AHEAD,
    };
    if (a->options && winnow_run_pages(&run) != WINNOW_STATUS_NO_MEMORY)
        return true;
    wn_io_sayf("cannot start: out of memory; try fewer --jobs");
    return false;
}

static int end_adding(adding *a)
{
    bool written = !a->failed && end_batch(a);
    wn_io_progress_wipe(&a->progress);
    if (written && !a->settings->quiet) {
        wn_store_counts counts = wn_corpus_store_counted(a->store);
        wn_io_sayf("%" PRIu64 " added, %" PRIu64 " updated, %" PRIu64 " unchanged, %" PRIu64
                   " failed",
                   counts.added, counts.updated, a->unchanged, a->progress.failed);
    }
    return written && a->progress.failed == 0 ? WN_EXIT_OK : WN_EXIT_FAILED;
}

/* Learns what the method and --site must know of other pages. */
static int learn_collection(adding *a, char **names, bool single)
{
    wn_collection_plan plan = {
        .command = &wn_command_corpus_add,
        .method = a->method,
        .opened = a->store,
        .site = a->settings->site,
        .names = names,
        .single = single,
        .jobs = a->jobs,
        .http = &a->settings->web,
        .max_record = a->settings->max_record,
        .options = a->options,
    };
    return wn_cli_collection_learn(&a->collection, &plan);
}

static int add_all(adding *a, char **names)
{
    const settings *s = a->settings;
    bool single = wn_cli_job_is_single(a->inputs, names);
    a->jobs = wn_cli_job_count(s->jobs, single);
    a->options = wn_cli_job_options(&s->web, &s->limits, s->charset);
    winnow_options_set_text(a->options, WINNOW_OPTION_URL, s->url);
    int code = learn_collection(a, names, single);
    if (code != WN_GO_ON)
        return code;
    uint64_t stored;
    if (!wn_corpus_store_count(a->store, NULL, &stored))
        return wn_cli_corpus_failed(a->store, "cannot read the store");
    a->ask = stored > 0;
    note_folder(a);
    wn_cli_job_say_terminal(names, s->quiet);
    wn_io_progress_begin(&a->progress, s->progress, s->quiet, !single, false);
    return run_pages(a) ? end_adding(a) : WN_EXIT_FAILED;
}

/* Whatever changes the record of a page: a change of it makes all pages new. */
static wn_hash_key hash_manner(const settings *s, wn_buf *method, wn_str stop_words)
{
    wn_buf manner = {0};
    wn_buf_add_format(&manner, "%s %s %" PRIu64 " ", winnow_version(), s->charset ? s->charset : "",
                      s->web.max_bytes);
    wn_buf_add(&manner, wn_buf_str(method));
    wn_buf_add_literal(&manner, s->site ? " site" : "");
    if (stop_words.len > 0) {
        wn_buf_add_literal(&manner, " without ");
        wn_buf_add(&manner, stop_words);
    }
    wn_hash_key key = {wn_hash_stable64((wn_hash_key){0, 0}, wn_buf_str(&manner)), 0};
    wn_buf_free(&manner);
    return key;
}

static int add_to_store(const settings *s, const char *name, char **names, winnow_inputs *inputs,
                        wn_buf *method)
{
    adding a = {.settings = s, .method = wn_buf_c_string(method), .inputs = inputs};
    int code = wn_cli_job_read_words(&wn_command_corpus_add, s->stopwords, "stop words",
                                     &a.stop_words);
    if (code == WN_GO_ON) {
        a.manner = hash_manner(s, method, wn_buf_str(&a.stop_words));
        a.store = wn_cli_corpus_open(name, WN_STORE_MAKE);
        code = a.store ? add_all(&a, names) : WN_EXIT_FAILED;
    }
    free_all(&a);
    return code;
}

static int run_add(const wn_command *command, char **args)
{
    settings s = {.web = wn_cli_job_web()};
    wn_buf method = {0};
    int code = wn_cli_options_parse(command, args, &s);
    char **names = args;
    winnow_inputs *inputs = NULL;
    if (code == WN_GO_ON)
        code = wn_cli_method(command, &s.method, &method);
    if (code == WN_GO_ON) {
        const char *name = wn_cli_corpus_name(&names, s.store);
        inputs = wn_cli_job_open(names, &s.web, s.max_record);
        if (!inputs)
            code = WN_EXIT_FAILED;
        else if (s.url && !wn_cli_job_is_single(inputs, names))
            code = wn_cli_wrong_usage(command,
                                      "--url is the address of one page; give only one input "
                                      "with it");
        else
            code = wn_cli_job_check(command, names, s.charset, NULL, &s.web);
        if (code == WN_GO_ON)
            code = add_to_store(&s, name, names, inputs, &method);
    }
    winnow_inputs_close(inputs);
    wn_buf_free(&method);
    return code;
}

const wn_command wn_command_corpus_add = {
    .name = "corpus add",
    .operands = "[STORE] [INPUT...]",
    .summary = "extract pages and keep them",
    .about = "Extracts pages and adds them to a store, which is created if it does not exist.\n"
             "\n"
             "INPUT is as for 'winnow extract': files, directories, web archives, addresses,\n"
             "or - for standard input. A page that is already in the store is not added twice:\n"
             "it is left alone if it has not changed, and updated if it has.",
    .notes = "A page is identified by its file (and the position in it), or by its address.\n"
             "Pages count as added when they are on disk; after an interruption the same\n"
             "command adds the rest.\n"
             "\n"
             "Exit status: 0 success; 1 an input could not be read or is not a web page, or\n"
             "the store could not be written; 2 wrong usage; 130 interrupted.\n"
             "\n"
             "Examples:\n"
             "  winnow corpus add news.db crawl/\n"
             "  winnow corpus add postgresql://localhost/news --label sport sport/*.html\n"
             "  winnow corpus add https://example.org/article",
    .options = options,
    .run = run_add,
};
