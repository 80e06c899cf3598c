/*
 * libwinnow-io through its public header. Only the archives are made with what is inside.
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

#include <winnow-io.h>

#include "base/buf.h"
#include "io/codec.h"

/*
 * Processor seconds for what is quadratic if it is done badly: done well, it takes a hundredth of
 * this.
 */
static const double LONG = 5;

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* ---- Archives to be read ----------------------------------------------------------------- */

static const wn_io_codec codecs[] = {WN_IO_CODEC_NONE, WN_IO_CODEC_GZIP, WN_IO_CODEC_ZSTD,
                                     WN_IO_CODEC_LZ4};
enum { CODECS = sizeof codecs / sizeof *codecs };

/* Adds bytes to an archive, as a piece of its own if it is compressed. */
static void add_piece(wn_buf *archive, wn_io_codec codec, const wn_buf *bytes)
{
    if (codec == WN_IO_CODEC_NONE) {
        wn_buf_add(archive, wn_buf_str(bytes));
        return;
    }
    wn_io_encoder *encoder = wn_io_encoder_new(codec);
    assert_non_null(encoder);
    assert_true(wn_io_encoder_add(encoder, wn_buf_str(bytes), archive));
    assert_true(wn_io_encoder_end(encoder, archive));
    wn_io_encoder_free(encoder);
}

static void add_record(wn_buf *out, const char *type, int number, const char *content_type,
                       const char *block)
{
    wn_buf_add_format(
        out,
        "WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:uuid:%d>\r\n"
        "WARC-Target-URI: http://example.org/%d\r\nWARC-Date: 2024-05-03T10:11:12Z\r\n"
        "Content-Type: %s\r\nContent-Length: %zu\r\n\r\n%s\r\n\r\n",
        type, number, number, content_type, strlen(block), block);
}

static void add_response(wn_buf *out, int number, const char *type, const char *body)
{
    wn_buf block = {0};
    wn_buf_add_format(&block,
                      "HTTP/1.1 200 OK\r\nContent-Type: %s; charset=\"ISO-8859-2\"\r\n\r\n%s", type,
                      body);
    add_record(out, "response", number, "application/http;msgtype=response",
               wn_buf_c_string(&block));
    wn_buf_free(&block);
}

/* Seven records, five of them responses. */
static void make_warc(wn_buf *archive, wn_io_codec codec)
{
    wn_buf record = {0};
    for (int i = 0; i < 7; i++) {
        char body[200];
        wn_buf_clear(&record);
        snprintf(body, sizeof body, "<html><title>%d</title>\n<p>Page %d.\n\n\nEnd %*d", i, i,
                 i * 9, i);
        if (i == 0)
            add_record(&record, "warcinfo", i, "application/warc-fields", "software: none\r\n");
        else if (i == 3)
            add_record(&record, "conversion", i, "text/plain", "Plain text of a page.\n");
        else
            add_response(&record, i, "Text/HTML", body);
        add_piece(archive, codec, &record);
    }
    wn_buf_free(&record);
}

/*
 * Lines of different lengths, an empty one among them, two or so to a piece; they cross the pieces.
 */
static void make_lines(wn_buf *archive, wn_io_codec codec)
{
    wn_buf all = {0}, piece = {0};
    for (int i = 0; i < 12; i++) {
        wn_buf_add_format(&all, "{\"id\": %d, \"url\": \"http://example.org/%d\", \"html\": ", i,
                          i);
        wn_buf_add_format(&all, "\"<p>Page %d%*d</p>\"}\n%s", i, i * 7, i, i == 5 ? "\n" : "");
    }
    for (size_t start = 0; start < all.len; start += piece.len) {
        wn_buf_clear(&piece);
        wn_buf_add(&piece, wn_str_from_offset(wn_buf_str(&all), start));
        if (piece.len > 131)
            piece.len = 131;
        add_piece(archive, codec, &piece);
    }
    wn_buf_free(&all);
    wn_buf_free(&piece);
}

/* ---- Reading them ------------------------------------------------------------------------ */

/* Adds a line for each record: all that it says. */
static void add_records(wn_buf *out, winnow_reader *reader)
{
    const winnow_archive_record *r;
    assert_non_null(reader);
    while ((r = winnow_reader_next(reader))) {
        assert_non_null(r->body);
        wn_buf_add_format(out, "%s %s %s %s %d %s %s %d%d%d %llu+%llu %llu %zu|", r->type_name,
                          r->id, r->url, r->date, r->status, r->media_type, r->charset, r->is_page,
                          r->truncated, r->damaged, (unsigned long long)r->offset,
                          (unsigned long long)r->inner, (unsigned long long)r->length, r->size);
        wn_buf_add(out, wn_str_from(r->body, r->size));
        wn_buf_add_literal(out, r->problem);
        wn_buf_add_char(out, '\n');
    }
    assert_null(winnow_reader_next(reader));
}

static void add_range(wn_buf *out, const wn_buf *archive, uint64_t start, uint64_t end)
{
    winnow_reader_settings settings = {.struct_size = sizeof settings, .start = start, .end = end};
    winnow_reader *reader = winnow_reader_open_memory(archive->ptr, archive->len, &settings);
    add_records(out, reader);
    assert_int_equal(winnow_reader_error(reader)->status, WINNOW_STATUS_OK);
    assert_string_equal(winnow_reader_error(reader)->message, "");
    winnow_reader_close(reader);
}

static void assert_same(const wn_buf *a, const wn_buf *b)
{
    if (!wn_str_eq(wn_buf_str(a), wn_buf_str(b)))
        fail_msg("\n%.*s\n--- and ---\n%.*s", WN_STR_ARGS(wn_buf_str(a)),
                 WN_STR_ARGS(wn_buf_str(b)));
}

static size_t count_lines(const wn_buf *text)
{
    size_t count = 0;
    for (size_t i = 0; i < text->len; i++)
        count += text->ptr[i] == '\n';
    return count;
}

/* ---- Records ----------------------------------------------------------------------------- */

