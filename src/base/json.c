/*
 * The writer is a comma and an escape table. The reader is one loop: read a value,
 * then move on to where the next one is due, which closes containers on its way. The
 * containers that are still open are a stack of node numbers, so that no depth of
 * nesting costs more than memory.
 */
#include "base/json.h"

#include <math.h>
#include <stdio.h>

#include "base/scan.h"
#include "base/utf8.h"

/* ---- Writing ----------------------------------------------------------------------------- */

static void separate(wn_json_writer *json)
{
    if (json->comma)
        wn_buf_add_char(json->out, ',');
    json->comma = true;
}

static void open_bracket(wn_json_writer *json, char bracket)
{
    separate(json);
    wn_buf_add_char(json->out, bracket);
    json->comma = false;
}

static void close_bracket(wn_json_writer *json, char bracket)
{
    wn_buf_add_char(json->out, bracket);
    json->comma = true;
}

void wn_json_begin_object(wn_json_writer *json)
{
    open_bracket(json, '{');
}

void wn_json_end_object(wn_json_writer *json)
{
    close_bracket(json, '}');
}

void wn_json_begin_array(wn_json_writer *json)
{
    open_bracket(json, '[');
}

void wn_json_end_array(wn_json_writer *json)
{
    close_bracket(json, ']');
}

static bool needs_escape(char c)
{
    return (unsigned char)c < 0x20 || c == '"' || c == '\\';
}

static void add_escape(wn_buf *out, char c)
{
    switch (c) {
    case '"':
        wn_buf_add_literal(out, "\\\"");
        break;
    case '\\':
        wn_buf_add_literal(out, "\\\\");
        break;
    case '\n':
        wn_buf_add_literal(out, "\\n");
        break;
    case '\t':
        wn_buf_add_literal(out, "\\t");
        break;
    case '\r':
        wn_buf_add_literal(out, "\\r");
        break;
    default:
        wn_buf_add_format(out, "\\u%04x", (unsigned char)c);
    }
}

static void add_quoted(wn_buf *out, wn_str s)
{
    const char *p = s.ptr, *end = s.ptr + s.len;
    wn_buf_add_char(out, '"');
    while (p < end) {
        const char *plain = p;
        while (p < end && !needs_escape(*p))
            p++;
        wn_buf_add(out, wn_str_between(plain, p));
        if (p < end)
            add_escape(out, *p++);
    }
    wn_buf_add_char(out, '"');
}

void wn_json_key_str(wn_json_writer *json, wn_str key)
{
    separate(json);
    add_quoted(json->out, key);
    wn_buf_add_char(json->out, ':');
    json->comma = false;
}

void wn_json_key(wn_json_writer *json, const char *key)
{
    wn_json_key_str(json, wn_str_of(key));
}

void wn_json_string(wn_json_writer *json, wn_str s)
{
    separate(json);
    add_quoted(json->out, s);
}

void wn_json_outside(wn_json_writer *json, wn_str bytes)
{
    wn_buf repaired = {0};
    wn_utf8_add_repaired(&repaired, bytes);
    wn_json_string(json, wn_buf_str(&repaired));
    json->out->failed |= repaired.failed;
    wn_buf_free(&repaired);
}

void wn_json_c_string(wn_json_writer *json, const char *s)
{
    if (s)
        wn_json_string(json, wn_str_of(s));
    else
        wn_json_null(json);
}

void wn_json_int(wn_json_writer *json, int64_t value)
{
    separate(json);
    wn_buf_add_format(json->out, "%lld", (long long)value);
}

void wn_json_uint(wn_json_writer *json, uint64_t value)
{
    separate(json);
    wn_buf_add_format(json->out, "%llu", (unsigned long long)value);
}

/* Adds what printf made of a number; its decimal point may be the locale's. */
static void add_number(wn_json_writer *json, char *digits)
{
    separate(json);
    for (char *c = digits; *c; c++)
        if (!wn_is_ascii_digit(*c) && *c != '-' && *c != '+' && *c != 'e')
            *c = '.';
    wn_buf_add_literal(json->out, digits);
}

void wn_json_double(wn_json_writer *json, double value)
{
    char digits[40];
    if (!isfinite(value)) {
        wn_json_null(json);
        return;
    }
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value)
            break;
    }
    add_number(json, digits);
}

void wn_json_fixed(wn_json_writer *json, double value, int decimals)
{
    char digits[400]; /* the largest double has 309 digits before its point */
    if (!isfinite(value)) {
        wn_json_null(json);
        return;
    }
    snprintf(digits, sizeof digits, "%.*f", decimals < 17 ? decimals : 17, value);
    add_number(json, digits);
}

void wn_json_bool(wn_json_writer *json, bool value)
{
    separate(json);
    wn_buf_add_literal(json->out, value ? "true" : "false");
}

