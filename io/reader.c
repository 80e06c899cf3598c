/* Records of archives: the public interface to archive.h, warc.h and json_line.h. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/utf8.h"
#include "io/archive.h"
#include "io/handed_in.h"
#include "io/json_line.h"
#include "io/mime.h"
#include "winnow-io.h"

#define DEFAULT_MAX_RECORD (UINT64_C(64) << 20)

enum {
    /* Bytes from which the kind of a file is detected. */
    FIRST_LOOK = 512,
    /* Memory that one large record made larger than this is not kept for the next. */
    KEPT_CAPACITY = 16 << 20,
    /* Bytes of a body that tell whether it is stored as it is. */
    BODY_LOOK = 512,
    /* Blocks are given out in pieces of this size. */
    PIECE = 1 << 20,
};

struct winnow_reader {
    winnow_reader_settings settings;
    wn_io_archive archive;
    bool opened; /* `archive` is */
    bool ended;
    int fd;              /* that we opened; else -1 */
    winnow_stream bytes; /* of the caller */
    const char *memory;  /* or bytes of the caller */
    size_t memory_size, memory_next;
    winnow_archive_record record;
    wn_io_warc_record found; /* what `record` was made of */
    bool unread;             /* nobody requested its block yet */
    wn_buf block;
    wn_io_body_decoder body;
    wn_io_json_line line;
    wn_arena strings; /* of the record */
    wn_arena names;   /* of the settings */
    winnow_status status;
    wn_buf message;
    winnow_error error;
};

/* ---- Opening ----------------------------------------------------------------------------- */

static void fail(winnow_reader *reader, winnow_status status, const char *message)
{
    reader->status = status;
    reader->ended = true;
    wn_buf_clear(&reader->message);
    wn_buf_add_literal(&reader->message, message);
}

static const char *copy_name(winnow_reader *reader, const char *name)
{
    return name ? wn_arena_c_string(&reader->names, wn_str_of(name)) : NULL;
}

static winnow_reader *new_reader(const winnow_reader_settings *handed_in)
{
    winnow_reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return NULL;
    reader->fd = -1;
    wn_arena_init(&reader->strings, 0);
    wn_arena_init(&reader->names, 0);
    winnow_reader_settings *s = &reader->settings;
    if (!wn_io_take_struct(s, sizeof *s, handed_in))
        fail(reader, WINNOW_STATUS_BAD_ARGUMENT, "the settings do not say their struct_size");
    else if (s->kind > WINNOW_ARCHIVE_PAGE)
        fail(reader, WINNOW_STATUS_BAD_ARGUMENT, "there is no such kind of archive");
    s->html_field = copy_name(reader, s->html_field);
    s->url_field = copy_name(reader, s->url_field);
    s->id_field = copy_name(reader, s->id_field);
    if (s->max_record == 0)
        s->max_record = DEFAULT_MAX_RECORD;
    if (s->end == 0)
        s->end = UINT64_MAX;
    return reader;
}

static winnow_archive_kind detect(wn_io_source *stream)
{
    wn_str start = wn_io_source_peek(stream, FIRST_LOOK);
    if (wn_io_warc_begins(start))
        return WINNOW_ARCHIVE_WARC;
    start = wn_str_trim(wn_utf8_without_mark(start));
    return start.len > 0 && *start.ptr == '{' ? WINNOW_ARCHIVE_JSONL : WINNOW_ARCHIVE_PAGE;
}

/*
 * Whether the piece ahead is whole and another one, or the end, comes after it. Compressed bytes
 * may contain what looks like the start of a piece, or even a whole one.
 */
static bool is_whole_piece(wn_io_source *stream, uint64_t offset)
{
    for (;;) {
        size_t here = wn_io_source_peek(stream, 1).len;
        if (here == 0)
            return !stream->gap;
        if (wn_io_source_place(stream).offset != offset)
            return true;
        wn_io_source_take(stream, here < FIRST_LOOK ? here : FIRST_LOOK);
    }
}