static void records_have_all_members(void **state)
{
    (void)state;
    wn_buf archive = {0};
    make_warc(&archive, WN_IO_CODEC_GZIP);
    winnow_reader *reader = winnow_reader_open_memory(archive.ptr, archive.len, NULL);
    const winnow_archive_record *r = winnow_reader_next(reader);
    assert_int_equal(winnow_reader_kind(reader), WINNOW_ARCHIVE_WARC);
    assert_int_equal(r->type, WINNOW_RECORD_WARCINFO);
    assert_int_equal(r->offset, 0);
    uint64_t second = r->length;
    r = winnow_reader_next(reader);
    assert_int_equal(r->type, WINNOW_RECORD_RESPONSE);
    assert_string_equal(r->type_name, "response");
    assert_string_equal(r->id, "<urn:uuid:1>");
    assert_string_equal(r->url, "http://example.org/1");
    assert_string_equal(r->date, "2024-05-03T10:11:12Z");
    assert_int_equal(r->status, 200);
    assert_string_equal(r->media_type, "text/html");
    assert_string_equal(r->charset, "ISO-8859-2");
    assert_true(r->is_page && !r->truncated && !r->damaged);
    assert_int_equal(r->offset, second);
    assert_int_equal(r->inner, 0);
    assert_memory_equal(r->body, "<html><title>1", 14);
    assert_memory_equal(r->header, "WARC/1.0\r\n", 10);
    assert_memory_equal(r->http_header, "HTTP/1.1 200 OK\r\n", 17);
    winnow_reader_next(reader);
    r = winnow_reader_next(reader);
    assert_int_equal(r->type, WINNOW_RECORD_CONVERSION);
    assert_string_equal(r->media_type, "text/plain");
    assert_true(r->is_page); /* the text of a page, as in WET files */
    assert_memory_equal(r->body, "Plain text", 10);
    while (r->offset + r->length < archive.len)
        r = winnow_reader_next(reader);
    assert_null(winnow_reader_next(reader));
    winnow_reader_close(reader);
    wn_buf_free(&archive);
}

static winnow_reader *open_lazily(const wn_buf *archive)
{
    winnow_reader_settings settings = {.struct_size = sizeof settings, .lazy = true};
    return winnow_reader_open_memory(archive->ptr, archive->len, &settings);
}

/* Records without their bodies say the same of themselves, and the bodies can be had. */
static void bodies_can_wait(void **state)
{
    (void)state;
    wn_buf archive = {0};
    make_warc(&archive, WN_IO_CODEC_GZIP);
    winnow_reader *whole = winnow_reader_open_memory(archive.ptr, archive.len, NULL);
    winnow_reader *lazy = open_lazily(&archive);
    const winnow_archive_record *w, *l;
    while ((w = winnow_reader_next(whole))) {
        l = winnow_reader_next(lazy);
        assert_non_null(l);
        assert_int_equal(l->size, 0);
        assert_int_equal(l->length, 0);
        assert_int_equal(l->status, w->status);
        assert_string_equal(l->media_type, w->media_type);
        assert_string_equal(l->content_type, w->content_type);
        assert_int_equal(l->block_size, w->http_header_size + w->size);
        assert_int_equal(l->is_page, w->is_page);
        assert_int_equal(l->http_header_size, w->http_header_size);
        assert_memory_equal(l->http_header, w->http_header, w->http_header_size);
        assert_ptr_equal(winnow_reader_body(lazy), l);
        assert_int_equal(l->length, w->length);
        assert_int_equal(l->size, w->size);
        assert_memory_equal(l->body, w->body, w->size);
    }
    assert_null(winnow_reader_next(lazy));
    winnow_reader_close(whole);
    winnow_reader_close(lazy);
    wn_buf_free(&archive);
}

static void blocks_places_and_a_summary(void **state)
{
    (void)state;
    wn_buf archive = {0}, block = {0};
    make_warc(&archive, WN_IO_CODEC_GZIP);
    winnow_reader *reader = open_lazily(&archive);
    assert_int_equal(winnow_reader_error(reader)->status, WINNOW_STATUS_OK); /* nothing is read */
    winnow_reader_next(reader);
    uint64_t place = winnow_reader_next(reader)->offset;
    while (winnow_reader_next(reader))
        ;
    assert_true(winnow_reader_seek(reader, place, 0));
    const winnow_archive_record *record = winnow_reader_next(reader);
    assert_string_equal(record->url, "http://example.org/1");
    const void *bytes;
    for (size_t size; (size = winnow_reader_block(reader, &bytes)) > 0;)
        wn_buf_add(&block, wn_str_from(bytes, size));
    assert_int_equal(block.len, record->block_size);
    assert_true(wn_str_starts(wn_buf_str(&block), WN_STR("HTTP/1.1 200 OK")));
    winnow_reader_summary seen = {.struct_size = sizeof seen};
    winnow_reader_summarise(reader, &seen);
    assert_true(seen.seekable && !seen.arc && !seen.error);
    assert_string_equal(seen.compression, "gzip");
    assert_int_equal(seen.cut_short + seen.malformed, 0);
    winnow_reader_close(reader);
    winnow_reader_summarise(NULL, &seen);
    assert_int_equal(seen.records, 0);
    assert_null(winnow_reader_body(NULL));
    assert_int_equal(winnow_reader_block(NULL, NULL), 0);
    assert_false(winnow_reader_seek(NULL, 0, 0));
    wn_buf_free(&archive);
    wn_buf_free(&block);
}

