/*
 * winnow extract: the main content of pages.
 *
 * Workers extract a page and write its part of the output into the task (winnow_run_pages); the
 * caller's thread writes what comes back. Whatever depends on the place of a page among the others
 * (headings between pages, commas) is added when it is taken back, so the output is the same for
 * every --jobs.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/json.h"
#include "cli/collection.h"
#include "cli/commands.h"
#include "cli/explain.h"
#include "cli/folder.h"
#include "cli/job.h"
#include "cli/methods.h"
#include "cli/resume.h"
#include "cli/sandbox.h"
#include "cli/styles.h"
#include "io/bundle.h"
#include "io/color.h"
#include "io/message.h"
#include "io/output.h"
#include "io/progress.h"
#include "write/write.h"

/* Memory of a task's output that one large page made larger than this is not kept. */
enum { KEPT_OUTPUT = 1 << 20 };

/* Seconds after which a waiting reader gets what there is. */
static const double FLUSH_INTERVAL = 0.2;

/* ---- Options ----------------------------------------------------------------------------- */

typedef struct settings {
    wn_method_settings method;
    wn_style_settings styles;
    size_t format; /* FORMAT_OF_OUTPUT: none was given, the name of the output tells */
    const char *output, *url, *charset;
    const char *with, *without; /* roles of blocks */
    bool site;
    const char *store;
    bool links, formatting, images, no_tables, with_metadata, with_blocks, overwrite, raw, progress,
        quiet, timing, title, no_title;
    size_t explain;       /* wn_cli_explanation */
    size_t text_format;   /* a number of text_forms */
    uint64_t jobs, limit; /* 0: not given */
    uint64_t max_nodes, max_depth, max_attributes;
    uint64_t max_record; /* 0: not given */
    wn_web_settings web;
    wn_page_limits limits;
    bool sandbox, csv_safe, load_images;
} settings;

enum { FORMAT_OF_OUTPUT = -1 };

static const char *format_name(const void *list, size_t index)
{
    (void)list;
    const winnow_format_info *format = winnow_format_at(index);
    return format ? format->name : NULL;
}

/* "markdown" for md, "text" for txt. */
static const char *format_alias(const void *list, size_t index)
{
    (void)list;
    const winnow_format_info *format = winnow_format_at(index);
    return format && format->aliases[0] ? format->aliases[0] : "";
}

static const char *format_summary(const void *list, size_t index)
{
    (void)list;
    const winnow_format_info *format = winnow_format_at(index);
    return format ? format->summary : NULL;
}

/* The forms of the text in JSON, as WINNOW_OPTION_TEXT_FORMAT counts them. */
static const char *text_form(const void *list, size_t index)
{
    static const char *const forms[] = {"txt", "md", "html"};
    (void)list;
    return index < sizeof forms / sizeof *forms ? forms[index] : NULL;
}

