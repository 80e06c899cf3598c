#!/usr/bin/env python3
"""winnow extract -o DIR/: a file per page, from outside.

    test_folder.py build/winnow [-v] [NAME...]
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
import outside  # noqa: E402

WINNOW = "winnow"
SENTENCE = "The old mill by the river turns again, and the whole village came to see it run. "


def page(mark):
    paragraphs = "".join(f"<p>{mark} part {i}. {SENTENCE * 3}</p>" for i in range(3))
    return f"<!DOCTYPE html><html lang=en><title>{mark}</title><article><h1>{mark}</h1>{paragraphs}</article></html>"


class Case(unittest.TestCase):
    def setUp(self):
        self.dir = Path(tempfile.mkdtemp(prefix="winnow-folder-"))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        self.out = self.dir / "out"

    def write(self, name, text):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return str(path)

    def lines(self, *records):
        """A file of JSON lines."""
        return self.write("pages.jsonl", "".join(json.dumps(record) + "\n" for record in records))

    def run_winnow(self, *args, code=0, stdin=None, **kwargs):
        done = subprocess.run([WINNOW, "extract", *map(str, args)], input=stdin, capture_output=True, text=True,
                              timeout=60, **kwargs)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def into(self, *args, code=0, **kwargs):
        return self.run_winnow("-o", f"{self.out}/", *args, code=code, **kwargs)

    def names(self, folder=None):
        """The pages' files."""
        return sorted(path.name for path in (folder or self.out).iterdir() if path.name != "index.jsonl")

    def index(self):
        return [json.loads(line) for line in (self.out / "index.jsonl").read_text().splitlines()]


class Folder(Case):
    def test_files_are_what_each_page_gives_alone(self):
        a, b = self.write("a.html", page("alpha")), self.write("b.html", page("beta"))
        for form, ending in (("txt", "txt"), ("md", "md"), ("json", "json"), ("jsonl", "jsonl"), ("html", "html"),
                             ("xml", "xml"), ("tei", "tei.xml"), ("csv", "csv")):
            self.into("-f", form, a, b)
            self.assertEqual(self.names(), [f"a.{ending}", f"b.{ending}"])
            for name in (a, b):
                alone = self.run_winnow("-f", form, name).stdout
                self.assertEqual((self.out / f"{Path(name).stem}.{ending}").read_text(), alone, form)
            shutil.rmtree(self.out)

    def test_an_existing_directory_needs_no_slash(self):
        self.out.mkdir()
        self.run_winnow("-o", self.out, self.write("a.html", page("alpha")))
        self.assertEqual(self.names(), ["a.txt"])

    def test_names_come_from_addresses(self):
        urls = ["https://example.org/news/2024/a-story.html", "https://user:secret@example.org/", "http://example.org/a?b=c&d#e",
                "https://th.example.org/%E0%B8%95%E0%B8%A5%E0%B8%B2%E0%B8%94", "https://example.org/a b/\u202e../\x1b[31m"]
        self.into(self.lines(*({"url": url, "html": page(str(i))} for i, url in enumerate(urls))))
        self.assertEqual([entry["file"] for entry in self.index()],
                         ["example.org_news_2024_a-story.txt", "example.org.txt", "example.org_a_b_c_d.txt",
                          "th.example.org_ตลาด.txt", "example.org_a_b_.._31m.txt"])

    def test_names_below_a_directory_have_the_way_there(self):
        for name in ("site/index.html", "site/x/index.html", "site/x/y.htm"):
            self.write(name, page(name))
        self.into(self.dir / "site")
        self.assertEqual(self.names(), ["index.txt", "x_index.txt", "x_y.txt"])

    def test_equal_names_get_numbers_whatever_the_threads(self):
        records = [{"url": url, "html": page(str(i))} for i, url in enumerate(
            ["https://e.org/a", "https://e.org/a?", "https://e.org/A", "https://e.org/a-2", "https://e.org/a/"] * 10)]
        found = []
        for jobs in (1, 4):
            self.into("-j", jobs, self.lines(*records))
            files = [entry["file"] for entry in self.index()]
            self.assertEqual(len({name.lower() for name in files}), len(records))
            self.assertEqual(files[:4], ["e.org_a.txt", "e.org_a-2.txt", "e.org_A-3.txt", "e.org_a-2-2.txt"])
            for i, name in enumerate(files):
                self.assertIn(f"{i} part 1", (self.out / name).read_text())
            found.append({path.name: path.read_bytes() for path in self.out.iterdir()})
            shutil.rmtree(self.out)
        self.assertEqual(found[0], found[1])

    def test_nothing_is_written_outside(self):
        hostile = ["../../etc/x", "/etc/passwd", "..", ".", "", "a/../../b", "-rf", ".hidden", "a\0b", "a\nb", "index.jsonl",
                   "x" * 5000, "ก" * 3000, ".winnow-page.tmp", "~root", "CON", "$(touch x)"]
        before = sorted(path.name for path in self.dir.iterdir())
        self.into("-f", "jsonl", self.lines(*({"id": name, "html": page(str(i))} for i, name in enumerate(hostile))))
        self.assertEqual(sorted(path.name for path in self.dir.iterdir()), sorted([*before, "out", "pages.jsonl"]))
        self.assertEqual(len(self.names()), len(hostile))
        for name in self.names():
            self.assertRegex(name, r"^[^-._/\s][^/\s]*\.jsonl$")
            self.assertLess(len(name.encode()), 200)

    def test_the_index_tells_of_pages_without_a_file(self):
        good, bad = self.write("a.html", page("alpha")), self.write("b.html", "<title>Nothing</title>")
        self.into(good, bad, self.dir / "none.html", code=1)
        self.assertEqual([(entry["file"], entry["status"]) for entry in self.index()],
                         [("a.txt", "ok"), (None, "empty"), (None, "unreadable")])
        self.assertEqual([entry["id"] for entry in self.index()], [good, bad, str(self.dir / "none.html")])

    def test_standard_input(self):
        self.into("--url", "https://example.org/page", stdin=page("alpha"))
        self.assertEqual(self.names(), ["example.org_page.txt"])
        shutil.rmtree(self.out)
        self.into(stdin=page("alpha"))
        self.assertEqual(self.names(), ["page.txt"])

    def test_a_directory_that_is_not_empty_is_refused(self):
        a = self.write("a.html", page("alpha"))
        self.into(a)
        before = (self.out / "a.txt").stat()
        self.assertIn("it is not empty; --overwrite", self.into(a, code=2).stderr)
        self.assertEqual((self.out / "a.txt").stat().st_mtime_ns, before.st_mtime_ns)
        (self.out / "other.txt").write_text("other")
        self.write("a.html", page("another"))
        self.into("--overwrite", a)
        self.assertIn("another", (self.out / "a.txt").read_text())
        self.assertEqual((self.out / "other.txt").read_text(), "other")

    def test_a_link_in_the_way_is_replaced_not_followed(self):
        victim = Path(self.write("victim", "mine"))
        self.out.mkdir()
        (self.out / "a.txt").symlink_to(victim)
        self.into("--overwrite", self.write("a.html", page("alpha")))
        self.assertEqual(victim.read_text(), "mine")
        self.assertFalse((self.out / "a.txt").is_symlink())

    def test_inputs_and_outputs_are_apart(self):
        site = self.dir / "site"
        self.write("site/a.html", page("alpha"))
        for out in (f"{site}/", f"{site}/out/", self.dir, f"{self.dir}/"):
            done = self.run_winnow("-f", "html", "--overwrite", "-o", out, site, code=2)
            self.assertIn("holds inputs, or is among them", done.stderr)
        self.assertEqual([path.name for path in site.iterdir()], ["a.html"])

    def test_what_cannot_be_made_is_told(self):
        a = self.write("a.html", page("alpha"))
        self.assertIn("No such file", self.run_winnow("-o", f"{self.dir}/x/y/", a, code=2).stderr)
        self.write("file", "")
        self.assertIn("Not a directory", self.run_winnow("-o", f"{self.dir}/file/", a, code=2).stderr)

    def test_explanations(self):
        self.into("--explain", self.write("a.html", page("alpha")))
        self.assertTrue((self.out / "a.txt").read_text().startswith("method auto"))

    def test_sandbox(self):
        done = subprocess.run([WINNOW, "extract", "--sandbox", "-o", f"{self.out}/", self.write("a.html", page("alpha"))],
                              capture_output=True, text=True)
        if "cannot enter the sandbox" in done.stderr:
            self.skipTest("there is no Landlock here")
        self.assertEqual((done.returncode, self.names()), (0, ["a.txt"]), done.stderr)


