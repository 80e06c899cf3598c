/*
 * winnow eval: methods, and other tools, against gold texts.
 *
 * This file reads the options, opens what they name and writes the report; the work is
 * app/eval: set.h (pages), runners.h (what is compared), run.h (the work), report.h (the tables).
 */
#include <stdlib.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/job.h"
#include "cli/plot.h"
#include "cli/sandbox.h"
#include "draw/sheet.h"
#include "eval/folds.h"
#include "eval/report_labels.h"
#include "eval/run.h"
#include "io/message.h"
#include "io/output.h"

enum { MAX_WORST = 10000 };

typedef enum format { FORMAT_TABLE, FORMAT_MD, FORMAT_JSON, FORMAT_CSV } format;

/* ---- Options ----------------------------------------------------------------------------- */

typedef struct settings {
    const char *methods, *folds, *type, *compare, *output, *plot, *label_plot, *right_text;
    wn_option_list results;
    size_t measure, format;
    uint64_t jobs, limit, seed, worst;
    double right;
    bool details, domains, site, labels, no_timing, overwrite, progress, quiet;
    bool sandbox, csv_safe, segment;
} settings;

static const char *format_name(const void *list, size_t index)
{
    (void)list;
    static const char *const names[] = {
        [FORMAT_TABLE] = "table", [FORMAT_MD] = "md",      [FORMAT_JSON] = "json",
        [FORMAT_CSV] = "csv",     [FORMAT_CSV + 1] = NULL,
    };
    return names[index];
}

static const wn_option options[] = {
    {.heading = "What is compared"},
    WN_VALUE(TEXT, "methods", 'm', "LIST", methods,
             "methods with their parameters, as auto,lineblock:rule=all,distance=3,bte (default: "
             "all methods); none: only --results"),
    WN_VALUE(LIST, "results", 0, "NAME=PATH", results,
             "also score the output of another tool: a folder with one file per page, or a JSONL "
             "file with id and text; can be repeated"),
    WN_VALUE(TEXT, "folds", 0, "DIR", folds,
             "auto scores each page with a model trained without it, from a folder of tools/train"),
    WN_FLAG("site", 0, site,
            "also score each method with site templates removed, as rows NAME+site"),
    WN_VALUE(TEXT, "type", 0, "NAME", type, "only pages of this type"),
    WN_VALUE(NUMBER, "limit", 0, "N", limit, "only the first N pages", .min = 1),

    {.heading = "Figures"},
    WN_VALUE(CHOICE, "measure", 0, "NAME", measure, "the measure that leads (default: words)",
             .choices = wn_eval_measure_name),
    WN_FLAG("segment", 0, segment,
            "count the words of Chinese, Japanese, Thai and other scripts without spaces by "
            "dictionaries, of texts in NFC without soft hyphens"),
    WN_VALUE(TEXT, "compare", 0, "A,B", compare,
             "the difference between two rows of the table, page by page, with its interval"),
    WN_VALUE(TEXT, "right", 0, "F1", right_text,
             "the LCS F1 from which a page counts as right (default: 0.9)"),
    WN_VALUE(NUMBER, "seed", 0, "N", seed, "seed of the intervals (default: 1)", .min = 0),

    {.heading = "Output"},
    WN_VALUE(CHOICE, "format", 'f', "FORMAT", format,
             "format of the report (default: table); csv has one line per page and row",
             .choices = format_name),
    WN_OUTPUT_OPTION,
    WN_VALUE(TEXT, "plot", 0, "FILE", plot,
             "also draw the F1 by type and row; FILE ends in .svg, .png or .pdf"),
    WN_FLAG("overwrite", 0, overwrite, "replace files that exist"),
    WN_CSV_SAFE_OPTION,
    WN_FLAG("details", 0, details, "also a table of each type with intervals and medians"),
    WN_FLAG("labels", 0, labels,
            "also accuracy, precision, recall and specificity over blocks, by label: the type of "
            "a page, or its site"),
    WN_VALUE(TEXT, "label-plot", 0, "FILE", label_plot,
             "draw these for the first row; FILE ends in .svg, .png or .pdf"),
    WN_FLAG("sites", 0, domains, "also the figures of each site"),
    WN_VALUE(NUMBER, "worst", 0, "N", worst,
             "also the N worst pages of each row, with what was missed and kept wrongly", .min = 0,
             .max = MAX_WORST),
    WN_FLAG("no-timing", 0, no_timing, "no times: the same input gives the same output"),
    WN_FLAG("progress", 0, progress,
            "show progress and a summary even if standard error is not "
            "a terminal"),
    WN_FLAG("quiet", 'q', quiet, "no progress, no summary, no remarks; only errors"),

    {.heading = "Work"},
    WN_JOBS_OPTION,
    WN_SANDBOX_OPTION,

    {.heading = "Help"},
    {0},
};

