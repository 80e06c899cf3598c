#!/usr/bin/env python3
"""Word F1, precision and recall of `auto` on each of many sets with gold texts, and by language.

    tools/score_sets.py [--winnow PROGRAM] [--folds DIR] [--types] [--languages] [--write] [--method METHOD] SET...

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


def evaluate(options, folder):
    """What `winnow eval` says of each page of a set."""
    command = [str(options.winnow), "eval", "-q", "-m", options.method, "-f", "csv", "--no-timing", str(folder)]
    if options.folds and ((options.folds / f"{folder.name}.tsv").exists() or folder.name == "wcxb-dev"):
        command += ["--folds", str(options.folds)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return list(csv.DictReader(io.StringIO(done.stdout)))


def figures_of(name, pages):
    """A row of a table: the means over those pages, and the share of snippets that were found."""
    scores = [[float(page[f"words_{figure}"]) for page in pages] for figure in ("f1", "precision", "recall")]
    wanted, found = (sum(int(page[count]) for page in pages) for count in ("with", "with_found"))
    numbers = [f"{sum(values) / len(values):.4f}" for values in scores]
    return [name, str(len(pages)), *numbers, f"{found / wanted:.4f}" if wanted else "-"]


def score_types(pages):
    """Rows for the types of pages of a set, if it has several."""
    types = {}
    for page in pages:
        types.setdefault(page["type"], []).append(page)
    return [figures_of(f"- {name or 'unknown'}", types[name]) for name in sorted(types)] if len(types) > 1 else []


def languages_of(folder):
    with open(folder / "pages.jsonl", encoding="utf-8") as lines:
        return {page["id"]: page.get("language") or "unknown" for page in map(json.loads, lines) if not page.get("partial")}


def score_languages(sets):
    """Rows of the table of languages: means over all pages of a language, of whatever set that names languages."""
    scores = {}
    for folder, pages in sets.items():
        language = languages_of(folder)
        if set(language.values()) == {"unknown"}:
            continue
        for page in pages:
            if page["id"] in language:
                scores.setdefault(language[page["id"]], []).append(float(page["words_f1"]))
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
          "[methods/auto-experiments.md](methods/auto-experiments.md#trees-for-articles-and-threads), cross-validated.")
SEEN = "Pages of sets that `auto` was trained on are judged by models that have not seen their domains (`--folds`)."


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sets", type=Path, nargs="+")
    parser.add_argument("--winnow", type=Path, default=ROOT / "build" / "winnow")
    parser.add_argument("--method", default="auto")
    parser.add_argument("--folds", type=Path)
    parser.add_argument("--languages", action="store_true", help="also by language, over all sets")
    parser.add_argument("--types", action="store_true", help="also by type of page, where a set has several")
    parser.add_argument("--write", action="store_true", help="into docs/results.md")
    options = parser.parse_args()
    sets = {folder: evaluate(options, folder) for folder in options.sets}
    rows = []
    for folder, pages in sets.items():
        rows += [figures_of(folder.name, pages)] + (score_types(pages) if options.types else [])
    text = table(["set", "pages", "F1", "precision", "recall", "with"], rows)
    if options.languages:
        text += "\nBy language, sets with partial golds left out:\n\n" + table(["language", "pages", "F1"], score_languages(sets))
    if options.write:
        sections.write("sets", INTRODUCTION.format(seen=SEEN if options.folds else UNSEEN) + text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
