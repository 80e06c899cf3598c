#!/usr/bin/env python3
"""Who includes whom: folders are in a line, and a file includes only what is before its folder.

    tests/includes/test_includes.py               runs the tests
    tests/includes/test_includes.py --check       says what is wrong, and fails if anything is
    tests/includes/test_includes.py --draw        prints the order, and what each folder uses
    ... --root FOLDER                             of another checkout

The tables below are the order. READMEs repeat its line; a test compares them.
"""

import argparse
import graphlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# From the bottom to the top. A file in a folder includes files of its own folder and of those before it.
SRC_ORDER = ["base", "text", "html", "css", "layout", "page", "meta", "visual", "auto", "extract", "write", "api", "winnow.c"]
APP_ORDER = ["draw", "corpus", "eval", "segment", "serve", "cli"]

# io knows nothing of pages: only strings, memory and what bytes look like. The program uses all of io and src.
IO_MAY_INCLUDE = ["io/", "base/", "html/encoding.h", "html/sniff.h", "css/sheet_source.h"]

PUBLIC_HEADERS = ["winnow.h", "winnow-io.h"]

# Backward steps that are still there, as (includer, included) by how they begin. To be removed.
KNOWN_STEPS = []

# Names that two files give to a type. To be removed.
KNOWN_TYPES = set()

