#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memmem, memrchr */
#endif

#include "io/robots.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/utf8.h"

/* No user would wait longer than this. */
static const double MAX_DELAY = 60;

typedef struct rule {
    wn_str name, value;
} rule;

/* The next line with a colon, without its comment; false at the end. */
static bool next_rule(wn_str *rest, rule *found)
{
    while (rest->len > 0) {
        size_t length = 0;
        while (length < rest->len && rest->ptr[length] != '\n' && rest->ptr[length] != '\r')
            length++;
        wn_str line = wn_str_from(rest->ptr, length);
        *rest = wn_str_from_offset(*rest, length + 1);
        const char *comment = memchr(line.ptr, '#', line.len);
        if (comment)
            line = wn_str_between(line.ptr, comment);
        const char *colon = memchr(line.ptr, ':', line.len);
        if (!colon)
            continue;
        found->name = wn_str_trim(wn_str_between(line.ptr, colon));
        found->value = wn_str_trim(wn_str_from_offset(line, (size_t)(colon - line.ptr) + 1));
        return true;
    }
    return false;
}

static bool is_agent_line(const rule *r)
{
    return wn_str_eq_nocase(r->name, WN_STR("user-agent"));
}

wn_str wn_io_robots_name(wn_str agent)
{
    size_t length = 0;
    while (length < agent.len && (wn_is_ascii_alpha(agent.ptr[length]) ||
                                  agent.ptr[length] == '_' || agent.ptr[length] == '-'))
        length++;
    return wn_str_from(agent.ptr, length);
}

static bool names_agent(const rule *r, wn_str agent)
{
    return wn_str_eq_nocase(wn_io_robots_name(r->value), agent);
}

/* The name whose groups are for us: our own, else that of all. */
static wn_str group_for(wn_str robots, wn_str agent)
{
    rule r;
    while (next_rule(&robots, &r)) {
        if (is_agent_line(&r) && names_agent(&r, agent))
            return agent;
    }
    return WN_STR("*");
}

/* Goes over the rules of the groups for one agent. */
typedef struct group_walk {
    wn_str rest, agent;
    bool ours;        /* the group we are in */
    bool after_agent; /* the last line was a user-agent line */
} group_walk;

static group_walk begin_groups(wn_str robots, wn_str agent)
{
    robots = wn_utf8_without_mark(robots);
    return (group_walk){.rest = robots, .agent = group_for(robots, agent)};
}

static bool next_in_groups(group_walk *walk, rule *r)
{
    while (next_rule(&walk->rest, r)) {
        if (is_agent_line(r)) {
            bool named = wn_str_eq(walk->agent, WN_STR("*")) ? wn_str_eq(r->value, WN_STR("*"))
                                                             : names_agent(r, walk->agent);
            walk->ours = named || (walk->after_agent && walk->ours);
            walk->after_agent = true;
            continue;
        }
        walk->after_agent = false;
        if (walk->ours)
            return true;
    }
    return false;
}

/* The part of the pattern up to its next star, which is taken off `pattern`. */
static wn_str next_part(wn_str *pattern)
{
    const char *star = memchr(pattern->ptr, '*', pattern->len);
    wn_str part = star ? wn_str_between(pattern->ptr, star) : *pattern;
    *pattern = wn_str_from_offset(*pattern, part.len + 1);
    return part;
}

static bool ends_with(wn_str s, wn_str end)
{
    return s.len >= end.len && wn_str_eq(wn_str_from_offset(s, s.len - end.len), end);
}

/*
 * Whether the path matches the pattern, in which * means anything and $ at the end means the end of
 * the path. The parts between the stars are searched one after the other, each at its first
 * occurrence: if that does not lead to a match, no later occurrence does.
 */
static bool fits(wn_str pattern, wn_str path)
{
    bool to_end = pattern.len > 0 && pattern.ptr[pattern.len - 1] == '$';
    pattern.len -= to_end;
    const char *last_star = memrchr(pattern.ptr, '*', pattern.len);
    const char *end = pattern.ptr + pattern.len;
    wn_str part = next_part(&pattern);
    if (!wn_str_starts(path, part))
        return false;
    path = wn_str_from_offset(path, part.len);
    if (!last_star)
        return !to_end || path.len == 0;
    while (pattern.ptr <= last_star) {
        part = next_part(&pattern);
        const char *found = memmem(path.ptr, path.len, part.ptr, part.len);
        if (!found)
            return false;
        path = wn_str_from_offset(path, (size_t)(found - path.ptr) + part.len);
    }
    part = wn_str_between(pattern.ptr, end);
    return to_end ? ends_with(path, part) : memmem(path.ptr, path.len, part.ptr, part.len) != NULL;
}

/* Characters that mean the same whether they are percent-encoded or not. */
static bool is_unreserved(char c)
{
    return wn_is_ascii_alnum(c) || (c && strchr("-._~", c));
}

/*
 * Writes a path or pattern in the one form in which they are compared: bytes beyond ASCII encoded,
 * unreserved characters not, with large digits.
 * https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2
 */
static void add_normal(wn_buf *out, wn_str path)
{
    for (size_t i = 0; i < path.len; i++) {
        char c = path.ptr[i];
        bool encoded = c == '%' && i + 2 < path.len && wn_hex_digit(path.ptr[i + 1]) >= 0 &&
                       wn_hex_digit(path.ptr[i + 2]) >= 0;
        if (encoded) {
            c = (char)(wn_hex_digit(path.ptr[i + 1]) * 16 + wn_hex_digit(path.ptr[i + 2]));
            i += 2;
        }
        if (encoded ? !is_unreserved(c) : (c & 0x80) != 0)
            wn_buf_add_format(out, "%%%02X", (unsigned char)c);
        else
            wn_buf_add_char(out, c);
    }
}

bool wn_io_robots_allow(wn_str robots, wn_str agent, wn_str path)
{
    group_walk walk = begin_groups(robots, agent);
    rule r;
    size_t longest = 0;
    bool allowed = true;
    wn_buf normal = {0}, pattern = {0};
    add_normal(&normal, path);
    while (next_in_groups(&walk, &r)) {
        bool allow = wn_str_eq_nocase(r.name, WN_STR("allow"));
        if ((!allow && !wn_str_eq_nocase(r.name, WN_STR("disallow"))) || r.value.len == 0)
            continue;
        wn_buf_clear(&pattern);
        add_normal(&pattern, r.value);
        if (pattern.len < longest || (pattern.len == longest && !allow) ||
            !fits(wn_buf_str(&pattern), wn_buf_str(&normal)))
            continue;
        longest = pattern.len;
        allowed = allow;
    }
    allowed = allowed && !normal.failed && !pattern.failed;
    wn_buf_free(&normal);
    wn_buf_free(&pattern);
    return allowed;
}

double wn_io_robots_delay(wn_str robots, wn_str agent)
{
    group_walk walk = begin_groups(robots, agent);
    rule r;
    double delay = 0;
    while (next_in_groups(&walk, &r)) {
        char number[16] = "";
        if (!wn_str_eq_nocase(r.name, WN_STR("crawl-delay")) || r.value.len >= sizeof number)
            continue;
        memcpy(number, r.value.ptr, r.value.len);
        delay = strtod(number, NULL);
    }
    if (!(delay > 0))
        return 0;
    return delay < MAX_DELAY ? delay : MAX_DELAY;
}
