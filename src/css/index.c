#include "css/index.h"

#include <assert.h>

#include "css/sheet.h"

enum {
    MAX_PLACES =
        16, /* buckets of one rule: more alternatives than that make it one for any element */
    MAX_ANCESTORS = 8, /* tests of ancestors that are looked at for an anchor */
    LARGE = 16,        /* rules of a bucket that is divided */
};

void wn_css_index_free(wn_css_index *index)
{
    wn_array_free(&index->buckets);
    wn_array_free(&index->groups);
    wn_array_free(&index->entries);
    wn_array_free(&index->uses);
}

size_t wn_css_index_memory(const wn_css_index *index)
{
    return wn_array_bytes(&index->buckets) + wn_array_bytes(&index->groups) +
           wn_array_bytes(&index->entries) + wn_array_bytes(&index->uses);
}

/* ---- Keys -------------------------------------------------------------------------------- */

/* The key that a test asks for; 0 if it asks for neither a class nor an id. */
static uint32_t key_of(const wn_css_test *test)
{
    return test->kind == WN_TEST_CLASS ? wn_css_class_key(test->data)
           : test->kind == WN_TEST_ID  ? wn_css_id_key(test->data)
                                       : 0;
}

static const wn_css_selector *selector_of(const wn_css_rules *rules, uint32_t rule)
{
    assert(rule < rules->rules.count);
    return &rules->set.selectors.items[rules->rules.items[rule].selector];
}

static const wn_css_compound *last_compound(const wn_css_set *set, const wn_css_selector *selector)
{
    assert(selector->count > 0 && selector->first + selector->count <= set->compounds.count);
    return &set->compounds.items[selector->first + selector->count - 1];
}

static bool clear_uses(wn_css_rules *rules)
{
    uint32_t count = wn_css_key_end(&rules->set);
    if (!wn_array_reserve(&rules->index.uses, count))
        return false;
    rules->index.uses.count = count;
    memset(rules->index.uses.items, 0, count * sizeof(uint32_t));
    return true;
}

/* Counts the keys of a compound. */
static void count_keys(wn_css_rules *rules, const wn_css_compound *compound)
{
    for (uint32_t i = 0; i < compound->count; i++) {
        uint32_t key = key_of(&rules->set.tests.items[compound->first + i]);
        assert(key < rules->index.uses.count);
        rules->index.uses.items[key]++;
    }
}

/* ---- Buckets ----------------------------------------------------------------------------- */

/* How much a test narrows the elements down; 0: not at all. */
static int rank_of(const wn_css_test *test)
{
    switch (test->kind) {
    case WN_TEST_ID:
        return 5;
    case WN_TEST_CLASS:
        return 4;
    case WN_TEST_ATTR:
        return 3;
    case WN_TEST_TAG:
    case WN_TEST_NAME:
        return 2;
    case WN_TEST_IS:
        return 1;
    default:
        return 0;
    }
}

/*
 * The test of a compound that the fewest elements pass, as far as one can tell; NULL: none tells.
 */
static const wn_css_test *best_test(const wn_css_rules *rules, const wn_css_compound *compound)
{
    const uint32_t *uses = rules->index.uses.items;
    const wn_css_test *best = NULL;
    for (uint32_t i = 0; i < compound->count; i++) {
        const wn_css_test *test = &rules->set.tests.items[compound->first + i];
        int rank = rank_of(test), before = best ? rank_of(best) : 0;
        if (rank > before || (rank == before && rank && uses[key_of(test)] < uses[key_of(best)]))
            best = test;
    }
    return best;
}

/* The bucket of a test that is no :is(). */
static uint32_t bucket_of(const wn_css_set *set, const wn_css_test *test)
{
    const wn_css_attr_test *attr;
    switch (test->kind) {
    case WN_TEST_ID:
    case WN_TEST_CLASS:
        return WN_BUCKET_KEY + key_of(test);
    case WN_TEST_ATTR:
        attr = &set->attrs.items[test->data];
        return attr->id ? (uint32_t)WN_BUCKET_ATTR + attr->id
                        : WN_BUCKET_ATTR_NAME + wn_css_name_bucket(attr->name);
    case WN_TEST_TAG:
        return (uint32_t)WN_BUCKET_TAG + test->id;
    case WN_TEST_NAME:
        return WN_BUCKET_NAME + wn_css_name_bucket(set->strings.items[test->data]);
    default:
        return WN_BUCKET_ANY;
    }
}

/* The buckets of a selector; of one that ends with :is() those of all alternatives. */
static uint32_t buckets_of(const wn_css_rules *rules, const wn_css_selector *selector,
                           uint32_t buckets[MAX_PLACES])
{
    const wn_css_set *set = &rules->set;
    const wn_css_test *best = best_test(rules, last_compound(set, selector));
    buckets[0] = WN_BUCKET_ANY;
    if (!best || best->kind != WN_TEST_IS) {
        buckets[0] = best ? bucket_of(set, best) : WN_BUCKET_ANY;
        return 1;
    }
    const wn_css_list *list = &set->lists.items[best->data];
    if (list->count == 0 || list->count > MAX_PLACES)
        return 1;
    for (uint32_t i = 0; i < list->count; i++) {
        const wn_css_selector *inner = &set->selectors.items[list->first + i];
        best = best_test(rules, last_compound(set, inner));
        buckets[i] = best ? bucket_of(set, best) : WN_BUCKET_ANY;
        if (buckets[i] == WN_BUCKET_ANY) {
            buckets[0] = WN_BUCKET_ANY;
            return 1;
        }
    }
    return list->count;
}

