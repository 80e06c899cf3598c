/*
 * Unit tests of src/base: strings, arena, arrays, buffers, UTF-8, scans, JSON.
 *
 *     test_base        no arguments
 */
#include <math.h>
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/scan.h"
#include "base/str.h"
#include "base/utf8.h"
#include "support/files.h"

#define assert_str(actual, expected) assert_str_at(actual, expected, __LINE__)

static void assert_str_at(wn_str actual, const char *expected, int line)
{
    if (!wn_str_eq(actual, wn_str_of(expected)))
        fail_msg("line %d: got \"%.*s\", expected \"%s\"", line, WN_STR_ARGS(actual), expected);
}

/* ---- Strings ----------------------------------------------------------------------------- */

static void str_compares(void **state)
{
    (void)state;
    assert_true(wn_str_eq(WN_STR("a"), wn_str_of("a")));
    assert_false(wn_str_eq(WN_STR("a"), WN_STR("A")));
    assert_true(wn_str_eq(wn_str_of(NULL), wn_str_from(NULL, 0)));
    assert_true(wn_str_eq_nocase(WN_STR("Content-TYPE"), WN_STR("content-type")));
    assert_false(wn_str_eq_nocase(WN_STR("["), WN_STR("{"))); /* they differ by the case bit */
    assert_false(wn_str_eq_nocase(WN_STR("a"), WN_STR("ab")));
    assert_true(wn_str_starts(WN_STR("abc"), WN_STR("ab")));
    assert_false(wn_str_starts(WN_STR("a"), WN_STR("ab")));
    assert_true(wn_str_starts_nocase(WN_STR("ABc"), WN_STR("aB")));
    assert_true(wn_str_contains_nocase(WN_STR("max-age=1; CHARset=x"), WN_STR("charset")));
    assert_true(wn_str_contains_nocase(WN_STR("abc"), WN_STR("")));
    assert_false(wn_str_contains_nocase(WN_STR("ab"), WN_STR("abc")));
}

static void str_parts(void **state)
{
    (void)state;
    assert_str(wn_str_trim(WN_STR(" \t\r\n\f a b \n")), "a b");
    assert_str(wn_str_trim(WN_STR(" \n ")), "");
    assert_str(wn_str_trim(WN_STR("\v")), "\v"); /* HTML does not count it as white space */
    assert_str(wn_str_from_offset(WN_STR("abc"), 1), "bc");
    assert_str(wn_str_from_offset(WN_STR("abc"), 3), "");
    assert_str(wn_str_from_offset(WN_STR("abc"), 9), "");
}

static void ascii_classes(void **state)
{
    (void)state;
    for (int i = 0; i < 256; i++) {
        char c = (char)i;
        bool lower = i >= 'a' && i <= 'z', upper = i >= 'A' && i <= 'Z';
        bool digit = i >= '0' && i <= '9';
        assert_int_equal(wn_is_ascii_alpha(c), lower || upper);
        assert_int_equal(wn_is_ascii_digit(c), digit);
        assert_int_equal(wn_is_ascii_alnum(c), lower || upper || digit);
        assert_int_equal(wn_is_space(c), i != 0 && strchr(" \t\n\f\r", i) != NULL);
        assert_int_equal((unsigned char)wn_ascii_lower(c), upper ? i + 32 : i);
    }
}

/* ---- Arena ------------------------------------------------------------------------------- */

static void arena_pieces_are_apart_and_aligned(void **state)
{
    (void)state;
    enum { PIECES = 2000 };
    static char *pieces[PIECES];
    wn_arena arena;
    wn_arena_init(&arena, 0);
    for (int i = 0; i < PIECES; i++) {
        size_t size = 1 + (size_t)i % 97;
        bool text = i % 3 == 0;
        pieces[i] = text ? wn_arena_bytes(&arena, size) : wn_arena_alloc(&arena, size);
        assert_non_null(pieces[i]);
        if (!text)
            assert_int_equal((uintptr_t)pieces[i] % alignof(max_align_t), 0);
        memset(pieces[i], i & 0xFF, size);
    }
    for (int i = 0; i < PIECES; i++)
        for (int k = 0; k < 1 + i % 97; k++)
            assert_int_equal((unsigned char)pieces[i][k], i & 0xFF);
    assert_false(arena.failed);
    wn_arena_free(&arena);
    assert_int_equal(arena.reserved, 0);
}