/* A page on disk may use sheets beside it; the options then have a loader and a base for it. */
static void sheets_are_offered(void **state)
{
    (void)state;
    winnow_sheets_settings settings = {.struct_size = sizeof settings};
    winnow_sheets *sheets = winnow_sheets_new(&settings);
    winnow_options *options = winnow_options_new();
    const char *names[] = {"/", NULL};
    winnow_input file = {.kind = WINNOW_INPUT_FOUND, .id = "/etc/hostname"};
    winnow_input record = {.kind = WINNOW_INPUT_RECORD, .id = "1"};
    assert_int_equal(winnow_sheets_offer(sheets, &file, names, NULL, options), WINNOW_STATUS_OK);
    assert_true(strstr(winnow_options_text(options, WINNOW_OPTION_SHEET_BASE), "/etc/hostname"));
    assert_int_equal(winnow_sheets_offer(sheets, &record, names, NULL, options), WINNOW_STATUS_OK);
    assert_null(winnow_options_text(options, WINNOW_OPTION_SHEET_BASE));
    assert_string_equal(winnow_sheets_problem(sheets), "");
    assert_int_equal(winnow_sheets_offer(sheets, NULL, names, NULL, options),
                     WINNOW_STATUS_BAD_ARGUMENT);
    assert_null(winnow_sheets_new(&(winnow_sheets_settings){.struct_size = 1}));
    winnow_options_free(options);
    winnow_sheets_free(sheets);
    winnow_sheets_free(NULL);
}

/*
 * The last of several records in one compressed piece says how long the piece is, the others do
 * not.
 */
static void records_may_share_a_piece(void **state)
{
    (void)state;
    wn_buf plain = {0}, archive = {0};
    make_warc(&plain, WN_IO_CODEC_NONE);
    add_piece(&archive, WN_IO_CODEC_ZSTD, &plain);
    winnow_reader *reader = winnow_reader_open_memory(archive.ptr, archive.len, NULL);
    const winnow_archive_record *r;
    uint64_t inner = 0;
    for (int i = 0; i < 7; i++) {
        r = winnow_reader_next(reader);
        assert_int_equal(r->offset, 0);
        assert_int_equal(r->length, i < 6 ? 0 : archive.len);
        assert_true(i == 0 || r->inner > inner);
        inner = r->inner;
    }
    assert_null(winnow_reader_next(reader));
    winnow_reader_close(reader);
    wn_buf_free(&plain);
    wn_buf_free(&archive);
}

static void bodies_are_decoded(void **state)
{
    (void)state;
    wn_buf body = {0}, packed = {0}, block = {0}, archive = {0};
    wn_buf_add_literal(&body, "<html><p>Compressed, and in two chunks.");
    add_piece(&packed, WN_IO_CODEC_GZIP, &body);
    wn_buf_add_literal(&block,
                       "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Type: text/html"
                       "\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n");
    wn_buf_add(&block, wn_str_from(packed.ptr, 5));
    wn_buf_add_format(&block, "\r\n%zx\r\n", packed.len - 5);
    wn_buf_add(&block, wn_str_from_offset(wn_buf_str(&packed), 5));
    wn_buf_add_literal(&block, "\r\n0\r\n\r\n");
    wn_buf_add_format(
        &archive,
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: <http://example.org/>\r\n"
        "Content-Length: %zu\r\n\r\n",
        block.len);
    wn_buf_add(&archive, wn_buf_str(&block));
    winnow_reader *reader = winnow_reader_open_memory(archive.ptr, archive.len, NULL);
    const winnow_archive_record *r = winnow_reader_next(reader);
    assert_non_null(r);
    assert_true(wn_str_eq(wn_str_from(r->body, r->size), wn_buf_str(&body)));
    assert_string_equal(r->url, "http://example.org/");
    assert_int_equal(r->length, archive.len);
    winnow_reader_close(reader);
    wn_buf_free(&body);
    wn_buf_free(&packed);
    wn_buf_free(&block);
    wn_buf_free(&archive);
}

static void arc_files(void **state)
{
    (void)state;
    static const char archive[] =
        "filedesc://x.arc 0.0.0.0 20060101000000 text/plain 20\n1 0 InternetArchive\n\n"
        "http://example.org/a 127.0.0.1 20060101000001 text/html 47\n"
        "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<p>A\n\n"
        "http://example.org/b 127.0.0.1 20060101000002 text/html 47\n"
        "HTTP/1.0 404 No\r\nContent-Type: text/html\r\n\r\n<p>B\n";
    winnow_reader *reader = winnow_reader_open_memory(archive, sizeof archive - 1, NULL);
    assert_int_equal(winnow_reader_next(reader)->type, WINNOW_RECORD_WARCINFO);
    const winnow_archive_record *r = winnow_reader_next(reader);
    assert_int_equal(r->type, WINNOW_RECORD_RESPONSE);
    assert_string_equal(r->url, "http://example.org/a");
    assert_string_equal(r->date, "20060101000001");
    assert_true(r->is_page);
    r = winnow_reader_next(reader);
    assert_int_equal(r->status, 404);
    assert_false(r->is_page);
    assert_null(winnow_reader_next(reader));
    winnow_reader_close(reader);
}

static void lines_of_json(void **state)
{
    (void)state;
    static const char archive[] =
        "\xEF\xBB\xBF{\"page\": \"<p>\\u00e4\", \"where\": \"http://example.org/\", \"n\": 7}\n"
        "\n{\"html\": 1}\n{broken\n{\"page\": \"last\"}";
    winnow_reader_settings settings = {.struct_size = sizeof settings,
                                       .html_field = "page",
                                       .url_field = "where",
                                       .id_field = "n"};
    winnow_reader *reader = winnow_reader_open_memory(archive, sizeof archive - 1, &settings);
    const winnow_archive_record *r = winnow_reader_next(reader);
    assert_int_equal(winnow_reader_kind(reader), WINNOW_ARCHIVE_JSONL);
    assert_int_equal(r->type, WINNOW_RECORD_PAGE);
    assert_string_equal(r->id, "7");
    assert_string_equal(r->url, "http://example.org/");
    assert_string_equal(r->media_type, "text/html");
    assert_string_equal(r->charset, "utf-8");
    assert_int_equal(r->size, 5);
    assert_memory_equal(r->body, "<p>\xC3\xA4", 5);
    r = winnow_reader_next(reader);
    assert_string_equal(r->problem, "the line has no text field 'page'");
    assert_true(r->damaged && !r->is_page && r->size == 0);
    assert_true(winnow_reader_next(reader)->damaged);
    assert_memory_equal(winnow_reader_next(reader)->body, "last", 4);
    assert_null(winnow_reader_next(reader));
    winnow_reader_close(reader);
    settings.pages_only = true;
    reader = winnow_reader_open_memory(archive, sizeof archive - 1, &settings);
    winnow_reader_next(reader);
    assert_memory_equal(winnow_reader_next(reader)->body, "last", 4);
    assert_null(winnow_reader_next(reader));
    winnow_reader_close(reader);
}

