#include "io/warc.h"

#include "base/scan.h"

enum {
    /* Headers are a few hundred bytes; one longer than this is not a header. */
    MAX_HEAD = 256 << 10,
    FIRST_LOOK = 4096,
    /* How much is looked through at a time for the next record. */
    SEARCH_STEP = 64 << 10,
    /* Digits: 20260131235959, or less of it, or with fractions of a second. */
    SHORTEST_DATE = 8,
    LONGEST_DATE = 20,
    /* "WARC/0.18" and a line end. */
    LONGEST_START = 10,
    NAME_SLASH = 4, /* where in "WARC/" */
};

/* ---- Header lines ------------------------------------------------------------------------ */

/* Cuts the next line off `rest`, without its line end. */
static wn_str next_line(wn_str *rest)
{
    const char *end = memchr(rest->ptr, '\n', rest->len);
    wn_str line = end ? wn_str_between(rest->ptr, end) : *rest;
    *rest = wn_str_from_offset(*rest, line.len + (end != NULL));
    if (line.len > 0 && line.ptr[line.len - 1] == '\r')
        line.len--;
    return line;
}

/* Splits "Name: value"; false if there is no colon. */
static bool split_line(wn_str line, wn_str *name, wn_str *value)
{
    const char *colon = memchr(line.ptr, ':', line.len);
    if (!colon)
        return false;
    *name = wn_str_trim(wn_str_between(line.ptr, colon));
    *value = wn_str_trim(wn_str_from_offset(line, (size_t)(colon - line.ptr) + 1));
    return true;
}

wn_str wn_io_header_value(wn_str head, wn_str name)
{
    wn_str found, value;
    next_line(&head);
    while (head.len > 0) {
        if (split_line(next_line(&head), &found, &value) && wn_str_eq_nocase(found, name))
            return value;
    }
    return WN_STR("");
}

bool wn_io_header_number(wn_str digits, uint64_t *number)
{
    uint64_t n = 0;
    for (size_t i = 0; i < digits.len; i++) {
        if (!wn_is_ascii_digit(digits.ptr[i]) || n > (UINT64_C(1) << 62) / 10)
            return false;
        n = n * 10 + (uint64_t)(digits.ptr[i] - '0');
    }
    *number = n;
    return digits.len > 0;
}

/* ---- WARC -------------------------------------------------------------------------------- */

static const wn_str type_names[WN_IO_WARC_TYPES] = {
    [WN_IO_WARC_OTHER] = WN_STR("other"),
    [WN_IO_WARC_WARCINFO] = WN_STR("warcinfo"),
    [WN_IO_WARC_RESPONSE] = WN_STR("response"),
    [WN_IO_WARC_RESOURCE] = WN_STR("resource"),
    [WN_IO_WARC_REQUEST] = WN_STR("request"),
    [WN_IO_WARC_METADATA] = WN_STR("metadata"),
    [WN_IO_WARC_REVISIT] = WN_STR("revisit"),
    [WN_IO_WARC_CONVERSION] = WN_STR("conversion"),
    [WN_IO_WARC_CONTINUATION] = WN_STR("continuation"),
};

const char *wn_io_warc_type_name(wn_io_warc_type type)
{
    return type_names[type].ptr;
}

static wn_io_warc_type type_of(wn_str name)
{
    for (int i = WN_IO_WARC_OTHER + 1; i < WN_IO_WARC_TYPES; i++) {
        if (wn_str_eq_nocase(name, type_names[i]))
            return (wn_io_warc_type)i;
    }
    return WN_IO_WARC_OTHER;
}

/* "WARC/1.0", … and the end of the line; also with LF alone, as some write it. */
static bool is_warc_start(wn_str s)
{
    static const wn_str versions[] = {
        WN_STR("WARC/1.0"),
        WN_STR("WARC/1.1"),
        WN_STR("WARC/0.18"),
        WN_STR("WARC/0.17"),
    };
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        wn_str rest = wn_str_from_offset(s, versions[i].len);
        if (wn_str_starts_nocase(s, versions[i]) && rest.len > 0 && wn_is_space(*rest.ptr))
            return true;
    }
    return false;
}

static wn_str without_brackets(wn_str url)
{
    if (url.len >= 2 && url.ptr[0] == '<' && url.ptr[url.len - 1] == '>')
        return wn_str_from(url.ptr + 1, url.len - 2);
    return url;
}

