/*
 * winnow segment: the visual blocks of a page, as data or drawn on it.
 */
#include <stdlib.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/job.h"
#include "cli/plot.h"
#include "cli/sandbox.h"
#include "cli/styles.h"
#include "io/message.h"
#include "io/sheets.h"
#include "io/output.h"
#include "io/reason.h"
#include "segment/segment.h"
#include "visual/distance.h"
#include "visual/vips.h"

enum {
    MIN_SIDE = 100, /* of the screen, in pixels */
    MAX_SIDE = 10000,
    MOST_BLOCKS = 1000,
};

#define NOT_GIVEN UINT64_MAX

/* The pictures first, in the order of wn_picture_format. */
typedef enum format {
    FORMAT_SVG = WN_PICTURE_SVG,
    FORMAT_PNG = WN_PICTURE_PNG,
    FORMAT_PDF = WN_PICTURE_PDF,
    FORMAT_HTML = WN_PICTURE_HTML,
    FORMAT_JSON,
    FORMAT_UNKNOWN,
} format;

typedef enum algorithm { EVBE, VIPS } algorithm;

static const char *format_name(const void *list, size_t index)
{
    (void)list;
    static const char *const names[] = {"svg", "png", "pdf", "html", "json", NULL};
    return names[index];
}

static const char *algorithm_name(const void *list, size_t index)
{
    (void)list;
    static const char *const names[] = {"evbe", "vips", NULL};
    return names[index];
}

static const char *algorithm_summary(const void *list, size_t index)
{
    (void)list;
    static const char *const summaries[] = {"ten rules and visual distances (default)",
                                            "separators and degrees of coherence", NULL};
    return summaries[index];
}

static const char *importance_name(const void *list, size_t index)
{
    (void)list;
    return wn_importance_names[index];
}

/* ---- Options ----------------------------------------------------------------------------- */

typedef struct settings {
    const char *output, *charset, *url, *size;
    size_t format, algorithm, importance;
    unsigned width, height;
    uint64_t pdoc, distance, blocks;
    wn_style_settings styles;
    wn_web_settings web;
    wn_page_limits limits;
    bool sandbox;
    bool strict, text, only_blocks, overwrite, quiet;
} settings;

static const wn_option options[] = {
    {.heading = "Blocks"},
    WN_VALUE(CHOICE, "algorithm", 'a', "NAME", algorithm, "how the page is divided",
             .choices = algorithm_name, .summaries = algorithm_summary),
    WN_VALUE(NUMBER, "distance", 0, "N", distance,
             "evbe: visual distance up to which nodes are one block (default: 3)",
             .max = WN_MOST_DISTANCE),
    WN_FLAG("strict", 0, strict, "evbe: rule 8 considers only floats, as in the paper"),
    WN_VALUE(NUMBER, "pdoc", 0, "N", pdoc,
             "vips: degree of coherence that every block must reach (default: 6)", .min = 1,
             .max = WN_VIPS_MOST_PDOC),
    WN_VALUE(CHOICE, "importance", 0, "NAME", importance, "how blocks are compared (default: gp)",
             .choices = importance_name),
    WN_VALUE(NUMBER, "blocks", 'k', "K", blocks, "choose the K best blocks (default: 1)", .min = 1,
             .max = MOST_BLOCKS),

    {.heading = "Page"},
    WN_VALUE(TEXT, "size", 0, "WxH", size, "the screen, in pixels (default: 1366x768)"),
    WN_STYLE_OPTIONS,
    WN_VALUE(TEXT, "url", 0, "URL", url,
             "the address of the page, for its style sheets; only with one page"),
    WN_VALUE(TEXT, "charset", 0, "NAME", charset, "the encoding of the input, if known"),

    {.heading = "Output"},
    WN_VALUE(CHOICE, "format", 'f', "FORMAT", format,
             "the tree, a picture, or the page with its blocks marked (default: by FILE's "
             "extension, else json)",
             .choices = format_name),
    WN_FLAG("text", 0, text, "json: with the text of each block that is in no smaller one"),
    WN_FLAG("only-blocks", 0, only_blocks, "svg, png, pdf: the blocks without the page"),
    WN_OUTPUT_OPTION,
    WN_FLAG("overwrite", 0, overwrite, "replace FILE if it exists"),
    WN_FLAG("quiet", 'q', quiet, "no warnings; only errors"),

    {.heading = "Limits"},
    WN_MAX_BYTES_OPTION,
    WN_PAGE_LIMIT_OPTIONS,
    WN_SANDBOX_OPTION,
    WN_WEB_OPTIONS,

    {.heading = "Help"},
    {0},
};

