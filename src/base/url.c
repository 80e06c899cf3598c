#include "base/url.h"

#include "base/scan.h"

/*
 * A URL or reference in its parts, all slices:
 *
 *     scheme ":" "//" authority path "?" query "#" fragment
 *
 * "special" URLs (http and the like) take `\` for `/` and always have a host.
 */
typedef struct parts {
    wn_str scheme, authority, path, query, fragment;
    bool has_authority, has_query, has_fragment;
    bool special;
} parts;

/* ---- Taking apart ------------------------------------------------------------------------ */

static bool is_special(wn_str scheme)
{
    static const char *const special[] = {"http", "https", "ftp", "ws", "wss"};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (wn_str_eq_nocase(scheme, wn_str_of(special[i])))
            return true;
    return false;
}

static bool is_slash(char c, bool special)
{
    return c == '/' || (special && c == '\\');
}

/* The scheme that s starts with, without the colon; empty if there is none. */
static wn_str scheme_of(wn_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        if (c == ':')
            return wn_str_from(s.ptr, i);
        bool inside = wn_is_ascii_digit(c) || c == '+' || c == '-' || c == '.';
        if (!wn_is_ascii_alpha(c) && (i == 0 || !inside))
            break;
    }
    return wn_str_from(s.ptr, 0);
}

/* Cuts s at the first `mark`; what is after it goes to `rest`. */
static bool cut_at(wn_str *s, char mark, wn_str *rest)
{
    const char *found = wn_scan_1(s->ptr, s->ptr + s->len, mark);
    if (found == s->ptr + s->len)
        return false;
    *rest = wn_str_between(found + 1, s->ptr + s->len);
    s->len = (size_t)(found - s->ptr);
    return true;
}

static size_t count_slashes(wn_str s, bool special)
{
    size_t count = 0;
    while (count < s.len && is_slash(s.ptr[count], special))
        count++;
    return count;
}

/*
 * Takes a reference apart that is on a page with the scheme `base_scheme`
 * (empty: none). A special URL with the scheme of its page is relative without two slashes.
 */
static parts take_apart(wn_str s, wn_str base_scheme)
{
    parts p = {.scheme = scheme_of(s)};
    p.special = is_special(p.scheme.len ? p.scheme : base_scheme);
    if (p.scheme.len > 0)
        s = wn_str_from_offset(s, p.scheme.len + 1);
    p.has_fragment = cut_at(&s, '#', &p.fragment);
    p.has_query = cut_at(&s, '?', &p.query);

    size_t slashes = count_slashes(s, p.special);
    if (p.special && slashes < 2 && wn_str_eq_nocase(p.scheme, base_scheme))
        p.scheme = wn_str_from(s.ptr, 0);
    p.has_authority = slashes >= 2 || (p.special && p.scheme.len > 0);
    if (p.has_authority) {
        s = wn_str_from_offset(s, p.special ? slashes : 2);
        size_t end = 0;
        while (end < s.len && !is_slash(s.ptr[end], p.special))
            end++;
        p.authority = wn_str_from(s.ptr, end);
        s = wn_str_from_offset(s, end);
    }
    p.path = s;
    return p;
}

/* ---- Putting together -------------------------------------------------------------------- */

/* Characters beyond the usual ones that are encoded in each part, by the WHATWG standard. */
static const char PATH_SET[] = "`{}^", QUERY_SET[] = "'", FRAGMENT_SET[] = "`", OPAQUE_SET[] = "";

static void add_encoded(wn_buf *out, wn_str s, const char *set)
{
    static const char hex[] = "0123456789ABCDEF";
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        if (c > ' ' && c < 0x7F && c != '"' && c != '<' && c != '>' && !strchr(set, c)) {
            wn_buf_add_char(out, (char)c);
            continue;
        }
        wn_buf_add_char(out, '%');
        wn_buf_add_char(out, hex[c >> 4]);
        wn_buf_add_char(out, hex[c & 15]);
    }
}

static void add_lower(wn_buf *out, wn_str s)
{
    for (size_t i = 0; i < s.len; i++)
        wn_buf_add_char(out, wn_ascii_lower(s.ptr[i]));
}