/* Reads the header lines; false when the length of the block is missing or no number. */
static bool parse_warc(wn_io_warc_record *record)
{
    static const wn_str wanted[] = {
        WN_STR("WARC-Type"),      WN_STR("WARC-Record-ID"), WN_STR("WARC-Target-URI"),
        WN_STR("WARC-Date"),      WN_STR("Content-Type"),   WN_STR("Content-Length"),
        WN_STR("WARC-Truncated"),
    };
    wn_str length = WN_STR(""), name, value, rest = record->head;
    wn_str *const places[] = {
        &record->type_name,    &record->id, &record->url,       &record->date,
        &record->content_type, &length,     &record->truncated,
    };
    next_line(&rest);
    while (rest.len > 0) {
        if (!split_line(next_line(&rest), &name, &value))
            continue;
        for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
            if (wn_str_eq_nocase(name, wanted[i]))
                *places[i] = value;
        }
    }
    record->type = type_of(record->type_name);
    record->url = without_brackets(record->url);
    return wn_io_header_number(length, &record->length);
}

/* ---- ARC --------------------------------------------------------------------------------- */

/* Cuts the last word off a line of words; "" when there is none. */
static wn_str last_word(wn_str *line)
{
    size_t start = line->len;
    while (start > 0 && line->ptr[start - 1] != ' ')
        start--;
    wn_str word = wn_str_from_offset(*line, start);
    line->len = start > 0 ? start - 1 : 0;
    return word;
}

static bool is_date(wn_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (!wn_is_ascii_digit(s.ptr[i]))
            return false;
    }
    return s.len >= SHORTEST_DATE && s.len <= LONGEST_DATE;
}

/* Numbers, also of IPv6, with points or colons between them: no word of a text is like that. */
static bool is_address(wn_str s)
{
    bool separated = false;
    for (size_t i = 0; i < s.len; i++) {
        bool separator = s.ptr[i] == '.' || s.ptr[i] == ':';
        char c = wn_ascii_lower(s.ptr[i]);
        if (!separator && !wn_is_ascii_digit(c) && !(c >= 'a' && c <= 'f'))
            return false;
        separated = separated || separator;
    }
    return separated || wn_str_eq(s, WN_STR("0"));
}

/*
 * URL IP date type length, or in version 2 URL IP date type result checksum location offset file
 * length. Read from its end, because addresses with spaces occur. A length that is not a number is
 * reported separately: the line still starts a record if the rest of it is valid.
 */
static bool parse_arc(wn_io_warc_record *record, wn_str line, int version, bool *has_length)
{
    *has_length = wn_io_header_number(last_word(&line), &record->length);
    for (int i = 0; version == 2 && i < 5; i++)
        last_word(&line);
    record->content_type = last_word(&line);
    record->date = last_word(&line);
    wn_str server = last_word(&line);
    if (!is_date(record->date) || (!*has_length && !is_address(server)))
        return false;
    record->url = line;
    bool first = wn_str_starts(line, WN_STR("filedesc:"));
    record->type = first ? WN_IO_WARC_WARCINFO : WN_IO_WARC_RESPONSE;
    record->type_name = type_names[record->type];
    return memchr(line.ptr, ':', line.len) != NULL;
}

/* The line after that of the first record tells the version: "1 0 InternetArchive". */
static int arc_version(wn_io_warc *warc)
{
    wn_str block = wn_io_source_peek(warc->stream, 2);
    return block.len > 0 && block.ptr[0] == '2' ? 2 : 1;
}

/* ---- From record to record --------------------------------------------------------------- */

bool wn_io_warc_begins(wn_str start)
{
    while (start.len > 0 && wn_is_space(*start.ptr))
        start = wn_str_from_offset(start, 1);
    return is_warc_start(start) || wn_str_starts(start, WN_STR("filedesc:"));
}

void wn_io_warc_open(wn_io_warc *warc, wn_io_source *stream)
{
    wn_buf head = warc->head;
    *warc = (wn_io_warc){.stream = stream, .head = head, .arc_version = 1};
}

void wn_io_warc_free(wn_io_warc *warc)
{
    wn_buf_free(&warc->head);
}

/* Whether the line at `p` is the first of a record: in a header none is. */
static bool begins_record(const char *p, const char *end)
{
    return end - p > NAME_SLASH && p[NAME_SLASH] == '/' && is_warc_start(wn_str_between(p, end));
}

/*
 * The line end before a line that is the first of a record, or may be, as its end is not seen; else
 * `end`. A few compressed bytes can expand to millions of line ends, so not each is looked at.
 */
static const char *find_start(const char *p, const char *end)
{
    const char *seen = end - p > LONGEST_START ? end - LONGEST_START : p;
    for (; (p = wn_scan_pair(p, end, '\n', '/', NAME_SLASH + 1)) < seen; p++)
        if (is_warc_start(wn_str_between(p + 1, end)))
            return p;
    return wn_scan_1(seen, end, '\n');
}

