#include "css/sheet.h"

#include <assert.h>

#include "base/url.h"
#include "css/media.h"
#include "html/encoding.h"

enum {
    MAX_DEPTH = 32,       /* of nested rules; what is deeper is dropped */
    MAX_IMPORT_DEPTH = 4, /* of sheets that import sheets */
    MAX_IMPORTS = 64,     /* of a page */
    MAX_LABEL = 64,       /* bytes of the name of an encoding */
    MAX_LAYERS = 1000,    /* further ones count as the last */
    MAX_RULES = 1 << 22,  /* what the order has room for in a key */
    ORDER_BITS = 22,
    SPECIFICITY_BITS = 30,
};

/* ---- Memory ------------------------------------------------------------------------------ */

void wn_css_rules_reset(wn_css_rules *rules, bool quirks)
{
    wn_css_set_reset(&rules->set, quirks);
    rules->rules.count = rules->blocks.count = rules->decls.count = rules->layers.count = 0;
    rules->registered.count = 0;
    rules->texts.count = rules->imports = 0;
    rules->limited = false;
    for (int i = 0; i < WN_LAYER_FIRST; i++) {
        wn_css_layer *layer = wn_array_push(&rules->layers);
        if (layer)
            *layer = (wn_css_layer){.name = {"", 0}};
        else
            rules->set.failed = true;
    }
}

void wn_css_rules_free(wn_css_rules *rules)
{
    wn_css_set_free(&rules->set);
    wn_array_free(&rules->rules);
    wn_array_free(&rules->blocks);
    wn_array_free(&rules->decls);
    wn_array_free(&rules->layers);
    wn_array_free(&rules->registered);
    wn_css_index_free(&rules->index);
    wn_array_free(&rules->texts);
}

size_t wn_css_rules_memory(const wn_css_rules *rules)
{
    return wn_css_set_memory(&rules->set) + wn_array_bytes(&rules->rules) +
           wn_array_bytes(&rules->blocks) + wn_array_bytes(&rules->decls) +
           wn_array_bytes(&rules->layers) + wn_array_bytes(&rules->registered) +
           wn_array_bytes(&rules->texts) + wn_css_index_memory(&rules->index);
}

/* ---- Layers ------------------------------------------------------------------------------ */

static uint32_t find_layer(wn_css_rules *rules, uint32_t parent, wn_str name)
{
    for (uint32_t i = WN_LAYER_FIRST; name.len && i < rules->layers.count; i++)
        if (rules->layers.items[i].parent == parent && wn_str_eq(rules->layers.items[i].name, name))
            return i;
    if (rules->layers.count >= MAX_LAYERS) {
        rules->limited = true;
        return rules->layers.count - 1;
    }
    wn_css_layer *layer = wn_array_push(&rules->layers);
    if (!layer) {
        rules->set.failed = true;
        return WN_LAYER_NONE;
    }
    *layer = (wn_css_layer){.name = name, .parent = parent};
    return rules->layers.count - 1;
}

/* The layer "a.b" below `parent`; an empty name makes a new one. */
static uint32_t layer_of(wn_css_rules *rules, uint32_t parent, wn_str path)
{
    path = wn_str_trim(path);
    if (parent == WN_LAYER_USER)
        return parent;
    if (path.len == 0)
        return find_layer(rules, parent, path);
    const char *p = path.ptr, *end = path.ptr + path.len;
    while (p < end) {
        const char *dot = memchr(p, '.', (size_t)(end - p));
        const char *stop = dot ? dot : end;
        parent = find_layer(rules, parent, wn_str_between(p, stop));
        p = stop + 1;
    }
    return parent;
}

/*
 * Numbers the layers: those inside one come before it, in the order of their first mention.
 * They are few (MAX_LAYERS), so looking for the next child may take its time.
 */
