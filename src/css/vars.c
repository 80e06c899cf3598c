#include "css/vars.h"

#include <assert.h>
#include <stdlib.h>

enum {
    MAX_DEPTH = 32,         /* of variables that refer to variables */
    MAX_LENGTH = 64 * 1024, /* of a value; browsers have such a limit too */
};

enum { PLAIN, UNRESOLVED, RESOLVING, INVALID };

/* ---- Environments ------------------------------------------------------------------------ */

/* The variable of that name and the environment it is in; NULL if there is none. */
static wn_css_var *find(const wn_css_env *env, wn_str name, uint32_t hash, const wn_css_env **where)
{
    for (; env; env = env->outer) {
        uint32_t low = 0, high = env->count;
        while (low < high) {
            uint32_t middle = (low + high) / 2;
            if (env->vars[middle].hash < hash)
                low = middle + 1;
            else
                high = middle;
        }
        assert(low == 0 || env->vars[low - 1].hash < hash);
        assert(low == env->count || env->vars[low].hash >= hash);
        for (; low < env->count && env->vars[low].hash == hash; low++)
            if (wn_str_eq(env->vars[low].name, name)) {
                *where = env;
                return &env->vars[low];
            }
    }
    return NULL;
}

/* By hash; of equal names the one declared last comes first: it is the one that is found. */
static int compare_vars(const void *a, const void *b)
{
    const wn_css_var *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Whether `outer` says the same of a variable already. */
static bool is_same(const wn_css_env *outer, const wn_css_custom *custom)
{
    const wn_css_env *where;
    const wn_css_var *var = find(outer, custom->name, custom->hash, &where);
    return var && var->state == PLAIN && !custom->has_var && wn_str_eq(var->text, custom->text);
}

const wn_css_env *wn_css_env_make(wn_css_vars *vars, const wn_css_env *outer,
                                  const wn_css_decl *const *decls, uint32_t count)
{
    bool differs = false;
    for (uint32_t i = 0; i < count && !differs; i++)
        differs = !is_same(outer, decls[i]->data);
    if (!differs)
        return outer;
    wn_css_env *env = wn_arena_alloc(vars->arena, sizeof *env);
    wn_css_var *items = wn_arena_alloc(vars->arena, count * sizeof *items);
    if (!env || !items)
        return outer;
    uint32_t kept = 0;
    for (uint32_t i = count; i-- > 0;) {
        const wn_css_custom *custom = decls[i]->data;
        if (custom->wide && !wn_str_eq_nocase(custom->text, WN_STR("initial")))
            continue; /* inherited, as without it */
        items[kept] = (wn_css_var){
            .name = custom->name,
            .text = custom->text,
            .hash = custom->hash,
            .order = kept,
            .state = custom->wide      ? INVALID
                     : custom->has_var ? UNRESOLVED
                                       : PLAIN,
        };
        kept++;
    }
    assert(kept <= count);
    qsort(items, kept, sizeof *items, compare_vars);
    *env = (wn_css_env){outer, items, kept};
    return env;
}

/* ---- Substitution ------------------------------------------------------------------------ */

static bool substitute(wn_css_vars *vars, const wn_css_env *env, wn_str text, wn_buf *out,
                       int depth);

/* Adds to a value; false if it becomes too long, or out of memory. */
static bool add(wn_css_vars *vars, wn_buf *out, wn_str text)
{
    assert(out->len <= MAX_LENGTH);
    if (text.len > MAX_LENGTH - out->len)
        return false;
    wn_buf_add(out, text);
    vars->arena->failed |= out->failed;
    return !out->failed;
}

/* Works a variable's value out; false if it has none. */
static bool resolve(wn_css_vars *vars, const wn_css_env *env, wn_css_var *var, int depth)
{
    if (var->state == PLAIN)
        return true;
    if (var->state != UNRESOLVED || depth >= MAX_DEPTH) {
        var->state = INVALID;
        return false;
    }
    wn_buf text = {0};
    var->state = RESOLVING;
    bool ok = substitute(vars, env, var->text, &text, depth + 1) && var->state == RESOLVING;
    ok = ok && wn_cost_spend(&vars->cost, text.len);
    if (ok) {
        var->text = wn_arena_copy(vars->arena, wn_str_trim(wn_buf_str(&text)));
    }
    var->state = ok ? PLAIN : INVALID;
    wn_buf_free(&text);
    return ok;
}

/* One var(…), of which `inner` is what is in its brackets. */
static bool substitute_one(wn_css_vars *vars, const wn_css_env *env, wn_str inner, wn_buf *out,
                           int depth)
{
    const char *end = inner.ptr + inner.len, *comma = wn_css_scan(inner.ptr, end, ",");
    wn_str name = wn_str_trim(wn_str_between(inner.ptr, comma));
    const wn_css_env *where;
    if (!wn_str_starts(name, WN_STR("--")))
        return false;
    wn_css_var *var = find(env, name, wn_str_hash(name), &where);
    if (var && resolve(vars, where, var, depth))
        return add(vars, out, var->text);
    return comma < end && substitute(vars, env, wn_str_between(comma + 1, end), out, depth + 1);
}

/* The next "var(" outside strings, or `end`. */
static const char *next_var(const char *start, const char *p, const char *end)
{
    for (; p < end; p++) {
        if (*p == '"' || *p == '\'') {
            char mark = *p;
            for (p++; p < end && *p != mark; p++)
                p += *p == '\\';
        } else if (*p == '\\') {
            p++;
        } else if ((*p | 0x20) == 'v' && end - p > 4 && p[3] == '(' && (p[1] | 0x20) == 'a' &&
                   (p[2] | 0x20) == 'r' && (p == start || !wn_css_is_name_char(p[-1]))) {
            return p;
        }
    }
    return end;
}

static bool substitute(wn_css_vars *vars, const wn_css_env *env, wn_str text, wn_buf *out,
                       int depth)
{
    const char *p = text.ptr, *end = text.ptr + text.len;
    if (depth > MAX_DEPTH)
        return false;
    for (;;) {
        const char *var = next_var(text.ptr, p, end);
        if (!add(vars, out, wn_str_between(p, var)))
            return false;
        if (var >= end)
            return true;
        const char *inner = var + 4, *close = wn_css_scan(inner, end, ")");
        if (!substitute_one(vars, env, wn_str_between(inner, close), out, depth))
            return false;
        p = close < end ? close + 1 : end;
        /* What is on both sides of a variable's end stays two tokens. */
        if (p < end && out->len && wn_css_is_name_char(*p) &&
            wn_css_is_name_char(out->ptr[out->len - 1]) && !add(vars, out, WN_STR("/**/")))
            return false;
    }
}

bool wn_css_substitute(wn_css_vars *vars, const wn_css_env *env, wn_str text, wn_buf *out)
{
    return substitute(vars, env, text, out, 0) && wn_cost_spend(&vars->cost, out->len);
}