typedef enum head_end { HEAD_ENDS, HEAD_GOES_ON, HEAD_HAS_NO_END } head_end;

/*
 * Finds the length of the header that `s` begins with, the empty line included. An ARC header is
 * one line. A header in which the next record begins has no end; searching further from each of
 * many such lines would be quadratic.
 */
static head_end find_head_end(const wn_io_warc *warc, wn_str s, size_t *length)
{
    const char *p = s.ptr, *end = s.ptr + s.len;
    while ((p = wn_scan_1(p, end, '\n')) < end) {
        p++;
        const char *next = p < end && *p == '\r' ? p + 1 : p;
        bool empty = next < end && *next == '\n';
        *length = (size_t)((empty && !warc->arc ? next + 1 : p) - s.ptr);
        if (warc->arc || empty)
            return HEAD_ENDS;
        if (begins_record(p, end))
            return HEAD_HAS_NO_END;
    }
    return HEAD_GOES_ON;
}

/* The whole header ahead; what there is when the file ends in it; "" when it has no end. */
static wn_str peek_head(wn_io_warc *warc)
{
    size_t length;
    for (size_t want = FIRST_LOOK; want <= MAX_HEAD; want *= 4) {
        wn_str ahead = wn_io_source_peek(warc->stream, want);
        head_end state = find_head_end(warc, ahead, &length);
        if (state == HEAD_HAS_NO_END)
            break;
        if (state == HEAD_ENDS)
            return wn_str_from(ahead.ptr, length);
        if (ahead.len < want)
            return ahead;
    }
    return WN_STR("");
}

WN_DEFINE_SCAN(scan_no_line_end, (const char *p, const char *end),
               wn_vec_not(wn_vec_or(wn_vec_equal(v, '\r'), wn_vec_equal(v, '\n'))),
               c != '\r' && c != '\n')

/* Line ends between records. */
static void skip_line_ends(wn_io_warc *warc)
{
    for (;;) {
        wn_str ahead = wn_io_source_peek(warc->stream, 1);
        if (ahead.len == 0)
            return;
        const char *record = scan_no_line_end(ahead.ptr, ahead.ptr + ahead.len);
        if (record == ahead.ptr)
            return;
        wn_io_source_take(warc->stream, (size_t)(record - ahead.ptr));
    }
}

/* Whether a record seems to begin here. */
static bool at_record(wn_io_warc *warc)
{
    wn_str ahead = wn_io_source_peek(warc->stream, 16);
    if (is_warc_start(ahead)) {
        warc->arc = false;
        return true;
    }
    if (wn_str_starts(ahead, WN_STR("filedesc:")))
        warc->arc = true;
    return warc->arc && ahead.len > 0;
}

/* Goes to the next line that looks like the start of a record, or to a gap, or the end. */
static void search_record(wn_io_warc *warc)
{
    for (;;) {
        wn_str ahead = wn_io_source_peek(warc->stream, SEARCH_STEP);
        const char *end = ahead.ptr + ahead.len;
        const char *start = warc->arc ? wn_scan_1(ahead.ptr, end, '\n')
                                      : find_start(ahead.ptr, end);
        size_t step = (size_t)(start - ahead.ptr) + (start < end);
        wn_io_source_take(warc->stream, step);
        if (step == 0 || (start < end && at_record(warc)))
            return;
    }
}

/* Counts a damaged place once, however often the reader fails there. */
static void count_broken(wn_io_warc *warc, uint64_t *counter)
{
    *counter += !warc->lost;
    warc->lost = true;
}

/*
 * Whether the block ahead goes beyond the end of the file. It is cut short, or its length is wrong:
 * then it must not swallow the records after it.
 */
static bool goes_beyond(const wn_io_warc *warc, uint64_t length)
{
    const wn_io_source *stream = warc->stream;
    uint64_t here = wn_io_source_place(stream).offset;
    return !warc->arc && stream->codec == WN_IO_CODEC_NONE && stream->seekable &&
           here < stream->size && length > stream->size - here;
}

bool wn_io_warc_finish(wn_io_warc *warc)
{
    bool cut = warc->left > 0 &&
               (warc->beyond || wn_io_source_skip(warc->stream, warc->left) < warc->left);
    if (cut)
        count_broken(warc, &warc->truncated);
    warc->left = 0;
    skip_line_ends(warc);
    return !cut;
}

void wn_io_warc_resume(wn_io_warc *warc)
{
    warc->left = 0;
    warc->beyond = false;
    warc->lost = true;
}