# Functions of these types, which everything is made of, have short names; so has all of base/.
CORE = re.compile(r"wn_(doc|node|attr|tag|method|request|param|selection|block_text|px|unit_px)")
FUNCTION = re.compile(r"^(?!typedef|return|#|\s)[^;{}()=]*?\b(wn_\w+)\(", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
TYPE = re.compile(r"""^typedef\s+(?:struct|union|enum)\s+(wn_\w+)\s*\{     # with a body
                    | ^\}\s*(wn_\w+)\s*;                                 # ... without a tag
                    | ^typedef\s+[^;{}()]*?\b(wn_\w+)(?:\[[^]]*\])?;      # another name, or the body is hidden
                    | ^typedef\s+[^;{}()]*\(\*?(wn_\w+)\)\s*\(           # a function
                   """, re.MULTILINE | re.VERBOSE)


def files_of(root):
    return sorted(p for tree in ("src", "io", "app") for p in (root / tree).rglob("*.[ch]"))


def includes_of(root):
    """(includer, included), for all includes in quotes; the includer from the root, the other as it is written."""
    return [(path.relative_to(root).as_posix(), included)
            for path in files_of(root) for included in INCLUDE.findall(path.read_text(encoding="utf-8"))]


def place_in(order, path):
    folder = path.split("/")[0]
    return order.index(folder) if folder in order else None


def may_include(includer, included):
    if included in PUBLIC_HEADERS:
        return True
    tree, inside = includer.split("/", 1)
    if tree == "io":
        return included.startswith(tuple(IO_MAY_INCLUDE))
    if tree == "app" and (included.startswith("io/") or place_in(SRC_ORDER, included) is not None):
        return True
    order = SRC_ORDER if tree == "src" else APP_ORDER
    above, below = place_in(order, inside), place_in(order, included)
    return above is not None and below is not None and below <= above


def is_known(step):
    return any(step[0].startswith(includer) and step[1].startswith(included) for includer, included in KNOWN_STEPS)


def find_backward_steps(root):
    return [f"{includer} includes {included}, which is not before it"
            for includer, included in includes_of(root)
            if not may_include(includer, included) and not is_known((includer, included))]


def find_cycle(root):
    """Files that include each other in a circle."""
    graph = {}
    for includer, included in includes_of(root):
        for base in ("src/", "app/", ""):
            if (root / base / included).exists():
                graph.setdefault(includer, set()).add(base + included)
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return ["a circle of includes: " + " <- ".join(error.args[1])]
    return []


def places_of_types(root):
    """The files that define each name of a type."""
    places = {}
    for path in files_of(root):
        for match in TYPE.finditer(path.read_text(encoding="utf-8")):
            name = match[match.lastindex]
            places.setdefault(name, set()).add(path.relative_to(root).as_posix())
    return places


def find_doubled_types(root):
    return [f"{name} is defined in {' and in '.join(sorted(found))}"
            for name, found in sorted(places_of_types(root).items()) if len(found) > 1 and name not in KNOWN_TYPES]


def find_misnamed(root):
    """Functions in headers whose names do not begin with their folder's."""
    found = []
    for path in files_of(root):
        folder = path.parent.name
        if path.suffix != ".h" or folder == "base":
            continue
        for name in FUNCTION.findall(COMMENT.sub("", path.read_text(encoding="utf-8"))):
            if not name.startswith(f"wn_{folder}") and not CORE.match(name):
                found.append(f"{path.relative_to(root).as_posix()}: {name} does not begin with wn_{folder}_")
    return sorted(set(found))


def find_outdated(root):
    """Entries of the lists of what is still to be removed that are gone already."""
    steps = [step for step in includes_of(root) if not may_include(*step)]
    gone = [f"{includer} no longer includes {included}: take it out of KNOWN_STEPS" for includer, included in KNOWN_STEPS
            if not any(a.startswith(includer) and b.startswith(included) for a, b in steps)]
    places = places_of_types(root)
    return gone + [f"{name} is not defined twice: take it out of KNOWN_TYPES" for name in sorted(KNOWN_TYPES)
                   if len(places.get(name, ())) < 2]


def find_problems(root):
    return find_backward_steps(root) + find_cycle(root) + find_doubled_types(root) + find_misnamed(root)


def order_line(order):
    return " ← ".join(order)


def draw(root):
    """The order of each tree, and below it what each folder uses."""
    lines = []
    for tree, order in (("src", SRC_ORDER), ("app", APP_ORDER)):
        used = {folder: set() for folder in order}
        for includer, included in includes_of(root):
            if includer.startswith(tree + "/") and "/" in included:
                above, below = place_in(order, includer.split("/", 1)[1]), place_in(order, included)
                if above is not None and below is not None and above != below:
                    used[order[above]].add(order[below])
        lines += [f"{tree}: {order_line(order)}", ""]
        lines += [f"    {folder:10} {' '.join(f for f in order if f in used[folder])}".rstrip() for folder in order]
        lines.append("")
    return "\n".join(lines)


class Includes(unittest.TestCase):
    def test_no_backward_step(self):
        self.assertEqual(find_backward_steps(ROOT), [])

    def test_no_circle(self):
        self.assertEqual(find_cycle(ROOT), [])

    def test_types_are_defined_once(self):
        self.assertEqual(find_doubled_types(ROOT), [])

    def test_names_begin_with_their_folder(self):
        self.assertEqual(find_misnamed(ROOT), [])

    def test_lists_of_what_is_to_be_removed(self):
        self.assertEqual(find_outdated(ROOT), [])

    def test_readmes_name_the_order(self):
        for tree, order in (("src", SRC_ORDER), ("app", APP_ORDER)):
            self.assertIn(order_line(order), (ROOT / tree / "README.md").read_text(encoding="utf-8"))


class BrokenCopies(unittest.TestCase):
    """The check fails when it should: on a copy of the tree with something added."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = Path(folder.name)
        for tree in ("src", "io", "app"):
            shutil.copytree(ROOT / tree, cls.root / tree)

    def check(self):
        done = subprocess.run([sys.executable, __file__, "--check", "--root", self.root],
                              stdout=subprocess.PIPE, text=True)
        return done.returncode, done.stdout

    def assert_found(self, path, line, expected):
        """Adds a line at the start of a file; the check must fail and say `expected`."""
        target = self.root / path
        text = target.read_text(encoding="utf-8")
        self.addCleanup(target.write_text, text, encoding="utf-8")
        target.write_text(line + "\n" + text, encoding="utf-8")
        code, output = self.check()
        self.assertEqual(code, 1, output)
        self.assertIn(expected, output)

    def test_a_plain_copy_is_good(self):
        self.assertEqual(self.check(), (0, ""))

    def test_name_of_another_folder(self):
        self.assert_found("src/meta/facts.h", "void wn_page_wrong(void);", "wn_page_wrong does not begin with wn_meta_")

    def test_backward_in_src(self):
        self.assert_found("src/base/str.h", '#include "write/write.h"', "src/base/str.h includes write/write.h")

    def test_src_includes_io(self):
        self.assert_found("src/winnow.c", '#include "io/input.h"', "src/winnow.c includes io/input.h")

    def test_io_includes_pages(self):
        self.assert_found("io/input.c", '#include "page/page.h"', "io/input.c includes page/page.h")

    def test_io_includes_the_program(self):
        self.assert_found("io/input.c", '#include "cli/job.h"', "io/input.c includes cli/job.h")

    def test_backward_in_app(self):
        self.assert_found("app/draw/cloud.c", '#include "cli/job.h"', "app/draw/cloud.c includes cli/job.h")

    def test_circle_within_a_folder(self):
        self.assert_found("src/base/str.h", '#include "base/buf.h"', "a circle of includes")

    def test_doubled_type(self):
        self.assert_found("io/input.h", "typedef struct wn_str {\n    int n;\n} wn_str;", "wn_str is defined in")


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--draw", action="store_true")
    parser.add_argument("--root", type=Path, default=ROOT)
    options, rest = parser.parse_known_args()
    if options.draw:
        print(draw(options.root), end="")
        return 0
    if options.check:
        problems = find_problems(options.root)
        print("".join(problem + "\n" for problem in problems), end="")
        return 1 if problems else 0
    return unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    sys.exit(main())