/* Counts the rules of each bucket, two places on: see place_entries(). Returns all together. */
static uint32_t count_entries(const wn_css_rules *rules, uint32_t *starts)
{
    uint32_t total = 0;
    for (uint32_t rule = 0; rule < rules->rules.count; rule++) {
        uint32_t buckets[MAX_PLACES], count = buckets_of(rules, selector_of(rules, rule), buckets);
        for (uint32_t i = 0; i < count; i++)
            starts[buckets[i] + 2]++;
        total += count;
    }
    return total;
}

/* Puts each rule at the end of its buckets; that moves the start of the next one to its place. */
static void place_entries(wn_css_rules *rules, uint32_t *starts)
{
    for (uint32_t rule = 0; rule < rules->rules.count; rule++) {
        uint32_t buckets[MAX_PLACES], count = buckets_of(rules, selector_of(rules, rule), buckets);
        for (uint32_t i = 0; i < count; i++)
            rules->index.entries.items[starts[buckets[i] + 1]++] = (wn_css_entry){
                .bucket = buckets[i], .rule = rule};
    }
}

/* Makes the entries, in the order of their buckets; `buckets` gets where each one starts. */
static bool make_entries(wn_css_rules *rules)
{
    wn_css_index *index = &rules->index;
    uint32_t bucket_count = WN_BUCKET_KEY + wn_css_key_end(&rules->set);
    if (!wn_array_reserve(&index->buckets, bucket_count + 2))
        return false;
    uint32_t *starts = index->buckets.items;
    memset(starts, 0, (bucket_count + 2) * sizeof *starts);
    uint32_t total = count_entries(rules, starts);
    if (!wn_array_reserve(&index->entries, total + 1))
        return false;
    for (uint32_t b = 2; b <= bucket_count + 1; b++)
        starts[b] += starts[b - 1];
    place_entries(rules, starts);
    assert(starts[bucket_count] == total); /* each bucket's end is where the next one starts */
    index->buckets.count = bucket_count + 1;
    index->entries.count = total;
    return true;
}

/* ---- Groups ------------------------------------------------------------------------------ */

/* Of the classes and ids that ancestors must have, the one that the fewest rules ask for. */
static uint32_t anchor_of(const wn_css_rules *rules, const wn_css_selector *selector)
{
    const wn_css_test *tests[MAX_ANCESTORS];
    uint32_t count = wn_css_ancestor_tests(&rules->set, selector, tests, MAX_ANCESTORS);
    const uint32_t *uses = rules->index.uses.items;
    uint32_t anchor = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t key = key_of(tests[i]);
        if (key && (!anchor || uses[key] < uses[anchor]))
            anchor = key;
    }
    return anchor;
}

static int by_anchor(const void *a, const void *b)
{
    const wn_css_entry *x = a, *y = b;
    if (x->anchor != y->anchor)
        return x->anchor < y->anchor ? -1 : 1;
    return x->rule < y->rule ? -1 : x->rule > y->rule;
}

/* Gives the entries of large buckets their anchors, and sorts them by these. */
static void find_anchors(wn_css_rules *rules)
{
    wn_css_index *index = &rules->index;
    for (uint32_t b = 0; b + 1 < index->buckets.count; b++) {
        uint32_t start = index->buckets.items[b], end = index->buckets.items[b + 1];
        if (end - start < LARGE)
            continue;
        for (uint32_t i = start; i < end; i++) {
            wn_css_entry *entry = &index->entries.items[i];
            entry->anchor = anchor_of(rules, selector_of(rules, entry->rule));
        }
        assert(start < end && end <= index->entries.count);
        qsort(&index->entries.items[start], end - start, sizeof(wn_css_entry), by_anchor);
    }
}

/* Makes groups of the entries, and lets `buckets` say where the groups of each one start. */
static bool make_groups(wn_css_index *index)
{
    uint32_t count = index->entries.count, bucket = 0;
    index->groups.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const wn_css_entry *entry = &index->entries.items[i];
        assert(i == 0 || entry[-1].bucket <= entry->bucket);
        assert(entry->bucket + 1 < index->buckets.count);
        while (bucket <= entry->bucket)
            index->buckets.items[bucket++] = index->groups.count;
        if (i > 0 && entry->bucket == entry[-1].bucket && entry->anchor == entry[-1].anchor)
            continue;
        wn_css_group *group = wn_array_push(&index->groups);
        if (!group)
            return false;
        *group = (wn_css_group){entry->anchor, i};
    }
    while (bucket < index->buckets.count)
        index->buckets.items[bucket++] = index->groups.count;
    wn_css_group *end = wn_array_push(&index->groups);
    if (end)
        *end = (wn_css_group){0, count};
    return end;
}

/* ---- Making it --------------------------------------------------------------------------- */

bool wn_css_index_make(wn_css_rules *rules)
{
    if (!clear_uses(rules))
        return false;
    for (uint32_t i = 0; i < rules->set.selectors.count; i++)
        count_keys(rules, last_compound(&rules->set, &rules->set.selectors.items[i]));
    if (!make_entries(rules) || !clear_uses(rules))
        return false;
    for (uint32_t i = 0; i < rules->set.compounds.count; i++)
        count_keys(rules, &rules->set.compounds.items[i]);
    find_anchors(rules);
    return make_groups(&rules->index);
}