/* Goes to the first whole piece from here on; false if there is none. */
static bool find_whole_piece(wn_io_source *stream)
{
    for (;;) {
        if (wn_io_source_peek(stream, 1).len == 0 && !wn_io_source_pass_gap(stream))
            return false;
        wn_io_place place = wn_io_source_place(stream);
        if (wn_io_source_peek(stream, 1).len > 0 && is_whole_piece(stream, place.offset))
            return wn_io_source_seek(stream, (wn_io_place){place.offset, 0});
    }
}

/*
 * Goes to the start of the range. The start of the file is read first: it may contain a dictionary,
 * and it has the version of ARC. Files that cannot be sought are read from the start.
 */
static void go_to_start(winnow_reader *reader)
{
    wn_io_archive *archive = &reader->archive;
    wn_io_source *stream = &archive->stream;
    uint64_t start = reader->settings.start;
    bool plain = stream->codec == WN_IO_CODEC_NONE;
    bool lines = archive->kind == WN_IO_ARCHIVE_JSONL;
    wn_io_warc_record first;
    if (start == 0 || !stream->seekable)
        return;
    if (lines)
        wn_io_source_peek(stream, 1);
    else
        wn_io_warc_next(&archive->warc, &first);
    /* In a plain file the byte before tells whether a line begins at the start. */
    if (!wn_io_source_seek_near(stream, plain ? start - 1 : start)) {
        fail(reader, WINNOW_STATUS_UNREADABLE, "the start of the range could not be reached");
        return;
    }
    if (lines && !plain && !find_whole_piece(stream))
        reader->ended = true;
    if (lines || plain)
        wn_io_archive_pass_line(archive);
    archive->warc.malformed = archive->warc.truncated = stream->gaps = 0;
    wn_io_warc_resume(&archive->warc);
}

static void begin(winnow_reader *reader, const wn_io_source_port *port)
{
    static const wn_io_archive_kind kinds[] = {
        [WINNOW_ARCHIVE_DETECT] = WN_IO_ARCHIVE_NONE,
        [WINNOW_ARCHIVE_WARC] = WN_IO_ARCHIVE_WARC,
        [WINNOW_ARCHIVE_JSONL] = WN_IO_ARCHIVE_JSONL,
        [WINNOW_ARCHIVE_PAGE] = WN_IO_ARCHIVE_NONE,
    };
    winnow_reader_settings *s = &reader->settings;
    wn_io_archive *archive = &reader->archive;
    if (reader->ended)
        return;
    archive->max_page = s->max_record;
    wn_io_source_open_port(&archive->stream, port, WN_STR(""));
    wn_io_warc_open(&archive->warc, &archive->stream);
    reader->opened = true;
    if (s->kind == WINNOW_ARCHIVE_DETECT)
        s->kind = detect(&archive->stream);
    archive->kind = kinds[s->kind];
    if (s->kind == WINNOW_ARCHIVE_PAGE)
        reader->ended = s->start > 0;
    else
        go_to_start(reader);
}

winnow_reader *winnow_reader_open_descriptor(int fd, const winnow_reader_settings *settings)
{
    winnow_reader *reader = new_reader(settings);
    if (reader)
        begin(reader, &(wn_io_source_port){.fd = fd});
    return reader;
}

winnow_reader *winnow_reader_open(const char *path, const winnow_reader_settings *settings)
{
    winnow_reader *reader = new_reader(settings);
    if (!reader || reader->ended)
        return reader;
    bool standard_input = path && strcmp(path, "-") == 0;
    if (path && !standard_input)
        reader->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (!path)
        fail(reader, WINNOW_STATUS_BAD_ARGUMENT, "there is no path");
    else if (!standard_input && reader->fd < 0)
        fail(reader, WINNOW_STATUS_UNREADABLE, strerror(errno));
    begin(reader, &(wn_io_source_port){.fd = standard_input ? STDIN_FILENO : reader->fd});
    return reader;
}

static int64_t read_memory(void *data, void *buffer, size_t size)
{
    winnow_reader *reader = data;
    size_t left = reader->memory_size - reader->memory_next;
    size_t count = left < size ? left : size;
    if (count > 0)
        memcpy(buffer, reader->memory + reader->memory_next, count);
    reader->memory_next += count;
    return (int64_t)count;
}

static bool seek_memory(void *data, uint64_t offset)
{
    winnow_reader *reader = data;
    reader->memory_next = offset < reader->memory_size ? (size_t)offset : reader->memory_size;
    return true;
}