static void any_other_file_is_a_page(void **state)
{
    (void)state;
    wn_buf page = {0}, packed = {0};
    wn_buf_add_literal(&page, "<!doctype html><p>Text.");
    add_piece(&packed, WN_IO_CODEC_LZ4, &page);
    winnow_reader *reader = winnow_reader_open_memory(packed.ptr, packed.len, NULL);
    assert_int_equal(winnow_reader_kind(reader), WINNOW_ARCHIVE_PAGE);
    const winnow_archive_record *r = winnow_reader_next(reader);
    assert_true(r->is_page);
    assert_true(wn_str_eq(wn_str_from(r->body, r->size), wn_buf_str(&page)));
    assert_null(winnow_reader_next(reader));
    winnow_reader_close(reader);
    reader = winnow_reader_open_memory("", 0, NULL);
    assert_null(winnow_reader_next(reader));
    assert_int_equal(winnow_reader_error(reader)->status, WINNOW_STATUS_OK);
    winnow_reader_close(reader);
    wn_buf_free(&page);
    wn_buf_free(&packed);
}

static void long_records_are_cut(void **state)
{
    (void)state;
    wn_buf archive = {0};
    make_warc(&archive, WN_IO_CODEC_GZIP);
    winnow_reader_settings settings = {
        .struct_size = sizeof settings, .max_record = 10, .pages_only = true};
    winnow_reader *reader = winnow_reader_open_memory(archive.ptr, archive.len, &settings);
    int count = 0;
    for (const winnow_archive_record *r; (r = winnow_reader_next(reader)); count++) {
        assert_int_equal(r->size, 10);
        assert_true(r->truncated);
    }
    assert_int_equal(count, 6);
    assert_int_equal(winnow_reader_error(reader)->status, WINNOW_STATUS_OK);
    winnow_reader_close(reader);
    wn_buf_free(&archive);
}

/* ---- Ranges ------------------------------------------------------------------------------ */

/* Wherever a file is cut, the parts have all records, each once and in order. */
static void check_ranges(const wn_buf *archive)
{
    wn_buf whole = {0}, parts = {0};
    add_range(&whole, archive, 0, 0);
    for (uint64_t cut = 1; cut <= archive->len; cut++) {
        wn_buf_clear(&parts);
        add_range(&parts, archive, 0, cut);
        add_range(&parts, archive, cut, 0);
        assert_same(&parts, &whole);
    }
    for (uint64_t step = 7; step < archive->len; step += step) {
        wn_buf_clear(&parts);
        for (uint64_t start = 0; start < archive->len; start += step)
            add_range(&parts, archive, start, start + step);
        assert_same(&parts, &whole);
    }
    wn_buf_free(&whole);
    wn_buf_free(&parts);
}

static void ranges_are_a_partition(void **state)
{
    (void)state;
    for (size_t i = 0; i < CODECS; i++) {
        wn_buf archive = {0};
        make_warc(&archive, codecs[i]);
        check_ranges(&archive);
        wn_buf_clear(&archive);
        make_lines(&archive, codecs[i]);
        check_ranges(&archive);
        wn_buf_free(&archive);
    }
}

/* A record is in the range that it starts in, to the byte. */
static void ranges_begin_at_records(void **state)
{
    (void)state;
    for (size_t i = 0; i < CODECS; i++) {
        wn_buf archive = {0}, found = {0};
        make_warc(&archive, codecs[i]);
        winnow_reader *reader = winnow_reader_open_memory(archive.ptr, archive.len, NULL);
        winnow_reader_next(reader);
        const winnow_archive_record *second = winnow_reader_next(reader);
        add_range(&found, &archive, second->offset, second->offset + 1);
        assert_non_null(strstr(wn_buf_c_string(&found), "uuid:1>"));
        assert_null(strstr(wn_buf_c_string(&found), "uuid:2>"));
        wn_buf_clear(&found);
        add_range(&found, &archive, second->offset + 1, second->offset + 2);
        assert_int_equal(found.len, 0);
        winnow_reader_close(reader);
        wn_buf_free(&archive);
        wn_buf_free(&found);
    }
}

/* ---- Where bytes come from --------------------------------------------------------------- */

typedef struct slow_bytes {
    const wn_buf *bytes;
    size_t next;
    size_t fail_at; /* 0: never */
    int seeks;
} slow_bytes;

/* One byte, then two, then three, … */
static int64_t read_slowly(void *data, void *buffer, size_t size)
{
    slow_bytes *s = data;
    size_t left = s->bytes->len - s->next, count = s->next % 3 + 1;
    if (s->fail_at && s->next >= s->fail_at)
        return -1;
    if (count > left)
        count = left;
    if (count > size)
        count = size;
    memcpy(buffer, s->bytes->ptr + s->next, count);
    s->next += count;
    return (int64_t)count;
}

static bool seek_slowly(void *data, uint64_t offset)
{
    slow_bytes *s = data;
    s->next = (size_t)offset;
    s->seeks++;
    return offset <= s->bytes->len;
}

