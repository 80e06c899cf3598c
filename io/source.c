#include "io/source.h"

#include <errno.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"

enum {
    /* Members that lie whole in so many bytes ahead are decoded at once, larger ones in steps. */
    LOOKAHEAD = 1 << 20,
    RAW_CHUNK = 4 << 20,
    /* Decoded at once is what needs at most so much room; it is kept from member to member. */
    WHOLE_ROOM = 16 << 20,
    FIRST_ROOM = 256 << 10,
    STEP_ROOM = 256 << 10,
    PLAIN_CHUNK = 256 << 10,
    /* Payloads of this size are read past the buffer, or not at all when they are skipped. */
    DIRECT_SIZE = 64 << 10,
    /* zstd's own dictionaries are at most 2 MB; a larger one would only waste memory. */
    MAX_DICTIONARY = 16 << 20,
    SKIPPABLE_HEADER = 8,
    /* What a member that was tried at once counts for, at most: where it broke is not known. */
    TRIED_IN_VAIN = 1 << 20,
};

/*
 * Of a skippable zstd frame that holds the dictionary:
 * https://iipc.github.io/warc-specifications/specifications/warc-zstd/
 */
#define DICTIONARY_MAGIC UINT32_C(0x184D2A5D)

/* ---- Raw bytes --------------------------------------------------------------------------- */

ssize_t wn_io_read(int fd, char *to, size_t room)
{
    for (;;) {
        ssize_t got = read(fd, to, room);
        if (got >= 0 || (errno != EINTR && errno != EAGAIN))
            return got;
        if (errno == EAGAIN) /* whoever shares our standard input may have made it so */
            poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, -1);
    }
}

/* Stops reading the file; bytes that were read but not yet decoded are discarded. */
static void end_with(wn_io_source *s, const char *error)
{
    s->error = error;
    s->ended = true;
    s->in_member = false;
    s->raw_next = s->raw.len;
}

/* Reads up to `room` bytes to `to`; 0 at the end or when that failed, which `error` tells. */
static size_t read_some(wn_io_source *s, char *to, size_t room)
{
    const wn_io_source_port *port = &s->port;
    int64_t got = s->ended     ? 0
                  : port->read ? port->read(port->data, to, room)
                               : (int64_t)wn_io_read(port->fd, to, room);
    bool failed = got < 0 || (uint64_t)got > room;
    if (got > 0 && !failed)
        return (size_t)got;
    if (failed)
        s->error = port->read ? "it could not be read" : strerror(errno);
    s->ended = true;
    return 0;
}

static bool seek_port(const wn_io_source *s, uint64_t offset)
{
    const wn_io_source_port *port = &s->port;
    if (port->read)
        return port->seek && port->seek(port->data, offset);
    return lseek(port->fd, (off_t)offset, SEEK_SET) >= 0;
}

static wn_str raw_ahead(const wn_io_source *s)
{
    return wn_str_from_offset(wn_buf_str(&s->raw), s->raw_next);
}

/* Small files need no large buffer. */
static size_t raw_room(const wn_io_source *s)
{
    size_t chunk = s->size > 0 && s->size < RAW_CHUNK ? (size_t)s->size + 1 : RAW_CHUNK;
    return chunk - s->raw.len % chunk;
}

/* Drops the raw bytes that were taken and reads until `want` are ahead. */
static void read_ahead(wn_io_source *s, size_t want)
{
    wn_str ahead = raw_ahead(s);
    if (ahead.len >= want || s->ended)
        return;
    if (s->raw_next > 0) {
        memmove(s->raw.ptr, ahead.ptr, ahead.len);
        s->raw_start += s->raw_next;
        s->raw_next = 0;
        s->raw.len = ahead.len;
    }
    while (s->raw.len < want && !s->ended) {
        if (wn_buf_reserve(&s->raw, raw_room(s)))
            s->raw.len += read_some(s, s->raw.ptr + s->raw.len, s->raw.cap - s->raw.len);
        else
            end_with(s, strerror(ENOMEM));
    }
}

