/*
 * Unit tests of the encoding stage: labels, the prescan, decoders, marks, line ends.
 *
 *     test_encoding        no arguments
 *
 * That each decoder knows every character is shown by conformance/test_encodings_data;
 * here it is about what they do with bytes that are wrong.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "html/encoding.h"
#include "html/encoding_tables.h"
#include "support/files.h"

#define BAD "\xEF\xBF\xBD" /* U+FFFD */

static wn_arena arena;

static int set_up(void **state)
{
    (void)state;
    wn_arena_init(&arena, 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    wn_arena_free(&arena);
    return 0;
}

static void assert_text_at(wn_decoded page, wn_str expected, int line)
{
    if (!wn_str_eq(page.text, expected))
        fail_msg("line %d: got \"%.*s\" (%s), expected \"%.*s\"", line, WN_STR_ARGS(page.text),
                 page.encoding, WN_STR_ARGS(expected));
}

/* Both are literals, which may hold zero bytes. */
#define assert_decodes(charset, bytes, expected)                                                   \
    assert_text_at(wn_html_decode(&arena, WN_STR(bytes), charset), WN_STR(expected), __LINE__)

/* ---- Labels ------------------------------------------------------------------------------ */

static void labels_have_names(void **state)
{
    (void)state;
    assert_string_equal(wn_html_encoding_for_label(WN_STR("utf8")), "UTF-8");
    assert_string_equal(wn_html_encoding_for_label(WN_STR(" \t\n\f\rLatin1 ")), "windows-1252");
    assert_string_equal(wn_html_encoding_for_label(WN_STR("SJIS")), "Shift_JIS");
    assert_string_equal(wn_html_encoding_for_label(WN_STR("tis-620")), "windows-874");
    assert_string_equal(wn_html_encoding_for_label(WN_STR("866")), "IBM866");
    assert_string_equal(wn_html_encoding_for_label(WN_STR("x-x-big5")), "Big5");
    assert_string_equal(wn_html_encoding_for_label(WN_STR("hz-gb-2312")), "replacement");
    static const char *const unknown[] = {"", " ", "utf", "utf-88", "utf-7", "\vutf-8", "utf-32"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        assert_null(wn_html_encoding_for_label(wn_str_of(unknown[i])));
}

static void labels_are_sorted_and_found(void **state)
{
    (void)state;
    for (int i = 0; i < WN_ENCODING_LABELS; i++) {
        const wn_encoding_label *entry = &wn_encoding_labels[i];
        assert_true(i == 0 || strcmp(wn_encoding_labels[i - 1].label, entry->label) < 0);
        const char *name = wn_html_encoding_for_label(wn_str_of(entry->label));
        assert_string_equal(name, wn_encoding_names[entry->id]);
    }
    for (int id = 0; id < WN_ENCODING_COUNT; id++)
        assert_string_equal(wn_html_encoding_for_label(wn_str_of(wn_encoding_names[id])),
                            wn_encoding_names[id]);
}

/* ---- The prescan ------------------------------------------------------------------------- */

static void assert_prescan_at(const char *html, const char *expected, int line)
{
    const char *found = wn_html_encoding_prescan(wn_str_of(html));
    const char *got = found ? found : "none", *wanted = expected ? expected : "none";
    if (strcmp(got, wanted) != 0)
        fail_msg("line %d: got %s, expected %s", line, got, wanted);
}

#define assert_prescan(html, expected) assert_prescan_at(html, expected, __LINE__)

static void prescan_reads_charset(void **state)
{
    (void)state;
    assert_prescan("<meta charset=koi8-r>", "KOI8-R");
    assert_prescan("<META/CHARSET = 'KOI8-R'/>", "KOI8-R");
    assert_prescan("<meta\fcharset=\" koi8-r \">", "KOI8-R");
    assert_prescan("<meta name=x charset=koi8-r content='text/html; charset=big5'>", "KOI8-R");
    assert_prescan("<meta charset=big5 charset=koi8-r>", "Big5");
    assert_prescan("<meta charset=nonsense><meta charset=koi8-r>", "KOI8-R");
    assert_prescan("<metacharset=koi8-r>", NULL);
    assert_prescan("<meta charset=koi8-r", NULL);
    assert_prescan("<meta charset='koi8-r>", NULL);
    assert_prescan("< meta charset=koi8-r>", NULL);
    assert_prescan("", NULL);
}

static void prescan_needs_the_pragma(void **state)
{
    (void)state;
    assert_prescan("<meta http-equiv=Content-Type content='text/html;charset=big5'>", "Big5");
    assert_prescan("<meta content='charset=big5' http-equiv=content-type>", "Big5");
    assert_prescan("<meta content='text/html; charset=big5'>", NULL);
    assert_prescan("<meta http-equiv=refresh content='charset=big5'>", NULL);
    assert_prescan("<meta http-equiv=x http-equiv=content-type content='charset=big5'>", NULL);
    /* An unknown charset attribute is one all the same: content does not count any more. */
    assert_prescan("<meta charset=x http-equiv=content-type content='charset=big5'>", NULL);
}

static void prescan_reads_content(void **state)
{
    (void)state;
#define CONTENT(value) "<meta http-equiv=content-type content=\"" value "\">"
    assert_prescan(CONTENT("charset = big5 ; x"), "Big5");
    assert_prescan(CONTENT("charset='big5'x"), "Big5");
    assert_prescan(CONTENT("charset='big5"), NULL);
    assert_prescan(CONTENT("charset charset=big5"), "Big5");
    assert_prescan(CONTENT("xcharset=big5;charset=koi8-r"), "Big5");
    assert_prescan(CONTENT("charset=big5,koi8-r"), NULL);
    assert_prescan(CONTENT("charset="), NULL);
#undef CONTENT
}

static void prescan_skips_other_markup(void **state)
{
    (void)state;
    assert_prescan("<!-- <meta charset=big5> --><meta charset=koi8-r>", "KOI8-R");
    assert_prescan("<!--><meta charset=koi8-r>-->", "KOI8-R");
    assert_prescan("<!---><meta charset=koi8-r>-->", "KOI8-R");
    assert_prescan("<!-- -- > <meta charset=big5>", NULL);
    assert_prescan("<a title='<meta charset=big5>'><meta charset=koi8-r>", "KOI8-R");
    assert_prescan("</a title='<meta charset=big5>'><meta charset=koi8-r>", "KOI8-R");
    assert_prescan("<? <meta charset=big5>", NULL);
    assert_prescan("<!doctype html><meta charset=big5>", "Big5");
    assert_prescan("<script>'<meta charset=big5>'</script>", "Big5");
    assert_prescan("1 < 2 <3 <meta charset=big5>", "Big5");
}

static void prescan_replaces_impossible_encodings(void **state)
{
    (void)state;
    assert_prescan("<meta charset=utf-16le>", "UTF-8");
    assert_prescan("<meta charset=unicodefffe>", "UTF-8");
    assert_prescan("<meta charset=x-user-defined>", "windows-1252");
}

static void prescan_reads_xml_declarations(void **state)
{
    (void)state;
    assert_prescan("<?xml version='1.0' encoding='koi8-r'?>", "KOI8-R");
    assert_prescan("<?xml encoding = \"koi8-r\">", "KOI8-R");
    assert_prescan("<?xml encoding='utf-16'?>", "UTF-8");
    assert_prescan("<?xml encoding='koi8-r'?><meta charset=big5>", "Big5");
    assert_prescan(" <?xml encoding='koi8-r'?>", NULL);
    assert_prescan("<?xml encoding='koi8-r'", NULL);
    assert_prescan("<?xml encoding=' koi8-r'?>", NULL);
    assert_prescan("<?xml encoding=koi8-r?>", NULL);
    assert_string_equal(wn_html_encoding_prescan(WN_STR("<\0?\0x\0m\0")), "UTF-16LE");
    assert_string_equal(wn_html_encoding_prescan(WN_STR("\0<\0?\0x\0m")), "UTF-16BE");
}

/* A page with a declaration at a given place, then a byte that is not ASCII. */
static wn_str page_with_meta_at(size_t offset, char *page, size_t size)
{
    static const char meta[] = "<meta charset=koi8-r>\xC1";
    memset(page, ' ', size);
    memcpy(page + offset, meta, sizeof meta - 1);
    return wn_str_from(page, size);
}

static void prescan_ends_after_1024_bytes(void **state)
{
    (void)state;
    char page[2000];
    assert_string_equal(wn_html_encoding_prescan(page_with_meta_at(1003, page, sizeof page)),
                        "KOI8-R");
    assert_null(wn_html_encoding_prescan(page_with_meta_at(1004, page, sizeof page)));
}

static void late_declarations_count_before_guesses(void **state)
{
    (void)state;
    char *page = malloc(80000);
    wn_decoded late = wn_html_decode(&arena, page_with_meta_at(30000, page, 80000), NULL);
    assert_string_equal(late.encoding, "KOI8-R");
    assert_int_equal(late.source, WN_ENCODING_FROM_META);
    wn_decoded too_late = wn_html_decode(&arena, page_with_meta_at(70000, page, 80000), NULL);
    assert_int_equal(too_late.source, WN_ENCODING_GUESSED);
    free(page);
}

/* ---- Where the encoding comes from ------------------------------------------------------- */

static void assert_source_at(wn_str bytes, const char *charset, const char *encoding,
                             wn_encoding_source source, int line)
{
    wn_decoded page = wn_html_decode(&arena, bytes, charset);
    if (strcmp(page.encoding, encoding) != 0 || page.source != source)
        fail_msg("line %d: got %s from %d", line, page.encoding, (int)page.source);
}

#define assert_source(bytes, charset, encoding, source)                                            \
    assert_source_at(WN_STR(bytes), charset, encoding, WN_ENCODING_##source, __LINE__)

static void sources_have_an_order(void **state)
{
    (void)state;
    assert_source("\xEF\xBB\xBF<meta charset=big5>", "koi8-r", "UTF-8", FROM_BOM);
    assert_source("\xFF\xFEx\0", "koi8-r", "UTF-16LE", FROM_BOM);
    assert_source("\xFE\xFF\0x", "koi8-r", "UTF-16BE", FROM_BOM);
    assert_source("<meta charset=big5>", "koi8-r", "KOI8-R", FROM_CALLER);
    assert_source("<meta charset=big5>", "nonsense", "Big5", FROM_META);
    assert_source("<meta charset=big5>", "text/html; Charset=\"koi8-r\"", "KOI8-R", FROM_CALLER);
    assert_source("<meta charset=windows-1251>\xC3\xA9", NULL, "windows-1251", FROM_META);
    assert_source("plain", NULL, "UTF-8", FROM_BYTES);
    assert_source("\xC3\xA9", "", "UTF-8", FROM_BYTES);
    assert_source("", NULL, "UTF-8", FROM_BYTES);
    assert_source("caf\xE9", NULL, "windows-1252", GUESSED);
}

static void utf8_beats_a_stale_meta(void **state)
{
    (void)state;
    assert_source("<meta charset=iso-8859-1>\xC3\xA9t\xC3\xA9, caf\xC3\xA9", NULL, "UTF-8",
                  FROM_BYTES);
    assert_source("<meta charset=gbk>\xE4\xB8\xAD\xE6\x96\x87\xE5\xAD\x97", NULL, "UTF-8",
                  FROM_BYTES);
    /* A byte that is not one of UTF-8, two letters only, or a caller who knows. */
    assert_source("<meta charset=iso-8859-1>\xC3\xA9t\xC3\xA9, caf\xC3\xA9 \xE9", NULL,
                  "windows-1252", FROM_META);
    assert_source("<meta charset=iso-8859-1>\xC3\xA9t\xC3\xA9", NULL, "windows-1252", FROM_META);
    assert_source("<meta charset=iso-8859-1>\xC3\xA9t\xC3\xA9, caf\xC3\xA9", "iso-8859-1",
                  "windows-1252", FROM_CALLER);
}

static void marks_are_removed_once(void **state)
{
    (void)state;
    assert_decodes(NULL, "\xEF\xBB\xBFx", "x");
    assert_decodes(NULL, "\xEF\xBB\xBF", "");
    assert_decodes(NULL, "\xEF\xBB\xBF\xEF\xBB\xBFx", "\xEF\xBB\xBFx");
    assert_decodes(NULL, "\xFE\xFF\xFE\xFF", "\xEF\xBB\xBF");
    assert_decodes(NULL, "\xFF\xFE\x3D\xD8\x00\xDE", "\xF0\x9F\x98\x80");
    assert_decodes(NULL, "\0\0\xFE\xFF\0\x01\xF6\0", "\xF0\x9F\x98\x80");
    assert_decodes(NULL, "\xFF\xFE\0\0\0\xF6\x01\0", "\xF0\x9F\x98\x80");
}

static void wide_encodings_are_recognised(void **state)
{
    (void)state;
    assert_source("<\0p\0>\0\x3A\x04", NULL, "UTF-16LE", GUESSED);
    assert_source("\0<\0p\0>\x04\x3A", NULL, "UTF-16BE", GUESSED);
    assert_source("<\0\0\0p\0\0\0>\0\0\0", NULL, "UTF-32LE", GUESSED);
    assert_source("\0\0\0<\0\0\0p\0\0\0>", NULL, "UTF-32BE", GUESSED);
    assert_source("<p>a\0b, one stray zero byte</p>", NULL, "UTF-8", FROM_BYTES);
    assert_source("\0\0\0\0\0\0\0\0\0\0\0\0", NULL, "UTF-8", FROM_BYTES);
}

static void guesses_look_at_words(void **state)
{
    (void)state;
    /* Quotes and dashes are the same in all Windows encodings. */
    assert_source("He said, \x93no\x94 \x96 and left\x85", NULL, "windows-1252", GUESSED);
    /* UTF-8 with a broken byte. */
    assert_decodes(NULL,
                   "\xC3\xA9t\xC3\xA9 \xC3\xA0 \xC3\xA9t\xC3\xA9 \xC3\xA0 \xC3\xA9 "
                   "\xC3\xA9 \xC3\xA9 \xFF",
                   "été à été à é é é " BAD);
}

/* ---- Decoders ---------------------------------------------------------------------------- */

static void utf8_is_repaired(void **state)
{
    (void)state;
    assert_decodes("utf-8",
                   "a\xFF"
                   "b",
                   "a" BAD "b");
    assert_decodes("utf-8", "\xC0\x80", BAD BAD);
    assert_decodes("utf-8", "\xE0\x80\x80", BAD BAD BAD);
    assert_decodes("utf-8", "\xE2\x82<", BAD "<");
    assert_decodes("utf-8", "\xF0\x9F\x98", BAD);
    assert_decodes("utf-8", "\xED\xA0\x80", BAD BAD BAD);
    assert_decodes("utf-8", "\xF4\x90\x80\x80", BAD BAD BAD BAD);
    assert_true(wn_html_decode(&arena, WN_STR("\xFF"), "utf-8").repaired);
    assert_false(wn_html_decode(&arena, WN_STR(BAD), "utf-8").repaired);
}

static void single_bytes_decode(void **state)
{
    (void)state;
    assert_decodes("latin1", "\x80\x93\xE9\x81", "€“é\xC2\x81");
    assert_decodes("koi8-r", "\xEB\xCF\xD4", "Кот");
    assert_decodes("windows-1253", "\xD2", BAD);
    assert_decodes("tis-620", "\xA1\xD2\xDB", "กา" BAD);
    assert_decodes("x-user-defined", "a\x80\xFF", "a\xEF\x9E\x80\xEF\x9F\xBF");
}

static void pairs_keep_ascii(void **state)
{
    (void)state;
    /* A lead byte before ASCII is wrong, but the ASCII stays; others are swallowed. */
    assert_decodes("euc-kr", "\xB0\xA1\xB0<", "가" BAD "<");
    assert_decodes("euc-kr", "\xC8\xFF\xFF", BAD BAD);
    assert_decodes("euc-kr", "\x80\xFF", BAD BAD);
    assert_decodes("euc-kr", "\xB0", BAD);
    assert_decodes("big5", "\xA4\xA4\xA4<\xA4", "中" BAD "<" BAD);
    assert_decodes("big5", "\x88\x62\x88\x64\x88\xA3\x88\xA5",
                   "\u00CA\u0304\u00CA\u030C\u00EA\u0304\u00EA\u030C");
    assert_decodes("big5", "\x87\x40\x88\x66", "\u43F0\u00CA");
    assert_decodes("big5", "\x8A\x40", "\U00027D84");
    assert_decodes("gbk", "\xD6\xD0\x80\xFF\x81<", "中€" BAD BAD "<");
}

static void shift_jis_decodes(void **state)
{
    (void)state;
    assert_decodes("shift_jis", "\x82\xA0\xB1\x80\x5C", "あｱ\xC2\x80\\");
    assert_decodes("shift_jis", "\xA0\xFD\xFE\xFF", BAD BAD BAD BAD);
    assert_decodes("shift_jis", "\x81<", BAD "<");
    assert_decodes("shift_jis", "\xF0\x40\xF9\xFC", "\uE000\uE757");
    assert_decodes("shift_jis", "\xFC\xFC\x82", BAD BAD);
}

static void euc_jp_decodes(void **state)
{
    (void)state;
    assert_decodes("euc-jp", "\xA4\xA2\x8E\xB1\x8F\xB0\xA1", "あｱ\u4E02");
    assert_decodes("euc-jp", "\x8E<\x8E\xE0", BAD "<" BAD);
    assert_decodes("euc-jp", "\x8F<\x8F\xA1<\x8F\x80\x8F", BAD "<" BAD "<" BAD BAD);
    assert_decodes("euc-jp", "\x8F\xA2\xA2\xFF", BAD BAD);
    assert_decodes("euc-jp", "\x8F\xB0\xFF\xA4\xA2", BAD "あ");
}

static void gb18030_decodes(void **state)
{
    (void)state;
    assert_decodes("gb18030", "\x81\x30\x81\x30\x84\x31\xA4\x37", "\xC2\x80" BAD);
    assert_decodes("gb18030", "\x90\x30\x81\x30\xE3\x32\x9A\x35", "\U00010000\U0010FFFF");
    assert_decodes("gb18030", "\xE3\x32\x9A\x36\x84\x31\xA5\x30", BAD BAD);
    assert_decodes("gb18030", "\x81\x30<", BAD "0<");
    assert_decodes("gb18030", "\x81\x30\x81<", BAD "0" BAD "<");
    assert_decodes("gb18030", "\x81\x30\x81", BAD);
    assert_decodes("gb18030", "\x81\x30", BAD);
    assert_decodes("gb18030", "\x81", BAD);
    assert_decodes("gb18030", "\x81\x35\xF4\x37", "\uE7C7");
}

static void iso_2022_jp_decodes(void **state)
{
    (void)state;
    assert_decodes("iso-2022-jp", "a\x1B$B$\"\x1B(Bb", "aあb");
    assert_decodes("iso-2022-jp", "\x1B(J\\~\x1B(I1", "¥‾ｱ");
    assert_decodes("iso-2022-jp", "\x1B$B\x1B(Ba", BAD "a");
    assert_decodes("iso-2022-jp", "\x1B$B$\"$", "あ" BAD);
    assert_decodes("iso-2022-jp", "\x1B$B$\x1B(Ba", BAD "a");
    assert_decodes("iso-2022-jp", "\x1B[0m", BAD "[0m");
    assert_decodes("iso-2022-jp", "\x1B$\x1B", BAD "$" BAD);
    assert_decodes("iso-2022-jp", "\x0E\x0F\x80", BAD BAD BAD);
    assert_decodes("iso-2022-jp", "\x1B$B\n$\n", BAD BAD);
}

static void utf16_decodes(void **state)
{
    (void)state;
    assert_decodes("utf-16le", "a\0\x3D\xD8\0\xDE", "a\U0001F600");
    assert_decodes("utf-16be", "\xD8\x3D\xDE\0\0a", "\U0001F600a");
    assert_decodes("utf-16be", "\xD8\x3D\0a\xDE\0", BAD "a" BAD);
    assert_decodes("utf-16be", "\xD8\x3D\xD8\x3D\xDE\0", BAD "\U0001F600");
    assert_decodes("utf-16be", "\0a\0", "a" BAD);
    assert_decodes("utf-16be", "\xD8\x3D\xDE", BAD);
    assert_decodes("utf-16be", "\xD8\x3D", BAD);
}

static void replacement_hides_everything(void **state)
{
    (void)state;
    assert_decodes("iso-2022-kr", "<script>", BAD);
    assert_decodes("iso-2022-kr", "", "");
}

static void hz_is_guessed(void **state)
{
    (void)state;
    wn_decoded page = wn_html_decode(&arena, WN_STR("one ~~ ~{VPND~} two"), NULL);
    if (page.source == WN_ENCODING_GUESSED) /* needs the detector */
        assert_text_at(page, WN_STR("one ~ 中文 two"), __LINE__);
}

/* ---- Line ends and copies ---------------------------------------------------------------- */

static void line_ends_become_one_byte(void **state)
{
    (void)state;
    assert_decodes(NULL, "\r", "\n");
    assert_decodes(NULL, "\r\n", "\n");
    assert_decodes(NULL, "\n\r", "\n\n");
    assert_decodes(NULL, "\r\r\n\r\n\n\r", "\n\n\n\n\n");
    assert_decodes("latin1", "\xE9\r\n\xE9\r\xE9", "é\né\né");
    assert_decodes("utf-8", "\xFF\r\n\r", BAD "\n\n");
    assert_decodes("utf-16be", "\0\r\0\n\0\r", "\n\n");
}

/* Each pair of bytes around each place of a text of some vectors, long enough for the fast path. */
static void line_ends_are_found_everywhere(void **state)
{
    (void)state;
    static const char *const ends[] = {"\r", "\r\n", "\n", "\r\r", "\r\n\r\n"};
    for (size_t place = 0; place < 200; place++) {
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
            char page[256];
            memset(page, 'x', sizeof page);
            memcpy(page + place, ends[k], strlen(ends[k]));
            wn_buf expected = {0};
            wn_buf_add(&expected, wn_str_from(page, 210));
            test_normalise_line_ends(&expected);
            wn_decoded decoded = wn_html_decode(&arena, wn_str_from(page, 210), "utf-8");
            assert_text_at(decoded, wn_buf_str(&expected), __LINE__);
            wn_buf_free(&expected);
        }
    }
}

static void clean_text_is_not_copied(void **state)
{
    (void)state;
    static const char utf8[] = "\xEF\xBB\xBF<p>caf\xC3\xA9\n</p>";
    static const char ascii[] = "<meta charset=big5><p>cafe\n</p>";
    assert_ptr_equal(wn_html_decode(&arena, WN_STR(utf8), NULL).text.ptr, utf8 + 3);
    assert_ptr_equal(wn_html_decode(&arena, WN_STR(ascii), NULL).text.ptr, ascii);
    assert_int_equal(arena.reserved, 0);
}

static void copies_give_back_what_they_did_not_use(void **state)
{
    (void)state;
    wn_decoded page = wn_html_decode(&arena, WN_STR("\xE9\xE9\xE9\xE9\r\n"), "latin1");
    const char *next = wn_arena_bytes(&arena, 1), *end = page.text.ptr + page.text.len;
    assert_true(next >= end && next <= end + 64); /* some bytes between them under sanitizers */
}

static void failing_memory_gives_an_empty_text(void **state)
{
    (void)state;
    static const char *const charsets[] = {"utf-8", "latin1", "iso-2022-jp", NULL};
    for (size_t i = 0; i < sizeof charsets / sizeof *charsets; i++) {
        wn_arena tiny;
        wn_arena_init(&tiny, 1);
        wn_decoded page = wn_html_decode(&tiny, WN_STR("\xE9\r\n\xE9"), charsets[i]);
        assert_int_equal(page.text.len, 0);
        assert_non_null(page.encoding);
        assert_true(tiny.failed);
        wn_arena_free(&tiny);
    }
}

/* ---- The UTF-8 check --------------------------------------------------------------------- */

static void assert_check_at(wn_str s, int line)
{
    bool has_return, expected_return;
    size_t valid = wn_utf8_check(s, &has_return);
    size_t expected = wn_utf8_check_scalar(s, &expected_return);
    if (valid != expected || (valid == s.len && has_return != expected_return))
        fail_msg("line %d: %zu of %zu bytes valid, expected %zu", line, valid, s.len, expected);
}

/* Well-formed text of all lengths of characters, then one byte changed. */
static void vectors_and_scalars_agree_on_changed_text(void **state)
{
    (void)state;
    static const uint32_t codes[] = {'a',    '\n',   0xE9,    0x7FF,    0x800, 0xD7FF,
                                     0xE000, 0xFFFD, 0x10000, 0x10FFFF, 'b',   'c'};
    uint64_t seed = 42;
    for (int round = 0; round < 20000; round++) {
        char text[400];
        size_t len = 0, size = 1 + test_random(&seed) % 380;
        while (len < size) {
            uint64_t pick = test_random(&seed);
            bool is_plain = round % 3 == 0 && pick % 8 != 0;
            uint32_t code = is_plain ? 'x' : codes[pick % (sizeof codes / sizeof *codes)];
            len += (size_t)wn_utf8_encode(code, text + len);
        }
        assert_check_at(wn_str_from(text, len), __LINE__);
        text[test_random(&seed) % len] = (char)test_random(&seed);
        assert_check_at(wn_str_from(text, len), __LINE__);
        assert_check_at(wn_str_from(text, test_random(&seed) % (len + 1)), __LINE__);
    }
}

/* Every pair of bytes, and with every third, where a vector ends. */
static void vectors_and_scalars_agree_on_all_sequences(void **state)
{
    (void)state;
    char text[160];
    for (int sequence = 0; sequence < 1 << 24; sequence += sequence % 251 == 0 ? 1 : 17) {
        memset(text, 'x', sizeof text);
        size_t place = 60 + (size_t)(sequence % 7);
        text[place] = (char)(0x80 | sequence >> 16);
        text[place + 1] = (char)(sequence >> 8);
        text[place + 2] = (char)sequence;
        text[place + 3] = sequence & 1 ? '\x80' : 'x';
        assert_check_at(wn_str_from(text, sizeof text), __LINE__);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(labels_have_names),
        TEST(labels_are_sorted_and_found),
        TEST(prescan_reads_charset),
        TEST(prescan_needs_the_pragma),
        TEST(prescan_reads_content),
        TEST(prescan_skips_other_markup),
        TEST(prescan_replaces_impossible_encodings),
        TEST(prescan_reads_xml_declarations),
        TEST(prescan_ends_after_1024_bytes),
        TEST(late_declarations_count_before_guesses),
        TEST(sources_have_an_order),
        TEST(utf8_beats_a_stale_meta),
        TEST(marks_are_removed_once),
        TEST(wide_encodings_are_recognised),
        TEST(guesses_look_at_words),
        TEST(utf8_is_repaired),
        TEST(single_bytes_decode),
        TEST(pairs_keep_ascii),
        TEST(shift_jis_decodes),
        TEST(euc_jp_decodes),
        TEST(gb18030_decodes),
        TEST(iso_2022_jp_decodes),
        TEST(utf16_decodes),
        TEST(replacement_hides_everything),
        TEST(hz_is_guessed),
        TEST(line_ends_become_one_byte),
        TEST(line_ends_are_found_everywhere),
        TEST(clean_text_is_not_copied),
        TEST(copies_give_back_what_they_did_not_use),
        TEST(failing_memory_gives_an_empty_text),
        TEST(vectors_and_scalars_agree_on_changed_text),
        TEST(vectors_and_scalars_agree_on_all_sequences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
