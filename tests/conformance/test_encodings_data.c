/*
 * The encoding stage against real pages and outside test suites.
 *
 *     test_encodings_data [-v] DIRECTORY
 *
 * DIRECTORY is the data set "encodings", or holds it. It has three parts:
 *
 *   chardet    Real pages and feeds; the folder's name is the encoding. Right is a page whose
 *              text is that of a decoder which was told the encoding, ours or the C library's
 *              (they differ in a few characters of East Asian encodings, where browsers follow
 *              the WHATWG and libraries the older tables).
 *   wpt        Of web-platform-tests: spans with a character's bytes and its code point,
 *              for each character of the multi-byte encodings.
 *   html5lib   Pages and the encoding that a browser finds; windows-1252 where it finds none.
 *
 * -v names what is wrong. It fails when fewer are right than the numbers below, which are
 * those of a build with libuchardet.
 */
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "html/encoding.h"
#include "support/files.h"

enum {
    CHARDET_BAR = 418, /* of 425 */
    HTML5LIB_BAR = 82, /* of 82 */
};

typedef struct totals {
    int right, all;
} totals;

typedef struct runner {
    wn_arena arena;
    bool verbose;
    const char *directory;
    totals chardet, wpt, html5lib;
} runner;

static void count(totals *t, bool right)
{
    t->right += right;
    t->all++;
}

/* The place of `word` in the text between two pointers; NULL if it is not there. */
static const char *find(const char *p, const char *end, const char *word)
{
    for (wn_str w = wn_str_of(word); p < end; p++)
        if (wn_str_starts(wn_str_between(p, end), w))
            return p;
    return NULL;
}

/* Finds the files of a part of the data set; ends the program if there are none. */
static test_files find_files(runner *r, const char *part, const char *suffix)
{
    test_files files = {0};
    wn_buf path = {0};
    wn_buf_add_format(&path, "%s/%s", r->directory, part);
    if (!test_files_find(&files, wn_buf_c_string(&path), suffix))
        test_skip(part, wn_buf_c_string(&path));
    wn_buf_free(&path);
    return files;
}

/* ---- chardet ----------------------------------------------------------------------------- */

/* What the folders are called by labels and by the C library, where that is not the same. */
static const struct {
    const char *folder, *label, *iconv_name;
} folders[] = {
    {"CP932", "shift_jis", "CP932"},
    {"CP949", "euc-kr", "UHC"},
    {"Johab", NULL, "JOHAB"},
    {"MacCyrillic", "x-mac-cyrillic", "MAC-CYRILLIC"},
    {"MacRoman", "macintosh", "MACINTOSH"},
    {"iso-2022-kr", NULL, "ISO-2022-KR"},
    {"utf-8-sig", "utf-8", "UTF-8"},
};

/* The encoding in a folder's name: without "-czech" and the like after "iso-8859-2". */
static void encoding_of_folder(const char *path, char name[64])
{
    const char *end = strrchr(path, '/'), *start = end;
    while (start > path && start[-1] != '/')
        start--;
    snprintf(name, 64, "%.*s", (int)(end - start), start);
    char *language = strrchr(name, '-');
    if (language && strlen(language) > 4 && wn_is_ascii_alpha(language[1]) &&
        (strncmp(name, "iso-8859", 8) == 0 || strncmp(name, "windows", 7) == 0))
        *language = '\0';
}

/* The C library's decoding, with line ends and without a mark as ours; false if it cannot. */
static bool decode_with_iconv(wn_buf *out, const char *name, wn_str bytes)
{
    iconv_t converter = iconv_open("UTF-8", name);
    char *in = (char *)bytes.ptr;
    size_t left = bytes.len;
    wn_buf_clear(out);
    if (converter == (iconv_t)-1 || !wn_buf_reserve(out, bytes.len * 4 + 16))
        return false;
    char *to = out->ptr;
    size_t room = out->cap;
    bool done = iconv(converter, &in, &left, &to, &room) != (size_t)-1 && left == 0;
    iconv_close(converter);
    out->len = (size_t)(to - out->ptr);
    wn_str mark = WN_STR("\xEF\xBB\xBF");
    if (wn_str_starts(wn_buf_str(out), mark)) {
        out->len -= mark.len;
        memmove(out->ptr, out->ptr + mark.len, out->len);
    }
    test_normalise_line_ends(out);
    return done;
}