static const wn_option options[] = {
    {.heading = "What is extracted"},
    WN_VALUE(TEXT, "method", 'm', "NAME", method.method,
             "how content is found (default: auto); parameters may follow, as in "
             "lineblock:rule=all,distance=2; 'help' lists them",
             .choices = wn_cli_method_name, .summaries = wn_cli_method_summary),
    WN_VALUE(LIST, "param", 0, "NAME=VALUE", method.params,
             "a parameter of the method; can be repeated"),
    WN_FLAG("precision", 0, method.precision, "auto: prefer precision: drop what is doubtful"),
    WN_FLAG("recall", 0, method.recall, "auto: prefer recall: keep what is doubtful"),
    WN_FLAG("comments", 0, method.comments,
            "auto: include readers' comments below articles, which are otherwise only in JSON"),
    WN_FLAG("no-comments", 0, method.no_comments,
            "auto: drop readers' comments on every page; forum posts are kept"),
    WN_VALUE(TEXT, "with", 0, "ROLES", with,
             "auto: always keep blocks with these roles, such as caption,lede; --explain shows "
             "roles"),
    WN_VALUE(TEXT, "without", 0, "ROLES", without, "auto: drop blocks with these roles"),
    WN_VALUE(TEXT, "rule", 0, "RULE", method.rule, "lineblock: all or rescue (default)"),
    WN_VALUE(TEXT, "thresholds", 0, "KIND", method.thresholds,
             "lineblock: fixed (default) or sigma"),
    WN_VALUE(TEXT, "search", 0, "HOW", method.search,
             "bte: linear (default), improved or original"),
    WN_VALUE(TEXT, "importance", 0, "NAME", method.importance,
             "eifce: how blocks are compared, gp (default) or size-distance"),
    WN_VALUE(TEXT, "blocks", 0, "K", method.blocks, "eifce: keep the K best blocks (default: 1)"),
    WN_FLAG("keep-form", 0, method.keep_form, "xpath: also read the content of forms"),
    WN_VALUE(TEXT, "footer-words", 0, "FILE", method.footer_words,
             "xpath: further words that a footer may begin with, one per line"),
    WN_VALUE(
        TEXT, "stopwords", 0, "FILE", method.stop_words,
        "further stop words, one per line, which lineblock ignores in titles, and outlier with "
        "stopwords=skip in blocks"),
    WN_FLAG("site", 0, site,
            "drop text that repeats on the pages of a site; inputs are read twice"),
    WN_VALUE(TEXT, "store", 0, "STORE", store,
             "take the other pages that --site and the method outlier need from this store, not "
             "from the inputs"),
    WN_VALUE(TEXT, "url", 0, "URL", url,
             "the address of the page, for its links; only with one page"),
    WN_FROM_OPTIONS,
    WN_VALUE(TEXT, "charset", 0, "NAME", charset,
             "the encoding of the pages; overrides the declared encoding"),
    WN_VALUE(NUMBER, "limit", 0, "N", limit, "only the first N pages", .min = 1),

    {.heading = "Style sheets (methods eifce, fe, kfe)"},
    WN_STYLE_OPTIONS,

    {.heading = "Output"},
    WN_VALUE(CHOICE, "format", 'f', "FORMAT", format,
             "the output format (default: by FILE's extension)", .choices = format_name,
             .aliases = format_alias, .summaries = format_summary),
    WN_VALUE(TEXT, "output", 'o', "FILE", output,
             "write to FILE, which appears when it is complete; - is standard output; DIR/ gets a "
             "file per page and index.jsonl"),
    WN_FLAG("overwrite", 0, overwrite,
            "replace FILE if it exists; write into DIR/ even if it is not empty"),
    WN_RAW_OPTION,
    WN_FLAG("links", 0, links, "keep links (md, html, xml, tei), list them (json, jsonl)"),
    WN_FLAG("formatting", 0, formatting, "keep bold and italics (md, html, xml, tei)"),
    WN_FLAG("images", 0, images,
            "show images by their address (md, html, xml, tei), list them (json, jsonl)"),
    WN_FLAG("load-images", 0, load_images,
            "html: let browsers load the images from the web when the page is opened"),
    WN_FLAG("title", 0, title, "begin with the page's title, also in txt, json and jsonl"),
    WN_FLAG("no-title", 0, no_title,
            "md, html, xml, tei: do not add the page's title if the text does not contain it"),
    WN_VALUE(CHOICE, "text-format", 0, "FORMAT", text_format,
             "form of the text in json and jsonl (default: txt)", .choices = text_form),
    WN_FLAG("with-blocks", 0, with_blocks, "list the blocks of the text (json, jsonl)"),
    WN_FLAG("no-tables", 0, no_tables, "leave out data tables"),
    WN_CSV_SAFE_OPTION,
    WN_FLAG("with-metadata", 0, with_metadata,
            "begin with title, authors, date, … as YAML (txt, md); the others always have them"),
    WN_VALUE(MAYBE, "explain", 0, "FORM", explain,
             "show every block of the page and why it was kept or dropped: short (in words, the "
             "default) or full (a table of all numbers)",
             .choices = wn_cli_explanation_name),
    WN_FLAG("timing", 0, timing,
            "put the time for each page, in milliseconds, into its record "
            "(json, jsonl)"),
    WN_FLAG("progress", 0, progress,
            "show progress and a summary even if standard error is not "
            "a terminal"),
    WN_FLAG("quiet", 'q', quiet, "no progress, no summary, no warnings; only errors"),

    {.heading = "Work and its limits"},
    WN_JOBS_OPTION,
    WN_MAX_BYTES_OPTION,
    WN_VALUE(SIZE, "max-record", 0, "SIZE", max_record,
             "the same for a page that is compressed or in an archive (default: 32M)", .min = 1,
             .max = WN_LARGEST_PAGE),
    WN_VALUE(SIZE, "max-nodes", 0, "N", max_nodes,
             "elements, texts and comments of a page (default: 3000000; 0: no limit)",
             .max = UINT32_MAX),
    WN_VALUE(NUMBER, "max-depth", 0, "N", max_depth,
             "nesting of elements (default: 512; 0: 65535, the most there is)", .max = UINT16_MAX),
    WN_VALUE(NUMBER, "max-attributes", 0, "N", max_attributes,
             "attributes of an element (default: 1024; 0: no limit)", .max = UINT32_MAX),
    WN_PAGE_LIMIT_OPTIONS,

    WN_SANDBOX_OPTION,

    {.heading = "Pages from the web"},
    WN_WEB_OPTIONS,

    {.heading = "Help"},
    {0},
};

static settings default_settings(void)
{
    settings s = {
        .format = (size_t)FORMAT_OF_OUTPUT,
        .max_nodes = winnow_options_number(NULL, WINNOW_OPTION_MAX_NODES),
        .max_depth = winnow_options_number(NULL, WINNOW_OPTION_MAX_DEPTH),
        .max_attributes = winnow_options_number(NULL, WINNOW_OPTION_MAX_ATTRIBUTES),
        .web = wn_cli_job_web(),
    };
    return s;
}

static winnow_format format_of_name(const char *path)
{
    const winnow_format_info *format = wn_cli_job_format_of(path);
    return format ? format->format : WINNOW_FORMAT_TEXT;
}

/* Says which options were given for nothing: people wonder otherwise why nothing changes. */
static void say_without_effect(const settings *s, const winnow_method_info *method)
{
    const winnow_format_info *format = winnow_format_at(s->format);
    bool text = s->format == WINNOW_FORMAT_TEXT || s->format == WINNOW_FORMAT_MARKDOWN;
    bool json = s->format == WINNOW_FORMAT_JSON || s->format == WINNOW_FORMAT_JSONL;
    bool sheets = s->styles.css.count > 0 || s->styles.fetch_css || s->styles.css_root;
    const struct {
        bool useless;
        const char *option;
    } in_format[] = {
        {s->links && !format->has_links, "links"},
        {s->images && !format->has_images, "images"},
        {s->load_images && s->format != WINNOW_FORMAT_HTML, "load-images"},
        {s->formatting &&
             (json || s->format == WINNOW_FORMAT_TEXT || s->format == WINNOW_FORMAT_CSV),
         "formatting"},
        {s->with_metadata && !text, "with-metadata"},
        {s->timing && !json, "timing"},
        {s->with_blocks && !json, "with-blocks"},
        {s->text_format && !json, "text-format"},
        {s->csv_safe && s->format != WINNOW_FORMAT_CSV, "csv-safe"},
        {s->no_title && (json || s->format == WINNOW_FORMAT_TEXT || s->format == WINNOW_FORMAT_CSV),
         "no-title"},
    };
    if (s->quiet || s->explain)
        return;
    for (size_t i = 0; i < sizeof in_format / sizeof *in_format; i++)
        if (in_format[i].useless)
            wn_io_sayf("--%s has no effect with --format %s", in_format[i].option, format->name);
    if (sheets && !method->needs_layout)
        wn_io_sayf("style sheets have no effect with --method %s, which does not lay pages out",
                   method->name);
}

