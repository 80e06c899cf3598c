#include "io/input.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/url.h"
#include "io/archive.h"
#include "io/handed_in.h"
#include "io/walk.h"

enum {
    /* Bytes of a file that tell what it is. */
    FIRST_LOOK = 512,
    /* Files that are kept open from the look at them until they are read. */
    MOST_OPEN = 128,
};

/* What a name refers to, as far as its directory entry shows. */
typedef enum name_kind {
    NAME_OTHER, /* a pipe, a device, something that is not there */
    NAME_FILE,
    NAME_DIRECTORY,
    NAME_URL,
    NAME_STDIN,
} name_kind;

/* The look at a name. Each name is looked at once. */
typedef struct look {
    name_kind kind;
    uint64_t size; /* of a file */
    int fd;        /* of a file that could be opened; else -1 */
    bool archive;  /* inputs->archive is open and reads it */
} look;

struct winnow_inputs {
    const char *const *names; /* borrowed */
    size_t count;
    size_t next;
    wn_io_reading reading;
    bool looked; /* `look` is at the next name */
    look look;
    wn_io_walk walk;
    bool walking;
    bool walked;     /* the open archive was found in a directory */
    bool in_archive; /* `archive` is open, and its pages are given out */
    int archive_fd;
    wn_io_archive archive;
    wn_buf archive_path;
    wn_buf problem; /* of an archive, for the item that tells it */
    wn_buf ahead;   /* bytes of standard input that were looked at */
    bool looked_at_stdin;
    bool stdin_open;                  /* they are compressed, and `archive` reads them */
    bool sized;                       /* bytes_total is known */
    uint64_t bytes_total, bytes_done; /* of the files named that are archives */
    atomic_size_t open_files;         /* that items carry */
    wn_io_item item;                  /* for those who take one after the other */
    winnow_loader *loader;            /* the same */
};

/* ---- Names ------------------------------------------------------------------------------- */

bool wn_io_is_url(const char *name)
{
    wn_str s = wn_str_of(name);
    return wn_str_starts_nocase(s, WN_STR("http://")) ||
           wn_str_starts_nocase(s, WN_STR("https://"));
}

static bool is_stdin(const char *name)
{
    return strcmp(name, "-") == 0;
}

/* Pipes and devices must not even be opened for inspection: someone waits at their other end. */
static name_kind kind_of(const char *name, uint64_t *size)
{
    struct stat info;
    *size = 0;
    if (is_stdin(name))
        return NAME_STDIN;
    if (wn_io_is_url(name))
        return NAME_URL;
    if (stat(name, &info) != 0)
        return NAME_OTHER;
    *size = (uint64_t)info.st_size;
    return S_ISDIR(info.st_mode) ? NAME_DIRECTORY : S_ISREG(info.st_mode) ? NAME_FILE : NAME_OTHER;
}

/*
 * What a file is according to the user or, for JSON lines, its first bytes; NONE: its name or
 * decompressed content decides, or it is a page.
 */
static wn_io_archive_kind told_kind(const winnow_inputs *inputs, const char *name, wn_str start)
{
    static const wn_io_archive_kind kinds[] = {
        [WINNOW_ARCHIVE_WARC] = WN_IO_ARCHIVE_WARC,
        [WINNOW_ARCHIVE_JSONL] = WN_IO_ARCHIVE_JSONL,
        [WINNOW_ARCHIVE_TEXT] = WN_IO_ARCHIVE_NONE,
    };
    if (inputs->reading.from != WINNOW_ARCHIVE_DETECT)
        return kinds[inputs->reading.from];
    return wn_io_json_begins(start) && !wn_io_is_page_name(wn_str_of(name)) ? WN_IO_ARCHIVE_JSONL
                                                                            : WN_IO_ARCHIVE_NONE;
}

