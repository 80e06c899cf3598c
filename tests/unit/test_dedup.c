/*
 * Redundant pages: shingles, MinHash, sorting on disk, and the clusters of 5,000 pages with
 * 2,000 planted copies.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "corpus/dedup.h"

enum { PAGES = 5000, COPIES = 2000, ORIGINALS = PAGES - COPIES };

static uint64_t state = 1;

static uint32_t random_below(uint32_t bound)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 32) * bound >> 32);
}

static double random_share(void)
{
    return random_below(1u << 30) / (double)(1u << 30);
}

/* ---- A collection ------------------------------------------------------------------------ */

typedef struct collection {
    wn_buf texts[PAGES];
    uint32_t original[PAGES]; /* of a copy; of others themselves */
} collection;

/* Words as frequent as Zipf saw them. */
static uint32_t random_word(void)
{
    return (uint32_t)pow(20000, random_share());
}

static void add_word(wn_buf *out, uint32_t word)
{
    wn_buf_add_format(out, "w%x%s", word, random_below(12) ? " " : ". ");
}

static void write_original(wn_buf *out)
{
    uint32_t words = 100 + random_below(700);
    for (uint32_t i = 0; i < words; i++)
        add_word(out, random_word());
}

/* A copy in which the share `edited` of the words is another, missing or new. */
static void write_copy(wn_buf *out, wn_str text, double edited)
{
    for (size_t at = 0; at < text.len;) {
        size_t end = at;
        while (end < text.len && text.ptr[end] != ' ')
            end++;
        bool edit = random_share() < edited;
        uint32_t how = edit ? random_below(3) : 0;
        if (edit && how < 2)
            add_word(out, random_word());
        if (!edit || how == 1) {
            wn_buf_add(out, wn_str_from(text.ptr + at, end - at));
            wn_buf_add_char(out, ' ');
        }
        at = end + 1;
    }
}

static collection *make_collection(void)
{
    collection *c = calloc(1, sizeof *c);
    state = 42;
    for (uint32_t i = 0; i < PAGES; i++) {
        c->original[i] = i;
        if (i < ORIGINALS) {
            write_original(&c->texts[i]);
            continue;
        }
        c->original[i] = i - ORIGINALS; /* each has one copy */
        double edited = i % 2 ? 0.02 * random_share() : 0.02 + 0.08 * random_share();
        write_copy(&c->texts[i], wn_buf_str(&c->texts[c->original[i]]), edited);
    }
    return c;
}

static void free_collection(collection *c)
{
    for (uint32_t i = 0; i < PAGES; i++)
        wn_buf_free(&c->texts[i]);
    free(c);
}

static bool read_text(void *data, uint32_t page, bool exact, wn_buf *out)
{
    collection *c = data;
    (void)exact;
    wn_buf_add(out, wn_buf_str(&c->texts[page]));
    return true;
}

static double similarity(const collection *c, uint32_t a, uint32_t b)
{
    static wn_shingler shingler;
    static wn_shingles x, y;
    wn_corpus_shingler_read(&shingler, wn_buf_str(&c->texts[a]), &x);
    wn_corpus_shingler_read(&shingler, wn_buf_str(&c->texts[b]), &y);
    return wn_corpus_shingles_jaccard(&x, &y);
}

static void find_copies(wn_dedup *d, collection *c, uint64_t memory)
{
    wn_dedup_options options = {
        .bands = WN_MINHASH_BANDS,
        .rows = WN_MINHASH_ROWS,
        .threshold = 0.8,
        .memory = memory,
        .read = read_text,
        .data = c,
    };
    wn_corpus_dedup_init(d, &options);
    for (uint32_t i = 0; i < PAGES; i++)
        assert_true(wn_corpus_dedup_add(d, wn_buf_str(&c->texts[i]), WN_STR("")));
    assert_true(wn_corpus_dedup_find(d));
}

static void test_planted_copies(void **unused)
{
    (void)unused;
    collection *c = make_collection();
    wn_dedup d = {0};
    find_copies(&d, c, 64 << 20);
    assert_null(d.keys.file);

    uint32_t wanted = 0, found = 0, near = 0, joined = 0, right = 0;
    for (uint32_t i = ORIGINALS; i < PAGES; i++) {
        bool is_found = wn_corpus_dedup_first(&d, i) == wn_corpus_dedup_first(&d, c->original[i]);
        double jaccard = similarity(c, i, c->original[i]);
        wanted += jaccard >= 0.85;
        found += jaccard >= 0.85 && is_found;
        near += jaccard >= 0.8 && jaccard < 0.85;
    }
    for (uint32_t i = 0; i < PAGES; i++) { /* every pair of every cluster */
        for (uint32_t j = 0; wn_corpus_dedup_first(&d, i) != i && j < i; j++) {
            if (wn_corpus_dedup_first(&d, j) != wn_corpus_dedup_first(&d, i))
                continue;
            joined++;
            right += similarity(c, i, j) >= 0.8;
        }
    }
    printf("copies with J >= 0.85: %u, found %u (recall %.4f); 0.80-0.85: %u; "
           "joined %u, right %u (precision %.4f); compared %u\n",
           wanted, found, (double)found / wanted, near, joined, right, (double)right / joined,
           (unsigned)d.compared);
    assert_true(wanted > 800); /* or the test shows nothing */
    assert_true(found >= 0.97 * wanted);
    assert_true(right >= 0.99 * joined);
    assert_true(d.compared < 10 * PAGES);
    wn_corpus_dedup_free(&d);
    free_collection(c);
}