winnow_reader *winnow_reader_open_memory(const void *bytes, size_t size,
                                         const winnow_reader_settings *settings)
{
    winnow_reader *reader = new_reader(settings);
    if (!reader || reader->ended)
        return reader;
    if (!bytes && size > 0)
        fail(reader, WINNOW_STATUS_BAD_ARGUMENT, "there are no bytes");
    reader->memory = bytes;
    reader->memory_size = size;
    begin(reader, &(wn_io_source_port){
                      .read = read_memory, .seek = seek_memory, .data = reader, .size = size});
    return reader;
}

winnow_reader *winnow_reader_open_stream(const winnow_stream *stream,
                                         const winnow_reader_settings *settings)
{
    winnow_reader *reader = new_reader(settings);
    if (!reader || reader->ended)
        return reader;
    if (!stream || !wn_io_take_struct(&reader->bytes, sizeof reader->bytes, stream) ||
        !reader->bytes.read)
        fail(reader, WINNOW_STATUS_BAD_ARGUMENT, "there is no stream with a way to read it");
    begin(reader, &(wn_io_source_port){.read = reader->bytes.read,
                                       .seek = reader->bytes.seek,
                                       .data = reader->bytes.data,
                                       .size = reader->bytes.size});
    return reader;
}

void winnow_reader_close(winnow_reader *reader)
{
    if (!reader)
        return;
    if (reader->opened)
        wn_io_archive_close(&reader->archive);
    if (reader->fd >= 0)
        close(reader->fd);
    wn_buf_free(&reader->block);
    wn_buf_free(&reader->message);
    wn_io_body_decoder_free(&reader->body);
    wn_io_json_line_free(&reader->line);
    wn_arena_free(&reader->strings);
    wn_arena_free(&reader->names);
    free(reader);
}

/* ---- Records of WARC --------------------------------------------------------------------- */

static const char *keep(winnow_reader *reader, wn_str s)
{
    const char *kept = s.len ? wn_arena_c_string(&reader->strings, s) : "";
    return kept ? kept : "";
}

static const char *keep_lower(winnow_reader *reader, wn_str s)
{
    char *kept = s.len ? wn_arena_bytes(&reader->strings, s.len + 1) : NULL;
    for (size_t i = 0; kept && i < s.len; i++)
        kept[i] = wn_ascii_lower(s.ptr[i]);
    if (kept)
        kept[s.len] = '\0';
    return kept ? kept : "";
}

static void empty_block(winnow_reader *reader)
{
    if (reader->block.cap > KEPT_CAPACITY)
        wn_buf_free(&reader->block);
    wn_buf_clear(&reader->block);
    wn_arena_reset(&reader->strings);
}

static bool is_exchange(wn_io_warc_type type)
{
    return type == WN_IO_WARC_RESPONSE || type == WN_IO_WARC_RESOURCE || type == WN_IO_WARC_REVISIT;
}

static void set_body(winnow_reader *reader, wn_str body)
{
    winnow_archive_record *record = &reader->record;
    uint64_t max = reader->settings.max_record;
    record->too_long = record->too_long || body.len > max;
    record->truncated = record->truncated || record->too_long;
    record->body = body.ptr;
    record->size = body.len > max ? (size_t)max : body.len;
}

static void set_type(winnow_reader *reader, wn_str content_type)
{
    reader->record.media_type = keep_lower(reader, wn_io_type_name(content_type));
    reader->record.charset = keep(reader, wn_io_type_charset(content_type));
}

/* Fills in what the head of an exchange says. */
static void set_response(winnow_reader *reader, const wn_io_response *response)
{
    winnow_archive_record *record = &reader->record;
    record->status = response->status;
    record->http_header_size = response->head.len;
    record->content_type = keep(reader, response->content_type);
    record->declared_html = wn_io_type_is_page(response->content_type);
    set_type(reader, response->content_type);
}