/* Whether --with and --without name roles; WN_GO_ON or an exit code. */
static int check_roles(const wn_command *command, const settings *s)
{
    winnow_options *o = winnow_options_new();
    bool right = winnow_options_set_text(o, WINNOW_OPTION_WITH, s->with) == WINNOW_STATUS_OK &&
                 winnow_options_set_text(o, WINNOW_OPTION_WITHOUT, s->without) == WINNOW_STATUS_OK;
    int code = right ? WN_GO_ON
                     : wn_cli_wrong_usage(command, "%s", winnow_options_error(o)->message);
    winnow_options_free(o);
    return code;
}

/* What no single option can check; WN_GO_ON or an exit code. */
static int check_settings(settings *s, char **names, bool single)
{
    if (s->format == (size_t)FORMAT_OF_OUTPUT)
        s->format = s->output && !wn_cli_folder_is_meant(s->output) ? format_of_name(s->output)
                                                                    : WINNOW_FORMAT_TEXT;
    const wn_command *command = &wn_command_extract;
    int code = wn_cli_job_check_url(command, s->url, single);
    if (code != WN_GO_ON)
        return code;
    code = check_roles(command, s);
    if (code != WN_GO_ON)
        return code;
    if (s->explain && !winnow_format_at(s->format)->has_explanation)
        return wn_cli_wrong_usage(command, "--explain works with --format txt, md, json or jsonl");
    return wn_cli_job_check(command, names, s->charset, NULL, &s->web);
}

/* ---- The work ---------------------------------------------------------------------------- */

/* One page on its way. */
typedef struct task {
    wn_buf out;     /* its part of the output; empty: none */
    wn_buf message; /* for the user; empty: none */
    wn_buf url;     /* of a page in an archive or a JSON line */
    wn_buf name;    /* with -o DIR/: of its file, */
    wn_buf entry;   /* and what the index says of it */
    wn_io_outcome outcome;
    bool damaged;   /* its compression, or how it was sent */
    bool truncated; /* its end is missing */
    uint64_t bytes;
} task;

typedef struct extraction {
    const settings *settings;
    const char *const *names;
    const winnow_format_info *format;
    winnow_format_info bundle; /* the same, for several pages */
    const char *method;        /* with its parameters */
    winnow_options *options;   /* the same for all pages */
    bool needs_layout;         /* the method wants style sheets */
    wn_collection collection;  /* what the method must know of other pages */
    bool single;               /* one page */
    bool apart;                /* neither headings nor an array around pages: one, or a file each */
    bool to_folder;            /* a file each */
    bool colored;              /* what --explain shows */
    wn_cli_folder folder;
    winnow_inputs *inputs;
    wn_io_output output;
    wn_io_progress progress;
    double last_flush;
    bool flush_always;              /* somebody is looking at the terminal */
    uint64_t given, taken, written; /* pages */
    wn_buf around;                  /* what comes before a page, and at the end */
} extraction;

/* Whether --explain writes a table in place of the text; in JSON it is part of the record. */
static bool is_table(const extraction *e)
{
    return e->settings->explain && !e->format->tells_failures;
}

/* ---- Messages ---------------------------------------------------------------------------- */

/* Which limits a page reached, and the options that move them; or why else it has no content. */
static void say_limits(task *t, unsigned limited)
{
    static const struct {
        unsigned bit;
        const char *what;
    } limits[] = {
        {WINNOW_LIMITED_BYTES, "it is longer than --max-bytes or --max-record"},
        {WINNOW_LIMITED_NODES, "it has more nodes than --max-nodes"},
        {WINNOW_LIMITED_DEPTH, "it is nested deeper than --max-depth"},
        {WINNOW_LIMITED_ATTRIBUTES, "an element has more attributes than --max-attributes"},
        {WINNOW_LIMITED_MEMORY, "it needs more memory than --max-memory"},
        {WINNOW_LIMITED_TIME, "it takes longer than --max-time"},
        {WINNOW_LIMITED_WORK, "parts of it are too expensive"},
        {WINNOW_LIMITED_SCRIPTS, "its text is put there by JavaScript, which winnow does not run"},
        {WINNOW_LIMITED_CHALLENGE, "it only checks whether its visitor is a person"},
    };
    const char *separator = ": ";
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (!(limited & limits[i].bit))
            continue;
        wn_buf_add_format(&t->message, "%s%s", separator, limits[i].what);
        separator = "; ";
    }
}

/* Adds why a page that was read gave nothing; nothing if it gave something. */
static void add_reason(const extraction *e, winnow_status status, const winnow_loaded *loaded,
                       wn_buf *reason)
{
    wn_cli_job_add_reason(reason, status, loaded);
    if (status == WINNOW_STATUS_NO_MEMORY && e->settings->limits.max_memory)
        wn_buf_add_literal(reason, "; see --max-memory");
}