/* The host is written in lower case; a name and password before it are not touched. */
static void add_authority(wn_buf *out, wn_str authority)
{
    wn_str host = authority;
    wn_str behind;
    while (cut_at(&host, '@', &behind))
        host = behind;
    wn_str user = wn_str_between(authority.ptr, host.ptr);
    wn_buf_add_literal(out, "//");
    add_encoded(out, user, OPAQUE_SET);
    add_lower(out, host);
}

/* How many dots the segment is made of, written as "." or "%2e"; 0 if of anything else. */
static int count_dots(wn_str segment)
{
    int dots = 0;
    while (segment.len > 0) {
        size_t size = segment.ptr[0] == '.' ? 1 : 3;
        if (size == 3 && !wn_str_starts_nocase(segment, WN_STR("%2e")))
            return 0;
        segment = wn_str_from_offset(segment, size);
        dots++;
    }
    return dots;
}

/* Takes the last segment off the path that starts at `root` of `out` and ends with "/". */
static void drop_segment(wn_buf *out, size_t root)
{
    if (out->len <= root + 1)
        return;
    out->len--;
    while (out->len > root + 1 && out->ptr[out->len - 1] != '/')
        out->len--;
}

/* Adds a path to the one that starts at `root` and ends with "/"; takes "." and ".." out. */
static void add_segments(wn_buf *out, size_t root, wn_str path, bool special)
{
    while (path.len > 0) {
        size_t end = 0;
        while (end < path.len && !is_slash(path.ptr[end], special))
            end++;
        wn_str segment = wn_str_from(path.ptr, end);
        int dots = count_dots(segment);
        if (dots == 2) {
            drop_segment(out, root);
        } else if (dots != 1) {
            add_encoded(out, segment, PATH_SET);
            if (end < path.len)
                wn_buf_add_char(out, '/');
        }
        path = wn_str_from_offset(path, end + 1);
    }
}

/* The part of a path before its last segment. */
static wn_str directory_of(wn_str path, bool special)
{
    while (path.len > 0 && !is_slash(path.ptr[path.len - 1], special))
        path.len--;
    return path;
}

static wn_str without_first_slash(wn_str path, bool special)
{
    return wn_str_from_offset(path, path.len > 0 && is_slash(path.ptr[0], special));
}

/* Adds `directory` (it may be empty) and `path` as one path without dots. */
static void add_path(wn_buf *out, wn_str directory, wn_str path, bool special)
{
    size_t root = out->len;
    wn_buf_add_char(out, '/');
    if (directory.len > 0)
        add_segments(out, root, without_first_slash(directory, special), special);
    else
        path = without_first_slash(path, special);
    add_segments(out, root, path, special);
}

static void add_query(wn_buf *out, const parts *p)
{
    if (!p->has_query)
        return;
    wn_buf_add_char(out, '?');
    add_encoded(out, p->query, QUERY_SET);
}

static void add_fragment(wn_buf *out, const parts *p)
{
    if (!p->has_fragment)
        return;
    wn_buf_add_char(out, '#');
    add_encoded(out, p->fragment, FRAGMENT_SET);
}

/* ---- References -------------------------------------------------------------------------- */

static void add_absolute(wn_buf *out, const parts *url)
{
    add_lower(out, url->scheme);
    wn_buf_add_char(out, ':');
    if (url->has_authority)
        add_authority(out, url->authority);
    if (url->special || (url->path.len > 0 && url->path.ptr[0] == '/'))
        add_path(out, WN_STR(""), url->path, url->special);
    else
        add_encoded(out, url->path, OPAQUE_SET);
    add_query(out, url);
    add_fragment(out, url);
}

/* RFC 3986, section 5.2.2, for a reference without a scheme. */
static void add_relative(wn_buf *out, const parts *base, const parts *reference)
{
    bool special = base->special;
    add_lower(out, base->scheme);
    wn_buf_add_char(out, ':');
    if (reference->has_authority)
        add_authority(out, reference->authority);
    else if (base->has_authority)
        add_authority(out, base->authority);

    bool from_root = reference->path.len > 0 && is_slash(reference->path.ptr[0], special);
    if (reference->has_authority || from_root) {
        add_path(out, WN_STR(""), reference->path, special);
    } else if (reference->path.len > 0) {
        add_path(out, directory_of(base->path, special), reference->path, special);
    } else {
        add_path(out, WN_STR(""), base->path, special);
        if (!reference->has_query)
            add_query(out, base);
    }
    add_query(out, reference);
    add_fragment(out, reference);
}