void wn_json_null(wn_json_writer *json)
{
    separate(json);
    wn_buf_add_literal(json->out, "null");
}

/* ---- Reading ----------------------------------------------------------------------------- */

typedef struct reader {
    wn_json *json;
    wn_arena *arena;
    const char *start, *pos, *end;
    unsigned flags;
    uint32_t max_depth;
    bool key_waits; /* the newest node is a key whose value has not come yet */
} reader;

/* The first error counts; it ends the reading. */
static bool fail(reader *r, const char *at, const char *error)
{
    if (!r->json->error) {
        r->json->error = error;
        r->json->error_offset = (size_t)(at - r->start);
    }
    return false;
}

/* The first byte that is not the white space of JSON. */
WN_DEFINE_SCAN(scan_token, (const char *p, const char *end),
               wn_vec_not(wn_vec_or(wn_vec_or(wn_vec_equal(v, ' '), wn_vec_between(v, '\t', '\n')),
                                    wn_vec_equal(v, '\r'))),
               c != ' ' && c != '\n' && c != '\t' && c != '\r')

static void skip_space(reader *r)
{
    if (r->pos < r->end && *r->pos <= ' ') /* mostly there is none */
        r->pos = scan_token(r->pos, r->end);
}

/* Takes the byte c if it comes next. */
static bool take(reader *r, char c)
{
    if (r->pos == r->end || *r->pos != c)
        return false;
    r->pos++;
    return true;
}

static bool add_node(reader *r, wn_json_kind kind, wn_str text)
{
    wn_json_node *node = wn_array_push(&r->json->nodes);
    if (!node)
        return fail(r, r->pos, "out of memory");
    *node = (wn_json_node){
        .text = text.ptr, .len = (uint32_t)text.len, .next = r->json->nodes.count, .kind = kind};
    return true;
}

/* A copy of s in which each ill-formed part is U+FFFD. */
static wn_str repair(wn_arena *arena, wn_str s)
{
    char *copy = wn_arena_bytes(arena, 3 * s.len);
    char *out = copy;
    while (copy && s.len > 0) {
        size_t well_formed = wn_utf8_valid_prefix(s);
        memcpy(out, s.ptr, well_formed);
        out += well_formed;
        s = wn_str_from_offset(s, well_formed);
        if (s.len > 0) {
            out += wn_utf8_encode(WN_REPLACEMENT, out);
            s = wn_str_from_offset(s, wn_utf8_ill_formed(s));
        }
    }
    return copy ? wn_str_between(copy, out) : WN_STR("");
}

/* The four hexadecimal digits at p; -1 if they are not that. */
static int32_t hex4(const char *p, const char *end)
{
    int32_t value = 0;
    if (end - p < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        char c = wn_ascii_lower(p[i]);
        if (wn_is_ascii_digit(c))
            value = value * 16 + (c - '0');
        else if (c >= 'a' && c <= 'f')
            value = value * 16 + (c - 'a' + 10);
        else
            return -1;
    }
    return value;
}

/* Reads the digits after "\u", and a second escape if both form a surrogate pair. */
static bool unescape_unicode(reader *r, const char **p, const char *end, char **out)
{
    int32_t unit = hex4(*p, end);
    if (unit < 0)
        return false;
    *p += 4;
    if (unit >= 0xD800 && unit < 0xDC00 && end - *p >= 6 && (*p)[0] == '\\' && (*p)[1] == 'u') {
        int32_t low = hex4(*p + 2, end);
        if (low >= 0xDC00 && low < 0xE000) {
            *p += 6;
            unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
        }
    }
    bool surrogate = unit >= 0xD800 && unit < 0xE000;
    if (surrogate && !(r->flags & WN_JSON_WTF8))
        unit = WN_REPLACEMENT;
    *out += wn_utf8_encode((uint32_t)unit, *out);
    return true;
}

/* Reads what comes after a backslash; false if that is not an escape. */
static bool unescape_one(reader *r, const char **p, const char *end, char **out)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    char c = *(*p)++;
    if (c == 'u')
        return unescape_unicode(r, p, end, out);
    const char *name = c ? strchr(names, c) : NULL;
    if (name)
        *(*out)++ = values[name - names];
    return name != NULL;
}

/* The text of a string with escapes. They are never shorter than what they stand for. */
static bool unescape(reader *r, wn_str raw, wn_str *text)
{
    const char *p = raw.ptr, *end = raw.ptr + raw.len;
    char *copy = wn_arena_bytes(r->arena, raw.len);
    if (!copy)
        return fail(r, r->pos, "out of memory");
    char *out = copy;
    while (p < end) {
        const char *backslash = wn_scan_1(p, end, '\\');
        memcpy(out, p, (size_t)(backslash - p));
        out += backslash - p;
        p = backslash;
        if (p < end && (p++, !unescape_one(r, &p, end, &out)))
            return fail(r, r->pos, "a string holds an unknown escape");
    }
    wn_arena_resize(r->arena, copy, raw.len, (size_t)(out - copy));
    *text = wn_str_between(copy, out);
    return true;
}

