#include "io/robots.h"

#include <stdlib.h>

/* Nobody can be asked to wait longer: such a site is not fetched from by hand either. */
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

/* Only the product's name counts: "winnow/0.1" is "winnow". */
static wn_str product(wn_str agent)
{
    size_t length = 0;
    while (length < agent.len && (wn_is_ascii_alpha(agent.ptr[length]) ||
                                  agent.ptr[length] == '_' || agent.ptr[length] == '-'))
        length++;
    return wn_str_from(agent.ptr, length);
}

static bool names_agent(const rule *r, wn_str agent)
{
    return wn_str_eq_nocase(product(r->value), agent);
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

/*
 * Whether the path begins with the pattern, in which * stands for anything and $ at its
 * end for the end of the path. A later star never has to be undone, so this is linear in
 * the path for each star.
 */
static bool fits(wn_str pattern, wn_str path)
{
    bool to_end = pattern.len > 0 && pattern.ptr[pattern.len - 1] == '$';
    pattern.len -= to_end;
    size_t p = 0, s = 0, star = SIZE_MAX, resume = 0;
    while (true) {
        if (p < pattern.len && pattern.ptr[p] == '*') {
            star = p++;
            resume = s;
        } else if (p == pattern.len && (!to_end || s == path.len)) {
            return true;
        } else if (p < pattern.len && s < path.len && pattern.ptr[p] == path.ptr[s]) {
            p++;
            s++;
        } else if (star != SIZE_MAX && resume < path.len) {
            p = star + 1;
            s = ++resume;
        } else {
            return false;
        }
    }
}

bool wn_robots_allow(wn_str robots, wn_str agent, wn_str path)
{
    group_walk walk = {.rest = robots, .agent = group_for(robots, agent)};
    rule r;
    size_t longest = 0;
    bool allowed = true;
    while (next_in_groups(&walk, &r)) {
        bool allow = wn_str_eq_nocase(r.name, WN_STR("allow"));
        if ((!allow && !wn_str_eq_nocase(r.name, WN_STR("disallow"))) || r.value.len == 0)
            continue;
        if (r.value.len < longest || (r.value.len == longest && !allow) || !fits(r.value, path))
            continue;
        longest = r.value.len;
        allowed = allow;
    }
    return allowed;
}

double wn_robots_delay(wn_str robots, wn_str agent)
{
    group_walk walk = {.rest = robots, .agent = group_for(robots, agent)};
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
