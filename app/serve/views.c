/*
 * Other views of a page: its visual blocks (/v1/segment), its words (/v1/words) and a tag cloud of
 * them (/v1/cloud).
 */
#include "base/json.h"
#include "draw/canvas.h"
#include "io/reason.h"
#include "serve/ask.h"
#include "serve/handlers.h"
#include "text/language.h"
#include "text/unicode.h"
#include "visual/distance.h"
#include "visual/vips.h"

_Static_assert(WN_MOST_DISTANCE == 6 && WN_VIPS_MOST_PDOC == 10, "the tables name these bounds");

/* ---- /v1/segment ------------------------------------------------------------------------- */

static const char *const yes_no[] = {"no", "yes", NULL};
static const char *const algorithms[] = {"evbe", "vips", NULL};
static const char *const segment_formats[] = {"json", "svg", "html", NULL};

const char *const wn_serve_segment_types[] = {"application/json", "image/svg+xml", "text/html",
                                              NULL};

#define FLAG_VALUE(name_, help_)                                                                   \
    {                                                                                              \
        .name = (name_), .help = (help_), .kind = WINNOW_VALUE_FLAG, .max = 1, .choices = yes_no,  \
        .fallback = "no", .allowed = "no or yes"                                                   \
    }
#define WHOLE_VALUE(name_, help_, fallback_, min_, max_)                                           \
    {                                                                                              \
        .name = (name_), .help = (help_), .kind = WINNOW_VALUE_WHOLE, .min = (min_),               \
        .max = (max_), .fallback = (fallback_),                                                    \
        .allowed = "a whole number from " #min_ " to " #max_                                       \
    }

enum {
    SEGMENT_FORMAT,
    SEGMENT_ALGORITHM,
    SEGMENT_DISTANCE,
    SEGMENT_STRICT,
    SEGMENT_PDOC,
    SEGMENT_IMPORTANCE,
    SEGMENT_BLOCKS,
    SEGMENT_WIDTH,
    SEGMENT_HEIGHT,
    SEGMENT_TEXT,
    SEGMENT_ONLY_BLOCKS,
    SEGMENT_ID,
};

const winnow_parameter_info wn_serve_segment_values[] = {
    {.name = "format",
     .help = "the tree, a picture, or the page with its blocks marked",
     .kind = WINNOW_VALUE_CHOICE,
     .choices = segment_formats,
     .fallback = "json",
     .allowed = "json, svg or html"},
    {.name = "algorithm",
     .help = "how the page is divided",
     .kind = WINNOW_VALUE_CHOICE,
     .choices = algorithms,
     .fallback = "evbe",
     .allowed = "evbe or vips"},
    WHOLE_VALUE("distance", "evbe: visual distance up to which nodes are one block", "3", 0, 6),
    FLAG_VALUE("strict", "evbe: rule 8 knows only floats, as in the paper"),
    WHOLE_VALUE("pdoc", "vips: degree of coherence that every block must reach", "6", 1, 10),
    {.name = "importance",
     .help = "how blocks are compared",
     .kind = WINNOW_VALUE_CHOICE,
     .choices = wn_importance_names,
     .fallback = "gp",
     .allowed = "gp or size-distance"},
    WHOLE_VALUE("blocks", "the number of blocks to choose, best first", "1", 1, 1000),
    WHOLE_VALUE("width", "of the screen, in pixels", "1366", 100, 10000),
    WHOLE_VALUE("height", "of the screen, in pixels", "768", 100, 10000),
    FLAG_VALUE("text", "json: with the text of each block that is in no smaller one"),
    FLAG_VALUE("only_blocks", "svg: the blocks without the page"),
    {.name = "id",
     .help = "names the page in its record",
     .kind = WINNOW_VALUE_TEXT,
     .allowed = ""},
    {.name = NULL},
};

