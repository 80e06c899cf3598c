/*
 * Maps: numbers in the order of the keys, growth, failure, and keys that were chosen to be slow.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/map.h"
#include "support/collide.h"
#include "support/files.h"

enum { MANY = 200000 };

/* ---- Hashes ------------------------------------------------------------------------------ */

/* Python uses SipHash-1-3, too: PYTHONHASHSEED=0 python3 -c 'print(hash(b"…") % 2**64)' (3.11). */
static void keyed_hashes_are_siphash(void **state)
{
    (void)state;
    wn_hash_key none = {0, 0};
    assert_true(wn_hash_keyed(none, WN_STR("a")) == UINT64_C(0x407448d2b89b1813));
    assert_true(wn_hash_keyed(none, WN_STR("12345678")) == UINT64_C(0x3489982430560a87));
    assert_true(wn_hash_keyed(none, WN_STR("the hash of a longer text")) ==
                UINT64_C(0xb7e91b1b1329fdca));
    uint64_t number = UINT64_C(0x3837363534333231); /* the bytes of "12345678" */
    assert_true(wn_hash_keyed_number(none, number) == wn_hash_keyed(none, WN_STR("12345678")));
}

static void random_keys_differ(void **state)
{
    (void)state;
    wn_hash_key a = wn_hash_random_key(state), b = wn_hash_random_key(state);
    assert_true(a.low != b.low || a.high != b.high);
}

/* ---- Strings ----------------------------------------------------------------------------- */

static void keys_have_numbers_in_their_order(void **state)
{
    (void)state;
    wn_map map = {0};
    assert_true(wn_map_find(&map, WN_STR("a")) == WN_MAP_NONE);
    assert_int_equal(wn_map_add(&map, WN_STR("b"), NULL), 0);
    assert_int_equal(wn_map_add(&map, WN_STR("a"), NULL), 1);
    assert_int_equal(wn_map_add(&map, WN_STR("b"), NULL), 0);
    assert_int_equal(wn_map_add(&map, WN_STR(""), NULL), 2);
    assert_int_equal(wn_map_add(&map, WN_STR("a\0c"), NULL), 3);
    assert_int_equal(wn_map_find(&map, WN_STR("")), 2);
    assert_int_equal(wn_map_find(&map, WN_STR("a")), 1);
    assert_int_equal(wn_map_find(&map, WN_STR("a\0c")), 3);
    assert_true(wn_map_find(&map, WN_STR("c")) == WN_MAP_NONE);
    assert_int_equal(map.keys.count, 4);
    assert_true(wn_str_eq(map.keys.items[1], WN_STR("a")));
    assert_false(map.failed);
    wn_map_free(&map);
}

static wn_str nth_key(char key[16], int n)
{
    return wn_str_from(key, (size_t)snprintf(key, 16, "%d", n * 7));
}

static void add_many(wn_map *map, wn_arena *arena, int count)
{
    char key[16];
    for (int i = 0; i < count; i++)
        assert_int_equal(wn_map_add(map, nth_key(key, i), arena), i);
}

static void assert_has(const wn_map *map, int count)
{
    char key[16];
    assert_int_equal(map->keys.count, count);
    for (int i = 0; i < count; i++)
        assert_int_equal(wn_map_find(map, nth_key(key, i)), i);
    assert_true(wn_map_find(map, WN_STR("x")) == WN_MAP_NONE);
}

static void maps_grow(void **state)
{
    (void)state;
    wn_map map = {0};
    wn_arena arena = {0};
    add_many(&map, &arena, MANY);
    add_many(&map, &arena, MANY); /* again: nothing is new */
    assert_has(&map, MANY);
    assert_true(map.slots.size >= 2 * MANY && map.slots.size <= 8 * MANY);
    wn_map_free(&map);
    wn_arena_free(&arena);
}

static void cleared_maps_are_empty(void **state)
{
    (void)state;
    wn_map map = {0};
    wn_arena arena = {0};
    add_many(&map, &arena, 1000);
    uint32_t size = map.slots.size;
    wn_map_clear(&map);
    assert_has(&map, 0);
    assert_int_equal(map.slots.size, size);
    add_many(&map, &arena, 3); /* far fewer than there is room for … */
    wn_map_clear(&map);
    assert_true(map.slots.size < size); /* … so that the room is given back */
    add_many(&map, &arena, 1000);
    assert_has(&map, 1000);
    wn_map_free(&map);
    wn_map_clear(&map);
    assert_has(&map, 0);
    wn_arena_free(&arena);
}

static void failure_is_sticky(void **state)
{
    (void)state;
    wn_map map = {0};
    wn_arena arena = {0}, small;
    char key[16];
    wn_arena_init(&small, 1);
    add_many(&map, &arena, 10);
    assert_true(wn_map_add(&map, nth_key(key, 10), &small) == WN_MAP_NONE);
    assert_true(map.failed);
    assert_true(wn_map_add(&map, nth_key(key, 10), &arena) == WN_MAP_NONE);
    assert_int_equal(wn_map_add(&map, nth_key(key, 9), &arena), 9);
    assert_has(&map, 10);
    wn_map_clear(&map);
    assert_false(map.failed);
    add_many(&map, &arena, 11);
    assert_has(&map, 11);
    wn_map_free(&map);
    wn_arena_free(&arena);
    wn_arena_free(&small);
}

/* With FNV-1a and these words a table of ours took half a minute. */
static void chosen_keys_are_not_slow(void **state)
{
    (void)state;
    wn_buf words = {0};
    wn_map map = {0};
    size_t count = test_colliding_words(&words, 60000);
    double start = test_now();
    const char *p = words.ptr, *end = p + words.len;
    for (const char *space; p < end; p = space + 1) {
        space = memchr(p, ' ', (size_t)(end - p));
        wn_map_add(&map, wn_str_between(p, space), NULL);
    }
    assert_int_equal(map.keys.count, count);
    assert_true(test_now() - start < 1);
    wn_map_free(&map);
    wn_buf_free(&words);
}

/* ---- Numbers ----------------------------------------------------------------------------- */

static void numbers_are_keys(void **state)
{
    (void)state;
    wn_map64 map = {0};
    assert_true(wn_map64_find(&map, 0) == WN_MAP_NONE);
    assert_int_equal(wn_map64_add(&map, UINT64_MAX), 0);
    assert_int_equal(wn_map64_add(&map, 0), 1);
    assert_int_equal(wn_map64_add(&map, UINT64_MAX), 0);
    assert_int_equal(wn_map64_find(&map, 0), 1);
    wn_map64_clear(&map);
    assert_true(wn_map64_find(&map, 0) == WN_MAP_NONE);
    for (uint64_t i = 0; i < MANY; i++) /* the lower half of all is the same */
        assert_int_equal(wn_map64_add(&map, i << 32), i);
    for (uint64_t i = 0; i < MANY; i++)
        assert_int_equal(wn_map64_find(&map, i << 32), i);
    assert_true(wn_map64_find(&map, 1) == WN_MAP_NONE);
    assert_int_equal(map.keys.count, MANY);
    wn_map64_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keyed_hashes_are_siphash),         cmocka_unit_test(random_keys_differ),
        cmocka_unit_test(keys_have_numbers_in_their_order), cmocka_unit_test(maps_grow),
        cmocka_unit_test(cleared_maps_are_empty),           cmocka_unit_test(failure_is_sticky),
        cmocka_unit_test(chosen_keys_are_not_slow),         cmocka_unit_test(numbers_are_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