/* Fills in what can be said of a block without reading it. */
static void look_at_block(winnow_reader *reader)
{
    const wn_io_warc_record *found = &reader->found;
    winnow_archive_record *record = &reader->record;
    wn_io_warc *warc = &reader->archive.warc;
    wn_str look = wn_io_warc_peek(warc, WN_IO_ARCHIVE_HEAD_LOOK);
    bool revisit = found->type == WN_IO_WARC_REVISIT; /* which has the head alone */
    record->truncated = found->truncated.len > 0 && !revisit;
    record->is_page = wn_io_archive_is_text(found);
    if (!is_exchange(found->type))
        return;
    wn_io_response response = wn_io_archive_response(look, found->content_type);
    bool enough = look.len == warc->left || response.body.len >= BODY_LOOK;
    set_response(reader, &response);
    record->http_header = keep(reader, response.head);
    record->encoded = !enough || !wn_io_response_is_plain(&response);
    record->is_page = wn_io_archive_may_be_page(found, look);
    if (!record->encoded && !revisit && response.head.len > 0)
        record->truncated |= wn_io_response_is_short(&response, found->length - response.head.len);
}

/* Fills in what the block says: of an exchange the body that was served. */
static void read_block(winnow_reader *reader)
{
    const wn_io_warc_record *found = &reader->found;
    winnow_archive_record *record = &reader->record;
    uint64_t max = reader->settings.max_record, room = max + WN_IO_ARCHIVE_HEAD_ROOM;
    wn_io_warc_read(&reader->archive.warc, &reader->block, room);
    bool revisit = found->type == WN_IO_WARC_REVISIT;
    record->too_long = reader->block.len == room && room < found->length;
    record->truncated = reader->block.len < found->length || (found->truncated.len > 0 && !revisit);
    wn_str block = wn_buf_str(&reader->block), body = block;
    record->is_page = wn_io_archive_is_text(found);
    if (is_exchange(found->type)) {
        wn_io_response response;
        body = wn_io_archive_body(&reader->body, block, found->content_type, max, &response);
        set_response(reader, &response);
        record->http_header = response.head.len > 0 ? response.head.ptr : "";
        record->encoded = !wn_io_response_is_plain(&response);
        record->damaged = reader->body.damaged;
        record->truncated = record->truncated || (reader->body.truncated && !revisit);
        record->is_page = wn_io_archive_may_be_page(found, block) &&
                          wn_io_archive_is_page(response.content_type, body);
    }
    set_body(reader, body);
}

static winnow_record_type type_of(wn_io_warc_type type)
{
    static const winnow_record_type types[] = {
        [WN_IO_WARC_OTHER] = WINNOW_RECORD_OTHER,
        [WN_IO_WARC_WARCINFO] = WINNOW_RECORD_WARCINFO,
        [WN_IO_WARC_RESPONSE] = WINNOW_RECORD_RESPONSE,
        [WN_IO_WARC_RESOURCE] = WINNOW_RECORD_RESOURCE,
        [WN_IO_WARC_REQUEST] = WINNOW_RECORD_REQUEST,
        [WN_IO_WARC_METADATA] = WINNOW_RECORD_METADATA,
        [WN_IO_WARC_REVISIT] = WINNOW_RECORD_REVISIT,
        [WN_IO_WARC_CONVERSION] = WINNOW_RECORD_CONVERSION,
        [WN_IO_WARC_CONTINUATION] = WINNOW_RECORD_CONTINUATION,
    };
    static_assert(sizeof types / sizeof *types == WN_IO_WARC_TYPES, "a type is missing");
    return types[type];
}

/* Reads what is left of the record at hand. */
static void complete_record(winnow_reader *reader)
{
    wn_io_warc *warc = &reader->archive.warc;
    read_block(reader);
    wn_io_warc_finish(warc);
    reader->record.length = wn_io_archive_length(&reader->archive, reader->record.offset);
}

static void set_warc_record(winnow_reader *reader)
{
    const wn_io_warc_record *found = &reader->found;
    empty_block(reader);
    reader->record = (winnow_archive_record){
        .type = type_of(found->type),
        .type_name = keep(reader, found->type_name),
        .id = keep(reader, found->id),
        .url = keep(reader, found->url),
        .date = keep(reader, found->date),
        .problem = "",
        .body = "",
        .http_header = "",
        .header = keep(reader, found->head),
        .header_size = found->head.len,
        .offset = found->place.offset,
        .inner = found->place.inner,
        .content_type = keep(reader, found->content_type),
        .declared_html = wn_io_type_is_page(found->content_type),
        .block_size = found->length,
        .truncated_by = keep(reader, found->truncated),
    };
    set_type(reader, found->content_type);
    reader->unread = reader->settings.lazy;
    if (reader->unread)
        look_at_block(reader);
    else
        complete_record(reader);
}

