/*
 * winnow cloud: the words of pages as a tag cloud.
 *
 * Page after page its main content is found, cut into words and counted (draw/count.h); when
 * all are read the most frequent words become a picture (draw/canvas.h) or a list.
 */
#include <stdlib.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/methods.h"
#include "draw/canvas.h"
#include "html/encoding.h"
#include "io/input.h"
#include "io/message.h"
#include "io/output.h"
#include "io/progress.h"
#include "text/language.h"
#include "winnow.h"

#define LARGEST_PAGE (UINT64_C(2) << 30) /* the library takes no more */

enum {
    MAX_WORDS = 2000,
    MIN_SIDE = 50, /* of the picture, in pixels */
    MAX_SIDE = 10000,
    MAX_STOPWORDS = 64 << 20, /* bytes of a file of stop words */
    SAMPLE = 64 << 10,        /* bytes from which a language is guessed */
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
    const char *language, *stopwords, *charset, *output, *size, *font;
    wn_method_settings method;
    size_t format, palette;
    unsigned width, height;
    bool overwrite, progress, quiet, allow_private;
    uint64_t words, min_count, seed, max_bytes, max_redirects;
    double timeout;
} settings;

static const wn_option options[] = {
    {.heading = "Words"},
    WN_VALUE(NUMBER, "words", 'n', "N", words, "the N most frequent words (default: 100)", .min = 1,
             .max = MAX_WORDS),
    WN_VALUE(NUMBER, "min-count", 0, "N", min_count,
             "only words that stand there N times (default: 1)", .min = 1),
    WN_VALUE(TEXT, "method", 'm', "NAME", method.method,
             "how the content of a page is found (default: auto; all: everything), with parameters "
             "as for extract",
             .choices = wn_cli_method_name),
    WN_VALUE(TEXT, "language", 0, "CODE", language,
             "the language: en, de, th, … (default: what a page declares, else a guess)"),
    WN_VALUE(TEXT, "stopwords", 0, "FILE", stopwords,
             "leave out the words of FILE, one a line, besides the stop words of the language"),
    WN_VALUE(TEXT, "charset", 0, "NAME", charset, "the encoding of the inputs, when it is known"),

    {.heading = "Picture"},
    WN_VALUE(TEXT, "size", 0, "WxH", size, "width and height in pixels (default: 800x600)"),
    WN_VALUE(TEXT, "font", 0, "NAME", font,
             "the font: Garuda, Serif, 'DejaVu Sans Bold', … (default: Sans Bold)"),
    WN_VALUE(CHOICE, "palette", 0, "NAME", palette, "the colours (default: ocean)",
             .choices = wn_palette_name, .summaries = wn_palette_summary),
    WN_VALUE(NUMBER, "seed", 0, "N", seed,
             "another N, another cloud of the same words (default: 1)"),

    {.heading = "Output"},
    WN_VALUE(CHOICE, "format", 'f', "FORMAT", format,
             "a picture, a page with one, or the counts (default: what FILE ends with, else svg)",
             .choices = format_name),
    WN_VALUE(TEXT, "output", 'o', "FILE", output,
             "write to FILE, which appears when it is complete; - is standard output"),
    WN_FLAG("overwrite", 0, overwrite, "replace FILE if it exists"),
    WN_FLAG("progress", 0, progress, "show progress also when standard error is no terminal"),
    WN_FLAG("quiet", 'q', quiet, "no progress and no warnings; only errors"),

    {.heading = "Limits"},
    WN_VALUE(SIZE, "max-bytes", 0, "SIZE", max_bytes,
             "read no more of a page (default: 256M; 0: 2G, the most there is)",
             .max = LARGEST_PAGE),
    WN_VALUE(SECONDS, "timeout", 0, "SECONDS", timeout,
             "time for a page from the web in all (default: 30)"),
    WN_VALUE(NUMBER, "max-redirects", 0, "N", max_redirects, "redirects to follow (default: 10)",
             .max = 100),
    WN_FLAG("allow-private", 0, allow_private,
            "also fetch from loopback, private and link-local addresses, and use the proxy of the "
            "environment"),

    {.heading = "Help"},
    {0},
};