static bool is_right_text(runner *r, const char *folder, wn_str bytes, wn_str text, wn_buf *scratch)
{
    const char *label = folder, *iconv_name = folder;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        if (strcmp(folder, folders[i].folder) == 0) {
            label = folders[i].label;
            iconv_name = folders[i].iconv_name;
        }
    }
    if (label && wn_html_encoding_for_label(wn_str_of(label))) {
        wn_decoded told = wn_html_decode(&r->arena, bytes, label);
        if (wn_str_eq(told.text, text))
            return true;
    }
    return decode_with_iconv(scratch, iconv_name, bytes) && wn_str_eq(wn_buf_str(scratch), text);
}

static void run_chardet(runner *r)
{
    test_files files = find_files(r, "chardet/tests", NULL);
    wn_buf bytes = {0}, scratch = {0};
    char folder[64];
    for (size_t i = 0; i < files.count; i++) {
        if (strstr(files.paths[i], "README") || !test_file_read(&bytes, files.paths[i]))
            continue;
        wn_arena_reset(&r->arena);
        encoding_of_folder(files.paths[i], folder);
        wn_decoded page = wn_html_decode(&r->arena, wn_buf_str(&bytes), NULL);
        bool right = is_right_text(r, folder, wn_buf_str(&bytes), page.text, &scratch);
        count(&r->chardet, right);
        if (r->verbose && !right)
            printf("chardet: %s: decoded as %s\n", files.paths[i], page.encoding);
    }
    wn_buf_free(&bytes);
    wn_buf_free(&scratch);
    test_files_free(&files);
}

/* ---- wpt --------------------------------------------------------------------------------- */

/* The value of an attribute of the span at p, which ends with '"'. */
static wn_str attribute(wn_str span, wn_str name)
{
    for (const char *p = span.ptr, *end = p + span.len; p < end; p++) {
        wn_str rest = wn_str_between(p, end);
        if (wn_str_starts(rest, name))
            return wn_str_between(p + name.len, memchr(p + name.len, '"', rest.len - name.len));
    }
    return WN_STR("");
}

/* Numbers in hexadecimal with spaces between them; returns how many. */
static size_t read_numbers(wn_str s, uint32_t out[16])
{
    size_t n = 0;
    const char *end = s.ptr + s.len;
    for (char *p = (char *)s.ptr; p < end && n < 16;)
        out[n++] = (uint32_t)strtoul(p, &p, 16);
    return n;
}

/* The spans are made with encoders, which also write these by bytes of another character. */
static uint32_t decoded_form(uint32_t code, size_t bytes)
{
    if (bytes == 1)
        return code == 0xA5 ? 0x5C : code == 0x203E ? 0x7E : code;
    return code == 0x2212 ? 0xFF0D : code;
}

/* Whether both the page and the bytes alone give the code points. */
static bool is_right_span(runner *r, wn_str span, wn_str content, const char *encoding)
{
    uint32_t codes[16], numbers[16];
    char expected[64], bytes[16];
    size_t len = 0, code_count = read_numbers(attribute(span, WN_STR("data-cp=\"")), codes);
    size_t byte_count = read_numbers(attribute(span, WN_STR("data-bytes=\"")), numbers);
    for (size_t i = 0; i < code_count; i++)
        len += (size_t)wn_utf8_encode(decoded_form(codes[i], byte_count), expected + len);
    for (size_t i = 0; i < byte_count; i++)
        bytes[i] = (char)numbers[i];
    wn_str alone = wn_html_decode(&r->arena, wn_str_from(bytes, byte_count), encoding).text;
    return wn_str_eq(alone, wn_str_from(expected, len)) && wn_str_eq(alone, content);
}

static void run_spans(runner *r, const char *file, wn_decoded page)
{
    const char *p = page.text.ptr, *end = p + page.text.len;
    while ((p = find(p, end, "<span data-cp="))) {
        const char *inside = find(p, end, ">");
        const char *close = find(p, end, "</span>");
        if (!inside || !close)
            break;
        wn_str span = wn_str_between(p, inside);
        bool right = is_right_span(r, span, wn_str_between(inside + 1, close), page.encoding);
        count(&r->wpt, right);
        if (r->verbose && !right)
            printf("wpt: %s: %.*s\n", file, WN_STR_ARGS(span));
        p = close;
    }
}

