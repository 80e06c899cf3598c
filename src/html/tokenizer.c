/*
 * The tokenizer. See tokenizer.h for what it promises.
 *
 * Where the time goes: of an average page half the bytes are scripts and styles,
 * a quarter attribute values, an eighth text. All three are skipped with
 * vector searches for the one or two bytes that can end them. Names are short;
 * they are read byte by byte with a table of character classes.
 *
 * The functions are in the order of the standard: text, tags, attributes,
 * raw text and scripts, comments, doctypes, CDATA, and the dispatch last.
 */
#include "html/tokenizer.h"

#include "base/scan.h"
#include "base/utf8.h"
#include "html/entities.h"
#include "html/names_lookup.h"

enum {
    MANY_ATTRS = 16,           /* from here on names are looked up in a table, not one by one */
    LONGEST_NAME = UINT16_MAX, /* of an attribute; what is longer is cut */
    CHUNK_ATTRS = 256,         /* room for so many is taken from the arena at a time … */
    FEW_ATTRS = 64,            /* … unless a single tag has more than this */
    A_PIECE = 256,             /* bytes of a name between two questions to the watch */
};

/* ---- Character classes ------------------------------------------------------------------- */

enum {
    SPACE = 1 << 0,
    ENDS_TAG_NAME = 1 << 1,  /* space / > */
    ENDS_ATTR_NAME = 1 << 2, /* space / > = */
    RESPELLED = 1 << 3,      /* A-Z and NUL: a name with one is not a slice of the input */
    OPENS_MARKUP = 1 << 4,   /* after a '<': letters ! ? / */
    LETTER = 1 << 5,
};

#define UPPER (LETTER | OPENS_MARKUP | RESPELLED)
#define LOWER (LETTER | OPENS_MARKUP)
#define FOUR(c, class) [c] = class, [c + 1] = class, [c + 2] = class, [c + 3] = class

static const uint8_t classes[256] = {
    [0] = RESPELLED,
    ['\t'] = SPACE | ENDS_TAG_NAME | ENDS_ATTR_NAME,
    ['\n'] = SPACE | ENDS_TAG_NAME | ENDS_ATTR_NAME,
    ['\f'] = SPACE | ENDS_TAG_NAME | ENDS_ATTR_NAME,
    [' '] = SPACE | ENDS_TAG_NAME | ENDS_ATTR_NAME,
    ['/'] = ENDS_TAG_NAME | ENDS_ATTR_NAME | OPENS_MARKUP,
    ['>'] = ENDS_TAG_NAME | ENDS_ATTR_NAME,
    ['='] = ENDS_ATTR_NAME,
    ['!'] = OPENS_MARKUP,
    ['?'] = OPENS_MARKUP,
    FOUR('A', UPPER),
    FOUR('E', UPPER),
    FOUR('I', UPPER),
    FOUR('M', UPPER),
    FOUR('Q', UPPER),
    FOUR('U', UPPER),
    ['Y'] = UPPER,
    ['Z'] = UPPER,
    FOUR('a', LOWER),
    FOUR('e', LOWER),
    FOUR('i', LOWER),
    FOUR('m', LOWER),
    FOUR('q', LOWER),
    FOUR('u', LOWER),
    ['y'] = LOWER,
    ['z'] = LOWER,
};

static inline uint8_t class_of(char c)
{
    return classes[(unsigned char)c];
}

#ifdef WN_SIMD
/* Where a name may end: white space, other controls, '/', '>' and '='. */
static inline wn_vec stops_name(wn_vec v)
{
    return wn_vec_or(wn_vec_or(wn_vec_at_most(v, ' '), wn_vec_equal(v, '/')),
                     wn_vec_or(wn_vec_equal(v, '>'), wn_vec_equal(v, '=')));
}
#endif

/*
 * The end of the name at p: the first byte of one of the classes in `ends`.
 * *seen collects the classes on the way; only RESPELLED matters to anyone.
 * Names of up to 15 bytes, nearly all, cost one look at a vector and no loop.
 */
static inline const char *scan_name(const char *p, const char *end, uint8_t ends, uint8_t *seen)
{
#ifdef WN_SIMD
    if (end - p >= WN_VEC_SIZE) {
        wn_vec v = wn_vec_load(p);
        uint64_t stops = wn_vec_mask(stops_name(v)),
                 upper = wn_vec_mask(wn_vec_between(v, 'A', 'Z'));
        if (stops) {
            p += __builtin_ctzll(stops) >> WN_VEC_MASK_SHIFT;
            *seen |= upper & (stops ^ (stops - 1)) ? RESPELLED : 0;
            if (class_of(*p) & ends)
                return p;
        }
    }
#endif
    for (; p < end && !(class_of(*p) & ends); p++)
        *seen |= class_of(*p);
    return p;
}

static inline const char *skip_spaces(const char *p, const char *end)
{
    while (p < end && (class_of(*p) & SPACE))
        p++;
    return p;
}