static settings default_settings(void)
{
    winnow_options defaults;
    winnow_options_init(&defaults);
    return (settings){
        .format = FORMAT_UNKNOWN,
        .size = "800x600",
        .words = 100,
        .min_count = 1,
        .seed = 1,
        .max_bytes = defaults.limits.bytes,
        .max_redirects = 10,
        .timeout = 30,
    };
}

/* Reads digits up to `end`; 0 if there is anything else, or more than MAX_SIDE. */
static unsigned read_side(const char *text, const char *end)
{
    unsigned side = 0;
    for (; text < end; text++) {
        side = side * 10 + (unsigned)(*text - '0');
        if (!wn_is_ascii_digit(*text) || side > MAX_SIDE)
            return 0;
    }
    return side;
}

static bool read_size(settings *s)
{
    const char *x = s->size + strcspn(s->size, "xX");
    s->width = read_side(s->size, x);
    s->height = *x ? read_side(x + 1, x + strlen(x)) : 0;
    return s->width >= MIN_SIDE && s->height >= MIN_SIDE;
}

/* The format that the end of a file's name stands for. */
static format format_of(const char *path)
{
    const char *dot = path ? strrchr(path, '.') : NULL;
    if (!path || strcmp(path, "-") == 0)
        return FORMAT_SVG;
    if (dot && wn_str_eq_nocase(wn_str_of(dot), WN_STR(".htm")))
        return FORMAT_HTML;
    for (size_t i = 0; dot && i < FORMAT_UNKNOWN; i++) {
        if (wn_str_eq_nocase(wn_str_of(dot + 1), wn_str_of(format_name(NULL, i))))
            return (format)i;
    }
    return FORMAT_UNKNOWN;
}

static bool is_picture(const settings *s)
{
    return s->format <= FORMAT_HTML;
}

static int check_format(settings *s)
{
    const wn_command *command = &wn_command_cloud;
    if (s->format == FORMAT_UNKNOWN)
        s->format = format_of(s->output);
    if (s->format == FORMAT_UNKNOWN)
        return wn_wrong_usage(command, "the name of the output does not tell its format; it may "
                                       "end with .svg, .png, .pdf, .html, .json or .csv, or see "
                                       "--format");
    bool bytes = s->format == FORMAT_PNG || s->format == FORMAT_PDF;
    if (bytes && (!s->output || strcmp(s->output, "-") == 0) && isatty(STDOUT_FILENO))
        return wn_wrong_usage(command, "a picture is no text for a terminal; see --output");
    wn_buf error = {0};
    bool possible = !is_picture(s) || wn_picture_possible(&error);
    if (!possible) {
        wn_buf_add_literal(&error, "; --format json and csv need neither");
        wn_say(&error);
    }
    wn_buf_free(&error);
    return possible ? WN_GO_ON : WN_EXIT_FAILED;
}

/* What no single option can check; WN_GO_ON or an exit code. */
static int check_settings(settings *s, char **names)
{
    const wn_command *command = &wn_command_cloud;
    char code[WN_LANGUAGE_CODE];
    size_t standard_inputs = 0;
    for (char **name = names; *name; name++)
        standard_inputs += strcmp(*name, "-") == 0;
    if (standard_inputs > 1)
        return wn_wrong_usage(command, "standard input ('-') can be read only once");
    if (!read_size(s))
        return wn_wrong_usage(command,
                              "--size takes width and height between %d and %d, as 800x600",
                              MIN_SIDE, MAX_SIDE);
    if (s->charset && !wn_encoding_for_label(wn_str_of(s->charset)))
        return wn_wrong_usage(command, "unknown charset; known are the names of the web: utf-8, "
                                       "windows-1252, shift_jis, gbk, tis-620, …");
    if (s->language && !wn_language_normalise(wn_str_of(s->language), code)[0])
        return wn_wrong_usage(command, "--language takes a code such as en, de or th");
    return check_format(s);
}