/* Opens a file, and inputs->archive on it if it is one. */
static void open_file(winnow_inputs *inputs, look *l, const char *path)
{
    char start[FIRST_LOOK];
    l->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    ssize_t got = l->fd < 0 ? -1 : pread(l->fd, start, sizeof start, 0);
    if (got < 0)
        return;
    wn_str first = wn_str_from(start, (size_t)got);
    wn_io_archive_kind told = told_kind(inputs, path, first);
    bool detect = inputs->reading.from == WINNOW_ARCHIVE_DETECT;
    if (!told && !(detect && wn_io_archive_may_be(wn_str_of(path), first)))
        return;
    wn_io_archive_open(&inputs->archive, l->fd, wn_str_of(path), WN_STR(""), told,
                       inputs->reading.max_record);
    l->archive = inputs->archive.kind != WN_IO_ARCHIVE_NONE;
    if (!l->archive) {
        wn_io_archive_close(&inputs->archive);
        lseek(l->fd, 0, SEEK_SET);
    }
}

static look look_at(winnow_inputs *inputs, const char *name)
{
    look l = {.fd = -1};
    l.kind = kind_of(name, &l.size);
    if (l.kind == NAME_FILE)
        open_file(inputs, &l, name);
    return l;
}

/* What was opened for inspection is not needed. */
static void forget_look(winnow_inputs *inputs, look *l)
{
    if (l->archive)
        wn_io_archive_close(&inputs->archive);
    if (l->fd >= 0)
        close(l->fd);
    *l = (look){.fd = -1};
}

/* The look at the next name. */
static const look *look_ahead(winnow_inputs *inputs)
{
    assert(inputs->next < inputs->count && !inputs->in_archive);
    if (!inputs->looked)
        inputs->look = look_at(inputs, inputs->names[inputs->next]);
    inputs->looked = true;
    return &inputs->look;
}

/* ---- Opening and closing ----------------------------------------------------------------- */

winnow_inputs *winnow_inputs_open(const char *const *names, const winnow_inputs_settings *settings)
{
    static const char *const none[] = {"-", NULL};
    winnow_inputs *inputs = names ? calloc(1, sizeof *inputs) : NULL;
    bool network = false;
    if (!inputs)
        return NULL;
    inputs->names = names[0] ? names : none;
    for (; inputs->names[inputs->count]; inputs->count++)
        network = network || wn_io_is_url(inputs->names[inputs->count]);
    if (wn_io_read_settings(settings, &inputs->reading) && (!network || wn_io_http_start()))
        return inputs;
    winnow_inputs_close(inputs);
    return NULL;
}

static void close_archive(winnow_inputs *inputs)
{
    if (!inputs->in_archive)
        return;
    inputs->bytes_done += inputs->archive.stream.size;
    wn_io_archive_close(&inputs->archive);
    if (inputs->archive_fd > STDIN_FILENO)
        close(inputs->archive_fd);
    inputs->in_archive = false;
}

void winnow_inputs_close(winnow_inputs *inputs)
{
    if (!inputs)
        return;
    close_archive(inputs);
    if (inputs->stdin_open)
        wn_io_archive_close(&inputs->archive);
    if (inputs->looked)
        forget_look(inputs, &inputs->look);
    wn_io_item_free(&inputs->item);
    assert(atomic_load(&inputs->open_files) == 0); /* items do not outlive their inputs */
    winnow_loader_free(inputs->loader);
    wn_io_walk_free(&inputs->walk);
    wn_buf_free(&inputs->archive_path);
    wn_buf_free(&inputs->problem);
    wn_buf_free(&inputs->ahead);
    free(inputs);
}

/* ---- Items ------------------------------------------------------------------------------- */

static void close_item(wn_io_item *item)
{
    if (!item->open_files)
        return;
    close(item->fd);
    atomic_fetch_sub(item->open_files, 1);
    item->open_files = NULL;
}

void wn_io_item_free(wn_io_item *item)
{
    close_item(item);
    wn_buf_free(&item->memory);
    wn_buf_free(&item->block);
}

