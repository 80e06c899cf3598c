#include "css/selector.h"

#include <assert.h>
#include <stdlib.h>

#include "html/names_lookup.h"

enum {
    MAX_TOKENS = 200000, /* of one list; a longer one is dropped */
    MAX_DEPTH = 8,       /* of :not(:is(…)); deeper ones are invalid */
    MAX_COUNT = 1023,    /* of one part of a specificity */
    MAX_COPIED = 64,     /* compounds of a parent that are written out for "&" */
    MAX_PARENTS = 8,
};

/* ---- Atoms ------------------------------------------------------------------------------- */

/* A name as it is kept; "" if out of memory, which is the name of nothing. */
static wn_str kept_form(wn_css_atoms *atoms, wn_str name)
{
    if (!atoms->fold)
        return name;
    wn_buf_clear(&atoms->name);
    wn_buf_add(&atoms->name, name);
    for (size_t i = 0; i < atoms->name.len; i++)
        atoms->name.ptr[i] = wn_ascii_lower(atoms->name.ptr[i]);
    return wn_buf_str(&atoms->name);
}

void wn_css_atoms_reset(wn_css_atoms *atoms, bool fold)
{
    wn_map_clear(&atoms->names);
    wn_arena_reset(&atoms->folded);
    atoms->fold = fold;
}

void wn_css_atoms_free(wn_css_atoms *atoms)
{
    wn_map_free(&atoms->names);
    wn_arena_free(&atoms->folded);
    wn_buf_free(&atoms->name);
}

size_t wn_css_atoms_memory(const wn_css_atoms *atoms)
{
    return wn_map_memory(&atoms->names) + atoms->folded.reserved + atoms->name.cap;
}

uint32_t wn_css_atom_find(wn_css_atoms *atoms, wn_str name)
{
    uint32_t number = wn_css_atoms_count(atoms) > 0
                          ? wn_map_find(&atoms->names, kept_form(atoms, name))
                          : WN_MAP_NONE;
    return number == WN_MAP_NONE ? 0 : number + 1;
}

uint32_t wn_css_atom_add(wn_css_atoms *atoms, wn_str name)
{
    wn_str kept = kept_form(atoms, name);
    uint32_t number = atoms->name.failed
                          ? WN_MAP_NONE
                          : wn_map_add(&atoms->names, kept, atoms->fold ? &atoms->folded : NULL);
    return number == WN_MAP_NONE ? 0 : number + 1;
}

/* ---- Sets -------------------------------------------------------------------------------- */

void wn_css_set_reset(wn_css_set *set, bool quirks)
{
    wn_css_atoms_reset(&set->atoms, quirks);
    set->selectors.count = set->compounds.count = set->tests.count = 0;
    set->attrs.count = set->nths.count = set->lists.count = set->strings.count = 0;
    set->open_tests.count = set->open_compounds.count = set->open_selectors.count = 0;
    memset(set->attrs_used, 0, sizeof set->attrs_used);
    set->names_used = 0;
    set->failed = false;
}

void wn_css_set_free(wn_css_set *set)
{
    wn_css_atoms_free(&set->atoms);
    wn_array_free(&set->selectors);
    wn_array_free(&set->compounds);
    wn_array_free(&set->tests);
    wn_array_free(&set->attrs);
    wn_array_free(&set->nths);
    wn_array_free(&set->lists);
    wn_array_free(&set->strings);
    wn_array_free(&set->open_tests);
    wn_array_free(&set->open_compounds);
    wn_array_free(&set->open_selectors);
    wn_array_free(&set->tokens);
}

size_t wn_css_set_memory(const wn_css_set *set)
{
    return wn_css_atoms_memory(&set->atoms) + wn_array_bytes(&set->selectors) +
           wn_array_bytes(&set->compounds) + wn_array_bytes(&set->tests) +
           wn_array_bytes(&set->attrs) + wn_array_bytes(&set->nths) + wn_array_bytes(&set->lists) +
           wn_array_bytes(&set->strings) + wn_array_bytes(&set->open_tests) +
           wn_array_bytes(&set->open_compounds) + wn_array_bytes(&set->open_selectors) +
           wn_array_bytes(&set->tokens);
}

/* ---- Reading ----------------------------------------------------------------------------- */

typedef struct reader {
    wn_css_set *set;
    wn_arena *arena;
    const wn_css_token *at;
    const wn_css_list *parent;
    int depth;
    bool relative; /* inside :has(): a selector may begin with a combinator */
} reader;

/* One selector while it is read. */
typedef struct draft {
    uint32_t tests, compounds; /* where its parts start among the open ones */
    uint32_t a, b, c;          /* specificity */
    uint8_t pseudo;
    bool never;     /* it cannot match */
    bool has_amp;   /* "&" is in it */
    bool amp_first; /* … at its very start, and nowhere else */
} draft;

