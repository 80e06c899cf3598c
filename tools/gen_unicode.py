#!/usr/bin/env python3
"""Writes src/text/unicode_tables.c: what each character is to a word, and its lower case.

    python3 tools/gen_unicode.py

Unicode's properties are facts; they come from Python's unicodedata, whose version is in the output.
A character's class is found in two steps: blocks of 256 characters that are the same are stored once,
with four bits per character. The classes and what follows from them are explained in src/text/unicode.h.

The word measure of `winnow eval` is defined by two Python expressions (app/eval/words.h), so Python itself
tells which characters are cased, ignorable or spaces, and which ones with a class of letters are not \\w.
"""
import pathlib
import re
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAST = 0x10FFFF
BLOCK = 256
LOW_CASE = 0x600  # below it lower case is one look-up

CLASSES = "NONE LETTER DIGIT MARK FORMAT APOSTROPHE POINT CONNECTOR THAI HAN KANA LAO KHMER MYANMAR".split()
NUMBER = {name: i for i, name in enumerate(CLASSES)}

# Scripts that write no spaces between words, by the first word of the characters' names.
SCRIPTS = {"THAI": "THAI", "LAO": "LAO", "KHMER": "KHMER", "MYANMAR": "MYANMAR", "HIRAGANA": "KANA",
           "KATAKANA": "KANA", "HENTAIGANA": "KANA", "KATAKANA-HIRAGANA": "KANA", "CJK": "HAN",
           "IDEOGRAPHIC": "HAN", "NUSHU": "HAN", "TANGUT": "HAN"}

APOSTROPHES = "'\u2019\u00b7\u0387\u05f3\u05f4\uff07"  # also the middle dot of Catalan col·lecció
POINTS = ".,\u066b\u066c\uff0e\uff0c"  # between digits: 3.14, 1,000
SIGMA = "\u03a3"  # its lower case depends on its neighbours; the probes below show how
CONNECTORS = "_\u203f\u2040\u2054\uff3f"
SEPARATORS = "\u200b"  # the zero width space is a space, whatever its category says


def script_of(c):
    words = unicodedata.name(c, "").split(" ")
    if words[0] == "HALFWIDTH" and words[1].startswith("KATAKANA"):
        return "KANA"
    if words[0] == "SQUARE":
        return None
    return SCRIPTS.get(words[0])


def class_of(code):
    c = chr(code)
    if c in SEPARATORS:
        return "NONE"
    for characters, name in ((APOSTROPHES, "APOSTROPHE"), (POINTS, "POINT"), (CONNECTORS, "CONNECTOR")):
        if c in characters:
            return name
    category = unicodedata.category(c)
    if category == "Nd":
        return "DIGIT"
    if category[0] in "LM" or category == "Nl":
        if category != "Mn" or not 0x3099 <= code <= 0x309A:
            script = script_of(c)
            if script:
                return script
        return "MARK" if category[0] == "M" else "LETTER"
    if category == "No":
        return "DIGIT"
    if category == "Cf":
        return "FORMAT"
    return "NONE"


def lower_of(code):
    lower = chr(code).lower()
    return ord(lower) if len(lower) == 1 else 0x69 if code == 0x130 else code


def ends_final(text):
    return (text + SIGMA).lower().endswith("\u03c2")


def is_cased(code):
    return ends_final(chr(code))


def is_case_ignorable(code):
    return not is_cased(code) and ends_final("A" + chr(code))


def is_word_class(code):
    name = class_of(code)
    return name in ("LETTER", "DIGIT") or NUMBER[name] >= NUMBER["THAI"]


def is_script_mark(code):
    """Marks of scripts without spaces between words have the class of their script."""
    return is_word_class(code) and not re.match(r"\w", chr(code))


