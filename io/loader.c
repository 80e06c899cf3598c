#include "io/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/archive.h"
#include "io/handed_in.h"
#include "io/mime.h"

enum {
    /* First guess for inputs of unknown size: pipes, devices. */
    UNKNOWN_SIZE = 64 * 1024,
    /* If a large page made a buffer longer than this, it is not kept for small ones. */
    KEPT_CAPACITY = 16 * 1024 * 1024,
};

#define DEFAULT_MAX_BYTES (UINT64_C(256) << 20)
#define MOST_BYTES (UINT64_C(2) << 30)

static const double DEFAULT_TIMEOUT = 30;
enum { DEFAULT_REDIRECTS = 10 };

/* ---- Settings ---------------------------------------------------------------------------- */

bool wn_io_read_settings(const winnow_inputs_settings *handed_in, wn_io_reading *reading)
{
    winnow_inputs_settings s;
    bool sound = wn_io_take_struct(&s, sizeof s, handed_in) && s.from <= WINNOW_ARCHIVE_TEXT;
    *reading = (wn_io_reading){
        .max_record = s.max_record ? s.max_record : WN_IO_MAX_RECORD,
        .from = s.from,
        .fields = {s.html_field, s.url_field, s.id_field},
    };
    reading->web = (wn_io_http_settings){
        .max_bytes = s.max_bytes == 0           ? DEFAULT_MAX_BYTES
                     : s.max_bytes > MOST_BYTES ? MOST_BYTES
                                                : s.max_bytes,
        .max_redirects = s.max_redirects == WINNOW_NO_REDIRECTS ? 0
                         : s.max_redirects                      ? s.max_redirects
                                                                : DEFAULT_REDIRECTS,
        .timeout = s.timeout > 0 ? s.timeout : DEFAULT_TIMEOUT,
        .allow_private = s.allow_private,
        .user_agent = s.user_agent,
        .proxy = s.proxy,
        .headers = s.headers,
    };
    return sound;
}

/* ---- The bytes of a page ----------------------------------------------------------------- */

void wn_io_loader_init(winnow_loader *loader, const wn_io_http_settings *settings)
{
    *loader = (winnow_loader){.settings = *settings, .max_unpacked = WN_IO_MAX_RECORD};
}

void wn_io_loader_end(winnow_loader *loader)
{
    wn_io_http_free(loader->http);
    wn_buf_free(&loader->bytes);
    wn_buf_free(&loader->error);
    wn_buf_free(&loader->charset);
    wn_buf_free(&loader->media_type);
    wn_io_body_decoder_free(&loader->body);
    wn_io_json_line_free(&loader->line);
    wn_buf_free(&loader->wrapped);
}

static winnow_loaded failed(winnow_loader *loader, const char *reason)
{
    wn_buf_clear(&loader->error);
    wn_buf_add_literal(&loader->error, reason);
    return (winnow_loaded){.bytes = "", .error = wn_buf_c_string(&loader->error)};
}

/* How much of a page that is compressed, or in an archive, is read. */
static uint64_t unpacked_limit(const winnow_loader *loader)
{
    uint64_t most = loader->settings.max_bytes;
    return loader->max_unpacked < most ? loader->max_unpacked : most;
}

/* A page that is compressed as a whole (page.html.gz) is decompressed. */
static winnow_loaded unpacked(winnow_loader *loader, wn_str bytes)
{
    uint64_t limit = unpacked_limit(loader);
    if (wn_io_codec_of_bytes(bytes) == WN_IO_CODEC_NONE)
        return (winnow_loaded){.bytes = bytes.ptr, .size = bytes.len};
    wn_str page = wn_io_unpacked_bytes(&loader->body, bytes, limit + 1);
    return (winnow_loaded){.bytes = page.ptr,
                           .size = page.len,
                           .limit = page.len > limit ? limit : 0,
                           .damaged = loader->body.damaged && page.len <= limit,
                           .truncated = loader->body.truncated && page.len <= limit};
}