static bool add_test(reader *r, wn_css_test_kind kind, unsigned id, uint32_t data)
{
    wn_css_test *test = wn_array_push(&r->set->open_tests);
    if (!test) {
        r->set->failed = true;
        return false;
    }
    *test = (wn_css_test){(uint8_t)kind, (uint16_t)id, data};
    return true;
}

/* A class or an id. */
static bool add_named(reader *r, wn_css_test_kind kind, wn_str name)
{
    uint32_t atom = wn_css_atom_add(&r->set->atoms, name);
    if (!atom)
        r->set->failed = true;
    return atom && add_test(r, kind, 0, atom);
}

/* A copy of `s` in lower case if it has capitals. */
static wn_str lower(reader *r, wn_str s)
{
    bool capitals = false;
    for (size_t i = 0; i < s.len; i++)
        capitals |= s.ptr[i] != wn_ascii_lower(s.ptr[i]);
    if (!capitals)
        return s;
    char *copy = wn_arena_bytes(r->arena, s.len);
    if (!copy)
        return WN_STR("");
    for (size_t i = 0; i < s.len; i++)
        copy[i] = wn_ascii_lower(s.ptr[i]);
    return wn_str_from(copy, s.len);
}

static uint32_t add_string(reader *r, wn_str s)
{
    wn_str *item = wn_array_push(&r->set->strings);
    if (!item) {
        r->set->failed = true;
        return 0;
    }
    *item = s;
    return r->set->strings.count - 1;
}

static bool read_list(reader *r, bool forgiving, wn_css_list *list, uint32_t *specificity);

/* A list in brackets, as number of a list; the cursor is after the function's name. */
static bool read_inner(reader *r, bool forgiving, bool relative, uint32_t *number,
                       uint32_t *specificity)
{
    if (r->depth >= MAX_DEPTH)
        return false;
    wn_css_list list;
    bool outer_relative = r->relative;
    r->depth++;
    r->relative = relative;
    bool ok = read_list(r, forgiving, &list, specificity);
    r->depth--;
    r->relative = outer_relative;
    if (!ok)
        return false;
    if (wn_css_is_delim(r->at, ')'))
        r->at++;
    else if (r->at->kind != WN_CSS_END)
        return false;
    wn_css_list *slot = wn_array_push(&r->set->lists);
    if (!slot) {
        r->set->failed = true;
        return false;
    }
    *slot = list;
    *number = r->set->lists.count - 1;
    return true;
}

static void add_specificity(draft *d, uint32_t specificity)
{
    d->a += specificity >> 20;
    d->b += specificity >> 10 & MAX_COUNT;
    d->c += specificity & MAX_COUNT;
}

static uint32_t specificity_of(const draft *d)
{
    uint32_t a = d->a < MAX_COUNT ? d->a : MAX_COUNT, b = d->b < MAX_COUNT ? d->b : MAX_COUNT;
    uint32_t c = d->c < MAX_COUNT ? d->c : MAX_COUNT;
    return a << 20 | b << 10 | c;
}

/* ---- an+b -------------------------------------------------------------------------------- */

static bool read_integer(wn_str s, int32_t *value)
{
    size_t i = 0;
    bool minus = s.len > 0 && s.ptr[0] == '-';
    if (s.len > 0 && (s.ptr[0] == '-' || s.ptr[0] == '+'))
        i++;
    if (i >= s.len)
        return false;
    int32_t number = 0;
    for (; i < s.len; i++) {
        if (!wn_is_ascii_digit(s.ptr[i]))
            return false;
        if (number < 100000000)
            number = number * 10 + (s.ptr[i] - '0');
    }
    *value = minus ? -number : number;
    return true;
}

/*
 * The text of an+b without white space: "2n+1", "odd", "-n+3". The tokenizer sees numbers, units
 * and names there, so it is read as text.
 */
static bool parse_nth(wn_str s, wn_css_nth *nth)
{
    if (wn_str_eq_nocase(s, WN_STR("odd")) || wn_str_eq_nocase(s, WN_STR("even"))) {
        nth->step = 2;
        nth->offset = (s.ptr[0] | 0x20) == 'o';
        return true;
    }
    size_t n = 0;
    while (n < s.len && (s.ptr[n] | 0x20) != 'n')
        n++;
    if (n == s.len) {
        nth->step = 0;
        return read_integer(s, &nth->offset);
    }
    wn_str before = wn_str_from(s.ptr, n), after = wn_str_from_offset(s, n + 1);
    if (before.len == 0 || wn_str_eq(before, WN_STR("+")))
        nth->step = 1;
    else if (wn_str_eq(before, WN_STR("-")))
        nth->step = -1;
    else if (!read_integer(before, &nth->step))
        return false;
    nth->offset = 0;
    return after.len == 0 ||
           ((after.ptr[0] == '+' || after.ptr[0] == '-') && read_integer(after, &nth->offset));
}

