/*
 * A page in a line of JSON: an object with a field "html", and perhaps "url" and "id".
 */
#ifndef WN_IO_JSON_LINE_H
#define WN_IO_JSON_LINE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"

/* The names of the fields; NULL: as above. */
typedef struct wn_io_json_fields {
    const char *html, *url, *id;
} wn_io_json_fields;

/* What a line says; valid until the next line. */
typedef struct wn_io_json_page {
    wn_str html;
    const char *url, *id; /* NULL: it has none */
    const char *error;    /* why there is no page; NULL: there is one */
} wn_io_json_page;

/* Memory for lines, reused from one to the next. Zero it before the first. */
typedef struct wn_io_json_line {
    wn_arena arena;
    wn_json json;
    bool begun;
    wn_buf error;
    wn_io_json_page page;
} wn_io_json_line;

/* Whether bytes begin with an object of JSON; no page does, but templates begin with "{%". */
bool wn_io_json_begins(wn_str bytes);

/* Reads a line; the first one of a file may begin with a byte order mark. `fields` may be NULL. */
const wn_io_json_page *wn_io_json_line_read(wn_io_json_line *reader, wn_str line, bool first,
                                            const wn_io_json_fields *fields);
void wn_io_json_line_free(wn_io_json_line *reader);

#endif
