#!/usr/bin/env python3
"""Asks a browser for the nodes that `winnow extract -m xpath --explain` names.

    tests/browser/test_xpaths.py WINNOW [PAGE | FOLDER]...

For every block of every page document.evaluate() must find exactly one element at the block's path,
and the text of that element must hold the text of the block, white space aside. (A block that begins
in one element and goes on in the next is compared up to there.) Without Chromium it is skipped.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import browser_text  # noqa: E402
import chromium  # noqa: E402

SKIPPED = 77
IGNORED = re.compile("[\\s\u00ad\u200b\u2060\ufeff]+")
FIND = """(paths => paths.map(path => {
    const found = document.evaluate(path, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    if (found.snapshotLength !== 1) return null;
    const copy = found.snapshotItem(0).cloneNode(true);
    copy.querySelectorAll("script, style, rp, textarea").forEach(node => node.remove());
    return (copy.content || copy).textContent;
}))(%s)"""


def blocks_of(winnow, page):
    done = subprocess.run([winnow, "extract", "-q", "-m", "xpath", "--explain", "-f", "json", page],
                          capture_output=True, timeout=60, check=False)
    # Pictures and rules have no text, and are not chosen by their paths.
    return [block for block in json.loads(done.stdout)["blocks"] if block["text"]]


def holds(content, text):
    """Whether the element's text holds the block's, or what of it comes before the element ends."""
    text = re.sub("[“”]", "", browser_text.without_marks(text))  # of <q>
    content, text = IGNORED.sub("", re.sub("[“”]", "", content)), IGNORED.sub("", text)
    return text in content or any(content.endswith(text[:n]) for n in range(len(text), 0, -1))


def check_page(browser, winnow, page):
    """The number of blocks, and a line for each that is wrong."""
    blocks = blocks_of(winnow, page)
    browser.inner_text(page)
    paths = [block["path"] for block in blocks]
    answer = browser.call("Runtime.evaluate", returnByValue=True, expression=FIND % json.dumps(paths))
    if "exceptionDetails" in answer:
        return len(blocks), [f"{page}: the browser does not take the paths: {answer['exceptionDetails']}"]
    wrong = []
    for block, content in zip(blocks, answer["result"]["value"]):
        if content is None:
            wrong.append(f"{page}: {block['path']} is no single element")
        elif not holds(content, block["text"]):
            wrong.append(f"{page}: {block['path']} does not hold {block['text'][:60]!r}")
    return len(blocks), wrong


def main():
    if not chromium.find():
        print("chromium is not here")
        return SKIPPED
    winnow, names = sys.argv[1], sys.argv[2:] or [ROOT / "tests/pages", ROOT / "tests/browser"]
    pages = [page for name in map(Path, names)
             for page in (sorted(name.glob("*.html")) if name.is_dir() else [name])]
    blocks = failed = 0
    with chromium.Chromium() as browser:
        for page in pages:
            count, wrong = check_page(browser, winnow, str(page))
            blocks += count
            failed += bool(wrong)
            print("\n".join(wrong[:5]), end="\n" if wrong else "")
    print(f"{blocks} blocks of {len(pages)} pages")
    print(f"{len(pages) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