static bool read_nth(reader *r, draft *d, bool last, bool of_type)
{
    char text[64];
    size_t len = 0;
    wn_css_nth nth = {.last = last, .of_type = of_type};
    while (r->at->kind != WN_CSS_END && !wn_css_is_delim(r->at, ')') &&
           !wn_css_is_ident(r->at, WN_STR("of"))) {
        size_t size = (size_t)(r->at->end - r->at->start);
        if (len + size > sizeof text)
            return false;
        memcpy(text + len, r->at->start, size);
        len += size;
        r->at++;
    }
    if (!parse_nth(wn_str_from(text, len), &nth))
        return false;
    if (wn_css_is_ident(r->at, WN_STR("of"))) {
        uint32_t number, specificity;
        if (of_type)
            return false;
        r->at++;
        if (!read_inner(r, false, false, &number, &specificity))
            return false;
        nth.list = number + 1;
        add_specificity(d, specificity);
    } else if (wn_css_is_delim(r->at, ')')) {
        r->at++;
    }
    wn_css_nth *slot = wn_array_push(&r->set->nths);
    if (!slot) {
        r->set->failed = true;
        return false;
    }
    *slot = nth;
    d->b++;
    return add_test(r, WN_TEST_NTH, 0, r->set->nths.count - 1);
}

/* ---- Pseudo-classes ---------------------------------------------------------------------- */

typedef enum at_rest { TEST, ALWAYS, NEVER } at_rest;

static const struct {
    const char *name;
    uint8_t rest; /* at_rest */
    uint8_t kind; /* wn_css_test_kind */
    uint8_t id;
} plain_classes[] = {
    {"hover", NEVER, 0, 0},
    {"first-child", TEST, WN_TEST_FIRST, 0},
    {"last-child", TEST, WN_TEST_LAST, 0},
    {"only-child", TEST, WN_TEST_FIRST, 1},
    {"first-of-type", TEST, WN_TEST_FIRST_TYPE, 0},
    {"last-of-type", TEST, WN_TEST_LAST_TYPE, 0},
    {"only-of-type", TEST, WN_TEST_FIRST_TYPE, 1},
    {"root", TEST, WN_TEST_ROOT, 0},
    {"scope", TEST, WN_TEST_ROOT, 0},
    {"empty", TEST, WN_TEST_EMPTY, 0},
    {"link", TEST, WN_TEST_LINK, 0},
    {"any-link", TEST, WN_TEST_LINK, 0},
    {"-webkit-any-link", TEST, WN_TEST_LINK, 0},
    {"checked", TEST, WN_TEST_CHECKED, 0},
    {"disabled", TEST, WN_TEST_DISABLED, 0},
    {"enabled", TEST, WN_TEST_ENABLED, 0},
    {"read-write", TEST, WN_TEST_EDITABLE, 0},
    {"read-only", TEST, WN_TEST_EDITABLE, 1},
    {"defined", ALWAYS, 0, 0},
    {"valid", NEVER, 0, 0},
    {"invalid", NEVER, 0, 0},
    {"optional", NEVER, 0, 0},
    {"required", NEVER, 0, 0},
    {"default", NEVER, 0, 0},
    {"visited", NEVER, 0, 0},
    {"active", NEVER, 0, 0},
    {"focus", NEVER, 0, 0},
    {"focus-within", NEVER, 0, 0},
    {"focus-visible", NEVER, 0, 0},
    {"target", NEVER, 0, 0},
    {"target-within", NEVER, 0, 0},
    {"indeterminate", NEVER, 0, 0},
    {"placeholder-shown", NEVER, 0, 0},
    {"autofill", NEVER, 0, 0},
    {"-webkit-autofill", NEVER, 0, 0},
    {"user-valid", NEVER, 0, 0},
    {"user-invalid", NEVER, 0, 0},
    {"in-range", NEVER, 0, 0},
    {"out-of-range", NEVER, 0, 0},
    {"fullscreen", NEVER, 0, 0},
    {"-webkit-full-screen", NEVER, 0, 0},
    {"modal", NEVER, 0, 0},
    {"open", NEVER, 0, 0},
    {"popover-open", NEVER, 0, 0},
    {"picture-in-picture", NEVER, 0, 0},
    {"playing", NEVER, 0, 0},
    {"paused", NEVER, 0, 0},
    {"host", NEVER, 0, 0},
    {"current", NEVER, 0, 0},
    {"window-inactive", NEVER, 0, 0},
    {"horizontal", NEVER, 0, 0},
    {"vertical", NEVER, 0, 0},
};