/* Off the usual way: kept out of the functions that call it, so that those stay small. */
#define RARE __attribute__((noinline, cold))

/* ---- Strings that differ from the input -------------------------------------------------- */

/* `source` with references replaced and, if asked, U+0000 too; a slice of the arena. */
RARE static wn_str replaced(wn_tokenizer *tok, wn_str source, bool in_attribute, bool nul)
{
    bool has_nul = memchr(source.ptr, '\0', source.len) != NULL;
    size_t bound = wn_html_references_bound(source.len, nul && has_nul);
    char *out = wn_arena_bytes(tok->arena, bound);
    if (!out)
        return WN_STR("");
    size_t len = wn_html_references_replace(source, in_attribute, nul, out, tok->watch);
    wn_arena_resize(tok->arena, out, bound, len);
    return wn_str_from(out, len);
}

/* Copies `source` with each U+0000 as U+FFFD and, for names, A-Z as a-z. */
RARE static wn_str respelled(wn_tokenizer *tok, wn_str source, bool lower)
{
    size_t bound = source.len * 3;
    char *out = wn_arena_bytes(tok->arena, bound);
    if (!out)
        return WN_STR("");
    size_t len = 0;
    for (size_t i = 0; i < source.len; i++) {
        if (i % A_PIECE == A_PIECE - 1 && wn_watch_over(tok->watch))
            break;
        char c = source.ptr[i];
        if (c == '\0')
            len += (size_t)wn_utf8_encode(WN_REPLACEMENT, out + len);
        else
            out[len++] = lower ? wn_ascii_lower(c) : c;
    }
    wn_arena_resize(tok->arena, out, bound, len);
    return wn_str_from(out, len);
}

/* Raw text and comments: as they are but for U+0000, which hardly any has. */
static wn_str without_nul(wn_tokenizer *tok, wn_str source)
{
    bool has_nul = source.len > 0 && memchr(source.ptr, '\0', source.len);
    return has_nul ? respelled(tok, source, false) : source;
}

/* A name in lower case; *readable tells how many bytes can be read from its start on. */
static wn_str lower_name(wn_tokenizer *tok, wn_str source, uint8_t seen, size_t *readable)
{
    *readable = (size_t)(tok->end - source.ptr);
    if (!(seen & RESPELLED))
        return source;
    wn_str name = respelled(tok, source, true);
    *readable = name.len;
    return name;
}

/* ---- Emitting ---------------------------------------------------------------------------- */

static bool emit_text(wn_tokenizer *tok, const char *start, const char *end, wn_str text,
                      bool has_nul)
{
    tok->token.kind = WN_TOKEN_TEXT;
    tok->token.text = text;
    tok->token.has_nul = has_nul;
    tok->token.source = (uint32_t)(start - tok->start);
    tok->pos = end;
    return true;
}

static bool emit_comment(wn_tokenizer *tok, const char *data, const char *data_end,
                         const char *next)
{
    tok->token.kind = WN_TOKEN_COMMENT;
    tok->token.text = without_nul(tok, wn_str_between(data, data_end));
    tok->pos = next;
    return true;
}

/* Goes on at p without a token: wn_html_tokenizer_next() looks again. */
static bool skip_to(wn_tokenizer *tok, const char *p)
{
    tok->pos = p;
    tok->token.kind = WN_TOKEN_NONE;
    return true;
}

RARE static bool emit_end(wn_tokenizer *tok)
{
    tok->pos = tok->end;
    tok->token.kind = WN_TOKEN_END;
    tok->token.source = (uint32_t)(tok->end - tok->start);
    return false;
}

/* ---- Attributes -------------------------------------------------------------------------- */

static inline wn_str attr_name_str(const wn_attr *attr)
{
    return wn_str_from(attr->name, attr->name_len);
}

/* Puts attribute `index` into the table of names; false if its name is there already. */
RARE static bool add_to_slots(wn_tokenizer *tok, uint32_t index)
{
    uint32_t mask = tok->attr_slots.count - 1;
    wn_str name = attr_name_str(&tok->run[index]);
    for (uint32_t slot = wn_str_hash(name) & mask;; slot = (slot + 1) & mask) {
        uint32_t other = tok->attr_slots.items[slot];
        if (other == 0) {
            tok->attr_slots.items[slot] = index + 1;
            return true;
        }
        if (wn_str_eq(name, attr_name_str(&tok->run[other - 1])))
            return false;
    }
}

/* Makes the table of names four times as large as there are attributes. */
RARE static bool rebuild_slots(wn_tokenizer *tok, uint32_t attr_count)
{
    uint32_t size = 4 * MANY_ATTRS;
    while (size < attr_count * 4)
        size *= 2;
    if (!wn_array_reserve(&tok->attr_slots, size))
        return false;
    tok->attr_slots.count = size;
    memset(tok->attr_slots.items, 0, size * sizeof *tok->attr_slots.items);
    for (uint32_t i = 0; i < attr_count; i++)
        add_to_slots(tok, i);
    tok->slots_used = attr_count;
    return true;
}

