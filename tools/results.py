#!/usr/bin/env python3
"""Writes docs/results.md: every method on every set of pages with gold texts.

    tools/results.py [--winnow PROGRAM] [--output FILE]

`make results` runs it. The sets are found by tools/data; one that is not there is left out and
named. Figures are those of `winnow eval`, which docs/eval.md defines; the speed of bte's searches is
that of bench/run_bte.
"""
import argparse
import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import sections

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
    "xpath:keep_form=no",
    "xpath:keep_form=yes",
    "outlier",
    "eifce",
    "eifce:importance=size-distance",
    "fe",
    "kfe",
])

LEARNED = ("`auto` was trained on them; its row is cross-validated: each page is judged by a model of other domains "
           "(`make train`, `winnow eval --folds build/train/folds`).")
UNSEEN = "`auto` was not trained on them; its row is by models that have seen no pages of their sites in other sets either."

# Set, the measure that leads, what it is.
SETS = [
    ("cleaneval-dev", "lcs", f"CleanEval 2007, development set. Defaults that a paper leaves open were chosen here. {UNSEEN}"),
    ("cleaneval-a", "lcs", f"Half of CleanEval's final set. {LEARNED}"),
    ("dragnet", "lcs", f"News and blogs, 2012. {LEARNED}"),
    ("l3s-gn1", "lcs", f"Google News pages, 2008. {LEARNED}"),
    ("wcxb-dev", "words", f"WCXB, development split: seven types of pages. {LEARNED}"),
    ("cleanportaleval", "lcs", f"Several pages each of four news portals. {UNSEEN}"),
    ("thai-vietnamese", "length",
     "Pages in Thai and Vietnamese with gold texts, written for this project (tests/pages): few, and only a check."),
]
OURS = {"thai-vietnamese": ROOT / "tests/pages/thai-vietnamese"}

# Sets on which auto is judged by its models for cross-validation.
JUDGED_BY_FOLDS = [name for name, _, about in SETS if LEARNED in about or UNSEEN in about]

# The set with many pages of few sites, as the papers' tables by site have.
PORTALS = "cleanportaleval"
# The line-block paper used CleanEval's development and final sets.
CLEANEVAL = ["cleaneval-dev", "cleaneval-a"]


def evaluate(winnow, folder, form, *options):
    command = [winnow, "eval", "-q", "-f", form, "--no-timing", *options, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):  # 1: some data could not be used; the report names it
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def eval_tables(winnow, folder, *options):
    """The tables of a report, by their headings."""
    parts = re.split(r"^#+ +(.*)\n", evaluate(winnow, folder, "md", *options), flags=re.MULTILINE)
    return dict(zip(parts[1::2], (part.strip() for part in parts[2::2])))


def find_set(name):
    """The folder of a set, or None."""
    if name in OURS:
        return OURS[name]
    found = subprocess.run([ROOT / "tools/data", name], capture_output=True, text=True)
    return Path(found.stdout.strip()) / name if found.returncode == 0 else None


def section(winnow, name, measure, about, folder):
    folds = sections.by_folds() if name in JUDGED_BY_FOLDS else []
    tables = eval_tables(winnow, folder, "-m", METHODS, "--measure", measure, *folds)
    lines = [f"## {name}", "", about, ""]
    for title, table in tables.items():
        if table and not title.startswith(name):
            lines += [f"### {title}", "", table, ""]
    return lines


def table(header, rows):
    """A Markdown table; all columns but the first hold numbers."""
    rule = ["---"] + ["---:"] * (len(header) - 1)
    return ["| " + " | ".join(map(str, row)) + " |" for row in [header, rule, *rows]] + [""]


def page_rows(winnow, folder, *methods):
    """A row a page and method, as `winnow eval -f csv` has them."""
    return list(csv.DictReader(io.StringIO(evaluate(winnow, folder, "csv", "-m", ",".join(methods)))))