static void arena_failure_is_sticky_until_reset(void **state)
{
    (void)state;
    wn_arena arena;
    wn_arena_init(&arena, 100 * 1024);
    assert_non_null(wn_arena_alloc(&arena, 1000));
    assert_null(wn_arena_alloc(&arena, 200 * 1024));
    assert_true(arena.failed);
    assert_null(wn_arena_alloc(&arena, 1));
    assert_null(wn_arena_bytes(&arena, 1));
    assert_str(wn_arena_copy(&arena, WN_STR("abc")), "");
    wn_arena_reset(&arena);
    assert_false(arena.failed);
    assert_non_null(wn_arena_alloc(&arena, 1000));
    assert_null(wn_arena_alloc(&arena, SIZE_MAX)); /* a size that would wrap round */
    assert_true(arena.failed);
    wn_arena_free(&arena);
}

static void arena_keeps_to_its_limit(void **state)
{
    (void)state;
    enum { LIMIT = 1 << 20 };
    wn_arena arena;
    wn_arena_init(&arena, LIMIT);
    size_t got = 0;
    while (wn_arena_bytes(&arena, 1000))
        got += 1000;
    assert_true(arena.failed);
    assert_true(arena.reserved <= LIMIT);
    assert_true(got > LIMIT / 4);
    wn_arena_free(&arena);
}

/* The first page takes several chunks, the second one as large, the third no memory at all. */
static void arena_settles_on_one_chunk(void **state)
{
    (void)state;
    wn_arena arena;
    wn_arena_init(&arena, 0);
    wn_arena_chunk *chunk = NULL;
    size_t first = 0;
    for (int page = 1; page <= 3; page++) {
        for (int i = 0; i < 100; i++)
            assert_non_null(wn_arena_alloc(&arena, 10000));
        if (page == 1)
            first = arena.reserved;
        assert_true(arena.reserved <= first + first / 4);
        assert_true(page < 3 || arena.newest == chunk);
        chunk = arena.newest;
        wn_arena_reset(&arena);
    }
    wn_arena_free(&arena);
}

static void arena_resizes_the_newest_piece(void **state)
{
    (void)state;
    wn_arena arena;
    wn_arena_init(&arena, 0);
    char *first = wn_arena_bytes(&arena, 10);
    memcpy(first, "0123456789", 10);
    assert_true(wn_arena_resize(&arena, first, 10, 20));
    memcpy(first + 10, "abcdefghij", 10);
    assert_true(wn_arena_resize(&arena, first, 20, 12));
    assert_memory_equal(first, "0123456789ab", 12);
    char *second = wn_arena_bytes(&arena, 4);
    memcpy(second, "wxyz", 4);
    assert_memory_equal(first, "0123456789ab", 12);
    assert_false(wn_arena_resize(&arena, first, 12, 13));        /* no longer the newest */
    assert_false(wn_arena_resize(&arena, second, 4, 100 << 20)); /* no chunk is that large */
    assert_memory_equal(second, "wxyz", 4);
    wn_arena_free(&arena);
}

static void arena_copies(void **state)
{
    (void)state;
    wn_arena arena;
    wn_arena_init(&arena, 0);
    assert_str(wn_arena_copy(&arena, WN_STR("text")), "text");
    assert_str(wn_arena_copy(&arena, wn_str_from(NULL, 0)), "");
    wn_arena_free(&arena);
}

/* ---- Arrays and buffers ------------------------------------------------------------------ */

static void array_grows_and_keeps_its_memory(void **state)
{
    (void)state;
    wn_array(uint32_t) numbers = {0};
    for (uint32_t i = 0; i < 10000; i++) {
        uint32_t *item = wn_array_push(&numbers);
        assert_non_null(item);
        *item = i;
    }
    assert_int_equal(numbers.count, 10000);
    for (uint32_t i = 0; i < 10000; i++)
        assert_int_equal(numbers.items[i], i);
    size_t bytes = wn_array_bytes(&numbers);
    numbers.count = 0;
    assert_non_null(wn_array_push(&numbers));
    assert_int_equal(wn_array_bytes(&numbers), bytes);
    assert_true(wn_array_reserve(&numbers, 50000));
    assert_true(numbers.capacity >= 50000);
    wn_array_free(&numbers);
    assert_null(numbers.items);
}