/* ---- The work ---------------------------------------------------------------------------- */

typedef struct job {
    const settings *settings;
    wn_buf method; /* with its parameters */
    winnow_context *context;
    wn_words *segmenter;
    wn_stopwords stop;
    wn_loader loader;
    wn_output output;
    wn_progress progress;
    wn_counts counts;
    wn_buf sample; /* of a page's text */
    wn_buf title;  /* of the only page */
    wn_buf drawn;
    uint64_t pages, failed;
    bool single;
} job;

static void say_failed(job *j, const wn_item *item, const char *error)
{
    wn_buf message = {0};
    wn_buf_add_literal(&message, item->kind == WN_ITEM_URL ? "cannot fetch " : "cannot read ");
    if (item->kind == WN_ITEM_STDIN)
        wn_buf_add_literal(&message, "standard input");
    else
        wn_add_quoted(&message, item->id);
    wn_buf_add_literal(&message, ": ");
    wn_add_printable(&message, wn_str_of(error));
    wn_progress_wipe(&j->progress);
    wn_say(&message);
    wn_buf_free(&message);
    j->failed++;
}

static void warn(job *j, wn_buf *message)
{
    if (!j->settings->quiet)
        wn_say(message);
    wn_buf_free(message);
}

/* ---- Pages ------------------------------------------------------------------------------- */

static const char *failure(winnow_status status)
{
    if (status == WINNOW_NOT_HTML)
        return "not a web page";
    if (status == WINNOW_NO_MEMORY)
        return "out of memory";
    if (status == WINNOW_TOO_LARGE)
        return "too large for this method";
    return winnow_status_name(status);
}

static wn_str block_text(const winnow_block *block)
{
    return wn_str_from(block->text, block->size);
}

/* Chooses the language: what the user says, what the page says, or what the text looks like. */
static void choose_language(job *j, const winnow_result *result)
{
    char code[WN_LANGUAGE_CODE];
    const char *said = j->settings->language ? j->settings->language : result->language;
    const char *language = wn_language_normalise(wn_str_of(said), code);
    if (!language[0]) {
        wn_buf_clear(&j->sample);
        for (size_t i = 0; i < result->block_count && j->sample.len < SAMPLE; i++) {
            wn_buf_add(&j->sample, block_text(&result->blocks[i]));
            wn_buf_add_char(&j->sample, '\n');
        }
        language = wn_language_guess(j->segmenter, wn_buf_str(&j->sample));
    }
    wn_words_set_language(j->segmenter, wn_str_of(language));
    wn_stopwords_use(&j->stop, wn_str_of(language));
}

static wn_outcome count_result(job *j, const winnow_result *result)
{
    uint64_t before = j->counts.total;
    choose_language(j, result);
    for (size_t i = 0; i < result->block_count; i++)
        wn_counts_add_text(&j->counts, j->segmenter, &j->stop, block_text(&result->blocks[i]));
    if (j->single)
        wn_buf_add_literal(&j->title, result->title);
    j->pages++;
    return j->counts.total > before ? WN_PAGE_DONE : WN_PAGE_EMPTY;
}

static wn_outcome count_page(job *j, const wn_item *item, uint64_t *bytes)
{
    wn_loaded loaded = wn_loader_load(&j->loader, item);
    if (loaded.error) {
        say_failed(j, item, loaded.error);
        return WN_PAGE_FAILED;
    }
    if (loaded.skip)
        return WN_PAGE_EMPTY;
    winnow_options o;
    winnow_options_init(&o);
    o.method = wn_buf_c_string(&j->method);
    o.charset = j->settings->charset ? j->settings->charset : loaded.charset;
    o.blocks = true;
    o.limits.bytes = j->settings->max_bytes;
    *bytes = loaded.bytes.len;
    const winnow_result *result = winnow_run(j->context, loaded.bytes.ptr, loaded.bytes.len, &o);
    if (result->status > WINNOW_PARTIAL) {
        say_failed(j, item, failure(result->status));
        return WN_PAGE_FAILED;
    }
    return count_result(j, result);
}