/* Reads `fd` to its end, or one byte past the limit; 0 or an error number. */
static int read_to_end(int fd, wn_buf *bytes, size_t expected, uint64_t max_bytes)
{
    size_t most = (size_t)max_bytes + 1;
    if (expected > most)
        expected = most;
    while (bytes->len < most) {
        if (bytes->len == bytes->cap || bytes->cap < expected) {
            size_t more = bytes->len < expected ? expected - bytes->len : UNKNOWN_SIZE;
            if (!wn_buf_reserve(bytes, more))
                return ENOMEM;
        }
        size_t room = bytes->cap - bytes->len;
        if (room > most - bytes->len)
            room = most - bytes->len;
        ssize_t got = wn_io_read(fd, bytes->ptr + bytes->len, room);
        if (got < 0)
            return errno;
        if (got == 0)
            return 0;
        bytes->len += (size_t)got;
    }
    return 0;
}

static winnow_loaded load_descriptor(winnow_loader *loader, int fd, size_t expected)
{
    int error = read_to_end(fd, &loader->bytes, expected, loader->settings.max_bytes);
    if (error)
        return failed(loader, strerror(error));
    return unpacked(loader, wn_buf_str(&loader->bytes));
}

/* A file that was opened when the inputs were looked at. */
static winnow_loaded load_open_file(winnow_loader *loader, wn_io_item *item)
{
    winnow_loaded loaded = load_descriptor(loader, item->fd, (size_t)item->size + 1);
    close(item->fd);
    atomic_fetch_sub(item->open_files, 1);
    item->open_files = NULL;
    return loaded;
}

/*
 * A file from a walk is opened without waiting, because it may have become a pipe
 * since its directory was read; one that the user named may well be a pipe.
 */
static winnow_loaded load_file(winnow_loader *loader, const char *path, bool walked)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (walked ? O_NONBLOCK : 0));
    if (fd < 0)
        return failed(loader, strerror(errno));
    struct stat info;
    winnow_loaded loaded;
    if (fstat(fd, &info) != 0)
        loaded = failed(loader, strerror(errno));
    else if (walked && !S_ISREG(info.st_mode))
        loaded = failed(loader, "it is no longer a regular file");
    else
        loaded = load_descriptor(loader, fd,
                                 S_ISREG(info.st_mode) ? (size_t)info.st_size + 1 : UNKNOWN_SIZE);
    close(fd);
    return loaded;
}

static winnow_loaded load_url(winnow_loader *loader, const char *url)
{
    if (!loader->http)
        loader->http = wn_io_http_new(&loader->settings);
    if (!loader->http)
        return failed(loader, strerror(ENOMEM));
    wn_io_http_reply reply = wn_io_http_get(loader->http, url, &loader->bytes);
    return (winnow_loaded){
        .bytes = loader->bytes.len ? loader->bytes.ptr : "",
        .size = loader->bytes.len,
        .url = reply.url,
        .charset = reply.charset,
        .error = reply.error,
        .not_html = reply.not_html,
    };
}

static winnow_loaded load_stdin(winnow_loader *loader, const wn_io_item *item)
{
    if (item->shown.error)
        return failed(loader, item->shown.error);
    wn_buf_add(&loader->bytes, wn_buf_str(&item->block));
    if (!item->whole)
        return load_descriptor(loader, STDIN_FILENO, UNKNOWN_SIZE);
    winnow_loaded loaded = unpacked(loader,
                                    wn_buf_str(&loader->bytes)); /* there may be a layer more */
    uint64_t limit = unpacked_limit(loader);
    if (loaded.size > limit)
        loaded.limit = limit;
    loaded.damaged = loaded.damaged || item->shown.broken > 0;
    return loaded;
}

/* ---- Pages of archives ------------------------------------------------------------------- */

/* Keeps the media type of a record in lower case. */
static const char *keep_media_type(winnow_loader *loader, wn_str content_type)
{
    wn_str name = wn_io_type_name(content_type);
    wn_buf_clear(&loader->media_type);
    for (size_t i = 0; i < name.len; i++)
        wn_buf_add_char(&loader->media_type, wn_ascii_lower(name.ptr[i]));
    return name.len > 0 ? wn_buf_c_string(&loader->media_type) : NULL;
}

static winnow_loaded load_record(winnow_loader *loader, const wn_io_item *item)
{
    wn_io_response response;
    uint64_t limit = unpacked_limit(loader);
    wn_str body = wn_io_archive_body(&loader->body, wn_buf_str(&item->block),
                                     wn_str_of(item->shown.type), limit, &response);
    wn_str charset = wn_io_type_charset(response.content_type);
    wn_buf_clear(&loader->charset);
    wn_buf_add(&loader->charset, charset);
    return (winnow_loaded){
        .bytes = body.ptr,
        .size = body.len,
        .url = item->shown.url,
        .charset = charset.len ? wn_buf_c_string(&loader->charset) : NULL,
        .limit = body.len > limit ? limit : 0,
        .damaged = loader->body.damaged && body.len <= limit,
        .truncated = (item->truncated || loader->body.truncated) && body.len <= limit,
        .skip = !item->is_text && !wn_io_archive_is_page(response.content_type, body),
        .http_status = response.status,
        .media_type = keep_media_type(loader, response.content_type),
    };
}