static void short_reads_give_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < CODECS * 2; i++) {
        wn_buf archive = {0}, whole = {0}, found = {0};
        if (i < CODECS)
            make_warc(&archive, codecs[i]);
        else
            make_lines(&archive, codecs[i - CODECS]);
        add_range(&whole, &archive, 0, 0);
        slow_bytes slow = {.bytes = &archive};
        winnow_stream stream = {.struct_size = sizeof stream, .read = read_slowly, .data = &slow};
        winnow_reader *reader = winnow_reader_open_stream(&stream, NULL);
        add_records(&found, reader);
        assert_same(&found, &whole);
        winnow_reader_close(reader);

        /* A range of it, with and without a way to get there. */
        for (int seekable = 0; seekable < 2; seekable++) {
            winnow_reader_settings settings = {.struct_size = sizeof settings,
                                               .start = archive.len / 2};
            slow = (slow_bytes){.bytes = &archive};
            stream.seek = seekable ? seek_slowly : NULL;
            wn_buf_clear(&whole);
            wn_buf_clear(&found);
            add_range(&whole, &archive, archive.len / 2, 0);
            reader = winnow_reader_open_stream(&stream, &settings);
            add_records(&found, reader);
            assert_same(&found, &whole);
            assert_int_equal(slow.seeks > 0, seekable);
            winnow_reader_close(reader);
        }
        wn_buf_free(&archive);
        wn_buf_free(&whole);
        wn_buf_free(&found);
    }
}

static void a_stream_that_fails(void **state)
{
    (void)state;
    wn_buf archive = {0}, found = {0};
    make_warc(&archive, WN_IO_CODEC_NONE);
    slow_bytes slow = {.bytes = &archive, .fail_at = archive.len / 2};
    winnow_stream stream = {.struct_size = sizeof stream, .read = read_slowly, .data = &slow};
    winnow_reader *reader = winnow_reader_open_stream(&stream, NULL);
    add_records(&found, reader);
    assert_in_range(count_lines(&found), 3, 30);
    assert_int_equal(winnow_reader_error(reader)->status, WINNOW_STATUS_UNREADABLE);
    winnow_reader_close(reader);
    wn_buf_free(&archive);
    wn_buf_free(&found);
}

static void files_and_descriptors(void **state)
{
    (void)state;
    char path[] = "/tmp/winnow-io-XXXXXX";
    wn_buf archive = {0}, whole = {0}, found = {0};
    make_warc(&archive, WN_IO_CODEC_ZSTD);
    add_range(&whole, &archive, 0, 0);
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, archive.ptr, archive.len) == (ssize_t)archive.len);
    winnow_reader *reader = winnow_reader_open(path, NULL);
    add_records(&found, reader);
    assert_same(&found, &whole);
    winnow_reader_close(reader);
    wn_buf_clear(&found);
    lseek(fd, 0, SEEK_SET);
    reader = winnow_reader_open_descriptor(fd, NULL);
    add_records(&found, reader);
    assert_same(&found, &whole);
    winnow_reader_close(reader);
    assert_int_equal(close(fd), 0);
    unlink(path);
    reader = winnow_reader_open(path, NULL);
    assert_null(winnow_reader_next(reader));
    assert_int_equal(winnow_reader_error(reader)->status, WINNOW_STATUS_UNREADABLE);
    assert_string_equal(winnow_reader_error(reader)->message, "No such file or directory");
    winnow_reader_close(reader);
    reader = winnow_reader_open("/", NULL);
    assert_null(winnow_reader_next(reader));
    assert_int_equal(winnow_reader_error(reader)->status, WINNOW_STATUS_UNREADABLE);
    winnow_reader_close(reader);
    wn_buf_free(&archive);
    wn_buf_free(&whole);
    wn_buf_free(&found);
}

/* ---- What is wrong ----------------------------------------------------------------------- */

static void damage_is_passed_over(void **state)
{
    (void)state;
    for (size_t i = 1; i < CODECS; i++) {
        wn_buf archive = {0}, found = {0};
        make_warc(&archive, codecs[i]);
        winnow_reader *reader = winnow_reader_open_memory(archive.ptr, archive.len, NULL);
        winnow_reader_next(reader);
        const winnow_archive_record *second = winnow_reader_next(reader);
        memset(archive.ptr + second->offset + second->length / 2, 0x55, 20);
        winnow_reader_close(reader);
        reader = winnow_reader_open_memory(archive.ptr, archive.len, NULL);
        add_records(&found, reader);
        assert_in_range(count_lines(&found), 6, 60);
        assert_non_null(strstr(wn_buf_c_string(&found), "uuid:2>"));
        assert_int_equal(winnow_reader_error(reader)->status, WINNOW_STATUS_PARTIAL);
        assert_memory_equal(winnow_reader_error(reader)->message, "damaged in ", 11);
        winnow_reader_close(reader);
        wn_buf_free(&archive);
        wn_buf_free(&found);
    }
}

/* Archives that end anywhere: no crash, and what is there is read. */
static void every_prefix_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < CODECS * 2; i++) {
        wn_buf archive = {0};
        if (i < CODECS)
            make_warc(&archive, codecs[i]);
        else
            make_lines(&archive, codecs[i - CODECS]);
        for (size_t length = 0; length < archive.len; length++) {
            char *exact = malloc(length + 1); /* so that a byte too many is noticed */
            memcpy(exact, archive.ptr, length);
            winnow_reader_settings settings = {.struct_size = sizeof settings,
                                               .start = length % 3 ? 0 : length / 3};
            winnow_reader *reader = winnow_reader_open_memory(exact, length, &settings);
            while (winnow_reader_next(reader))
                ;
            assert_non_null(winnow_reader_error(reader)->message);
            winnow_reader_close(reader);
            free(exact);
        }
        wn_buf_free(&archive);
    }
}

/* Bytes that look like starts of pieces all the time, and never are. */
static void hostile_pieces_take_no_time(void **state)
{
    (void)state;
    wn_buf archive = {0}, record = {0};
    add_response(&record, 1, "text/html", "<html><p>Text.");
    add_piece(&archive, WN_IO_CODEC_GZIP, &record);
    for (int i = 0; i < 400000; i++)
        wn_buf_add(&archive, WN_STR("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"));
    double begin = processor_seconds();
    for (int kind = WINNOW_ARCHIVE_WARC; kind <= WINNOW_ARCHIVE_JSONL; kind++) {
        winnow_reader_settings settings = {
            .struct_size = sizeof settings, .kind = (winnow_archive_kind)kind, .start = 100};
        winnow_reader *reader = winnow_reader_open_memory(archive.ptr, archive.len, &settings);
        while (winnow_reader_next(reader))
            ;
        winnow_reader_close(reader);
    }
    assert_true(processor_seconds() - begin < LONG);
    wn_buf_free(&archive);
    wn_buf_free(&record);
}