static bool set_pseudo(draft *d, wn_str name)
{
    d->c++;
    d->pseudo = WN_PSEUDO_OTHER;
    if (wn_str_eq_nocase(name, WN_STR("before")))
        d->pseudo = WN_PSEUDO_BEFORE;
    else if (wn_str_eq_nocase(name, WN_STR("after")))
        d->pseudo = WN_PSEUDO_AFTER;
    else
        d->never = true;
    return true;
}

/* Pseudo-elements that Chromium knows beside ::-webkit-…; others make a selector invalid. */
static bool is_pseudo_element(wn_str name)
{
    static const char *const known[] = {
        "before",
        "after",
        "first-letter",
        "first-line",
        "selection",
        "placeholder",
        "marker",
        "backdrop",
        "cue",
        "file-selector-button",
        "target-text",
        "grammar-error",
        "spelling-error",
        "details-content",
        "view-transition",
        "scroll-marker",
        "picker-icon",
        "checkmark",
    };
    if (wn_str_starts_nocase(name, WN_STR("-webkit-")))
        return true;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (wn_str_eq_nocase(name, wn_str_of(known[i])))
            return true;
    return false;
}

static bool read_plain_class(reader *r, draft *d, wn_str name)
{
    if (wn_str_eq_nocase(name, WN_STR("before")) || wn_str_eq_nocase(name, WN_STR("after")) ||
        wn_str_eq_nocase(name, WN_STR("first-letter")) ||
        wn_str_eq_nocase(name, WN_STR("first-line")))
        return set_pseudo(d, name);
    for (size_t i = 0; i < sizeof plain_classes / sizeof *plain_classes; i++) {
        if (!wn_str_eq_nocase(name, wn_str_of(plain_classes[i].name)))
            continue;
        d->b++;
        d->never |= plain_classes[i].rest == NEVER;
        return plain_classes[i].rest != TEST ||
               add_test(r, plain_classes[i].kind, plain_classes[i].id, 0);
    }
    return false;
}

/* :is(…) and its like; the cursor is after the name. */
static bool read_list_class(reader *r, draft *d, wn_str name)
{
    uint32_t number, specificity;
    bool is = wn_str_eq_nocase(name, WN_STR("is")) ||
              wn_str_eq_nocase(name, WN_STR("-webkit-any")) ||
              wn_str_eq_nocase(name, WN_STR("matches"));
    bool where = wn_str_eq_nocase(name, WN_STR("where"));
    bool not = wn_str_eq_nocase(name, WN_STR("not")), has = wn_str_eq_nocase(name, WN_STR("has"));
    if ((!is && !where && !not &&!has) || wn_str_eq_nocase(name, WN_STR("matches")) ||
        (has && r->relative))
        return false;
    if (!read_inner(r, is || where, has, &number, &specificity))
        return false;
    if (!where)
        add_specificity(d, specificity);
    bool empty = r->set->lists.items[number].count == 0;
    if (empty && not )
        return true; /* nothing in it can match */
    if (empty) {
        d->never = true;
        return true;
    }
    return add_test(r, not ? WN_TEST_NOT : has ? WN_TEST_HAS : WN_TEST_IS, 0, number);
}

static void skip_brackets(reader *r)
{
    for (uint32_t depth = 1; r->at->kind != WN_CSS_END && depth > 0; r->at++) {
        depth += r->at->kind == WN_CSS_FUNCTION || wn_css_is_delim(r->at, '(');
        depth -= wn_css_is_delim(r->at, ')');
    }
}

static bool read_function_class(reader *r, draft *d, wn_str name)
{
    bool last = wn_str_starts_nocase(name, WN_STR("nth-last"));
    if (wn_str_eq_nocase(name, WN_STR("nth-child")) ||
        wn_str_eq_nocase(name, WN_STR("nth-last-child")))
        return read_nth(r, d, last, false);
    if (wn_str_eq_nocase(name, WN_STR("nth-of-type")) ||
        wn_str_eq_nocase(name, WN_STR("nth-last-of-type")))
        return read_nth(r, d, last, true);
    bool lang = wn_str_eq_nocase(name, WN_STR("lang"));
    if (lang || wn_str_eq_nocase(name, WN_STR("dir"))) {
        const wn_css_token *value = r->at;
        if (value->kind != WN_CSS_IDENT && value->kind != WN_CSS_STRING)
            return false;
        skip_brackets(r);
        d->b++;
        if (!lang)
            return add_test(r, WN_TEST_RTL, wn_str_eq_nocase(value->text, WN_STR("rtl")), 0);
        return add_test(r, WN_TEST_LANG, 0, add_string(r, value->text));
    }
    if (wn_str_eq_nocase(name, WN_STR("host")) || wn_str_eq_nocase(name, WN_STR("host-context")) ||
        wn_str_eq_nocase(name, WN_STR("state")) ||
        wn_str_eq_nocase(name, WN_STR("active-view-transition-type"))) {
        skip_brackets(r);
        d->never = true;
        return true;
    }
    return read_list_class(r, d, name);
}

