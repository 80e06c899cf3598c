"""Reads what dump_features writes: one Page for each page, its features as a NumPy array."""

import re
import subprocess
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent
LEVELS = 6  # WN_FEATURE_LEVELS
PROGRAM = ROOT / "build" / "dump_features"


class Page:
    """Features, structure and (with words) texts of one page."""

    def __init__(self, data, at, with_words):
        blocks, elements, features, words, text, early, beside = np.frombuffer(data, np.uint32, 7, at)
        at += 28

        def take(kind, count):
            nonlocal at
            array = np.frombuffer(data, kind, int(count), at)
            at += array.nbytes
            return array

        self.early, self.words_beside = bool(early), int(beside)
        self.rows = take(np.int16, int(blocks) * int(features)).reshape(int(blocks), int(features))
        self.element = take(np.uint32, blocks)
        self.heading = take(np.uint32, blocks)
        self.kind = take(np.uint32, blocks)
        self.parent = take(np.uint32, elements)
        self.words = take(np.uint32, blocks)
        self.heard = take(np.uint32, int(words) * 3).reshape(int(words), 3)
        texts = bytes(take(np.uint8, text)).decode("utf-8", "replace") if with_words else ""
        self.texts = texts.split("\0")[:int(blocks)] if with_words else None
        self.end = at


def dump(paths, model=None, with_words=False, program=PROGRAM):
    """The pages at those paths, in order."""
    command = [str(program)] + (["--words"] if with_words else []) + (["--model", str(model)] if model else [])
    names = "".join(f"{path}\n" for path in paths).encode()
    done = subprocess.run(command, input=names, stdout=subprocess.PIPE, check=True)
    pages, at = [], 0
    for _ in paths:
        page = Page(done.stdout, at, with_words)
        pages.append(page)
        at = page.end
    return pages


def groups_of(header):
    """The lists of features in a header, by name: #define WN_NAME_FEATURES(F) F(A) F(B) …"""
    source = (ROOT / "src/auto" / header).read_text()
    pattern = r"#define WN_(\w+)_FEATURES\(F(?:, L)?\)((?:.*\\\n)*.*)\n"
    return {name: re.findall(r"\bF\((?:L##_)?(\w+)\)", body) for name, body in re.findall(pattern, source)}


def feature_names():
    """The names of all columns, in the order of src/auto/features.h and page_type.h."""
    groups = groups_of("features.h")
    block = groups["OWN"] + groups["NEAR"] + groups["NAME"] + groups["PEAK"]
    block += [f"L{level}_{name}" for level in range(LEVELS) for name in groups["LEVEL"]]
    block += groups["PLACE"] + groups["PAGE"]
    return block, groups_of("page_type.h")["PAGE_TYPE"]


def names_hash(names):
    """Tells whether a model was trained for the features that the library has; see tests/unit/test_auto.c."""
    value = 0x811C9DC5
    for byte in "".join(f"{name}," for name in names).encode():
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value - (1 << 32) if value >> 31 else value
