#!/usr/bin/env python3
"""Word F1, precision and recall of `auto` on each of many sets with gold texts, and by language.

    tools/score_sets.py [--winnow PROGRAM] [--folds DIR] [--languages] [--method METHOD] SET...

Each SET is a folder with html/, gold/ and pages.jsonl. With --folds (build/train/folds) pages of sets that `auto` was trained
on are judged by models that have not seen their domains. Where pages.jsonl names snippets that must be there (`with`), the share
that is found is printed, too: for sets whose gold is partial it is the only figure that counts.
"""

import argparse
import csv
import io
import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FEWEST_PAGES = 20  # of a language that is worth a row


def evaluate(options, folder, form):
    command = [str(options.winnow), "eval", "-q", "-m", options.method, "-f", form, "--no-timing", str(folder)]
    if options.folds and ((options.folds / f"{folder.name}.tsv").exists() or folder.name == "wcxb-dev"):
        command += ["--folds", str(options.folds)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def score_set(options, folder):
    figures = json.loads(evaluate(options, folder, "json"))["methods"][0]["all"]
    words, found = figures["words"], figures.get("with")
    found = "" if found is None else f"  with {found:.4f}"
    print(f"{folder.name:20} {figures['pages']:5} pages  F1 {words['f1']:.4f}  precision {words['precision']:.4f}"
          f"  recall {words['recall']:.4f}{found}", flush=True)


def languages_of(folder):
    with open(folder / "pages.jsonl", encoding="utf-8") as lines:
        return {page["id"]: page.get("language", "?") for page in map(json.loads, lines) if not page.get("partial")}


def score_languages(options):
    """Means over all pages of a language, of whatever set."""
    scores = {}
    for folder in options.sets:
        language = languages_of(folder)
        for row in csv.DictReader(io.StringIO(evaluate(options, folder, "csv"))):
            if row["id"] in language:
                scores.setdefault(language[row["id"]], []).append(float(row["words_f1"]))
    for name, values in sorted(scores.items(), key=lambda item: -len(item[1])):
        if len(values) >= FEWEST_PAGES:
            print(f"{name:20} {len(values):5} pages  F1 {sum(values) / len(values):.4f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sets", type=Path, nargs="+")
    parser.add_argument("--winnow", type=Path, default=ROOT / "build" / "winnow")
    parser.add_argument("--method", default="auto")
    parser.add_argument("--folds", type=Path)
    parser.add_argument("--languages", action="store_true", help="also by language, over all sets")
    options = parser.parse_args()
    for folder in options.sets:
        score_set(options, folder)
    if options.languages:
        score_languages(options)


if __name__ == "__main__":
    main()