static void order_layers(wn_css_rules *rules)
{
    uint32_t count = rules->layers.count, next = count;
    assert(count >= WN_LAYER_FIRST && count <= MAX_LAYERS);
    wn_css_layer *layers = rules->layers.items;
    for (uint32_t i = 0; i < count; i++)
        layers[i].order = 0;
    /* Depth first from the strongest: no layer at all, then last mentioned first. */
    uint32_t at = WN_LAYER_NONE;
    layers[at].order = next--;
    while (next > 1) {
        uint32_t child = 0;
        for (uint32_t i = count; i-- > WN_LAYER_FIRST && !child;)
            if (layers[i].parent == at && !layers[i].order)
                child = i;
        if (child) {
            layers[child].order = next--;
            at = child;
        } else if (at == WN_LAYER_NONE) {
            break;
        } else {
            at = layers[at].parent;
        }
    }
    layers[WN_LAYER_USER].order = 0;
}

/* ---- Reading ----------------------------------------------------------------------------- */

typedef struct context {
    bool style;  /* declarations are here, not only rules */
    bool nested; /* `list` is what "&" stands for */
    uint32_t layer;
    wn_css_list list;
    const char *run, *run_end; /* declarations since the last nested rule; NULL: none */
} context;

typedef struct reader {
    wn_css_rules *rules;
    const wn_css_source *source;
    const char *p, *end;
    context stack[MAX_DEPTH];
    int depth; /* index of the innermost context */
    int import_depth;
} reader;

static void add_rules(wn_css_rules *rules, const context *c, wn_str text)
{
    wn_css_block *block = wn_array_push(&rules->blocks);
    if (!block) {
        rules->set.failed = true;
        return;
    }
    *block = (wn_css_block){.text = text};
    for (uint32_t i = 0; i < c->list.count; i++) {
        if (rules->rules.count >= MAX_RULES) {
            rules->limited = true;
            return;
        }
        wn_css_rule *rule = wn_array_push(&rules->rules);
        if (!rule) {
            rules->set.failed = true;
            return;
        }
        *rule = (wn_css_rule){
            .selector = c->list.first + i, .block = rules->blocks.count - 1, .layer = c->layer};
    }
}

/* Ends a run of declarations: it becomes a block. */
static void flush(reader *r)
{
    context *c = &r->stack[r->depth];
    if (c->run && c->list.count)
        add_rules(r->rules, c, wn_str_between(c->run, c->run_end));
    c->run = NULL;
}

static void skip_block(reader *r)
{
    const char *close = wn_css_scan(r->p, r->end, "}");
    r->p = close < r->end ? close + 1 : close;
}

/* Enters a block whose "{" is after r->p. */
static void enter(reader *r, context c)
{
    if (r->depth + 1 >= MAX_DEPTH) {
        r->rules->limited = true;
        skip_block(r);
        return;
    }
    assert(r->depth >= 0);
    r->stack[++r->depth] = c;
}

/* A style rule whose selectors end at `brace`. */
static void read_style_rule(reader *r, const char *brace)
{
    context *outer = &r->stack[r->depth];
    wn_str prelude = wn_str_trim(wn_str_between(r->p, brace));
    context c = {.style = true, .nested = true, .layer = outer->layer};
    r->p = brace + 1;
    wn_css_list parent = outer->list;
    bool valid = wn_css_read_selectors(&r->rules->set, r->source->values->arena, prelude,
                                       outer->nested ? &parent : NULL, &c.list);
    if (valid && c.list.count > 0)
        enter(r, c);
    else
        skip_block(r);
}

/* ---- At-rules ---------------------------------------------------------------------------- */

static bool load_sheet(wn_css_rules *rules, wn_str reference, const wn_css_source *source,
                       uint32_t layer, int import_depth);

static void import_sheet(reader *r, wn_str url, uint32_t layer)
{
    const wn_css_source *source = r->source;
    if (!source->load)
        return;
    if (r->import_depth >= MAX_IMPORT_DEPTH || r->rules->imports >= MAX_IMPORTS)
        return; /* nearly always sheets that import each other: what they hold has been read */
    r->rules->imports++;
    load_sheet(r->rules, url, source, layer, r->import_depth + 1);
}

