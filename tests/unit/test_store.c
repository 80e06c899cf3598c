/*
 * The store: what is put in comes out, once, and in order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/hash.h"
#include "corpus/index.h"
#include "corpus/postings.h"
#include "corpus/store.h"

/* ---- Hashes and words: no database ------------------------------------------------------- */

/* The vectors of the authors' own program: key 00 01 … 0f, inputs of 0 and 15 bytes. */
static void hashes_are_siphash(void **state)
{
    (void)state;
    const wn_hash_key key = {UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)};
    const wn_str fifteen = WN_STR("\0\1\2\3\4\5\6\7\10\11\12\13\14\15\16");
    assert_true(wn_hash_stable64(key, WN_STR("")) == UINT64_C(0x726fdb47dd0e0e31));
    assert_true(wn_hash_stable64(key, fifteen) == UINT64_C(0xa129ca6149be45e5));
    static const unsigned char empty128[16] = {0xa3, 0x81, 0x7f, 0x04, 0xba, 0x25, 0xa8, 0xe6,
                                               0x6d, 0xf6, 0x72, 0x14, 0xc7, 0x55, 0x02, 0x93};
    char out[16];
    wn_hash_stable128(key, WN_STR(""), out);
    assert_memory_equal(out, empty128, sizeof empty128);
}

static bool level_has(const wn_index_page *index, size_t level, const char *word)
{
    wn_str words = wn_buf_str(&index->levels[level]);
    for (wn_str w; wn_corpus_next_stem(&words, &w);) {
        if (wn_str_eq(w, wn_str_of(word)))
            return true;
    }
    return false;
}

static void words_have_levels(void **state)
{
    (void)state;
    wn_index_page index = {0};
    wn_buf stems = {0};
    for (int i = 0; i < 600; i++)
        wn_buf_add_format(&stems, "word%d ", i);
    for (int i = 0; i < 12; i++)
        wn_buf_add_literal(&stems, "often ");
    wn_buf_add_repeated(&stems, 'x', 5000);
    assert_true(wn_corpus_index_words(&index, WN_STR("title word5"), wn_buf_str(&stems)));
    assert_int_equal(index.words.keys.count, 600 + 2); /* the longest is not a word for anyone */
    assert_true(level_has(&index, 3, "often"));
    assert_true(level_has(&index, 3, "word5"));
    assert_true(level_has(&index, 2, "title") || level_has(&index, 3, "title"));
    assert_true(level_has(&index, 1, "word7"));
    assert_true(wn_corpus_index_words(&index, WN_STR(""), WN_STR("")));
    assert_int_equal(index.words.keys.count, 0);
    wn_corpus_index_free(&index);
    wn_buf_free(&stems);
}

/* Nobody may make a database refuse a page: what is in the index is bounded. */
static void index_is_bounded(void **state)
{
    (void)state;
    wn_index_page index = {0};
    wn_buf stems = {0};
    for (int i = 0; i < 300000; i++)
        wn_buf_add_format(&stems, "%d ", i);
    assert_true(wn_corpus_index_words(&index, WN_STR(""), wn_buf_str(&stems)));
    size_t size = 0;
    for (size_t i = 0; i < WN_LEVELS; i++)
        size += index.levels[i].len;
    assert_in_range(size, 300000, 1000000);
    wn_corpus_index_free(&index);
    wn_buf_free(&stems);
}

/* ---- Stores ------------------------------------------------------------------------------ */

typedef struct fixture {
    char folder[64];
    char path[96];
    wn_store *store;
    wn_buf error;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    snprintf(f->folder, sizeof f->folder, "/tmp/winnow-store-XXXXXX");
    if (!f || !mkdtemp(f->folder))
        return -1;
    snprintf(f->path, sizeof f->path, "%s/s.db", f->folder);
    f->store = wn_corpus_store_open(f->path, WN_STORE_MAKE, &f->error);
    *state = f;
    return f->store ? 0 : -1;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    static const char *const endings[] = {"", "-wal", "-shm"};
    wn_corpus_store_close(f->store);
    for (size_t i = 0; i < 3; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s%s", f->path, endings[i]);
        unlink(path);
    }
    rmdir(f->folder);
    wn_buf_free(&f->error);
    free(f);
    return 0;
}

