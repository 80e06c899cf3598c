#!/usr/bin/env python3
"""Chooses the constants of eifce's importance value on pages with gold texts.

    tools/tune_eifce.py [--winnow PROGRAM] [--rounds N] [--seed N] [--write] SET

Every page is cut into its visual blocks by `winnow segment --text`; each block has a word F1, that of its
text with everything in it against the gold text. A choice of constants scores the mean F1 of the blocks that
it makes eifce choose. Constants are changed one at a time, for as long as that helps, from several
starts.

Cross-validation: pages are dealt into five folds by the site they come from; for each fold the constants
are chosen on the other four. The mean over all pages of the fold they were not chosen on is the figure to
report, and --write puts it into docs/results.md. Then they are chosen once more on all pages: those belong into
src/visual/importance.c.

Needs NumPy.
"""

import argparse
import json
import random
import re
import subprocess
import sys
import zlib
from collections import Counter, defaultdict
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

import sections

ROOT = Path(__file__).resolve().parent.parent
FOLDS = 5
WORD = re.compile(r"\w+")
FIELDS = ["text_length", "words", "link_text_length", "links", "images", "controls", "area", "distance", "headings",
          "paragraphs"]

# The constants of importance.c, and the values they may have.
GRID = {
    "G": [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.3, 1.6, 2, 3, 4, 6],
    "P": [0, 5, 10, 15, 20, 30, 40, 60, 80, 120],
    "H": [0, 5, 10, 20, 30, 50, 80, 120],
    "A": [0, 0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 16],
    "N": [0, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256],
    "C": [0, 20, 40, 80, 160, 240, 320, 500, 750, 1000, 1500],
    "WORDS": [0, 20, 30, 40, 50, 70, 100, 150],
}


def words_of(text):
    return Counter(WORD.findall(text.lower()))


def f1_of_blocks(blocks, gold):
    """Of each block, with everything in it. Only words of the gold text need counting, and a total."""
    common, total = {}, {}
    for block in blocks:
        words = words_of(block["text"])
        total[block["id"]] = words.total()
        common[block["id"]] = Counter({w: n for w, n in words.items() if w in gold})
    size = gold.total()
    scores = {}
    for block in reversed(blocks):  # children come after their parents
        number, parent = block["id"], block["parent"]
        hits = sum(min(n, gold[w]) for w, n in common[number].items())
        both = total[number] + size
        scores[number] = 2 * hits / both if both else 1.0
        if parent:
            total[parent] += total[number]
            common[parent].update(common[number])
    return scores


