#!/usr/bin/env python3
"""Generates src/html/encoding_tables.{h,c}: labels and indexes of the WHATWG Encoding standard.

The labels are written down here, as https://encoding.spec.whatwg.org/#names-and-labels lists
them. The indexes are facts that any browser knows: a headless Chromium runs TextDecoder over every
byte sequence, and this program writes down what comes out. Each label is checked in the same way.

    tools/gen_encodings.py [--chromium PATH]
"""
import argparse
import html
import json
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

LABELS = """
UTF-8: unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8
IBM866: 866 cp866 csibm866 ibm866
ISO-8859-2: csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2
    latin2
ISO-8859-3: csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3
    latin3
ISO-8859-4: csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4
    latin4
ISO-8859-5: csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5
    iso_8859-5:1988
ISO-8859-6: arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6
    iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987
ISO-8859-7: csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7
    iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek
ISO-8859-8: csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8
    iso88598 iso_8859-8 iso_8859-8:1988 visual
ISO-8859-8-I: csiso88598i iso-8859-8-i logical
ISO-8859-10: csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6
ISO-8859-13: iso-8859-13 iso8859-13 iso885913
ISO-8859-14: iso-8859-14 iso8859-14 iso885914
ISO-8859-15: csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9
ISO-8859-16: iso-8859-16
KOI8-R: cskoi8r koi koi8 koi8-r koi8_r
KOI8-U: koi8-ru koi8-u
macintosh: csmacintosh mac macintosh x-mac-roman
windows-874: dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874
windows-1250: cp1250 windows-1250 x-cp1250
windows-1251: cp1251 windows-1251 x-cp1251
windows-1252: ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100
    iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252
windows-1253: cp1253 windows-1253 x-cp1253
windows-1254: cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9
    iso_8859-9:1989 l5 latin5 windows-1254 x-cp1254
windows-1255: cp1255 windows-1255 x-cp1255
windows-1256: cp1256 windows-1256 x-cp1256
windows-1257: cp1257 windows-1257 x-cp1257
windows-1258: cp1258 windows-1258 x-cp1258
x-mac-cyrillic: x-mac-cyrillic x-mac-ukrainian
GBK: chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk
gb18030: gb18030
Big5: big5 big5-hkscs cn-big5 csbig5 x-x-big5
EUC-JP: cseucpkdfmtjapanese euc-jp x-euc-jp
ISO-2022-JP: csiso2022jp iso-2022-jp
Shift_JIS: csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis
EUC-KR: cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601
    ksc_5601 windows-949
replacement: csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr replacement
UTF-16BE: unicodefffe utf-16be
UTF-16LE: csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le
x-user-defined: x-user-defined
"""


def span(first, last):
    return list(range(first, last + 1))


# The index of each multi-byte encoding as the decoder numbers it: lead bytes times trail bytes.
# JIS X 0208 is read through Shift_JIS, whose rows reach further than those of EUC-JP.
INDEXES = {
    "jis0208": ("Shift_JIS", [], span(0x81, 0x9F) + span(0xE0, 0xFC),
                span(0x40, 0x7E) + span(0x80, 0xFC)),
    "jis0212": ("EUC-JP", [0x8F], span(0xA1, 0xFE), span(0xA1, 0xFE)),
    "euc_kr": ("EUC-KR", [], span(0x81, 0xFE), span(0x41, 0xFE)),
    "gb18030": ("gb18030", [], span(0x81, 0xFE), span(0x40, 0x7E) + span(0x80, 0xFE)),
    "big5": ("Big5", [], span(0x81, 0xFE), span(0x40, 0x7E) + span(0xA1, 0xFE)),
}

# The private-use rows of Shift_JIS are computed by its decoder, not looked up.
JIS0208_PRIVATE = range(8836, 10716)

