#!/usr/bin/env python3
"""Compares winnow's computed styles with headless Chromium's, on the same bytes.

    tools/compare_styles.py SET [--check 0.97]
                                100 pages of a set with html/ID.html: shares of elements whose
                                display, float, clear, font size, background colour and border
                                widths are equal

The browser runs without JavaScript and network in a window of 1366 x 768. With --cache DIR its answers
are kept there; they are the same that tools/compare_layout.py asks for. With --check the exit code
says whether each share is at least that.
"""

import argparse
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import chromium
from compare_layout import EVERY, PAGES, browser_boxes

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "bench-release"
NAMES = ("display", "float", "clear", "font-size", "background-color", "border-widths")
# Names of Chromium for what is laid out as another display here.
DISPLAYS = {"-webkit-box": "flow-root", "-webkit-inline-box": "inline-block", "math": "inline"}


def build():
    quiet = {"stdout": subprocess.DEVNULL}
    subprocess.run(["cmake", "-S", ROOT, "-B", BUILD, "-DWINNOW_BENCH=ON", "-DCMAKE_BUILD_TYPE=Release"],
                   check=True, **quiet)
    subprocess.run(["cmake", "--build", BUILD, "-j2", "--target", "style_dump"], check=True, **quiet)
    return BUILD / "bench/style_dump"


def our_styles(program, paths):
    """By page: whether it brings CSS, and its elements."""
    done = subprocess.run([program, *paths], capture_output=True, check=True)
    pages = []
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        row = line.split("\t")
        if row[0] == "page" and len(row) == 3:
            pages.append((row[2] == "1", []))
        else:
            pages[-1][1].append(row)
    return pages


def px(text):
    return float(text.removesuffix("px"))


def color(text):
    """Red, green, blue and alpha, the latter from 0 to 100."""
    found = re.fullmatch(r"rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)", text)
    if not found:
        return text
    alpha = round(100 * float(found[4] or 1))
    return (0, 0, 0, 0) if alpha == 0 else (*map(int, found.groups()[:3]), alpha)


def near(a, b):
    """Colours are equal if they differ by rounding only."""
    return a == b or (len(a) == len(b) == 4 and not isinstance(a, str) and not isinstance(b, str)
                      and all(abs(x - y) <= 1 for x, y in zip(a, b)))


def agreement(theirs, ours):
    """Which of NAMES are equal; `theirs` is a row of compare_layout's BOXES."""
    display, floated, clear, size, background = theirs[8:13]
    return (
        DISPLAYS.get(display, display) == ours[1],
        floated == ours[2],
        clear == ours[3],
        abs(px(size) - float(ours[4])) < 0.02,
        near(color(background), color(ours[5])),
        all(abs(px(a) - float(b)) < 0.02 for a, b in zip(theirs[13:17], ours[6:10])),
    )


def compare(options, paths):
    good, elements, styled, skipped = Counter(), 0, 0, []
    differ = Counter()
    pages = our_styles(build(), paths)
    for path, theirs, (author, ours) in zip(paths, browser_boxes(paths, options.cache), pages):
        styled += author
        page = Counter()
        if [t[0] for t in theirs] != [o[0].rsplit(":", 1)[-1] for o in ours]:
            skipped.append(path.stem)
            continue
        for number, (their, our) in enumerate(zip(theirs, ours)):
            if not their[8]:
                continue  # not in a document that the browser shows
            elements += 1
            for name, same in zip(NAMES, agreement(their, our)):
                good[name] += same
                page[name] += same
                if not same:
                    at = NAMES.index(name)
                    shown = (their[8 + at], our[1 + at]) if at < 5 else (their[13:17], our[6:10])
                    differ[f"{name} <{their[0]}> browser {shown[0]} ours {shown[1]}"] += 1
                    if options.page:
                        print(f"  {number} <{their[0]}> {name}: browser {shown[0]} ours {shown[1]}")
        if options.pages:
            print(path.stem, len(theirs), *(f"{name} {100 * page[name] / max(len(theirs), 1):.1f}%"
                                            for name in NAMES))
    print(f"{len(paths)} pages, {100 * styled / max(len(paths), 1):.0f}% with author CSS, {elements} elements"
          + (f"; other elements than the browser's: {' '.join(skipped)}" if skipped else ""))
    shares = [good[name] / max(elements, 1) for name in NAMES]
    print("   ".join(f"{name} {100 * share:.2f}%" for name, share in zip(NAMES, shares)))
    for text, count in differ.most_common(options.differences):
        print(f"{count:7} {text}")
    return not options.check or (elements > 0 and min(shares) >= options.check)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cache", type=Path, metavar="DIR", help="keep the browser's answers here")
    parser.add_argument("--check", type=float, metavar="SHARE", help="the least share of each property")
    parser.add_argument("--page", action="append", metavar="ID", help="only this page, every difference")
    parser.add_argument("--pages", action="store_true", help="a line for each page")
    parser.add_argument("--differences", type=int, default=0, metavar="N", help="the N most frequent ones")
    options = parser.parse_args()
    if not chromium.find():
        print("SKIPPED: chromium is not here")
        return 77
    paths = sorted((options.folder / "html").glob("*.html"))[::EVERY][:PAGES]
    if options.page:
        paths = [options.folder / "html" / f"{name}.html" for name in options.page]
    return 0 if compare(options, paths) else 1


if __name__ == "__main__":
    sys.exit(main())