static void count_pages(job *j, char **names)
{
    const settings *s = j->settings;
    wn_inputs inputs = {0};
    wn_item item = {0};
    if (!names[0] && !s->quiet && isatty(STDIN_FILENO))
        wn_sayf("reading from the terminal; Ctrl-D ends it");
    wn_progress_begin(&j->progress, s->progress, s->quiet, !j->single, false);
    wn_inputs_open(&inputs, names);
    while (!j->counts.failed && wn_inputs_next(&inputs, &item)) {
        uint64_t bytes = 0;
        wn_outcome outcome = count_page(j, &item, &bytes);
        wn_progress_count(&j->progress, outcome, bytes);
        if (wn_progress_due(&j->progress)) {
            bool exact = true;
            uint64_t ahead = wn_inputs_ahead(&inputs, &exact);
            wn_progress_show(&j->progress, ahead, exact);
        }
    }
    wn_progress_end(&j->progress);
    wn_item_free(&item);
    wn_inputs_free(&inputs);
}

/* Reads the user's stop words; false if that failed and was said. */
static bool read_stopwords(job *j)
{
    if (!j->settings->stopwords)
        return true;
    wn_item item = {.kind = WN_ITEM_FILE, .id = j->settings->stopwords};
    wn_loader loader;
    wn_loader_init(&loader, &(wn_http_settings){.max_bytes = MAX_STOPWORDS});
    wn_loaded loaded = wn_loader_load(&loader, &item);
    if (loaded.error)
        say_failed(j, &item, loaded.error);
    else if (loaded.bytes.len > MAX_STOPWORDS)
        say_failed(j, &item, "too long for a list of stop words");
    else if (!wn_stopwords_add(&j->stop, loaded.bytes))
        say_failed(j, &item, "out of memory");
    wn_loader_free(&loader);
    return j->failed == 0;
}

/* ---- The cloud --------------------------------------------------------------------------- */

/* Draws the first `n` words; false if that failed and was said. */
static bool draw(job *j, size_t n)
{
    const settings *s = j->settings;
    wn_buf error = {0};
    wn_picture picture = {
        .format = (wn_picture_format)s->format,
        .width = s->width,
        .height = s->height,
        .seed = s->seed,
        .palette = wn_palette_at(s->palette),
        .font = s->font,
        .title = wn_buf_str(&j->title),
    };
    size_t placed = wn_picture_draw(&j->drawn, &picture, j->counts.list.items, n, &error);
    if (placed == 0) {
        wn_say(&error);
    } else if (placed < n) {
        wn_buf message = {0};
        wn_buf_add_format(&message,
                          "%zu of %zu words found no room; choose a larger --size or fewer "
                          "--words",
                          n - placed, n);
        warn(j, &message);
    }
    wn_buf_free(&error);
    return placed > 0;
}

/* WN_GO_ON when there is something to write, else an exit code. */
static int make_cloud(job *j)
{
    const settings *s = j->settings;
    size_t n = wn_counts_top(&j->counts, s->words, s->min_count);
    if (j->counts.failed) {
        wn_sayf("cannot count the words: out of memory");
        return WN_EXIT_FAILED;
    }
    if (n == 0) {
        if (j->failed == 0)
            wn_sayf(j->counts.total ? "no word stands there so often: see --min-count"
                                    : "there are no words for a cloud");
        return j->failed ? WN_EXIT_FAILED : WN_EXIT_EMPTY;
    }
    if (s->format == FORMAT_JSON)
        wn_counts_json(&j->drawn, &j->counts, n, j->pages);
    else if (s->format == FORMAT_CSV)
        wn_counts_csv(&j->drawn, &j->counts, n);
    else if (!draw(j, n))
        return WN_EXIT_FAILED;
    if (!j->drawn.failed)
        return WN_GO_ON;
    wn_sayf("cannot write the cloud: out of memory");
    return WN_EXIT_FAILED;
}

