#!/usr/bin/env python3
"""Word F1 of `winnow extract` against gold texts.

    tools/score.py [--method auto] [--worst N] SET

SET holds html/ID.html, gold/ID.txt and pages.jsonl. The words of a page are its runs of letters and
digits (\\w+) in lower case, as a bag; F1 is taken page by page, then the mean. A page whose gold text
is empty scores 1 for an empty output and 0 for any other.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def words_of(text):
    return Counter(re.findall(r"\w+", text.lower()))


class Score:
    """Precision, recall and F1 of one page."""

    def __init__(self, page, ours, gold):
        self.page = page
        self.ours, self.gold = ours.total(), gold.total()
        common = (ours & gold).total()
        if not self.ours or not self.gold:
            self.precision = self.recall = self.f1 = float(self.ours == self.gold)
        else:
            self.precision, self.recall = common / self.ours, common / self.gold
            self.f1 = 2 * common / (self.ours + self.gold)


def extract(options, html):
    """The text of each page by its ID."""
    command = [options.winnow, "extract", "-q", "-m", options.method, "-f", "jsonl", "-j", str(options.jobs), str(html)]
    start = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}")
    texts = {}
    for line in done.stdout.splitlines():
        record = json.loads(line)
        texts[Path(record["id"]).stem] = record.get("text") or ""
    return texts, time.monotonic() - start


def mean(scores, field):
    return sum(getattr(s, field) for s in scores) / len(scores)


def print_row(name, scores):
    print(f"{name:15}{len(scores):6}{mean(scores, 'f1'):9.4f}{mean(scores, 'precision'):11.4f}"
          f"{mean(scores, 'recall'):9.4f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("set", type=Path)
    parser.add_argument("-m", "--method", default="auto")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="also list the N worst pages")
    parser.add_argument("--type", help="only pages of this type")
    parser.add_argument("--tsv", type=Path, help="write the scores of all pages to this file")
    parser.add_argument("--winnow", default=str(ROOT / "build/winnow"))
    options = parser.parse_args()

    with open(options.set / "pages.jsonl", encoding="utf-8") as lines:
        pages = [json.loads(line) for line in lines]
    if options.type:
        pages = [page for page in pages if page.get("type") == options.type]
    texts, seconds = extract(options, options.set / "html")
    scores = []
    for page in pages:
        gold = (options.set / "gold" / f"{page['id']}.txt").read_text(encoding="utf-8")
        scores.append(Score(page, words_of(texts.get(page["id"], "")), words_of(gold)))

    by_type = defaultdict(list)
    for score in scores:
        by_type[score.page.get("type", "")].append(score)
    print(f"{'':15}{'pages':>6}{'F1':>9}{'precision':>11}{'recall':>9}")
    if len(by_type) > 1:
        for name in sorted(by_type):
            print_row(name, by_type[name])
    print_row("all", scores)
    lost = [page["id"] for page in pages if page["id"] not in texts]
    print(f"method {options.method}, {seconds:.1f} s" + (f", no record for {len(lost)} pages" if lost else ""))
    for score in sorted(scores, key=lambda s: s.f1)[:options.worst]:
        page = score.page
        print(f"{score.f1:.3f}  p {score.precision:.3f}  r {score.recall:.3f}  {score.ours:6} of {score.gold:6} words  "
              f"{page['id']} {page.get('type', '')} {page.get('url', '')[:90]}")
    if options.tsv:
        with open(options.tsv, "w", encoding="utf-8") as out:
            for score in scores:
                out.write(f"{score.page['id']}\t{score.page.get('type', '')}\t{score.f1:.4f}\t"
                          f"{score.precision:.4f}\t{score.recall:.4f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
