#define _GNU_SOURCE /* memrchr */
#include "io/archive.h"

#include <string.h>

#include "base/scan.h"
#include "html/sniff.h"
#include "io/mime.h"

enum { LINE_STEP = 64 << 10 };

/* ---- Names and first bytes --------------------------------------------------------------- */

wn_str wn_io_without_codec(wn_str name)
{
    static const wn_str endings[] = {WN_STR(".gz"), WN_STR(".zst"), WN_STR(".lz4")};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (wn_str_has_ending(name, endings[i]))
            return wn_str_from(name.ptr, name.len - endings[i].len);
    }
    return name;
}

wn_io_archive_kind wn_io_archive_by_name(wn_str name)
{
    wn_str bare = wn_io_without_codec(name);
    if (wn_str_has_ending(bare, WN_STR(".warc")) || wn_str_has_ending(bare, WN_STR(".arc")) ||
        wn_str_has_ending(bare, WN_STR(".wet")))
        return WN_IO_ARCHIVE_WARC;
    if (wn_str_has_ending(bare, WN_STR(".jsonl")) || wn_str_has_ending(bare, WN_STR(".ndjson")))
        return WN_IO_ARCHIVE_JSONL;
    return WN_IO_ARCHIVE_NONE;
}

bool wn_io_archive_may_be(wn_str name, wn_str bytes)
{
    return wn_io_archive_by_name(name) != WN_IO_ARCHIVE_NONE || wn_io_warc_begins(bytes) ||
           wn_io_codec_of_bytes(bytes) != WN_IO_CODEC_NONE;
}

wn_io_archive_kind wn_io_archive_open(wn_io_archive *archive, int fd, wn_str name, wn_str first,
                                      wn_io_archive_kind told, uint64_t max_page)
{
    *archive = (wn_io_archive){.kind = told ? told : wn_io_archive_by_name(name),
                               .max_page = max_page};
    wn_io_source_open_after(&archive->stream, fd, first);
    if (!told && wn_io_warc_begins(wn_io_source_peek(&archive->stream, 64)))
        archive->kind = WN_IO_ARCHIVE_WARC;
    wn_io_warc_open(&archive->warc, &archive->stream);
    return archive->kind;
}

void wn_io_archive_close(wn_io_archive *archive)
{
    wn_io_warc_free(&archive->warc);
    wn_io_source_close(&archive->stream);
}

uint64_t wn_io_archive_length(wn_io_archive *archive, uint64_t offset)
{
    wn_io_source *stream = &archive->stream;
    bool more = wn_io_source_peek(stream, 1).len > 0;
    uint64_t next = more ? wn_io_source_place(stream).offset : wn_io_source_consumed(stream);
    return next > offset ? next - offset : 0;
}

/* ---- WARC -------------------------------------------------------------------------------- */

/* Archives also hold responses of other protocols: "dns:example.org", "whois://…". */
static bool is_web_address(wn_str url)
{
    static const wn_str others[] = {WN_STR("dns:"), WN_STR("whois:"), WN_STR("filedesc:"),
                                    WN_STR("metadata:"), WN_STR("urn:")};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (wn_str_starts_nocase(url, others[i]))
            return false;
    }
    return true;
}

bool wn_io_archive_is_text(const wn_io_warc_record *record)
{
    return record->type == WN_IO_WARC_CONVERSION && record->length > 0 &&
           is_web_address(record->url) &&
           wn_str_eq_nocase(wn_io_type_name(record->content_type), WN_STR("text/plain"));
}

bool wn_io_archive_may_be_page(const wn_io_warc_record *record, wn_str start)
{
    wn_io_response response;
    if (wn_io_archive_is_text(record))
        return true;
    bool response_record = record->type == WN_IO_WARC_RESPONSE;
    if ((!response_record && record->type != WN_IO_WARC_RESOURCE) || record->length == 0 ||
        !is_web_address(record->url))
        return false;
    if (!response_record || !wn_io_response_parse(start, &response))
        return wn_io_type_may_be_page(record->content_type);
    bool success = response.status == 0 || (response.status >= 200 && response.status <= 299);
    return success && wn_io_type_may_be_page(response.content_type);
}

wn_io_response wn_io_archive_response(wn_str block, wn_str declared_type)
{
    wn_io_response response = {
        .head = WN_STR(""),
        .content_type = declared_type,
        .content_encoding = WN_STR(""),
        .transfer_encoding = WN_STR(""),
        .content_length = WN_STR(""),
        .body = block,
    };
    wn_io_response_parse(block, &response);
    return response;
}

wn_str wn_io_archive_body(wn_io_body_decoder *decoder, wn_str block, wn_str declared_type,
                          uint64_t max, wn_io_response *response)
{
    *response = wn_io_archive_response(block, declared_type);
    return wn_io_response_body(decoder, response, max + 1);
}

bool wn_io_archive_is_page(wn_str content_type, wn_str bytes)
{
    if (wn_io_type_is_page(content_type))
        return !wn_html_sniff_is_binary(bytes);
    return wn_io_type_may_be_page(content_type) && wn_io_bytes_are_page(bytes);
}

static bool next_record(wn_io_archive *archive, wn_io_archived *page, wn_buf *block)
{
    wn_io_warc_record record;
    while (wn_io_warc_next(&archive->warc, &record)) {
        bool candidate = record.type == WN_IO_WARC_RESPONSE || record.type == WN_IO_WARC_RESOURCE ||
                         record.type == WN_IO_WARC_CONVERSION;
        if (!candidate || !wn_io_archive_may_be_page(
                              &record, wn_io_warc_peek(&archive->warc, WN_IO_ARCHIVE_HEAD_LOOK)))
            continue;
        *page = (wn_io_archived){.place = record.place,
                                 .id = record.id,
                                 .url = record.url,
                                 .date = record.date,
                                 .content_type = record.content_type,
                                 .is_text = wn_io_archive_is_text(&record)};
        uint64_t most = archive->max_page + WN_IO_ARCHIVE_HEAD_ROOM;
        wn_io_warc_read(&archive->warc, block, most);
        page->truncated = record.truncated.len > 0 ||
                          (block->len < record.length && block->len < most);
        wn_io_warc_finish(&archive->warc);
        page->length = wn_io_archive_length(archive, record.place.offset);
        return true;
    }
    return false;
}