static void set_item(const winnow_inputs *inputs, wn_io_item *item, winnow_input_kind kind,
                     const char *error)
{
    item->shown = (winnow_input){
        .kind = kind,
        .id = wn_buf_c_string(&item->memory),
        .error = error,
        .name = inputs->next - 1,
    };
    item->whole = item->truncated = item->is_text = false;
    item->address = NULL;
    wn_buf_clear(&item->block);
}

static void set_named_item(const winnow_inputs *inputs, wn_io_item *item, winnow_input_kind kind,
                           const char *name, const char *error)
{
    wn_buf_clear(&item->memory);
    wn_buf_add_literal(&item->memory, name);
    set_item(inputs, item, kind, error);
}

/* ---- Archives among the inputs ----------------------------------------------------------- */

/* Goes into inputs->archive, which was opened. */
static void enter_archive(winnow_inputs *inputs, const char *path, int fd)
{
    assert(inputs->archive.kind != WN_IO_ARCHIVE_NONE);
    inputs->archive_fd = fd;
    inputs->in_archive = true;
    inputs->walked = inputs->walking;
    wn_buf_clear(&inputs->archive_path);
    wn_buf_add_literal(&inputs->archive_path, path);
}

/*
 * The file at `path`, that was found in a directory or where an earlier run was; false if it is no
 * archive.
 */
static bool enter_file(winnow_inputs *inputs, const char *path)
{
    look l = look_at(inputs, path);
    if (l.archive)
        enter_archive(inputs, path, l.fd);
    else
        forget_look(inputs, &l);
    return l.archive;
}

/*
 * Reads the start of standard input, once, to detect what it is. Compressed input is opened as an
 * archive: its content is known only after decoding, and what was read for that cannot be read
 * again.
 */
static void look_at_stdin(winnow_inputs *inputs)
{
    if (inputs->looked_at_stdin)
        return;
    inputs->looked_at_stdin = true;
    if (!wn_buf_reserve(&inputs->ahead, FIRST_LOOK))
        return;
    ssize_t got = wn_io_read(STDIN_FILENO, inputs->ahead.ptr, FIRST_LOOK);
    inputs->ahead.len = got > 0 ? (size_t)got : 0;
    wn_str start = wn_buf_str(&inputs->ahead);
    wn_io_archive_kind told = told_kind(inputs, "-", start);
    bool detect = inputs->reading.from == WINNOW_ARCHIVE_DETECT;
    if (told == WN_IO_ARCHIVE_NONE && !(detect && wn_io_warc_begins(start)) &&
        wn_io_codec_of_bytes(start) == WN_IO_CODEC_NONE)
        return;
    wn_io_archive_open(&inputs->archive, STDIN_FILENO, WN_STR("-"), start, told,
                       inputs->reading.max_record);
    if (!detect)
        inputs->archive.kind = told;
    inputs->stdin_open = true;
}

/* Reads the page that standard input holds compressed. */
static void unpack_stdin(winnow_inputs *inputs, wn_io_item *item)
{
    wn_io_source *stream = &inputs->archive.stream;
    wn_io_source_read(stream, &item->block, inputs->reading.max_record + 1);
    item->whole = true;
    item->shown.broken = stream->gaps;
    item->shown.error = stream->error                          ? stream->error
                        : stream->gaps && item->block.len == 0 ? "it cannot be decompressed"
                                                               : NULL;
    wn_io_archive_close(&inputs->archive);
}

/* Begins with standard input; true if it is a page. */
static bool begin_stdin(winnow_inputs *inputs, wn_io_item *item)
{
    look_at_stdin(inputs);
    bool unpacked = inputs->stdin_open;
    inputs->stdin_open = false;
    if (unpacked && inputs->archive.kind != WN_IO_ARCHIVE_NONE) {
        enter_archive(inputs, "-", STDIN_FILENO);
        return false;
    }
    set_named_item(inputs, item, WINNOW_INPUT_STANDARD, "-", NULL);
    if (unpacked)
        unpack_stdin(inputs, item);
    else
        wn_buf_add(&item->block, wn_buf_str(&inputs->ahead));
    item->shown.start = item->block.ptr;
    item->shown.start_size = item->block.len;
    wn_buf_clear(&inputs->ahead);
    return true;
}