/*
 * Whether the newest attribute's name is on the tag already. Names with a
 * number have a bit each; the others are compared, or looked up when there are many.
 */
static bool is_duplicate(wn_tokenizer *tok)
{
    uint32_t newest = tok->run_count - 1;
    const wn_attr *attrs = tok->run;
    unsigned id = attrs[newest].id;
    if (id != WN_ATTR_UNKNOWN) {
        uint64_t bit = (uint64_t)1 << id % 64, *word = &tok->attrs_seen[id / 64];
        bool seen = *word & bit;
        *word |= bit;
        return seen;
    }
    if (newest < MANY_ATTRS) {
        for (uint32_t i = 0; i < newest; i++)
            if (attrs[i].id == WN_ATTR_UNKNOWN && attrs[i].name_len == attrs[newest].name_len &&
                memcmp(attrs[i].name, attrs[newest].name, attrs[i].name_len) == 0)
                return true;
        return false;
    }
    bool full = tok->slots_used == 0 || tok->slots_used * 2 >= tok->attr_slots.count;
    if (full && !rebuild_slots(tok, newest))
        return true;
    tok->slots_used++;
    return !add_to_slots(tok, newest);
}

/* Moves the run of attributes to a new chunk, with room for as many again. */
RARE static bool start_chunk(wn_tokenizer *tok)
{
    size_t room = tok->run_count < FEW_ATTRS ? CHUNK_ATTRS : 2 * (size_t)tok->run_count;
    wn_attr *chunk = wn_arena_alloc(tok->arena, (1 + room) * sizeof *chunk);
    if (!chunk)
        return false;
    if (tok->run_count > 0)
        memcpy(chunk + 1, tok->run, tok->run_count * sizeof *chunk);
    tok->run = chunk + 1; /* the first slot is the user's */
    tok->run_room = (uint32_t)room;
    return true;
}

wn_attr *wn_html_tokenizer_keep_attrs(wn_tokenizer *tok)
{
    if (tok->run_kept)
        return tok->token.attrs;
    if (!tok->run && !start_chunk(tok))
        return NULL;
    tok->run_kept = true;
    wn_attr *kept = tok->token.attrs = tok->run;
    uint32_t used = tok->run_count + 1; /* with the slot before the next run */
    bool full = used > tok->run_room;
    tok->run = full ? NULL : tok->run + used;
    tok->run_room = full ? 0 : tok->run_room - used;
    tok->run_count = 0;
    return kept;
}

static void add_attribute(wn_tokenizer *tok, wn_str name, size_t readable, wn_str value)
{
    if (tok->max_attrs && tok->run_count >= tok->max_attrs) {
        tok->attrs_dropped = true;
        return;
    }
    if (name.len > LONGEST_NAME) {
        name = wn_utf8_prefix(name, LONGEST_NAME);
        tok->attrs_dropped = true;
    }
    if (tok->run_count == tok->run_room && !start_chunk(tok))
        return;
    wn_attr *attr = &tok->run[tok->run_count++];
    attr->name = name.ptr;
    attr->name_len = (uint16_t)name.len;
    attr->id = (uint16_t)wn_attr_name_find(name, readable);
    attr->value = value.ptr;
    attr->value_len = (uint32_t)value.len;
    if (is_duplicate(tok))
        tok->run_count--;
}

/*
 * https://html.spec.whatwg.org/multipage/parsing.html#attribute-value-(double-quoted)-state
 * p is after the quote; returns the position of the closing one, `end` if there is none.
 */
static const char *read_quoted(wn_tokenizer *tok, const char *p, char quote, wn_str *value)
{
    const char *close = wn_scan_3(p, tok->end, quote, '&', '\0');
    if (close < tok->end && *close != quote) {
        close = wn_scan_1(close, tok->end, quote);
        *value = close < tok->end ? replaced(tok, wn_str_between(p, close), true, true) : *value;
        return close;
    }
    *value = wn_str_between(p, close);
    return close;
}

/* https://html.spec.whatwg.org/multipage/parsing.html#attribute-value-(unquoted)-state */
RARE static const char *read_unquoted(wn_tokenizer *tok, const char *p, wn_str *value)
{
    const char *start = p;
    bool plain = true;
    for (; p < tok->end && !(class_of(*p) & SPACE) && *p != '>'; p++)
        plain &= *p != '&' && *p != '\0';
    *value = wn_str_between(start, p);
    if (!plain)
        *value = replaced(tok, *value, true, true);
    return p;
}

/*
 * The states "after attribute name" to "after attribute value (quoted)". p is
 * after the name; returns where the next attribute may start, `end` if the input is over.
 */
static const char *read_value(wn_tokenizer *tok, const char *p, wn_str *value)
{
    *value = WN_STR("");
    if (p < tok->end && *p != '=')
        p = skip_spaces(p, tok->end);
    if (p == tok->end || *p != '=')
        return p;
    p++;
    if (p < tok->end && *p != '"')
        p = skip_spaces(p, tok->end);
    if (p == tok->end || *p == '>')
        return p;
    if (*p != '"' && *p != '\'')
        return read_unquoted(tok, p, value);
    p = read_quoted(tok, p + 1, *p, value);
    return p < tok->end ? p + 1 : p;
}