class LongWork(Case):
    """Interrupted runs give the same files as one that was not interrupted."""

    COUNT = 2600

    def setUp(self):
        super().setUp()
        self.source = self.lines(*({"url": f"https://e.org/{i % 700}", "html": page(str(i))} for i in range(self.COUNT)))

    def command(self):
        return [WINNOW, "extract", "-j2", "-m", "all", "-o", f"{self.out}/", self.source]

    def contents(self):
        return {path.name: path.read_bytes() for path in self.out.iterdir()}

    def interrupt(self, signal_number, files):
        """Starts the work and ends it when so many files are there; whether that was in time."""
        process = subprocess.Popen(self.command(), stderr=subprocess.DEVNULL)
        while process.poll() is None and (not self.out.exists() or len(os.listdir(self.out)) < files):
            time.sleep(0.002)
        process.send_signal(signal_number)
        return process.wait() != 0

    def test_interrupted_work_goes_on(self):
        self.into("-q", "-m", "all", "-j2", self.source)
        whole = self.contents()
        self.assertEqual(len(whole), self.COUNT + 1)
        for number in (signal.SIGINT, signal.SIGKILL):
            shutil.rmtree(self.out)
            interrupted = [self.interrupt(number, files) for files in (600, 2200)]
            done = subprocess.run(self.command(), capture_output=True, text=True)
            if all(interrupted):
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stderr, "resuming after [0-9]+ pages")
            self.assertEqual(self.contents(), whole)

    def test_another_command_does_not_go_on(self):
        if not self.interrupt(signal.SIGKILL, 600):
            self.skipTest("it was too fast")
        self.assertIn("it is not empty", self.into("-m", "bte", self.source, code=2).stderr)


if __name__ == "__main__":
    sys.exit(outside.main(sys.modules[__name__]))
