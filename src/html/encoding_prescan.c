/*
 * The prescan: finds the encoding that a page declares before it is parsed.
 *
 * https://html.spec.whatwg.org/multipage/parsing.html
 * #prescan-a-byte-stream-to-determine-its-encoding
 *
 * It is a very small tokenizer that knows comments, tags and attributes and
 * nothing else. The standard lower-cases names and values as it reads them; here
 * they stay slices of the input and are compared ignoring case.
 * Running out of bytes ends it wherever it is: then `at_end` is set, and only an
 * XML declaration at the very start can still count.
 */
#include "html/encoding.h"
#include "html/encoding_parts.h"

#include "base/scan.h"

typedef struct scanner {
    const char *p;
    const char *end;
    bool at_end; /* a step wanted more bytes than there are */
} scanner;

typedef struct attribute {
    wn_str name;
    wn_str value;
} attribute;

static const wn_encoding none = {0};

static bool is_label_of(wn_encoding_label entry, wn_str label, int *order)
{
    size_t i = 0;
    for (; i < label.len && entry.label[i]; i++) {
        *order = (unsigned char)wn_ascii_lower(label.ptr[i]) - (unsigned char)entry.label[i];
        if (*order)
            return false;
    }
    *order = i < label.len ? 1 : entry.label[i] ? -1 : 0;
    return *order == 0;
}