static void buf_appends(void **state)
{
    (void)state;
    wn_buf buf = {0};
    assert_string_equal(wn_buf_c_string(&buf), "");
    wn_buf_add_literal(&buf, "one");
    wn_buf_add_char(&buf, ' ');
    wn_buf_add_format(&buf, "%d%s", 2, "!");
    wn_buf_add_repeated(&buf, '-', 3);
    wn_buf_add(&buf, wn_str_from(NULL, 0));
    wn_buf_add_repeated(&buf, '-', 0);
    assert_string_equal(wn_buf_c_string(&buf), "one 2!---");
    assert_int_equal(buf.len, 9);
    wn_buf_clear(&buf);
    assert_str(wn_buf_str(&buf), "");
    for (int i = 0; i < 100000; i++)
        wn_buf_add_char(&buf, (char)('a' + i % 26));
    assert_int_equal(buf.len, 100000);
    assert_int_equal(buf.ptr[99999], 'a' + 99999 % 26);
    wn_buf_free(&buf);
}

static void buf_failure_is_sticky(void **state)
{
    (void)state;
    wn_buf buf = {.max = 1000};
    wn_buf_add_repeated(&buf, 'x', 1000);
    assert_false(buf.failed);
    while (!buf.failed)
        wn_buf_add_literal(&buf, "more than there is room for");
    size_t len = buf.len;
    wn_buf_add_literal(&buf, "a longer text that needs memory");
    assert_int_equal(buf.len, len);
    assert_false(wn_buf_reserve(&buf, SIZE_MAX)); /* a size that would wrap round */
    wn_buf_clear(&buf);
    assert_false(buf.failed);
    wn_buf_add_literal(&buf, "again");
    assert_str(wn_buf_str(&buf), "again");
    wn_buf_free(&buf);
}

/* ---- UTF-8 ------------------------------------------------------------------------------- */

static void utf8_encodes_and_reads_back(void **state)
{
    (void)state;
    for (uint32_t c = 0; c <= 0x10FFFF; c += c < 0x3000 ? 1 : 37) {
        char bytes[4];
        if (c >= 0xD800 && c < 0xE000)
            continue;
        size_t size = (size_t)wn_utf8_encode(c, bytes);
        const char *p = bytes;
        assert_int_equal(wn_utf8_valid_prefix(wn_str_from(bytes, size)), size);
        assert_int_equal(wn_utf8_next(&p), c);
        assert_ptr_equal(p, bytes + size);
    }
}

/* The lengths of the parts that one U+FFFD each stands for, up to the end of the text. */
static void assert_ill_formed(const char *text, size_t valid, const char *parts)
{
    wn_str s = wn_str_of(text);
    assert_int_equal(wn_utf8_valid_prefix(s), valid);
    s = wn_str_from_offset(s, valid);
    for (; *parts; parts++) {
        assert_int_equal(wn_utf8_valid_prefix(s), 0);
        size_t size = wn_utf8_ill_formed(s);
        assert_int_equal(size, *parts - '0');
        s = wn_str_from_offset(s, size);
    }
    assert_int_equal(wn_utf8_valid_prefix(s), s.len);
}

static void utf8_finds_ill_formed_parts(void **state)
{
    (void)state;
    assert_ill_formed("abc", 3, "");
    assert_ill_formed("a\x80z", 1, "1");
    assert_ill_formed("\xC0\xAF", 0, "11");           /* overlong "/" */
    assert_ill_formed("\xE0\x80\xAF", 0, "111");      /* overlong */
    assert_ill_formed("\xED\xA0\x80", 0, "111");      /* a surrogate */
    assert_ill_formed("\xF0\x80\x80\xAF", 0, "1111"); /* overlong */
    assert_ill_formed("\xF4\x90\x80\x80", 0, "1111"); /* above U+10FFFF */
    assert_ill_formed("\xF5\x80", 0, "11");
    assert_ill_formed("\xFE\xFF", 0, "11");
    assert_ill_formed("\xE2\x82", 0, "2");  /* cut short by the end */
    assert_ill_formed("\xE2\x82x", 0, "2"); /* cut short by a letter */
    assert_ill_formed("\xF0\x9F\x98", 0, "3");
    assert_ill_formed("\xE2\x82\xE2\x82\xAC", 0, "2"); /* the second one is whole */
    assert_ill_formed("long enough for a vector \xC3\xA4 and \xC3(", 32, "1");
}