/*
 * The states "before attribute name" to "self-closing start tag".
 * Returns the position past the tag's '>', NULL if the input ends before.
 */
static const char *read_attributes(wn_tokenizer *tok, const char *p)
{
    const char *end = tok->end;
    for (;;) {
        p = skip_spaces(p, end);
        if (p == end)
            return NULL;
        if (*p == '>')
            return p + 1;
        if (*p == '/') {
            p++;
            if (p < end && *p == '>') {
                tok->token.self_closing = true;
                return p + 1;
            }
            continue;
        }
        const char *start = p;
        uint8_t seen = class_of(*p); /* a '=' here belongs to the name */
        p = scan_name(p + 1, end, ENDS_ATTR_NAME, &seen);
        size_t readable;
        wn_str name = lower_name(tok, wn_str_between(start, p), seen, &readable), value;
        p = read_value(tok, p, &value);
        if (p == end || wn_watch_over(tok->watch))
            return NULL;
        add_attribute(tok, name, readable, value);
    }
}

/* Where the plain name before the '=' at `equals` starts; NULL if there is none after `from`. */
static const char *plain_name(const char *from, const char *equals)
{
    const char *name = equals;
    if (equals <= from || *equals != '=')
        return NULL;
    while (name > from && !(class_of(name[-1]) & ENDS_ATTR_NAME))
        name--;
    bool alone = name == from || (class_of(name[-1]) & SPACE);
    return alone && name < equals ? name : NULL;
}

#ifdef WN_SIMD_BIT_PER_BYTE
/*
 * find_value() for what is in the sixteen bytes from `from` on, as most names do; NULL if
 * it does not, or needs a closer look.
 */
static inline const char *find_value_near(const wn_tokenizer *tok, const char *from,
                                          const char **name)
{
    if (tok->end - from < WN_VEC_SIZE)
        return NULL;
    wn_vec v = wn_vec_load(from);
    uint64_t quotes = wn_vec_mask(wn_vec_or(wn_vec_equal(v, '"'), wn_vec_equal(v, '\'')));
    uint64_t at = quotes & -quotes, equals = at >> 1; /* the first one, and the byte before it */
    uint64_t stops = wn_vec_mask(stops_name(v)) & (at - 1);
    if (!(stops & equals))
        return NULL;
    stops ^= equals;
    unsigned start = stops ? 64 - (unsigned)__builtin_clzll(stops) : 0;
    *name = from + start;
    const char *quote = from + __builtin_ctzll(at);
    bool alone = start == 0 || (class_of(from[start - 1]) & SPACE);
    bool ends_before = wn_vec_mask(wn_vec_equal(v, '>')) & (at - 1);
    return alone && !ends_before && quote[-1] == '=' && *name < quote - 1 ? quote : NULL;
}
#else
static const char *find_value_near(const wn_tokenizer *tok, const char *from, const char **name)
{
    (void)tok, (void)from, (void)name;
    return NULL;
}
#endif

/*
 * The quote that opens the next value, and the start of the attribute's name; or the '>' that
 * ends the tag. NULL where there is anything else than name="value", or the input ends.
 */
static inline const char *find_value(const wn_tokenizer *tok, const char *from, const char **name)
{
    if (from < tok->end && *from == '>')
        return from;
    const char *p = find_value_near(tok, from, name);
    if (p)
        return p;
    p = wn_scan_3(from, tok->end, '>', '"', '\'');
    if (p == tok->end || *p == '>')
        return p < tok->end ? p : NULL;
    *name = plain_name(from, p - 1);
    return *name ? p : NULL;
}

/* Makes a value that was skipped the tag's only attribute. */
static void add_href(wn_tokenizer *tok, wn_str value)
{
    const char *end = value.ptr + value.len;
    if (wn_scan_2(value.ptr, end, '&', '\0') < end)
        value = replaced(tok, value, true, true);
    if (tok->run_room == 0 && !start_chunk(tok))
        return;
    tok->run[tok->run_count++] = (wn_attr){
        .name = "href",
        .name_len = 4,
        .id = WN_ATTR_HREF,
        .value = value.ptr,
        .value_len = (uint32_t)value.len,
    };
}

/*
 * Skips the attributes of a tag, past its '>'. Returns NULL where they are not as plain
 * as name="value": then they must be read, state by state. Of a link the href is read.
 * Reading looks at the clock, and so it takes over where a tag is very long.
 */