/* The cursor is at the colon. */
static bool read_pseudo(reader *r, draft *d)
{
    r->at++;
    bool element = wn_css_is_delim(r->at, ':');
    if (element)
        r->at++;
    const wn_css_token *t = r->at;
    if (t->space || (t->kind != WN_CSS_IDENT && t->kind != WN_CSS_FUNCTION))
        return false;
    r->at++;
    if (element) {
        if (t->kind == WN_CSS_FUNCTION)
            skip_brackets(r);
        bool known = is_pseudo_element(t->text) || t->kind == WN_CSS_FUNCTION;
        return known && set_pseudo(d, t->text);
    }
    if (d->pseudo) { /* ::before:hover, ::-webkit-scrollbar:horizontal */
        d->never = true;
        if (t->kind == WN_CSS_FUNCTION)
            skip_brackets(r);
        return true;
    }
    return t->kind == WN_CSS_FUNCTION ? read_function_class(r, d, t->text)
                                      : read_plain_class(r, d, t->text);
}

/* ---- Compounds --------------------------------------------------------------------------- */

/* Attributes whose values HTML compares ignoring case. */
static bool ignores_case(wn_str name)
{
    static const char *const names[] = {
        "align",   "checked",  "color",    "dir",    "disabled",   "lang",    "media",
        "method",  "rel",      "selected", "shape",  "target",     "type",    "valign",
        "bgcolor", "face",     "language", "nowrap", "accept",     "charset", "clear",
        "scope",   "multiple", "link",     "text",   "http-equiv", "hreflang"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (wn_str_eq(name, wn_str_of(names[i])))
            return true;
    return false;
}

static bool keep_attr(reader *r, draft *d, const wn_css_attr_test *attr)
{
    if (attr->id)
        r->set->attrs_used[attr->id / 64 % 4] |= (uint64_t)1 << attr->id % 64;
    else
        r->set->names_used |= (uint64_t)1 << wn_str_hash(attr->name) % 64;
    wn_css_attr_test *slot = wn_array_push(&r->set->attrs);
    if (!slot) {
        r->set->failed = true;
        return false;
    }
    *slot = *attr;
    d->b++;
    return add_test(r, WN_TEST_ATTR, 0, r->set->attrs.count - 1);
}

/* The cursor is at "[". */
static bool read_attr(reader *r, draft *d)
{
    r->at++;
    if (wn_css_is_delim(r->at, '|') || wn_css_is_delim(r->at, '*'))
        while (wn_css_is_delim(r->at, '|') || wn_css_is_delim(r->at, '*'))
            r->at++;
    if (r->at->kind != WN_CSS_IDENT)
        return false;
    wn_css_attr_test attr = {.name = lower(r, r->at->text), .value = {"", 0}};
    attr.id = (uint16_t)wn_attr_name_find(attr.name, attr.name.len);
    r->at++;
    if (wn_css_is_delim(r->at, ']')) {
        r->at++;
        return keep_attr(r, d, &attr);
    }
    if (r->at->kind != WN_CSS_DELIM)
        return false;
    attr.op = r->at->delim;
    r->at++;
    if (attr.op != '=') {
        if (!strchr("~|^$*", attr.op) || !wn_css_is_delim(r->at, '='))
            return false;
        r->at++;
    }
    if (r->at->kind != WN_CSS_IDENT && r->at->kind != WN_CSS_STRING)
        return false;
    attr.value = r->at->text;
    attr.no_case = ignores_case(attr.name);
    r->at++;
    if (wn_css_is_ident(r->at, WN_STR("i")) || wn_css_is_ident(r->at, WN_STR("s"))) {
        attr.no_case = wn_css_is_ident(r->at, WN_STR("i"));
        r->at++;
    }
    if (!wn_css_is_delim(r->at, ']') && r->at->kind != WN_CSS_END)
        return false;
    r->at += r->at->kind != WN_CSS_END;
    return keep_attr(r, d, &attr);
}

static bool read_type(reader *r, draft *d)
{
    wn_str name = lower(r, r->at->text);
    wn_tag tag = wn_tag_find(name, name.len);
    r->at++;
    d->c++;
    return tag ? add_test(r, WN_TEST_TAG, tag, 0)
               : add_test(r, WN_TEST_NAME, 0, add_string(r, name));
}

/* "&": what the parent rule matches. */
static bool read_parent(reader *r, draft *d, bool at_start)
{
    r->at++;
    d->amp_first = at_start && !d->has_amp;
    d->has_amp = true;
    if (!r->parent)
        return add_test(r, WN_TEST_ROOT, 0, 0);
    uint32_t most = 0;
    for (uint32_t i = 0; i < r->parent->count; i++) {
        uint32_t one = r->set->selectors.items[r->parent->first + i].specificity;
        most = one > most ? one : most;
    }
    add_specificity(d, most);
    wn_css_list *slot = wn_array_push(&r->set->lists);
    if (!slot) {
        r->set->failed = true;
        return false;
    }
    *slot = *r->parent;
    return add_test(r, WN_TEST_IS, 0, r->set->lists.count - 1);
}

static bool starts_compound(const wn_css_token *t)
{
    return t->kind == WN_CSS_IDENT || t->kind == WN_CSS_HASH ||
           (t->kind == WN_CSS_DELIM && t->delim && strchr("*.[:&|", t->delim));
}

/* Tests until white space, a combinator or a comma; false if there are none or one is invalid. */
static bool read_compound(reader *r, draft *d)
{
    const wn_css_token *start = r->at;
    bool first_of_all = r->set->open_compounds.count == d->compounds;
    for (;;) {
        const wn_css_token *t = r->at;
        bool ok = true;
        if (t != start && t->space)
            break;
        if (t->kind == WN_CSS_IDENT && t == start) {
            ok = read_type(r, d);
        } else if (wn_css_is_delim(t, '*') && t == start) {
            r->at++;
        } else if (wn_css_is_delim(t, '|') &&
                   (t[1].kind == WN_CSS_IDENT || wn_css_is_delim(&t[1], '*'))) {
            r->at++; /* svg|a: namespaces are not told apart */
            ok = r->at->kind == WN_CSS_IDENT ? read_type(r, d) : (r->at++, true);
        } else if (t->kind == WN_CSS_HASH) {
            d->a++;
            ok = t->is_id && add_named(r, WN_TEST_ID, t->text);
            r->at++;
        } else if (wn_css_is_delim(t, '.')) {
            d->b++;
            ok = t[1].kind == WN_CSS_IDENT && !t[1].space && add_named(r, WN_TEST_CLASS, t[1].text);
            r->at += ok ? 2 : 0;
        } else if (wn_css_is_delim(t, '[')) {
            ok = read_attr(r, d);
        } else if (wn_css_is_delim(t, ':')) {
            ok = read_pseudo(r, d);
        } else if (wn_css_is_delim(t, '&')) {
            ok = read_parent(r, d, first_of_all && t == start);
        } else {
            break;
        }
        if (!ok)
            return false;
    }
    return r->at != start;
}

/* Moves the open tests of a compound to their place. */
static bool close_compound(reader *r, uint32_t tests, char combinator)
{
    wn_css_set *set = r->set;
    wn_css_compound *compound = wn_array_push(&set->open_compounds);
    assert(tests <= set->open_tests.count);
    uint32_t count = set->open_tests.count - tests;
    if (!compound || !wn_array_reserve(&set->tests, set->tests.count + count)) {
        set->failed = true;
        return false;
    }
    *compound = (wn_css_compound){set->tests.count, count, combinator};
    if (count)
        memcpy(set->tests.items + set->tests.count, set->open_tests.items + tests,
               count * sizeof *set->tests.items);
    set->tests.count += count;
    set->open_tests.count = tests;
    return true;
}

/* ---- Selectors --------------------------------------------------------------------------- */

static bool is_name_test(const wn_css_test *test)
{
    return test->kind == WN_TEST_CLASS || test->kind == WN_TEST_ID || test->kind == WN_TEST_TAG;
}

/* Tests of names that a compound asks for, also in an :is() or :where() with one alternative. */
static uint32_t required_tests(const wn_css_set *set, const wn_css_compound *compound,
                               const wn_css_test **tests, uint32_t most)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < compound->count && found < most; i++) {
        assert(compound->first + i < set->tests.count);
        const wn_css_test *test = &set->tests.items[compound->first + i];
        const wn_css_list *list = test->kind == WN_TEST_IS ? &set->lists.items[test->data] : NULL;
        if (is_name_test(test)) {
            tests[found++] = test;
        } else if (list && list->count == 1) {
            assert(list->first < set->selectors.count);
            const wn_css_selector *only = &set->selectors.items[list->first];
            const wn_css_compound *last = &set->compounds.items[only->first + only->count - 1];
            for (uint32_t k = 0; k < last->count && found < most; k++) {
                test = &set->tests.items[last->first + k];
                if (is_name_test(test))
                    tests[found++] = test;
            }
        }
    }
    return found;
}

