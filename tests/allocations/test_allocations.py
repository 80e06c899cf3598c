#!/usr/bin/env python3
"""Allocations that fail: no crash, no leak, and never "all is well" with other bytes.

    test_allocations.py build/winnow [-v] [--full] [NAME...]

Each command runs once with all the memory it wants, and then again and again: its n-th allocation fails, or all
from the n-th on do, for some n (with --full for every n). Each run must end by itself, free what it took, and
either say that something went wrong or give the same bytes as the first. failing.c lets allocations fail.
The last line is "N passed, N failed, N skipped".
"""

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGES = HERE.parent / "pages"
TRIES = 24   # of each command and way to fail, unless --full
SECONDS = 60
PAGE = ("<html lang=en><title>A page | Site</title><style>p{color:red}div{display:flex}b::before{content:'x'}</style>"
        "<script type='application/ld+json'>{\"@type\":\"Article\",\"headline\":\"A page\",\"author\":{\"name\":\"Ann Bee\"}}</script>"
        "<h1>A page</h1><div><p>The first paragraph of the page, with some words in it, and a <a href=x>link</a>.</p>"
        "<table><tr><th>a<th>b<tr><td>c<td>d</table><ul><li>one<li>two <b>bold</b></ul></div>"
        "<p>Another paragraph with other words, so that there is something to find here. \u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22 \u4e2d\u6587</p>"
        "<footer>Copyright 2024</footer>")

ADD = "corpus add -j 1 -q {folder}/store.db {folder}/pages"
COMMANDS = {
    "extract": "extract -j 1 {page}",
    "extract_md": "extract -j 1 -f md --links --formatting --images --with-metadata {page}",
    "extract_json": "extract -j 1 -f json --explain --links {page}",
    "extract_tei": "extract -j 1 -m all -f tei {folder}/pages",
    "extract_site": "extract -j 1 --site -f csv {folder}/pages",
    "lineblock": "extract -j 1 -m lineblock -f jsonl {page}",
    "bte": "extract -j 1 -m bte -f html {page}",
    "xpath": "extract -j 1 -m xpath -f xml {page}",
    "eifce": "extract -j 1 -m eifce -f jsonl {page}",
    "outlier": "extract -j 1 -m outlier -f jsonl {folder}/pages",
    "output": "extract -j 1 -f jsonl -o {folder}/out.jsonl.gz --overwrite {folder}/pages",
    "folder": "extract -j 1 -f md -o {new}/ {folder}/pages",
    "explain": "extract -j 1 --explain --color always {page}",
    "archive": "extract -j 1 -m all -f jsonl {folder}/a.warc.gz",
    "lines": "extract -j 1 -m all -f jsonl {folder}/a.jsonl",
    "segment": "segment -f json --text {page}",
    "segment_vips": "segment -a vips -f html {page}",
    "words": "words {page}",
    "cloud": "cloud -j 1 -f csv {page}",
    "warc_check": "warc check {folder}/a.warc.gz",
    "warc_ls": "warc ls -f jsonl {folder}/a.warc.gz",
    "eval": "eval -j 1 --no-timing -m auto,all --worst 1 {folder}/set",
    "corpus_add": "corpus add -j 1 {new} {folder}/pages",
    "corpus_search": "corpus search {folder}/store.db words OR page",
    "corpus_dedup": "corpus dedup --dry-run {folder}/store.db",
    "corpus_outliers": "corpus outliers --dry-run -j 1 -k 2 -n 3 {folder}/store.db",
    "corpus_export": "corpus export --stems {folder}/store.db",
}


def response():
    body = "<p>The text of a page in an archive.</p>".encode()
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    return (b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:1>\r\nWARC-Target-URI: http://a.org/\r\n"
            b"Content-Type: application/http\r\nContent-Length: %d\r\n\r\n" % len(block) + block + b"\r\n\r\n")


