#!/usr/bin/env python3
"""Markdown there and back: rendered by cmark-gfm it must say what `-f html` says.

    tools/round_trip.py [--winnow build/winnow] [--every N] [--show N] SET...

SET is a folder with html/ID.html. The trees of both are compared (tests/formats/markdown_tree.py): text, headings, items,
tables, cells, code, links, images, bold and italics. Prints the pages that differ and their number; --show prints the
differences of the first N of them.
"""

import argparse
import difflib
import json
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/formats"))
import markdown_tree  # noqa: E402


def extract(winnow, path, form, url):
    options = ["-q", "--links", "--formatting", "--images", "-f", form]
    done = subprocess.run([winnow, "extract", *options, *(["--url", url] if url else []), path], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, timeout=120)
    return done.stdout.decode()


def compare(job):
    winnow, path, url = job
    page = extract(winnow, path, "html", url)
    start, end = page.find("<article"), page.rfind("</article>")
    body = page[page.find("\n", start) + 1:end] if start >= 0 else ""
    trees = [markdown_tree.lines_of(tree) for tree in
             (markdown_tree.of_html(body), markdown_tree.of_markdown(extract(winnow, path, "md", url)))]
    return list(difflib.unified_diff(*trees, "HTML", "Markdown", lineterm="", n=1))


def pages_of(folder, every):
    urls = {}
    for line in open(folder / "pages.jsonl", encoding="utf-8"):
        if line.strip():
            page = json.loads(line)
            urls[str(page["id"])] = page.get("url") or ""
    for i, path in enumerate(sorted((folder / "html").glob("*.html"))):
        if i % every == 0:
            yield path, urls.get(path.stem, "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--winnow", default=str(ROOT / "build/winnow"))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("sets", nargs="+", type=Path)
    args = parser.parse_args()
    if not markdown_tree.renderer():
        print("cmark-gfm is not installed", file=sys.stderr)
        return 77
    for folder in args.sets:
        pages = list(pages_of(folder, args.every))
        with ProcessPoolExecutor(os.cpu_count()) as pool:
            found = list(pool.map(compare, [(args.winnow, path, url) for path, url in pages], chunksize=4))
        different = [(path, diff) for (path, _), diff in zip(pages, found) if diff]
        for path, diff in different[:args.show]:
            print(f"== {path.stem} ({len(diff)} lines)", *(line[:220] for line in diff[:24]), sep="\n")
        print(f"{folder.name}: {len(pages)} pages, {len(different)} differ:", *(path.stem for path, _ in different))
    return 0


if __name__ == "__main__":
    sys.exit(main())
