/*
 * What io reads: streams of compressed members, records of archives, robots.txt; and sets of names.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/names.h"
#include "io/robots.h"
#include "io/warc.h"

/* Processor seconds for what is quadratic if it is done badly: done well, it takes a hundredth of this. */
static const double LONG = 5;

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* A file that goes when it is closed, to be read from its start. */
static FILE *file_of(wn_str bytes)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.ptr, 1, bytes.len, file), bytes.len);
    rewind(file);
    return file;
}

static void add_gzip(wn_buf *out, wn_str bytes)
{
    wn_io_encoder *encoder = wn_io_encoder_new(WN_IO_CODEC_GZIP);
    assert_non_null(encoder);
    if (bytes.len == 0)
        assert_true(wn_io_encoder_add_empty(encoder, out));
    else
        assert_true(wn_io_encoder_add(encoder, bytes, out) && wn_io_encoder_end(encoder, out));
    wn_io_encoder_free(encoder);
}

/* An archive that is read from a file, from where the file is. */
typedef struct opened {
    FILE *file;
    wn_io_source source;
    wn_io_warc warc;
} opened;

static void open_again(opened *o)
{
    wn_io_source_open(&o->source, fileno(o->file));
    o->warc = (wn_io_warc){0};
    wn_io_warc_open(&o->warc, &o->source);
}

static void open_archive(opened *o, const wn_buf *bytes)
{
    o->file = file_of(wn_buf_str(bytes));
    open_again(o);
}

static void end_reading(opened *o)
{
    wn_io_warc_free(&o->warc);
    wn_io_source_close(&o->source);
}

static void close_archive(opened *o)
{
    end_reading(o);
    fclose(o->file);
}

static void add_record(wn_buf *out, const char *url, wn_str block)
{
    wn_buf_add_format(out,
                      "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: %s\r\nContent-Length: "
                      "%zu\r\n\r\n",
                      url, block.len);
    wn_buf_add(out, block);
    wn_buf_add_literal(out, "\r\n\r\n");
}

/* ---- Streams ----------------------------------------------------------------------------- */

static void marks_of_empty_members_do_not_add_up(void **state)
{
    (void)state;
    wn_buf bytes = {0}, empty = {0};
    add_gzip(&bytes, WN_STR("a"));
    add_gzip(&empty, WN_STR(""));
    for (int i = 0; i < 10000; i++)
        wn_buf_add(&bytes, wn_buf_str(&empty));
    size_t last = bytes.len;
    add_gzip(&bytes, WN_STR("b"));
    FILE *file = file_of(wn_buf_str(&bytes));
    wn_io_source source;
    wn_io_source_open(&source, fileno(file));
    wn_str all = wn_io_source_peek(&source, 2);
    assert_int_equal(all.len, 2);
    assert_memory_equal(all.ptr, "ab", 2);
    assert_true(source.marks.capacity < 100);
    wn_io_source_take(&source, 1);
    assert_int_equal(wn_io_source_place(&source).offset, last);
    wn_io_source_close(&source);
    fclose(file);
    wn_buf_free(&bytes);
    wn_buf_free(&empty);
}

/* Where memory is out the stream ends and says so; it does not go round in circles. */
static void no_memory_ends_a_stream(void **state)
{
    (void)state;
    wn_buf bytes = {0}, record = {0};
    add_record(&record, "http://example.org/", WN_STR("block"));
    for (int i = 0; i < 3; i++)
        add_gzip(&bytes, wn_buf_str(&record));
    opened o;
    wn_io_warc_record found;
    open_archive(&o, &bytes);
    o.source.out.max = 1; /* no room can be made */
    assert_false(wn_io_warc_next(&o.warc, &found));
    assert_non_null(o.source.error);
    close_archive(&o);
    wn_buf_free(&bytes);
    wn_buf_free(&record);
}