/* Errors are always said; warnings where the output does not tell, and not if --quiet. */
static void say_outcome(const extraction *e, task *t, const winnow_input *input,
                        const winnow_selection *content, const char *error, winnow_sheets *sheets)
{
    if (error) {
        wn_cli_job_add_unreadable(&t->message, input, error);
        return;
    }
    bool incomplete = t->damaged || t->truncated;
    if (incomplete && input->kind != WINNOW_INPUT_RECORD && !e->settings->quiet) {
        wn_cli_job_add_name(&t->message, input);
        wn_buf_add_literal(&t->message, " is not complete: its compression is damaged");
        return;
    }
    if (e->settings->quiet || (e->format->tells_failures && !e->single))
        return;
    if (incomplete) {
        wn_cli_job_add_name(&t->message, input);
        wn_buf_add_literal(&t->message, " is not complete: ");
        wn_buf_add_literal(&t->message, t->damaged ? "it is damaged in the archive"
                                                   : "its end is missing in the archive");
    } else if (winnow_selection_status(content) == WINNOW_STATUS_EMPTY) {
        wn_cli_job_add_name(&t->message, input);
        wn_buf_add_literal(&t->message, t->bytes ? " has no content" : " is empty");
        say_limits(t, winnow_selection_limited(content));
    } else if (winnow_selection_limited(content)) {
        wn_cli_job_add_name(&t->message, input);
        wn_buf_add_literal(&t->message, " is not complete");
        say_limits(t, winnow_selection_limited(content));
    } else if (e->needs_layout) {
        wn_cli_add_missing_styles(&t->message, input->id, sheets);
    }
}

/* ---- Workers ----------------------------------------------------------------------------- */

/* Writes the page's part of the output. `content` is NULL if the page could not be read. */
static void write_page(const extraction *e, winnow_worker *worker, task *t,
                       winnow_selection *content, const winnow_record *record)
{
    if (content && !record->error && is_table(e))
        wn_cli_explain(&t->out, worker->page, content, (wn_cli_explanation)e->settings->explain,
                       e->colored);
    else
        wn_io_bundle_page(&t->out, e->format, worker, content, record, !e->apart);
}

static wn_io_outcome outcome_of(const winnow_selection *content, const char *error)
{
    if (error)
        return WN_IO_PAGE_FAILED;
    return winnow_selection_status(content) == WINNOW_STATUS_EMPTY ? WN_IO_PAGE_EMPTY
                                                                   : WN_IO_PAGE_DONE;
}

static winnow_selection *extract_page(const extraction *e, winnow_worker *worker,
                                      const winnow_input *input, winnow_record *record)
{
    const settings *s = e->settings;
    wn_cli_collection_apply(&e->collection, input, record->url, worker->options);
    if (e->needs_layout)
        winnow_sheets_offer(*(winnow_sheets **)worker->own, input, e->names, record->url,
                            worker->options);
    double start = s->timing ? wn_io_seconds() : 0;
    winnow_parse(worker->page, worker->loaded->bytes, worker->loaded->size, worker->options);
    winnow_selection *content = winnow_select(worker->page, e->method, worker->options);
    record->timed = s->timing;
    record->milliseconds = s->timing ? (wn_io_seconds() - start) * 1000 : 0;
    return content;
}

/* What the index of a directory says of a page, but for its file. */
static void describe_page(const extraction *e, task *t, const winnow_input *input,
                          const winnow_record *record)
{
    wn_json_writer json = {.out = &t->entry, .comma = true};
    wn_cli_folder_add_name(&t->name, record->url, record->id, e->names[input->name]);
    wn_json_key(&json, "id");
    wn_json_outside(&json, wn_str_of(record->id));
    wn_json_key(&json, "url");
    if (record->url)
        wn_json_outside(&json, wn_str_of(record->url));
    else
        wn_json_null(&json);
    wn_json_key(&json, "status");
    wn_json_c_string(&json, winnow_status_name(record->status));
}

/* What a page among others is headed by: of one in an archive its address, if it is known. */
static void note_address(task *t, const winnow_input *input, const char *url)
{
    bool inside = input->kind == WINNOW_INPUT_RECORD || input->kind == WINNOW_INPUT_LINE;
    if (inside && url)
        wn_buf_add_literal(&t->url, url);
}

static void finish_task(const extraction *e, winnow_worker *worker, winnow_task *place,
                        winnow_selection *content, const winnow_record *record)
{
    task *t = place->own;
    write_page(e, worker, t, content, record);
    note_address(t, place->input, record->url);
    if (e->to_folder)
        describe_page(e, t, place->input, record);
    t->outcome = outcome_of(content, record->error);
    say_outcome(e, t, place->input, content, record->error, *(winnow_sheets **)worker->own);
    if (t->out.failed) {
        wn_buf_free(&t->out);
        wn_buf_clear(&t->message);
        t->outcome = WN_IO_PAGE_FAILED;
        wn_cli_job_add_unreadable(&t->message, place->input, "out of memory");
    }
    place->waiting = t->out.len;
}