static const char *find_control(wn_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] < 0x20)
            return s.ptr + i;
    return NULL;
}

/* Reads a string; r->pos is after its first quotation mark. */
static bool read_string(reader *r)
{
    const char *start = r->pos, *p = start;
    bool escaped = false;
    for (;;) {
        p = wn_scan_2(p, r->end, '"', '\\');
        if (p == r->end)
            return fail(r, start - 1, "a string has no end");
        if (*p == '"')
            break;
        escaped = true;
        p += p + 1 < r->end ? 2 : 1;
    }
    wn_str text = wn_str_between(start, p);
    const char *control = r->flags & WN_JSON_RELAXED ? NULL : find_control(text);
    if (control)
        return fail(r, control, "a string holds a control character");
    if (wn_utf8_valid_prefix(text) < text.len)
        text = repair(r->arena, text);
    if (escaped && !unescape(r, text, &text))
        return false;
    r->pos = p + 1;
    return r->arena->failed ? fail(r, start, "out of memory") : add_node(r, WN_JSON_STRING, text);
}

static bool take_digits(reader *r)
{
    const char *start = r->pos;
    while (r->pos < r->end && wn_is_ascii_digit(*r->pos))
        r->pos++;
    return r->pos > start;
}

static bool read_number(reader *r)
{
    const char *start = r->pos;
    take(r, '-');
    bool sound = take(r, '0') || take_digits(r);
    if (sound && take(r, '.'))
        sound = take_digits(r);
    if (sound && (take(r, 'e') || take(r, 'E'))) {
        if (!take(r, '-'))
            take(r, '+');
        sound = take_digits(r);
    }
    if (!sound)
        return fail(r, start, "this is not a number");
    return add_node(r, WN_JSON_NUMBER, wn_str_between(start, r->pos));
}

static bool read_word(reader *r, wn_str word, wn_json_kind kind)
{
    wn_str rest = wn_str_between(r->pos, r->end);
    if (!wn_str_starts(rest, word))
        return fail(r, r->pos, "a value is expected");
    r->pos += word.len;
    return add_node(r, kind, WN_STR(""));
}

static bool open_container(reader *r, wn_json_kind kind)
{
    if (r->json->open.count >= r->max_depth)
        return fail(r, r->pos - 1, "too deeply nested");
    wn_json_id *open = wn_array_push(&r->json->open);
    if (!open)
        return fail(r, r->pos - 1, "out of memory");
    *open = r->json->nodes.count;
    if (add_node(r, kind, WN_STR("")))
        return true;
    r->json->open.count--;
    return false;
}

/* Reads a value; of an array or object only the bracket. */
static bool read_value(reader *r)
{
    skip_space(r);
    if (r->pos == r->end)
        return fail(r, r->pos, "a value is expected");
    switch (*r->pos) {
    case '{':
        r->pos++;
        return open_container(r, WN_JSON_OBJECT);
    case '[':
        r->pos++;
        return open_container(r, WN_JSON_ARRAY);
    case '"':
        r->pos++;
        return read_string(r);
    case 't':
        return read_word(r, WN_STR("true"), WN_JSON_TRUE);
    case 'f':
        return read_word(r, WN_STR("false"), WN_JSON_FALSE);
    case 'n':
        return read_word(r, WN_STR("null"), WN_JSON_NULL);
    default:
        return read_number(r);
    }
}

static bool read_key(reader *r)
{
    skip_space(r);
    if (!take(r, '"'))
        return fail(r, r->pos, "a key is expected");
    if (!read_string(r))
        return false;
    r->key_waits = true;
    skip_space(r);
    return take(r, ':') || fail(r, r->pos, "a colon is expected");
}

static void close_container(reader *r)
{
    wn_json_id id = r->json->open.items[--r->json->open.count];
    r->json->nodes.items[id].next = r->json->nodes.count;
}

/*
 * Moves from after a value (or an opening bracket) to where the next value is due,
 * closing the containers that end. False at the end of the outermost value.
 */
static bool move_to_value(reader *r)
{
    while (r->json->open.count > 0) {
        wn_json_id id = r->json->open.items[r->json->open.count - 1];
        wn_json_node *container = &r->json->nodes.items[id];
        bool is_object = container->kind == WN_JSON_OBJECT;
        char bracket = is_object ? '}' : ']';
        bool is_first = id + 1 == r->json->nodes.count;

        skip_space(r);
        bool comma = !is_first && take(r, ',');
        skip_space(r);
        bool may_end = !comma || r->flags & WN_JSON_RELAXED;
        if (may_end && take(r, bracket)) {
            close_container(r);
        } else if (is_first || comma) {
            container->len++;
            return !is_object || read_key(r);
        } else {
            return fail(r, r->pos, "a comma or a closing bracket is expected");
        }
    }
    return false;
}