static wn_stored a_page(const char *source, const char *text)
{
    return (wn_stored){
        .url = WN_STR("http://example.org/"),
        .host = WN_STR("example.org"),
        .label = WN_STR("news"),
        .title = WN_STR("A title"),
        .author = WN_STR(""),
        .date = WN_STR("2024-05-31"),
        .language = WN_STR("en"),
        .source = wn_str_of(source),
        .offset = 7,
        .method = WN_STR("auto"),
        .page_bytes = 1000,
        .text_bytes = strlen(text),
        .words = 3,
        .page_hash = UINT64_C(0xF000000000000001),
        .text_hash = 5,
        .added = 1700000000,
        .text = wn_str_of(text),
        .stems = wn_str_of(text),
        .all_stems = wn_str_of(text),
        .title_stems = WN_STR("a titl"),
    };
}

static void put_pages(wn_store *store, int from, int to)
{
    assert_true(wn_corpus_store_begin(store));
    for (int i = from; i < to; i++) {
        char source[32];
        snprintf(source, sizeof source, "file-%d", i);
        wn_stored page = a_page(source, "one two three");
        assert_true(wn_corpus_store_put(store, &page));
    }
    assert_true(wn_corpus_store_commit(store));
}

static void assert_text(wn_str found, const char *expected)
{
    assert_int_equal(found.len, strlen(expected));
    assert_memory_equal(found.ptr, expected, found.len);
}

static void pages_come_out_as_they_went_in(void **state)
{
    fixture *f = *state;
    put_pages(f->store, 0, 1200);
    wn_store_walk *walk = wn_corpus_store_walk_open(
        f->store, NULL, WN_FIELD_TEXT | WN_FIELD_STEMS | WN_FIELD_SEARCH);
    wn_stored page;
    for (int i = 0; i < 1200; i++) {
        char source[32];
        snprintf(source, sizeof source, "file-%d", i);
        assert_true(wn_corpus_store_walk_next(walk, &page));
        assert_int_equal(page.id, i + 1);
        assert_text(page.source, source);
        assert_text(page.url, "http://example.org/");
        assert_text(page.label, "news");
        assert_text(page.date, "2024-05-31");
        assert_text(page.text, "one two three");
        assert_text(page.title_stems, "a titl");
        assert_int_equal(page.offset, 7);
        assert_true(page.page_hash == UINT64_C(0xF000000000000001));
        assert_int_equal(page.status, WN_STORED_OK);
    }
    assert_false(wn_corpus_store_walk_next(walk, &page));
    assert_true(wn_corpus_store_walk_close(walk));
}

static void a_page_is_there_once(void **state)
{
    fixture *f = *state;
    put_pages(f->store, 0, 10);
    put_pages(f->store, 5, 15);
    wn_store_counts counts = wn_corpus_store_counted(f->store);
    assert_int_equal(counts.added, 15);
    assert_int_equal(counts.updated, 5);
    uint64_t count;
    assert_true(wn_corpus_store_count(f->store, NULL, &count));
    assert_int_equal(count, 15);
    bool found;
    uint64_t hash;
    assert_true(wn_corpus_store_find(f->store, WN_STR("file-3"), 7, 0, &found, &hash));
    assert_true(found && hash == UINT64_C(0xF000000000000001));
    assert_true(wn_corpus_store_find(f->store, WN_STR("file-3"), 8, 0, &found, &hash));
    assert_false(found);
}

static void what_is_rolled_back_was_never_there(void **state)
{
    fixture *f = *state;
    put_pages(f->store, 0, 3);
    assert_true(wn_corpus_store_begin(f->store));
    wn_stored page = a_page("other", "four five");
    assert_true(wn_corpus_store_put(f->store, &page));
    wn_corpus_store_rollback(f->store);
    uint64_t count;
    assert_true(wn_corpus_store_count(f->store, NULL, &count));
    assert_int_equal(count, 3);
    assert_int_equal(wn_corpus_store_counted(f->store).added, 3);
    put_pages(f->store, 3, 4); /* and its number was not used */
    wn_store_filter last = {.after = 3};
    assert_true(wn_corpus_store_count(f->store, &last, &count));
    assert_int_equal(count, 1);
}

