#include "io/magic.h"

#include "html/sniff.h"
#include "io/json_line.h"

typedef struct signature {
    size_t offset;
    wn_str bytes;
    const char *what;
} signature;

static const signature signatures[] = {
    {0, WN_STR("%PDF-"), "a PDF document"},
    {0, WN_STR("%!PS"), "a PostScript document"},
    {0, WN_STR("\x89PNG\r\n"), "a PNG image"},
    {0, WN_STR("\xFF\xD8\xFF"), "a JPEG image"},
    {0, WN_STR("GIF8"), "a GIF image"},
    {8, WN_STR("WEBP"), "a WebP image"},
    {4, WN_STR("ftyp"), "a video or image"},
    {0, WN_STR("BM"), "a BMP image"},
    {0, WN_STR("II*\0"), "a TIFF image"},
    {0, WN_STR("MM\0*"), "a TIFF image"},
    {0, WN_STR("\0\0\1\0"), "an icon"},
    {0, WN_STR("PK\3\4"), "a zip archive or office document"},
    {0, WN_STR("PK\5\6"), "an empty zip archive"},
    {0, WN_STR("\x1F\x8B"), "gzip data: decompress it first"},
    {0, WN_STR("BZh"), "bzip2 data: decompress it first"},
    {0, WN_STR("\3757zXZ\0"), "xz data: decompress it first"},
    {0, WN_STR("\x28\xB5\x2F\xFD"), "zstd data: decompress it first"},
    {0, WN_STR("7z\xBC\xAF\x27\x1C"), "a 7z archive"},
    {0, WN_STR("Rar!"), "a RAR archive"},
    {257, WN_STR("ustar"), "a tar archive"},
    {0, WN_STR("\177ELF"), "a program"},
    {0, WN_STR("MZ"), "a program"},
    {0, WN_STR("\xD0\xCF\x11\xE0"), "an office document"},
    {0, WN_STR("OggS"), "sound or video"},
    {0, WN_STR("ID3"), "sound"},
    {0, WN_STR("RIFF"), "sound or video"},
    {0, WN_STR("wOFF"), "a font"},
    {0, WN_STR("wOF2"), "a font"},
    {0, WN_STR("SQLite format 3"), "an SQLite database"},
    {0, WN_STR("WARC/"), "a web archive (WARC)"},
};

const char *wn_io_guess_type(wn_str bytes)
{
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++) {
        if (wn_str_starts(wn_str_from_offset(bytes, signatures[i].offset), signatures[i].bytes))
            return signatures[i].what;
    }
    if (wn_html_sniff_is_feed(bytes))
        return "a feed (RSS or Atom)";
    if (wn_io_json_begins(bytes))
        return "JSON; --from jsonl reads JSON lines with a page in each";
    return wn_html_sniff_is_binary(bytes) ? "binary data" : NULL;
}