/* @import url("…") layer(name) supports(…) media */
static void read_import(reader *r, wn_str prelude)
{
    wn_css_values *values = r->source->values;
    wn_css_reader tokens = {prelude.ptr, prelude.ptr + prelude.len, values->arena};
    wn_css_token t;
    uint32_t layer = r->stack[r->depth].layer;
    wn_css_next(&tokens, &t);
    if (wn_css_is_function(&t, WN_STR("url"))) {
        wn_css_next(&tokens, &t);
        wn_css_token close;
        wn_css_next(&tokens, &close);
    }
    if (t.kind != WN_CSS_STRING && t.kind != WN_CSS_URL)
        return;
    wn_str url = t.text;
    const char *rest = tokens.p;
    wn_css_next(&tokens, &t);
    if (wn_css_is_ident(&t, WN_STR("layer"))) {
        layer = layer_of(r->rules, layer, WN_STR(""));
        rest = tokens.p;
        wn_css_next(&tokens, &t);
    } else if (wn_css_is_function(&t, WN_STR("layer"))) {
        const char *close = wn_css_scan(tokens.p, tokens.end, ")");
        layer = layer_of(r->rules, layer, wn_str_between(tokens.p, close));
        rest = tokens.p = close < tokens.end ? close + 1 : close;
        wn_css_next(&tokens, &t);
    }
    if (wn_css_is_function(&t, WN_STR("supports"))) {
        const char *close = wn_css_scan(tokens.p, tokens.end, ")");
        wn_str condition = wn_str_between(tokens.p, close);
        if (!wn_css_supports(values, condition) && !wn_css_supports_holds(values, condition))
            return;
        rest = close < tokens.end ? close + 1 : close;
    }
    if (wn_css_media_holds(values, wn_str_between(rest, tokens.end)))
        import_sheet(r, url, layer);
}

/* @property --x { syntax: …; initial-value: … }: r->p is after the "{". */
static void read_property(reader *r, wn_str name)
{
    const char *start = r->p;
    skip_block(r);
    wn_str body = wn_str_between(start, r->p);
    const char *end = body.ptr + body.len;
    wn_css_values *values = r->source->values;
    for (const char *p = body.ptr; p < end;) {
        const char *stop = wn_css_scan(p, end, ";}");
        wn_str item = wn_str_trim(wn_str_between(p, stop));
        p = stop + 1;
        if (!wn_str_starts_nocase(item, WN_STR("initial-value")))
            continue;
        const char *colon = memchr(item.ptr, ':', item.len);
        if (!colon)
            continue;
        wn_buf decl = {0};
        wn_buf_add(&decl, wn_str_trim(name));
        wn_buf_add(&decl, wn_str_between(colon, item.ptr + item.len));
        wn_css_read_decls(values, wn_arena_copy(values->arena, wn_buf_str(&decl)),
                          &r->rules->registered);
        r->rules->set.failed |= decl.failed;
        wn_buf_free(&decl);
    }
}

static void read_layers(reader *r, wn_str names, bool block)
{
    context c = r->stack[r->depth];
    const char *p = names.ptr, *end = names.ptr + names.len;
    if (block) {
        c.layer = layer_of(r->rules, c.layer, names);
        c.run = NULL;
        enter(r, c);
        return;
    }
    while (p < end) {
        const char *comma = wn_css_scan(p, end, ",");
        if (wn_str_trim(wn_str_between(p, comma)).len)
            layer_of(r->rules, c.layer, wn_str_between(p, comma));
        p = comma + 1;
    }
}

static void read_scope(reader *r, wn_str prelude)
{
    context c = r->stack[r->depth];
    const char *open = memchr(prelude.ptr, '(', prelude.len), *end = prelude.ptr + prelude.len;
    c.run = NULL;
    if (open) {
        wn_str start = wn_str_between(open + 1, wn_css_scan(open + 1, end, ")"));
        wn_css_list list;
        if (!wn_css_read_selectors(&r->rules->set, r->source->values->arena, start, NULL, &list) ||
            list.count == 0) {
            skip_block(r);
            return;
        }
        c.nested = true;
        c.list = list;
    }
    enter(r, c);
}

/* Whether the rules in a block count, by the condition before it. */
static bool condition_holds(const reader *r, wn_str name, wn_str prelude)
{
    wn_css_values *values = r->source->values;
    if (wn_str_eq_nocase(name, WN_STR("media")))
        return wn_css_media_holds(values, prelude);
    if (wn_str_eq_nocase(name, WN_STR("supports")))
        return wn_css_supports_holds(values, prelude);
    return wn_str_eq_nocase(name, WN_STR("container")) && wn_css_container_holds(values, prelude);
}