static void wrong_arguments(void **state)
{
    (void)state;
    winnow_reader_settings settings = {.struct_size = 0};
    assert_null(winnow_reader_next(NULL));
    assert_int_equal(winnow_reader_error(NULL)->status, WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_reader_kind(NULL), WINNOW_ARCHIVE_DETECT);
    winnow_reader_close(NULL);
    winnow_reader *readers[] = {
        winnow_reader_open(NULL, NULL),
        winnow_reader_open_memory(NULL, 5, NULL),
        winnow_reader_open_stream(NULL, NULL),
        winnow_reader_open_stream(&(winnow_stream){.struct_size = sizeof(winnow_stream)}, NULL),
        winnow_reader_open_memory("x", 1, &settings),
    };
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        assert_null(winnow_reader_next(readers[i]));
        assert_int_equal(winnow_reader_error(readers[i])->status, WINNOW_STATUS_BAD_ARGUMENT);
        assert_true(winnow_reader_error(readers[i])->message[0]);
        winnow_reader_close(readers[i]);
    }
    winnow_reader *closed = winnow_reader_open_descriptor(-1, NULL);
    assert_null(winnow_reader_next(closed));
    assert_int_equal(winnow_reader_error(closed)->status, WINNOW_STATUS_UNREADABLE);
    winnow_reader_close(closed);
}

/* ---- Inputs ------------------------------------------------------------------------------ */

/* A folder with two pages, an archive, a file of lines and something that is not one of them. */
typedef struct folder {
    char path[32];
    char names[5][64];
} folder;

static void write_file(const char *path, wn_str bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.ptr, 1, bytes.len, file), bytes.len);
    fclose(file);
}

static void make_folder(folder *f)
{
    static const char *const names[] = {"a.html", "b.html.gz", "c.warc.zst", "d.jsonl", "e.txt"};
    wn_buf bytes = {0}, page = {0};
    char path[] = "/tmp/winnow-io-XXXXXX";
    assert_non_null(mkdtemp(path));
    strcpy(f->path, path);
    for (int i = 0; i < 5; i++)
        snprintf(f->names[i], sizeof f->names[i], "%s/%s", path, names[i]);
    write_file(f->names[0], WN_STR("<title>A</title><p>The first page has a little text."));
    wn_buf_add_literal(&page, "<title>B</title><p>The second page is compressed.");
    add_piece(&bytes, WN_IO_CODEC_GZIP, &page);
    write_file(f->names[1], wn_buf_str(&bytes));
    wn_buf_clear(&bytes);
    make_warc(&bytes, WN_IO_CODEC_ZSTD);
    write_file(f->names[2], wn_buf_str(&bytes));
    wn_buf_clear(&bytes);
    make_lines(&bytes, WN_IO_CODEC_NONE);
    write_file(f->names[3], wn_buf_str(&bytes));
    write_file(f->names[4], WN_STR("%PDF-1.4 \x01\x02\x03 and so on"));
    wn_buf_free(&bytes);
    wn_buf_free(&page);
}

static void remove_folder(folder *f)
{
    for (int i = 0; i < 5; i++)
        unlink(f->names[i]);
    assert_int_equal(rmdir(f->path), 0);
}

/* One line for each input that is left: what it is, and what its bytes are. */
static void add_inputs(wn_buf *out, winnow_inputs *inputs)
{
    const winnow_input *input;
    while ((input = winnow_inputs_next(inputs))) {
        const winnow_loaded *loaded = winnow_inputs_load(inputs);
        const char *slash = strrchr(input->id, '/');
        wn_buf_add_format(out, "%d %s %s %s %s|", input->kind, slash ? slash + 1 : input->id,
                          loaded->id ? loaded->id : "", loaded->url ? loaded->url : "",
                          loaded->charset ? loaded->charset : "");
        wn_buf_add(out, wn_str_from(loaded->bytes, loaded->size));
        wn_buf_add_literal(out, loaded->error ? loaded->error : "");
        wn_buf_add_char(out, '\n');
    }
}

static void inputs_of_every_kind(void **state)
{
    (void)state;
    folder f;
    wn_buf found = {0};
    make_folder(&f);
    const char *names[] = {f.names[0], f.names[1], f.names[2], f.names[3],
                           f.path,     "/no/file", NULL};
    winnow_inputs *inputs = winnow_inputs_open(names, NULL);
    assert_false(winnow_inputs_single(inputs));
    add_inputs(&found, inputs);
    const char *text = wn_buf_c_string(&found);
    assert_non_null(strstr(text, "0 a.html   |<title>A"));
    assert_non_null(strstr(text, "0 b.html.gz   |<title>B"));
    assert_non_null(strstr(text, "4 <urn:uuid:1>  http://example.org/1 ISO-8859-2|<html>"));
    assert_non_null(strstr(text, " 11 http://example.org/11 utf-8|<p>Page 11"));
    assert_non_null(strstr(text, "1 a.html   |<title>A"));
    assert_non_null(strstr(text, "0 file   |No such file"));
    assert_null(strstr(text, "e.txt"));
    uint64_t total, read = winnow_inputs_bytes(inputs, &total);
    assert_true(read > 0);
    winnow_inputs_close(inputs);
    names[1] = NULL;
    inputs = winnow_inputs_open(names, NULL);
    assert_true(winnow_inputs_single(inputs));
    assert_string_equal(winnow_inputs_next(inputs)->id, f.names[0]);
    assert_null(winnow_inputs_next(inputs));
    winnow_inputs_close(inputs);
    remove_folder(&f);
    wn_buf_free(&found);
}

