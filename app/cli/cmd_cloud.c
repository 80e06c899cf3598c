/*
 * winnow cloud: the words of pages as a tag cloud.
 *
 * Workers find the main content of a page, split it into words and count them, each worker
 * separately (draw/count.h). At the end the counts are added up and the most frequent words become
 * a picture (draw/canvas.h) or a list. Sums do not depend on the order, so the cloud is the same
 * for every --jobs.
 */
#include <stdlib.h>
#include <unistd.h>

#include "cli/collection.h"
#include "cli/commands.h"
#include "cli/job.h"
#include "cli/methods.h"
#include "cli/plot.h"
#include "cli/sandbox.h"
#include "draw/canvas.h"
#include "draw/page_words.h"
#include "io/message.h"
#include "io/output.h"
#include "io/progress.h"

enum {
    MAX_WORDS = 2000,
    MIN_SIDE = 50, /* of the picture, in pixels */
    MAX_SIDE = 10000,
};

/* The pictures first, in the order of wn_picture_format. */
typedef enum format {
    FORMAT_SVG = WN_PICTURE_SVG,
    FORMAT_PNG = WN_PICTURE_PNG,
    FORMAT_PDF = WN_PICTURE_PDF,
    FORMAT_HTML = WN_PICTURE_HTML,
    FORMAT_JSON,
    FORMAT_CSV,
    FORMAT_UNKNOWN,
} format;

static const char *format_name(const void *list, size_t index)
{
    (void)list;
    static const char *const names[] = {"svg", "png", "pdf", "html", "json", "csv", NULL};
    return names[index];
}

/* ---- Options ----------------------------------------------------------------------------- */

typedef struct settings {
    const char *language, *stopwords, *charset, *output, *size, *font, *counts, *store;
    wn_method_settings method;
    size_t format, palette;
    unsigned width, height;
    bool no_stem, overwrite, progress, quiet;
    uint64_t words, min_count, seed, jobs;
    wn_web_settings web;
    wn_page_limits limits;
    bool sandbox;
} settings;

static const wn_option options[] = {
    {.heading = "Words"},
    WN_VALUE(NUMBER, "words", 'n', "N", words, "the N most frequent words (default: 100)", .min = 1,
             .max = MAX_WORDS),
    WN_VALUE(NUMBER, "min-count", 0, "N", min_count,
             "only words that occur at least N times (default: 1)", .min = 1),
    WN_VALUE(TEXT, "method", 'm', "NAME", method.method,
             "how content is found (default: auto; all: everything), with parameters as for "
             "extract",
             .choices = wn_cli_method_name),
    WN_VALUE(TEXT, "language", 0, "CODE", language,
             "the language: en, de, th, … (default: declared by the page, else detected)"),
    WN_FLAG(
        "no-stem", 0, no_stem,
        "count the forms of a word separately; by default those with the same stem are one word"),
    WN_VALUE(TEXT, "stopwords", 0, "FILE", stopwords,
             "leave out the words of FILE, one per line, in addition to the stop words of the "
             "language"),
    WN_VALUE(TEXT, "store", 0, "STORE", store,
             "the collection for the method outlier (default: the inputs, which are read twice)"),
    WN_VALUE(TEXT, "charset", 0, "NAME", charset, "the encoding of the inputs, if known"),
    WN_VALUE(TEXT, "counts", 0, "FILE", counts,
             "draw the words in FILE, as written by --format csv or a job of winnow.spark, "
             "instead of pages"),

    {.heading = "Picture"},
    WN_VALUE(TEXT, "size", 0, "WxH", size, "width and height in pixels (default: 800x600)"),
    WN_VALUE(TEXT, "font", 0, "NAME", font,
             "the font: Garuda, Serif, 'DejaVu Sans Bold', … (default: Sans Bold)"),
    WN_VALUE(CHOICE, "palette", 0, "NAME", palette, "the colours (default: ocean)",
             .choices = wn_draw_palette_name, .summaries = wn_draw_palette_summary),
    WN_VALUE(NUMBER, "seed", 0, "N", seed,
             "another N, another cloud of the same words (default: 1)"),

    {.heading = "Output"},
    WN_VALUE(CHOICE, "format", 'f', "FORMAT", format,
             "a picture, a page with one, or the counts (default: by FILE's extension, else svg)",
             .choices = format_name),
    WN_OUTPUT_OPTION,
    WN_FLAG("overwrite", 0, overwrite, "replace FILE if it exists"),
    WN_FLAG("progress", 0, progress, "show progress even if standard error is not a terminal"),
    WN_FLAG("quiet", 'q', quiet, "no progress and no warnings; only errors"),

    {.heading = "Work and its limits"},
    WN_JOBS_OPTION,
    WN_MAX_BYTES_OPTION,
    WN_PAGE_LIMIT_OPTIONS,
    WN_SANDBOX_OPTION,
    WN_WEB_OPTIONS,

    {.heading = "Help"},
    {0},
};