/* Passes what is left of the last record, gaps included, up to what may be the next. */
static bool go_to_record(wn_io_warc *warc)
{
    wn_io_source *stream = warc->stream;
    wn_io_warc_finish(warc);
    for (;;) {
        skip_line_ends(warc);
        if (at_record(warc))
            return true;
        if (stream->gap) {
            wn_io_source_pass_gap(stream);
            count_broken(warc, &warc->malformed);
        } else if (wn_io_source_at_end(stream)) {
            return false;
        } else {
            count_broken(warc, &warc->malformed);
            search_record(warc);
        }
    }
}

/* Copies the header and reads it; false when it is not one. */
static bool take_head(wn_io_warc *warc, wn_io_warc_record *record)
{
    wn_str head = peek_head(warc);
    *record = (wn_io_warc_record){
        .place = wn_io_source_place(warc->stream),
        .arc = warc->arc,
        .type_name = WN_STR(""),
        .id = WN_STR(""),
        .url = WN_STR(""),
        .date = WN_STR(""),
        .content_type = WN_STR(""),
        .truncated = WN_STR(""),
    };
    wn_buf_clear(&warc->head);
    wn_buf_add(&warc->head, head);
    if (head.len == 0 || warc->head.failed)
        return false;
    record->head = wn_buf_str(&warc->head);
    wn_str rest = record->head;
    wn_str line = next_line(&rest);
    bool has_length = true;
    if (warc->arc && !parse_arc(record, line, warc->arc_version, &has_length) &&
        !parse_arc(record, line,
                   3 - warc->arc_version, /* the first line comes before the version */
                   &has_length))
        return false;
    if (!warc->arc)
        has_length = parse_warc(record);
    if (!has_length) {
        warc->malformed++; /* it is a record, though one that does not say how long it is */
        record->length = 0;
    }
    wn_io_source_take(warc->stream, head.len);
    return true;
}

bool wn_io_warc_next(wn_io_warc *warc, wn_io_warc_record *record)
{
    while (go_to_record(warc)) {
        if (!take_head(warc, record)) {
            count_broken(warc, &warc->malformed);
            search_record(warc);
            continue;
        }
        warc->lost = false;
        if (record->arc && record->type == WN_IO_WARC_WARCINFO)
            warc->arc_version = arc_version(warc);
        warc->left = record->length;
        warc->beyond = goes_beyond(warc, record->length);
        warc->records++;
        return true;
    }
    return false;
}

wn_str wn_io_warc_peek(wn_io_warc *warc, size_t want)
{
    if (want > warc->left)
        want = (size_t)warc->left;
    wn_str ahead = wn_io_source_peek(warc->stream, want);
    if (ahead.len > warc->left)
        ahead.len = (size_t)warc->left;
    return ahead;
}

/* `got` bytes of the block were taken, where `count` should have been there. */
static void note_taken(wn_io_warc *warc, uint64_t got, uint64_t count)
{
    if (got < count) {
        count_broken(warc, &warc->truncated);
        warc->left = 0;
    } else {
        warc->left -= got;
    }
}

/* How many of the next bytes, which may start in the middle of a line, come before a record. */
static size_t before_record(wn_str ahead, bool begins_line)
{
    const char *end = ahead.ptr + ahead.len;
    if (begins_line && begins_record(ahead.ptr, end))
        return 0;
    const char *start = find_start(ahead.ptr, end);
    return (size_t)(start - ahead.ptr) + (start < end);
}

/* Reads a block whose length may be wrong: up to the line that begins the next record. */
static uint64_t read_up_to_record(wn_io_warc *warc, wn_buf *to, uint64_t count)
{
    uint64_t done = 0;
    bool begins_line = true;
    while (done < count) {
        wn_str ahead = wn_io_source_peek(warc->stream, SEARCH_STEP);
        size_t length = before_record(ahead, begins_line);
        if (length > count - done)
            length = (size_t)(count - done);
        if (length == 0)
            break;
        wn_buf_add(to, wn_str_from(ahead.ptr, length));
        begins_line = ahead.ptr[length - 1] == '\n';
        wn_io_source_take(warc->stream, length);
        done += length;
    }
    return done;
}

void wn_io_warc_read(wn_io_warc *warc, wn_buf *to, uint64_t max)
{
    uint64_t count = warc->left < max ? warc->left : max;
    uint64_t got = warc->beyond ? read_up_to_record(warc, to, count)
                                : wn_io_source_read(warc->stream, to, count);
    note_taken(warc, got, count);
}

wn_str wn_io_warc_view(wn_io_warc *warc, wn_buf *spare, uint64_t max)
{
    uint64_t count = warc->left < max ? warc->left : max;
    if (warc->beyond) {
        wn_buf_clear(spare);
        wn_io_warc_read(warc, spare, max);
        return wn_buf_str(spare);
    }
    wn_str block = wn_io_source_view(warc->stream, spare, count);
    note_taken(warc, block.len, count);
    return block;
}