/* ---- Scans ------------------------------------------------------------------------------- */

static const char *naive_scan(const char *p, const char *end, const char *set, size_t size)
{
    while (p < end && !memchr(set, *p, size))
        p++;
    return p;
}

static const char *naive_pair(const char *p, const char *end, char a, char b, int distance)
{
    for (; end - p > distance; p++)
        if (p[0] == a && p[distance] == b)
            return p;
    return end;
}

/* All alignments and lengths, in a block of the exact size: a read outside is a crash in ASan. */
static void scans_agree_with_naive_ones(void **state)
{
    (void)state;
    uint64_t seed = 88172645463325252u;
    for (int round = 0; round < 20000; round++) {
        size_t size = (size_t)round % 70, offset = test_random(&seed) % (size + 1);
        char *bytes = malloc(size ? size : 1);
        for (size_t i = 0; i < size; i++) /* few values, so that hits are neither rare nor common */
            bytes[i] = (char)(test_random(&seed) % 40 == 0 ? test_random(&seed) : 'a');
        const char set[3] = {(char)test_random(&seed), '<', (char)0x80};
        const char *p = bytes + offset, *end = bytes + size;
        assert_ptr_equal(wn_scan_1(p, end, set[0]), naive_scan(p, end, set, 1));
        assert_ptr_equal(wn_scan_2(p, end, set[0], set[1]), naive_scan(p, end, set, 2));
        assert_ptr_equal(wn_scan_3(p, end, set[0], set[1], set[2]), naive_scan(p, end, set, 3));
        const char *non_ascii = p;
        while (non_ascii < end && !(*non_ascii & 0x80))
            non_ascii++;
        assert_ptr_equal(wn_scan_non_ascii(p, end), non_ascii);
        int distance = (int)(test_random(&seed) % 7);
        assert_ptr_equal(wn_scan_pair(p, end, 'a', set[0], distance),
                         naive_pair(p, end, 'a', set[0], distance));
        assert_ptr_equal(wn_scan_pair(p, end, set[0], 'a', distance),
                         naive_pair(p, end, set[0], 'a', distance));
        free(bytes);
    }
}

/* ---- JSON: writing ----------------------------------------------------------------------- */

static void json_writes_every_kind(void **state)
{
    (void)state;
    wn_buf buf = {0};
    wn_json_writer json = {.out = &buf};
    wn_json_begin_object(&json);
    wn_json_key(&json, "a\"b");
    wn_json_begin_array(&json);
    wn_json_int(&json, INT64_MIN);
    wn_json_uint(&json, UINT64_MAX);
    wn_json_double(&json, 0.1);
    wn_json_double(&json, 1e300);
    wn_json_double(&json, 3);
    wn_json_double(&json, NAN);
    wn_json_fixed(&json, 2.0 / 3, 3);
    wn_json_bool(&json, true);
    wn_json_bool(&json, false);
    wn_json_null(&json);
    wn_json_c_string(&json, NULL);
    wn_json_c_string(&json, "");
    wn_json_begin_object(&json);
    wn_json_end_object(&json);
    wn_json_begin_array(&json);
    wn_json_end_array(&json);
    wn_json_end_array(&json);
    wn_json_key(&json, "z");
    wn_json_string(&json, WN_STR("x"));
    wn_json_end_object(&json);
    assert_string_equal(wn_buf_c_string(&buf),
                        "{\"a\\\"b\":[-9223372036854775808,18446744073709551615,0.1,1e+300,3,null,"
                        "0.667,true,false,null,null,\"\",{},[]],\"z\":\"x\"}");
    wn_buf_free(&buf);
}

static void json_escapes_strings(void **state)
{
    (void)state;
    wn_buf buf = {0};
    wn_json_writer json = {.out = &buf};
    wn_json_string(&json, WN_STR("\"\\/\b\f\n\r\t\0\x1f\x7f \xC3\xA4\xE2\x80\xA8"));
    assert_string_equal(
        wn_buf_c_string(&buf),
        "\"\\\"\\\\/\\u0008\\u000c\\n\\r\\t\\u0000\\u001f\x7f \xC3\xA4\xE2\x80\xA8\"");
    wn_buf_free(&buf);
}