static settings default_settings(void)
{
    return (settings){
        .format = FORMAT_UNKNOWN,
        .size = "1366x768",
        .distance = NOT_GIVEN,
        .blocks = 1,
        .web = wn_cli_job_web(),
    };
}

/* What no single option can check; WN_GO_ON or an exit code. */
static int check_settings(settings *s, char **names, winnow_inputs *inputs)
{
    const wn_command *command = &wn_command_segment;
    int code = wn_cli_job_check(command, names, s->charset, NULL, &s->web);
    if (code == WN_GO_ON)
        code = wn_cli_job_check_url(command, s->url,
                                    !s->url || wn_cli_job_is_single(inputs, names));
    if (code != WN_GO_ON)
        return code;
    if (!wn_cli_size(s->size, MIN_SIDE, MAX_SIDE, &s->width, &s->height))
        return wn_cli_wrong_usage(command,
                                  "--size takes width and height between %d and %d, as "
                                  "1366x768",
                                  MIN_SIDE, MAX_SIDE);
    if (s->algorithm == EVBE && s->pdoc)
        return wn_cli_wrong_usage(command, "--pdoc is for --algorithm vips");
    if (s->algorithm == VIPS && (s->strict || s->distance != NOT_GIVEN))
        return wn_cli_wrong_usage(command, "--distance and --strict are for --algorithm evbe");
    if (s->distance == NOT_GIVEN)
        s->distance = wn_evbe_defaults.parent_bound;
    if (!s->pdoc)
        s->pdoc = WN_VIPS_DEFAULT_PDOC;
    if (s->format == FORMAT_UNKNOWN)
        s->format = wn_cli_format_of(s->output, format_name, FORMAT_JSON);
    if (s->format == FORMAT_UNKNOWN)
        return wn_cli_wrong_usage(command,
                                  "cannot tell the format from the name of the output; use an "
                                  "extension: .json, .svg, .png, .pdf or .html, or see --format");
    if (s->format != FORMAT_JSON && !wn_cli_job_is_single(inputs, names))
        return wn_cli_wrong_usage(command, "a picture shows one page; --format json takes several");
    bool drawn = s->format == FORMAT_PNG || s->format == FORMAT_PDF;
    return drawn ? wn_cli_picture_check(command, (wn_picture_format)s->format, s->output,
                                        "--format json, svg and html need neither")
                 : WN_GO_ON;
}

/* ---- The work ---------------------------------------------------------------------------- */

typedef struct job {
    const settings *settings;
    wn_segment_settings segment;
    wn_segmented segmented;
    winnow_inputs *inputs;
    wn_io_output output;
    wn_buf made; /* of the page at hand */
    const char *const *names;
    winnow_sheets *linked;
    wn_style_files styles;
    wn_css_sheet sheets[WN_OPTION_LIST_MAX];
    uint64_t failed, empty;
} job;

static void say_failed(job *j, const winnow_input *input, const char *error)
{
    wn_cli_job_say_unreadable(input, error);
    j->failed++;
}

/* Reads the sheets of --css; false, after a message, if that failed. */
static bool read_sheets(job *j)
{
    if (!wn_cli_read_styles(&j->settings->styles, &j->styles))
        return false;
    for (size_t i = 0; i < j->styles.count; i++)
        j->sheets[i] = (wn_css_sheet){.bytes = wn_buf_str(&j->styles.bytes[i])};
    j->segment.sheets = j->sheets;
    j->segment.sheet_count = j->styles.count;
    return true;
}

/* Says which linked sheets could not be fetched. */
static void say_missing_sheets(const job *j, const winnow_input *input)
{
    wn_buf message = {0};
    wn_cli_add_missing_styles(&message, input->id, j->linked);
    if (message.len > 0 && !j->settings->quiet)
        wn_io_say(&message);
    wn_buf_free(&message);
}

static void say_partial(const job *j, const winnow_input *input)
{
    wn_buf message = {0};
    wn_cli_job_add_name(&message, input);
    if (j->segmented.watch.late)
        wn_buf_add_literal(&message, " is not complete: it takes longer than --max-time");
    else
        wn_buf_add_format(
            &message, " is not complete: only its first %u nodes and %d boxes are laid out",
            wn_visual_most_nodes(j->settings->limits.max_memory), WN_VISUAL_MOST_BOXES);
    wn_io_say(&message);
    wn_buf_free(&message);
}