PAGE = """<!doctype html><meta charset=utf-8><pre id=out></pre><script>
const job = %s, out = {names: {}, single: {}, index: {}};
for (const label of job.labels) {
    try { out.names[label] = new TextDecoder(label).encoding; }
    catch (e) { out.names[label] = null; }
}
function decode(label, bytes) {
    const text = new TextDecoder(label).decode(new Uint8Array(bytes));
    const points = Array.from(text, c => c.codePointAt(0));
    return points.includes(0xFFFD) ? [] : points;
}
for (const name of job.single)
    out.single[name] = Array.from({length: 128}, (_, i) => decode(name, [0x80 + i])[0] || 0);
for (const [name, [label, prefix, leads, trails]] of Object.entries(job.indexes)) {
    out.index[name] = [];
    for (const lead of leads)
        for (const trail of trails)
            out.index[name].push(decode(label, [...prefix, lead, trail]));
}
out.ranges = [];
let last = null;
for (let p = 0; p < 39420; p++) {
    const bytes = [0x81 + Math.floor(p / 12600), 0x30 + Math.floor(p / 1260) %% 10,
                   0x81 + Math.floor(p / 10) %% 126, 0x30 + p %% 10];
    const point = new TextDecoder("gb18030").decode(new Uint8Array(bytes)).codePointAt(0);
    if (point - p !== last) out.ranges.push([p, point]);
    last = point - p;
}
document.getElementById("out").textContent = JSON.stringify(out);
</script>"""

NOTE = "/* Generated by tools/gen_encodings.py; do not edit. */\n"


def parse_labels():
    labels = {}
    for line in re.sub(r"\n +", " ", LABELS.strip()).splitlines():
        name, _, rest = line.partition(": ")
        labels[name] = rest.split()
    return labels


def is_single_byte(name):
    return re.match(r"IBM866|ISO-8859|KOI8|mac|windows|x-mac", name) is not None


def ask_chromium(path, job):
    """Runs PAGE in Chromium; returns what it printed."""
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "page.html")
        page.write_text(PAGE % json.dumps(job))
        flags = ("--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
                 "--disable-sync --disable-background-networking --disable-component-update")
        run = subprocess.run([path, *flags.split(), f"--user-data-dir={folder}/profile",
                              "--dump-dom", page.as_uri()],
                             capture_output=True, text=True, check=True)
    text = re.search(r"<pre[^>]*>(.*?)</pre>", run.stdout, re.S).group(1)
    return json.loads(html.unescape(text))


def enum_name(name):
    return "WN_ENCODING_" + re.sub(r"[^A-Z0-9]", "_", name.upper())


def rows(values, width=99):
    """The values as lines of C, as many to a line as fit."""
    lines, line = [], ""
    for value in values:
        item = f"{value},"
        if len(line) + len(item) > width:
            lines.append(line)
            line = ""
        line += item
    return "\n".join(lines + [line])


def array(kind, name, values):
    return f"const {kind} {name}[{len(values)}] = {{\n{rows(values)}\n}};\n"


def only_point(points, name):
    assert len(points) < 2 and (not points or points[0] < 0x10000), (name, points)
    return points[0] if points else 0