static void work_on_page(void *data, winnow_worker *worker, winnow_task *place)
{
    const extraction *e = data;
    const winnow_input *input = place->input;
    const winnow_loaded *loaded = worker->loaded;
    task *t = place->own;
    wn_buf reason = {0};
    winnow_selection *content = NULL;
    winnow_record record = wn_io_record_of(worker, input);
    t->bytes = loaded->size;
    t->damaged = loaded->damaged;
    t->truncated = loaded->truncated;
    wn_cli_job_add_load_error(&reason, loaded);
    if (!loaded->error) {
        content = extract_page(e, worker, input, &record);
        record.status = wn_cli_job_status(content);
        add_reason(e, record.status, loaded, &reason);
    }
    record.error = reason.len ? wn_buf_c_string(&reason) : NULL;
    finish_task(e, worker, place, content, &record);
    wn_buf_free(&reason);
}

static bool begin_worker(void *data, winnow_worker *worker)
{
    const settings *s = ((const extraction *)data)->settings;
    winnow_sheets **sheets = worker->own;
    *sheets = wn_cli_linked_styles(&s->styles, &s->web);
    return *sheets != NULL;
}

static void end_worker(void *data, winnow_worker *worker)
{
    (void)data;
    winnow_sheets_free(*(winnow_sheets **)worker->own);
}

/* ---- The caller's thread ----------------------------------------------------------------- */

static bool next_page(void *data, winnow_task *place)
{
    extraction *e = data;
    task *t = place->own;
    e->given++;
    t->bytes = 0;
    return true;
}

/* Makes the task ready for its next page. */
static void empty_task(task *t)
{
    if (t->out.cap > KEPT_OUTPUT)
        wn_buf_free(&t->out);
    wn_buf_clear(&t->out);
    wn_buf_clear(&t->message);
    wn_buf_clear(&t->url);
    wn_buf_clear(&t->name);
    wn_buf_clear(&t->entry);
}

static void end_task(void *data, winnow_task *place)
{
    task *t = place->own;
    (void)data;
    wn_buf_free(&t->out);
    wn_buf_free(&t->message);
    wn_buf_free(&t->url);
    wn_buf_free(&t->name);
    wn_buf_free(&t->entry);
}

static void show_progress(extraction *e)
{
    if (!wn_io_progress_due(&e->progress))
        return;
    bool exact;
    uint64_t ahead = e->given - e->taken + winnow_inputs_ahead(e->inputs, &exact);
    uint64_t limit = e->settings->limit;
    if (limit && ahead > limit - e->taken)
        ahead = limit - e->taken;
    e->progress.read = winnow_inputs_bytes(e->inputs, &e->progress.total);
    wn_io_progress_show(&e->progress, ahead, exact);
}

/* The format around the pages; --explain writes its tables as text. */
static const winnow_format_info *bundle_format(const extraction *e)
{
    return is_table(e) ? winnow_format_at(WINNOW_FORMAT_TEXT) : &e->bundle;
}

static void add_around(extraction *e)
{
    wn_io_output_add(&e->output, wn_buf_str(&e->around));
    wn_buf_clear(&e->around);
}

/* What comes before a page in the output. One page is a whole document; a table has its head. */
static void add_before(extraction *e, const char *name)
{
    if (!e->apart)
        wn_io_bundle_before(&e->around, bundle_format(e), name, e->written);
    else if (e->format->format == WINNOW_FORMAT_CSV)
        wn_buf_add_literal(&e->around, e->format->head);
    add_around(e);
}

/* What comes after the last page. */
static void add_end(extraction *e)
{
    if (!e->apart)
        wn_io_bundle_after(&e->around, bundle_format(e), e->written);
    add_around(e);
}

static void flush_sometimes(extraction *e)
{
    double now = wn_io_seconds();
    if (!e->flush_always && now - e->last_flush < FLUSH_INTERVAL)
        return;
    wn_io_output_flush(&e->output);
    e->last_flush = now;
}

/* While a page takes long, its reader gets those before it. */
static void wait_for_page(void *data)
{
    flush_sometimes(data);
    show_progress(data);
}

/* Everything up to this input is written: a later run may continue after it. */
static void save_state(extraction *e, const winnow_input *last)
{
    wn_buf text = {0};
    wn_work_state state = {
        .last = {.name = last->name,
                 .id = last->id,
                 .file = last->file,
                 .offset = last->offset,
                 .inner = last->inner,
                 .broken = last->broken},
        .taken = e->taken,
        .written = e->written,
    };
    wn_cli_resume_write(&text, &state, &e->progress);
    wn_io_output_checkpoint(&e->output, wn_buf_str(&text));
    wn_buf_free(&text);
}

static void cannot_write(extraction *e, const wn_buf *name, const char *reason)
{
    wn_io_output *output = &e->output;
    wn_buf path = {0};
    wn_buf_add(&path, wn_buf_str(&e->folder.path));
    wn_buf_add(&path, wn_buf_str(name));
    output->state = WN_IO_OUTPUT_FAILED;
    wn_buf_clear(&output->error);
    wn_buf_add_literal(&output->error, "cannot write ");
    wn_add_quoted(&output->error, wn_buf_c_string(&path));
    wn_buf_add_format(&output->error, ": %s", reason);
    wn_buf_free(&path);
}