static const char *skip_attributes(wn_tokenizer *tok, const char *p)
{
    enum { MOST_SKIPPED = 1 << 18 }; /* bytes */
    const char *start = p;
    const char *from = p, *name = p; /* `from` is after the tag's name or the last value */
    bool wants_href = tok->token.tag == WN_TAG_A;
    wn_str href = {0};
    while ((p = find_value(tok, from, &name)) && *p != '>') {
        const char *value = p + 1;
        p = wn_scan_2(value, tok->end, *p, *p); /* values are short: no call of memchr */
        if (p == tok->end || p - start > MOST_SKIPPED)
            return NULL;
        if (wants_href && wn_scan_1(from, name, '=') < name)
            return NULL; /* a value without quotes */
        if (wants_href && wn_str_eq_nocase(wn_str_between(name, value - 2), WN_STR("href"))) {
            href = wn_str_between(value, p);
            wants_href = false; /* the first counts */
        }
        from = p + 1;
    }
    if (!p || wants_href)
        return NULL;
    if (p[-1] == '/' && p > from) {
        if (p - 1 > from && !(class_of(p[-2]) & SPACE))
            return NULL; /* it may belong to a value */
        tok->token.self_closing = true;
    }
    if (href.ptr)
        add_href(tok, href);
    return p + 1;
}

static bool needs_attributes(const wn_tokenizer *tok)
{
    if (!tok->skips_attrs)
        return true;
    switch (tok->token.tag) {
    case WN_TAG_HTML:
    case WN_TAG_OL:
    case WN_TAG_PRE:
    case WN_TAG_TABLE:
    case WN_TAG_TD:
    case WN_TAG_TH:
        return true;
    default:
        return false;
    }
}

/*
 * Reads attributes, or skips them where nobody asks for them; returns the place past
 * the tag's '>', NULL if the input ends before. Tags without any, most of all, do not come here.
 */
__attribute__((noinline)) static const char *pass_attributes(wn_tokenizer *tok, const char *p)
{
    const char *behind = needs_attributes(tok) ? NULL : skip_attributes(tok, p);
    if (behind)
        return behind;
    tok->slots_used = 0;
    memset(tok->attrs_seen, 0, sizeof tok->attrs_seen);
    return read_attributes(tok, p);
}

/* ---- Tags -------------------------------------------------------------------------------- */

/*
 * https://html.spec.whatwg.org/multipage/parsing.html#tag-name-state
 * p is at the first letter. A tag that the input cuts off is not a token.
 */
static bool read_tag(wn_tokenizer *tok, const char *p, wn_token_kind kind)
{
    const char *start = p;
    uint8_t seen = 0;
    p = scan_name(p, tok->end, ENDS_TAG_NAME, &seen);
    size_t readable;
    wn_str name = lower_name(tok, wn_str_between(start, p), seen, &readable);

    wn_token *token = &tok->token;
    token->kind = kind;
    token->name = name;
    token->tag = (uint16_t)wn_tag_find(name, readable);
    token->self_closing = false;
    tok->run_count = 0;
    tok->run_kept = false;
    p = p < tok->end && *p == '>' ? p + 1 : pass_attributes(tok, p);
    if (!p)
        return emit_end(tok);
    token->attrs = tok->run;
    token->attr_count = kind == WN_TOKEN_START_TAG ? tok->run_count : 0;
    tok->pos = p;
    return true;
}

static bool read_start_tag(wn_tokenizer *tok, const char *p)
{
    if (!read_tag(tok, p, WN_TOKEN_START_TAG))
        return false;
    tok->last_start_tag = tok->token.name;
    if (tok->follows_tags)
        tok->state = wn_html_tokenizer_content_state((wn_tag)tok->token.tag, tok->scripting);
    return true;
}

wn_tokenizer_state wn_html_tokenizer_content_state(wn_tag tag, bool scripting)
{
    switch (tag) {
    case WN_TAG_TITLE:
    case WN_TAG_TEXTAREA:
        return WN_STATE_RCDATA;
    case WN_TAG_STYLE:
    case WN_TAG_XMP:
    case WN_TAG_IFRAME:
    case WN_TAG_NOEMBED:
    case WN_TAG_NOFRAMES:
        return WN_STATE_RAWTEXT;
    case WN_TAG_NOSCRIPT:
        return scripting ? WN_STATE_RAWTEXT : WN_STATE_DATA;
    case WN_TAG_SCRIPT:
        return WN_STATE_SCRIPT;
    case WN_TAG_PLAINTEXT:
        return WN_STATE_PLAINTEXT;
    default:
        return WN_STATE_DATA;
    }
}

/* ---- Raw text and scripts ---------------------------------------------------------------- */

/* Whether p, which is at '<', starts the end tag `</name`, with a space, '/' or '>' after it. */
static bool is_end_tag(const char *p, const char *end, wn_str name)
{
    if ((size_t)(end - p) < name.len + 3 || p[1] != '/' || name.len == 0)
        return false;
    return wn_str_starts_nocase(wn_str_from(p + 2, name.len), name) &&
           (class_of(p[2 + name.len]) & ENDS_TAG_NAME);
}

static const char *find_end_tag(const wn_tokenizer *tok)
{
    const char *p = tok->pos;
    while ((p = wn_scan_1(p, tok->end, '<')) < tok->end && !wn_watch_over(tok->watch)) {
        if (is_end_tag(p, tok->end, tok->last_start_tag))
            return p;
        p++;
    }
    return tok->end;
}