static void pass_raw(wn_io_source *s, uint64_t count)
{
    while (count > 0) {
        read_ahead(s, 1);
        size_t here = raw_ahead(s).len;
        if (here == 0)
            return;
        size_t step = here < count ? here : (size_t)count;
        s->raw_next += step;
        count -= step;
    }
}

/* ---- Room for decoded bytes -------------------------------------------------------------- */

/* Makes room after the decoded bytes; those that were taken give way. */
static bool make_room(wn_io_source *s, size_t room)
{
    size_t left = s->out.len - s->out_next;
    if (left <= s->out_next) {
        if (left > 0)
            memmove(s->out.ptr, s->out.ptr + s->out_next, left);
        s->out_start += s->out_next;
        s->out_next = 0;
        s->out.len = left;
    }
    if (wn_buf_reserve(&s->out, room))
        return true;
    end_with(s, strerror(ENOMEM));
    s->gap = true;
    return false;
}

static uint64_t position(const wn_io_source *s)
{
    return s->out_start + s->out_next;
}

/* Of the marks that were passed only the last still matters. */
static void drop_marks(wn_io_source *s)
{
    uint32_t first = 0;
    while (first + 1 < s->marks.count && s->marks.items[first + 1].position <= position(s))
        first++;
    if (first == 0)
        return;
    s->marks.count -= first;
    memmove(s->marks.items, s->marks.items + first, s->marks.count * sizeof *s->marks.items);
}

/* Where a member is empty, the mark of the next takes the place of its own. */
static void mark_member(wn_io_source *s)
{
    drop_marks(s);
    s->member = s->raw_start + s->raw_next;
    uint64_t begins = s->out_start + s->out.len;
    wn_io_source_mark *last = s->marks.count ? &s->marks.items[s->marks.count - 1] : NULL;
    wn_io_source_mark *mark = last && last->position == begins ? last : wn_array_push(&s->marks);
    if (mark)
        *mark = (wn_io_source_mark){begins, s->member};
}

/* ---- Members ----------------------------------------------------------------------------- */

/* Goes to the next bytes that look like a member, or to the end. */
static void go_to_member(wn_io_source *s)
{
    for (;;) {
        read_ahead(s, LOOKAHEAD);
        wn_str ahead = raw_ahead(s);
        while (ahead.len >= 4 && wn_io_codec_of_bytes(ahead) != s->codec)
            ahead = wn_str_from_offset(ahead, 1);
        s->raw_next = s->raw.len - ahead.len;
        if (ahead.len >= 4 || s->ended)
            break;
    }
    if (raw_ahead(s).len < 4)
        s->raw_next = s->raw.len;
}

/*
 * Where the next member may begin. The damaged one may have swallowed good members after it, so
 * the search begins right after its first byte, as long as not too much was decoded for nothing
 * that way. Decoded bytes are counted, because members that overlap can share a tail that expands
 * a thousandfold.
 */
static void find_member(wn_io_source *s)
{
    uint64_t reached = s->raw_start + s->raw_next;
    if (reached > s->furthest) {
        wn_cost_add_units(&s->waste, reached - s->furthest);
        s->furthest = reached;
    }
    wn_cost_use(&s->waste, reached - s->member + s->made);
    if (reached == s->member || !wn_cost_is_used_up(&s->waste))
        s->raw_next = s->member + 1 > s->raw_start ? (size_t)(s->member + 1 - s->raw_start) : 0;
    go_to_member(s);
}

static void begin_gap(wn_io_source *s)
{
    s->in_member = false;
    s->gap = true;
    s->gaps++;
    find_member(s);
}

static void take_dictionary(wn_io_source *s, wn_str bytes)
{
    wn_buf unpacked = {0};
    if (wn_io_codec_of_bytes(bytes) == WN_IO_CODEC_ZSTD &&
        wn_io_unpack(WN_IO_CODEC_ZSTD, bytes, &unpacked, MAX_DICTIONARY) == WN_IO_UNPACKED)
        bytes = wn_buf_str(&unpacked);
    if (!wn_io_decoder_set_dictionary(s->decoder, bytes))
        s->error = "its zstd dictionary cannot be used";
    wn_buf_free(&unpacked);
}