/* https://encoding.spec.whatwg.org/#concept-encoding-get */
wn_encoding wn_html_encoding_get(wn_str label)
{
    label = wn_str_trim(label);
    int low = 0, high = WN_ENCODING_LABELS;
    while (low < high) {
        int middle = (low + high) / 2, order;
        if (is_label_of(wn_encoding_labels[middle], label, &order))
            return wn_html_encoding_of(wn_encoding_labels[middle].id);
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return none;
}

/* What follows "charset=" in a content attribute: a quoted label or one up to space or ';'. */
static wn_encoding get_from_value(const char *p, const char *end)
{
    if (p < end && (*p == '"' || *p == '\'')) {
        const char *quote = wn_scan_1(p + 1, end, *p);
        return quote < end ? wn_html_encoding_get(wn_str_between(p + 1, quote)) : none;
    }
    const char *stop = p;
    while (stop < end && !wn_is_space(*stop) && *stop != ';')
        stop++;
    return wn_html_encoding_get(wn_str_between(p, stop));
}

static const char *skip_space(const char *p, const char *end)
{
    while (p < end && wn_is_space(*p))
        p++;
    return p;
}

wn_encoding wn_html_encoding_in_content(wn_str content)
{
    const char *p = content.ptr, *end = content.ptr + content.len;
    wn_str word = WN_STR("charset");
    while (p < end) {
        if (!wn_str_starts_nocase(wn_str_between(p, end), word)) {
            p++;
            continue;
        }
        p = skip_space(p + word.len, end);
        if (p < end && *p == '=')
            return get_from_value(skip_space(p + 1, end), end);
    }
    return none;
}

/* Whether p is at one of the scanner's bytes; if not, the prescan ends. */
static bool has_byte(scanner *s)
{
    s->at_end |= s->p >= s->end;
    return !s->at_end;
}

static void skip_while_space_or(scanner *s, char also)
{
    while (has_byte(s) && (wn_is_space(*s->p) || *s->p == also))
        s->p++;
}

/* Moves to the first '>' from `from` on. */
static void skip_to_greater(scanner *s, const char *from)
{
    s->p = from < s->end ? wn_scan_1(from, s->end, '>') : s->end;
}

static wn_str quoted_value(scanner *s)
{
    char quote = *s->p++;
    const char *start = s->p;
    s->p = wn_scan_1(s->p, s->end, quote);
    wn_str value = wn_str_between(start, s->p);
    if (has_byte(s))
        s->p++;
    return value;
}

static wn_str attribute_value(scanner *s)
{
    skip_while_space_or(s, ' ');
    if (!has_byte(s) || *s->p == '>')
        return WN_STR("");
    if (*s->p == '"' || *s->p == '\'')
        return quoted_value(s);
    const char *start = s->p;
    while (has_byte(s) && !wn_is_space(*s->p) && *s->p != '>')
        s->p++;
    return wn_str_between(start, s->p);
}

/*
 * Reads one attribute; false when the tag, or everything, is at its end.
 * https://html.spec.whatwg.org/multipage/parsing.html#concept-get-attributes-when-sniffing
 */
static bool get_attribute(scanner *s, attribute *a)
{
    skip_while_space_or(s, '/');
    if (!has_byte(s) || *s->p == '>')
        return false;
    const char *start = s->p;
    while (has_byte(s) && !wn_is_space(*s->p) && *s->p != '/' && *s->p != '>' &&
           (*s->p != '=' || s->p == start))
        s->p++;
    *a = (attribute){wn_str_between(start, s->p), WN_STR("")};
    if (has_byte(s) && wn_is_space(*s->p))
        skip_while_space_or(s, ' ');
    if (has_byte(s) && *s->p == '=') {
        s->p++;
        a->value = attribute_value(s);
    }
    return !s->at_end;
}

/* A declaration cannot be in UTF-16: an ASCII-like scan would not have found it. */
static wn_encoding as_declared(wn_encoding found)
{
    if (!found.name)
        return found;
    if (found.id == WN_ENCODING_UTF_16BE || found.id == WN_ENCODING_UTF_16LE)
        return wn_html_encoding_of(WN_ENCODING_UTF_8);
    if (found.id == WN_ENCODING_X_USER_DEFINED)
        return wn_html_encoding_of(WN_ENCODING_WINDOWS_1252);
    return found;
}

/* Reads the attributes of a <meta>; returns the encoding that it declares, if any. */
static wn_encoding scan_meta(scanner *s)
{
    attribute a;
    wn_encoding charset = none;
    bool seen_http_equiv = false, seen_content = false, seen_charset = false;
    bool got_pragma = false, need_pragma = false;
    while (get_attribute(s, &a)) {
        if (wn_str_eq_nocase(a.name, WN_STR("http-equiv")) && !seen_http_equiv) {
            seen_http_equiv = true;
            got_pragma = wn_str_eq_nocase(a.value, WN_STR("content-type"));
        } else if (wn_str_eq_nocase(a.name, WN_STR("content")) && !seen_content) {
            seen_content = true;
            wn_encoding found = wn_html_encoding_in_content(a.value);
            if (found.name && !seen_charset) {
                charset = found;
                need_pragma = true;
            }
        } else if (wn_str_eq_nocase(a.name, WN_STR("charset")) && !seen_charset) {
            seen_charset = true;
            charset = wn_html_encoding_get(a.value);
            need_pragma = false;
        }
    }
    if (s->at_end || (need_pragma && !got_pragma))
        return none;
    return as_declared(charset);
}

static bool starts(const scanner *s, wn_str word)
{
    return wn_str_starts_nocase(wn_str_between(s->p, s->end), word);
}

static bool is_meta(const scanner *s)
{
    return starts(s, WN_STR("<meta")) && s->end - s->p > 5 &&
           (wn_is_space(s->p[5]) || s->p[5] == '/');
}

static bool is_tag(const scanner *s)
{
    const char *name = s->p + 1;
    if (name < s->end && *name == '/')
        name++;
    return name < s->end && wn_is_ascii_alpha(*name);
}

/* Moves to the '>' of "-->", whose hyphens may be those of "<!--". */
static void skip_comment(scanner *s)
{
    skip_to_greater(s, s->p + 4);
    while (s->p < s->end && (s->p[-1] != '-' || s->p[-2] != '-'))
        skip_to_greater(s, s->p + 1);
}

static void skip_tag(scanner *s)
{
    attribute ignored;
    while (has_byte(s) && !wn_is_space(*s->p) && *s->p != '>')
        s->p++;
    while (get_attribute(s, &ignored))
        ;
}

/* Moves over the comment, tag or declaration at '<'; a <meta> may give the encoding. */
static wn_encoding scan_markup(scanner *s)
{
    if (starts(s, WN_STR("<!--"))) {
        skip_comment(s);
    } else if (is_meta(s)) {
        s->p += 5;
        return scan_meta(s);
    } else if (is_tag(s)) {
        skip_tag(s);
    } else if (starts(s, WN_STR("<!")) || starts(s, WN_STR("</")) || starts(s, WN_STR("<?"))) {
        skip_to_greater(s, s->p + 2);
    }
    return none;
}

/* https://html.spec.whatwg.org/multipage/parsing.html#concept-get-xml-encoding-when-sniffing */
static wn_encoding get_xml_encoding(wn_str bytes)
{
    if (!wn_str_starts(bytes, WN_STR("<?xml")))
        return none;
    const char *p = bytes.ptr, *end = wn_scan_1(p, p + bytes.len, '>');
    wn_str word = WN_STR("encoding");
    if (end == bytes.ptr + bytes.len)
        return none;
    while (p < end && !wn_str_starts(wn_str_between(p, end), word))
        p++;
    p = p < end ? p + word.len : end;
    while (p < end && (unsigned char)*p <= ' ')
        p++;
    if (p == end || *p++ != '=')
        return none;
    while (p < end && (unsigned char)*p <= ' ')
        p++;
    if (p == end || (*p != '"' && *p != '\''))
        return none;
    const char *stop = wn_scan_1(p + 1, end, *p);
    for (const char *c = ++p; c < stop; c++)
        if ((unsigned char)*c <= ' ')
            return none;
    return stop < end ? as_declared(wn_html_encoding_get(wn_str_between(p, stop))) : none;
}

wn_encoding wn_html_encoding_in_meta(wn_str bytes)
{
    if (wn_str_starts(bytes, wn_str_from("<\0?\0x", 6)))
        return wn_html_encoding_of(WN_ENCODING_UTF_16LE);
    if (wn_str_starts(bytes, wn_str_from("\0<\0?\0x", 6)))
        return wn_html_encoding_of(WN_ENCODING_UTF_16BE);
    scanner s = {.p = bytes.ptr, .end = bytes.ptr + bytes.len};
    while ((s.p = wn_scan_1(s.p, s.end, '<')) < s.end) {
        wn_encoding found = scan_markup(&s);
        if (found.name)
            return found;
        if (s.p >= s.end)
            break;
        s.p++;
    }
    return get_xml_encoding(bytes);
}