static void ids_are_never_used_again(void **state)
{
    fixture *f = *state;
    bool found;
    put_pages(f->store, 0, 3);
    assert_true(wn_corpus_store_remove(f->store, 3, &found));
    assert_true(found);
    assert_true(wn_corpus_store_remove(f->store, 3, &found));
    assert_false(found);
    put_pages(f->store, 3, 4);
    wn_store_walk *walk = wn_corpus_store_walk_open(f->store, &(wn_store_filter){.after = 2}, 0);
    wn_stored page;
    assert_true(wn_corpus_store_walk_next(walk, &page));
    assert_int_equal(page.id, 4);
    assert_true(wn_corpus_store_walk_close(walk));
}

static void copies_are_marked_and_freed(void **state)
{
    fixture *f = *state;
    wn_store_filter copies = {.statuses = 1u << WN_STORED_COPY};
    uint64_t count;
    bool found;
    put_pages(f->store, 0, 5);
    assert_true(wn_corpus_store_mark_copy(f->store, 2, 1));
    assert_true(wn_corpus_store_mark_copy(f->store, 3, 1));
    assert_true(wn_corpus_store_count(f->store, &copies, &count));
    assert_int_equal(count, 2);
    assert_true(wn_corpus_store_mark_copy(f->store, 3, 0));
    assert_true(wn_corpus_store_count(f->store, &copies, &count));
    assert_int_equal(count, 1);
    assert_true(wn_corpus_store_remove(f->store, 1, &found));
    assert_true(wn_corpus_store_count(f->store, &copies, &count));
    assert_int_equal(count, 0);
    assert_true(wn_corpus_store_mark_copy(f->store, 3, 1)); /* which is gone */
    assert_true(wn_corpus_store_count(f->store, &copies, &count));
    assert_int_equal(count, 0);
}

static void hosts_have_hosts_below_them(void **state)
{
    fixture *f = *state;
    static const char *const hosts[] = {"example.org", "a.example.org", "myexample.org", "b_c.org"};
    assert_true(wn_corpus_store_begin(f->store));
    for (size_t i = 0; i < 4; i++) {
        wn_stored page = a_page(hosts[i], "text");
        page.host = wn_str_of(hosts[i]);
        assert_true(wn_corpus_store_put(f->store, &page));
    }
    assert_true(wn_corpus_store_commit(f->store));
    uint64_t count;
    assert_true(wn_corpus_store_count(f->store, &(wn_store_filter){.host = "example.org"}, &count));
    assert_int_equal(count, 1);
    assert_true(
        wn_corpus_store_count(f->store, &(wn_store_filter){.host = ".example.org"}, &count));
    assert_int_equal(count, 2);
    assert_true(wn_corpus_store_count(f->store, &(wn_store_filter){.host = ".b%c.org"}, &count));
    assert_int_equal(count, 0);
    assert_true(wn_corpus_store_count(
        f->store, &(wn_store_filter){.since = "2024-05-31", .until = "2024-05-31"}, &count));
    assert_int_equal(count, 4);
    assert_true(wn_corpus_store_count(f->store, &(wn_store_filter){.since = "2024-06-01"}, &count));
    assert_int_equal(count, 0);
}

static void one_page_is_got(void **state)
{
    fixture *f = *state;
    wn_stored page;
    bool found;
    put_pages(f->store, 0, 5);
    assert_true(wn_corpus_store_get(f->store, 3, WN_FIELD_TEXT, &found, &page));
    assert_true(found);
    assert_text(page.source, "file-2");
    assert_text(page.text, "one two three");
    assert_true(wn_corpus_store_get(f->store, 6, 0, &found, &page));
    assert_false(found);
    assert_true(wn_corpus_store_remove(f->store, 3, &found));
    assert_true(wn_corpus_store_get(f->store, 3, 0, &found, &page));
    assert_false(found);
}

static void odd_bytes_are_repaired(void **state)
{
    fixture *f = *state;
    assert_true(wn_corpus_store_begin(f->store));
    wn_stored page = a_page("bad\xFFname", "text");
    page.title = wn_str_from("a\0b", 3);
    assert_true(wn_corpus_store_put(f->store, &page));
    assert_true(wn_corpus_store_commit(f->store));
    wn_store_walk *walk = wn_corpus_store_walk_open(f->store, NULL, 0);
    assert_true(wn_corpus_store_walk_next(walk, &page));
    assert_text(page.source, "bad\xEF\xBF\xBDname");
    assert_text(page.title, "a\xEF\xBF\xBD"
                            "b");
    assert_true(wn_corpus_store_walk_close(walk));
}

static bool count_word(void *data, const wn_stored_word *word)
{
    int *counts = data;
    counts[0]++;
    counts[1] += (int)word->occurrences;
    return counts[0] < counts[2];
}

