/*
 * What the WebAssembly module has besides the functions of winnow.h, which JavaScript calls as they
 * are (lib/engine.js): visual blocks, word counts and the list of methods, each as JSON.
 *
 * The strings that are returned end with a NUL and belong to the caller, who frees them with
 * winnow_free(); NULL if out of memory.
 */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "draw/count.h"
#include "draw/number_words.h"
#include "segment/segment.h"
#include "text/language.h"
#include "text/stopwords.h"
#include "winnow.h"

#define EXPORT(name) __attribute__((export_name(#name)))

/* The text of a buffer as memory of its own; the buffer is freed. */
static char *give(wn_buf *out)
{
    size_t size = out->len;
    const char *text = wn_buf_c_string(out);
    char *copy = out->failed || !text ? NULL : malloc(size + 1);
    if (copy)
        memcpy(copy, text, size + 1);
    wn_buf_free(out);
    return copy;
}

/* ---- Visual blocks ----------------------------------------------------------------------- */

/* The record of `winnow segment`; `pdoc` 0 means EVBE. */
EXPORT(winnow_js_segment)
char *winnow_js_segment(const char *html, size_t size, const char *charset, unsigned pdoc,
                        float width)
{
    wn_segment_settings settings = {
        .pdoc = pdoc,
        .evbe = wn_evbe_defaults,
        .blocks = 1,
        .width = width,
        .height = wn_css_defaults.height,
        .text = true,
    };
    wn_segmented segmented;
    wn_buf out = {0};
    bool ready = wn_segment_init(&segmented);
    winnow_status status = ready
                               ? wn_segment(&segmented, wn_str_from(html, size), charset, &settings)
                               : WINNOW_STATUS_NO_MEMORY;
    if (status == WINNOW_STATUS_OK || status == WINNOW_STATUS_PARTIAL)
        wn_segment_json(&segmented, &settings, NULL, &out);
    else
        out.failed = true;
    wn_segment_free(&segmented);
    return give(&out);
}

/* ---- Words ------------------------------------------------------------------------------- */

/*
 * The counts of `winnow cloud -f json`. `language` is what the page declares, or "": then it is
 * guessed from the text.
 */
EXPORT(winnow_js_cloud)
char *winnow_js_cloud(const char *text, size_t size, const char *language, size_t most)
{
    wn_words *segmenter = wn_text_words_new();
    if (!segmenter)
        return NULL;
    char code[WN_LANGUAGE_CODE];
    wn_str whole = wn_str_from(text, size);
    const char *known = wn_text_language_normalise(wn_str_of(language), code);
    wn_str used = wn_str_of(known[0] ? known : wn_text_language_guess(segmenter, whole));
    wn_counts counts = {0};
    wn_stopwords stop = {0};
    wn_buf out = {0};
    wn_text_words_set_language(segmenter, used);
    wn_text_stopwords_use(&stop, used);
    wn_stemmer *stemmer = wn_text_stemmer_new();
    bool stems = stemmer && wn_text_stemmer_use(stemmer, used);
    wn_draw_reading reading = {.segmenter = segmenter,
                               .stop = &stop,
                               .stemmer = stems ? stemmer : NULL,
                               .number_words = wn_draw_number_words(used)};
    wn_draw_counts_add_text(&counts, &reading, whole);
    wn_draw_counts_json(&out, &counts, wn_draw_counts_top(&counts, most, 1), 1);
    out.failed |= counts.failed;
    wn_draw_counts_free(&counts);
    wn_text_stopwords_free(&stop);
    wn_text_stemmer_free(stemmer);
    wn_text_words_free(segmenter);
    return give(&out);
}

/* ---- Methods ----------------------------------------------------------------------------- */

static void add_string(wn_json_writer *json, const char *key, const char *value)
{
    wn_json_key(json, key);
    wn_json_c_string(json, value);
}

static void add_flag(wn_json_writer *json, const char *key, bool value)
{
    wn_json_key(json, key);
    wn_json_bool(json, value);
}

static void add_parameter(wn_json_writer *json, const winnow_parameter_info *parameter)
{
    wn_json_begin_object(json);
    add_string(json, "name", parameter->name);
    add_string(json, "help", parameter->help);
    add_string(json, "default", parameter->fallback);
    add_string(json, "allowed", parameter->allowed);
    if (parameter->choices) {
        wn_json_key(json, "choices");
        wn_json_begin_array(json);
        for (const char *const *choice = parameter->choices; *choice; choice++)
            wn_json_c_string(json, *choice);
        wn_json_end_array(json);
    }
    wn_json_end_object(json);
}

/* [{"name":"auto","summary":"…","parameters":[…],"needs_layout":false, …}, …] */
EXPORT(winnow_js_methods)
char *winnow_js_methods(void)
{
    wn_buf out = {0};
    wn_json_writer json = {.out = &out};
    const winnow_method_info *method;
    wn_json_begin_array(&json);
    for (size_t i = 0; (method = winnow_method_at(i)); i++) {
        wn_json_begin_object(&json);
        add_string(&json, "name", method->name);
        add_string(&json, "summary", method->summary);
        add_flag(&json, "needs_layout", method->needs_layout);
        add_flag(&json, "needs_noise", method->needs_noise);
        add_flag(&json, "builds_tree", method->builds_tree);
        wn_json_key(&json, "parameters");
        wn_json_begin_array(&json);
        for (const winnow_parameter_info *const *p = method->parameters; *p; p++)
            add_parameter(&json, *p);
        wn_json_end_array(&json);
        wn_json_end_object(&json);
    }
    wn_json_end_array(&json);
    return give(&out);
}

/* ---- Errors ------------------------------------------------------------------------------ */

/* Members of structs, so that JavaScript need not know where they are. */
EXPORT(winnow_js_page_error)
const char *winnow_js_page_error(const winnow_page *page)
{
    return winnow_page_error(page)->message;
}

EXPORT(winnow_js_options_error)
const char *winnow_js_options_error(const winnow_options *options)
{
    return winnow_options_error(options)->message;
}

/* The number of a format by its name or alias; -1 if there is none. */
EXPORT(winnow_js_format)
int winnow_js_format(const char *name)
{
    const winnow_format_info *format = winnow_format_find(name);
    return format ? (int)format->format : -1;
}