/* Whether it is worth reading. Records that are not pages cost nothing then. */
static bool is_wanted(winnow_reader *reader, const wn_io_warc_record *found)
{
    wn_io_warc *warc = &reader->archive.warc;
    return !reader->settings.pages_only ||
           wn_io_archive_may_be_page(found, wn_io_warc_peek(warc, WN_IO_ARCHIVE_HEAD_LOOK));
}

static bool next_record(winnow_reader *reader)
{
    const winnow_reader_settings *s = &reader->settings;
    wn_io_warc_record *found = &reader->found;
    while (wn_io_warc_next(&reader->archive.warc, found) && found->place.offset < s->end) {
        if (found->place.offset < s->start || !is_wanted(reader, found))
            continue;
        set_warc_record(reader);
        if (reader->record.is_page || !s->pages_only)
            return true;
    }
    return false;
}

/* ---- Lines and pages --------------------------------------------------------------------- */

static void set_page(winnow_reader *reader, wn_io_place place)
{
    reader->record = (winnow_archive_record){
        .type = WINNOW_RECORD_PAGE,
        .type_name = "page",
        .id = "",
        .url = "",
        .date = "",
        .media_type = "",
        .charset = "",
        .problem = "",
        .body = "",
        .header = "",
        .http_header = "",
        .offset = place.offset,
        .inner = place.inner,
        .content_type = "",
        .truncated_by = "",
    };
}

static void read_line(winnow_reader *reader, wn_io_place place)
{
    const winnow_reader_settings *s = &reader->settings;
    winnow_archive_record *record = &reader->record;
    wn_io_json_fields fields = {s->html_field, s->url_field, s->id_field};
    wn_str line = wn_buf_str(&reader->block);
    bool first = place.offset + place.inner == 0;
    set_page(reader, place);
    if (line.len > s->max_record) {
        record->problem = "the line is too long";
        record->truncated = record->too_long = true;
        return;
    }
    const wn_io_json_page *page = wn_io_json_line_read(&reader->line, line, first, &fields);
    record->damaged = page->error != NULL;
    record->is_page = !page->error;
    record->problem = page->error ? page->error : "";
    record->id = page->id ? page->id : "";
    record->url = page->url ? page->url : "";
    record->media_type = "text/html";
    record->charset = "utf-8";
    set_body(reader, page->html);
}

static bool next_line(winnow_reader *reader)
{
    const winnow_reader_settings *s = &reader->settings;
    wn_io_archive *archive = &reader->archive;
    bool plain = archive->stream.codec == WN_IO_CODEC_NONE;
    for (;;) {
        wn_io_archived found;
        uint64_t last_end = archive->line_end;
        empty_block(reader);
        if (!wn_io_archive_next(archive, &found, &reader->block))
            return false;
        uint64_t owner = plain ? found.place.offset : last_end;
        if (owner >= s->end)
            return false;
        if (owner < s->start)
            continue;
        read_line(reader, found.place);
        reader->record.length = found.length;
        if (reader->record.is_page || !s->pages_only)
            return true;
    }
}

static bool next_page(winnow_reader *reader)
{
    wn_io_source *stream = &reader->archive.stream;
    uint64_t max = reader->settings.max_record;
    reader->ended = true;
    empty_block(reader);
    wn_io_source_read(stream, &reader->block, max + 1);
    if (reader->block.len == 0)
        return false;
    wn_str bytes = wn_buf_str(&reader->block);
    set_page(reader, (wn_io_place){0, 0});
    set_body(reader, bytes);
    reader->record.is_page = wn_io_bytes_are_page(bytes);
    reader->record.damaged = stream->gaps > 0;
    reader->record.length = wn_io_source_consumed(stream);
    return reader->record.is_page || !reader->settings.pages_only;
}

/* ---- Both -------------------------------------------------------------------------------- */

