#!/usr/bin/env python3
"""Writes docs/results.md: every method on every set of pages with gold texts.

    tools/results.py [--winnow PROGRAM] [--output FILE]

`make results` runs it. The sets are found by tools/data; one that is not there is left out and
named. Figures are those of `winnow eval`, which docs/eval.md defines.
"""
import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

METHODS = ",".join([
    "all",
    "auto",
    "lineblock",
    "lineblock:thresholds=sigma",
    "lineblock:rule=all",
    "lineblock:rule=all,thresholds=sigma",
    "bte",
    "bte:clean=no",
    "xpath",
    "xpath:keep_form=yes",
])

# Set, the measure that leads, what it is.
SETS = [
    ("cleaneval-dev", "lcs", "CleanEval 2007, development set. Defaults that a paper leaves open were chosen here."),
    ("cleaneval-a", "lcs", "Half of CleanEval's final set."),
    ("dragnet", "lcs", "News and blogs, 2012."),
    ("l3s-gn1", "lcs", "Google News pages, 2008."),
    ("wcxb-dev", "words", "WCXB, development split: seven types of pages. The constants of `auto` were chosen here."),
]

SEARCHES = "bte:search=original,clean=no,bte:search=original,bte:search=improved,bte:search=linear"
SEARCH_PAGES = "100"


def eval_tables(winnow, folder, *options):
    """The tables of a report, by their headings."""
    command = [winnow, "eval", "-q", "-f", "md", *options, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):  # 1: some data could not be used; the report names it
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stderr}")
    parts = re.split(r"^#+ +(.*)\n", done.stdout, flags=re.MULTILINE)
    return dict(zip(parts[1::2], (part.strip() for part in parts[2::2])))


def find_set(name):
    """The folder of a set, or None."""
    found = subprocess.run([ROOT / "tools/data", name], capture_output=True, text=True)
    return Path(found.stdout.strip()) / name if found.returncode == 0 else None


def section(winnow, name, measure, about, folder):
    tables = eval_tables(winnow, folder, "-m", METHODS, "--measure", measure, "--no-timing")
    lines = [f"## {name}", "", about, ""]
    for title, table in tables.items():
        if table and not title.startswith(name):
            lines += [f"### {title}", "", table, ""]
    return lines


def search_section(winnow, folder):
    tables = eval_tables(winnow, folder, "-m", SEARCHES, "--limit", SEARCH_PAGES)
    speed = next((table for title, table in tables.items() if title.startswith("Speed")), "")
    return ["## The searches of bte", "",
            f"The first {SEARCH_PAGES} pages of l3s-gn1. `original` counts every sum afresh and refuses pages of more",
            "than 5,000 tokens; `clean=no` leaves out the paper's step 0. Times vary with the machine.", "", speed, ""]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--winnow", default=ROOT / "build/winnow", type=Path)
    parser.add_argument("--output", default=ROOT / "docs/results.md", type=Path)
    options = parser.parse_args()
    lines = ["# Results", "", "Every method, and `all` (all visible text, no selection) as the floor. Made by `make results`;",
             "[eval.md](eval.md) says what the measures are.", ""]
    news = None
    for name, measure, about in SETS:
        folder = find_set(name)
        if not folder:
            print(f"SKIPPED: {name} is not here", file=sys.stderr)
            continue
        print(name, file=sys.stderr)
        lines += section(options.winnow, name, measure, about, folder)
        news = folder if name == "l3s-gn1" else news
    if news:
        lines += search_section(options.winnow, news)
    options.output.write_text("\n".join(lines).rstrip() + "\n")


if __name__ == "__main__":
    main()