static winnow_loaded load_line(winnow_loader *loader, const wn_io_item *item)
{
    wn_str line = wn_buf_str(&item->block);
    uint64_t limit = unpacked_limit(loader);
    if (line.len > limit) {
        winnow_loaded too_long = failed(loader, "the line is too long");
        too_long.limit = limit;
        return too_long;
    }
    bool first = item->shown.offset + item->shown.inner == 0;
    const wn_io_json_page *page = wn_io_json_line_read(&loader->line, line, first, &loader->fields);
    if (page->error)
        return failed(loader, page->error);
    return (winnow_loaded){
        .bytes = page->html.ptr,
        .size = page->html.len,
        .id = page->id,
        .url = page->url,
        .charset = "utf-8",
        .media_type = "text/html",
    };
}

static winnow_loaded load_item(winnow_loader *loader, wn_io_item *item)
{
    const winnow_input *input = &item->shown;
    switch (input->kind) {
    case WINNOW_INPUT_RECORD:
        return load_record(loader, item);
    case WINNOW_INPUT_LINE:
        return load_line(loader, item);
    case WINNOW_INPUT_STANDARD:
        return load_stdin(loader, item);
    case WINNOW_INPUT_URL:
        return load_url(loader, item->address ? item->address : input->id);
    case WINNOW_INPUT_UNREADABLE:
    case WINNOW_INPUT_NO_PAGES:
    case WINNOW_INPUT_DAMAGED:
        return failed(loader, input->error);
    case WINNOW_INPUT_FILE:
    case WINNOW_INPUT_FOUND:
        break;
    }
    if (item->open_files)
        return load_open_file(loader, item);
    return load_file(loader, input->id, input->kind == WINNOW_INPUT_FOUND);
}

/* Plain text as a page: HTML has an element for it. */
static winnow_loaded wrapped(winnow_loader *loader, winnow_loaded loaded)
{
    wn_buf *page = &loader->wrapped;
    wn_buf_clear(page);
    wn_buf_add_literal(page, WINNOW_PLAIN_TEXT);
    wn_buf_add(page, wn_str_from(loaded.bytes, loaded.size));
    if (page->failed)
        return failed(loader, strerror(ENOMEM));
    loaded.bytes = page->ptr;
    loaded.size = page->len;
    return loaded;
}

winnow_loaded wn_io_loader_load(winnow_loader *loader, wn_io_item *item)
{
    if (loader->bytes.cap > KEPT_CAPACITY)
        wn_buf_free(&loader->bytes);
    wn_buf_clear(&loader->bytes);
    if (item->block.failed)
        return failed(loader, strerror(ENOMEM));
    winnow_loaded loaded = load_item(loader, item);
    bool is_text = loader->plain_text || item->is_text;
    return is_text && !loaded.error ? wrapped(loader, loaded) : loaded;
}

/* ---- For others -------------------------------------------------------------------------- */

winnow_loader *winnow_loader_new(const winnow_inputs_settings *settings)
{
    wn_io_reading reading;
    winnow_loader *loader = calloc(1, sizeof *loader);
    if (!wn_io_read_settings(settings, &reading) || !loader) {
        free(loader);
        return NULL;
    }
    wn_io_loader_init(loader, &reading.web);
    loader->max_unpacked = reading.max_record;
    return loader;
}

void winnow_loader_free(winnow_loader *loader)
{
    if (!loader)
        return;
    wn_io_loader_end(loader);
    free(loader);
}

const winnow_loaded *winnow_loader_load(winnow_loader *loader, const char *path)
{
    static const winnow_loaded nothing = {.bytes = "", .error = "there is no loader or no path"};
    if (!loader || !path)
        return &nothing;
    bool standard = strcmp(path, "-") == 0;
    wn_io_item item = {
        .shown = {.kind = standard ? WINNOW_INPUT_STANDARD : WINNOW_INPUT_FILE, .id = path}};
    loader->loaded = wn_io_loader_load(loader, &item);
    return &loader->loaded;
}