def size_table(winnow, folders):
    """Table 1 of the line-block paper: kilobytes of HTML and of text."""
    reports = [json.loads(evaluate(winnow, folder, "json", "-m", "lineblock")) for folder in folders]
    sizes = [report["methods"][0]["all"] for report in reports]
    pages = sum(report["scored"] for report in reports)
    html, text = (sum(size[key] for size in sizes) for key in ("html_bytes", "text_bytes"))
    return ["### lineblock, table 1: sizes", "",
            f"{pages} pages of CleanEval ({', '.join(CLEANEVAL)}). The paper, on 736: 9,231 KB and 2,288 KB, 70% saved.", "",
            *table(["", "HTML", "text", "saved"],
                   [["kilobytes", f"{html / 1024:,.0f}", f"{text / 1024:,.0f}", f"{100 * (1 - text / html):.1f}%"]])]


def site_tables(winnow, folder):
    """Table 2 of the line-block paper and table 1 of bte's."""
    tables = eval_tables(winnow, folder, "-m", "lineblock,bte,xpath", "--measure", "lcs", "--sites")
    by_site = next(text for title, text in tables.items() if title.startswith("By site"))
    content = next(text for title, text in tables.items() if title.endswith("by site"))
    return ["### lineblock, table 2: accuracy by site", "",
            f"The sites of {PORTALS}; a page is right if its LCS F1 is at least 0.9. The paper counts 93 to 97% right, on "
            "other pages and", "without saying when a page is right.", "", by_site, "",
            "### bte, table 1: how much of a page is content", "",
            "In percent. The paper: 52 to 55 of the text, 3 to 10 of the tags, on three Vietnamese news sites.", "", content, ""]


def thai_table(winnow, folder):
    """Table I of the xpath paper: one page per site, by text length."""
    def percent(row, key):
        return f"{100 * float(row[key]):.2f}%"
    rows = [[row["id"], *(percent(row, f"length_{part}") for part in ("precision", "recall", "f1"))]
            for row in page_rows(winnow, folder, "xpath")]
    return ["### xpath, table I: precision and recall by text length", "",
            "One page of each kind, written for this test (the paper's three Thai pages are not available). The paper: precision 93 to 100%, "
            "recall 100%.", "", *table(["page", "precision", "recall", "F"], rows)]


def search_section():
    """Table 2 of bte's paper, and how the searches grow."""
    done = subprocess.run([ROOT / "bench/run_bte"], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit("bench/run_bte failed")
    return ["### bte, table 2: speed", "",
            "`original` is Finn's search, without (`clean=no`) and with the paper's step 0; it refuses pages of more than 5,000",
            "tokens. The paper reports that the improved one is about 10 times as fast. Times vary with the machine.", "",
            done.stdout.strip(), ""]


def paper_sections(winnow, folders):
    lines = ["## The papers' tables", "",
             "What the papers of `lineblock`, `bte` and `xpath` measured, measured in the same way on the pages there are.",
             "Both rules and both kinds of thresholds of `lineblock` are rows of every table above.", ""]
    if all(name in folders for name in CLEANEVAL):
        lines += size_table(winnow, [folders[name] for name in CLEANEVAL])
    if PORTALS in folders:
        lines += site_tables(winnow, folders[PORTALS])
    return lines + thai_table(winnow, folders["thai-vietnamese"]) + search_section()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--winnow", default=ROOT / "build/winnow", type=Path)
    parser.add_argument("--output", default=ROOT / "docs/results.md", type=Path)
    options = parser.parse_args()
    lines = ["# Results", "", "Every method, and `all` (all visible text, no selection) as the baseline. Made by `make results`;",
             "[eval.md](eval.md) says what the measures are. `all` is the text that a browser's innerText has, the choices of form",
             "fields included: without them the baseline is slightly higher, by up to 0.01 on old news pages.", ""]
    folders = {}
    for name, measure, about in SETS:
        folder = find_set(name)
        if not folder:
            print(f"SKIPPED: {name} is not here", file=sys.stderr)
            continue
        print(name, file=sys.stderr)
        folders[name] = folder
        lines += section(options.winnow, name, measure, about, folder)
    lines += paper_sections(options.winnow, folders)
    options.output.write_text("\n".join(lines).rstrip() + "\n" + sections.kept(options.output))


if __name__ == "__main__":
    main()