uint32_t wn_css_ancestor_tests(const wn_css_set *set, const wn_css_selector *selector,
                               const wn_css_test **tests, uint32_t most)
{
    uint32_t found = 0;
    bool above = false; /* the compound is an ancestor of the last one, not a sibling on the way */
    for (uint32_t i = selector->count; i-- > 0 && found < most;) {
        const wn_css_compound *compound = &set->compounds.items[selector->first + i];
        if (above)
            found += required_tests(set, compound, tests + found, most - found);
        above = compound->combinator == ' ' || compound->combinator == '>';
    }
    return found;
}

static void fill_filter(const wn_css_set *set, wn_css_selector *selector)
{
    const wn_css_test *tests[WN_CSS_FILTERS];
    uint32_t count = wn_css_ancestor_tests(set, selector, tests, WN_CSS_FILTERS);
    memset(selector->filter, 0, sizeof selector->filter);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = tests[i]->kind == WN_TEST_TAG ? tests[i]->id : tests[i]->data;
        selector->filter[i] = wn_css_filter_bit((wn_css_test_kind)tests[i]->kind, number);
    }
}

/* Adds a whole selector whose compounds are open; they stay open. */
static bool close_selector(reader *r, const draft *d, uint32_t from)
{
    wn_css_set *set = r->set;
    assert(from < set->open_compounds.count);
    uint32_t count = set->open_compounds.count - from;
    wn_css_selector *selector = wn_array_push(&set->open_selectors);
    if (!selector || !wn_array_reserve(&set->compounds, set->compounds.count + count)) {
        set->failed = true;
        return false;
    }
    *selector = (wn_css_selector){.first = set->compounds.count,
                                  .count = count,
                                  .specificity = specificity_of(d),
                                  .pseudo = d->pseudo};
    memcpy(set->compounds.items + set->compounds.count, set->open_compounds.items + from,
           count * sizeof *set->compounds.items);
    set->compounds.count += count;
    fill_filter(set, selector);
    return true;
}