/* Puts the strings of a page into the item's memory, one after the other. */
static void set_archived_item(winnow_inputs *inputs, wn_io_item *item, const wn_io_archived *page)
{
    wn_buf *memory = &item->memory;
    bool line = inputs->archive.kind == WN_IO_ARCHIVE_JSONL;
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
    wn_buf_add_char(memory, '\0');
    size_t date = memory->len;
    wn_buf_add(memory, page->date);
    const char *strings = wn_buf_c_string(memory);
    bool well = !memory->failed;
    item->whole = false;
    item->truncated = page->truncated;
    item->is_text = page->is_text;
    item->shown = (winnow_input){
        .kind = line ? WINNOW_INPUT_LINE : WINNOW_INPUT_RECORD,
        .id = strings,
        .file = well ? strings + file : "",
        .url = well && page->url.len ? strings + url : NULL,
        .type = well && page->content_type.len ? strings + type : NULL,
        .date = well && page->date.len ? strings + date : NULL,
        .length = page->length,
        .offset = page->place.offset,
        .inner = page->place.inner,
        .broken = page->broken,
        .name = inputs->next - 1,
    };
}

/*
 * Puts what is wrong with the archive, which was read, into inputs->problem; false if nothing is.
 * An archive without pages is worth a message if it was named.
 */
static bool judge_archive(winnow_inputs *inputs, winnow_input_kind *kind)
{
    const wn_io_archive *archive = &inputs->archive;
    *kind = archive->stream.error || archive->pages == 0 ? WINNOW_INPUT_UNREADABLE
                                                         : WINNOW_INPUT_DAMAGED;
    if (wn_io_archive_problem(archive, &inputs->problem))
        return true;
    *kind = WINNOW_INPUT_NO_PAGES;
    if (archive->kind != WN_IO_ARCHIVE_WARC || inputs->walked || archive->pages > 0 ||
        archive->warc.records == 0)
        return false;
    if (archive->warc.records == 1)
        wn_buf_add_literal(&inputs->problem, "its only record is not a web page");
    else
        wn_buf_add_format(&inputs->problem, "none of its %llu records is a web page",
                          (unsigned long long)archive->warc.records);
    return true;
}

/* The next page of the open archive, or at its end what is wrong with it; false at its end. */
static bool next_in_archive(winnow_inputs *inputs, wn_io_item *item)
{
    wn_io_archived page;
    if (wn_io_archive_next(&inputs->archive, &page, &item->block)) {
        set_archived_item(inputs, item, &page);
        return true;
    }
    wn_buf_clear(&inputs->problem);
    winnow_input_kind kind;
    bool problem = judge_archive(inputs, &kind);
    uint64_t end = inputs->archive.stream.size;
    close_archive(inputs);
    if (!problem)
        return false;
    set_named_item(inputs, item, kind, wn_buf_c_string(&inputs->archive_path), NULL);
    size_t length = item->memory.len;
    wn_buf_add_char(&item->memory, '\0');
    wn_buf_add(&item->memory, wn_buf_str(&inputs->problem));
    item->shown.id = wn_buf_c_string(&item->memory);
    item->shown.error = item->memory.failed ? "out of memory" : item->shown.id + length + 1;
    item->shown.offset = end;
    return true;
}

/* ---- The sequence ------------------------------------------------------------------------ */

