#!/usr/bin/env python3
"""Word F1, precision and recall of `auto` on each of many sets with gold texts, and by language.

    tools/score_sets.py [--winnow PROGRAM] [--folds DIR] [--languages] [--write] [--method METHOD] SET...

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

import sections

ROOT = Path(__file__).resolve().parent.parent
FEWEST_PAGES = 20  # of a language that is worth a row


def evaluate(options, folder, form):
    command = [str(options.winnow), "eval", "-q", "-m", options.method, "-f", form, "--no-timing", str(folder)]
    if options.folds and ((options.folds / f"{folder.name}.tsv").exists() or folder.name == "wcxb-dev"):
        command += ["--folds", str(options.folds)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def score_set(options, folder):
    """A row of the table of sets."""
    figures = json.loads(evaluate(options, folder, "json"))["methods"][0]["all"]
    words, found = figures["words"], figures.get("with")
    numbers = [f"{value:.4f}" for value in (words["f1"], words["precision"], words["recall"])]
    return [folder.name, str(figures["pages"]), *numbers, "-" if found is None else f"{found:.4f}"]


def languages_of(folder):
    with open(folder / "pages.jsonl", encoding="utf-8") as lines:
        return {page["id"]: page.get("language") or "unknown" for page in map(json.loads, lines) if not page.get("partial")}


def score_languages(options):
    """Rows of the table of languages: means over all pages of a language, of whatever set."""
    scores = {}
    for folder in options.sets:
        language = languages_of(folder)
        for row in csv.DictReader(io.StringIO(evaluate(options, folder, "csv"))):
            if row["id"] in language:
                scores.setdefault(language[row["id"]], []).append(float(row["words_f1"]))
    return [[name, str(len(values)), f"{sum(values) / len(values):.4f}"]
            for name, values in sorted(scores.items(), key=lambda item: -len(item[1])) if len(values) >= FEWEST_PAGES]


def table(head, rows):
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


INTRODUCTION = """## auto on further sets

Made by `make score-sets`. Word F1; what the sets are and how far their golds can be trusted differs much. Of *with* it is the share of
snippets that must be there. {seen}

"""
UNSEEN = ("The model of the library has learned from none of them; the sets that it has learned from are in\n"
          "[methods/auto.md](methods/auto.md#trees-for-articles-and-threads), cross-validated.")
SEEN = "Pages of sets that `auto` was trained on are judged by models that have not seen their domains (`--folds`)."


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sets", type=Path, nargs="+")
    parser.add_argument("--winnow", type=Path, default=ROOT / "build" / "winnow")
    parser.add_argument("--method", default="auto")
    parser.add_argument("--folds", type=Path)
    parser.add_argument("--languages", action="store_true", help="also by language, over all sets")
    parser.add_argument("--write", action="store_true", help="into docs/results.md")
    options = parser.parse_args()
    text = table(["set", "pages", "F1", "precision", "recall", "with"], [score_set(options, folder) for folder in options.sets])
    if options.languages:
        text += "\nBy language, sets with partial golds left out:\n\n" + table(["language", "pages", "F1"], score_languages(options))
    if options.write:
        sections.write("sets", INTRODUCTION.format(seen=SEEN if options.folds else UNSEEN) + text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