/* Whether "&" can be written out: it is first, and the parents are few and short. */
static bool can_write_out(const reader *r, const draft *d)
{
    if (!r->parent || !d->amp_first || r->depth > 0 || r->parent->count > MAX_PARENTS)
        return false;
    for (uint32_t i = 0; i < r->parent->count; i++)
        if (r->set->selectors.items[r->parent->first + i].count > MAX_COPIED)
            return false;
    return true;
}

/* Adds the selector once for each parent, with the parent's compounds in place of "&". */
static bool write_out(reader *r, const draft *d)
{
    wn_css_set *set = r->set;
    assert(d->compounds < set->open_compounds.count);
    uint32_t own = set->open_compounds.count - d->compounds;
    for (uint32_t i = 0; i < r->parent->count; i++) {
        assert(r->parent->first + i < set->selectors.count);
        wn_css_selector parent = set->selectors.items[r->parent->first + i];
        uint32_t from = set->open_compounds.count;
        if (!wn_array_reserve(&set->open_compounds, from + parent.count + own)) {
            set->failed = true;
            return false;
        }
        wn_css_compound *out = set->open_compounds.items + from;
        memcpy(out, set->compounds.items + parent.first, parent.count * sizeof *out);
        memcpy(out + parent.count, set->open_compounds.items + d->compounds + 1,
               (own - 1) * sizeof *out);
        set->open_compounds.count = from + parent.count + own - 1;
        /* The last compound of the parent and the rest of the one with "&" become one. */
        wn_css_compound amp = set->open_compounds.items[d->compounds];
        wn_css_compound *last = &out[parent.count - 1];
        uint32_t start = set->tests.count;
        if (amp.count > 1) {
            if (!wn_array_reserve(&set->tests, start + last->count + amp.count)) {
                set->failed = true;
                return false;
            }
            memcpy(set->tests.items + start, set->tests.items + last->first,
                   last->count * sizeof *set->tests.items);
            memcpy(set->tests.items + start + last->count, set->tests.items + amp.first + 1,
                   (amp.count - 1) * sizeof *set->tests.items);
            set->tests.count = start + last->count + amp.count - 1;
            last->first = start;
            last->count += amp.count - 1;
        }
        bool ok = close_selector(r, d, from);
        set->open_compounds.count = from;
        if (!ok)
            return false;
    }
    return true;
}

static char take_combinator(reader *r)
{
    const wn_css_token *t = r->at;
    if (t->kind == WN_CSS_DELIM && t->delim && strchr(">+~", t->delim)) {
        r->at++;
        return t->delim;
    }
    return t->space && starts_compound(t) ? ' ' : 0;
}