/* The block of an at-rule; r->p is after its "{". */
static void read_at_block(reader *r, wn_str name, wn_str prelude)
{
    if (wn_str_eq_nocase(name, WN_STR("scope"))) {
        read_scope(r, prelude);
    } else if (wn_str_eq_nocase(name, WN_STR("property"))) {
        read_property(r, prelude);
    } else if (condition_holds(r, name, prelude)) {
        context c = r->stack[r->depth];
        c.run = NULL;
        enter(r, c);
    } else {
        skip_block(r);
    }
}

/* An at-rule at r->p. */
static void read_at_rule(reader *r)
{
    wn_css_reader tokens = {r->p, r->end, r->source->values->arena};
    wn_css_token name;
    wn_css_next(&tokens, &name);
    const char *stop = wn_css_scan(tokens.p, r->end, r->depth > 0 ? "{;}" : "{;");
    wn_str prelude = wn_str_trim(wn_str_between(tokens.p, stop));
    bool block = stop < r->end && *stop == '{';
    flush(r);
    r->p = stop < r->end && *stop != '}' ? stop + 1 : stop;
    if (name.kind != WN_CSS_AT) {
        if (block)
            skip_block(r);
    } else if (wn_str_eq_nocase(name.text, WN_STR("layer"))) {
        read_layers(r, prelude, block);
    } else if (block) {
        read_at_block(r, name.text, prelude);
    } else if (wn_str_eq_nocase(name.text, WN_STR("import")) && r->depth == 0) {
        read_import(r, prelude);
    }
}

/* ---- The sheet --------------------------------------------------------------------------- */

/* A declaration or nested rule at r->p, in a style rule. */
static void read_item(reader *r)
{
    context *c = &r->stack[r->depth];
    const char *stop = wn_css_scan(r->p, r->end, ";{}");
    if (stop < r->end && *stop == '{') {
        if (r->end - r->p > 2 && r->p[0] == '-' && r->p[1] == '-') {
            stop = wn_css_scan(r->p, r->end, ";}"); /* a variable with braces in it */
        } else {
            flush(r);
            read_style_rule(r, stop);
            return;
        }
    }
    if (!c->run)
        c->run = r->p;
    c->run_end = stop;
    r->p = stop < r->end && *stop == ';' ? stop + 1 : stop;
}

/* A rule at r->p, outside style rules. */
static void read_rule(reader *r)
{
    const char *stop = wn_css_scan(r->p, r->end, r->depth > 0 ? "{}" : "{");
    if (stop < r->end && *stop == '{')
        read_style_rule(r, stop);
    else
        r->p = stop;
}

/* "<!--" and "-->" of old pages. */
static bool skip_html_comment(reader *r)
{
    wn_str rest = wn_str_between(r->p, r->end);
    size_t len = wn_str_starts(rest, WN_STR("<!--"))  ? 4
                 : wn_str_starts(rest, WN_STR("-->")) ? 3
                                                      : 0;
    r->p += len;
    return len > 0;
}

static void read_sheet(wn_css_rules *rules, wn_str text, const wn_css_source *source,
                       uint32_t layer, int import_depth)
{
    reader r = {.rules = rules,
                .source = source,
                .p = text.ptr,
                .end = text.ptr + text.len,
                .import_depth = import_depth};
    r.stack[0] = (context){.layer = layer};
    while (!rules->set.failed && !source->values->arena->failed) {
        r.p = wn_css_skip_space(r.p, r.end);
        if (r.p >= r.end)
            break;
        if (r.depth == 0 && skip_html_comment(&r))
            continue;
        if (*r.p == '}' && r.depth > 0) {
            flush(&r);
            r.depth--;
            r.p++;
        } else if (*r.p == '@') {
            read_at_rule(&r);
        } else if (r.stack[r.depth].style) {
            if (*r.p == ';')
                r.p++;
            else
                read_item(&r);
        } else {
            read_rule(&r);
        }
    }
    for (; r.depth >= 0; r.depth--)
        flush(&r);
    wn_str *slot = wn_array_push(&rules->texts);
    if (slot)
        *slot = text;
    else
        rules->set.failed = true;
}