/* Reads --right; false if it is not a share. */
static bool read_right(settings *s)
{
    char *end;
    if (!s->right_text)
        return true;
    s->right = strtod(s->right_text, &end);
    return end > s->right_text && *end == '\0' && s->right >= 0 && s->right <= 1;
}

/* What no single option can check; WN_GO_ON or an exit code. */
static int check_settings(settings *s, char **names)
{
    const wn_command *command = &wn_command_eval;
    if (!names[0])
        return wn_cli_wrong_usage(command,
                                  "no set given; name a folder with html/, gold/ and pages.jsonl");
    if (names[1])
        return wn_cli_wrong_usage(command, "one set at a time");
    if (!read_right(s))
        return wn_cli_wrong_usage(command,
                                  "wrong value for --right; expected a number from 0 to 1");
    int code = wn_cli_plot_check(command, s->plot, s->overwrite);
    return code == WN_GO_ON ? wn_cli_plot_check(command, s->label_plot, s->overwrite) : code;
}

/* ---- The work ---------------------------------------------------------------------------- */

typedef struct evaluation {
    const settings *settings;
    wn_eval_set set;
    wn_runners runners;
    wn_problems problems;
    wn_report report;
    wn_io_output output, plot;
    wn_io_progress progress;
    wn_folds folds;
    uint32_t *pages; /* of the set, to be scored */
    uint32_t page_count;
} evaluation;

static int wrong(const wn_buf *message)
{
    return wn_cli_wrong_usage(&wn_command_eval, "%.*s", WN_STR_ARGS(wn_buf_str(message)));
}

/* Methods and results by name; nothing is read yet. */
static int add_runners(evaluation *e)
{
    const settings *s = e->settings;
    bool sound = wn_eval_runners_add_methods(&e->runners, s->methods) &&
                 (!s->site || wn_eval_runners_add_sites(&e->runners));
    for (size_t i = 0; sound && i < s->results.count; i++)
        sound = wn_eval_runners_add_results(&e->runners, s->results.items[i]);
    if (!sound)
        return wrong(&e->runners.error);
    if (e->runners.list.count == 0)
        return wn_cli_wrong_usage(&wn_command_eval,
                                  "nothing to compare; see --methods and --results");
    return WN_GO_ON;
}

/* A and B of "A,B", where both may have commas of their own; false if there is no such place. */
static bool split_pair(const wn_runners *runners, const char *text, wn_pair *pair)
{
    for (const char *comma = strchr(text, ','); comma; comma = strchr(comma + 1, ',')) {
        pair->a = wn_eval_runners_find(runners, wn_str_between(text, comma));
        pair->b = wn_eval_runners_find(runners, wn_str_of(comma + 1));
        if (pair->a != UINT32_MAX && pair->b != UINT32_MAX)
            return true;
    }
    return false;
}

static int add_pair(evaluation *e)
{
    wn_pair pair;
    if (!e->settings->compare)
        return WN_GO_ON;
    if (!split_pair(&e->runners, e->settings->compare, &pair)) {
        wn_buf message = {0};
        wn_buf_add_literal(&message, "--compare needs two rows of the table, A,B; there are: ");
        for (uint32_t i = 0; i < e->runners.list.count; i++) {
            wn_buf_add_literal(&message, i ? ", " : "");
            wn_add_printable(&message, wn_str_of(e->runners.list.items[i].name));
        }
        int code = wrong(&message);
        wn_buf_free(&message);
        return code;
    }
    wn_pair *place = wn_array_push(&e->report.pairs);
    if (place)
        *place = pair;
    return place ? WN_GO_ON : WN_EXIT_FAILED;
}

static int open_set(evaluation *e, const char *folder)
{
    if (!wn_eval_set_open(&e->set, folder, &e->problems)) {
        wn_io_say(&e->set.error);
        return WN_EXIT_FAILED;
    }
    if (e->settings->folds && !wn_eval_folds_open(&e->folds, e->settings->folds, &e->set)) {
        wn_io_say(&e->folds.error);
        return WN_EXIT_FAILED;
    }
    for (uint32_t i = 0; i < e->runners.list.count; i++) {
        wn_runner *runner = &e->runners.list.items[i];
        if (!runner->is_method &&
            !wn_eval_results_open(&runner->results, runner->results.path, &e->set, &e->problems)) {
            wn_io_say(&runner->results.error);
            return WN_EXIT_FAILED;
        }
    }
    return WN_GO_ON;
}

static bool type_came_before(const evaluation *e, uint32_t page)
{
    uint32_t first = 0;
    while (!wn_str_eq(e->set.pages.items[first].type, e->set.pages.items[page].type))
        first++;
    return first < page;
}