const winnow_archive_record *winnow_reader_next(winnow_reader *reader)
{
    if (!reader || reader->ended)
        return NULL;
    assert(reader->opened);
    bool found = reader->settings.kind == WINNOW_ARCHIVE_PAGE    ? next_page(reader)
                 : reader->settings.kind == WINNOW_ARCHIVE_JSONL ? next_line(reader)
                                                                 : next_record(reader);
    if (reader->block.failed || reader->strings.failed) {
        fail(reader, WINNOW_STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    reader->ended = reader->ended || !found;
    return found ? &reader->record : NULL;
}

static bool has_archive(const winnow_reader *reader)
{
    return reader && reader->opened && reader->archive.kind == WN_IO_ARCHIVE_WARC;
}

const winnow_archive_record *winnow_reader_body(winnow_reader *reader)
{
    if (!reader || !reader->record.type_name)
        return NULL;
    if (has_archive(reader) && reader->unread) {
        reader->unread = false;
        wn_buf_clear(&reader->block); /* pieces of it may have been given out */
        complete_record(reader);
        if (reader->block.failed)
            fail(reader, WINNOW_STATUS_NO_MEMORY, "out of memory");
    }
    return &reader->record;
}

size_t winnow_reader_block(winnow_reader *reader, const void **bytes)
{
    wn_str piece = WN_STR("");
    if (has_archive(reader) && reader->unread)
        piece = wn_io_warc_view(&reader->archive.warc, &reader->block, PIECE);
    if (bytes)
        *bytes = piece.ptr;
    return piece.len;
}

bool winnow_reader_seek(winnow_reader *reader, uint64_t offset, uint64_t inner)
{
    if (!has_archive(reader) || reader->status == WINNOW_STATUS_NO_MEMORY)
        return false;
    wn_io_source *stream = &reader->archive.stream;
    if (reader->archive.warc.records == 0)
        wn_io_source_peek(stream, 1); /* the dictionary, if there is one */
    reader->archive.warc.left = 0;
    reader->unread = false;
    reader->ended = !stream->seekable || !wn_io_source_seek(stream, (wn_io_place){offset, inner});
    return stream->seekable;
}

void winnow_reader_summarise(const winnow_reader *reader, winnow_reader_summary *summary)
{
    winnow_reader_summary ours = {.compression = wn_io_codec_name(WN_IO_CODEC_NONE)};
    if (reader && reader->opened) {
        const wn_io_source *stream = &reader->archive.stream;
        const wn_io_warc *warc = &reader->archive.warc;
        ours.arc = warc->arc;
        ours.seekable = stream->seekable;
        ours.compression = wn_io_codec_name(stream->codec);
        ours.records = warc->records;
        ours.cut_short = warc->truncated;
        ours.malformed = warc->malformed;
        ours.error = stream->error;
    }
    wn_io_give_struct(summary, &ours, sizeof ours);
}

winnow_archive_kind winnow_reader_kind(const winnow_reader *reader)
{
    return reader ? reader->settings.kind : WINNOW_ARCHIVE_DETECT;
}

static winnow_error make_error(winnow_status status, const char *message)
{
    return (winnow_error){.status = status, .message = message, .name = "", .allowed = ""};
}

const winnow_error *winnow_reader_error(const winnow_reader *reader)
{
    static const winnow_error no_reader = {
        .status = WINNOW_STATUS_BAD_ARGUMENT,
        .message = "there is no reader",
        .name = "",
        .allowed = "",
    };
    if (!reader)
        return &no_reader;
    winnow_reader *r = (winnow_reader *)reader; /* the sentence is made when somebody wants it */
    if (r->status == WINNOW_STATUS_OK || r->status == WINNOW_STATUS_PARTIAL) {
        const wn_io_source *stream = &r->archive.stream;
        bool nothing = r->archive.kind == WN_IO_ARCHIVE_WARC && r->archive.warc.records == 0;
        bool begun = r->opened && (r->ended || !nothing);
        wn_buf_clear(&r->message);
        bool problem = begun && wn_io_archive_problem(&r->archive, &r->message);
        r->status = !problem                   ? WINNOW_STATUS_OK
                    : stream->error || nothing ? WINNOW_STATUS_UNREADABLE
                                               : WINNOW_STATUS_PARTIAL;
    }
    r->error = make_error(r->status, wn_buf_c_string(&r->message));
    return &r->error;
}