static bool start(job *j, char **names)
{
    const settings *s = j->settings;
    wn_http_settings http = {
        .max_bytes = s->max_bytes ? s->max_bytes : LARGEST_PAGE,
        .max_redirects = s->max_redirects,
        .timeout = s->timeout,
        .allow_private = s->allow_private,
    };
    wn_loader_init(&j->loader, &http);
    j->context = winnow_context_new();
    j->segmenter = wn_words_new();
    bool network = true;
    for (char **name = names; *name && network; name++)
        network = !wn_is_url(*name) || wn_http_start();
    if (j->context && j->segmenter && network)
        return true;
    wn_sayf("cannot start: out of memory");
    return false;
}

static int run_job(job *j, char **names)
{
    if (!start(j, names) || !read_stopwords(j))
        return WN_EXIT_FAILED;
    count_pages(j, names);
    int code = make_cloud(j);
    if (code != WN_GO_ON)
        return code;
    wn_output_add(&j->output, wn_buf_str(&j->drawn));
    if (!wn_output_finish(&j->output)) {
        wn_say(&j->output.error);
        return WN_EXIT_FAILED;
    }
    return j->failed > 0 ? WN_EXIT_FAILED : WN_EXIT_OK;
}

static void free_job(job *j)
{
    winnow_context_free(j->context);
    wn_words_free(j->segmenter);
    wn_stopwords_free(&j->stop);
    wn_loader_free(&j->loader);
    wn_output_free(&j->output);
    wn_counts_free(&j->counts);
    wn_buf_free(&j->method);
    wn_buf_free(&j->sample);
    wn_buf_free(&j->title);
    wn_buf_free(&j->drawn);
}

static int run_cloud(const wn_command *command, char **args)
{
    settings s = default_settings();
    int code = wn_options_parse(command, args, &s);
    if (code == WN_GO_ON)
        code = check_settings(&s, args);
    if (code != WN_GO_ON)
        return code;
    job j = {.settings = &s, .single = wn_inputs_is_single(args)};
    code = wn_cli_method(command, &s.method, &j.method);
    if (code != WN_GO_ON) {
        wn_buf_free(&j.method);
        return code;
    }
    if (wn_output_open(&j.output, s.output, s.overwrite)) {
        code = run_job(&j, args);
    } else {
        wn_say(&j.output.error);
        code = WN_EXIT_USAGE;
    }
    free_job(&j);
    return code;
}

const wn_command wn_command_cloud = {
    .name = "cloud",
    .operands = "[INPUT...]",
    .summary = "a tag cloud of what pages are about",
    .about = "Draws the most frequent words of the main content of pages, the more frequent the\n"
             "larger. Stop words, numbers and single letters are left out; case does not\n"
             "matter.\n\n"
             "INPUT is a file, a directory (all pages below it), an http or https address, or\n"
             "- for standard input, which is also read if there is no INPUT.",
    .notes = "The same words, options and fonts always give the same cloud.\n\n"
             "Exit status: 0 all is well; 1 an input could not be read (the cloud shows the\n"
             "others), a font is missing, or the output could not be written; 2 wrong usage;\n"
             "3 there are no words; 130 interrupted.\n\n"
             "Examples:\n"
             "  winnow cloud -o cloud.svg page.html\n"
             "  winnow cloud -o cloud.png --size 1600x900 --palette night crawl/\n"
             "  winnow cloud -f csv --words 20 https://example.org/",
    .options = options,
    .run = run_cloud,
};