/* The next item of the directory that is being walked; false at its end, or in an archive. */
static bool walk_on(winnow_inputs *inputs, wn_io_item *item)
{
    switch (wn_io_walk_next(&inputs->walk, &item->memory)) {
    case WN_IO_WALK_PAGE:
        set_item(inputs, item, WINNOW_INPUT_FOUND, NULL);
        return wn_io_archive_by_name(wn_str_of(item->shown.id)) != WN_IO_ARCHIVE_WARC ||
               !enter_file(inputs, item->shown.id);
    case WN_IO_WALK_ERROR:
        inputs->walking = inputs->walk.frames.count > 0;
        set_item(inputs, item, WINNOW_INPUT_UNREADABLE, strerror(errno));
        return true;
    case WN_IO_WALK_END:
        break;
    }
    inputs->walking = false;
    if (inputs->walk.found > 0)
        return false;
    set_named_item(
        inputs, item, WINNOW_INPUT_NO_PAGES, inputs->names[inputs->next - 1],
        "no file below it ends in .html, .htm, .xhtml, .xht, .shtml, .warc, .arc or .wet, "
        "optionally with .gz, .zst or .lz4; name other files individually");
    return true;
}

/* Gives the file that was looked at to the item, still open if that is possible. */
static void begin_file(winnow_inputs *inputs, wn_io_item *item, const char *name, look *l)
{
    set_named_item(inputs, item, WINNOW_INPUT_FILE, name, NULL);
    if (l->fd < 0)
        return;
    if (atomic_load(&inputs->open_files) >= MOST_OPEN) {
        forget_look(inputs, l);
        return;
    }
    atomic_fetch_add(&inputs->open_files, 1);
    item->open_files = &inputs->open_files;
    item->fd = l->fd;
    item->size = l->size;
}

/* Begins with the next name; true when it is an item itself. */
static bool begin_name(winnow_inputs *inputs, wn_io_item *item)
{
    look l = *look_ahead(inputs);
    const char *name = inputs->names[inputs->next++];
    inputs->looked = false;
    switch (l.kind) {
    case NAME_DIRECTORY:
        wn_io_walk_begin(&inputs->walk, name);
        inputs->walking = true;
        return false;
    case NAME_STDIN:
        return begin_stdin(inputs, item);
    case NAME_URL:
        wn_buf_clear(&item->memory);
        wn_url_add_without_credentials(&item->memory, wn_str_of(name));
        set_item(inputs, item, WINNOW_INPUT_URL, NULL);
        item->address = name;
        return true;
    case NAME_FILE:
    case NAME_OTHER:
        break;
    }
    if (l.archive)
        enter_archive(inputs, name, l.fd);
    else
        begin_file(inputs, item, name, &l);
    return !l.archive;
}