/* Says that no page has the type that was asked for, and which types there are. */
static void say_types(const evaluation *e)
{
    enum { MOST = 12 };
    wn_buf message = {0};
    uint32_t said = 0;
    wn_buf_add_literal(&message, "no page has the type ");
    wn_add_quoted(&message, e->settings->type);
    for (uint32_t i = 0; i < e->set.pages.count && said < MOST; i++) {
        wn_str type = e->set.pages.items[i].type;
        if (type.len == 0 || type_came_before(e, i))
            continue;
        wn_buf_add(&message, said++ ? WN_STR(", ") : WN_STR("; types are "));
        wn_add_printable(&message, type);
    }
    wn_io_say(&message);
    wn_buf_free(&message);
}

/* The pages of --type and --limit. */
static int choose_pages(evaluation *e)
{
    const settings *s = e->settings;
    e->pages = malloc(((size_t)e->set.pages.count + 1) * sizeof *e->pages);
    if (!e->pages)
        return WN_EXIT_FAILED;
    for (uint32_t i = 0; i < e->set.pages.count; i++) {
        bool enough = s->limit && e->page_count == s->limit;
        if (!enough && (!s->type || wn_str_eq(e->set.pages.items[i].type, wn_str_of(s->type))))
            e->pages[e->page_count++] = i;
    }
    if (s->type && e->page_count == 0) {
        say_types(e);
        return WN_EXIT_USAGE;
    }
    return WN_GO_ON;
}

/* ---- The report -------------------------------------------------------------------------- */

static void write_report(evaluation *e, wn_buf *out)
{
    switch ((format)e->settings->format) {
    case FORMAT_TABLE:
        wn_eval_report_write_tables(&e->report, out, false);
        break;
    case FORMAT_MD:
        wn_eval_report_write_tables(&e->report, out, true);
        break;
    case FORMAT_JSON:
        wn_eval_report_write_json(&e->report, out);
        break;
    case FORMAT_CSV:
        wn_eval_report_write_csv(&e->report, e->settings->csv_safe, out);
        break;
    }
}

/* Gives `text` to a file; false, and a message, if that does not work. */
static bool finish_output(wn_io_output *output, const wn_buf *text)
{
    wn_io_output_add(output, wn_buf_str(text));
    bool written = wn_io_output_finish(output);
    if (!written && output->state != WN_IO_OUTPUT_CLOSED)
        wn_io_say(&output->error);
    return written || output->state == WN_IO_OUTPUT_CLOSED;
}

/* Draws the plot; false, and a message, if that does not work. */
static bool write_plot(evaluation *e, wn_buf *out)
{
    wn_sheet sheet = {0};
    wn_eval_report_plot(&e->report, &sheet);
    bool drawn = wn_cli_plot_draw(e->settings->plot, &sheet, out);
    wn_draw_sheet_free(&sheet);
    return drawn;
}

static bool write_label_plot(evaluation *e)
{
    wn_sheet sheet = {0};
    if (!e->settings->label_plot)
        return true;
    wn_eval_report_label_plot(&e->report, 0, &sheet);
    bool written = wn_cli_plot_write(e->settings->label_plot, e->settings->overwrite, &sheet);
    wn_draw_sheet_free(&sheet);
    return written;
}

static int write_all(evaluation *e)
{
    wn_buf report = {0}, picture = {0};
    write_report(e, &report);
    bool sound = !e->settings->plot || write_plot(e, &picture);
    if (sound && (e->report.failed || report.failed)) {
        wn_io_sayf("out of memory");
        sound = false;
    }
    sound = sound && finish_output(&e->output, &report);
    sound = sound && write_label_plot(e);
    if (sound && e->settings->plot)
        sound = finish_output(&e->plot, &picture);
    wn_buf_free(&report);
    wn_buf_free(&picture);
    return sound ? WN_EXIT_OK : WN_EXIT_FAILED;
}

/* ---- Start to end ------------------------------------------------------------------------ */

static int evaluate(evaluation *e)
{
    const settings *s = e->settings;
    wn_run_settings run = {
        .pages = e->pages,
        .page_count = e->page_count,
        .jobs = wn_cli_job_count(s->jobs, false),
        .worst = (uint32_t)s->worst,
        .segment = s->segment,
        .folds = s->folds ? &e->folds : NULL,
        .progress = &e->progress,
    };
    e->report.wanted = e->page_count;
    wn_io_progress_begin(&e->progress, s->progress, s->quiet, true, false);
    bool sound = wn_eval_run(&run, &e->set, &e->runners, &e->problems, &e->report);
    wn_io_progress_end(&e->progress);
    if (!sound) {
        wn_io_sayf("out of memory; try fewer --jobs");
        return WN_EXIT_FAILED;
    }
    int code = write_all(e);
    wn_eval_problems_say(&e->problems, s->quiet);
    if (code == WN_EXIT_OK &&
        (wn_eval_problems_serious(&e->problems) || e->report.pages.count == 0))
        code = WN_EXIT_FAILED;
    return code;
}

