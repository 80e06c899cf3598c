#!/usr/bin/env python3
"""Pages of one feature each, and what they become in every format.

    tests/formats/test_suite.py build/winnow [--update] [NAME...]

A case is a file AREA/NAME.txt: the page, then Markdown, HTML, TEI, plain text and the blocks of JSON as `winnow extract
-m all` writes them. --update writes what it finds into the files; read the difference before you commit it.

The Markdown is also rendered by cmark-gfm and compared with the HTML as a tree (markdown_tree.py), so that a wrong
escape fails though the expectation repeats it. Without cmark-gfm these tests are skipped. Ends with a line
"N passed, N failed, N skipped".
"""

import difflib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).parent))
import markdown_tree  # noqa: E402

FOLDER = Path(__file__).parent
FORMATS = ("md", "html", "tei", "txt", "blocks")
URL = "https://example.org/dir/page.html"
MARK = "===== "


def read_case(path):
    parts = re.split(rf"^{MARK}(\w+)\n", path.read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def write_case(path, case):
    path.write_text("".join(f"{MARK}{name}\n{case[name]}" for name in ("page", *FORMATS)))


def extract(winnow, page, form):
    options = ["-q", "-m", "all", "--links", "--formatting", "--images", "--url", URL]
    options += ["-f", "json", "--with-blocks"] if form == "blocks" else ["-f", form]
    done = subprocess.run([winnow, "extract", *options, "-"], input=page.encode(), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=30)
    if done.returncode not in (0, 3):
        raise RuntimeError(done.stderr.decode())
    return done.stdout.decode()


def body_of(output, form):
    """What a format says of the text, without what is around it."""
    if form == "html":
        found = re.search(r"<article[^>]*>\n(.*)</article>", output, re.DOTALL)
        return found.group(1) if found else ""
    if form == "tei":
        return re.search(r"<body>\n(.*)</body>", output, re.DOTALL).group(1)
    if form == "blocks":
        blocks = [{k: v for k, v in block.items() if k not in ("kept", "start", "end")} for block in json.loads(output)["blocks"]]
        return "".join(json.dumps(block, ensure_ascii=False) + "\n" for block in blocks)
    return output


def difference(a, b, names):
    return "".join(line + "\n" for line in difflib.unified_diff(a, b, *names, lineterm="", n=2))


def check_formats(case, made):
    return "".join(difference(case.get(form, "").split("\n"), made[form].split("\n"), (f"expected {form}", f"made {form}"))
                   for form in FORMATS if case.get(form) != made[form])


def check_tree(made):
    trees = [markdown_tree.lines_of(tree) for tree in (markdown_tree.of_html(made["html"]), markdown_tree.of_markdown(made["md"]))]
    return "" if trees[0] == trees[1] else difference(*trees, ("tree of HTML", "tree of Markdown"))


def run_case(winnow, path, update):
    """What is wrong with a case, "" if nothing is."""
    case = read_case(path)
    outputs = {form: extract(winnow, case["page"], form) for form in FORMATS}
    ElementTree.fromstring(outputs["tei"])  # well formed
    made = {form: body_of(output, form) for form, output in outputs.items()}
    if update:
        write_case(path, {"page": case["page"], **made})
        case = {**case, **made}
    return check_formats(case, made) + (check_tree(made) if markdown_tree.renderer() else "")


def main():
    arguments = [a for a in sys.argv[2:] if not a.startswith("-")]
    update = "--update" in sys.argv
    winnow = Path(sys.argv[1]).resolve()
    passed = failed = 0
    cases = {f"{path.parent.name}/{path.stem}": path for path in sorted(FOLDER.glob("*/*.txt"))}
    cases = {name: path for name, path in cases.items() if not arguments or any(a in name for a in arguments)}
    with ThreadPoolExecutor(2 * (os.cpu_count() or 2)) as pool:
        results = pool.map(lambda path: run_case(winnow, path, update), cases.values())
        for name, found in zip(cases, results):
            passed, failed = passed + (not found), failed + bool(found)
            if found:
                print(f"FAILED {name}\n{found}", flush=True)
    skipped = 0 if markdown_tree.renderer() else len(cases)
    if skipped:
        print("cmark-gfm is not installed: Markdown was not rendered")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
