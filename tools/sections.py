"""docs/results.md: its sections that tools of their own write, between two marks, so that the rest stays; how auto is judged there."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs" / "results.md"
FOLDS = ROOT / "build/train/folds"
NAMES = ["eifce", "outlier", "sets", "peers"]


def by_folds():
    """Options of `winnow eval` for sets whose pages or sites auto may have learned from."""
    if not FOLDS.is_dir():
        sys.exit("auto has learned from these pages or others of their sites, so it needs the models of cross-validation; run make train")
    return ["--folds", str(FOLDS)]


def marks(name):
    return f"<!-- {name}: begin -->", f"<!-- {name}: end -->"


def write(name, text, path=RESULTS):
    """Puts a section into its place, or after all others."""
    begin, end = marks(name)
    old = path.read_text(encoding="utf-8")
    section = f"{begin}\n{text}{end}\n"
    if begin in old and end in old:
        start, rest = old.split(begin, 1)
        after = rest.split(end, 1)[1].lstrip("\n")
        new = start + section + ("\n" + after if after else "")
    else:
        new = old.rstrip("\n") + "\n\n" + section
    path.write_text(new, encoding="utf-8")


def kept(path=RESULTS):
    """All such sections of a file, for those who write the rest of it again."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    found = ""
    for begin, end in map(marks, NAMES):
        if begin in text and end in text:
            found += "\n" + text[text.index(begin):text.index(end)] + end + "\n"
    return found
