#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memmem */
#endif

#include "serve/multipart.h"

/* The value of a parameter ("boundary") of a header, perhaps in quotes; "" if it is not there. */
static wn_str parameter(wn_str header, wn_str name)
{
    while (header.len > 0) {
        const char *semicolon = memchr(header.ptr, ';', header.len);
        wn_str item = wn_str_trim(semicolon ? wn_str_between(header.ptr, semicolon) : header);
        if (wn_str_starts_nocase(item, name) && item.len > name.len && item.ptr[name.len] == '=') {
            wn_str value = wn_str_from_offset(item, name.len + 1);
            bool quoted = value.len >= 2 && value.ptr[0] == '"' && value.ptr[value.len - 1] == '"';
            return quoted ? wn_str_from(value.ptr + 1, value.len - 2) : value;
        }
        header = semicolon ? wn_str_from_offset(header, (size_t)(semicolon - header.ptr) + 1)
                           : WN_STR("");
    }
    return WN_STR("");
}

bool wn_serve_multipart_begin(wn_serve_multipart *parts, wn_str content_type, wn_str body)
{
    wn_str boundary = parameter(content_type, WN_STR("boundary"));
    *parts = (wn_serve_multipart){.rest = body};
    if (boundary.len == 0 || boundary.len > WN_SERVE_MAX_BOUNDARY)
        return false;
    memcpy(parts->delimiter, "\r\n--", 4);
    memcpy(parts->delimiter + 4, boundary.ptr, boundary.len);
    parts->delimiter_len = boundary.len + 4;
    /* The first boundary may be at the very start, without a line end before it. */
    wn_str first = wn_str_from(parts->delimiter + 2, parts->delimiter_len - 2);
    const char *at = memmem(body.ptr, body.len, first.ptr, first.len);
    parts->broken = !at;
    if (at)
        parts->rest = wn_str_from_offset(body, (size_t)(at - body.ptr) + first.len);
    return true;
}

/* Takes the line up to the next CR LF off the front of `text`; false if there is no line end. */
static bool next_line(wn_str *text, wn_str *line)
{
    const char *end = memmem(text->ptr, text->len, "\r\n", 2);
    if (!end)
        return false;
    *line = wn_str_between(text->ptr, end);
    *text = wn_str_from_offset(*text, line->len + 2);
    return true;
}

static void read_header(wn_serve_part *part, wn_str line)
{
    const char *colon = memchr(line.ptr, ':', line.len);
    if (!colon)
        return;
    wn_str name = wn_str_between(line.ptr, colon);
    wn_str value = wn_str_trim(wn_str_from_offset(line, name.len + 1));
    if (wn_str_eq_nocase(name, WN_STR("content-disposition")))
        part->name = parameter(value, WN_STR("name"));
    else if (wn_str_eq_nocase(name, WN_STR("content-type")))
        part->type = value;
}

bool wn_serve_multipart_next(wn_serve_multipart *parts, wn_serve_part *part)
{
    wn_str line;
    *part = (wn_serve_part){WN_STR(""), WN_STR(""), WN_STR("")};
    if (parts->ended || parts->broken)
        return false;
    parts->ended = wn_str_starts(parts->rest, WN_STR("--"));
    if (parts->ended)
        return false;
    parts->broken = !next_line(&parts->rest, &line); /* white space after the boundary */
    while (!parts->broken) {
        parts->broken = !next_line(&parts->rest, &line);
        if (parts->broken || line.len == 0)
            break;
        read_header(part, line);
    }
    const char *end = parts->broken ? NULL
                                    : memmem(parts->rest.ptr, parts->rest.len, parts->delimiter,
                                             parts->delimiter_len);
    parts->broken = !end;
    if (!end)
        return false;
    part->body = wn_str_between(parts->rest.ptr, end);
    parts->rest = wn_str_from_offset(parts->rest, part->body.len + parts->delimiter_len);
    return true;
}