/* After an error: a key without a value is removed, and open containers end here. */
static void close_all(reader *r)
{
    if (r->key_waits)
        r->json->nodes.count--;
    while (r->json->open.count > 0) {
        wn_json_id id = r->json->open.items[r->json->open.count - 1];
        wn_json_node *container = &r->json->nodes.items[id];
        close_container(r);
        container->len = 0;
        if (container->kind == WN_JSON_OBJECT) {
            wn_json_each_key (r->json, key, id) {
                container->len++;
            }
        } else {
            wn_json_each (r->json, item, id) {
                container->len++;
            }
        }
    }
}

bool wn_json_parse(wn_json *json, wn_arena *arena, wn_str source, unsigned flags,
                   uint32_t max_depth)
{
    reader r = {.json = json,
                .arena = arena,
                .start = source.ptr,
                .pos = source.ptr,
                .end = source.ptr + source.len,
                .flags = flags,
                .max_depth = max_depth ? max_depth : WN_JSON_DEFAULT_DEPTH};
    json->nodes.count = json->open.count = 0;
    json->error = NULL;
    json->error_offset = 0;
    if (!add_node(&r, WN_JSON_MISSING, WN_STR("")))
        return false;
    if (source.len > UINT32_MAX)
        return fail(&r, r.pos, "longer than 4 GB");
    do {
        if (!read_value(&r))
            break;
        r.key_waits = false;
    } while (move_to_value(&r));
    skip_space(&r);
    if (!json->error && r.pos < r.end)
        fail(&r, r.pos, "something follows the value");
    if (json->error)
        close_all(&r);
    return json->error == NULL;
}

void wn_json_free(wn_json *json)
{
    wn_array_free(&json->nodes);
    wn_array_free(&json->open);
}

wn_json_id wn_json_get(const wn_json *json, wn_json_id object, const char *key)
{
    wn_str wanted = wn_str_of(key);
    if (object >= json->nodes.count || wn_json_node_at(json, object)->kind != WN_JSON_OBJECT)
        return WN_JSON_NONE;
    wn_json_each_key (json, id, object) {
        if (wn_str_eq(wn_json_text(json, id), wanted))
            return id + 1;
    }
    return WN_JSON_NONE;
}

wn_str wn_json_text(const wn_json *json, wn_json_id id)
{
    if (id >= json->nodes.count || wn_json_node_at(json, id)->kind != WN_JSON_STRING)
        return WN_STR("");
    return wn_str_from(wn_json_node_at(json, id)->text, wn_json_node_at(json, id)->len);
}

/* 10 to the power of `exponent`, with the range of a double and a little more. */
static long double power_of_ten(int exponent)
{
    long double power = 1, base = 10;
    for (int rest = exponent < 0 ? -exponent : exponent; rest > 0; rest /= 2, base *= base)
        if (rest % 2)
            power *= base;
    return exponent < 0 ? 1 / power : power;
}

/* strtod() would ask the locale for its decimal point. */
double wn_json_number(const wn_json *json, wn_json_id id, double otherwise)
{
    enum { MANY = 100000 }; /* an exponent beyond all doubles */
    if (id >= json->nodes.count || wn_json_node_at(json, id)->kind != WN_JSON_NUMBER)
        return otherwise;
    const char *p = wn_json_node_at(json, id)->text, *end = p + wn_json_node_at(json, id)->len;
    bool negative = *p == '-', behind_point = false;
    uint64_t digits = 0;
    int scale = 0, exponent = 0;
    for (p += negative; p < end && (*p | 0x20) != 'e'; p++) {
        if (*p == '.') {
            behind_point = true;
            continue;
        }
        bool fits = digits <= (UINT64_MAX - 9) / 10;
        if (fits)
            digits = digits * 10 + (uint64_t)(*p - '0');
        scale += (!fits && scale < MANY) - (behind_point && scale > -MANY);
    }
    if (p < end) {
        bool minus = p[1] == '-';
        for (p += 1 + (minus || p[1] == '+'); p < end; p++)
            exponent = exponent < MANY ? exponent * 10 + (*p - '0') : exponent;
        exponent = minus ? -exponent : exponent;
    }
    long double value = digits == 0 ? 0 : (long double)digits * power_of_ten(scale + exponent);
    return (double)(negative ? -value : value);
}

uint64_t wn_json_count(const wn_json *json, wn_json_id id, uint64_t otherwise)
{
    double number = wn_json_number(json, id, -1);
    return number >= 0 && number < 0x1p64 ? (uint64_t)number : otherwise;
}