/* Writes the page to a file of its own, and its line to the index. */
static void add_file(extraction *e, task *t)
{
    wn_json_writer json = {.out = &e->around};
    const char *error = NULL;
    if (t->entry.len == 0) /* not a page after all */
        return;
    if (t->out.len > 0 && e->format->format == WINNOW_FORMAT_CSV) {
        wn_buf_add_literal(&e->around, e->format->head);
        wn_buf_add(&e->around, wn_buf_str(&t->out));
        error = wn_cli_folder_write(&e->folder, &t->name, wn_buf_str(&e->around));
        wn_buf_clear(&e->around);
    } else if (t->out.len > 0) {
        error = wn_cli_folder_write(&e->folder, &t->name, wn_buf_str(&t->out));
    }
    if (error) {
        cannot_write(e, &t->name, error);
        return;
    }
    wn_json_begin_object(&json);
    wn_json_key(&json, "file");
    wn_json_c_string(&json, t->out.len > 0 ? wn_buf_c_string(&t->name) : NULL);
    wn_buf_add(&e->around, wn_buf_str(&t->entry));
    wn_json_end_object(&json);
    wn_buf_add_char(&e->around, '\n');
    add_around(e);
}

static void add_page(extraction *e, task *t, const winnow_input *input)
{
    add_before(e, t->url.len ? wn_buf_c_string(&t->url) : input->id);
    wn_io_output_add(&e->output, wn_buf_str(&t->out));
}

static bool checkpoint_due(extraction *e)
{
    return e->to_folder ? e->output.resumable && wn_cli_folder_checkpoint_due(&e->folder)
                        : wn_io_output_checkpoint_due(&e->output);
}

static bool take_task(void *data, winnow_task *place)
{
    extraction *e = data;
    task *t = place->own;
    e->taken++;
    if (!place->skipped)
        wn_io_progress_count(&e->progress, t->outcome, t->bytes);
    if (e->to_folder)
        add_file(e, t);
    else if (t->out.len > 0)
        add_page(e, t, place->input);
    e->written += t->out.len > 0;
    if (e->output.state == WN_IO_OUTPUT_OPEN && checkpoint_due(e))
        save_state(e, place->input);
    flush_sometimes(e);
    if (t->message.len > 0) {
        wn_io_progress_wipe(&e->progress);
        wn_io_say(&t->message);
    }
    empty_task(t);
    show_progress(e);
    return e->output.state == WN_IO_OUTPUT_OPEN;
}

/* ---- Setting up and ending --------------------------------------------------------------- */

/* What the library is asked for, as strings that live as long as the work. */
typedef struct request_texts {
    wn_buf method, footer_words, stop_words;
    wn_style_files styles;
} request_texts;

/* The options of the library, the same for all pages; NULL if out of memory. */
static winnow_options *library_options(const settings *s, request_texts *texts, bool apart)
{
    winnow_options *o = wn_cli_job_options(&s->web, &s->limits, s->charset);
    winnow_options_set_text(o, WINNOW_OPTION_URL, s->url);
    winnow_options_set_text(o, WINNOW_OPTION_WITH, s->with);
    winnow_options_set_text(o, WINNOW_OPTION_WITHOUT, s->without);
    const struct {
        winnow_option option;
        bool value;
    } flags[] = {
        {WINNOW_OPTION_LINKS, s->links},
        {WINNOW_OPTION_FORMATTING, s->formatting},
        {WINNOW_OPTION_IMAGES, s->images},
        {WINNOW_OPTION_TABLES, !s->no_tables},
        {WINNOW_OPTION_METADATA, s->with_metadata},
        {WINNOW_OPTION_EXPLAIN, s->explain},
        {WINNOW_OPTION_BLOCKS, s->with_blocks},
        {WINNOW_OPTION_TITLE, s->title},
        {WINNOW_OPTION_HEADING, !s->no_title},
        {WINNOW_OPTION_STANDALONE, apart},
        {WINNOW_OPTION_CSV_SAFE, s->csv_safe},
        {WINNOW_OPTION_LOAD_IMAGES, s->load_images},
    };
    const struct {
        winnow_option option;
        uint64_t value;
    } limits[] = {
        {WINNOW_OPTION_TEXT_FORMAT, s->text_format},
        {WINNOW_OPTION_MAX_NODES, s->max_nodes},
        {WINNOW_OPTION_MAX_DEPTH, s->max_depth},
        {WINNOW_OPTION_MAX_ATTRIBUTES, s->max_attributes},
    };
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        winnow_options_set_flag(o, flags[i].option, flags[i].value);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        winnow_options_set_number(o, limits[i].option, limits[i].value);
    wn_cli_method_set_words(o, wn_buf_c_string(&texts->method), &texts->footer_words,
                            &texts->stop_words);
    for (size_t i = 0; i < texts->styles.count; i++) {
        wn_str bytes = wn_buf_str(&texts->styles.bytes[i]);
        winnow_options_add_sheet(o, &(winnow_sheet){.struct_size = sizeof(winnow_sheet),
                                                    .bytes = bytes.ptr,
                                                    .size = bytes.len});
    }
    return o;
}

static int exit_code(const extraction *e)
{
    const wn_io_progress *p = &e->progress;
    if (e->output.state == WN_IO_OUTPUT_FAILED)
        return WN_EXIT_FAILED;
    if (e->output.state == WN_IO_OUTPUT_CLOSED)
        return WN_EXIT_OK;
    if (p->failed > 0)
        return WN_EXIT_FAILED;
    return p->empty == 1 && p->done == 0 ? WN_EXIT_EMPTY : WN_EXIT_OK;
}

/* Sends the pages through the workers; false, after a message, if out of memory. */
static bool run_pages(extraction *e)
{
    winnow_run run = {
        .struct_size = sizeof run,
        .inputs = e->inputs,
        .options = e->options,
        .threads = wn_cli_job_count(e->settings->jobs, e->single),
        .limit = e->settings->limit ? e->settings->limit - e->taken : 0,
        .task_size = sizeof(task),
        .worker_size = sizeof(winnow_sheets *),
        .begin_worker = begin_worker,
        .end_worker = end_worker,
        .next = next_page,
        .work = work_on_page,
        .take = take_task,
        .end_task = end_task,
        .idle = wait_for_page,
        .data = e,
    };
    bool enough = e->settings->limit && e->taken >= e->settings->limit;
    if (enough || winnow_run_pages(&run) != WINNOW_STATUS_NO_MEMORY)
        return true;
    wn_io_sayf("cannot start: out of memory; try fewer --jobs");
    return false;
}