static void test_little_memory_gives_the_same_clusters(void **unused)
{
    (void)unused;
    collection *c = make_collection();
    wn_dedup large = {0}, small = {0};
    find_copies(&large, c, 64 << 20);
    find_copies(&small, c, 1);
    assert_non_null(small.keys.file);
    assert_in_range(small.keys.buffered * small.keys.list.count, 1, small.keys.max);
    for (uint32_t i = 0; i < PAGES; i++)
        assert_int_equal(wn_corpus_dedup_first(&large, i), wn_corpus_dedup_first(&small, i));
    wn_corpus_dedup_free(&large);
    wn_corpus_dedup_free(&small);
    free_collection(c);
}

/* ---- Equal attributes -------------------------------------------------------------------- */

static bool read_row(void *data, uint32_t page, bool exact, wn_buf *out)
{
    const char *const *rows = data;
    assert_true(exact);
    wn_buf_add_literal(out, rows[page]);
    return true;
}

static void test_equal_attributes(void **unused)
{
    (void)unused;
    static const char *const rows[] = {"a", "b", "", "a", "b", "c", "", "a"};
    static const uint32_t firsts[] = {0, 1, 2, 0, 1, 5, 6, 0};
    wn_dedup d = {0};
    wn_dedup_options options = {.read = read_row, .data = (void *)rows};
    wn_corpus_dedup_init(&d, &options);
    for (uint32_t i = 0; i < 8; i++)
        assert_true(wn_corpus_dedup_add(&d, WN_STR("the same text"), wn_str_of(rows[i])));
    assert_true(wn_corpus_dedup_find(&d));
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(wn_corpus_dedup_first(&d, i), firsts[i]);
    wn_corpus_dedup_free(&d);
}

static bool read_nothing(void *data, uint32_t page, bool exact, wn_buf *out)
{
    (void)data, (void)page, (void)exact, (void)out;
    return false;
}

static void test_a_page_that_cannot_be_read(void **unused)
{
    (void)unused;
    wn_dedup d = {0};
    wn_dedup_options options = {.bands = 2, .rows = 2, .threshold = 0.8, .read = read_nothing};
    wn_corpus_dedup_init(&d, &options);
    assert_true(wn_corpus_dedup_add(&d, WN_STR("one text for two pages"), WN_STR("a")));
    assert_true(wn_corpus_dedup_add(&d, WN_STR("and another"), WN_STR("a")));
    assert_false(wn_corpus_dedup_find(&d));
    wn_corpus_dedup_free(&d);
}

/* ---- Shingles and keys ------------------------------------------------------------------- */

static uint32_t count_shingles(const char *text)
{
    wn_shingler shingler = {0};
    wn_shingles set = {0};
    assert_true(wn_corpus_shingler_read(&shingler, wn_str_of(text), &set));
    uint32_t count = set.count;
    wn_corpus_shingler_free(&shingler);
    wn_array_free(&set);
    return count;
}

static void test_shingles(void **unused)
{
    (void)unused;
    assert_int_equal(count_shingles(""), 0);
    assert_int_equal(count_shingles(" - "), 0);
    assert_int_equal(count_shingles("one"), 1);
    assert_int_equal(count_shingles("one two three four"), 1);
    assert_int_equal(count_shingles("one two three four five"), 1);
    assert_int_equal(count_shingles("one two three four five six"), 2);
    assert_int_equal(count_shingles("a rose is a rose is a rose"), 3);
}

static void test_jaccard(void **unused)
{
    (void)unused;
    wn_shingler shingler = {0};
    wn_shingles a = {0}, b = {0};
    wn_corpus_shingler_read(&shingler, WN_STR("a b c d e f g"), &a); /* 3 shingles */
    wn_corpus_shingler_read(&shingler, WN_STR("A, b, c, d - e f X"), &b);
    assert_true(wn_corpus_shingles_jaccard(&a, &b) == 2.0 / 4.0);
    assert_true(wn_corpus_shingles_jaccard(&a, &a) == 1);
    b.count = 0;
    assert_true(wn_corpus_shingles_jaccard(&a, &b) == 0);
    a.count = 0;
    assert_true(wn_corpus_shingles_jaccard(&a, &b) == 0);
    wn_corpus_shingler_free(&shingler);
    wn_array_free(&a);
    wn_array_free(&b);
}

/* The share of equal firsts is the similarity: 1,120 functions, J = 1/3. */
static void test_minhash_estimates_jaccard(void **unused)
{
    (void)unused;
    enum { FUNCTIONS = 1120, SETS = 20 };
    static wn_minhash minhash;
    static uint32_t firsts[FUNCTIONS];
    uint64_t items[300], keys[FUNCTIONS];
    uint32_t equal = 0;
    wn_corpus_minhash_init(&minhash, FUNCTIONS, 1);
    for (uint32_t set = 0; set < SETS; set++) {
        for (uint32_t i = 0; i < 300; i++)
            items[i] = wn_hash_mix64(set * 1000 + i + 1);
        wn_shingles a = {.items = items, .count = 200}, b = {.items = items + 100, .count = 200};
        wn_corpus_minhash_keys(&minhash, &a, keys);
        memcpy(firsts, minhash.firsts, sizeof firsts);
        wn_corpus_minhash_keys(&minhash, &b, keys);
        for (uint32_t i = 0; i < FUNCTIONS; i++)
            equal += firsts[i] == minhash.firsts[i];
    }
    double share = (double)equal / FUNCTIONS / SETS;
    assert_true(fabs(share - 1.0 / 3.0) < 0.03); /* 100 in both of 300 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shingles),
        cmocka_unit_test(test_jaccard),
        cmocka_unit_test(test_minhash_estimates_jaccard),
        cmocka_unit_test(test_equal_attributes),
        cmocka_unit_test(test_a_page_that_cannot_be_read),
        cmocka_unit_test(test_planted_copies),
        cmocka_unit_test(test_little_memory_gives_the_same_clusters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