/* The layer of rules that are in none. */
static uint32_t outer_layer(const wn_css_source *source)
{
    return source->user ? WN_LAYER_USER : WN_LAYER_NONE;
}

void wn_css_rules_add(wn_css_rules *rules, wn_str text, const wn_css_source *source)
{
    read_sheet(rules, text, source, outer_layer(source), 0);
}

/* ---- Sheets from elsewhere --------------------------------------------------------------- */

/* https://drafts.csswg.org/css-syntax-3/#input-byte-stream */
wn_str wn_css_sheet_text(const wn_css_sheet *sheet, wn_arena *arena)
{
    static const wn_str rule = WN_STR("@charset \"");
    wn_buf label = {0};
    const char *charset = sheet->charset;
    wn_str rest = sheet->bytes;
    if (!charset && wn_str_starts(rest, rule)) {
        rest = wn_str_from_offset(rest, rule.len);
        const char *quote = memchr(rest.ptr, '"', rest.len < MAX_LABEL ? rest.len : MAX_LABEL);
        if (quote)
            wn_buf_add(&label, wn_str_between(rest.ptr, quote));
        charset = wn_buf_c_string(&label);
        /* Whoever could read "@charset" byte by byte did not read UTF-16. */
        if (wn_str_starts_nocase(wn_buf_str(&label), WN_STR("utf-16")))
            charset = "utf-8";
    }
    wn_str text = wn_html_decode(arena, sheet->bytes, charset).text;
    arena->failed |= label.failed;
    wn_buf_free(&label);
    return text;
}

static bool load_sheet(wn_css_rules *rules, wn_str reference, const wn_css_source *source,
                       uint32_t layer, int import_depth)
{
    wn_arena *arena = source->values->arena;
    wn_css_source inner = *source;
    wn_buf address = {0};
    wn_url_resolve(&address, source->base, reference);
    inner.base = wn_arena_copy(arena, wn_buf_str(&address));
    arena->failed |= address.failed;
    wn_buf_free(&address);
    wn_css_sheet sheet = {.bytes = WN_STR(""), .url = inner.base};
    if (arena->failed || !source->load(source->load_data, inner.base, &sheet))
        return false;
    inner.base = sheet.url;
    read_sheet(rules, wn_css_sheet_text(&sheet, arena), &inner, layer, import_depth);
    return true;
}

bool wn_css_rules_load(wn_css_rules *rules, wn_str reference, const wn_css_source *source)
{
    return source->load && load_sheet(rules, reference, source, outer_layer(source), 0);
}

/* ---- Order ---------------------------------------------------------------------------- */

static void set_keys(wn_css_rules *rules)
{
    order_layers(rules);
    for (uint32_t i = 0; i < rules->rules.count; i++) {
        wn_css_rule *rule = &rules->rules.items[i];
        assert(rule->layer < rules->layers.count);
        assert(rule->selector < rules->set.selectors.count);
        uint64_t layer = rules->layers.items[rule->layer].order;
        uint64_t specificity = rules->set.selectors.items[rule->selector].specificity;
        assert(specificity >> SPECIFICITY_BITS == 0 && i >> ORDER_BITS == 0);
        rule->key = layer << (SPECIFICITY_BITS + ORDER_BITS) | specificity << ORDER_BITS | i;
    }
}

void wn_css_rules_index(wn_css_rules *rules)
{
    if (rules->set.failed) /* there may not even be layers */
        return;
    set_keys(rules);
    if (!wn_css_index_make(rules))
        rules->set.failed = true;
}

/* ---- Declarations ------------------------------------------------------------------------ */

const wn_css_block *wn_css_block_decls(wn_css_rules *rules, wn_css_values *values, uint32_t number)
{
    assert(number < rules->blocks.count);
    wn_css_block *block = &rules->blocks.items[number];
    if (block->read)
        return block;
    block->read = true;
    block->first = rules->decls.count;
    wn_css_read_decls(values, block->text, &rules->decls);
    block->count = rules->decls.count - block->first;
    for (uint32_t i = block->first; i < rules->decls.count; i++) {
        block->important |= rules->decls.items[i].important;
        block->logical |= rules->decls.items[i].logical;
        block->custom |= rules->decls.items[i].property == WN_PROP_CUSTOM;
    }
    return block;
}