/*
 * Continues after the last checkpoint of an earlier run, if there is one. False if out of memory.
 */
static bool take_up_work(extraction *e, char **names)
{
    wn_work_state state = {0};
    if (e->output.saved.len == 0)
        return true;
    if (wn_cli_resume_read(wn_buf_str(&e->output.saved), &state, &e->progress) &&
        winnow_inputs_resume(e->inputs, &state.last)) {
        e->given = e->taken = state.taken;
        e->written = state.written;
        e->progress.read_before = winnow_inputs_bytes(e->inputs, NULL);
        if (!e->settings->quiet)
            wn_io_sayf("resuming after %llu pages of an earlier run",
                       (unsigned long long)state.taken);
    } else {
        wn_io_output_restart(&e->output);
        if (e->to_folder)
            wn_cli_folder_restart(&e->folder);
        e->progress.done = e->progress.empty = e->progress.failed = e->progress.bytes = 0;
        winnow_inputs_close(e->inputs);
        e->inputs = wn_cli_job_open(names, &e->settings->web, e->settings->max_record);
    }
    wn_buf_free(&state.memory);
    return e->inputs != NULL;
}

static int extract_all(extraction *e, char **names)
{
    const settings *s = e->settings;
    wn_cli_job_say_terminal(names, s->quiet);
    /* What --explain shows is harmless to a terminal already, and may have colours. */
    wn_io_output_set_raw(&e->output, s->raw || is_table(e));
    e->colored = is_table(e) && wn_io_color_at(s->output ? -1 : STDOUT_FILENO);
    e->single = e->single && winnow_inputs_single(e->inputs); /* looks at standard input, too */
    e->apart = e->single || e->to_folder;
    winnow_options_set_flag(e->options, WINNOW_OPTION_STANDALONE, e->apart);
    bool to_terminal = !s->output && isatty(STDOUT_FILENO);
    e->flush_always = to_terminal;
    wn_io_progress_begin(&e->progress, s->progress, s->quiet, !e->single, to_terminal);
    if (!take_up_work(e, names) || !run_pages(e))
        return WN_EXIT_FAILED;
    if (e->output.state == WN_IO_OUTPUT_OPEN)
        add_end(e);
    bool written = wn_io_output_finish(&e->output);
    if (e->output.state != WN_IO_OUTPUT_CLOSED)
        wn_io_progress_end(&e->progress);
    if (!written && e->output.kept)
        wn_buf_add_literal(&e->output.error, "; run the same command again to continue");
    if (!written)
        wn_io_say(&e->output.error);
    return exit_code(e);
}

/* Work on many pages that goes to a file can be taken up again. */
static bool open_file(extraction *e, const char *path, char **names, wn_buf *key)
{
    bool overwrite = e->settings->overwrite;
    bool file = path && strcmp(path, "-") != 0;
    if (!file || e->single || !wn_cli_resume_possible(names))
        return wn_io_output_open(&e->output, path, overwrite);
    wn_cli_resume_add_files(key, names);
    return wn_io_output_open_resumable(&e->output, path, overwrite, wn_buf_str(key));
}

/*
 * Opens a directory, which must be empty unless it is to be overwritten, or is of an earlier run.
 */
static bool open_folder(extraction *e, char **names, wn_buf *key)
{
    static const char not_empty[] =
        "it is not empty; --overwrite writes into it, and replaces files "
        "of the same names";
    const settings *s = e->settings;
    const wn_buf no_name = {0};
    wn_cli_folder *folder = &e->folder;
    const char *ending = is_table(e) ? ".txt" : e->format->endings[0];
    const char *error = wn_cli_folder_open(folder, s->output, ending, s->overwrite);
    if (!error && !folder->was_empty && !s->overwrite && !wn_cli_folder_was_begun(folder))
        error = not_empty;
    if (!error && !open_file(e, wn_buf_c_string(&folder->index), names, key))
        return false;
    if (!error && e->output.saved.len > 0)
        error = wn_cli_folder_resume(folder, wn_buf_c_string(&e->output.temporary),
                                     e->output.written);
    else if (!error && !folder->was_empty && !s->overwrite)
        error = not_empty;
    if (error)
        cannot_write(e, &no_name, error);
    return !error;
}

static bool open_output(extraction *e, char **names, wn_buf *key)
{
    return e->to_folder ? open_folder(e, names, key)
                        : open_file(e, e->settings->output, names, key);
}

/* Learns what the method must know of other pages. */
static int learn_collection(extraction *e, char **names)
{
    const settings *s = e->settings;
    wn_collection_plan plan = {
        .command = &wn_command_extract,
        .method = e->method,
        .store = s->store,
        .site = s->site,
        .names = names,
        .single = e->single,
        .jobs = wn_cli_job_count(s->jobs, e->single),
        .http = &s->web,
        .max_record = s->max_record,
        .options = e->options,
    };
    return wn_cli_collection_learn(&e->collection, &plan);
}