/* Standard input may be in the middle of a file; what is skipped then is not a jump to somewhere else. */
static void a_file_that_is_not_at_its_start(void **state)
{
    (void)state;
    enum { LARGE = 6 << 20 }; /* more than is read ahead */
    wn_buf bytes = {0}, block = {0};
    wn_buf_add_repeated(&block, 'x', LARGE);
    wn_buf_add_literal(&bytes, "something else\n");
    size_t before = bytes.len;
    add_record(&bytes, "http://example.org/1", wn_buf_str(&block));
    size_t second = bytes.len - before;
    add_record(&bytes, "http://example.org/2", WN_STR("last"));
    opened o = {.file = file_of(wn_buf_str(&bytes))};
    wn_io_warc_record found;
    lseek(fileno(o.file), (off_t)before, SEEK_SET);
    open_again(&o);
    assert_true(wn_io_warc_next(&o.warc, &found));
    assert_true(wn_io_warc_next(&o.warc, &found));
    assert_int_equal(found.place.offset, second);
    wn_str shown = wn_io_warc_view(&o.warc, &block, found.length);
    assert_true(wn_str_eq(shown, WN_STR("last")));
    assert_false(wn_io_warc_next(&o.warc, &found));
    assert_int_equal(o.warc.malformed + o.warc.truncated, 0);
    assert_false(o.source.seekable);
    close_archive(&o);
    wn_buf_free(&bytes);
    wn_buf_free(&block);
}

/* Bytes that lie in the stream are shown there; the others are read to the spare buffer. */
static void views_show_what_reads_give(void **state)
{
    (void)state;
    enum { LARGE = 9 << 20 };
    wn_buf block = {0}, bytes = {0}, spare = {0};
    for (uint32_t i = 0; block.len < LARGE; i++)
        wn_buf_add_format(&block, "%u ", i * 2654435761u);
    add_record(&bytes, "http://example.org/1", WN_STR("small"));
    add_record(&bytes, "http://example.org/2", wn_buf_str(&block));
    opened o;
    wn_io_warc_record found;
    open_archive(&o, &bytes);
    assert_true(wn_io_warc_next(&o.warc, &found));
    assert_true(wn_str_eq(wn_io_warc_view(&o.warc, &spare, found.length), WN_STR("small")));
    assert_int_equal(spare.len, 0);
    assert_true(wn_io_warc_next(&o.warc, &found));
    assert_true(wn_str_eq(wn_io_warc_view(&o.warc, &spare, found.length), wn_buf_str(&block)));
    assert_int_equal(o.warc.truncated, 0);
    close_archive(&o);
    wn_buf_free(&block);
    wn_buf_free(&bytes);
    wn_buf_free(&spare);
}

/* ---- Records ----------------------------------------------------------------------------- */