static void words_are_kept(void **state)
{
    fixture *f = *state;
    assert_true(wn_corpus_store_begin(f->store));
    assert_true(wn_corpus_store_words_clear(f->store));
    for (int i = 0; i < 12000; i++) {
        char name[16];
        snprintf(name, sizeof name, "w%05d", i);
        wn_stored_word word = {
            .word = wn_str_of(name), .occurrences = 2, .tfidf = 0.5, .outlier = i % 1000 == 0};
        assert_true(wn_corpus_store_word_put(f->store, &word));
    }
    assert_true(wn_corpus_store_commit(f->store));
    int counts[3] = {0, 0, 1000000};
    assert_true(wn_corpus_store_words_each(f->store, false, count_word, counts));
    assert_int_equal(counts[0], 12000);
    assert_int_equal(counts[1], 24000);
    int outliers[3] = {0, 0, 1000000};
    assert_true(wn_corpus_store_words_each(f->store, true, count_word, outliers));
    assert_int_equal(outliers[0], 12);
    int some[3] = {0, 0, 7};
    assert_true(wn_corpus_store_words_each(f->store, false, count_word, some));
    assert_int_equal(some[0], 7);
}

static void notes_are_kept(void **state)
{
    fixture *f = *state;
    wn_buf bytes = {0};
    assert_true(wn_corpus_store_note_get(f->store, "site", WN_STR("a.org"), &bytes));
    assert_int_equal(bytes.len, 0);
    assert_true(
        wn_corpus_store_note_set(f->store, "site", WN_STR("a.org"), wn_str_from("\0x\xFF", 3)));
    assert_true(wn_corpus_store_note_get(f->store, "site", WN_STR("a.org"), &bytes));
    assert_int_equal(bytes.len, 3);
    assert_memory_equal(bytes.ptr, "\0x\xFF", 3);
    assert_true(wn_corpus_store_note_set(f->store, "site", WN_STR("a.org"), WN_STR("")));
    assert_true(wn_corpus_store_note_get(f->store, "site", WN_STR("a.org"), &bytes));
    assert_int_equal(bytes.len, 0);
    wn_buf_free(&bytes);
}

static void what_is_no_store_is_refused(void **state)
{
    fixture *f = *state;
    char path[128];
    wn_buf error = {0};
    assert_null(wn_corpus_store_open("/tmp/no-such-folder/x.db", WN_STORE_READ, &error));
    assert_non_null(strstr(wn_buf_c_string(&error), "does not exist"));
    assert_null(wn_corpus_store_open("/tmp/no-such-folder/x.db", WN_STORE_MAKE, &error));
    snprintf(path, sizeof path, "%s/no.db", f->folder);
    FILE *file = fopen(path, "w");
    fputs(
        "this is a text of some length, and surely not a database of any kind, is it? No, it is not.",
        file);
    fclose(file);
    assert_null(wn_corpus_store_open(path, WN_STORE_MAKE, &error));
    assert_non_null(strstr(wn_buf_c_string(&error), "not a database"));
    unlink(path);
    wn_buf_free(&error);
}

/* ---- Postings ---------------------------------------------------------------------------- */

/* Appends a line for each entry of a block: the word and its pages, those that lost it with a -. */
static bool note_block(void *data, wn_str first, wn_str block)
{
    wn_buf *out = data;
    wn_block_reader reader = {.rest = block, .word = WN_STR("")};
    wn_postings list = {0};
    (void)first;
    while (wn_corpus_block_next(&reader)) {
        list.count = 0;
        wn_str postings = reader.postings;
        assert_true(wn_corpus_postings_read(&list, &postings));
        assert_int_equal(postings.len, 0);
        wn_buf_add(out, reader.word);
        for (uint32_t i = 0; i < list.count; i++)
            wn_buf_add_format(out, " %s%lld", list.items[i].level == WN_POSTING_GONE ? "-" : "",
                              (long long)list.items[i].id);
        wn_buf_add_char(out, '\n');
    }
    assert_int_equal(reader.rest.len, 0);
    wn_array_free(&list);
    return true;
}

static void gather(wn_gathered *gathered, int64_t id, wn_str stems, bool gone)
{
    wn_index_page index = {0};
    assert_true(wn_corpus_index_words(&index, WN_STR(""), stems));
    assert_true(wn_corpus_gathered_add(gathered, id, &index, gone));
    wn_corpus_index_free(&index);
}

