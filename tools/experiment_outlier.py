#!/usr/bin/env python3
"""The experiment of the outlier paper, on labelled pages: noise words, table by label, redundant pages; and what
`--site` gives.

    tools/experiment_outlier.py [--winnow build/winnow] [--data FOLDER] [--copies 200]

Writes a section of docs/results.md (between two marks, so that the rest stays) and the pictures
docs/outliers-before.png, docs/outliers-after.png, docs/outliers-labels.svg and docs/clusters.svg. The labels are
the types of the pages of wcxb-dev and the sites of cleanportaleval. Every figure comes from `winnow`.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import sections

ROOT = Path(__file__).resolve().parent.parent
SETS = ("wcxb-dev", "cleanportaleval")


def run(*command):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}")
    return done.stdout


def pages_of(folder):
    """(path, label) of each page of a set: its type, or the host it is from."""
    for line in open(folder / "pages.jsonl", encoding="utf-8"):
        page = json.loads(line)
        label = page.get("type") or page["url"].split("/")[2]
        path = folder / "html" / f"{page['id']}.html"
        if path.exists():
            yield path, label


def stage(pages, folder, copies):
    """A folder a label with links to its pages, and copies of some: whole, under another name."""
    for number, (path, label) in enumerate(pages):
        place = folder / label
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{path.parent.parent.name}-{path.name}").symlink_to(path)
    chosen = pages[:: max(1, len(pages) // copies)][:copies] if copies else []
    for path, label in chosen:
        shutil.copyfile(path, folder / label / f"{path.parent.parent.name}-copy-of-{path.name}")
    return len(chosen)


def table(rows):
    head, *rest = [[str(cell) for cell in row] for row in rows]
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join(" --- " if i == 0 else " ---: " for i in range(len(head))) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rest]) + "\n"


def percent(share):
    return "-" if share is None else f"{100 * share:.1f}"


def noise_words(winnow, store):
    """Plots before and after, and the outliers themselves."""
    docs = ROOT / "docs"
    found = json.loads(run(winnow, "corpus", "outliers", store, "-q", "-f", "json", "--overwrite",
                           "--plot", docs / "outliers-before.png"))
    run(winnow, "corpus", "outliers", store, "-q", "-f", "json", "--stored", "--drop", "outliers", "--overwrite",
        "--plot", docs / "outliers-after.png")
    rows = [("word", "total", "documents", "mean TF-IDF", "distance")]
    rows += [(row["word"], row["total"], row["documents"], f"{row['tfidf']:.5f}", f"{row['distance']:.1f}")
             for row in found["rows"][:15]]
    return (f"{found['words']} words on {found['documents']} pages; n = 50, k = 30, attributes as they are. "
            "The first 15 outliers:\n\n" + table(rows) +
            "\n![Words with outliers marked](outliers-before.png)\n\n![The same without them](outliers-after.png)\n")


def by_label(winnow, data):
    """Table 1 of the paper."""
    rows = [("set, label", "documents", "accuracy", "precision", "recall", "specificity")]
    for name in SETS:
        command = [winnow, "eval", "-q", "-m", "outlier", "--labels", "-f", "json", "--no-timing"]
        if name == SETS[0]:
            command += ["--label-plot", ROOT / "docs" / "outliers-labels.svg", "--overwrite"]
        done = subprocess.run([str(word) for word in [*command, data / name]], stdout=subprocess.PIPE, text=True)
        method = json.loads(done.stdout)["methods"][0]
        groups = method["types"] if len(method["types"]) > 1 else method["sites"]
        for label, group in [*sorted(groups.items()), ("all", method["all"])]:
            blocks = group["blocks"]
            rows.append((f"{name}, {label}", group["pages"], *(percent(blocks[key]) for key in
                        ("accuracy", "precision", "recall", "specificity"))))
    return table(rows) + "\n![By label](outliers-labels.svg)\n"


def write_relevant(folder, path):
    """Which document each page is: a planted copy is the page that it was made of."""
    with open(path, "w", encoding="utf-8") as file:
        for page in sorted(folder.rglob("*.html")):
            file.write(f"{page}\t{page.parent.name}/{page.name.replace('-copy-of-', '-')}\n")


def redundancy(winnow, store, planted, relevant):
    """Equations 2 and 3 before and after the removal, by label: relevant is each page once."""
    report = json.loads(run(winnow, "corpus", "dedup", store, "-f", "json", "--overwrite", "--report",
                            "--relevant", relevant, "--plot", ROOT / "docs" / "clusters.svg"))
    rows = [("label", "pages", "after", "relevant", "after", "equation 2", "after", "equation 3", "after",
             "precision", "after", "recall", "after")]
    for row in report["report"]:
        sides = row["before"], row["after"]
        rows.append((row["label"] or "all", *(side[key] for key in ("pages", "relevant") for side in sides),
                     *("-" if side[key] is None else f"{side[key]:.3f}"
                       for key in ("equation_2", "equation_3", "precision", "recall") for side in sides)))
    total = report["report"][-1]
    gone = total["before"]["relevant"] - total["after"]["relevant"]
    return (f"{planted} copies were planted among the pages, and {report['pages']} of all pages have a text. "
            f"{report['copies']} copies were found in {report['clusters']} clusters, the largest of "
            f"{report['largest']} pages; {report['compared']} pairs were compared. {gone} pages of the "
            "sets are copies of other pages of the sets; as relevant pages that are gone they lower the recall. "
            "[dedup.md](dedup.md) defines the columns: `winnow corpus dedup --report --relevant FILE`.\n\n" +
            table(rows) + "\n![Clusters by size](clusters.svg)\n")


def storage(folder, store_report):
    html = sum(path.stat().st_size for path in folder.rglob("*.html"))
    text = store_report["text_bytes"]
    once = text - store_report["copy_bytes"]
    return table([("", "bytes", "saved"), ("HTML", html, "-"),
                  ("text of the main content", text, f"{percent(1 - text / html)}%"),
                  ("the same without copies", once, f"{percent(1 - once / html)}%")])


def site_templates(winnow, folder):
    """LCS F1 of every method without and with what repeats on the pages of a site."""
    found = json.loads(run(winnow, "eval", "-q", "-f", "json", "--no-timing", "--measure", "lcs", "--site", *sections.by_folds(), folder))
    scores = {method["name"]: method["all"]["lcs"]["f1"] for method in found["methods"]}
    rows = [("method", "without", "with `--site`")]
    rows += [(name, f"{score:.4f}", f"{scores[name + '+site']:.4f}") for name, score in scores.items()
             if name + "+site" in scores]
    return table(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--winnow", default=ROOT / "build" / "winnow", type=Path)
    parser.add_argument("--data", default=os.environ.get("WINNOW_DATA"), type=Path)
    parser.add_argument("--copies", default=200, type=int)
    options = parser.parse_args()
    if not options.data or not all((options.data / name).is_dir() for name in SETS):
        sys.exit(f"the sets {' and '.join(SETS)} are needed; see --data or WINNOW_DATA")
    data = options.data.resolve()
    pages = [page for name in SETS for page in pages_of(data / name)]
    labels = Counter(label for _, label in pages)
    with tempfile.TemporaryDirectory() as work:
        work = os.path.realpath(work)
        folder, plain, clean = Path(work) / "pages", Path(work) / "all.db", Path(work) / "auto.db"
        stage(pages, folder, 0)
        run(options.winnow, "corpus", "add", plain, "-q", "-m", "all", folder)
        words = noise_words(options.winnow, plain)
        shutil.rmtree(folder)
        planted = stage(pages, folder, options.copies)
        run(options.winnow, "corpus", "add", clean, "-q", folder)
        relevant = Path(work) / "relevant.tsv"
        write_relevant(folder, relevant)
        copies = redundancy(options.winnow, clean, planted, relevant)
        report = json.loads(run(options.winnow, "corpus", "dedup", clean, "-f", "json", "--dry-run"))
        saved = storage(folder, report)
    text = ("## Noise of a collection: the experiment of the outlier paper\n\n"
            "Made by `make experiment`. Labelled pages: " +
            ", ".join(f"{label} {count}" for label, count in sorted(labels.items())) + ".\n\n"
            "### Noise words\n\n" + words +
            "\n### Blocks right and wrong by label, in percent\n\n"
            "Method `outlier`; the collection is the set. The paper reports 80 to 85 on BBC pages.\n\n" +
            by_label(options.winnow, data) +
            "\n### Redundant pages\n\n" + copies + "\n### Storage\n\n" + saved +
            f"\n### Site templates\n\nLCS F1 on {SETS[1]}; the templates are learned from the pages themselves, "
            "not from their gold texts.\n\n" + site_templates(options.winnow, data / SETS[1]))
    sections.write("outlier", text)
    print("docs/results.md")


if __name__ == "__main__":
    main()