bool wn_io_inputs_next(winnow_inputs *inputs, wn_io_item *item)
{
    close_item(item);
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

const winnow_input *winnow_inputs_next(winnow_inputs *inputs)
{
    return inputs && wn_io_inputs_next(inputs, &inputs->item) ? &inputs->item.shown : NULL;
}

void wn_io_loader_init_for(winnow_loader *loader, const winnow_inputs *inputs)
{
    wn_io_loader_init(loader, &inputs->reading.web);
    loader->max_unpacked = inputs->reading.max_record;
    loader->fields = inputs->reading.fields;
    loader->plain_text = inputs->reading.from == WINNOW_ARCHIVE_TEXT;
}

const winnow_loaded *winnow_inputs_load(winnow_inputs *inputs)
{
    static const winnow_loaded no_input = {.bytes = "", .error = "there is no input"};
    static const winnow_loaded no_memory = {.bytes = "", .error = "out of memory"};
    if (!inputs || !inputs->item.shown.id)
        return &no_input;
    if (!inputs->loader) {
        inputs->loader = calloc(1, sizeof *inputs->loader);
        if (!inputs->loader)
            return &no_memory;
        wn_io_loader_init_for(inputs->loader, inputs);
    }
    inputs->loader->loaded = wn_io_loader_load(inputs->loader, &inputs->item);
    return &inputs->loader->loaded;
}

/* ---- Resuming ---------------------------------------------------------------------------- */

/* Walks to the file or the directory that could not be read at `path`. */
static bool walk_past(winnow_inputs *inputs, const char *path)
{
    wn_buf found = {0};
    bool there = false;
    while (!there && wn_io_walk_next(&inputs->walk, &found) != WN_IO_WALK_END)
        there = strcmp(wn_buf_c_string(&found), path) == 0;
    wn_buf_free(&found);
    return there;
}

static bool is_archive_name(const char *name)
{
    return wn_io_archive_by_name(wn_str_of(name)) != WN_IO_ARCHIVE_NONE;
}

/* The bytes of a file that is named like an archive; 0 of anything else. */
static uint64_t archive_size(const char *name)
{
    uint64_t size;
    return is_archive_name(name) && kind_of(name, &size) == NAME_FILE ? size : 0;
}

/* Whether an item of that id came from the name; an address is shown without its password. */
static bool is_shown_as(const char *name, const char *id)
{
    wn_buf shown = {0};
    if (wn_io_is_url(name))
        wn_url_add_without_credentials(&shown, wn_str_of(name));
    else
        wn_buf_add_literal(&shown, name);
    bool same = wn_str_eq(wn_buf_str(&shown), wn_str_of(id));
    wn_buf_free(&shown);
    return same;
}

bool winnow_inputs_resume(winnow_inputs *inputs, const winnow_bookmark *last)
{
    winnow_bookmark mark;
    if (!inputs || !last || !wn_io_take_struct(&mark, sizeof mark, last) || !mark.id ||
        mark.name >= inputs->count)
        return false;
    const char *path = mark.file ? mark.file : mark.id;
    const char *name = inputs->names[mark.name];
    uint64_t size;
    for (size_t i = 0; i < mark.name; i++)
        inputs->bytes_done += archive_size(inputs->names[i]);
    if (inputs->looked)
        forget_look(inputs, &inputs->look);
    inputs->looked = false;
    inputs->next = mark.name + 1;
    if (kind_of(name, &size) == NAME_DIRECTORY) {
        wn_io_walk_begin(&inputs->walk, name);
        inputs->walking = true;
        if (!walk_past(inputs, path))
            return false;
    } else if (!is_shown_as(name, path)) {
        return false;
    }
    if (!mark.file)
        return true;
    return enter_file(inputs, path) &&
           wn_io_archive_continue_after(&inputs->archive, (wn_io_place){mark.offset, mark.inner},
                                        mark.broken);
}

/* ---- How much there is ------------------------------------------------------------------- */

bool winnow_inputs_single(winnow_inputs *inputs)
{
    if (!inputs || inputs->count != 1 || inputs->next > 0)
        return false;
    const look *l = look_ahead(inputs);
    if (l->kind == NAME_STDIN) {
        look_at_stdin(inputs);
        return !inputs->stdin_open || inputs->archive.kind == WN_IO_ARCHIVE_NONE;
    }
    return l->kind != NAME_DIRECTORY && !l->archive;
}

uint64_t winnow_inputs_ahead(const winnow_inputs *inputs, bool *exact)
{
    bool ignored;
    exact = exact ? exact : &ignored;
    *exact = false;
    if (!inputs)
        return 0;
    *exact = !inputs->in_archive;
    uint64_t ahead = wn_io_walk_ahead(&inputs->walk, exact);
    for (size_t i = inputs->next; i < inputs->count && *exact; i++) {
        const char *name = inputs->names[i];
        uint64_t size;
        ahead++;
        *exact = !is_archive_name(name) && kind_of(name, &size) != NAME_DIRECTORY;
    }
    return ahead;
}

uint64_t winnow_inputs_bytes(winnow_inputs *inputs, uint64_t *total)
{
    uint64_t ignored;
    total = total ? total : &ignored;
    *total = 0;
    if (!inputs)
        return 0;
    for (size_t i = 0; !inputs->sized && i < inputs->count; i++)
        inputs->bytes_total += archive_size(inputs->names[i]);
    inputs->sized = true;
    if (!inputs->walked)
        *total = inputs->bytes_total;
    uint64_t here = inputs->in_archive ? wn_io_source_consumed(&inputs->archive.stream) : 0;
    return inputs->bytes_done + here;
}