/* Finds the blocks of a page and says what is wrong with it; false if it cannot be shown. */
static bool find_blocks(job *j, const winnow_input *input, const winnow_loaded *loaded)
{
    const settings *s = j->settings;
    wn_str bytes = wn_str_from(loaded->bytes, loaded->size);
    if (bytes.len > s->web.max_bytes)
        bytes.len = (size_t)s->web.max_bytes;
    const char *charset = s->charset ? s->charset : loaded->charset;
    const char *url = s->url ? s->url : loaded->url;
    j->segment.load = wn_io_sheets_begin(j->linked, input, j->names, url) ? wn_io_sheets_load
                                                                          : NULL;
    j->segment.load_data = j->linked;
    j->segment.base = wn_buf_str(&j->linked->base);
    wn_buf error = {0};
    winnow_status status = wn_segment(&j->segmented, bytes, charset, &j->segment);
    if (status == WINNOW_STATUS_NO_MEMORY && j->segmented.watch.late)
        wn_buf_add_literal(&error, "it takes longer than --max-time");
    else
        wn_io_add_reason(&error, status, bytes);
    if (status == WINNOW_STATUS_NO_MEMORY && s->limits.max_memory && !j->segmented.watch.late)
        wn_buf_add_literal(&error, "; see --max-memory");
    bool sound = status == WINNOW_STATUS_OK || status == WINNOW_STATUS_PARTIAL;
    if (!sound)
        say_failed(j, input, wn_buf_c_string(&error));
    else
        say_missing_sheets(j, input);
    if (status == WINNOW_STATUS_PARTIAL && !s->quiet)
        say_partial(j, input);
    wn_buf_free(&error);
    return sound;
}

/* There are blocks, but nothing in them: the picture is blank. */
static void note_empty(job *j, const winnow_input *input)
{
    wn_buf message = {0};
    j->empty++;
    wn_cli_job_add_name(&message, input);
    wn_buf_add_literal(&message, " has no words: there is nothing to show");
    if (!j->settings->quiet)
        wn_io_say(&message);
    wn_buf_free(&message);
}

static void show_blocks(job *j, const winnow_input *input, const char *id)
{
    const settings *s = j->settings;
    wn_buf error = {0};
    wn_buf_clear(&j->made);
    if (s->format == FORMAT_JSON)
        wn_segment_json(&j->segmented, &j->segment, id, &j->made);
    else if (s->format == FORMAT_HTML)
        wn_segment_overlay(&j->segmented, &j->made);
    else
        wn_segment_picture(&j->segmented, &j->segment, (wn_picture_format)s->format, &j->made,
                           &error);
    if (j->made.failed || error.len > 0)
        say_failed(j, input, error.len ? wn_buf_c_string(&error) : "out of memory");
    else
        wn_io_output_add(&j->output, wn_buf_str(&j->made));
    wn_buf_free(&error);
    if (j->segmented.analysis.tree.blocks.items[WN_PAGE_BLOCK].gp.words == 0)
        note_empty(j, input);
}

static void segment_item(job *j, const winnow_input *input)
{
    const winnow_loaded *loaded = winnow_inputs_load(j->inputs);
    if (loaded->error)
        say_failed(j, input, loaded->error);
    else if (!loaded->skip && find_blocks(j, input, loaded))
        show_blocks(j, input, loaded->id ? loaded->id : input->id);
}

static bool start(job *j)
{
    const settings *s = j->settings;
    j->linked = wn_cli_linked_styles(&s->styles, &s->web);
    if (j->linked && wn_segment_init(&j->segmented))
        return true;
    wn_io_sayf("cannot start: out of memory");
    return false;
}

static int run_job(job *j, char **names)
{
    const winnow_input *input;
    if (!start(j))
        return WN_EXIT_FAILED;
    wn_cli_job_say_terminal(names, j->settings->quiet);
    bool single = wn_cli_job_is_single(j->inputs, names);
    while (j->output.state == WN_IO_OUTPUT_OPEN && (input = winnow_inputs_next(j->inputs)))
        segment_item(j, input);
    if (single && j->failed > 0)
        return WN_EXIT_FAILED;
    if (!wn_io_output_finish(&j->output)) {
        wn_io_say(&j->output.error);
        return WN_EXIT_FAILED;
    }
    return j->failed > 0 ? WN_EXIT_FAILED : single && j->empty > 0 ? WN_EXIT_EMPTY : WN_EXIT_OK;
}

