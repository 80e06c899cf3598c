/*
 * Outliers beside brute force: every point with every other.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "corpus/outliers.h"

/* ---- Brute force ------------------------------------------------------------------------- */

/* Keeps the `most` smallest numbers in order. */
static void keep_smallest(double *smallest, uint32_t *count, uint32_t most, double number)
{
    if (*count == most && number >= smallest[most - 1])
        return;
    uint32_t at = *count < most ? (*count)++ : most - 1;
    for (; at > 0 && smallest[at - 1] > number; at--)
        smallest[at] = smallest[at - 1];
    smallest[at] = number;
}

static int by_distance(const void *left, const void *right)
{
    const wn_outlier *a = left, *b = right;
    if (a->distance != b->distance)
        return a->distance > b->distance ? -1 : 1;
    return (a->point > b->point) - (a->point < b->point);
}

/* The distances are squares: roots of different numbers may be equal. */
static wn_outlier *brute_force(const wn_points *points, uint32_t k)
{
    uint32_t n = points->count, dims = points->dims;
    wn_outlier *all = malloc(n * sizeof *all);
    uint32_t most = k < n - 1 ? k : n - 1;
    double *smallest = malloc((most + 1) * sizeof *smallest);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t count = 0;
        for (uint32_t j = 0; most > 0 && j < n; j++)
            if (j != i)
                keep_smallest(smallest, &count, most,
                              wn_corpus_distance2(points->values + (size_t)i * dims,
                                                  points->values + (size_t)j * dims, dims));
        all[i] = (wn_outlier){i, count > 0 ? smallest[count - 1] : 0};
    }
    qsort(all, n, sizeof *all, by_distance);
    free(smallest);
    return all;
}

static void check(const wn_points *points, uint32_t n, uint32_t k, uint32_t threads)
{
    wn_outlier_search search = {.points = *points, .n = n, .k = k, .threads = threads};
    wn_outlier *expected = brute_force(points, k), *found = malloc(n * sizeof *found);
    uint32_t count = wn_corpus_outliers_find(&search, found);
    assert_int_equal(count, n < points->count ? n : points->count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(found[i].point, expected[i].point);
        assert_true(found[i].distance == sqrt(expected[i].distance));
    }
    free(expected);
    free(found);
}

/* ---- Points ------------------------------------------------------------------------------ */

static uint64_t state = 1;

static double random_share(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) / 9007199254740992.0;
}

/* Rows like those of a word list: word number r occurs about 20000 / r times. */
static wn_points word_rows(uint32_t count, uint32_t classes)
{
    wn_points points = {.count = count, .dims = 4 + classes};
    double *values = calloc((size_t)count * points.dims, sizeof *values);
    for (uint32_t i = 0; i < count; i++) {
        double *row = values + (size_t)i * points.dims;
        uint32_t total = 1 + (uint32_t)(20000 * random_share() / (i + 1));
        row[0] = total;
        row[1] = 1 + floor(random_share() * total);
        row[2] = floor(random_share() * row[1]);
        row[3] = floor(random_share() * 1000) / 1000;
        for (uint32_t j = 0; classes && j < total; j++)
            row[4 + (uint32_t)(random_share() * classes)]++;
    }
    points.values = values;
    return points;
}

static void free_points(wn_points *points)
{
    free((double *)points->values);
}

/* ---- Tests ------------------------------------------------------------------------------- */

static void test_equals_brute_force_on_5000_words(void **unused)
{
    (void)unused;
    wn_points points = word_rows(5000, 5);
    check(&points, 50, 30, 2);
    check(&points, 5000, 30, 2);
    check(&points, 1, 1, 1);
    free_points(&points);
}

static void test_sizes(void **unused)
{
    (void)unused;
    static const uint32_t sizes[] = {1, 2, 3, 16, 17, 33, 100, 400};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (uint32_t k = 1; k <= 64; k *= 4) {
            wn_points points = word_rows(sizes[i], (uint32_t)i % 4);
            check(&points, 10, k, 1 + k % 3);
            check(&points, sizes[i] + 5, k, 2);
            free_points(&points);
        }
    }
}

/* All points are one place, or two: distances are 0 and ties go by number. */
static void test_equal_points(void **unused)
{
    (void)unused;
    double values[200] = {0};
    wn_points points = {.values = values, .count = 200, .dims = 1};
    check(&points, 7, 30, 2);
    values[123] = 4;
    check(&points, 7, 30, 2);
    check(&points, 7, 199, 2);
    check(&points, 200, 1000, 1);
}

static void test_no_points(void **unused)
{
    (void)unused;
    wn_outlier found[1];
    wn_outlier_search search = {.points = {.dims = 3}, .n = 1, .k = 1, .threads = 1};
    assert_int_equal(wn_corpus_outliers_find(&search, found), 0);
}

/* Equal values in all but one dimension must not make the tree deep or slow. */
static void test_line(void **unused)
{
    (void)unused;
    enum { COUNT = 3000 };
    wn_points points = {.count = COUNT, .dims = 6};
    double *values = calloc(COUNT * 6, sizeof *values);
    for (uint32_t i = 0; i < COUNT; i++)
        values[i * 6 + 3] = pow(1.01, i);
    points.values = values;
    check(&points, 20, 5, 2);
    free(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_brute_force_on_5000_words),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_equal_points),
        cmocka_unit_test(test_no_points),
        cmocka_unit_test(test_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