/* A header that is cut short does not take the fields of the next record for its own. */
static void a_header_ends_where_the_next_record_begins(void **state)
{
    (void)state;
    wn_buf bytes = {0};
    wn_buf_add_literal(&bytes, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:cut>\r\n");
    size_t second = bytes.len;
    add_record(&bytes, "http://example.org/", WN_STR("block"));
    opened o;
    wn_io_warc_record found;
    open_archive(&o, &bytes);
    assert_true(wn_io_warc_next(&o.warc, &found));
    assert_int_equal(found.place.offset, second);
    assert_int_equal(found.id.len, 0);
    assert_int_equal(o.warc.malformed, 1);
    assert_false(wn_io_warc_next(&o.warc, &found));
    close_archive(&o);
    wn_buf_free(&bytes);
}

/* A length that is wrong costs its own record, not those after it. */
static void a_block_that_goes_beyond_the_file_ends_before_the_next_record(void **state)
{
    (void)state;
    wn_buf bytes = {0}, block = {0};
    for (int i = 0; i < 3; i++) {
        wn_buf_add_literal(&bytes, "WARC/1.0\r\nContent-Length: 999999999\r\n\r\n");
        wn_buf_add_repeated(&bytes, 'x', i == 1 ? 200000 : 7);
        wn_buf_add_literal(&bytes, " WARC/1.0\r\nlast line\n");
    }
    add_record(&bytes, "http://example.org/", WN_STR("block"));
    opened o = {.file = file_of(wn_buf_str(&bytes))};
    for (int read = 0; read < 2; read++) {
        wn_io_warc_record found = {0};
        size_t count = 0;
        lseek(fileno(o.file), 0, SEEK_SET);
        open_again(&o);
        for (; wn_io_warc_next(&o.warc, &found); count++) {
            wn_str shown = read ? wn_io_warc_view(&o.warc, &block, found.length) : WN_STR("");
            wn_str end = wn_str_from_offset(shown, shown.len > 10 ? shown.len - 10 : 0);
            if (read)
                assert_true(wn_str_eq(end, count < 3 ? WN_STR("last line\n") : WN_STR("block")));
        }
        assert_int_equal(count, 4);
        assert_int_equal(o.warc.truncated, 3);
        assert_int_equal(o.warc.malformed, 0);
        end_reading(&o);
    }
    fclose(o.file);
    wn_buf_free(&bytes);
    wn_buf_free(&block);
}

static void many_first_lines_are_read_in_one_pass(void **state)
{
    (void)state;
    wn_buf bytes = {0};
    for (int i = 0; i < 200000; i++)
        wn_buf_add_literal(&bytes, "WARC/1.0\r\n");
    opened o;
    wn_io_warc_record found;
    double start = processor_seconds();
    open_archive(&o, &bytes);
    while (wn_io_warc_next(&o.warc, &found))
        ;
    assert_true(processor_seconds() - start < LONG);
    assert_true(o.warc.malformed > 0);
    close_archive(&o);
    wn_buf_free(&bytes);
}

/* ---- robots.txt -------------------------------------------------------------------------- */

static bool allows(const char *robots, const char *path)
{
    return wn_io_robots_allow(wn_str_of(robots), WN_STR("winnow"), wn_str_of(path));
}

static void robots_rules(void **state)
{
    (void)state;
    const char *rules =
        "User-agent: *\nDisallow: /a\nAllow: /a/b$\nDisallow: /*.php$\nDisallow: /x*y*z\n";
    assert_false(allows(rules, "/a"));
    assert_false(allows(rules, "/a/c"));
    assert_true(allows(rules, "/a/b"));
    assert_false(allows(rules, "/a/b/"));
    assert_false(allows(rules, "/i.php"));
    assert_true(allows(rules, "/i.php?x"));
    assert_false(allows(rules, "/p.php.php"));
    assert_false(allows(rules, "/x-y-z-"));
    assert_true(allows(rules, "/x-z-y"));
    assert_true(allows(rules, "/"));
    assert_false(allows("User-agent: *\nDisallow: *", "/"));
    assert_false(allows("User-agent: *\nDisallow: *$", "/any"));
    assert_true(allows("User-agent: *\nDisallow:\n", "/"));
}

static void robots_with_a_mark_before_them(void **state)
{
    (void)state;
    assert_false(allows("\xEF\xBB\xBFUser-agent: *\nDisallow: /\n", "/page"));
    assert_true(wn_io_robots_delay(WN_STR("\xEF\xBB\xBFUser-agent: winnow\nCrawl-delay: 3"),
                                   WN_STR("winnow")) == 3);
}

/* https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2 has most of these. */
static void robots_compare_what_addresses_mean(void **state)
{
    (void)state;
    static const struct {
        const char *rule, *path;
    } same[] = {
        {"/foo/bar?baz=quz", "/foo/bar?baz=quz"},
        {"/foo/bar/\xE3\x83\x84", "/foo/bar/%E3%83%84"},
        {"/foo/bar/%E3%83%84", "/foo/bar/%e3%83%84"},
        {"/foo/bar/%62%61%7A", "/foo/bar/baz"},
        {"/~joe/", "/%7Ejoe/index.html"},
        {"/a%3cd.html", "/a%3Cd.html"},
    };
    wn_buf rules = {0};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        wn_buf_clear(&rules);
        wn_buf_add_format(&rules, "User-agent: *\nDisallow: %s\n", same[i].rule);
        assert_false(allows(wn_buf_c_string(&rules), same[i].path));
    }
    wn_buf_free(&rules);
    assert_true(allows("User-agent: *\nDisallow: /a/b\n", "/a%2Fb"));
}