/* ---- JSON: reading ----------------------------------------------------------------------- */

typedef struct json_fixture {
    wn_json json;
    wn_arena arena;
} json_fixture;

static int json_setup(void **state)
{
    static json_fixture fixture;
    fixture = (json_fixture){0};
    wn_arena_init(&fixture.arena, 0);
    *state = &fixture;
    return 0;
}

static int json_teardown(void **state)
{
    json_fixture *fixture = *state;
    wn_json_free(&fixture->json);
    wn_arena_free(&fixture->arena);
    return 0;
}

/* Parses a copy of the exact size, so that AddressSanitizer sees a read past the end. */
static bool json_read(json_fixture *fixture, const char *text, unsigned flags)
{
    wn_str copy = wn_arena_copy(&fixture->arena, wn_str_of(text));
    return wn_json_parse(&fixture->json, &fixture->arena, copy, flags, 0);
}

static void json_reads_values(void **state)
{
    json_fixture *f = *state;
    const wn_json *json = &f->json;
    assert_true(
        json_read(f, " {\"a\": [1, {\"b\": null}, true], \"c\":\"x\", \"d\":{}, \"e\":[]} ", 0));
    wn_json_id a = wn_json_get(json, WN_JSON_ROOT, "a");
    assert_int_equal(wn_json_node_at(json, a)->kind, WN_JSON_ARRAY);
    assert_int_equal(wn_json_node_at(json, a)->len, 3);
    assert_int_equal(wn_json_node_at(json, WN_JSON_ROOT)->len, 4);
    int kinds[3], count = 0;
    wn_json_each (json, item, a) {
        kinds[count++] = wn_json_node_at(json, item)->kind;
    }
    assert_int_equal(count, 3);
    assert_int_equal(kinds[0], WN_JSON_NUMBER);
    assert_int_equal(kinds[1], WN_JSON_OBJECT);
    assert_int_equal(kinds[2], WN_JSON_TRUE);
    assert_str(wn_json_text(json, wn_json_get(json, WN_JSON_ROOT, "c")), "x");
    assert_int_equal(wn_json_node_at(json, wn_json_get(json, a + 2, "b"))->kind, WN_JSON_NULL);
    wn_buf keys = {0};
    wn_json_each_key (json, key, WN_JSON_ROOT) {
        wn_buf_add(&keys, wn_json_text(json, key));
    }
    assert_str(wn_buf_str(&keys), "acde");
    wn_buf_free(&keys);
}

static void json_lookups_of_nothing_are_harmless(void **state)
{
    json_fixture *f = *state;
    assert_true(json_read(f, "[1]", 0));
    assert_int_equal(wn_json_get(&f->json, WN_JSON_ROOT, "a"), WN_JSON_NONE);
    wn_json_id none = wn_json_get(&f->json, wn_json_get(&f->json, WN_JSON_ROOT, "a"), "b");
    assert_str(wn_json_text(&f->json, none), "");
    assert_true(wn_json_number(&f->json, none, -1) == -1);
    wn_json_each (&f->json, item, none) {
        fail_msg("nothing holds nothing");
    }
}

static void json_reads_numbers(void **state)
{
    json_fixture *f = *state;
    static const char *const texts[] = {
        "0",
        "-0",
        "12",
        "-3.25",
        "1e3",
        "1E-3",
        "6.02214076e+23",
        "1e400",
        "-1e-400",
        "0.1",
        "9007199254740993",
        "123456789012345678901234567890",
        "2.2250738585072014e-308",
        "0e999999999",
        "0.000000000000000000000000000001",
        "1e99999999999",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_true(json_read(f, texts[i], 0));
        double expected = strtod(texts[i], NULL), got = wn_json_number(&f->json, WN_JSON_ROOT, 7);
        if (got != expected && !(fabs(got - expected) <= fabs(expected) * 2.3e-16))
            fail_msg("%s read as %.17g", texts[i], got);
    }
}

