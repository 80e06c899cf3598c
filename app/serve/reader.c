/*
 * In place of Jina's Reader: GET /r/URL gives the page at URL as Markdown, with its headers
 * X-Respond-With (or X-Return-Format), X-Base, X-Retain-Images, X-With-Links-Summary and
 * X-With-Images-Summary; Accept: application/json gives its JSON. https://github.com/jina-ai/reader
 */
#include "base/json.h"
#include "html/encoding.h"
#include "serve/ask.h"
#include "serve/handlers.h"

/* ---- What is asked ----------------------------------------------------------------------- */

/*
 * The address after /r/, as it was sent. Proxies make one slash of two, and people leave out
 * https://.
 */
static const char *target_of(const wn_serve_request *request, wn_arena *arena)
{
    wn_str rest = wn_str_from_offset(request->target, strlen("/r/"));
    static const struct {
        const char *start, *meant;
    } forms[] = {{"https://", "https://"},
                 {"http://", "http://"},
                 {"https:/", "https://"},
                 {"http:/", "http://"},
                 {"", "https://"}};
    wn_buf url = {0};
    for (size_t i = 0; i < sizeof forms / sizeof *forms && url.len == 0; i++) {
        wn_str start = wn_str_of(forms[i].start);
        if (!wn_str_starts_nocase(rest, start))
            continue;
        wn_buf_add_literal(&url, forms[i].meant);
        wn_buf_add(&url, wn_str_from_offset(rest, start.len));
    }
    const char *copy = wn_arena_c_string(arena, wn_buf_str(&url));
    wn_buf_free(&url);
    return copy;
}

/* What the Reader calls these forms; without a name it is the main content as Markdown. */
typedef enum form {
    FORM_CONTENT,
    FORM_MARKDOWN, /* of the whole page */
    FORM_HTML,     /* the page as it is */
    FORM_TEXT,     /* all visible text */
} form;

static form form_of(const wn_serve_request *request)
{
    static const char *const names[] = {"content", "markdown", "html", "text"};
    wn_str name = wn_serve_header(request, "x-respond-with");
    if (name.len == 0)
        name = wn_serve_header(request, "x-return-format");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (wn_str_eq_nocase(name, wn_str_of(names[i])))
            return (form)i;
    return FORM_CONTENT;
}

static bool header_is(const wn_serve_request *request, const char *name, const char *value)
{
    return wn_str_eq_nocase(wn_serve_header(request, name), wn_str_of(value));
}

static void set_options(wn_serve_ask *ask, const wn_serve_request *request)
{
    bool images = !header_is(request, "x-retain-images", "none");
    ask->method = form_of(request) == FORM_CONTENT ? NULL : "all";
    winnow_options_set_flag(ask->options, WINNOW_OPTION_LINKS, true);
    winnow_options_set_flag(ask->options, WINNOW_OPTION_FORMATTING, true);
    winnow_options_set_flag(ask->options, WINNOW_OPTION_IMAGES, images);
    /*
     * Links are resolved against where the redirects ended, unless the first address is asked for.
     */
    if (header_is(request, "x-base", "initial"))
        winnow_options_set_text(ask->options, WINNOW_OPTION_URL,
                                target_of(request, &ask->fields.arena));
}

/* ---- The answer -------------------------------------------------------------------------- */

static void add_links(wn_buf *out, winnow_selection *content)
{
    const winnow_link *link;
    wn_buf_add_literal(out, "\nLinks/Buttons:\n");
    for (size_t i = 0; (link = winnow_selection_link(content, i)); i++)
        if (winnow_selection_block(content, link->block)->kept)
            wn_buf_add_format(out, "- [%s](%s)\n", link->text, link->url);
}

static void add_images(wn_buf *out, winnow_selection *content)
{
    const winnow_image *image;
    wn_buf_add_literal(out, "\nImages:\n");
    for (size_t i = 0; (image = winnow_selection_image(content, i)); i++)
        if (winnow_selection_block(content, image->block)->kept)
            wn_buf_add_format(out, "- ![%s](%s)\n", image->description, image->url);
}