static wn_segment_settings segment_settings(const wn_serve_value *values)
{
    bool vips = values[SEGMENT_ALGORITHM].number > 0;
    unsigned bound = (unsigned)values[SEGMENT_DISTANCE].number;
    return (wn_segment_settings){
        .pdoc = vips ? (unsigned)values[SEGMENT_PDOC].number : 0,
        .evbe = {.parent_bound = bound,
                 .sibling_bound = bound,
                 .strict = values[SEGMENT_STRICT].number > 0},
        .importance = (wn_importance)values[SEGMENT_IMPORTANCE].number,
        .blocks = (uint32_t)values[SEGMENT_BLOCKS].number,
        .width = (float)values[SEGMENT_WIDTH].number,
        .height = (float)values[SEGMENT_HEIGHT].number,
        .base = WN_STR(""),
        .text = values[SEGMENT_TEXT].number > 0,
        .boxes = values[SEGMENT_ONLY_BLOCKS].number > 0,
    };
}

static void write_segments(wn_serve_ask *ask, wn_segmented *segmented,
                           const wn_segment_settings *settings, const wn_serve_request *request,
                           wn_serve_answer *answer)
{
    size_t format = (size_t)ask->values[SEGMENT_FORMAT].number;
    const char *id = ask->values[SEGMENT_ID].text ? ask->values[SEGMENT_ID].text : ask->url;
    wn_buf error = {0};
    answer->status = 200;
    answer->type = wn_serve_type(answer, wn_serve_segment_types[format]);
    if (format == 0)
        wn_segment_json(segmented, settings, id ? id : "", &answer->body);
    else if (format == 1)
        wn_segment_picture(segmented, settings, WN_PICTURE_SVG, &answer->body, &error);
    else
        wn_segment_overlay(segmented, &answer->body);
    if (error.len > 0)
        wn_serve_fail(answer, request, 501, wn_buf_c_string(&error));
    wn_buf_free(&error);
}

void wn_serve_segment(wn_serve_worker *worker, const wn_serve_request *request,
                      wn_serve_answer *answer)
{
    wn_serve_ask ask;
    if (wn_serve_ask_read(&ask, worker, request, answer)) {
        wn_segmented *segmented = wn_serve_worker_segmented(worker);
        wn_segment_settings settings = segment_settings(ask.values);
        winnow_status status = segmented ? wn_segment(segmented, ask.page, ask.charset, &settings)
                                         : WINNOW_STATUS_NO_MEMORY;
        wn_buf reason = {0};
        wn_io_add_reason(&reason, status, ask.page);
        if (reason.len > 0) {
            wn_serve_fail(answer, request, status == WINNOW_STATUS_NOT_HTML ? 415 : 422,
                          wn_buf_c_string(&reason));
        } else {
            wn_serve_tell_status(answer, status);
            write_segments(&ask, segmented, &settings, request, answer);
        }
        wn_buf_free(&reason);
    }
    wn_serve_ask_free(&ask);
}

/* ---- /v1/words --------------------------------------------------------------------------- */

static const char *const word_formats[] = {"json", "txt", NULL};
const char *const wn_serve_word_types[] = {"application/json", "text/plain", NULL};

enum { WORDS_FORMAT, WORDS_LANGUAGE, WORDS_LOWER, WORDS_NO_STOPWORDS };

const winnow_parameter_info wn_serve_word_values[] = {
    {.name = "format",
     .help = "JSON, or a line of words for each block",
     .kind = WINNOW_VALUE_CHOICE,
     .choices = word_formats,
     .fallback = "json",
     .allowed = "json or txt"},
    {.name = "language",
     .help = "en, de, th, …; default: what the page declares, else a guess",
     .kind = WINNOW_VALUE_TEXT,
     .allowed = "a code such as en, de or th"},
    FLAG_VALUE("lower", "words in lower case"),
    FLAG_VALUE("no_stopwords", "leave out the stop words of the language"),
    {.name = NULL},
};

/* Tells the tools the language of the page and returns it. It may be kept in `code`. */
static const char *use_language(wn_word_tools *tools, const char *said, winnow_selection *content,
                                bool stopwords, char code[WN_LANGUAGE_CODE])
{
    const char *language = wn_draw_page_language(said, content, tools, code);
    wn_text_words_set_language(tools->segmenter, wn_str_of(language));
    wn_text_stopwords_use(&tools->stop, stopwords ? wn_str_of(language) : WN_STR(""));
    return language;
}

