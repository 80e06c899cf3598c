#!/usr/bin/env python3
"""Compares the text of `winnow extract -m all` with what a browser shows of the same page.

    tools/browser_text.py SET             100 pages of a set with html/ID.html, as they are and
                                          without style sheets
    tools/browser_text.py --check 0.99 FOLDER
                                          every page of the folder must reach that F1

The browser is headless Chromium without JavaScript and network; its text is
document.body.innerText. Words are runs of letters and digits (\\w+) in lower case; soft hyphens and
other characters without width are taken out of both texts first. Two measures, each the mean over
pages: `words` compares the words as a bag, `sequence` by their longest common subsequence.

With --cache DIR the browser's texts are kept in DIR/plain and DIR/nostyle, and a page that is there
is not asked for again.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from difflib import SequenceMatcher
from pathlib import Path

import chromium

ROOT = Path(__file__).resolve().parent.parent
EVERY = 13  # of the set's pages in the order of their names
PAGES = 100
STYLES = re.compile(
    rb"<!--.*?-->|<script\b.*?</script\s*>|(<style\b[^>]*>.*?</style\s*>)|(<link\b[^>]*>)",
    re.DOTALL | re.IGNORECASE)
INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")


def without_styles(html):
    """The page without <style> and without links to style sheets."""
    def keep(match):
        if match[1]:
            return b""
        if match[2] and b"stylesheet" in match[2].lower():
            return b""
        return match[0]
    return STYLES.sub(keep, html)


def words_of(text):
    return re.findall(r"\w+", INVISIBLE.sub("", text).lower())


# Plain text says on purpose what a browser shows by size and place alone: x^2 for a raised 2, 漢(kan) for a reading.
RAISED = re.compile(r"(?<=\w)\^(?=[\w({])")
READING = re.compile(r"(?<=[\u2E80-\u9FFF])\(([^()]*)\)")


def without_marks(text):
    """Our text as a browser would show it."""
    return READING.sub(r"\1", RAISED.sub("", text))


def common_subsequence(a, b):
    """The length of the longest common subsequence: a column of the table is one long integer
    (Hyyrö, Bit-parallel LCS-length computation revisited, 2004)."""
    places = {}
    for i, word in enumerate(a):
        places[word] = places.get(word, 0) | 1 << i
    all_ones = (1 << len(a)) - 1
    column = all_ones
    for word in b:
        matches = column & places.get(word, 0)
        column = ((column + matches) | (column - matches)) & all_ones
    return len(a) - bin(column).count("1")


def f1(common, a, b):
    if not a or not b:
        return float(len(a) == len(b))
    return 2 * common / (len(a) + len(b))


class Page:
    """One page: the browser's words, ours, and how they agree."""

    def __init__(self, name, path, browser_text, winnow_text):
        self.name, self.path = name, path
        self.theirs, self.ours = words_of(browser_text), words_of(without_marks(winnow_text))
        theirs, ours = Counter(self.theirs), Counter(self.ours)
        self.missing, self.extra = theirs - ours, ours - theirs
        self.words = f1((theirs & ours).total(), self.theirs, self.ours)
        self.sequence = f1(common_subsequence(self.theirs, self.ours), self.theirs, self.ours)

    def differences(self):
        """The runs of words that differ, the longest first: (missing, extra, words before)."""
        matcher = SequenceMatcher(None, self.theirs, self.ours, autojunk=False)
        runs = [(self.theirs[a:b], self.ours[c:d], self.theirs[max(0, a - 4):a])
                for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"]
        return sorted(runs, key=lambda run: -len(run[0]) - len(run[1]))


def run_winnow(binary, path):
    """The texts of all blocks: without the numbers of items, which innerText leaves out though they are shown."""
    done = subprocess.run([binary, "extract", "-q", "-m", "all", "-f", "json", "--with-blocks", str(path)],
                          capture_output=True, timeout=60)
    if done.returncode not in (0, 3):
        print(f"{path}: winnow says {done.returncode}: {done.stderr.decode(errors='replace')}",
              file=sys.stderr)
    record = json.loads(done.stdout.decode("utf-8", "replace") or "{}")
    return "\n".join(block["text"] for block in record.get("blocks") or [])


def shorten(words, limit=14):
    text = " ".join(words[:limit])
    return text + (f" … ({len(words)} words)" if len(words) > limit else "")


def print_differences(page, limit):
    for missing, extra, before in page.differences()[:limit]:
        print(f"    …{' '.join(before)}")
        if missing:
            print(f"        missing: {shorten(missing)}")
        if extra:
            print(f"        extra:   {shorten(extra)}")


def report(variant, pages, options):
    print(f"{variant}: {len(pages)} pages, mean F1 of words "
          f"{sum(p.words for p in pages) / len(pages):.4f}, of the sequence "
          f"{sum(p.sequence for p in pages) / len(pages):.4f}; "
          f"{sum(p.sequence == 1 for p in pages)} pages are the same word by word")
    for what in ("missing", "extra"):
        total = sum((getattr(p, what) for p in pages), Counter())
        common = ", ".join(f"{word} {count}" for word, count in total.most_common(25))
        print(f"  {what}: {total.total()} words; {common}")
    for page in sorted(pages, key=lambda p: p.sequence)[:options.worst]:
        print(f"  {page.sequence:.4f} {page.name}  ({len(page.theirs)} words shown, "
              f"{len(page.ours)} ours)  {page.path}")
        print_differences(page, options.differences)


def browser_texts(paths, folder, ask_again=False):
    """The browser's text of each page; from `folder` where it is there already."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = [p for p in paths if ask_again or not (folder / f"{p.stem}.txt").exists()]
    if missing:
        with chromium.Chromium() as browser:
            for count, path in enumerate(missing, 1):
                text = browser.inner_text(path)
                (folder / f"{path.stem}.txt").write_text(text, encoding="utf-8", newline="")
                if sys.stderr.isatty():
                    print(f"\rchromium: {count} of {len(missing)}", end="", file=sys.stderr)
        if sys.stderr.isatty():
            print(file=sys.stderr)
    return [(folder / f"{p.stem}.txt").read_text(encoding="utf-8") for p in paths]


def compare(binary, paths, texts):
    return [Page(p.stem, p, text, run_winnow(binary, p)) for p, text in zip(paths, texts)]


def compare_set(options, cache):
    paths = sorted((options.folder / "html").glob("*.html"))[::EVERY][:PAGES]
    if options.page:
        paths = [options.folder / "html" / f"{name}.html" for name in options.page]
    stripped = []
    (cache / "nostyle-html").mkdir(parents=True, exist_ok=True)
    for path in paths:
        stripped.append(cache / "nostyle-html" / path.name)
        if not stripped[-1].exists():
            stripped[-1].write_bytes(without_styles(path.read_bytes()))
    for variant, files in (("nostyle", stripped), ("plain", paths)):
        if options.variant and variant != options.variant:
            continue
        texts = browser_texts(files, cache / variant)
        if Path(options.winnow).exists():
            report(variant, compare(options.winnow, files, texts), options)
        else:
            print(f"{variant}: {len(texts)} pages in {cache / variant}; {options.winnow} is not built")
    return 0


def check_folder(options, cache):
    """Each page must reach the bar. Without a browser its texts kept in the folder `shown` serve."""
    paths = sorted(options.folder.glob("*.html"))
    kept = options.folder / "shown"
    if chromium.find():
        texts = browser_texts(paths, kept if options.update else cache, options.update)
    else:
        print("chromium is not here: comparing with its texts as they were kept")
        texts = [(kept / f"{p.stem}.txt").read_text(encoding="utf-8") for p in paths]
    failed = 0
    for page in compare(options.winnow, paths, texts):
        good = page.sequence >= options.check
        failed += not good
        print(f"{'ok    ' if good else 'FAILED'} {page.sequence:.4f} {page.name}")
        if page.sequence < 1:
            print_differences(page, options.differences)
    print(f"{len(paths) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--check", type=float, metavar="F1", help="every page must reach this")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="keep the browser's texts here")
    parser.add_argument("--update", action="store_true", help="with --check: renew the kept texts")
    parser.add_argument("--variant", choices=("plain", "nostyle"))
    parser.add_argument("--page", action="append", metavar="ID", help="only this page; repeatable")
    parser.add_argument("--worst", type=int, default=10, metavar="N", help="pages shown in detail")
    parser.add_argument("--differences", type=int, default=4, metavar="N", help="shown per page")
    parser.add_argument("--winnow", default=str(ROOT / "build/winnow"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        cache = options.cache or Path(temporary)
        if options.check is not None:
            return check_folder(options, cache)
        return compare_set(options, cache)


if __name__ == "__main__":
    sys.exit(main())