static bool starts_with(const char *p, const char *end, const char *literal)
{
    return wn_str_starts(wn_str_between(p, end), wn_str_of(literal));
}

/* Whether the name after p is "script", ended like a tag's name. */
static bool is_script_name(const char *p, const char *end)
{
    wn_str name = WN_STR("script");
    return (size_t)(end - p) > name.len && wn_str_starts_nocase(wn_str_from(p, name.len), name) &&
           (class_of(p[name.len]) & ENDS_TAG_NAME);
}

/*
 * https://html.spec.whatwg.org/multipage/parsing.html#script-data-state
 * A script ends at "</script", but within "<!-- … -->" a "<script" makes the next
 * "</script" harmless: the escaped and double escaped states.
 */
static const char *find_script_end(const wn_tokenizer *tok)
{
    enum { PLAIN, ESCAPED, DOUBLE_ESCAPED } mode = PLAIN;
    const char *p = tok->pos, *end = tok->end;
    for (;;) {
        p = mode == PLAIN ? wn_scan_1(p, end, '<') : wn_scan_2(p, end, '<', '-');
        if (p == end || wn_watch_over(tok->watch))
            return end;
        if (*p == '-') {
            const char *dashes = p;
            while (p < end && *p == '-')
                p++;
            if (p - dashes >= 2 && p < end && *p == '>')
                mode = PLAIN;
        } else if (mode == PLAIN && starts_with(p, end, "<!--")) {
            mode = ESCAPED;
            p += 2; /* its dashes may be those of "-->" */
        } else if (mode != DOUBLE_ESCAPED && is_end_tag(p, end, tok->last_start_tag)) {
            return p;
        } else if (mode == ESCAPED && is_script_name(p + 1, end)) {
            mode = DOUBLE_ESCAPED;
            p++;
        } else if (mode == DOUBLE_ESCAPED && p + 1 < end && p[1] == '/' &&
                   is_script_name(p + 2, end)) {
            mode = ESCAPED;
            p++;
        } else {
            p++;
        }
    }
}

static const char *find_raw_end(const wn_tokenizer *tok)
{
    return tok->state == WN_STATE_SCRIPT ? find_script_end(tok) : find_end_tag(tok);
}

void wn_html_tokenizer_skip_raw(wn_tokenizer *tok)
{
    if (tok->state == WN_STATE_SCRIPT || tok->state == WN_STATE_RAWTEXT)
        tok->pos = find_raw_end(tok);
}

/* RCDATA, RAWTEXT and script data: the text, then (in the next call) the end tag. */
static bool read_raw(wn_tokenizer *tok)
{
    const char *start = tok->pos;
    const char *stop = find_raw_end(tok);
    if (stop == start && stop < tok->end) {
        tok->state = WN_STATE_DATA;
        tok->token.source = (uint32_t)(start - tok->start);
        return read_tag(tok, start + 2, WN_TOKEN_END_TAG);
    }
    if (stop == start)
        return emit_end(tok);
    wn_str text = wn_str_between(start, stop);
    bool references = tok->state == WN_STATE_RCDATA && wn_scan_1(start, stop, '&') < stop;
    text = references ? replaced(tok, text, false, true) : without_nul(tok, text);
    return emit_text(tok, start, stop, text, false);
}

/* https://html.spec.whatwg.org/multipage/parsing.html#plaintext-state */
static bool read_plaintext(wn_tokenizer *tok)
{
    if (tok->pos == tok->end)
        return emit_end(tok);
    wn_str text = without_nul(tok, wn_str_between(tok->pos, tok->end));
    return emit_text(tok, tok->pos, tok->end, text, false);
}

/*
 * https://html.spec.whatwg.org/multipage/parsing.html#cdata-section-state
 * U+0000 is left to the tree, as in ordinary text.
 */
static bool read_cdata(wn_tokenizer *tok)
{
    const char *start = tok->pos, *stop = start;
    while ((stop = wn_scan_1(stop, tok->end, ']')) < tok->end &&
           !starts_with(stop, tok->end, "]]>")) {
        stop++;
        if (wn_watch_over(tok->watch))
            tok->end = stop; /* as if the input ended here */
    }
    tok->state = WN_STATE_DATA;
    const char *next = stop < tok->end ? stop + 3 : stop;
    if (stop == start)
        return skip_to(tok, next);
    bool has_nul = wn_scan_1(start, stop, '\0') < stop;
    return emit_text(tok, start, next, wn_str_between(start, stop), has_nul);
}

/* ---- Comments ---------------------------------------------------------------------------- */

/* What the states at a comment's end hold back when the input is over: "-", "--" or "--!". */
static const char *cut_comment_end(const char *data, const char *end)
{
    size_t len = (size_t)(end - data);
    if (len >= 3 && memcmp(end - 3, "--!", 3) == 0)
        return end - 3;
    if (len >= 2 && memcmp(end - 2, "--", 2) == 0)
        return end - 2;
    return len >= 1 && end[-1] == '-' ? end - 1 : end;
}