/* The word as it is to be shown; empty if it is left out. */
static wn_str shown_word(const wn_serve_ask *ask, wn_word_tools *tools, wn_str word, wn_buf *folded)
{
    wn_buf_clear(folded);
    wn_text_fold(folded, word);
    if (ask->values[WORDS_NO_STOPWORDS].number > 0 &&
        wn_text_stopwords_has(&tools->stop, wn_buf_str(folded)))
        return WN_STR("");
    return ask->values[WORDS_LOWER].number > 0 ? wn_buf_str(folded) : word;
}

/* The words of all blocks that were kept: as arrays if there is a writer, else as lines. */
static void write_words(const wn_serve_ask *ask, wn_word_tools *tools, winnow_selection *content,
                        wn_json_writer *json, wn_buf *out)
{
    wn_buf folded = {0};
    const winnow_block *block;
    for (size_t i = 0; (block = winnow_selection_block(content, i)); i++) {
        bool first = true;
        if (!block->kept)
            continue;
        if (json)
            wn_json_begin_array(json);
        wn_text_words_begin(tools->segmenter, wn_str_from(block->text, block->size));
        for (wn_str word; wn_text_words_next(tools->segmenter, &word);) {
            wn_str shown = shown_word(ask, tools, word, &folded);
            if (shown.len == 0)
                continue;
            if (json) {
                wn_json_string(json, shown);
            } else {
                wn_buf_add_literal(out, first ? "" : " ");
                wn_buf_add(out, shown);
            }
            first = false;
        }
        if (json)
            wn_json_end_array(json);
        else
            wn_buf_add_char(out, '\n');
    }
    wn_buf_free(&folded);
}

void wn_serve_words(wn_serve_worker *worker, const wn_serve_request *request,
                    wn_serve_answer *answer)
{
    wn_serve_ask ask;
    char code[WN_LANGUAGE_CODE];
    winnow_selection *content = NULL;
    wn_word_tools *tools = wn_serve_worker_words(worker);
    if (wn_serve_ask_read(&ask, worker, request, answer))
        content = wn_serve_ask_select(&ask, worker, request, answer);
    if (content && tools) {
        const char *language = use_language(tools, ask.values[WORDS_LANGUAGE].text, content,
                                            ask.values[WORDS_NO_STOPWORDS].number > 0, code);
        size_t format = (size_t)ask.values[WORDS_FORMAT].number;
        wn_json_writer json = {.out = &answer->body};
        answer->status = 200;
        answer->type = wn_serve_type(answer, wn_serve_word_types[format]);
        if (format == 0) {
            wn_json_begin_object(&json);
            wn_json_key(&json, "language");
            wn_json_c_string(&json, language);
            wn_json_key(&json, "lines");
            wn_json_begin_array(&json);
            write_words(&ask, tools, content, &json, NULL);
            wn_json_end_array(&json);
            wn_json_end_object(&json);
            wn_buf_add_char(&answer->body, '\n');
        } else {
            write_words(&ask, tools, content, NULL, &answer->body);
        }
    } else if (content) {
        wn_serve_fail(answer, request, 503, "out of memory");
    }
    wn_serve_ask_free(&ask);
}

/* ---- /v1/cloud --------------------------------------------------------------------------- */

/* The pictures first, in the order of wn_picture_format. */
static const char *const cloud_formats[] = {"svg", "png", "pdf", "html", "json", "csv", NULL};
static const char *const palettes[] = {"ocean", "safe", "forest", "sunset", "night", "grey", NULL};

const char *const wn_serve_cloud_types[] = {
    "image/svg+xml", "image/png", "application/pdf", "text/html", "application/json",
    "text/csv",      NULL,
};

enum {
    CLOUD_FORMAT,
    CLOUD_WORDS,
    CLOUD_MIN_COUNT,
    CLOUD_LANGUAGE,
    CLOUD_WIDTH,
    CLOUD_HEIGHT,
    CLOUD_PALETTE,
    CLOUD_SEED,
};