/* From every input on, the rest is the same as without an interruption. */
static void inputs_can_be_resumed(void **state)
{
    (void)state;
    folder f;
    make_folder(&f);
    const char *names[] = {f.names[0], f.names[2], f.path, f.names[3], NULL};
    wn_buf rest = {0}, resumed = {0};
    for (int read = 1; read < 40; read++) {
        winnow_inputs *inputs = winnow_inputs_open(names, NULL);
        winnow_inputs *again = winnow_inputs_open(names, NULL);
        const winnow_input *last = NULL;
        for (int i = 0; i < read; i++)
            last = winnow_inputs_next(inputs);
        if (last) {
            winnow_bookmark mark = {.struct_size = sizeof mark,
                                    .name = last->name,
                                    .id = last->id,
                                    .file = last->file,
                                    .offset = last->offset,
                                    .inner = last->inner,
                                    .broken = last->broken};
            assert_true(winnow_inputs_resume(again, &mark));
            wn_buf_clear(&rest);
            wn_buf_clear(&resumed);
            add_inputs(&rest, inputs);
            add_inputs(&resumed, again);
            assert_same(&rest, &resumed);
        }
        winnow_inputs_close(inputs);
        winnow_inputs_close(again);
    }
    remove_folder(&f);
    wn_buf_free(&rest);
    wn_buf_free(&resumed);
}

/* ---- Many pages -------------------------------------------------------------------------- */

enum { NUMBERS = 500 };

typedef struct counting {
    uint64_t next, taken;
    uint64_t stop_at; /* 0: never */
    int begun, ended, ended_tasks;
    bool slow;  /* every 50th */
    bool wrong; /* something came out of order */
    bool cancelled;
    uint64_t sum; /* of what the workers have counted */
} counting;

typedef struct number {
    uint64_t value, square;
} number;

static void pause_for(int milliseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000L}, NULL);
}

static bool begin_counting(void *data, winnow_worker *worker)
{
    counting *c = data;
    c->wrong = c->wrong || *(uint64_t *)worker->own != 0 || worker->loaded || !worker->page;
    c->begun++;
    return true;
}

static void end_counting(void *data, winnow_worker *worker)
{
    counting *c = data;
    c->sum += *(uint64_t *)worker->own;
    c->ended++;
}

static bool next_number(void *data, winnow_task *task)
{
    counting *c = data;
    number *n = task->own;
    if (c->next == NUMBERS)
        return false;
    c->wrong = c->wrong || task->number != c->next || task->input;
    n->value = c->next++;
    return true;
}

static void square_number(void *data, winnow_worker *worker, winnow_task *task)
{
    const counting *c = data;
    number *n = task->own;
    if (c->slow && n->value % 50 == 0)
        pause_for(20);
    n->square = n->value * n->value;
    *(uint64_t *)worker->own += 1;
    task->waiting = 1000;
}

static bool take_number(void *data, winnow_task *task)
{
    counting *c = data;
    const number *n = task->own;
    c->wrong = c->wrong || n->value != c->taken || n->square != n->value * n->value;
    c->taken++;
    return c->taken != c->stop_at;
}

static void end_number(void *data, winnow_task *task)
{
    counting *c = data;
    (void)task;
    c->ended_tasks++;
}

static winnow_run run_of_numbers(counting *c, size_t threads)
{
    return (winnow_run){
        .struct_size = sizeof(winnow_run),
        .threads = threads,
        .task_size = sizeof(number),
        .worker_size = sizeof(uint64_t),
        .begin_worker = begin_counting,
        .end_worker = end_counting,
        .next = next_number,
        .work = square_number,
        .take = take_number,
        .end_task = end_number,
        .data = c,
    };
}

static void results_come_in_order(void **state)
{
    (void)state;
    static const size_t threads[] = {1, 2, 8};
    for (size_t i = 0; i < 6; i++) {
        counting c = {.slow = i >= 3};
        winnow_run run = run_of_numbers(&c, threads[i % 3]);
        if (i == 4)
            run.max_waiting_output = 1500; /* room for one or two tasks */
        assert_int_equal(winnow_run_pages(&run), WINNOW_STATUS_OK);
        assert_false(c.wrong);
        assert_int_equal(c.taken, NUMBERS);
        assert_int_equal(c.sum, NUMBERS);
        assert_int_equal(c.begun, threads[i % 3]);
        assert_int_equal(c.ended, c.begun);
        assert_true(c.ended_tasks > 0);
    }
    counting c = {0};
    winnow_run run = run_of_numbers(&c, 3);
    run.limit = 77;
    assert_int_equal(winnow_run_pages(&run), WINNOW_STATUS_OK);
    assert_int_equal(c.taken, 77);
}

static void runs_can_be_abandoned(void **state)
{
    (void)state;
    for (size_t threads = 1; threads <= 8; threads += 7) {
        counting c = {.stop_at = 100, .slow = true};
        winnow_run run = run_of_numbers(&c, threads);
        assert_int_equal(winnow_run_pages(&run), WINNOW_STATUS_CANCELLED);
        assert_int_equal(c.taken, 100);
        assert_false(c.wrong);
        assert_int_equal(c.ended, threads);
    }
}

static bool cancel_soon(void *data)
{
    static _Atomic int calls;
    (void)data;
    return ++calls > 3000;
}

/* A page that takes for ever, or until somebody says stop. */
static void work_for_ever(void *data, winnow_worker *worker, winnow_task *task)
{
    (void)data;
    (void)task;
    wn_buf html = {0};
    wn_buf_add_literal(&html, "<title>x</title>");
    while (html.len < 2 << 20)
        wn_buf_add_literal(&html, "<div><p>Some words of a page.</p><table><tr><td>1");
    for (int i = 0; i < 100000; i++) {
        winnow_parse(worker->page, html.ptr, html.len, worker->options);
        winnow_selection *s = winnow_select(worker->page, "auto", worker->options);
        if (winnow_selection_status(s) == WINNOW_STATUS_CANCELLED)
            break;
    }
    wn_buf_free(&html);
}