/* Passes a skippable zstd frame; the one at the start of the file may be the dictionary. */
static bool pass_skippable(wn_io_source *s)
{
    wn_str ahead = raw_ahead(s);
    if (s->codec != WN_IO_CODEC_ZSTD || ahead.len < SKIPPABLE_HEADER ||
        (wn_hash_load4(ahead.ptr) & 0xFFFFFFF0) != 0x184D2A50)
        return false;
    uint32_t length = wn_hash_load4(ahead.ptr + 4);
    if (wn_hash_load4(ahead.ptr) == DICTIONARY_MAGIC && s->raw_start + s->raw_next == 0 &&
        length <= MAX_DICTIONARY) {
        read_ahead(s, SKIPPABLE_HEADER + (size_t)length);
        wn_str all = raw_ahead(s);
        if (all.len >= SKIPPABLE_HEADER + (size_t)length)
            take_dictionary(s, wn_str_from(all.ptr + SKIPPABLE_HEADER, length));
    }
    pass_raw(s, SKIPPABLE_HEADER + (uint64_t)length);
    return true;
}

/*
 * Decodes the next member in one go, if it is small enough; false if it is larger or damaged. The
 * bytes decoded by a failed attempt are counted in `made`.
 */
static bool decode_whole(wn_io_source *s)
{
    size_t made, room = s->out.cap > FIRST_ROOM ? s->out.cap / 2 : FIRST_ROOM;
    while (room <= WHOLE_ROOM && make_room(s, room)) {
        wn_str ahead = raw_ahead(s);
        room = s->out.cap - s->out.len;
        wn_io_step state = wn_io_decoder_whole(s->decoder, &ahead, s->out.ptr + s->out.len, room,
                                               &made);
        if (state == WN_IO_STEP_END) {
            s->raw_next = s->raw.len - ahead.len;
            s->out.len += made;
            return true;
        }
        s->made += room < TRIED_IN_VAIN ? room : TRIED_IN_VAIN;
        if (state != WN_IO_STEP_ROOM)
            return false;
        room *= 2;
    }
    return false;
}

/* Without its dictionary nothing of a file can be read, and nobody could guess why. */
static void check_dictionary(wn_io_source *s)
{
    bool first = s->gaps == 0 && s->out_start + s->out.len == 0;
    s->lacking = first ? wn_io_decoder_lacks_dictionary(s->decoder, raw_ahead(s)) : s->lacking;
    if (s->lacking)
        s->error =
            "it needs a zstd dictionary that is not at its start, where .warc.zst files have it";
}

/* Begins the member ahead; one that is small is decoded at once. */
static void begin_member(wn_io_source *s)
{
    read_ahead(s, LOOKAHEAD);
    if (pass_skippable(s) || raw_ahead(s).len == 0)
        return;
    mark_member(s);
    s->made = 0;
    check_dictionary(s);
    if (wn_io_codec_of_bytes(raw_ahead(s)) != s->codec) {
        begin_gap(s);
    } else if (!decode_whole(s)) {
        wn_io_decoder_reset(s->decoder);
        s->in_member = true;
    }
}

static void go_on_in_member(wn_io_source *s)
{
    size_t made = 0;
    if (!make_room(s, STEP_ROOM))
        return;
    read_ahead(s, 1);
    wn_str ahead = raw_ahead(s);
    wn_io_step state = wn_io_decoder_step(s->decoder, &ahead, s->out.ptr + s->out.len, STEP_ROOM,
                                          &made);
    s->raw_next = s->raw.len - ahead.len;
    s->out.len += made;
    s->made += made;
    if (state == WN_IO_STEP_END)
        s->in_member = false;
    else if (state == WN_IO_STEP_BAD || (made == 0 && ahead.len == 0 && s->ended))
        begin_gap(s);
}

/* ---- Decoded bytes ----------------------------------------------------------------------- */

static void read_plain(wn_io_source *s)
{
    if (!make_room(s, PLAIN_CHUNK))
        return;
    s->out.len += read_some(s, s->out.ptr + s->out.len, PLAIN_CHUNK);
}

