#include "io/json_line.h"

#include "base/utf8.h"

/* A member of the object as a C string, also a number; NULL if there is none. */
static const char *member(wn_io_json_line *reader, const char *key)
{
    wn_json_id id = wn_json_get(&reader->json, WN_JSON_ROOT, key);
    const wn_json_node *node = wn_json_node_at(&reader->json, id);
    bool number = node->kind == WN_JSON_NUMBER;
    wn_str text = number ? wn_str_from(node->text, node->len) : wn_json_text(&reader->json, id);
    return text.len ? wn_arena_c_string(&reader->arena, text) : NULL;
}

static void find_page(wn_io_json_line *reader, const wn_io_json_fields *fields)
{
    wn_io_json_page *page = &reader->page;
    const char *html = fields && fields->html ? fields->html : "html";
    wn_json_id id = wn_json_get(&reader->json, WN_JSON_ROOT, html);
    if (wn_json_node_at(&reader->json, id)->kind != WN_JSON_STRING) {
        wn_buf_add_format(&reader->error, "the line has no text field '%s'", html);
        page->error = wn_buf_c_string(&reader->error);
        return;
    }
    page->html = wn_json_text(&reader->json, id);
    page->url = member(reader, fields && fields->url ? fields->url : "url");
    page->id = member(reader, fields && fields->id ? fields->id : "id");
}

const wn_io_json_page *wn_io_json_line_read(wn_io_json_line *reader, wn_str line, bool first,
                                            const wn_io_json_fields *fields)
{
    if (!reader->begun)
        wn_arena_init(&reader->arena, 0);
    reader->begun = true;
    wn_arena_reset(&reader->arena);
    wn_buf_clear(&reader->error);
    reader->page = (wn_io_json_page){.html = WN_STR("")};
    if (first)
        line = wn_utf8_without_mark(line);
    if (wn_json_parse(&reader->json, &reader->arena, line, 0, 0)) {
        find_page(reader, fields);
    } else {
        wn_buf_add_format(&reader->error, "not valid JSON: %s, at byte %zu", reader->json.error,
                          reader->json.error_offset);
        reader->page.error = wn_buf_c_string(&reader->error);
    }
    return &reader->page;
}

void wn_io_json_line_free(wn_io_json_line *reader)
{
    wn_buf_free(&reader->error);
    wn_json_free(&reader->json);
    if (reader->begun)
        wn_arena_free(&reader->arena);
}

bool wn_io_json_begins(wn_str bytes)
{
    bytes = wn_str_trim(wn_utf8_without_mark(bytes));
    if (bytes.len == 0 || *bytes.ptr != '{')
        return false;
    bytes = wn_str_trim(wn_str_from_offset(bytes, 1));
    return bytes.len > 0 && *bytes.ptr == '"';
}