static void check_postings(wn_gathered *gathered, const char *expected)
{
    wn_buf out = {0};
    wn_block_writer writer = {.write = note_block, .data = &out};
    assert_true(wn_corpus_gathered_write(gathered, &writer));
    assert_string_equal(wn_buf_c_string(&out), expected);
    wn_corpus_block_writer_free(&writer);
    wn_buf_free(&out);
}

/* Words that begin alike for eight bytes and more, and are as long as that, are told apart. */
static void postings_are_sorted_by_word(void **state)
{
    (void)state;
    wn_gathered gathered = {0};
    gather(&gathered, 7, WN_STR("mill internat internation b"), false);
    gather(&gathered, 8, WN_STR("internationalis mill internat"), false);
    gather(&gathered, 300, WN_STR("internation mill a"), false);
    check_postings(&gathered, "a 300\nb 7\ninternat 7 8\ninternation 7 300\ninternationalis 8\n"
                              "mill 7 8 300\n");
    check_postings(&gathered, ""); /* writing has emptied it */
    wn_corpus_gathered_free(&gathered);
}

/* Pages that come in any order, change and go: of each the last counts. */
static void the_last_posting_counts(void **state)
{
    (void)state;
    wn_gathered gathered = {0};
    gather(&gathered, 9, WN_STR("mill river"), false);
    gather(&gathered, 2, WN_STR("river"), false);
    gather(&gathered, 9, WN_STR("mill river"), true);
    gather(&gathered, 9, WN_STR("river wheel"), false);
    check_postings(&gathered, "mill -9\nriver 2 9\nwheel 9\n");
    wn_corpus_gathered_free(&gathered);
}

/* A block that is cut anywhere ends there, and nothing after it is read. */
static void damaged_blocks_end(void **state)
{
    (void)state;
    static const char block[] = "\4mill\2\10\20\0\1\30\5river\1\50";
    for (size_t length = 0; length < sizeof block; length++) {
        wn_block_reader reader = {.rest = wn_str_from(block, length), .word = WN_STR("")};
        size_t entries = 0;
        while (wn_corpus_block_next(&reader))
            entries++;
        assert_int_equal(entries, length < 8 ? 0 : length < 11 ? 1 : length < 19 ? 2 : 3);
        bool whole = length == 0 || length == 8 || length == 11 || length == sizeof block - 1;
        if (length < sizeof block) /* what is after the last whole entry shows that it is damaged */
            assert_int_equal(reader.rest.len == 0, whole);
    }
}

/* Numbers that do not end, or have more bits than there are, leave the bytes that they are made of. */
static void damaged_postings_are_told(void **state)
{
    (void)state;
    static const struct {
        wn_str bytes;
        uint32_t read;
    } cases[] = {
        {WN_STR("\x08\x11"), 2},
        {WN_STR("\x08\x91"), 1},
        {WN_STR("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), 1},
        {WN_STR("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"),
         2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wn_postings list = {0};
        wn_str rest = cases[i].bytes;
        assert_true(wn_corpus_postings_read(&list, &rest));
        assert_int_equal(list.count, cases[i].read);
        assert_int_equal(rest.len == 0, i == 0 || i == 3);
        wn_corpus_postings_sort(&list);
        wn_corpus_postings_drop_gone(&list);
        wn_array_free(&list);
    }
}

#define STORE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_are_siphash),
        cmocka_unit_test(words_have_levels),
        cmocka_unit_test(index_is_bounded),
        cmocka_unit_test(postings_are_sorted_by_word),
        cmocka_unit_test(the_last_posting_counts),
        cmocka_unit_test(damaged_blocks_end),
        cmocka_unit_test(damaged_postings_are_told),
        STORE_TEST(pages_come_out_as_they_went_in),
        STORE_TEST(a_page_is_there_once),
        STORE_TEST(what_is_rolled_back_was_never_there),
        STORE_TEST(ids_are_never_used_again),
        STORE_TEST(copies_are_marked_and_freed),
        STORE_TEST(hosts_have_hosts_below_them),
        STORE_TEST(one_page_is_got),
        STORE_TEST(odd_bytes_are_repaired),
        STORE_TEST(words_are_kept),
        STORE_TEST(notes_are_kept),
        STORE_TEST(what_is_no_store_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