static void free_job(job *j)
{
    wn_segment_free(&j->segmented);
    winnow_inputs_close(j->inputs);
    winnow_sheets_free(j->linked);
    wn_cli_free_styles(&j->styles);
    wn_io_output_free(&j->output);
    wn_buf_free(&j->made);
}

/* Style sheets on disk are read from the folder of the page, or below --css-root. */
static int enter_sandbox(const settings *s, char **names)
{
    wn_cli_sandbox box = {.connects = s->styles.fetch_css};
    wn_cli_sandbox_read_all(&box, names, !s->styles.css_root);
    wn_cli_sandbox_read(&box, s->styles.css_root);
    wn_cli_sandbox_write(&box, s->output);
    return wn_cli_sandbox_enter(&box, s->sandbox);
}

static int run_segment(const wn_command *command, char **args)
{
    settings s = default_settings();
    winnow_inputs *inputs = NULL;
    int code = wn_cli_options_parse(command, args, &s);
    if (code == WN_GO_ON && !(inputs = wn_cli_job_open(args, &s.web, 0)))
        code = WN_EXIT_FAILED;
    if (code == WN_GO_ON)
        code = check_settings(&s, args, inputs);
    job *j = code == WN_GO_ON ? calloc(1, sizeof *j) : NULL;
    if (!j) {
        if (code == WN_GO_ON)
            wn_io_sayf("cannot start: out of memory");
        winnow_inputs_close(inputs);
        return code == WN_GO_ON ? WN_EXIT_FAILED : code;
    }
    unsigned bound = (unsigned)s.distance;
    j->settings = &s;
    j->inputs = inputs;
    j->names = (const char *const *)args;
    j->segment = (wn_segment_settings){
        .pdoc = s.algorithm == VIPS ? (unsigned)s.pdoc : 0,
        .evbe = {.parent_bound = bound, .sibling_bound = bound, .strict = s.strict},
        .importance = (wn_importance)s.importance,
        .blocks = (uint32_t)s.blocks,
        .width = (float)s.width,
        .height = (float)s.height,
        .text = s.text,
        .boxes = s.only_blocks,
        .max_memory = s.limits.max_memory,
        .max_milliseconds = (uint64_t)(s.limits.max_time * 1000),
    };
    if (!read_sheets(j)) {
        code = WN_EXIT_USAGE;
    } else if (wn_io_output_open(&j->output, s.output, s.overwrite)) {
        code = enter_sandbox(&s, args);
        if (code == WN_GO_ON)
            code = run_job(j, args);
    } else {
        wn_io_say(&j->output.error);
        code = WN_EXIT_USAGE;
    }
    free_job(j);
    free(j);
    return code;
}

const wn_command wn_command_segment = {
    .name = "segment",
    .operands = "[INPUT...]",
    .summary = "the visual blocks of a page, and the most informative one",
    .about = "Lays pages out as a browser without scripts would, divides them into visual\n"
             "blocks, and finds the most informative one.\n"
             "\n"
             "INPUT is a page, a web archive, a file of JSON lines with a field 'html', a\n"
             "directory (all pages and web archives below it), an http or https address, or\n"
             "- for standard input, which is also read if there is no INPUT. Pictures show one\n"
             "page.",
    .notes = "JSON has one record per page, on one line: the blocks with box, General\n"
             "Parameters, importance, the rule that made them, and XPath. Leaves have names,\n"
             "BL1, BL2, …, in the order of the page. Pictures draw the leaves and the chosen\n"
             "blocks, numbered by importance. html is the page without scripts, its blocks\n"
             "outlined and named on hover.\n"
             "\n"
             "Exit status: 0 success; 1 an input could not be read, or the output could\n"
             "not be written; 2 wrong usage; 3 one page with nothing to see; 130 interrupted.\n"
             "\n"
             "Examples:\n"
             "  winnow segment page.html\n"
             "  winnow segment -o blocks.png page.html\n"
             "  winnow segment --algorithm vips --pdoc 9 -o blocks.svg page.html",
    .options = options,
    .run = run_segment,
};
