#!/usr/bin/env python3
"""Compares winnow's layout with headless Chromium's, on the same bytes and with the same fonts.

    tools/compare_layout.py --tests FOLDER [--update]
                                  W3C layout tests: which of their values the browser meets;
                                  --update writes tests/conformance/layout_browser.txt
    tools/compare_layout.py SET   100 pages of a set with html/ID.html: shares of elements with
                                  text of their own whose boxes agree

The browser runs without JavaScript and network, its window is 1366 x 768, and it has no fonts but
Debian's fonts-liberation. With --cache DIR its answers are kept there.
"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import chromium

ROOT = Path(__file__).resolve().parent.parent
EVERY, PAGES = 13, 100
SCREEN = (1366, 768)
VALUES = ("data-expected-width", "data-expected-height", "data-offset-x", "data-offset-y")
MEASURE = """[...document.querySelectorAll('*')].flatMap(e => [
    ['data-expected-width', e.offsetWidth], ['data-expected-height', e.offsetHeight],
    ['data-offset-x', e.offsetLeft], ['data-offset-y', e.offsetTop]]
    .filter(([name]) => e.hasAttribute(name) && !isNaN(parseFloat(e.getAttribute(name))))
    .map(([name, found]) => [parseFloat(e.getAttribute(name)), found === undefined ? null : found]))"""
BOXES = """(() => { const all = [...document.querySelectorAll('*')], number = new Map();
    all.forEach((e, i) => number.set(e, i));
    return all.map(e => { const r = e.getBoundingClientRect(), s = getComputedStyle(e);
        return [e.localName, r.x + scrollX, r.y + scrollY, r.width, r.height,
            e.getClientRects().length,
            [...e.childNodes].some(n => n.nodeType === 3 && /\\S/.test(n.data)) ? 1 : 0,
            e.parentElement ? number.get(e.parentElement) : -1,
            s.display, s.float, s.clear, s.fontSize, s.backgroundColor,
            s.borderTopWidth, s.borderRightWidth, s.borderBottomWidth, s.borderLeftWidth,
            s.fontFamily, s.position]; }); })()"""


def browser():
    return chromium.Chromium(SCREEN, liberation=True)


def test_files(folder):
    return [p for p in sorted(folder.rglob("*.html")) if p.is_file()]


def compare_tests(options):
    """Which values of the layout tests the browser meets."""
    lines, files, right_files, values, right = [], 0, 0, 0, 0
    with browser() as chrome:
        for path in test_files(options.folder):
            chrome.open(path)
            found = chrome.evaluate(MEASURE) or []
            if not found:
                continue
            bits = "".join("1" if got is not None and abs(expected - got) <= 1 else "0" for expected, got in found)
            lines.append(f"{path.relative_to(options.folder)} {bits}\n")
            files += 1
            right_files += "0" not in bits
            values += len(bits)
            right += bits.count("1")
    print(f"browser: {right_files} of {files} files, {right} of {values} values")
    if options.update:
        (ROOT / "tests/conformance/layout_browser.txt").write_text("".join(lines), encoding="utf-8")


def browser_boxes(paths, cache):
    """The browser's boxes of each page; from the cache where they are there."""
    if cache:
        cache.mkdir(parents=True, exist_ok=True)
    missing = [p for p in paths if not cache or not (cache / f"{p.stem}.json").exists()]
    boxes = {}
    if missing:
        with browser() as chrome:
            for path in missing:
                chrome.open(path)
                boxes[path] = chrome.evaluate(BOXES) or []
                if cache:
                    (cache / f"{path.stem}.json").write_text(json.dumps(boxes[path]), encoding="utf-8")
    return [boxes[p] if p in boxes else json.loads((cache / f"{p.stem}.json").read_text(encoding="utf-8"))
            for p in paths]


def our_boxes(program, path):
    done = subprocess.run([program, "--boxes", path], capture_output=True, text=True, check=True)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return [(row[1], row[2] == "1", *map(float, row[3:])) for row in rows if len(row) == 7]


class Shares:
    """How often each measure agreed."""

    def __init__(self):
        self.good, self.all = Counter(), 0

    def add(self, theirs, ours, their_parent, our_parent):
        self.all += 1
        agree = {
            "x": abs(theirs[0] - ours[0]) <= 2,
            "width": abs(theirs[2] - ours[2]) <= 2,
            "height": abs(theirs[3] - ours[3]) <= max(0.1 * theirs[3], 1),
            "y in parent": abs((theirs[1] - their_parent[1]) - (ours[1] - our_parent[1])) <= 5,
        }
        agree["x and width"] = agree["x"] and agree["width"]
        for name, good in agree.items():
            self.good[name] += good
        return agree

    def line(self):
        names = ("x", "width", "x and width", "height", "y in parent")
        return "   ".join(f"{name} {100 * self.good[name] / max(self.all, 1):.1f}%" for name in names)


def compare_page(theirs, ours, total, worst):
    """Adds the elements with text of their own that the browser shows."""
    page = Shares()
    for number, (their, our) in enumerate(zip(theirs, ours)):
        if their[0] != our[0]:
            return page, f"other elements: {their[0]} and {our[0]} at {number}"
        if not their[6] or not their[5] or their[7] < 0:
            continue
        box, parent = tuple(their[1:5]), tuple(theirs[their[7]][1:5])
        agree = page.add(box, our[2:], parent, ours[their[7]][2:])
        total.add(box, our[2:], parent, ours[their[7]][2:])
        if worst is not None and not all(agree.values()):
            bad = [name for name, good in agree.items() if not good and name != "x and width"]
            worst.append(f"    {number} <{their[0]}> {their[8]} {'+'.join(bad)}: browser "
                         f"{' '.join(f'{v:.0f}' for v in box)}, ours {' '.join(f'{v:.0f}' for v in our[2:])}")
    return page, f"{len(theirs)} elements, {len(ours)} ours" if len(theirs) != len(ours) else ""


def compare_set(options):
    paths = sorted((options.folder / "html").glob("*.html"))[::EVERY][:PAGES]
    if options.page:
        paths = [options.folder / "html" / f"{name}.html" for name in options.page]
    total, styled = Shares(), 0
    for path, theirs in zip(paths, browser_boxes(paths, options.cache)):
        worst = [] if options.page else None
        page, note = compare_page(theirs, our_boxes(options.program, path), total, worst)
        lower = path.read_bytes().lower()
        styled += b"<style" in lower or b"style=" in lower
        if options.pages or options.page:
            print(f"{path.stem} {page.all:5} {page.line()} {note}")
            for line in (worst or [])[:options.worst]:
                print(line)
    print(f"{len(paths)} pages, {100 * styled / max(len(paths), 1):.0f}% with author CSS, {total.all} elements "
          f"with text of their own")
    print(total.line())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tests", action="store_true", help="FOLDER has W3C layout tests")
    parser.add_argument("--update", action="store_true", help="with --tests: write the list of values")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="keep the browser's boxes here")
    parser.add_argument("--page", action="append", metavar="ID", help="only this page; repeatable")
    parser.add_argument("--pages", action="store_true", help="a line for each page")
    parser.add_argument("--worst", type=int, default=40, metavar="N", help="elements shown with --page")
    parser.add_argument("--program", default=str(ROOT / "build/tests/conformance/test_layout_data"))
    options = parser.parse_args()
    if not chromium.find():
        print("chromium is not here")
        return 77
    if options.tests:
        compare_tests(options)
    else:
        compare_set(options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