def read_pages(winnow, folder):
    """The blocks of all pages as arrays, with where each page starts."""
    known = {}
    for line in (folder / "pages.jsonl").read_text().splitlines():
        page = json.loads(line)
        known[str(page["id"])] = page
    command = [winnow, "segment", "-q", "--text", str(folder / "html")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    rows, scores, starts, sites, types = [], [], [], [], []
    for line in process.stdout:
        record = json.loads(line)
        page = known[Path(record["id"]).stem]
        gold = words_of((folder / "gold" / f"{page['id']}.txt").read_text())
        f1 = f1_of_blocks(record["blocks"], gold)
        starts.append(len(rows))
        sites.append(urlsplit(page.get("url") or "").hostname or page["id"])
        types.append(page.get("type") or "all")
        whole = record["blocks"][0]["gp"]
        for block in record["blocks"]:
            gp = block["gp"]
            rows.append([gp[field] for field in FIELDS] + [whole["text_length"] - whole["link_text_length"]])
            scores.append(f1[block["id"]])
    process.wait()
    return Pages(np.array(rows, float), np.array(scores), np.array(starts), sites, np.array(types))


class Pages:
    def __init__(self, rows, scores, starts, sites, types):
        self.rows, self.scores, self.starts, self.types = rows, scores, starts, types
        self.columns = {name: rows[:, i] for i, name in enumerate([*FIELDS, "page_plain"])}
        lengths = np.diff([*starts, len(rows)])
        self.page_of = np.repeat(np.arange(len(starts)), lengths)
        self.folds = np.array([zlib.crc32(site.encode()) % FOLDS for site in sites])

    def best(self):
        """What a perfect choice would score, page by page."""
        return np.maximum.reduceat(self.scores, self.starts)

    def whole(self):
        return self.scores[self.starts]

    def importance(self, k):
        c = self.columns
        plain = c["text_length"] - c["link_text_length"]
        informative = plain + k["P"] * c["paragraphs"] + k["H"] * c["headings"]
        other = (k["G"] * c["page_plain"] + c["text_length"] + k["A"] * c["link_text_length"] + k["N"] * c["links"]
                 + k["C"] * c["controls"])
        value = np.where(other > 0, informative / np.maximum(other, 1e-9), 0)
        valid = c["words"] >= k["WORDS"]
        return np.where(valid, 1e6 + value, value)  # without a candidate the best of all blocks counts

    def chosen(self, value):
        """F1 of the first block with the greatest value, page by page."""
        greatest = np.maximum.reduceat(value, self.starts)
        hits = np.flatnonzero(value == greatest[self.page_of])
        first = np.full(len(self.starts), len(value))
        np.minimum.at(first, self.page_of[hits], hits)
        return self.scores[first]


def climb(pages, constants, mask):
    """Changes one constant at a time while that helps the pages of the mask."""
    best = pages.chosen(pages.importance(constants))[mask].mean()
    improved = True
    while improved:
        improved = False
        for name, values in GRID.items():
            for value in values:
                if value == constants[name]:
                    continue
                changed = {**constants, name: value}
                score = pages.chosen(pages.importance(changed))[mask].mean()
                if score > best + 1e-6:
                    best, constants, improved = score, changed, True
    return best, constants


def choose(pages, mask, rounds, seed):
    dice = random.Random(seed)
    found = []
    for _ in range(rounds):
        start = {name: dice.choice(values) for name, values in GRID.items()}
        found.append(climb(pages, start, mask))
    return max(found, key=lambda f: f[0])


def write_results(pages, held):
    """The cross-validated figures as a section of docs/results.md."""
    lines = ["## eifce by cross-validation", "", "Made by `make tune-eifce`: mean word F1 on `wcxb-dev`, every page with constants that",
             "were chosen on the pages of other sites (five folds by site).", "",
             "| | pages | eifce | the best of its blocks | the whole page |", "| --- | ---: | ---: | ---: | ---: |"]
    for kind in ["all", *sorted(set(pages.types) - {"all"})]:
        of_kind = (pages.types == kind) | (kind == "all")
        lines.append(f"| {kind} | {of_kind.sum()} | {held[of_kind].mean():.4f} | {pages.best()[of_kind].mean():.4f} | "
                     f"{pages.whole()[of_kind].mean():.4f} |")
    sections.write("eifce", "\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("set", type=Path)
    parser.add_argument("--winnow", default=ROOT / "build/winnow", type=Path)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="put the figures into docs/results.md")
    options = parser.parse_args()
    pages = read_pages(options.winnow, options.set)
    count = len(pages.starts)
    print(f"{count} pages, {len(pages.scores)} blocks; whole page {pages.whole().mean():.4f}, "
          f"best block {pages.best().mean():.4f}, by size and distance "
          f"{pages.chosen(pages.columns['area'] / np.maximum(pages.columns['distance'], 1)).mean():.4f}", flush=True)
    held = np.zeros(count)
    for fold in range(FOLDS):
        mask = pages.folds != fold
        score, constants = choose(pages, mask, options.rounds, options.seed + fold)
        f1 = pages.chosen(pages.importance(constants))
        held[~mask] = f1[~mask]
        print(f"fold {fold}: chosen on {mask.sum()} pages {score:.4f}, held out {f1[~mask].mean():.4f}  {constants}",
              flush=True)
    print(f"cross-validated: {held.mean():.4f}")
    for kind in sorted(set(pages.types)):
        of_kind = pages.types == kind
        print(f"  {kind:14} {of_kind.sum():5} pages {held[of_kind].mean():.4f} best {pages.best()[of_kind].mean():.4f}")
    if options.write:
        write_results(pages, held)
    score, constants = choose(pages, np.ones(count, bool), options.rounds, options.seed)
    print(f"on all pages: {score:.4f}  {constants}")


if __name__ == "__main__":
    sys.exit(main())