const winnow_parameter_info wn_serve_cloud_values[] = {
    {.name = "format",
     .help = "a picture, a page with one, or the counts",
     .kind = WINNOW_VALUE_CHOICE,
     .choices = cloud_formats,
     .fallback = "svg",
     .allowed = "svg, png, pdf, html, json or csv"},
    WHOLE_VALUE("words", "the number of words, most frequent first", "100", 1, 1000),
    WHOLE_VALUE("min_count", "only words that occur at least this often", "1", 1, 1000000),
    {.name = "language",
     .help = "en, de, th, …; default: what the page declares, else a guess",
     .kind = WINNOW_VALUE_TEXT,
     .allowed = "a code such as en, de or th"},
    WHOLE_VALUE("width", "of the picture, in pixels", "800", 50, 4000),
    WHOLE_VALUE("height", "of the picture, in pixels", "600", 50, 4000),
    {.name = "palette",
     .help = "the colours",
     .kind = WINNOW_VALUE_CHOICE,
     .choices = palettes,
     .fallback = "ocean",
     .allowed = "ocean, safe, forest, sunset, night or grey"},
    WHOLE_VALUE("seed", "another number, another cloud of the same words", "1", 0, 4294967295),
    {.name = NULL},
};

/* Palettes are found by name: the order of the table is not that of the choices. */
static const wn_palette *palette_named(const char *name)
{
    const wn_palette *palette;
    for (size_t i = 0; (palette = wn_draw_palette_at(i)); i++)
        if (strcmp(palette->name, name) == 0)
            return palette;
    return wn_draw_palette_at(0);
}

static void draw_cloud(const wn_serve_value *values, const wn_counts *counts, size_t n,
                       const char *title, const wn_serve_request *request, wn_serve_answer *answer)
{
    wn_buf error = {0};
    wn_picture picture = {
        .format = (wn_picture_format)values[CLOUD_FORMAT].number,
        .width = values[CLOUD_WIDTH].number,
        .height = values[CLOUD_HEIGHT].number,
        .seed = (uint64_t)values[CLOUD_SEED].number,
        .palette = palette_named(values[CLOUD_PALETTE].text),
        .title = wn_str_of(title),
    };
    if (wn_draw_picture_draw(&answer->body, &picture, counts->list.items, n, &error) == 0)
        wn_serve_fail(answer, request, 501, wn_buf_c_string(&error));
    wn_buf_free(&error);
}

static void write_cloud(const wn_serve_value *values, wn_counts *counts, const char *title,
                        const wn_serve_request *request, wn_serve_answer *answer)
{
    size_t format = (size_t)values[CLOUD_FORMAT].number;
    size_t n = wn_draw_counts_top(counts, (size_t)values[CLOUD_WORDS].number,
                                  (uint64_t)values[CLOUD_MIN_COUNT].number);
    answer->status = 200;
    answer->type = wn_serve_type(answer, wn_serve_cloud_types[format]);
    if (counts->failed)
        wn_serve_fail(answer, request, 503, "out of memory");
    else if (format == 4)
        wn_draw_counts_json(&answer->body, counts, n, 1);
    else if (format == 5)
        wn_draw_counts_csv(&answer->body, counts, n);
    else if (n == 0)
        wn_serve_fail(answer, request, 422, "the page has no words for a cloud");
    else
        draw_cloud(values, counts, n, title, request, answer);
}

void wn_serve_cloud(wn_serve_worker *worker, const wn_serve_request *request,
                    wn_serve_answer *answer)
{
    wn_serve_ask ask;
    winnow_selection *content = NULL;
    wn_word_tools *tools = wn_serve_worker_words(worker);
    if (wn_serve_ask_read(&ask, worker, request, answer))
        content = wn_serve_ask_select(&ask, worker, request, answer);
    if (content && tools) {
        wn_counts counts = {0};
        wn_draw_count_page(&counts, tools, content, ask.values[CLOUD_LANGUAGE].text, true);
        write_cloud(ask.values, &counts, winnow_selection_metadata(content)->title, request,
                    answer);
        wn_draw_counts_free(&counts);
    } else if (content) {
        wn_serve_fail(answer, request, 503, "out of memory");
    }
    wn_serve_ask_free(&ask);
}