static bool is_picture(const settings *s)
{
    return s->format <= FORMAT_HTML;
}

/* What no single option can check; WN_GO_ON or an exit code. */
static int check_settings(settings *s, char **names)
{
    const wn_command *command = &wn_command_cloud;
    int code = wn_cli_job_check(command, names, s->charset, s->language, &s->web);
    if (code != WN_GO_ON)
        return code;
    if (!wn_cli_size(s->size, MIN_SIDE, MAX_SIDE, &s->width, &s->height))
        return wn_cli_wrong_usage(command,
                                  "--size takes width and height between %d and %d, as 800x600",
                                  MIN_SIDE, MAX_SIDE);
    if (s->format == FORMAT_UNKNOWN)
        s->format = wn_cli_format_of(s->output, format_name, FORMAT_SVG);
    if (s->format == FORMAT_UNKNOWN)
        return wn_cli_wrong_usage(command,
                                  "cannot tell the format from the name of the output; use an "
                                  "extension: .svg, .png, .pdf, .html, .json or .csv, or --format");
    return is_picture(s) ? wn_cli_picture_check(command, (wn_picture_format)s->format, s->output,
                                                "--format json and csv need neither")
                         : WN_GO_ON;
}

/* ---- The work ---------------------------------------------------------------------------- */

/* One page on its way. */
typedef struct task {
    wn_io_outcome outcome;
    uint64_t bytes;
    wn_buf error; /* empty: none */
} task;

/* What one thread needs for itself. */
typedef struct worker_tools {
    wn_word_tools tools;
    wn_counts counts;
} worker_tools;

typedef struct job {
    const settings *settings;
    wn_buf method;    /* with its parameters */
    wn_buf stopwords; /* the user's, one per line */
    wn_buf counted;   /* CSV of --counts */
    winnow_inputs *inputs;
    winnow_options *options;  /* of the pages */
    wn_collection collection; /* what the method must know of other pages */
    wn_io_output output;
    wn_io_progress progress;
    wn_counts counts;
    wn_buf title; /* of the only page */
    wn_buf drawn;
    uint64_t given, taken;
    bool single;
} job;

/* ---- Workers ----------------------------------------------------------------------------- */

/* Counts the words of a page in its language. */
static wn_io_outcome count_words(job *j, worker_tools *w, winnow_selection *content)
{
    uint64_t before = w->counts.total;
    wn_draw_count_page(&w->counts, &w->tools, content, j->settings->language,
                       !j->settings->no_stem);
    if (j->single)
        wn_buf_add_literal(&j->title, winnow_selection_metadata(content)->title);
    return w->counts.total > before ? WN_IO_PAGE_DONE : WN_IO_PAGE_EMPTY;
}

static void work_on_page(void *data, winnow_worker *worker, winnow_task *place)
{
    job *j = data;
    task *t = place->own;
    const winnow_loaded *loaded = worker->loaded;
    t->bytes = loaded->size;
    t->outcome = WN_IO_PAGE_FAILED;
    wn_buf_add_literal(&t->error, loaded->error ? loaded->error : "");
    if (loaded->error)
        return;
    wn_cli_collection_apply(&j->collection, place->input, loaded->url, worker->options);
    winnow_parse(worker->page, loaded->bytes, loaded->size, worker->options);
    winnow_selection *content = winnow_select(worker->page, j->method.ptr, worker->options);
    wn_cli_job_add_reason(&t->error, wn_cli_job_status(content), loaded);
    if (t->error.len == 0)
        t->outcome = count_words(j, worker->own, content);
}

static bool begin_worker(void *data, winnow_worker *worker)
{
    const job *j = data;
    worker_tools *w = worker->own;
    return wn_draw_word_tools_make(&w->tools, wn_buf_str(&j->stopwords));
}

/* What a worker has counted is added to what the others have. */
static void end_worker(void *data, winnow_worker *worker)
{
    job *j = data;
    worker_tools *w = worker->own;
    wn_draw_counts_merge(&j->counts, &w->counts);
    wn_draw_counts_free(&w->counts);
    wn_draw_word_tools_free(&w->tools);
}

/* ---- The caller's thread ----------------------------------------------------------------- */

static bool next_page(void *data, winnow_task *place)
{
    job *j = data;
    (void)place;
    j->given++;
    return true;
}