def write_header(labels, index, ranges):
    names = list(labels)
    lines = [NOTE, """/*
 * Labels, names and indexes of the WHATWG Encoding standard.
 *
 * https://encoding.spec.whatwg.org/#names-and-labels and #indexes. An index maps a pointer, which
 * a decoder computes from the bytes, to a code point; 0 means that there is none.
 */
#ifndef WN_HTML_ENCODING_TABLES_H
#define WN_HTML_ENCODING_TABLES_H

#include <stdint.h>

typedef enum wn_encoding_id {"""]
    lines += [f"    {enum_name(n)}," for n in names]
    lines += ["    WN_ENCODING_COUNT,", "} wn_encoding_id;", "",
              "/* Sorted by label. */",
              f"enum {{ WN_ENCODING_LABELS = {sum(map(len, labels.values()))} }};",
              "typedef struct wn_encoding_label {", "    const char *label;", "    uint8_t id;",
              "} wn_encoding_label;",
              "extern const wn_encoding_label wn_encoding_labels[WN_ENCODING_LABELS];",
              "extern const char *const wn_encoding_names[WN_ENCODING_COUNT];", "",
              "/* Bytes 0x80 to 0xFF of the single-byte encodings, by id; NULL for all others. */",
              "extern const uint16_t *const wn_single_byte_index[WN_ENCODING_COUNT];", ""]
    for name, values in index.items():
        lines.append(f"extern const uint16_t wn_index_{name}[{len(values)}];")
    big5 = len(index["big5"])
    lines += ["", "/* One bit a pointer of Big5: whether 0x20000 is added to its code point. */",
              f"extern const uint8_t wn_index_big5_plane_2[{(big5 + 7) // 8}];", "",
              "/* Four-byte sequences of gb18030: from which pointer on which code points run. */",
              f"enum {{ WN_GB18030_RANGES = {len(ranges)} }};",
              "extern const uint16_t wn_gb18030_ranges[WN_GB18030_RANGES][2];", "", "#endif", ""]
    (ROOT / "src/html/encoding_tables.h").write_text("\n".join(lines))


def write_source(labels, single, index, plane_2, ranges):
    pairs = sorted((label, name) for name in labels for label in labels[name])
    parts = [NOTE, '#include "html/encoding_tables.h"\n\n#include <stddef.h>\n']
    parts.append("const wn_encoding_label wn_encoding_labels[WN_ENCODING_LABELS] = {")
    parts += [f'    {{"{label}", {enum_name(name)}}},' for label, name in pairs]
    parts.append("};\n\nconst char *const wn_encoding_names[WN_ENCODING_COUNT] = {")
    parts += [f'    "{name}",' for name in labels]
    parts.append("};\n")
    for name, values in single.items():
        ident = re.sub(r"\W", "_", name.lower())
        parts.append("static " + array("uint16_t", ident, values))
    parts.append("const uint16_t *const wn_single_byte_index[WN_ENCODING_COUNT] = {")
    for name in single:
        parts.append(f"    [{enum_name(name)}] = " + re.sub(r"\W", "_", name.lower()) + ",")
    parts.append("};\n")
    for name, values in index.items():
        parts.append(array("uint16_t", f"wn_index_{name}", values))
    parts.append(array("uint8_t", "wn_index_big5_plane_2", plane_2))
    flat = rows([f"{{{p},{c}}}" for p, c in ranges])
    parts.append(f"const uint16_t wn_gb18030_ranges[WN_GB18030_RANGES][2] = {{\n{flat}\n}};\n")
    (ROOT / "src/html/encoding_tables.c").write_text("\n".join(parts))


def check_names(labels, names):
    for name, own in labels.items():
        for label in own:
            expected = None if name == "replacement" else name.lower()
            assert names[label] == expected, (label, names[label], expected)


def split_big5(entries):
    """16 bits a pointer and one that adds 0x20000; the decoder itself knows the four pairs."""
    low, plane = [], [0] * ((len(entries) + 7) // 8)
    for pointer, points in enumerate(entries):
        point = points[0] if len(points) == 1 else 0
        assert point < 0x10000 or 0x20000 <= point < 0x30000
        low.append(point & 0xFFFF)
        plane[pointer // 8] |= (point >= 0x20000) << pointer % 8
    return low, plane


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chromium", default="chromium")
    labels = parse_labels()
    singles = [n for n in labels if is_single_byte(n)]
    facts = ask_chromium(parser.parse_args().chromium, {
        "labels": [x for own in labels.values() for x in own],
        "single": singles,
        "indexes": INDEXES})
    check_names(labels, facts["names"])
    index = {n: [only_point(p, n) for p in v] for n, v in facts["index"].items() if n != "big5"}
    for pointer in JIS0208_PRIVATE:
        index["jis0208"][pointer] = 0
    index["big5"], plane_2 = split_big5(facts["index"]["big5"])
    write_header(labels, index, facts["ranges"])
    write_source(labels, facts["single"], index, plane_2, facts["ranges"])


if __name__ == "__main__":
    main()