/* The rule of the standard, tried in every way. */
static bool fits_slowly(const char *pattern, const char *path)
{
    if (pattern[0] == '\0' || (pattern[0] == '$' && pattern[1] == '\0' && path[0] == '\0'))
        return true;
    if (pattern[0] == '*')
        return fits_slowly(pattern + 1, path) || (path[0] && fits_slowly(pattern, path + 1));
    return path[0] && pattern[0] == path[0] && !(pattern[0] == '$' && pattern[1] == '\0') &&
           fits_slowly(pattern + 1, path + 1);
}

/* "/" and up to 8 of the characters of `set`, at random. */
static void fill(char text[12], const char *set, uint32_t *seed)
{
    uint32_t length = (*seed = *seed * 1103515245u + 12345u) >> 16 & 7;
    text[0] = '/';
    for (uint32_t i = 0; i < length; i++)
        text[i + 1] = set[((*seed = *seed * 1103515245u + 12345u) >> 16) % strlen(set)];
    text[length + 1] = '\0';
}

static void patterns_fit_as_the_slow_rule_says(void **state)
{
    (void)state;
    wn_buf rules = {0};
    uint32_t seed = 7;
    int fitting = 0;
    for (int round = 0; round < 20000; round++) {
        char pattern[12], path[12];
        fill(pattern, "aabb**$", &seed);
        fill(path, "aaabbb$", &seed);
        if (round % 4 == 0)
            strcat(pattern, "$");
        wn_buf_clear(&rules);
        wn_buf_add_format(&rules, "User-agent: *\nDisallow: %s\n", pattern);
        bool fits = fits_slowly(pattern, path);
        fitting += fits;
        if (allows(wn_buf_c_string(&rules), path) == fits)
            fail_msg("'%s' and '%s'", pattern, path);
    }
    assert_in_range(fitting, 1000, 19000);
    wn_buf_free(&rules);
}

/* Half a megabyte of rules, each of which nearly fits at every place of a long path. */
static void hostile_robots_take_no_time(void **state)
{
    (void)state;
    wn_buf rules = {0}, path = {0};
    wn_buf_add_literal(&rules, "User-agent: *\n");
    while (rules.len < WN_IO_ROBOTS_MAX) {
        wn_buf_add_literal(&rules, "Disallow: /*");
        wn_buf_add_repeated(&rules, 'a', 500);
        wn_buf_add_literal(&rules, "b\n");
    }
    wn_buf_add_char(&path, '/');
    wn_buf_add_repeated(&path, 'a', 8000);
    double start = processor_seconds();
    assert_true(allows(wn_buf_c_string(&rules), wn_buf_c_string(&path)));
    assert_true(processor_seconds() - start < LONG / 5);
    wn_buf_free(&rules);
    wn_buf_free(&path);
}

/* ---- Names ------------------------------------------------------------------------------- */

static void names_say_when_memory_is_out(void **state)
{
    (void)state;
    wn_io_names names;
    bool added;
    wn_io_names_init(&names);
    names.arena.max = 1;
    assert_true(wn_io_names_add(&names, WN_STR("http://example.org/"), &added) == WN_IO_NO_NAME);
    assert_false(added);
    assert_int_equal(names.strings.count, 0);
    wn_io_names_free(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_of_empty_members_do_not_add_up),
        cmocka_unit_test(no_memory_ends_a_stream),
        cmocka_unit_test(a_file_that_is_not_at_its_start),
        cmocka_unit_test(views_show_what_reads_give),
        cmocka_unit_test(a_header_ends_where_the_next_record_begins),
        cmocka_unit_test(a_block_that_goes_beyond_the_file_ends_before_the_next_record),
        cmocka_unit_test(many_first_lines_are_read_in_one_pass),
        cmocka_unit_test(robots_rules),
        cmocka_unit_test(robots_with_a_mark_before_them),
        cmocka_unit_test(robots_compare_what_addresses_mean),
        cmocka_unit_test(patterns_fit_as_the_slow_rule_says),
        cmocka_unit_test(hostile_robots_take_no_time),
        cmocka_unit_test(names_say_when_memory_is_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