/*
 * https://html.spec.whatwg.org/multipage/parsing.html#comment-start-state
 * `data` comes after "<!--". A comment ends with "-->" or "--!>", and "<!-->" and
 * "<!--->" are whole ones.
 */
static bool read_comment(wn_tokenizer *tok, const char *data)
{
    const char *end = tok->end;
    if (data < end && *data == '>')
        return emit_comment(tok, data, data, data + 1);
    if (starts_with(data, end, "->"))
        return emit_comment(tok, data, data, data + 2);
    for (const char *p = data; (p = wn_scan_1(p, end, '>')) < end; p++) {
        if (p - data >= 2 && p[-1] == '-' && p[-2] == '-')
            return emit_comment(tok, data, p - 2, p + 1);
        if (p - data >= 3 && p[-1] == '!' && p[-2] == '-' && p[-3] == '-')
            return emit_comment(tok, data, p - 3, p + 1);
    }
    return emit_comment(tok, data, cut_comment_end(data, end), end);
}

/* https://html.spec.whatwg.org/multipage/parsing.html#bogus-comment-state */
static bool read_bogus_comment(wn_tokenizer *tok, const char *data)
{
    const char *stop = wn_scan_1(data, tok->end, '>');
    return emit_comment(tok, data, stop, stop < tok->end ? stop + 1 : stop);
}

/* ---- Doctypes ---------------------------------------------------------------------------- */

/* The rest of a doctype with something wrong in it. */
static const char *skip_bogus_doctype(const wn_tokenizer *tok, const char *p)
{
    p = wn_scan_1(p, tok->end, '>');
    return p < tok->end ? p + 1 : p;
}

/* "PUBLIC" or "SYSTEM" at p, in any case. */
static bool is_keyword(const char *p, const char *end, const char *keyword)
{
    return wn_str_starts_nocase(wn_str_between(p, end), wn_str_of(keyword));
}

/*
 * A quoted identifier at p. Returns the position past its closing quote, NULL if it is not
 * closed before a '>' or the end; then *stop is where that is.
 */
static const char *read_identifier(wn_tokenizer *tok, const char *p, wn_str *id, const char **stop)
{
    const char *close = wn_scan_2(p + 1, tok->end, *p, '>');
    *id = without_nul(tok, wn_str_between(p + 1, close));
    *stop = close;
    return close < tok->end && *close == *p ? close + 1 : NULL;
}

/*
 * The states "after DOCTYPE name" to "after DOCTYPE system identifier"; returns
 * the position past the doctype. Whatever is wrong means quirks mode.
 */
static const char *read_doctype_ids(wn_tokenizer *tok, const char *p)
{
    wn_doctype *doctype = &tok->token.doctype;
    const char *end = tok->end, *stop;
    bool *quirks = &tok->token.force_quirks;
    *quirks = true; /* until the end is reached as it should be */

    p = skip_spaces(p, end);
    bool is_public = is_keyword(p, end, "public");
    if (p < end && *p == '>') {
        *quirks = false;
        return p + 1;
    }
    if (!is_public && !is_keyword(p, end, "system"))
        return skip_bogus_doctype(tok, p);
    p = skip_spaces(p + strlen("public"), end);
    if (is_public) {
        if (p == end || (*p != '"' && *p != '\''))
            return skip_bogus_doctype(tok, p);
        doctype->has_public_id = true;
        if (!(p = read_identifier(tok, p, &doctype->public_id, &stop)))
            return skip_bogus_doctype(tok, stop);
        p = skip_spaces(p, end);
        if (p < end && *p == '>') {
            *quirks = false;
            return p + 1;
        }
    }
    if (p == end || (*p != '"' && *p != '\''))
        return skip_bogus_doctype(tok, p);
    doctype->has_system_id = true;
    if (!(p = read_identifier(tok, p, &doctype->system_id, &stop)))
        return skip_bogus_doctype(tok, stop);
    p = skip_spaces(p, end);
    *quirks = p == end; /* what else is here is ignored */
    return skip_bogus_doctype(tok, p);
}

/*
 * https://html.spec.whatwg.org/multipage/parsing.html#doctype-state
 * p is after "<!doctype".
 */
static bool read_doctype(wn_tokenizer *tok, const char *p)
{
    wn_token *token = &tok->token;
    token->kind = WN_TOKEN_DOCTYPE;
    token->doctype = (wn_doctype){.name = WN_STR("")};
    p = skip_spaces(p, tok->end);
    const char *start = p;
    uint8_t seen = 0;
    for (; p < tok->end && !(class_of(*p) & SPACE) && *p != '>'; p++)
        seen |= class_of(*p);
    size_t readable;
    token->doctype.name = lower_name(tok, wn_str_between(start, p), seen, &readable);
    tok->pos = read_doctype_ids(tok, p);
    if (p == start)
        token->force_quirks = true;
    return true;
}

