#include "io/input.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/mime.h"

enum {
    /* First guess for inputs that do not tell their size: pipes, devices. */
    UNKNOWN_SIZE = 64 * 1024,
    /* Bytes of a file that tell what it is. */
    FIRST_LOOK = 512,
    /* A buffer that one large page made longer than this is not kept for the small ones. */
    KEPT_CAPACITY = 16 * 1024 * 1024,
};

/* ---- The sequence of pages --------------------------------------------------------------- */

bool wn_is_url(const char *name)
{
    wn_str s = wn_str_of(name);
    return wn_str_starts_nocase(s, WN_STR("http://")) ||
           wn_str_starts_nocase(s, WN_STR("https://"));
}

static bool is_stdin(const char *name)
{
    return strcmp(name, "-") == 0;
}

/* Pipes and devices must not even be opened to be looked at: somebody waits at their other end. */
static bool is_regular(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static bool is_directory(const char *name)
{
    struct stat info;
    return !is_stdin(name) && !wn_is_url(name) && stat(name, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Whether the file holds many pages. What cannot be opened does not. */
static bool is_archive(const char *path)
{
    wn_archive archive;
    char start[FIRST_LOOK];
    bool file = !is_stdin(path) && !wn_is_url(path) && is_regular(path);
    int fd = file ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (fd < 0)
        return false;
    ssize_t got = pread(fd, start, sizeof start, 0); /* of a pipe nothing must be read here */
    bool many = got >= 0 && wn_archive_may_be(wn_str_of(path), wn_str_from(start, (size_t)got));
    if (many) {
        many = wn_archive_open(&archive, fd, wn_str_of(path), WN_STR(""), 0) != WN_ARCHIVE_NONE;
        wn_archive_close(&archive);
    }
    close(fd);
    return many;
}

bool wn_inputs_is_single(char **names)
{
    return !names[0] || (!names[1] && !is_directory(names[0]) && !is_archive(names[0]));
}

void wn_inputs_open(wn_inputs *inputs, char **names)
{
    static char standard_input[] = "-";
    static char *none[] = {standard_input, NULL};
    struct stat info;
    *inputs = (wn_inputs){.names = names[0] ? names : none};
    while (inputs->names[inputs->count]) {
        const char *name = inputs->names[inputs->count++];
        bool archive = wn_archive_by_name(wn_str_of(name)) != WN_ARCHIVE_NONE;
        if (archive && stat(name, &info) == 0 && S_ISREG(info.st_mode))
            inputs->bytes_total += (uint64_t)info.st_size;
    }
}

static void close_archive(wn_inputs *inputs)
{
    if (!inputs->in_archive)
        return;
    const wn_warc *warc = &inputs->archive.warc;
    inputs->bytes_done += inputs->archive.stream.size;
    inputs->records += warc->records;
    inputs->broken += warc->malformed + warc->truncated;
    wn_archive_close(&inputs->archive);
    if (inputs->archive_fd > STDIN_FILENO)
        close(inputs->archive_fd);
    inputs->in_archive = false;
}

void wn_inputs_free(wn_inputs *inputs)
{
    close_archive(inputs);
    if (inputs->stdin_open)
        wn_archive_close(&inputs->archive);
    inputs->stdin_open = false;
    wn_walk_free(&inputs->walk);
    wn_buf_free(&inputs->archive_path);
    wn_buf_free(&inputs->problem);
    wn_buf_free(&inputs->ahead);
}

void wn_item_free(wn_item *item)
{
    wn_buf_free(&item->memory);
    wn_buf_free(&item->block);
}

static void set_item(const wn_inputs *inputs, wn_item *item, wn_item_kind kind, const char *error)
{
    item->kind = kind;
    item->id = wn_buf_c_string(&item->memory);
    item->error = error;
    item->file = item->url = item->type = NULL;
    item->place = (wn_place){0};
    item->broken = 0;
    item->whole = false;
    item->name = inputs->next - 1;
    wn_buf_clear(&item->block);
}

static void set_named_item(const wn_inputs *inputs, wn_item *item, wn_item_kind kind,
                           const char *name, const char *error)
{
    wn_buf_clear(&item->memory);
    wn_buf_add_literal(&item->memory, name);
    set_item(inputs, item, kind, error);
}

/* ---- Archives among the inputs ----------------------------------------------------------- */

static uint64_t most_of_record(const wn_inputs *inputs)
{
    return inputs->max_record ? inputs->max_record : WN_MAX_RECORD;
}

/* Goes into inputs->archive, which was opened; false if it is none. */
static bool enter_archive(wn_inputs *inputs, const char *path, int fd)
{
    if (inputs->archive.kind == WN_ARCHIVE_NONE)
        return false;
    inputs->archive_fd = fd;
    inputs->in_archive = true;
    inputs->walked = inputs->walking;
    wn_buf_clear(&inputs->archive_path);
    wn_buf_add_literal(&inputs->archive_path, path);
    return true;
}

/* Opens the file at `path` and goes into it if it is an archive; only if its first bytes are like one. */
static bool enter_file(wn_inputs *inputs, const char *path)
{
    char start[FIRST_LOOK];
    int fd = is_regular(path) ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
    if (fd < 0)
        return false;
    ssize_t got = pread(fd, start, sizeof start, 0);
    if (got >= 0 && wn_archive_may_be(wn_str_of(path), wn_str_from(start, (size_t)got))) {
        wn_archive_open(&inputs->archive, fd, wn_str_of(path), WN_STR(""), most_of_record(inputs));
        if (enter_archive(inputs, path, fd))
            return true;
        wn_archive_close(&inputs->archive);
    }
    close(fd);
    return false;
}

/*
 * Reads the start of standard input, once, to see what it is. What is compressed is opened as an
 * archive: what it holds shows only when it is decoded, and what was read for that is read.
 */
static void look_at_stdin(wn_inputs *inputs)
{
    if (inputs->looked)
        return;
    inputs->looked = true;
    if (!wn_buf_reserve(&inputs->ahead, FIRST_LOOK))
        return;
    ssize_t got = wn_read(STDIN_FILENO, inputs->ahead.ptr, FIRST_LOOK);
    inputs->ahead.len = got > 0 ? (size_t)got : 0;
    wn_str start = wn_buf_str(&inputs->ahead);
    if (!wn_warc_begins(start) && wn_codec_of_bytes(start) == WN_CODEC_NONE)
        return;
    wn_archive_open(&inputs->archive, STDIN_FILENO, WN_STR("-"), start, most_of_record(inputs));
    inputs->stdin_open = true;
}

/* Reads the page that standard input holds compressed. */
static void unpack_stdin(wn_inputs *inputs, wn_item *item)
{
    wn_source *stream = &inputs->archive.stream;
    wn_source_read(stream, &item->block, most_of_record(inputs) + 1);
    item->whole = true;
    item->broken = stream->gaps;
    item->error = stream->error                          ? stream->error
                  : stream->gaps && item->block.len == 0 ? "it cannot be decompressed"
                                                         : NULL;
    wn_archive_close(&inputs->archive);
}

/* Begins with standard input; true if it is a page. */
static bool begin_stdin(wn_inputs *inputs, wn_item *item)
{
    look_at_stdin(inputs);
    bool unpacked = inputs->stdin_open;
    inputs->stdin_open = false;
    if (unpacked && enter_archive(inputs, "-", STDIN_FILENO))
        return false;
    set_named_item(inputs, item, WN_ITEM_STDIN, "-", NULL);
    if (unpacked)
        unpack_stdin(inputs, item);
    else
        wn_buf_add(&item->block, wn_buf_str(&inputs->ahead));
    wn_buf_clear(&inputs->ahead);
    return true;
}

/* Puts the strings of a page into the item's memory, one behind the other. */
static void set_archived_item(wn_inputs *inputs, wn_item *item, const wn_archived *page)
{
    wn_buf *memory = &item->memory;
    bool line = inputs->archive.kind == WN_ARCHIVE_JSONL;
    wn_buf_clear(memory);
    wn_buf_add(memory, page->id);
    if (page->id.len == 0) {
        wn_buf_add_format(memory, "%s@%llu", wn_buf_c_string(&inputs->archive_path),
                          (unsigned long long)page->place.offset);
        if (page->place.inner)
            wn_buf_add_format(memory, "+%llu", (unsigned long long)page->place.inner);
    }
    wn_buf_add_char(memory, '\0');
    size_t file = memory->len;
    wn_buf_add(memory, wn_buf_str(&inputs->archive_path));
    wn_buf_add_char(memory, '\0');
    size_t url = memory->len;
    wn_buf_add(memory, page->url);
    wn_buf_add_char(memory, '\0');
    size_t type = memory->len;
    wn_buf_add(memory, page->content_type);
    const char *strings = wn_buf_c_string(memory);
    bool well = !memory->failed;
    *item = (wn_item){
        .kind = line ? WN_ITEM_LINE : WN_ITEM_RECORD,
        .id = strings,
        .file = well ? strings + file : "",
        .url = well && page->url.len ? strings + url : NULL,
        .type = well && page->content_type.len ? strings + type : NULL,
        .place = page->place,
        .broken = page->broken,
        .name = inputs->next - 1,
        .block = item->block,
        .memory = *memory,
    };
}

/* The next page of the open archive, or at its end what is wrong with it; false at its end. */
static bool next_in_archive(wn_inputs *inputs, wn_item *item)
{
    wn_archived page;
    if (wn_archive_next(&inputs->archive, &page, &item->block)) {
        set_archived_item(inputs, item, &page);
        return true;
    }
    wn_buf_clear(&inputs->problem);
    bool problem = wn_archive_problem(&inputs->archive, &inputs->problem);
    wn_place end = {inputs->archive.stream.size, 0};
    close_archive(inputs);
    if (!problem)
        return false;
    set_named_item(inputs, item, WN_ITEM_UNREADABLE, wn_buf_c_string(&inputs->archive_path), NULL);
    size_t length = item->memory.len;
    wn_buf_add_char(&item->memory, '\0');
    wn_buf_add(&item->memory, wn_buf_str(&inputs->problem));
    item->id = wn_buf_c_string(&item->memory);
    item->error = item->memory.failed ? "out of memory" : item->id + length + 1;
    item->place = end;
    return true;
}

/* ---- The sequence of pages, again -------------------------------------------------------- */

/* The next item of the directory that is being walked; false at its end, or in an archive. */
static bool walk_on(wn_inputs *inputs, wn_item *item)
{
    switch (wn_walk_next(&inputs->walk, &item->memory)) {
    case WN_WALK_PAGE:
        set_item(inputs, item, WN_ITEM_WALKED, NULL);
        return wn_archive_by_name(wn_str_of(item->id)) != WN_ARCHIVE_WARC ||
               !enter_file(inputs, item->id);
    case WN_WALK_ERROR:
        inputs->walking = inputs->walk.frames.count > 0;
        set_item(inputs, item, WN_ITEM_UNREADABLE, strerror(errno));
        return true;
    case WN_WALK_END:
        break;
    }
    inputs->walking = false;
    if (inputs->walk.found > 0)
        return false;
    set_named_item(inputs, item, WN_ITEM_NO_PAGES, inputs->names[inputs->next - 1],
                   "no pages found");
    return true;
}

/* Begins with the next name; true when it is an item itself. */
static bool begin_name(wn_inputs *inputs, wn_item *item)
{
    const char *name = inputs->names[inputs->next++];
    if (is_directory(name)) {
        wn_walk_begin(&inputs->walk, name);
        inputs->walking = true;
        return false;
    }
    if (is_stdin(name))
        return begin_stdin(inputs, item);
    if (!wn_is_url(name) && enter_file(inputs, name))
        return false;
    set_named_item(inputs, item, wn_is_url(name) ? WN_ITEM_URL : WN_ITEM_FILE, name, NULL);
    return true;
}

bool wn_inputs_next(wn_inputs *inputs, wn_item *item)
{
    for (;;) {
        if (inputs->in_archive) {
            if (next_in_archive(inputs, item))
                return true;
        } else if (inputs->walking) {
            if (walk_on(inputs, item))
                return true;
        } else if (inputs->next == inputs->count) {
            return false;
        } else if (begin_name(inputs, item)) {
            return true;
        }
    }
}

/* Walks to the file or the directory that could not be read at `path`. */
static bool walk_behind(wn_inputs *inputs, const char *path)
{
    wn_buf found = {0};
    bool there = false;
    while (!there && wn_walk_next(&inputs->walk, &found) != WN_WALK_END)
        there = strcmp(wn_buf_c_string(&found), path) == 0;
    wn_buf_free(&found);
    return there;
}

bool wn_inputs_go_behind(wn_inputs *inputs, const wn_item *last)
{
    const char *path = last->file ? last->file : last->id;
    if (last->name >= inputs->count)
        return false;
    for (size_t i = 0; i < last->name; i++) {
        struct stat info;
        const char *name = inputs->names[i];
        if (wn_archive_by_name(wn_str_of(name)) != WN_ARCHIVE_NONE && stat(name, &info) == 0)
            inputs->bytes_done += (uint64_t)info.st_size;
    }
    const char *name = inputs->names[last->name];
    inputs->next = last->name + 1;
    if (is_directory(name)) {
        wn_walk_begin(&inputs->walk, name);
        inputs->walking = true;
        if (!walk_behind(inputs, path))
            return false;
    } else if (strcmp(name, path) != 0) {
        return false;
    }
    if (!last->file)
        return true;
    return enter_file(inputs, path) &&
           wn_archive_go_behind(&inputs->archive, last->place, last->broken);
}

bool wn_inputs_single(wn_inputs *inputs)
{
    if (inputs->count == 1 && is_stdin(inputs->names[0])) {
        look_at_stdin(inputs);
        return !inputs->stdin_open || inputs->archive.kind == WN_ARCHIVE_NONE;
    }
    return wn_inputs_is_single(inputs->names);
}

uint64_t wn_inputs_ahead(const wn_inputs *inputs, bool *exact)
{
    *exact = !inputs->in_archive;
    uint64_t ahead = wn_walk_ahead(&inputs->walk, exact);
    for (size_t i = inputs->next; i < inputs->count && *exact; i++) {
        const char *name = inputs->names[i];
        ahead++;
        *exact = wn_archive_by_name(wn_str_of(name)) == WN_ARCHIVE_NONE && !is_directory(name);
    }
    return ahead;
}

uint64_t wn_inputs_bytes(const wn_inputs *inputs, uint64_t *total)
{
    bool known = inputs->bytes_total > 0 && !inputs->walked;
    *total = known ? inputs->bytes_total : 0;
    uint64_t here = inputs->in_archive ? wn_source_consumed(&inputs->archive.stream) : 0;
    return inputs->bytes_done + here;
}

/* ---- The bytes of a page ----------------------------------------------------------------- */

void wn_loader_init(wn_loader *loader, const wn_http_settings *settings)
{
    *loader = (wn_loader){.settings = *settings};
}

void wn_loader_free(wn_loader *loader)
{
    wn_http_free(loader->http);
    wn_buf_free(&loader->bytes);
    wn_buf_free(&loader->error);
    wn_buf_free(&loader->charset);
    wn_body_decoder_free(&loader->body);
    wn_io_json_line_free(&loader->line);
}

static wn_loaded failed(wn_loader *loader, const char *reason)
{
    wn_buf_clear(&loader->error);
    wn_buf_add_literal(&loader->error, reason);
    return (wn_loaded){.bytes = WN_STR(""), .error = wn_buf_c_string(&loader->error)};
}

/* How much of a page that is compressed, or in an archive, is read. */
static uint64_t unpacked_limit(const wn_loader *loader)
{
    uint64_t most = loader->max_unpacked ? loader->max_unpacked : WN_MAX_RECORD;
    return most < loader->settings.max_bytes ? most : loader->settings.max_bytes;
}

/* A page that is compressed as a whole (page.html.gz) is decompressed. */
static wn_loaded unpacked(wn_loader *loader, wn_str bytes)
{
    uint64_t limit = unpacked_limit(loader);
    if (wn_codec_of_bytes(bytes) == WN_CODEC_NONE)
        return (wn_loaded){.bytes = bytes};
    wn_str page = wn_unpacked_bytes(&loader->body, bytes, limit + 1);
    return (wn_loaded){.bytes = page,
                       .limit = page.len > limit ? limit : 0,
                       .damaged = loader->body.damaged && page.len <= limit};
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
        ssize_t got = wn_read(fd, bytes->ptr + bytes->len, room);
        if (got < 0)
            return errno;
        if (got == 0)
            return 0;
        bytes->len += (size_t)got;
    }
    return 0;
}

static wn_loaded load_descriptor(wn_loader *loader, int fd, size_t expected)
{
    int error = read_to_end(fd, &loader->bytes, expected, loader->settings.max_bytes);
    if (error)
        return failed(loader, strerror(error));
    return unpacked(loader, wn_buf_str(&loader->bytes));
}

/*
 * A file from a walk is opened without waiting, because it may have become a pipe
 * since its directory was read; one that the user named may well be a pipe.
 */
static wn_loaded load_file(wn_loader *loader, const char *path, bool walked)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (walked ? O_NONBLOCK : 0));
    if (fd < 0)
        return failed(loader, strerror(errno));
    struct stat info;
    wn_loaded loaded;
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

static wn_loaded load_url(wn_loader *loader, const char *url)
{
    if (!loader->http)
        loader->http = wn_http_new(&loader->settings);
    if (!loader->http)
        return failed(loader, strerror(ENOMEM));
    wn_http_reply reply = wn_http_get(loader->http, url, &loader->bytes);
    return (wn_loaded){
        .bytes = wn_buf_str(&loader->bytes),
        .url = reply.url,
        .charset = reply.charset,
        .error = reply.error,
        .not_html = reply.not_html,
    };
}

static wn_loaded load_stdin(wn_loader *loader, const wn_item *item)
{
    if (item->error)
        return failed(loader, item->error);
    wn_buf_add(&loader->bytes, wn_buf_str(&item->block));
    if (!item->whole)
        return load_descriptor(loader, STDIN_FILENO, UNKNOWN_SIZE);
    wn_loaded loaded = unpacked(loader, wn_buf_str(&loader->bytes)); /* there may be a layer more */
    uint64_t limit = unpacked_limit(loader);
    if (loaded.bytes.len > limit)
        loaded.limit = limit;
    loaded.damaged = loaded.damaged || item->broken > 0;
    return loaded;
}

/* ---- Pages of archives ------------------------------------------------------------------- */

static wn_loaded load_record(wn_loader *loader, const wn_item *item)
{
    wn_response response;
    uint64_t limit = unpacked_limit(loader);
    wn_str body = wn_archive_body(&loader->body, wn_buf_str(&item->block), wn_str_of(item->type),
                                  limit, &response);
    wn_str charset = wn_type_charset(response.content_type);
    wn_buf_clear(&loader->charset);
    wn_buf_add(&loader->charset, charset);
    return (wn_loaded){
        .bytes = body,
        .url = item->url,
        .charset = charset.len ? wn_buf_c_string(&loader->charset) : NULL,
        .limit = body.len > limit ? limit : 0,
        .skip = !wn_archive_is_page(response.content_type, body),
    };
}

static wn_loaded load_line(wn_loader *loader, const wn_item *item)
{
    wn_str line = wn_buf_str(&item->block);
    if (line.len > unpacked_limit(loader))
        return failed(loader, "the line is too long; see --max-record");
    bool first = item->place.offset + item->place.inner == 0;
    const wn_io_json_page *page = wn_io_json_line_read(&loader->line, line, first, NULL);
    if (page->error)
        return failed(loader, page->error);
    return (wn_loaded){
        .bytes = page->html,
        .id = page->id,
        .url = page->url,
        .charset = "utf-8",
    };
}

wn_loaded wn_loader_load(wn_loader *loader, const wn_item *item)
{
    if (loader->bytes.cap > KEPT_CAPACITY)
        wn_buf_free(&loader->bytes);
    wn_buf_clear(&loader->bytes);
    if (item->block.failed)
        return failed(loader, strerror(ENOMEM));
    switch (item->kind) {
    case WN_ITEM_RECORD:
        return load_record(loader, item);
    case WN_ITEM_LINE:
        return load_line(loader, item);
    case WN_ITEM_STDIN:
        return load_stdin(loader, item);
    case WN_ITEM_URL:
        return load_url(loader, item->id);
    case WN_ITEM_UNREADABLE:
    case WN_ITEM_NO_PAGES:
        return failed(loader, item->error);
    case WN_ITEM_FILE:
    case WN_ITEM_WALKED:
        break;
    }
    return load_file(loader, item->id, item->kind == WN_ITEM_WALKED);
}