/* ---- JSON lines -------------------------------------------------------------------------- */

/*
 * Takes one line without its line end; no more than the size limit of a page is kept. NULL: nothing
 * is kept.
 */
static void take_line(wn_io_archive *archive, wn_buf *line)
{
    wn_io_source *stream = &archive->stream;
    const char *end = NULL;
    while (!end) {
        wn_str ahead = wn_io_source_peek(stream, LINE_STEP);
        end = memchr(ahead.ptr, '\n', ahead.len);
        wn_str part = end ? wn_str_between(ahead.ptr, end) : ahead;
        if (line && line->len <= archive->max_page)
            wn_buf_add(line, part);
        wn_io_source_take(stream, part.len);
        if (ahead.len == 0)
            return;
    }
    archive->line_end = wn_io_source_place(stream).offset;
    wn_io_source_take(stream, 1);
}

void wn_io_archive_pass_line(wn_io_archive *archive)
{
    take_line(archive, NULL);
}

/*
 * Blank lines are passed all at once: a few compressed bytes can expand to a million of them. White
 * space at the start of a line that is not blank stays, since the line's place includes it.
 */
static void pass_blank_lines(wn_io_source *stream)
{
    for (;;) {
        wn_str ahead = wn_io_source_peek(stream, 1);
        if (ahead.len == 0)
            return;
        const char *text = wn_scan_non_space(ahead.ptr, ahead.ptr + ahead.len);
        const char *end = memrchr(ahead.ptr, '\n', (size_t)(text - ahead.ptr));
        if (!end)
            return;
        wn_io_source_take(stream, (size_t)(end + 1 - ahead.ptr));
    }
}

/* Whether all of it is white space: a line can be, of any length. */
static bool is_blank(wn_str s)
{
    return s.len == 0 || wn_scan_non_space(s.ptr, s.ptr + s.len) == s.ptr + s.len;
}

static bool next_line(wn_io_archive *archive, wn_io_archived *page, wn_buf *block)
{
    while (!wn_io_source_at_end(&archive->stream)) {
        pass_blank_lines(&archive->stream);
        if (wn_io_source_peek(&archive->stream, 1).len == 0) {
            wn_io_source_pass_gap(&archive->stream);
            continue;
        }
        *page = (wn_io_archived){.place = wn_io_source_place(&archive->stream)};
        page->id = page->url = page->date = page->content_type = WN_STR("");
        wn_buf_clear(block);
        take_line(archive, block);
        page->length = archive->stream.codec == WN_IO_CODEC_NONE
                           ? wn_io_source_place(&archive->stream).offset - page->place.offset
                           : wn_io_archive_length(archive, page->place.offset);
        if (!is_blank(wn_buf_str(block)))
            return true;
    }
    return false;
}

/* ---- Both -------------------------------------------------------------------------------- */

uint64_t wn_io_archive_broken(const wn_io_archive *archive)
{
    const wn_io_warc *warc = &archive->warc;
    return archive->kind != WN_IO_ARCHIVE_WARC ? archive->stream.gaps
                                               : warc->malformed + warc->truncated;
}

bool wn_io_archive_next(wn_io_archive *archive, wn_io_archived *page, wn_buf *block)
{
    wn_buf_clear(block);
    bool found = archive->kind == WN_IO_ARCHIVE_JSONL ? next_line(archive, page, block)
                                                      : next_record(archive, page, block);
    archive->pages += found;
    if (found)
        page->broken = wn_io_archive_broken(archive);
    return found;
}

/*
 * The first record is read too: a dictionary may come before it, and it contains the version of
 * ARC.
 */
bool wn_io_archive_continue_after(wn_io_archive *archive, wn_io_place place, uint64_t broken)
{
    wn_io_warc_record first;
    wn_io_archived page;
    wn_buf passed = {0};
    if (archive->kind == WN_IO_ARCHIVE_WARC)
        wn_io_warc_next(&archive->warc, &first);
    else
        wn_io_source_peek(&archive->stream, 1);
    archive->warc.left = 0;
    bool done = wn_io_source_seek(&archive->stream, place) &&
                wn_io_archive_next(archive, &page, &passed) && page.place.offset == place.offset &&
                page.place.inner == place.inner;
    archive->warc.truncated = 0;
    archive->warc.malformed = archive->stream.gaps = broken;
    wn_buf_free(&passed);
    return done;
}

bool wn_io_archive_problem(const wn_io_archive *archive, wn_buf *out)
{
    const wn_io_warc *warc = &archive->warc;
    const wn_io_source *stream = &archive->stream;
    uint64_t broken = wn_io_archive_broken(archive);
    if (stream->error) {
        wn_buf_add_literal(out, stream->error);
        if (stream->lacking)
            wn_buf_add_format(out, ": number %u", stream->lacking);
        return true;
    }
    if (archive->kind == WN_IO_ARCHIVE_WARC && warc->records == 0 && stream->size > 0) {
        wn_buf_add_literal(out, "it has no records");
        return true;
    }
    if (broken > 0)
        wn_buf_add_format(out, "damaged in %llu %s; all other records were read",
                          (unsigned long long)broken, broken == 1 ? "place" : "places");
    return broken > 0;
}
