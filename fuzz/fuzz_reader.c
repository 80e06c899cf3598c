/*
 * Fuzzes the public reader of archives: any bytes, as a whole and in ranges.
 *
 * Properties: it ends; strings are never NULL; bodies are not longer than the limit; a record of a
 * plain file is in the range it is read with.
 */
#include "fuzz.h"

#include <string.h>

#include "winnow-io.h"

enum { MAX_RECORD = 1 << 16, MAX_RECORDS = 4096 };

/* Of every body, so that each of its bytes is read. */
static uint64_t all_seen;

static void check_record(const winnow_archive_record *r)
{
    const char *const strings[] = {r->type_name,  r->id,      r->url,     r->date,
                                   r->media_type, r->charset, r->problem, r->header};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        FUZZ_CHECK(strings[i]);
    FUZZ_CHECK(r->body && r->size <= MAX_RECORD);
    all_seen ^= fuzz_digest(0, wn_str_from(r->body, r->size));
}

static void read_range(wn_str bytes, winnow_archive_kind kind, uint64_t start, uint64_t end)
{
    winnow_reader_settings settings = {
        .struct_size = sizeof settings,
        .kind = kind,
        .start = start,
        .end = end,
        .max_record = MAX_RECORD,
    };
    winnow_reader *reader = winnow_reader_open_memory(bytes.ptr, bytes.len, &settings);
    FUZZ_CHECK(reader);
    const winnow_archive_record *r;
    for (int i = 0; i < MAX_RECORDS && (r = winnow_reader_next(reader)); i++) {
        check_record(r);
        if (winnow_reader_kind(reader) == WINNOW_ARCHIVE_WARC)
            FUZZ_CHECK(r->offset >= start && (end == 0 || r->offset < end));
    }
    FUZZ_CHECK(winnow_reader_error(reader)->message);
    winnow_reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wn_str bytes = wn_str_from((const char *)data, size);
    uint64_t cut = size > 0 ? data[size / 2] * size / 256 : 0;
    read_range(bytes, WINNOW_ARCHIVE_DETECT, 0, 0);
    read_range(bytes, WINNOW_ARCHIVE_DETECT, 0, cut);
    read_range(bytes, WINNOW_ARCHIVE_DETECT, cut, 0);
    read_range(bytes, WINNOW_ARCHIVE_JSONL, cut, 0);
    return 0;
}