static void write_content(wn_serve_ask *ask, const wn_serve_request *request,
                          winnow_selection *content, wn_buf *out)
{
    size_t size = 0;
    form wanted = form_of(request);
    if (wanted == FORM_HTML) {
        wn_buf_add(out, wn_html_decode(&ask->fields.arena, ask->page, ask->charset).text);
        return;
    }
    winnow_format format = wanted == FORM_TEXT ? WINNOW_FORMAT_TEXT : WINNOW_FORMAT_MARKDOWN;
    const char *bytes = winnow_write(content, format, ask->options, &size);
    wn_buf_add(out, wn_str_from(bytes ? bytes : "", size));
    if (header_is(request, "x-with-links-summary", "true"))
        add_links(out, content);
    if (header_is(request, "x-with-images-summary", "true"))
        add_images(out, content);
}

static void add_line(wn_buf *out, const char *name, const char *value)
{
    if (value[0])
        wn_buf_add_format(out, "%s: %s\n\n", name, value);
}

static void write_text(wn_serve_ask *ask, const wn_serve_request *request,
                       winnow_selection *content, wn_serve_answer *answer)
{
    const winnow_metadata *m = winnow_selection_metadata(content);
    form wanted = form_of(request);
    wn_buf *out = &answer->body;
    answer->type = wn_serve_type(answer, wanted == FORM_HTML ? "text/html" : "text/plain");
    if (wanted == FORM_CONTENT) {
        add_line(out, "Title", m->title);
        add_line(out, "URL Source", ask->url);
        add_line(out, "Published Time", m->published);
        wn_buf_add_literal(out, "Markdown Content:\n");
    }
    write_content(ask, request, content, out);
}

static void write_json(wn_serve_ask *ask, const wn_serve_request *request,
                       winnow_selection *content, wn_serve_answer *answer)
{
    const winnow_metadata *m = winnow_selection_metadata(content);
    wn_json_writer json = {.out = &answer->body};
    const struct {
        const char *key, *value;
    } texts[] = {{"title", m->title},
                 {"description", m->description},
                 {"url", ask->url},
                 {"publishedTime", m->published}};
    wn_buf text = {0};
    write_content(ask, request, content, &text);
    answer->type = "application/json";
    wn_json_begin_object(&json);
    wn_json_key(&json, "code");
    wn_json_uint(&json, 200);
    wn_json_key(&json, "status");
    wn_json_uint(&json, 20000);
    wn_json_key(&json, "data");
    wn_json_begin_object(&json);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (i == 3 && !texts[i].value[0])
            continue;
        wn_json_key(&json, texts[i].key);
        wn_json_outside(&json, wn_str_of(texts[i].value));
    }
    wn_json_key(&json, "content");
    wn_json_string(&json, wn_buf_str(&text));
    wn_json_end_object(&json);
    wn_json_end_object(&json);
    wn_buf_add_char(&answer->body, '\n');
    wn_buf_free(&text);
}

void wn_serve_reader(wn_serve_worker *worker, const wn_serve_request *request,
                     wn_serve_answer *answer)
{
    static const char *const types[] = {"text/plain", "application/json"};
    wn_serve_ask ask;
    if (!request->fetched.done) {
        answer->fetch = target_of(request, &answer->arena);
        return;
    }
    winnow_selection *content = NULL;
    if (wn_serve_ask_begin(&ask) && wn_serve_ask_take_fetched(&ask, worker, request, answer)) {
        set_options(&ask, request);
        content = wn_serve_ask_select(&ask, worker, request, answer);
    }
    if (content) {
        bool json = wn_serve_accepted(wn_serve_header(request, "accept"), types, 2, 0) == 1;
        answer->status = 200;
        (json ? write_json : write_text)(&ask, request, content, answer);
    }
    wn_serve_ask_free(&ask);
}