static void runs_can_be_cancelled_in_a_page(void **state)
{
    (void)state;
    counting c = {0};
    winnow_run run = run_of_numbers(&c, 2);
    run.work = work_for_ever;
    run.cancel = cancel_soon;
    assert_int_equal(winnow_run_pages(&run), WINNOW_STATUS_CANCELLED);
    assert_int_equal(c.taken, 0);
}

static bool fail_second(void *data, winnow_worker *worker)
{
    counting *c = data;
    c->begun++;
    return worker->number == 0;
}

static void runs_that_cannot_start(void **state)
{
    (void)state;
    counting c = {0};
    winnow_run run = run_of_numbers(&c, 2);
    assert_int_equal(winnow_run_pages(NULL), WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_run_pages(&(winnow_run){.struct_size = sizeof run}),
                     WINNOW_STATUS_BAD_ARGUMENT);
    run.begin_worker = fail_second;
    assert_int_equal(winnow_run_pages(&run), WINNOW_STATUS_NO_MEMORY);
    assert_int_equal(c.taken, 0);
    assert_int_equal(c.begun, 2);
    assert_int_equal(c.ended, 2);
    run.struct_size = 0;
    assert_int_equal(winnow_run_pages(&run), WINNOW_STATUS_BAD_ARGUMENT);
    assert_true(winnow_cores() >= 1);
}

/* ---- The easy call ----------------------------------------------------------------------- */

static bool collect(void *data, const char *bytes, size_t size)
{
    wn_buf_add(data, wn_str_from(bytes, size));
    return true;
}

static bool refuse(void *data, const char *bytes, size_t size)
{
    (void)data;
    (void)bytes;
    (void)size;
    return false;
}

static void extract_all_is_the_same_on_all_threads(void **state)
{
    (void)state;
    folder f;
    make_folder(&f);
    const char *names[] = {f.names[0], f.names[1], f.names[2], f.names[3], f.names[4], NULL};
    for (int format = WINNOW_FORMAT_TEXT; format <= WINNOW_FORMAT_CSV; format++) {
        wn_buf first = {0};
        for (size_t threads = 1; threads <= 8; threads *= 2) {
            wn_buf out = {0};
            winnow_counts counts = {.struct_size = sizeof counts};
            winnow_extraction plan = {.struct_size = sizeof plan,
                                      .method = "all",
                                      .format = (winnow_format)format,
                                      .threads = threads,
                                      .write = collect,
                                      .data = &out};
            assert_int_equal(winnow_extract_all(names, &plan, &counts), WINNOW_STATUS_OK);
            assert_int_equal(counts.extracted, 2 + 6 + 12);
            assert_int_equal(counts.failed, 1);
            assert_non_null(strstr(wn_buf_c_string(&out), "second page is compressed"));
            if (threads == 1)
                wn_buf_add(&first, wn_buf_str(&out));
            else
                assert_same(&out, &first);
            wn_buf_free(&out);
        }
        wn_buf_free(&first);
    }
    winnow_extraction plan = {.struct_size = sizeof plan, .write = refuse};
    assert_int_equal(winnow_extract_all(names, &plan, NULL), WINNOW_STATUS_CANCELLED);
    plan.method = "nothing-like-that";
    assert_int_equal(winnow_extract_all(names, &plan, NULL), WINNOW_STATUS_UNKNOWN_METHOD);
    plan.method = NULL;
    plan.format = (winnow_format)99;
    assert_int_equal(winnow_extract_all(names, &plan, NULL), WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_extract_all(NULL, &plan, NULL), WINNOW_STATUS_BAD_ARGUMENT);
    assert_int_equal(winnow_extract_all(names, NULL, NULL), WINNOW_STATUS_BAD_ARGUMENT);
    remove_folder(&f);
}

static void inputs_that_are_null(void **state)
{
    (void)state;
    bool exact;
    uint64_t total;
    assert_null(winnow_inputs_open(NULL, NULL));
    assert_null(winnow_inputs_next(NULL));
    assert_non_null(winnow_inputs_load(NULL)->error);
    assert_false(winnow_inputs_single(NULL));
    assert_int_equal(winnow_inputs_ahead(NULL, &exact), 0);
    assert_int_equal(winnow_inputs_bytes(NULL, &total), 0);
    assert_false(winnow_inputs_resume(NULL, NULL));
    winnow_inputs_close(NULL);
    assert_non_null(winnow_loader_load(NULL, NULL)->error);
    winnow_loader_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_have_all_members),
        cmocka_unit_test(bodies_can_wait),
        cmocka_unit_test(blocks_places_and_a_summary),
        cmocka_unit_test(sheets_are_offered),
        cmocka_unit_test(records_may_share_a_piece),
        cmocka_unit_test(bodies_are_decoded),
        cmocka_unit_test(arc_files),
        cmocka_unit_test(lines_of_json),
        cmocka_unit_test(any_other_file_is_a_page),
        cmocka_unit_test(long_records_are_cut),
        cmocka_unit_test(ranges_are_a_partition),
        cmocka_unit_test(ranges_begin_at_records),
        cmocka_unit_test(short_reads_give_the_same),
        cmocka_unit_test(a_stream_that_fails),
        cmocka_unit_test(files_and_descriptors),
        cmocka_unit_test(damage_is_passed_over),
        cmocka_unit_test(every_prefix_is_read),
        cmocka_unit_test(hostile_pieces_take_no_time),
        cmocka_unit_test(wrong_arguments),
        cmocka_unit_test(inputs_of_every_kind),
        cmocka_unit_test(inputs_can_be_resumed),
        cmocka_unit_test(inputs_that_are_null),
        cmocka_unit_test(results_come_in_order),
        cmocka_unit_test(runs_can_be_abandoned),
        cmocka_unit_test(runs_can_be_cancelled_in_a_page),
        cmocka_unit_test(runs_that_cannot_start),
        cmocka_unit_test(extract_all_is_the_same_on_all_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