static bool no_more_comes(const wn_io_source *s)
{
    return s->gap || (s->ended && !s->in_member && raw_ahead(s).len == 0);
}

/* Tries to add decoded bytes; several calls may be needed. */
static void add_bytes(wn_io_source *s)
{
    if (s->codec == WN_IO_CODEC_NONE)
        read_plain(s);
    else if (s->in_member)
        go_on_in_member(s);
    else
        begin_member(s);
}

static wn_str ahead_of(const wn_io_source *s)
{
    return wn_str_from_offset(wn_buf_str(&s->out), s->out_next);
}

wn_str wn_io_source_peek(wn_io_source *s, size_t want)
{
    while (s->out.len - s->out_next < want && !no_more_comes(s))
        add_bytes(s);
    return ahead_of(s);
}

void wn_io_source_take(wn_io_source *s, size_t count)
{
    s->out_next += count;
}

/* The decoded bytes are at their end, and the next come from elsewhere. */
static void continue_at(wn_io_source *s, uint64_t next_position)
{
    s->out.len = s->out_next = 0;
    s->out_start = next_position;
}

/* Reads straight to where the bytes are wanted. */
static uint64_t read_direct(wn_io_source *s, wn_buf *to, uint64_t count)
{
    uint64_t done = 0;
    while (done < count && !s->ended) {
        size_t room = count - done < PLAIN_CHUNK * 4 ? (size_t)(count - done) : PLAIN_CHUNK * 4;
        if (!wn_buf_reserve(to, room))
            break;
        size_t got = read_some(s, to->ptr + to->len, room);
        to->len += got;
        done += got;
    }
    continue_at(s, position(s) + done);
    return done;
}

uint64_t wn_io_source_read(wn_io_source *s, wn_buf *to, uint64_t count)
{
    uint64_t done = 0;
    while (done < count) {
        bool direct = s->codec == WN_IO_CODEC_NONE && s->out_next == s->out.len;
        if (direct && count - done >= DIRECT_SIZE && !s->gap)
            return done + read_direct(s, to, count - done);
        wn_str here = wn_io_source_peek(s, 1);
        if (here.len > count - done)
            here.len = (size_t)(count - done);
        if (here.len == 0)
            break;
        wn_buf_add(to, here);
        wn_io_source_take(s, here.len);
        done += here.len;
    }
    return done;
}

wn_str wn_io_source_view(wn_io_source *s, wn_buf *spare, uint64_t count)
{
    wn_str here = ahead_of(s);
    if (here.len >= count) {
        wn_io_source_take(s, (size_t)count);
        return wn_str_from(here.ptr, (size_t)count);
    }
    wn_buf_clear(spare);
    wn_io_source_read(s, spare, count);
    return wn_buf_str(spare);
}

/* Jumps over bytes of a plain file; not past its end. */
static uint64_t jump(wn_io_source *s, uint64_t count)
{
    uint64_t here = position(s);
    uint64_t left = s->size > here ? s->size - here : 0;
    if (count > left)
        count = left;
    if (!seek_port(s, here + count))
        return 0;
    continue_at(s, here + count);
    return count;
}

uint64_t wn_io_source_skip(wn_io_source *s, uint64_t count)
{
    uint64_t done = 0;
    while (done < count) {
        bool direct = s->codec == WN_IO_CODEC_NONE && s->seekable && s->out_next == s->out.len;
        if (direct && count - done >= DIRECT_SIZE) {
            uint64_t jumped = jump(s, count - done);
            done += jumped;
            if (jumped > 0)
                continue;
        }
        wn_str here = wn_io_source_peek(s, 1);
        size_t step = here.len < count - done ? here.len : (size_t)(count - done);
        if (step == 0)
            break;
        wn_io_source_take(s, step);
        done += step;
    }
    return done;
}

bool wn_io_source_pass_gap(wn_io_source *s)
{
    if (!s->gap)
        return false;
    continue_at(s, s->out_start + s->out.len);
    s->gap = false;
    return true;
}

bool wn_io_source_at_end(wn_io_source *s)
{
    return wn_io_source_peek(s, 1).len == 0 && !s->gap;
}