/* Style sheets on disk are read from the folder of the page, or below --css-root. */
static int enter_sandbox(const extraction *e, char **names)
{
    const settings *s = e->settings;
    wn_cli_sandbox box = {.connects = s->styles.fetch_css};
    wn_cli_sandbox_read_all(&box, names, e->needs_layout && !s->styles.css_root);
    wn_cli_sandbox_read(&box, s->styles.css_root);
    wn_cli_sandbox_write(&box, e->to_folder ? e->folder.index.ptr : s->output);
    return wn_cli_sandbox_enter(&box, s->sandbox);
}

static int extract_with(const settings *s, char **args, winnow_inputs **inputs,
                        request_texts *texts, wn_buf *key)
{
    extraction e = {
        .settings = s,
        .names = (const char *const *)args,
        .format = winnow_format_at(s->format),
        .method = wn_buf_c_string(&texts->method),
        .inputs = *inputs,
        .single = wn_cli_job_is_single(*inputs, args),
        .to_folder = wn_cli_folder_is_meant(s->output),
        .folder = {.fd = -1},
    };
    e.apart = e.single || e.to_folder;
    e.needs_layout = winnow_method_find(e.method)->needs_layout;
    e.bundle = *e.format;
    if (s->load_images && e.format->format == WINNOW_FORMAT_HTML)
        e.bundle.head = WN_WRITE_HTML_HEAD(WN_WRITE_IMAGES_OF_THE_WEB);
    e.options = library_options(s, texts, e.apart);
    int code = learn_collection(&e, args);
    if (code == WN_GO_ON && !open_output(&e, args, key)) {
        wn_io_say(&e.output.error);
        code = WN_EXIT_USAGE;
    }
    if (code == WN_GO_ON)
        code = enter_sandbox(&e, args);
    if (code == WN_GO_ON)
        code = extract_all(&e, args);
    *inputs = e.inputs;
    wn_buf_free(&e.around);
    wn_io_output_free(&e.output);
    wn_cli_folder_free(&e.folder);
    winnow_options_free(e.options);
    wn_cli_collection_free(&e.collection);
    return code;
}

static int run_extract(const wn_command *command, char **args)
{
    settings s = default_settings();
    request_texts texts = {0};
    wn_buf key = {0};
    wn_cli_resume_add_words(&key, args);
    winnow_inputs *inputs = NULL;
    int code = wn_cli_options_parse(command, args, &s);
    if (code == WN_GO_ON && !(inputs = wn_cli_job_open(args, &s.web, s.max_record)))
        code = WN_EXIT_FAILED;
    if (code == WN_GO_ON)
        code = check_settings(&s, args, !s.url || wn_cli_job_is_single(inputs, args));
    if (code == WN_GO_ON)
        code = wn_cli_method(command, &s.method, &texts.method);
    if (code == WN_GO_ON)
        code = wn_cli_method_words(command, &s.method, &texts.footer_words, &texts.stop_words);
    if (code == WN_GO_ON && !wn_cli_read_styles(&s.styles, &texts.styles))
        code = WN_EXIT_USAGE;
    if (code == WN_GO_ON)
        code = wn_cli_job_check_output(command, args, s.output);
    if (code == WN_GO_ON) {
        say_without_effect(&s, winnow_method_find(wn_buf_c_string(&texts.method)));
        code = extract_with(&s, args, &inputs, &texts, &key);
    }
    winnow_inputs_close(inputs);
    wn_cli_free_styles(&texts.styles);
    wn_buf_free(&key);
    wn_buf_free(&texts.method);
    wn_buf_free(&texts.footer_words);
    wn_buf_free(&texts.stop_words);
    return code;
}

const wn_command wn_command_extract = {
    .name = "extract",
    .operands = "[INPUT...]",
    .summary = "the main content of pages, as text, Markdown, JSON, HTML, XML, …",
    .about = "Prints the main content of web pages.\n"
             "\n"
             "INPUT is a page, also compressed; a web archive (WARC or ARC; plain, gzip, zstd\n"
             "or lz4); a file of JSON lines with a field 'html' (.jsonl, also compressed); a\n"
             "directory (all pages and web archives below it: names that end in .html, .htm,\n"
             ".xhtml, .xht, .shtml, .warc, .warc.gz, …, in bytewise order; links to\n"
             "directories are not followed); an http or https address; or - for standard\n"
             "input, which is also read if there is no INPUT. Pages are written in the order\n"
             "of the inputs.",
    .notes = "Several pages: in txt each begins with a line '==> NAME <==', in md with a\n"
             "comment '<!-- NAME -->'; json is an array, jsonl one record per line, html one\n"
             "page of articles, xml a corpus, tei a teiCorpus, csv one line per page. json,\n"
             "jsonl, xml and csv also list pages that failed. A directory always counts as\n"
             "several pages. With -o DIR/ each page becomes a file, named after its address or\n"
             "its file; index.jsonl lists which page is in which file.\n"
             "\n"
             "Exit status: 0 success; 1 an input could not be read or is not a web page, or\n"
             "the output could not be written; 2 wrong usage; 3 one page, and it has no\n"
             "content; 130 interrupted.\n"
             "\n"
             "Examples:\n"
             "  winnow extract page.html\n"
             "  winnow extract -f md --links https://example.org/article\n"
             "  curl -s https://example.org/ | winnow extract --url https://example.org/\n"
             "  winnow extract -f jsonl -o pages.jsonl crawl/\n"
             "  winnow extract -f jsonl -o text.jsonl.zst crawl.warc.gz\n"
             "  winnow extract -f md -o articles/ crawl.warc.gz\n"
             "  winnow extract --explain page.html",
    .options = options,
    .run = run_extract,
};