def check_words():
    """What wn_text_is_word_char() relies on: only marks of scripts are exceptions, and lower case keeps words."""
    for code in characters():
        if re.match(r"\w", chr(code)):
            assert is_word_class(code) or chr(code) == "_"
        if code != 0x130:
            assert bool(re.match(r"\w", chr(code))) == bool(re.match(r"\w", chr(lower_of(code))))
        assert not is_script_mark(code) or NUMBER[class_of(code)] >= NUMBER["THAI"]


def characters():
    return (code for code in range(LAST + 1) if not 0xD800 <= code < 0xE000)


def ranges_of(test):
    """[first, last] of each run of characters for which the test is true."""
    ranges = []
    for code in characters():
        if not test(code):
            continue
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return ranges


def char_set(name, test):
    ranges = ranges_of(test)
    return [
        f"static const wn_char_range {name}_ranges[] = {{",
        *rows(ranges, 5, lambda r: f"{{0x{r[0]:04X}, 0x{r[1]:04X}}}"),
        "};",
        f"const wn_char_set wn_{name} = {{{name}_ranges, {len(ranges)}}};",
        "",
    ]


def class_blocks():
    index, blocks, seen = [], [], {}
    for start in range(0, LAST + 1, BLOCK):
        block = tuple(NUMBER[class_of(code)] for code in range(start, start + BLOCK))
        if block not in seen:
            seen[block] = len(blocks)
            blocks.append(block)
        index.append(seen[block])
    assert len(blocks) <= 256
    return index, blocks


def case_ranges():
    """(first, last, step, difference): runs of capitals whose lower case is equally far away."""
    ranges = []
    for code in range(LOW_CASE, LAST + 1):
        if 0xD800 <= code < 0xE000 or lower_of(code) == code:
            continue
        delta = lower_of(code) - code
        if ranges:
            first, last, step, difference = ranges[-1]
            gap = code - last
            if difference == delta and gap <= 2 and (step in (0, gap)):
                ranges[-1] = (first, code, gap, difference)
                continue
        ranges.append((code, code, 0, delta))
    return [(first, last, step or 1, delta) for first, last, step, delta in ranges]


def rows(values, per_line, form):
    for i in range(0, len(values), per_line):
        yield "    " + " ".join(form(v) + "," for v in values[i:i + per_line])


def main():
    index, blocks = class_blocks()
    packed = [block[i] | block[i + 1] << 4 for block in blocks for i in range(0, BLOCK, 2)]
    ranges = case_ranges()
    out = [
        "/*",
        " * Character classes and lower case, from the Unicode Character Database "
        f"{unicodedata.unidata_version}.",
        " * Generated by tools/gen_unicode.py; do not edit.",
        " */",
        '#include "text/unicode.h"',
        "",
        f"const uint8_t wn_class_index[{len(index)}] = {{",
        *rows(index, 24, str),
        "};",
        "",
        f"const uint8_t wn_class_blocks[{len(packed)}] = {{",
        *rows(packed, 16, lambda v: f"0x{v:02X}"),
        "};",
        "",
        f"const uint16_t wn_low_case[{LOW_CASE}] = {{",
        *rows([lower_of(code) for code in range(LOW_CASE)], 12, lambda v: f"0x{v:04X}"),
        "};",
        "",
        f"const wn_case_range wn_case_ranges[] = {{",
        *(f"    {{0x{a:04X}, 0x{b:04X}, {step}, {delta}}}," for a, b, step, delta in ranges),
        "};",
        "",
        f"const uint32_t wn_case_range_count = {len(ranges)};",
        "",
        *char_set("cased", is_cased),
        *char_set("case_ignorable", is_case_ignorable),
        *char_set("script_marks", is_script_mark),
        *char_set("space_chars", lambda code: chr(code).isspace()),
    ]
    check_words()
    (ROOT / "src/text/unicode_tables.c").write_text("\n".join(out))
    print(f"{len(blocks)} blocks, {len(ranges)} ranges of case")


if __name__ == "__main__":
    main()