/* s without control characters and spaces around and without line ends and tabs in it. */
static wn_str clean(wn_str s, wn_buf *copy)
{
    while (s.len > 0 && (unsigned char)s.ptr[0] <= ' ')
        s = wn_str_from_offset(s, 1);
    while (s.len > 0 && (unsigned char)s.ptr[s.len - 1] <= ' ')
        s.len--;
    const char *end = s.ptr + s.len;
    if (wn_scan_3(s.ptr, end, '\n', '\r', '\t') == end)
        return s;
    for (const char *p = s.ptr; p < end; p++)
        if (*p != '\n' && *p != '\r' && *p != '\t')
            wn_buf_add_char(copy, *p);
    return wn_buf_str(copy);
}

void wn_url_resolve(wn_buf *out, wn_str base, wn_str reference)
{
    wn_buf base_copy = {0}, reference_copy = {0};
    base = clean(base, &base_copy);
    reference = clean(reference, &reference_copy);
    parts from = take_apart(base, WN_STR(""));
    parts to = take_apart(reference, from.scheme);

    bool hierarchical = from.has_authority || (from.path.len > 0 && from.path.ptr[0] == '/');
    if (to.scheme.len > 0)
        add_absolute(out, &to);
    else if (from.scheme.len > 0 && hierarchical)
        add_relative(out, &from, &to);
    else
        wn_buf_add(out, reference);
    out->failed |= base_copy.failed || reference_copy.failed;
    wn_buf_free(&base_copy);
    wn_buf_free(&reference_copy);
}

void wn_url_decode(wn_buf *out, wn_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        bool pair = s.ptr[i] == '%' && i + 2 < s.len && wn_hex_digit(s.ptr[i + 1]) >= 0 &&
                    wn_hex_digit(s.ptr[i + 2]) >= 0;
        wn_buf_add_char(out,
                        pair ? (char)(wn_hex_digit(s.ptr[i + 1]) * 16 + wn_hex_digit(s.ptr[i + 2]))
                             : s.ptr[i]);
        i += pair ? 2 : 0;
    }
}

/* What is between the slashes and the path: user, host and port. */
static wn_str authority_of(wn_str url)
{
    wn_str rest = wn_str_starts(url, WN_STR("//"))
                      ? wn_str_from_offset(url, 2)
                      : wn_str_from_offset(url, wn_str_find(url, WN_STR("://")) + 3);
    size_t length = 0;
    while (length < rest.len && !strchr("/?#\\", rest.ptr[length]))
        length++;
    return wn_str_from(rest.ptr, length);
}

wn_str wn_url_credentials(wn_str url)
{
    wn_str authority = authority_of(url);
    size_t length = authority.len;
    while (length > 0 && authority.ptr[length - 1] != '@')
        length--;
    return wn_str_from(authority.ptr, length);
}

void wn_url_add_without_credentials(wn_buf *out, wn_str url)
{
    wn_str credentials = wn_url_credentials(url);
    if (credentials.len == 0) {
        wn_buf_add(out, url);
        return;
    }
    wn_buf_add(out, wn_str_between(url.ptr, credentials.ptr));
    wn_buf_add(out, wn_str_between(credentials.ptr + credentials.len, url.ptr + url.len));
}

wn_str wn_url_host(wn_str url)
{
    wn_str authority = authority_of(url), credentials = wn_url_credentials(url);
    const char *host = authority.ptr + credentials.len, *end = authority.ptr + authority.len;
    const char *bracket = host < end && *host == '[' ? memchr(host, ']', (size_t)(end - host))
                                                     : NULL;
    if (bracket)
        return wn_str_between(host, bracket + 1);
    const char *colon = host < end ? memchr(host, ':', (size_t)(end - host)) : NULL;
    return wn_str_between(host, colon ? colon : end);
}

bool wn_url_has_scheme(wn_str url, wn_str scheme)
{
    return wn_str_eq_nocase(scheme_of(url), scheme);
}
