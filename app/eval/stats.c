#include "eval/stats.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/hash.h"

/* Half of what lies outside a 95% interval. */
static const double TAIL = 0.025;

/* ---- Sums that leave out what is not defined --------------------------------------------- */

typedef struct sum {
    double total;
    uint64_t count;
} sum;

static void add(sum *s, double value)
{
    if (isnan(value))
        return;
    s->total += value;
    s->count++;
}

static double mean_of(sum s)
{
    return s.count ? s.total / (double)s.count : NAN;
}

typedef struct sums {
    sum precision, recall, f1;
} sums;

static void add_score(sums *s, const wn_prf *score)
{
    add(&s->precision, score->precision);
    add(&s->recall, score->recall);
    add(&s->f1, score->f1);
}

static wn_prf means(const sums *s, bool of_means)
{
    wn_prf mean = {mean_of(s->precision), mean_of(s->recall), mean_of(s->f1)};
    double both = mean.precision + mean.recall;
    if (of_means)
        mean.f1 = both > 0 ? 2 * mean.precision * mean.recall / both : both == 0 ? 0 : NAN;
    return mean;
}

/* ---- Order ------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Moves what is defined to the front and sorts it; gives its number. */
static size_t sort_defined(double *values, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isnan(values[i]))
            values[kept++] = values[i];
    }
    qsort(values, kept, sizeof *values, by_value);
    return kept;
}

/* The value below which the part `share` of `count` sorted ones lies. */
static double quantile(const double *sorted, size_t count, double share)
{
    if (count == 0)
        return NAN;
    assert(share >= 0 && share <= 1);
    double place = share * (double)(count - 1);
    size_t below = (size_t)place;
    double rest = place - (double)below;
    double above = sorted[below + 1 < count ? below + 1 : below];
    return sorted[below] + rest * (above - sorted[below]);
}

double wn_eval_median(double *values, size_t count)
{
    return quantile(values, sort_defined(values, count), 0.5);
}

/* ---- The bootstrap ----------------------------------------------------------------------- */

/* The F1 of a sample, or of `a` less that of `b` on the same sample. */
static double sample(const wn_prf *a, const wn_prf *b, size_t count, bool of_means, uint64_t *state)
{
    sums of_a = {0}, of_b = {0};
    for (size_t i = 0; i < count; i++) {
        size_t page = (size_t)((wn_splitmix64(state) >> 32) * count >> 32);
        add_score(&of_a, &a[page]);
        if (b)
            add_score(&of_b, &b[page]);
    }
    double f1 = means(&of_a, of_means).f1;
    return b ? f1 - means(&of_b, of_means).f1 : f1;
}

static wn_interval bootstrap(const wn_prf *a, const wn_prf *b, size_t count, bool of_means,
                             uint64_t seed)
{
    double values[WN_BOOTSTRAP_ROUNDS];
    uint64_t state = seed;
    for (size_t i = 0; i < WN_BOOTSTRAP_ROUNDS; i++)
        values[i] = sample(a, b, count, of_means, &state);
    size_t kept = sort_defined(values, WN_BOOTSTRAP_ROUNDS);
    return (wn_interval){quantile(values, kept, TAIL), quantile(values, kept, 1 - TAIL)};
}

/* ---- Summaries --------------------------------------------------------------------------- */

static double median_of(const wn_prf *scores, size_t count, size_t offset, double *values)
{
    for (size_t i = 0; i < count; i++)
        values[i] = *(const double *)((const char *)&scores[i] + offset);
    return wn_eval_median(values, count);
}

bool wn_eval_summarize(const wn_prf *scores, size_t count, bool of_means, uint64_t seed,
                       wn_summary *summary)
{
    double *values = malloc((count + 1) * sizeof *values);
    if (!values)
        return false;
    sums all = {0};
    for (size_t i = 0; i < count; i++)
        add_score(&all, &scores[i]);
    *summary = (wn_summary){
        .pages = all.f1.count,
        .mean = means(&all, of_means),
        .median = {median_of(scores, count, offsetof(wn_prf, precision), values),
                   median_of(scores, count, offsetof(wn_prf, recall), values),
                   median_of(scores, count, offsetof(wn_prf, f1), values)},
        .f1 = bootstrap(scores, NULL, count, of_means, seed),
    };
    free(values);
    return true;
}

wn_difference wn_eval_compare(const wn_prf *a, const wn_prf *b, size_t count, bool of_means,
                              uint64_t seed)
{
    sums of_a = {0}, of_b = {0};
    wn_difference difference = {0};
    for (size_t i = 0; i < count; i++) {
        add_score(&of_a, &a[i]);
        add_score(&of_b, &b[i]);
        difference.better += a[i].f1 > b[i].f1;
        difference.worse += a[i].f1 < b[i].f1;
        difference.equal += a[i].f1 == b[i].f1;
    }
    difference.mean = means(&of_a, of_means).f1 - means(&of_b, of_means).f1;
    difference.interval = bootstrap(a, b, count, of_means, seed);
    return difference;
}
