#include "io/mime.h"

#include "base/utf8.h"
#include "html/sniff.h"

/* How far into a document its first tag is looked for. */
enum { SNIFFED = 1024 };

wn_str wn_io_type_name(wn_str content_type)
{
    const char *end = memchr(content_type.ptr, ';', content_type.len);
    return wn_str_trim(end ? wn_str_between(content_type.ptr, end) : content_type);
}

/* The value up to the character that ends it. */
static wn_str value_until(wn_str s, const char *ends)
{
    size_t len = 0;
    while (len < s.len && !strchr(ends, s.ptr[len]))
        len++;
    return wn_str_from(s.ptr, len);
}

wn_str wn_io_type_charset(wn_str header)
{
    static const wn_str key = WN_STR("charset=");
    for (; header.len >= key.len; header = wn_str_from_offset(header, 1)) {
        if (!wn_str_starts_nocase(header, key))
            continue;
        wn_str value = wn_str_from_offset(header, key.len);
        if (value.len > 0 && *value.ptr == '"')
            return value_until(wn_str_from_offset(value, 1), "\"");
        return value_until(value, "; \t");
    }
    return WN_STR("");
}

bool wn_io_type_is_page(wn_str content_type)
{
    wn_str name = wn_io_type_name(content_type);
    return wn_str_eq_nocase(name, WN_STR("text/html")) ||
           wn_str_eq_nocase(name, WN_STR("application/xhtml+xml"));
}

bool wn_io_type_may_be_page(wn_str content_type)
{
    static const wn_str others[] = {
        WN_STR("image/"),           WN_STR("audio/"),
        WN_STR("video/"),           WN_STR("font/"),
        WN_STR("application/pdf"),  WN_STR("application/zip"),
        WN_STR("application/json"), WN_STR("application/gzip"),
        WN_STR("text/css"),         WN_STR("text/javascript"),
        WN_STR("text/csv"),         WN_STR("application/javascript"),
    };
    wn_str name = wn_io_type_name(content_type);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (wn_str_starts_nocase(name, others[i]))
            return false;
    }
    return true;
}

bool wn_io_type_may_be_sheet(wn_str content_type)
{
    wn_str name = wn_io_type_name(content_type);
    return name.len == 0 || wn_str_eq_nocase(name, WN_STR("text/css"));
}

bool wn_io_bytes_are_page(wn_str bytes)
{
    static const wn_str signs[] = {
        WN_STR("<!doctype html"), WN_STR("<html"),  WN_STR("<head"),
        WN_STR("<body"),          WN_STR("<title"), WN_STR("<frameset"),
    };
    if (wn_html_sniff_is_binary(bytes))
        return false;
    wn_str start = wn_str_trim(wn_utf8_without_mark(bytes));
    if (start.len == 0 || *start.ptr != '<')
        return false;
    if (start.len > SNIFFED)
        start.len = SNIFFED;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (wn_str_contains_nocase(start, signs[i]))
            return true;
    }
    return false;
}