static void show_progress(void *data)
{
    job *j = data;
    bool exact;
    if (!wn_io_progress_due(&j->progress))
        return;
    uint64_t ahead = j->given - j->taken + winnow_inputs_ahead(j->inputs, &exact);
    wn_io_progress_show(&j->progress, ahead, exact);
}

static bool take_task(void *data, winnow_task *place)
{
    job *j = data;
    task *t = place->own;
    j->taken++;
    if (!place->skipped)
        wn_io_progress_count(&j->progress, t->outcome, t->bytes);
    if (t->error.len > 0) {
        wn_io_progress_wipe(&j->progress);
        wn_cli_job_say_unreadable(place->input, wn_buf_c_string(&t->error));
    }
    wn_buf_clear(&t->error);
    show_progress(j);
    return true;
}

static void end_task(void *data, winnow_task *place)
{
    task *t = place->own;
    (void)data;
    wn_buf_free(&t->error);
}

/* False, after a message, if out of memory. */
static bool count_pages(job *j, char **names)
{
    const settings *s = j->settings;
    winnow_run run = {
        .struct_size = sizeof run,
        .inputs = j->inputs,
        .options = j->options,
        .threads = wn_cli_job_count(s->jobs, j->single),
        .task_size = sizeof(task),
        .worker_size = sizeof(worker_tools),
        .begin_worker = begin_worker,
        .end_worker = end_worker,
        .next = next_page,
        .work = work_on_page,
        .take = take_task,
        .end_task = end_task,
        .idle = show_progress,
        .data = j,
    };
    wn_cli_job_say_terminal(names, s->quiet);
    wn_io_progress_begin(&j->progress, s->progress, s->quiet, !j->single, false);
    bool done = winnow_run_pages(&run) == WINNOW_STATUS_OK;
    if (done)
        wn_io_progress_end(&j->progress);
    else
        wn_io_sayf("cannot start: out of memory; try fewer --jobs");
    return done;
}

/* ---- The cloud --------------------------------------------------------------------------- */

/* Draws the first `n` words; false, after a message, if that failed. */
static bool draw(job *j, size_t n)
{
    const settings *s = j->settings;
    wn_buf error = {0};
    wn_picture picture = {
        .format = (wn_picture_format)s->format,
        .width = s->width,
        .height = s->height,
        .seed = s->seed,
        .palette = wn_draw_palette_at(s->palette),
        .font = s->font,
        .title = wn_buf_str(&j->title),
    };
    size_t placed = wn_draw_picture_draw(&j->drawn, &picture, j->counts.list.items, n, &error);
    if (placed == 0) {
        wn_io_say(&error);
    } else if (placed < n && !s->quiet) {
        wn_io_sayf("%zu of %zu words did not fit; choose a larger --size or fewer --words",
                   n - placed, n);
    }
    wn_buf_free(&error);
    return placed > 0;
}

/* WN_GO_ON when there is something to write, else an exit code. */
static int make_cloud(job *j)
{
    const settings *s = j->settings;
    size_t n = wn_draw_counts_top(&j->counts, s->words, s->min_count);
    if (j->counts.failed) {
        wn_io_sayf("cannot count the words: out of memory");
        return WN_EXIT_FAILED;
    }
    if (n == 0) {
        if (j->progress.failed == 0)
            wn_io_sayf(j->counts.total ? "no word occurs that often; see --min-count"
                                       : "there are no words for a cloud");
        return j->progress.failed ? WN_EXIT_FAILED : WN_EXIT_EMPTY;
    }
    if (s->format == FORMAT_JSON)
        wn_draw_counts_json(&j->drawn, &j->counts, n, j->progress.done + j->progress.empty);
    else if (s->format == FORMAT_CSV)
        wn_draw_counts_csv(&j->drawn, &j->counts, n);
    else if (!draw(j, n))
        return WN_EXIT_FAILED;
    if (!j->drawn.failed)
        return WN_GO_ON;
    wn_io_sayf("cannot write the cloud: out of memory");
    return WN_EXIT_FAILED;
}

/* ---- Setting up and ending --------------------------------------------------------------- */

static int learn_collection(job *j, char **names)
{
    const settings *s = j->settings;
    wn_collection_plan plan = {
        .command = &wn_command_cloud,
        .method = wn_buf_c_string(&j->method),
        .store = s->store,
        .names = names,
        .single = j->single,
        .jobs = wn_cli_job_count(s->jobs, j->single),
        .http = &s->web,
        .options = j->options,
    };
    return wn_cli_collection_learn(&j->collection, &plan);
}