static void json_decodes_strings(void **state)
{
    json_fixture *f = *state;
    assert_true(json_read(f, "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\\uD83D\\uDE00\xC3\xA4\"", 0));
    assert_str(wn_json_text(&f->json, 1), "\"\\/\b\f\n\r\t\xC3\xA4\xF0\x9F\x98\x80\xC3\xA4");
    assert_true(json_read(f, "\"\\u0000\"", 0));
    assert_int_equal(wn_json_text(&f->json, 1).len, 1);
    assert_true(json_read(f, "\"a\\ud800b\\udc00\\ud800\\ud800\\udc00\"", 0));
    assert_str(wn_json_text(&f->json, 1), "a\xEF\xBF\xBD"
                                          "b\xEF\xBF\xBD\xEF\xBF\xBD\xF0\x90\x80\x80");
    assert_true(json_read(f, "\"\\ud800\\udc00\\udfff\"", WN_JSON_WTF8));
    assert_str(wn_json_text(&f->json, 1), "\xF0\x90\x80\x80\xED\xBF\xBF");
    assert_true(json_read(f, "\"\xC3\\n\xE2\x82\"", 0)); /* ill-formed UTF-8 */
    assert_str(wn_json_text(&f->json, 1), "\xEF\xBF\xBD\n\xEF\xBF\xBD");
}

static void json_tells_where_it_is_wrong(void **state)
{
    static const struct {
        const char *text;
        size_t offset;
    } cases[] = {
        {"", 0},        {"  ", 2},          {"nul", 0},     {"[1,]", 3},  {"[1 2]", 3},
        {"{\"a\"}", 4}, {"{a:1}", 1},       {"[1}", 2},     {"\"abc", 0}, {"\"a\nb\"", 2},
        {"\"\\x\"", 1}, {"\"\\u12g4\"", 1}, {"01", 1},      {"-", 0},     {"1.", 0},
        {"1e", 0},      {"[", 1},           {"{\"a\":", 5}, {"1 1", 2},   {"{\"a\":1,}", 7},
        {"\"\\", 0},    {"[\"\\\"]", 1},    {"+1", 0},      {"{,}", 1},   {"[,1]", 1},
    };
    json_fixture *f = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(json_read(f, cases[i].text, 0));
        assert_non_null(f->json.error);
        if (f->json.error_offset != cases[i].offset)
            fail_msg("%s: error at %zu, not %zu", cases[i].text, f->json.error_offset,
                     cases[i].offset);
    }
}

static void json_keeps_what_came_before_an_error(void **state)
{
    json_fixture *f = *state;
    assert_false(json_read(f, "{\"a\":1,\"b\":[2,3,{\"c\":4,\"d\":?", 0));
    assert_int_equal(wn_json_node_at(&f->json, WN_JSON_ROOT)->len, 2);
    wn_json_id b = wn_json_get(&f->json, WN_JSON_ROOT, "b");
    assert_int_equal(wn_json_node_at(&f->json, b)->len, 3);
    assert_true(wn_json_number(&f->json, wn_json_get(&f->json, b + 3, "c"), 0) == 4);
    assert_int_equal(wn_json_get(&f->json, b + 3, "d"), WN_JSON_NONE);
}

static void json_relaxed_takes_what_pages_write(void **state)
{
    json_fixture *f = *state;
    assert_true(json_read(f, "{\"a\": \"1\n2\", \"b\": [1, 2, ], }", WN_JSON_RELAXED));
    assert_str(wn_json_text(&f->json, wn_json_get(&f->json, WN_JSON_ROOT, "a")), "1\n2");
    assert_int_equal(wn_json_node_at(&f->json, WN_JSON_ROOT)->len, 2);
    assert_int_equal(wn_json_node_at(&f->json, wn_json_get(&f->json, 1, "b"))->len, 2);
    assert_false(json_read(f, "[,]", WN_JSON_RELAXED));
}

static void json_depth_has_a_limit(void **state)
{
    json_fixture *f = *state;
    wn_buf text = {0};
    wn_buf_add_repeated(&text, '[', 1000000);
    assert_false(wn_json_parse(&f->json, &f->arena, wn_buf_str(&text), 0, 0));
    assert_int_equal(f->json.error_offset, WN_JSON_DEFAULT_DEPTH);
    assert_false(wn_json_parse(&f->json, &f->arena, wn_buf_str(&text), 0, UINT32_MAX));
    assert_int_equal(f->json.nodes.count, 1000001);
    wn_buf_clear(&text);
    wn_buf_add_repeated(&text, '[', 3);
    wn_buf_add_repeated(&text, ']', 3);
    assert_true(wn_json_parse(&f->json, &f->arena, wn_buf_str(&text), 0, 3));
    assert_false(wn_json_parse(&f->json, &f->arena, wn_buf_str(&text), 0, 2));
    wn_buf_free(&text);
}