static void run_wpt(runner *r)
{
    test_files files = find_files(r, "wpt/encoding", ".html");
    wn_buf bytes = {0};
    for (size_t i = 0; i < files.count; i++) {
        const char *file = test_file_name(files.paths[i]);
        if (!strstr(file, "_chars") || !test_file_read(&bytes, files.paths[i]))
            continue;
        wn_arena_reset(&r->arena);
        run_spans(r, file, wn_html_decode(&r->arena, wn_buf_str(&bytes), NULL));
    }
    wn_buf_free(&bytes);
    test_files_free(&files);
}

/* ---- html5lib ---------------------------------------------------------------------------- */

static void run_html5lib_test(runner *r, const char *file, wn_str data, wn_str expected)
{
    wn_arena_reset(&r->arena);
    wn_decoded page = wn_html_decode(&r->arena, data, NULL);
    bool is_declared = page.source != WN_ENCODING_FROM_BYTES && page.source != WN_ENCODING_GUESSED;
    wn_str found = is_declared ? wn_str_of(page.encoding) : WN_STR("windows-1252");
    /* Where a page declares a legacy encoding and is UTF-8, browsers believe it and we do not. */
    bool is_stale = page.source == WN_ENCODING_FROM_BYTES && strcmp(page.encoding, "UTF-8") == 0 &&
                    wn_html_encoding_prescan(data);
    bool right = is_stale || wn_str_eq_nocase(found, expected);
    count(&r->html5lib, right);
    if (r->verbose && !right)
        printf("html5lib: %s: got %.*s, expected %.*s:\n%.*s\n", file, WN_STR_ARGS(found),
               WN_STR_ARGS(expected), WN_STR_ARGS(data));
}

/* Tests are "#data", lines, "#encoding", a name. */
static void run_html5lib_file(runner *r, const char *file, wn_str text)
{
    wn_str start = WN_STR("#data\n"), middle = WN_STR("\n#encoding\n");
    const char *p = text.ptr, *end = p + text.len;
    while ((p = find(p, end, start.ptr))) {
        const char *data = p + start.len, *stop = find(data - 1, end, middle.ptr);
        if (!stop)
            break;
        const char *name = stop + middle.len, *name_end = name;
        while (name_end < end && *name_end != '\n')
            name_end++;
        wn_str page = stop < data ? WN_STR("") : wn_str_between(data, stop);
        run_html5lib_test(r, file, page, wn_str_trim(wn_str_between(name, name_end)));
        p = name_end;
    }
}

static void run_html5lib(runner *r)
{
    test_files files = find_files(r, "html5lib", ".dat");
    wn_buf text = {0};
    for (size_t i = 0; i < files.count; i++) /* scripted ones need JavaScript */
        if (!strstr(files.paths[i], "/scripted/") && test_file_read(&text, files.paths[i]))
            run_html5lib_file(r, test_file_name(files.paths[i]), wn_buf_str(&text));
    wn_buf_free(&text);
    test_files_free(&files);
}

int main(int argc, char **argv)
{
    runner r = {.verbose = argc == 3 && strcmp(argv[1], "-v") == 0};
    wn_buf directory = {0};
    if (argc != 2 + r.verbose) {
        fprintf(stderr, "usage: test_encodings_data [-v] DIRECTORY\n");
        return 2;
    }
    wn_buf_add_format(&directory, "%s/encodings", argv[argc - 1]);
    r.directory = wn_buf_c_string(&directory);
    if (access(r.directory, F_OK) != 0)
        r.directory = argv[argc - 1];
    wn_arena_init(&r.arena, 0);
    run_chardet(&r);
    run_wpt(&r);
    run_html5lib(&r);
    wn_arena_free(&r.arena);
    wn_buf_free(&directory);

    printf("encoding: chardet %d/%d, wpt %d/%d spans, html5lib %d/%d\n", r.chardet.right,
           r.chardet.all, r.wpt.right, r.wpt.all, r.html5lib.right, r.html5lib.all);
    bool passed[] = {r.chardet.right >= CHARDET_BAR, r.wpt.all > 0 && r.wpt.right == r.wpt.all,
                     r.html5lib.right >= HTML5LIB_BAR};
    int parts = passed[0] + passed[1] + passed[2];
    printf("%d passed, %d failed\n", parts, 3 - parts);
    return parts == 3 ? EXIT_SUCCESS : EXIT_FAILURE;
}
