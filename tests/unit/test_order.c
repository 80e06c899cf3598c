/*
 * Order never decides: any permutation and any partition of 5,000 pages give the same templates,
 * clusters, noise words and labels.
 */
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
#include "corpus/sites.h"
#include "corpus/wordlist.h"

enum { PAGES = 5000, HOSTS = 400, MOST_HOSTS = 60, LABELS = 1500, ROUNDS = 4 };

static uint64_t state = 7;

static uint32_t random_below(uint32_t bound)
{
    return (uint32_t)((wn_splitmix64(&state) >> 32) * bound >> 32);
}

static void shuffle(uint32_t order[PAGES])
{
    for (uint32_t i = 0; i < PAGES; i++)
        order[i] = i;
    for (uint32_t i = PAGES - 1; i > 0; i--) {
        uint32_t j = random_below(i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

/* ---- Pages ------------------------------------------------------------------------------- */

static wn_buf texts[PAGES];

/*
 * Page i is page i - 1 with some words changed, except now and then: so there are chains of near
 * copies, and equal copies. Two thirds begin with a menu that is most of their text: then very
 * many pages share keys, and whether two of them are copies hangs on a word or two.
 */
static void make_texts(void)
{
    enum { MENU = 50 };
    uint32_t words[260], count = 0;
    for (uint32_t i = 0; i < PAGES; i++) {
        bool has_menu = i % 3;
        if (i % 7 == 0 || has_menu) {
            count = has_menu ? MENU + 3 + random_below(12) : 60 + random_below(200);
            for (uint32_t w = 0; w < count; w++)
                words[w] = has_menu && w < MENU ? w : random_below(3000);
        }
        for (uint32_t change = random_below(4); change > 0; change--)
            words[random_below(count)] = random_below(3000);
        wn_buf_clear(&texts[i]);
        for (uint32_t w = 0; w < count; w++)
            wn_buf_add_format(&texts[i], "wq%x%s", words[w], w % 9 ? " " : ".\n");
    }
}

static int make_all(void **unused)
{
    (void)unused;
    make_texts();
    return 0;
}

static int free_all(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < PAGES; i++)
        wn_buf_free(&texts[i]);
    return 0;
}

/* ---- Clusters ---------------------------------------------------------------------------- */

static bool read_text(void *data, uint32_t page, bool exact, wn_buf *out)
{
    const uint32_t *order = data;
    (void)exact;
    wn_buf_add(out, wn_buf_str(&texts[order[page]]));
    return true;
}

/* By page: the least page of its cluster. */
static void find_clusters(uint32_t order[PAGES], uint32_t least[PAGES])
{
    static wn_dedup d;
    memset(&d, 0, sizeof d);
    wn_dedup_options options = {
        .bands = WN_MINHASH_BANDS,
        .rows = WN_MINHASH_ROWS,
        .threshold = 0.8,
        .memory = 64 << 20,
        .read = read_text,
        .data = order,
    };
    wn_corpus_dedup_init(&d, &options);
    for (uint32_t i = 0; i < PAGES; i++) {
        wn_str text = wn_buf_str(&texts[order[i]]);
        assert_true(wn_corpus_dedup_add(&d, text, text));
    }
    assert_true(wn_corpus_dedup_find(&d));
    uint32_t of_root[PAGES];
    memset(of_root, 0xFF, sizeof of_root);
    for (uint32_t i = 0; i < PAGES; i++) {
        uint32_t root = wn_corpus_dedup_first(&d, i);
        of_root[root] = order[i] < of_root[root] ? order[i] : of_root[root];
    }
    for (uint32_t i = 0; i < PAGES; i++)
        least[order[i]] = of_root[wn_corpus_dedup_first(&d, i)];
    wn_corpus_dedup_free(&d);
}

static void test_clusters(void **unused)
{
    (void)unused;
    uint32_t order[PAGES];
    static uint32_t wanted[PAGES], found[PAGES];
    for (uint32_t i = 0; i < PAGES; i++)
        order[i] = i;
    find_clusters(order, wanted);
    uint32_t copies = 0;
    for (uint32_t i = 0; i < PAGES; i++)
        copies += wanted[i] != i;
    assert_in_range(copies, PAGES / 6, PAGES - PAGES / 6); /* or the test shows nothing */
    for (int round = 0; round < ROUNDS; round++) {
        shuffle(order);
        find_clusters(order, found);
        assert_memory_equal(wanted, found, sizeof wanted);
    }
}

/* ---- Templates --------------------------------------------------------------------------- */

static void name_host(uint32_t page, char host[32])
{
    snprintf(host, 32, "host%u.example", page * 7919 % HOSTS);
}

typedef struct lines {
    uint64_t hashes[400];
    size_t count;
} lines;

static bool note(void *data, uint64_t hash)
{
    lines *l = data;
    assert_true(l->count < 400);
    l->hashes[l->count++] = hash;
    return true;
}

static void learn(wn_sites *sites, uint32_t page)
{
    char host[32];
    lines l = {.count = 0};
    name_host(page, host);
    wn_page_site_lines(wn_buf_str(&texts[page]), note, &l);
    winnow_site *site = wn_corpus_sites_make(sites, wn_str_of(host));
    assert_false(sites->failed);
    if (site)
        wn_page_site_add(site, l.hashes, l.count);
}

/* What is known of all hosts, as bytes. */
static void save(wn_sites *sites, wn_buf *out)
{
    uint32_t known = 0;
    assert_true(wn_corpus_sites_settle(sites));
    wn_buf_clear(out);
    for (uint32_t i = 0; i < HOSTS; i++) {
        char host[32];
        snprintf(host, sizeof host, "host%u.example", i);
        const winnow_site *site = wn_corpus_sites_find(sites, wn_str_of(host));
        if (!site)
            continue;
        known++;
        wn_buf_add_literal(out, host);
        wn_page_site_write(site, out);
    }
    assert_int_equal(known, MOST_HOSTS);
    wn_corpus_sites_free(sites);
}

/* Learns the pages in parts, as machines of a cluster would, and puts the parts together. */
static void learn_in_parts(const uint32_t order[PAGES], uint32_t parts, wn_buf *out)
{
    wn_sites all = {.most = MOST_HOSTS};
    for (uint32_t part = 0; part < parts; part++) {
        wn_sites own = {.most = MOST_HOSTS};
        for (uint32_t i = part; i < PAGES; i += parts)
            learn(&own, order[i]);
        assert_true(wn_corpus_sites_settle(&own));
        for (uint32_t i = 0; i < own.list.count; i++) {
            wn_str key = wn_corpus_key_sample_key(&own.keys, i);
            winnow_site *into = own.list.items[i] ? wn_corpus_sites_make(&all, key) : NULL;
            if (into)
                assert_int_equal(winnow_site_merge(into, own.list.items[i]), WINNOW_STATUS_OK);
        }
        wn_corpus_sites_free(&own);
    }
    save(&all, out);
}

static void test_templates(void **unused)
{
    (void)unused;
    uint32_t order[PAGES];
    wn_buf wanted = {0}, found = {0};
    shuffle(order);
    learn_in_parts(order, 1, &wanted);
    for (uint32_t parts = 1; parts <= 7; parts += 3) {
        shuffle(order);
        learn_in_parts(order, parts, &found);
        assert_int_equal(wanted.len, found.len);
        assert_memory_equal(wanted.ptr, found.ptr, wanted.len);
    }
    wn_buf_free(&wanted);
    wn_buf_free(&found);
}

/* ---- Words ------------------------------------------------------------------------------- */

/* The rows of all words and the labels that are attributes, as bytes. */
static void count_words(const uint32_t order[PAGES], wn_buf *out)
{
    wn_wordlist list = {0};
    wn_document document = {0};
    wn_terms terms = {0};
    char code[WN_LANGUAGE_CODE];
    wn_wordlist_options options = wn_wordlist_defaults;
    options.threads = 2;
    wn_text_terms_use(&terms, WN_STR("en"), WN_STR(""), code);
    for (uint32_t i = 0; i < PAGES; i++) {
        char label[32];
        snprintf(label, sizeof label, "label%u", order[i] * 31 % LABELS);
        assert_true(
            wn_corpus_document_read(&document, &terms, wn_buf_str(&texts[order[i]]), false));
        wn_corpus_wordlist_add(&list, wn_str_of(label), &document);
    }
    assert_true(wn_corpus_wordlist_find(&list, &options));
    wn_buf_clear(out);
    for (uint32_t i = 0; i < list.order.count; i++) {
        uint32_t word = list.order.items[i];
        const wn_word_row *row = &list.rows.items[word];
        wn_buf_add(out, wn_corpus_wordlist_word(&list, word));
        wn_buf_add_format(out, " %llu %u %u %a %a %d\n", (unsigned long long)row->total,
                          row->documents, row->labelled, row->tfidf, row->distance, row->outlier);
    }
    for (uint32_t i = 0; i < list.classes.count; i++) {
        uint32_t class = list.classes.items[i];
        wn_buf_add(out, wn_corpus_key_sample_key(&list.labels, class));
        for (uint32_t w = 0; w < list.order.count; w++)
            wn_buf_add_format(out, " %llu",
                              (unsigned long long)wn_corpus_wordlist_class_count(
                                  &list, list.order.items[w], class));
    }
    assert_int_equal(list.classes.count, WN_WORDLIST_LABELS);
    wn_text_terms_free(&terms);
    wn_corpus_document_free(&document);
    wn_corpus_wordlist_free(&list);
}

static void test_words(void **unused)
{
    (void)unused;
    uint32_t order[PAGES];
    wn_buf wanted = {0}, found = {0};
    for (uint32_t i = 0; i < PAGES; i++)
        order[i] = i;
    count_words(order, &wanted);
    assert_non_null(strstr(wn_buf_c_string(&wanted), " 1\n")); /* an outlier */
    for (int round = 0; round < 2; round++) {
        shuffle(order);
        count_words(order, &found);
        assert_int_equal(wanted.len, found.len);
        assert_memory_equal(wanted.ptr, found.ptr, wanted.len);
    }
    wn_buf_free(&wanted);
    wn_buf_free(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clusters),
        cmocka_unit_test(test_templates),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, make_all, free_all);
}