/* ---- Data and the dispatch --------------------------------------------------------------- */

/*
 * https://html.spec.whatwg.org/multipage/parsing.html#markup-declaration-open-state
 * p is after "<!".
 */
static bool read_markup_declaration(wn_tokenizer *tok, const char *p)
{
    if (starts_with(p, tok->end, "--"))
        return read_comment(tok, p + 2);
    if (is_keyword(p, tok->end, "doctype"))
        return read_doctype(tok, p + strlen("doctype"));
    if (tok->cdata_allowed && starts_with(p, tok->end, "[CDATA[")) {
        tok->state = WN_STATE_CDATA;
        return skip_to(tok, p + strlen("[CDATA["));
    }
    return read_bogus_comment(tok, p);
}

/* Whether the '<' at p starts markup; otherwise it is text. */
static inline bool opens_markup(const char *p, const char *end)
{
    if (end - p < 3) /* "</" at the very end is text, "<a" is a tag that is cut off */
        return end - p == 2 && p[1] != '/' && (class_of(p[1]) & OPENS_MARKUP);
    return class_of(p[1]) & OPENS_MARKUP;
}

/* https://html.spec.whatwg.org/multipage/parsing.html#tag-open-state; p is at the '<'. */
static bool read_markup(wn_tokenizer *tok, const char *p)
{
    tok->token.source = (uint32_t)(p - tok->start);
    if (class_of(p[1]) & LETTER)
        return read_start_tag(tok, p + 1);
    if (p[1] == '/' && (class_of(p[2]) & LETTER))
        return read_tag(tok, p + 2, WN_TOKEN_END_TAG);
    if (p[1] == '!')
        return read_markup_declaration(tok, p + 2);
    if (p[1] == '?')
        return read_bogus_comment(tok, p + 1);
    if (p[2] == '>') /* "</>" is nothing at all */
        return skip_to(tok, p + 3);
    return read_bogus_comment(tok, p + 2);
}

/* https://html.spec.whatwg.org/multipage/parsing.html#data-state */
static bool read_data(wn_tokenizer *tok)
{
    const char *start = tok->pos, *end = tok->end;
    if (start < end && *start == '<' && opens_markup(start, end)) /* as often as not */
        return read_markup(tok, start);
    const char *p = wn_scan_3(start, end, '<', '&', '\0');
    bool plain = true;
    while (p < end && !(*p == '<' && opens_markup(p, end)) && !wn_watch_over(tok->watch)) {
        plain &= *p == '<';
        p = plain ? wn_scan_3(p + 1, end, '<', '&', '\0') : wn_scan_1(p + 1, end, '<');
    }
    if (p == start)
        return emit_end(tok);
    wn_str text = wn_str_between(start, p);
    if (plain)
        return emit_text(tok, start, p, text, false);
    bool has_nul = wn_scan_1(start, p, '\0') < p;
    return emit_text(tok, start, p, replaced(tok, text, false, false), has_nul);
}

static bool read_token(wn_tokenizer *tok)
{
    switch (tok->state) {
    case WN_STATE_DATA:
        return read_data(tok);
    case WN_STATE_RCDATA:
    case WN_STATE_RAWTEXT:
    case WN_STATE_SCRIPT:
        return read_raw(tok);
    case WN_STATE_PLAINTEXT:
        return read_plaintext(tok);
    case WN_STATE_CDATA:
        return read_cdata(tok);
    }
    return emit_end(tok);
}

/* What is not a tag, or in another state. */
__attribute__((noinline)) static bool read_other(wn_tokenizer *tok)
{
    bool more;
    do
        more = read_token(tok);
    while (tok->token.kind == WN_TOKEN_NONE);
    return more;
}

/* Most tokens are tags, and reading those takes less preparation. */
bool wn_html_tokenizer_next(wn_tokenizer *tok)
{
    const char *p = tok->pos;
    if (tok->state != WN_STATE_DATA || tok->end - p < 3 || *p != '<')
        return read_other(tok);
    bool is_end = p[1] == '/';
    if (!(class_of(p[1 + is_end]) & LETTER))
        return read_other(tok);
    tok->token.source = (uint32_t)(p - tok->start);
    return is_end ? read_tag(tok, p + 2, WN_TOKEN_END_TAG) : read_start_tag(tok, p + 1);
}

void wn_html_tokenizer_init(wn_tokenizer *tok, wn_arena *arena, wn_str input)
{
    wn_tokenizer fresh = {.arena = arena};
    fresh.attr_slots.items = tok->attr_slots.items;
    fresh.attr_slots.capacity = tok->attr_slots.capacity;
    fresh.start = fresh.pos = input.ptr;
    fresh.end = input.ptr + input.len;
    fresh.token.name = fresh.token.text = fresh.last_start_tag = WN_STR("");
    *tok = fresh;
}

void wn_html_tokenizer_free(wn_tokenizer *tok)
{
    wn_array_free(&tok->attr_slots);
}