/* Files are opened before the work, so that nobody waits for an error. */
static int open_outputs(evaluation *e)
{
    const settings *s = e->settings;
    if (!wn_io_output_open(&e->output, s->output, s->overwrite)) {
        wn_io_say(&e->output.error);
        return WN_EXIT_USAGE;
    }
    if (s->plot && !wn_io_output_open(&e->plot, s->plot, s->overwrite)) {
        wn_io_say(&e->plot.error);
        return WN_EXIT_USAGE;
    }
    return WN_GO_ON;
}

/* Models of --folds and what other tools made are read later. */
static int enter_sandbox(const evaluation *e, char **names)
{
    const settings *s = e->settings;
    wn_cli_sandbox box = {0};
    wn_cli_sandbox_read_all(&box, names, false);
    wn_cli_sandbox_read(&box, s->folds);
    for (size_t i = 0; i < s->results.count; i++) {
        const char *equals = strchr(s->results.items[i], '=');
        wn_cli_sandbox_read(&box, equals ? equals + 1 : NULL);
    }
    wn_cli_sandbox_write(&box, s->output);
    wn_cli_sandbox_write(&box, s->plot);
    wn_cli_sandbox_write(&box, s->label_plot);
    return wn_cli_sandbox_enter(&box, s->sandbox);
}

static void free_evaluation(evaluation *e)
{
    wn_io_output_free(&e->output);
    if (e->settings->plot)
        wn_io_output_free(&e->plot);
    wn_eval_report_free(&e->report);
    wn_eval_runners_free(&e->runners);
    wn_eval_folds_free(&e->folds);
    wn_eval_set_free(&e->set);
    wn_eval_problems_free(&e->problems);
    free(e->pages);
}

static int run_eval(const wn_command *command, char **args)
{
    settings s = {.seed = 1, .right = 0.9};
    int code = wn_cli_options_parse(command, args, &s);
    if (code == WN_GO_ON)
        code = check_settings(&s, args);
    if (code != WN_GO_ON)
        return code;
    evaluation e = {
        .settings = &s,
        .report = {.lead = (wn_measure)s.measure,
                   .right = s.right,
                   .seed = s.seed,
                   .details = s.details,
                   .domains = s.domains,
                   .labels = s.labels || s.label_plot,
                   .timing = !s.no_timing},
    };
    e.report.set = &e.set;
    e.report.folds = s.folds != NULL;
    e.report.runners = &e.runners;
    e.report.problems = &e.problems;
    code = add_runners(&e);
    if (code == WN_GO_ON)
        code = add_pair(&e);
    if (code == WN_GO_ON)
        code = open_outputs(&e);
    if (code == WN_GO_ON)
        code = enter_sandbox(&e, args);
    if (code == WN_GO_ON)
        code = open_set(&e, args[0]);
    if (code == WN_GO_ON)
        code = choose_pages(&e);
    if (code == WN_GO_ON)
        code = evaluate(&e);
    free_evaluation(&e);
    return code;
}

const wn_command wn_command_eval = {
    .name = "eval",
    .operands = "SET",
    .summary = "methods, and other tools, against gold texts",
    .about = "Scores methods on pages whose main content is known.\n"
             "\n"
             "SET is a folder: html/ID.html (the page), gold/ID.txt (its main content as plain\n"
             "text; or ID.md, ID.html, so that code, formulas and tables are compared, too)\n"
             "and pages.jsonl (one line per page: \"id\" and, where known, \"url\", \"type\",\n"
             "\"with\" and \"without\", lists of sentences that must and must not be found).",
    .notes = "Measures: words (as a bag), lcs (their longest common subsequence), length\n"
             "(characters), shingles (four words in a row), rouge (five), snippets;\n"
             "of gold in Markdown or HTML also code, formulas and tables. F1 is taken page by\n"
             "page; the tables show means. docs/eval.md defines them.\n\n"
             "Exit status: 0 success; 1 some data could not be used (it is named), or the\n"
             "output could not be written; 2 wrong usage; 130 interrupted.\n\n"
             "Examples:\n"
             "  winnow eval wcxb-dev\n"
             "  winnow eval -m auto,all --compare auto,all --measure lcs wcxb-dev\n"
             "  winnow eval --results trafilatura=out/ -f md --plot f1.svg wcxb-dev\n"
             "  winnow eval -m auto --worst 10 --type forum wcxb-dev\n"
             "  winnow eval -f csv -o scores.csv wcxb-dev",
    .options = options,
    .run = run_eval,
};