/* Puts "&" and a combinator before a nested selector that has none, or :scope for :has(). */
static bool add_implied(reader *r, draft *d, char *combinator)
{
    const wn_css_token *t = r->at;
    bool leading = t->kind == WN_CSS_DELIM && t->delim && strchr(">+~", t->delim);
    if (leading && (r->relative || r->parent)) {
        *combinator = t->delim;
        r->at++;
    } else {
        *combinator = ' ';
    }
    if (r->relative)
        return true; /* the element itself is left out: the combinator of the first compound */
    if (!r->parent || r->depth > 0)
        return !leading;
    bool has_amp = false;
    uint32_t depth = 0;
    for (const wn_css_token *s = r->at; s->kind != WN_CSS_END; s++) {
        depth += s->kind == WN_CSS_FUNCTION;
        depth -= depth > 0 && wn_css_is_delim(s, ')');
        if (depth == 0 && wn_css_is_delim(s, ','))
            break;
        has_amp |= wn_css_is_delim(s, '&');
    }
    if (has_amp && !leading)
        return true;
    const wn_css_token *at = r->at;
    uint32_t tests = r->set->open_tests.count;
    bool ok = read_parent(r, d, true) && close_compound(r, tests, 0);
    r->at = at;
    return ok;
}

/* One selector; false if it is invalid. It is added unless it cannot match. */
static bool read_selector(reader *r)
{
    wn_css_set *set = r->set;
    draft d = {.tests = set->open_tests.count, .compounds = set->open_compounds.count};
    char combinator;
    bool ok = add_implied(r, &d, &combinator);
    bool implied = set->open_compounds.count > d.compounds;
    if (!implied && !r->relative)
        combinator = 0;
    while (ok) {
        uint32_t tests = set->open_tests.count;
        ok = !d.pseudo && read_compound(r, &d) && close_compound(r, tests, combinator);
        if (!ok || (combinator = take_combinator(r)) == 0)
            break;
    }
    if (ok && !d.never)
        ok = can_write_out(r, &d) ? write_out(r, &d) : close_selector(r, &d, d.compounds);
    assert(set->open_tests.count >= d.tests && set->open_compounds.count >= d.compounds);
    set->open_tests.count = d.tests;
    set->open_compounds.count = d.compounds;
    return ok;
}

static void skip_to_comma(reader *r)
{
    uint32_t depth = 0;
    for (; r->at->kind != WN_CSS_END; r->at++) {
        if (depth == 0 && (wn_css_is_delim(r->at, ',') || wn_css_is_delim(r->at, ')')))
            return;
        depth += r->at->kind == WN_CSS_FUNCTION || wn_css_is_delim(r->at, '(');
        depth -= depth > 0 && wn_css_is_delim(r->at, ')');
    }
}

/* Selectors apart by commas; a forgiving list leaves invalid ones out. */
static bool read_list(reader *r, bool forgiving, wn_css_list *list, uint32_t *specificity)
{
    wn_css_set *set = r->set;
    uint32_t open = set->open_selectors.count;
    bool ok = true;
    *specificity = 0;
    for (;;) {
        const wn_css_token *start = r->at;
        bool valid = read_selector(r);
        bool ended = r->at->kind == WN_CSS_END || wn_css_is_delim(r->at, ',') ||
                     (r->depth > 0 && wn_css_is_delim(r->at, ')'));
        if (!valid || !ended) {
            if (!forgiving || set->failed) {
                ok = false;
                break;
            }
            r->at = start;
            skip_to_comma(r);
        }
        if (!wn_css_is_delim(r->at, ','))
            break;
        r->at++;
    }
    assert(set->open_selectors.count >= open);
    uint32_t count = set->open_selectors.count - open;
    *list = (wn_css_list){set->selectors.count, count};
    if (ok && count && !wn_array_reserve(&set->selectors, set->selectors.count + count)) {
        set->failed = true;
        ok = false;
    }
    for (uint32_t i = 0; ok && i < count; i++) {
        const wn_css_selector *selector = &set->open_selectors.items[open + i];
        set->selectors.items[set->selectors.count++] = *selector;
        if (selector->specificity > *specificity)
            *specificity = selector->specificity;
    }
    set->open_selectors.count = open;
    return ok;
}

bool wn_css_read_selectors(wn_css_set *set, wn_arena *arena, wn_str text, const wn_css_list *parent,
                           wn_css_list *list)
{
    if (!wn_css_read_all(&set->tokens, arena, text, MAX_TOKENS))
        return false;
    reader r = {.set = set, .arena = arena, .at = set->tokens.items, .parent = parent};
    uint32_t specificity, selectors = set->selectors.count;
    bool ok = read_list(&r, false, list, &specificity) && r.at->kind == WN_CSS_END;
    if (!ok)
        set->selectors.count = selectors;
    return ok;
}