/* Nodes must nest: each one's `next` lies inside what holds it. */
static void assert_json_sound(const wn_json *json)
{
    wn_json_id ends[64];
    size_t depth = 0;
    ends[0] = json->nodes.count;
    for (wn_json_id id = 1; id < json->nodes.count; id++) {
        const wn_json_node *node = wn_json_node_at(json, id);
        while (depth > 0 && id >= ends[depth])
            depth--;
        assert_true(node->next > id && node->next <= ends[depth]);
        if (node->kind >= WN_JSON_ARRAY) {
            assert_true(depth + 1 < 64);
            ends[++depth] = node->next;
            uint32_t count = 0;
            if (node->kind == WN_JSON_OBJECT) {
                wn_json_each_key (json, key, id) {
                    count++;
                }
            } else {
                wn_json_each (json, item, id) {
                    count++;
                }
            }
            assert_int_equal(count, node->len);
        }
    }
}

static void json_survives_any_bytes(void **state)
{
    static const char alphabet[] = "[]{}\"\\,:u0d8eE.+-tfn \n\xC3\x80";
    json_fixture *f = *state;
    uint64_t seed = 2463534242u;
    for (int round = 0; round < 50000; round++) {
        char text[24];
        size_t size = test_random(&seed) % sizeof text;
        for (size_t i = 0; i < size; i++)
            text[i] = alphabet[test_random(&seed) % (sizeof alphabet - 1)];
        if (round % 1000 == 0)
            wn_arena_reset(&f->arena);
        wn_str copy = wn_arena_copy(&f->arena, wn_str_from(text, size));
        wn_json_parse(&f->json, &f->arena, copy, (unsigned)round & 3, 20);
        assert_json_sound(&f->json);
    }
}

static void json_reads_what_it_writes(void **state)
{
    json_fixture *f = *state;
    wn_buf buf = {0};
    char all[128];
    for (int i = 0; i < 128; i++)
        all[i] = (char)i;
    wn_json_writer json = {.out = &buf};
    wn_json_begin_array(&json);
    wn_json_string(&json, wn_str_from(all, sizeof all));
    wn_json_double(&json, 1.0 / 3);
    wn_json_end_array(&json);
    assert_true(wn_json_parse(&f->json, &f->arena, wn_buf_str(&buf), 0, 0));
    assert_int_equal(wn_json_text(&f->json, 2).len, sizeof all);
    assert_memory_equal(wn_json_text(&f->json, 2).ptr, all, sizeof all);
    assert_true(fabs(wn_json_number(&f->json, 3, 0) - 1.0 / 3) < 1e-16);
    wn_buf_free(&buf);
}

#define json_test(function) cmocka_unit_test_setup_teardown(function, json_setup, json_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(str_compares),
        cmocka_unit_test(str_parts),
        cmocka_unit_test(ascii_classes),
        cmocka_unit_test(arena_pieces_are_apart_and_aligned),
        cmocka_unit_test(arena_failure_is_sticky_until_reset),
        cmocka_unit_test(arena_keeps_to_its_limit),
        cmocka_unit_test(arena_settles_on_one_chunk),
        cmocka_unit_test(arena_resizes_the_newest_piece),
        cmocka_unit_test(arena_copies),
        cmocka_unit_test(array_grows_and_keeps_its_memory),
        cmocka_unit_test(buf_appends),
        cmocka_unit_test(buf_failure_is_sticky),
        cmocka_unit_test(utf8_encodes_and_reads_back),
        cmocka_unit_test(utf8_finds_ill_formed_parts),
        cmocka_unit_test(scans_agree_with_naive_ones),
        cmocka_unit_test(json_writes_every_kind),
        cmocka_unit_test(json_escapes_strings),
        json_test(json_reads_values),
        json_test(json_lookups_of_nothing_are_harmless),
        json_test(json_reads_numbers),
        json_test(json_decodes_strings),
        json_test(json_tells_where_it_is_wrong),
        json_test(json_keeps_what_came_before_an_error),
        json_test(json_relaxed_takes_what_pages_write),
        json_test(json_depth_has_a_limit),
        json_test(json_survives_any_bytes),
        json_test(json_reads_what_it_writes),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
