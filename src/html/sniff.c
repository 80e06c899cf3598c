#include "html/sniff.h"

#include "base/scan.h"
#include "base/utf8.h"

enum {
    SAMPLE = 4096, /* bytes that are looked at */
    /* Of control characters, that no text has; bytes by chance have about 100. */
    CONTROLS_PER_MILLE = 80,
};

/* The first bytes of files that are mistaken for pages, or sent as such by servers. */
static const wn_str signatures[] = {
    {"%PDF-", 5},
    {"%!PS-Adobe", 10},
    {"\x89PNG\r\n\x1a\n", 8},
    {"\xff\xd8\xff", 3}, /* JPEG */
    {"GIF87a", 6},
    {"GIF89a", 6},
    {"RIFF", 4}, /* WebP, WAV, AVI */
    {"OggS", 4},
    {"ID3", 3},
    {"fLaC", 4},
    {"PK\x03\x04", 4}, /* zip, and office documents */
    {"PK\x05\x06", 4},
    {"\x1f\x8b\x08", 3},     /* gzip */
    {"\x28\xb5\x2f\xfd", 4}, /* zstd */
    {"BZh", 3},
    {"\xfd"
     "7zXZ",
     5},
    {"7z\xbc\xaf\x27\x1c", 6},
    {"Rar!\x1a\x07", 6},
    {"\x7f"
     "ELF",
     4},
    {"\xca\xfe\xba\xbe", 4}, /* Java classes, Mach-O */
    {"wOFF", 4},
    {"wOF2", 4},
    {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8}, /* old office documents */
    {"SQLite format 3", 15},
    {"\0asm", 4},
};

static bool has_signature(wn_str bytes)
{
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
        if (wn_str_starts(bytes, signatures[i]))
            return true;
    bool iso_media = bytes.len >= 12 && memcmp(bytes.ptr + 4, "ftyp", 4) == 0; /* MP4, HEIC, AVIF */
    return iso_media;
}

/* UTF-16 and UTF-32 hold many zero bytes, but at every second place only. */
static bool is_wide_text(wn_str sample)
{
    size_t zeros[2] = {0, 0};
    for (size_t i = 0; i < sample.len; i++)
        zeros[i & 1] += sample.ptr[i] == '\0';
    size_t half = sample.len / 2;
    return (zeros[0] > half * 6 / 10 || zeros[1] > half * 6 / 10);
}

static bool is_control(char c)
{
    unsigned char u = (unsigned char)c;
    return u < 0x20 && !wn_is_space(c) && u != 0x1B; /* ISO-2022 uses the escape */
}

/* The first byte that may be one; hardly any page has one. */
WN_DEFINE_SCAN(scan_control, (const char *p, const char *end),
               wn_vec_or(wn_vec_at_most(v, '\b'),
                         wn_vec_or(wn_vec_equal(v, '\v'), wn_vec_between(v, 0x0E, 0x1F))),
               is_control(c))

/* Bytes by chance have a "<" with a letter after it soon, but hardly one of these. */
static bool has_common_tag(wn_str sample)
{
    static const wn_str tags[] = {
        WN_STR("<!doctype"), WN_STR("<html"), WN_STR("<head"), WN_STR("<title"),  WN_STR("<meta"),
        WN_STR("<body"),     WN_STR("<div"),  WN_STR("<span"), WN_STR("<script"), WN_STR("<table"),
        WN_STR("<pre"),      WN_STR("<p>"),   WN_STR("<p "),   WN_STR("<br"),     WN_STR("<h1"),
    };
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (wn_str_contains_nocase(sample, tags[i]))
            return true;
    return false;
}

bool wn_html_sniff_is_binary(wn_str bytes)
{
    if (has_signature(bytes))
        return true;
    wn_str sample = wn_str_from(bytes.ptr, bytes.len < SAMPLE ? bytes.len : SAMPLE);
    size_t controls = 0;
    const char *p = sample.ptr, *end = sample.ptr + sample.len;
    for (; (p = scan_control(p, end)) < end; p++)
        controls += is_control(*p);
    bool many = controls * 1000 > sample.len * CONTROLS_PER_MILLE;
    return many && !is_wide_text(sample) && !has_common_tag(sample);
}

bool wn_html_sniff_has_markup(wn_str text)
{
    const char *p = text.ptr, *end = text.ptr + text.len;
    while ((p = wn_scan_1(p, end, '<')) < end) {
        if (end - p >= 2 && (wn_is_ascii_alpha(p[1]) || p[1] == '!' || p[1] == '/' || p[1] == '?'))
            return true;
        p++;
    }
    return false;
}

/* Passes white space, and one declaration, comment or doctype if there is one; false if not. */
static bool pass_prologue(wn_str *text)
{
    *text = wn_str_trim(*text);
    if (!wn_str_starts(*text, WN_STR("<?")) && !wn_str_starts(*text, WN_STR("<!")))
        return false;
    wn_str close = wn_str_starts(*text, WN_STR("<!--")) ? WN_STR("-->") : WN_STR(">");
    size_t end = wn_str_find(*text, close);
    *text = end < text->len ? wn_str_from_offset(*text, end + close.len) : WN_STR("");
    return true;
}

bool wn_html_sniff_is_feed(wn_str text)
{
    static const wn_str roots[] = {WN_STR("<rss"), WN_STR("<feed"), WN_STR("<rdf:RDF")};
    text = wn_utf8_without_mark(wn_str_from(text.ptr, text.len < SAMPLE ? text.len : SAMPLE));
    while (pass_prologue(&text))
        ;
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
        size_t size = roots[i].len;
        if (wn_str_starts_nocase(text, roots[i]) && text.len > size &&
            (wn_is_space(text.ptr[size]) || text.ptr[size] == '>'))
            return true;
    }
    return false;
}