/* ---- Places ------------------------------------------------------------------------------ */

wn_io_place wn_io_source_place(const wn_io_source *s)
{
    uint64_t here = position(s);
    wn_io_place place = {here, 0};
    for (uint32_t i = 0; i < s->marks.count && s->marks.items[i].position <= here; i++)
        place = (wn_io_place){s->marks.items[i].offset, here - s->marks.items[i].position};
    return place;
}

/* Forgets what was read and goes on at `offset`. */
static bool restart_at(wn_io_source *s, uint64_t offset)
{
    if (!s->seekable || !seek_port(s, offset))
        return false;
    if (s->decoder)
        wn_io_decoder_reset(s->decoder);
    s->ended = s->gap = s->in_member = false;
    s->raw.len = s->raw_next = 0;
    s->raw_start = offset;
    s->marks.count = 0;
    continue_at(s, s->codec == WN_IO_CODEC_NONE ? offset : 0);
    return true;
}

bool wn_io_source_seek(wn_io_source *s, wn_io_place place)
{
    return restart_at(s, place.offset) && wn_io_source_skip(s, place.inner) == place.inner;
}

bool wn_io_source_seek_near(wn_io_source *s, uint64_t offset)
{
    if (!restart_at(s, offset))
        return false;
    if (s->codec != WN_IO_CODEC_NONE)
        go_to_member(s);
    return true;
}

uint64_t wn_io_source_consumed(const wn_io_source *s)
{
    return s->codec == WN_IO_CODEC_NONE ? position(s) : s->raw_start + s->raw_next;
}

/* ---- Beginning and end ------------------------------------------------------------------- */

/*
 * Places count from the first byte that we were given; only if that is the file's they can be
 * sought.
 */
static void learn_size(wn_io_source *s, size_t read_before)
{
    struct stat info;
    if (s->port.read) {
        s->seekable = s->port.seek != NULL;
        s->size = s->port.size;
    } else if (fstat(s->port.fd, &info) == 0 && S_ISREG(info.st_mode)) {
        s->seekable = lseek(s->port.fd, 0, SEEK_CUR) == (off_t)read_before;
        s->size = (uint64_t)info.st_size;
    }
}

/* The raw bytes that were read to look at turn out to be the stream itself. */
static void use_plain(wn_io_source *s)
{
    s->out = s->raw;
    s->raw = (wn_buf){0};
}

static void use_codec(wn_io_source *s, wn_io_codec codec)
{
    static const char *const missing[] = {
        [WN_IO_CODEC_ZSTD] = "winnow was built without zstd",
        [WN_IO_CODEC_LZ4] = "winnow was built without lz4",
    };
    s->decoder = wn_io_decoder_new(codec);
    if (s->decoder) {
        s->codec = codec;
        return;
    }
    end_with(s, wn_io_codec_available(codec) ? strerror(ENOMEM) : missing[codec]);
}

void wn_io_source_open_port(wn_io_source *s, const wn_io_source_port *port, wn_str first)
{
    *s = (wn_io_source){.port = *port};
    wn_cost_start(&s->waste, WN_COST_RECOVERY, 0);
    learn_size(s, first.len);
    wn_buf_add(&s->raw, first);
    read_ahead(s, 4);
    wn_io_codec codec = wn_io_codec_of_bytes(raw_ahead(s));
    if (codec == WN_IO_CODEC_NONE)
        use_plain(s);
    else
        use_codec(s, codec);
}

void wn_io_source_open_after(wn_io_source *s, int fd, wn_str first)
{
    wn_io_source_open_port(s, &(wn_io_source_port){.fd = fd}, first);
}

void wn_io_source_open(wn_io_source *s, int fd)
{
    wn_io_source_open_after(s, fd, WN_STR(""));
}

void wn_io_source_close(wn_io_source *s)
{
    wn_io_decoder_free(s->decoder);
    wn_buf_free(&s->raw);
    wn_buf_free(&s->out);
    wn_array_free(&s->marks);
    *s = (wn_io_source){.port.fd = -1};
}