def make_inputs(folder, winnow):
    import gzip
    (folder / "pages").mkdir()
    for name in ("a", "b", "c"):
        (folder / f"pages/{name}.html").write_text(PAGE.replace("Another", f"Another {name}"), encoding="utf-8")
    (folder / "page.html").write_text(PAGE, encoding="utf-8")
    (folder / "a.warc.gz").write_bytes(gzip.compress(response()) * 3)
    (folder / "a.jsonl").write_text('{"id":"1","html":"<p>one of them</p>"}\n{"id":"2","html":"<p>another</p>"}\n')
    for name, text in (("html/a.html", PAGE), ("gold/a.txt", "The first paragraph of the page"), ("pages.jsonl", '{"id":"a"}\n')):
        path = folder / "set" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    subprocess.run([winnow, *ADD.format(folder=folder).split()], check=True, stdout=subprocess.DEVNULL)


class Tester:
    def __init__(self, winnow, folder, library):
        self.winnow, self.folder, self.library = winnow, folder, library

    def run(self, command, number=0, after=False):
        """Exit code, output, messages, (allocations, pieces not freed)."""
        own = Path(tempfile.mkdtemp(prefix="run-", dir=self.folder))
        try:
            words = [word.format(folder=self.folder, page=self.folder / "page.html", new=own / "new.db") for word in command.split()]
            env = {**os.environ, "LD_PRELOAD": str(self.library), "FAIL_AT": str(number), "FAIL_REPORT": str(own / "report")}
            if after:
                env["FAIL_AFTER"] = "1"
            try:
                done = subprocess.run([self.winnow, *words], env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS,
                                      cwd=own)
            except subprocess.TimeoutExpired:
                return "hangs", b"", b"", (0, 0)
            strays = [path.name for path in own.iterdir() if path.name != "report" and not path.name.startswith("new.db")]
            if strays:
                return "files nobody asked for", b"", " ".join(strays).encode(), (0, 0)
            report = (own / "report").read_text().split() if (own / "report").exists() else (0, 0)
            return done.returncode, done.stdout, done.stderr, tuple(map(int, report))
        finally:
            shutil.rmtree(own)

    def problem_of(self, command, good, number, after):
        code, out, messages, (_, live) = self.run(command, number, after)
        where = f"{'all from' if after else 'only'} allocation {number}: "
        if isinstance(code, str) or code < 0:
            return where + f"ended by {code}: {messages[-300:]!r}"
        if code == 0 and out != good[1]:
            return where + f"exit code 0 with other bytes: {out[:200]!r}, {messages[:200]!r}"
        if live > good[3][1]:
            return where + f"{live - good[3][1]} pieces were not freed: {messages[:200]!r}"
        return ""

    def test(self, command, full, pool):
        """How many runs there were, and what was wrong."""
        good = self.run(command)
        if good[0] != 0 or good[3][0] == 0:
            return 1, [f"without failures: {good}"]
        total = good[3][0]
        numbers = range(1, total + 1) if full else sorted({1 + total * i // TRIES for i in range(TRIES)})
        runs = [(number, after) for number in numbers for after in (False, True)]
        problems = pool.map(lambda run: self.problem_of(command, good, *run), runs)
        return len(runs), [problem for problem in problems if problem]


def main():
    winnow, arguments = os.path.abspath(sys.argv[1]), sys.argv[2:]
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler or sys.platform != "linux":
        print("no C compiler, or not Linux: allocations cannot be made to fail")
        return 77
    names = [name for name in arguments if not name.startswith("-")] or list(COMMANDS)
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="winnow-allocations-") as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = Path(folder)
        library = folder / "failing.so"
        subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", library, HERE / "failing.c", "-lpthread"], check=True)
        make_inputs(folder, winnow)
        tester = Tester(winnow, folder, library)
        for name in names:
            runs, problems = tester.test(COMMANDS[name], "--full" in arguments, pool)
            passed += runs - len(problems)
            failed += len(problems)
            if problems or "-v" in arguments:
                print(f"{'FAILED' if problems else 'ok':8}{name}: {runs} runs", *problems[:5], sep="\n    ", flush=True)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