/* Counts the words of the pages; WN_GO_ON or an exit code. */
static int learn_and_count(job *j, char **names)
{
    const settings *s = j->settings;
    j->options = wn_cli_job_options(&s->web, &s->limits, s->charset);
    if (!j->options) {
        wn_io_sayf("cannot start: out of memory");
        return WN_EXIT_FAILED;
    }
    int code = learn_collection(j, names);
    return code == WN_GO_ON && !count_pages(j, names) ? WN_EXIT_FAILED : code;
}

static int run_job(job *j, char **names)
{
    int code = WN_GO_ON;
    if (j->settings->counts) {
        if (!wn_draw_counts_read_csv(&j->counts, wn_buf_str(&j->counted)))
            return wn_cli_wrong_usage(&wn_command_cloud,
                                      "--counts needs a file written by --format csv: a line "
                                      "word,count and one line per word");
    } else {
        code = learn_and_count(j, names);
    }
    if (code == WN_GO_ON)
        code = make_cloud(j);
    if (code != WN_GO_ON)
        return code;
    wn_io_output_add(&j->output, wn_buf_str(&j->drawn));
    if (!wn_io_output_finish(&j->output)) {
        wn_io_say(&j->output.error);
        return WN_EXIT_FAILED;
    }
    return j->progress.failed > 0 ? WN_EXIT_FAILED : WN_EXIT_OK;
}

static void free_job(job *j)
{
    wn_io_output_free(&j->output);
    wn_draw_counts_free(&j->counts);
    wn_cli_collection_free(&j->collection);
    winnow_options_free(j->options);
    wn_buf_free(&j->title);
    wn_buf_free(&j->drawn);
}

static int make_job(const settings *s, char **args, job *j)
{
    int code = WN_EXIT_USAGE;
    if (!wn_io_output_open(&j->output, s->output, s->overwrite))
        wn_io_say(&j->output.error);
    else if ((code = wn_cli_sandbox_files(args, s->output, s->sandbox)) == WN_GO_ON)
        code = run_job(j, args);
    free_job(j);
    return code;
}

static int run_cloud(const wn_command *command, char **args)
{
    settings s = {
        .format = FORMAT_UNKNOWN,
        .size = "800x600",
        .words = 100,
        .min_count = 1,
        .seed = 1,
        .web = wn_cli_job_web(),
    };
    int code = wn_cli_options_parse(command, args, &s);
    if (code == WN_GO_ON)
        code = check_settings(&s, args);
    job j = {.settings = &s};
    if (code == WN_GO_ON)
        code = wn_cli_method(command, &s.method, &j.method);
    if (code == WN_GO_ON)
        code = wn_cli_job_read_words(command, s.stopwords, "stop words", &j.stopwords);
    if (code == WN_GO_ON)
        code = wn_cli_job_read_words(command, s.counts, "counts", &j.counted);
    if (code == WN_GO_ON && s.counts && args[0])
        code = wn_cli_wrong_usage(command, "--counts replaces the inputs; give only one of them");
    if (code == WN_GO_ON && !s.counts && !(j.inputs = wn_cli_job_open(args, &s.web, 0)))
        code = WN_EXIT_FAILED;
    if (code == WN_GO_ON) {
        j.single = j.inputs && wn_cli_job_is_single(j.inputs, args);
        wn_buf_c_string(&j.method);
        code = make_job(&s, args, &j);
    }
    winnow_inputs_close(j.inputs);
    wn_buf_free(&j.method);
    wn_buf_free(&j.stopwords);
    wn_buf_free(&j.counted);
    return code;
}

const wn_command wn_command_cloud = {
    .name = "cloud",
    .operands = "[INPUT...]",
    .summary = "a tag cloud of the main content of pages",
    .about = "Draws the most frequent words of the main content of pages; more frequent words\n"
             "are larger. Stop words, numbers and single letters are left out. Forms of a word\n"
             "(kernel, kernels, Kernel) are counted together and shown in the commonest form.\n"
             "\n"
             "INPUT is a file, a directory (all pages below it), an http or https address, or\n"
             "- for standard input, which is also read if there is no INPUT.",
    .notes = "The same words, options and fonts always give the same cloud.\n\n"
             "Exit status: 0 success; 1 an input could not be read (the cloud shows the\n"
             "others), a font is missing, or the output could not be written; 2 wrong usage;\n"
             "3 there are no words; 130 interrupted.\n\n"
             "Examples:\n"
             "  winnow cloud -o cloud.svg page.html\n"
             "  winnow cloud -o cloud.png --size 1600x900 --palette night crawl/\n"
             "  winnow cloud -f csv --words 20 https://example.org/",
    .options = options,
    .run = run_cloud,
};
