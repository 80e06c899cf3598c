#!/usr/bin/env python3
"""--sandbox, from outside: the program works in it, and code that runs in it can do little else.

    test_sandbox.py build/winnow [-v] [NAME...]

A library that is loaded with the program plays an attacker whose code runs there (tests/support/attacker.py). Skipped
where the kernel has no Landlock.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
import attacker  # noqa: E402
import outside  # noqa: E402

WINNOW = None

def winnow(*args, **more):
    return subprocess.run([WINNOW, *args], capture_output=True, timeout=60, **more)


class Sandbox(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="winnow-sandbox-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.page = self.put("pages/a.html", "<link rel=stylesheet href=../sheet.css><p>The text of a page.</p>")
        tried = winnow("extract", "--sandbox", "-m", "all", self.page)
        if b"cannot enter the sandbox" in tried.stderr:
            self.skipTest(tried.stderr.decode().strip())

    def put(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def same(self, *args):
        """The same bytes with and without the sandbox."""
        free, boxed = winnow(*args), winnow(*args, "--sandbox")
        self.assertEqual((boxed.returncode, boxed.stdout, boxed.stderr), (free.returncode, free.stdout, free.stderr))
        self.assertEqual(boxed.returncode, 0)

    def test_commands_work_in_it(self):
        self.put("pages/b.html", "<p>ภาษาไทย และ 中文的句子</p>")
        pages = os.path.join(self.folder, "pages")
        for method in ("auto", "lineblock", "eifce", "all"):
            self.same("extract", "-m", method, "-f", "jsonl", pages)
        self.same("words", "-m", "all", pages)
        self.same("cloud", "-m", "all", "-f", "csv", pages)
        self.same("segment", "-f", "json", pages)

    def test_eval_works_in_it(self):
        self.put("set/html/a.html", "<p>a b</p>")
        self.put("set/gold/a.txt", "a b")
        self.put("set/pages.jsonl", '{"id":"a"}\n')
        self.same("eval", "-m", "all", "--no-timing", os.path.join(self.folder, "set"))

    def test_output_files(self):
        for name in ("out/a.jsonl", "out/b.jsonl.gz"):
            out = os.path.join(self.folder, name)
            os.makedirs(os.path.dirname(out), exist_ok=True)
            done = winnow("extract", "--sandbox", "-f", "jsonl", "-o", out, os.path.join(self.folder, "pages"))
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertGreater(os.path.getsize(out), 50)

    def test_pictures(self):
        out = os.path.join(self.folder, "a.png")
        done = winnow("segment", "--sandbox", "-o", out, self.page)
        if b"cairo" in done.stderr:
            self.skipTest("built without cairo and Pango")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        with open(out, "rb") as file:
            self.assertEqual(file.read(4), b"\x89PNG")

    def test_links_do_not_lead_out_of_the_inputs(self):
        secret = self.put("secret.html", "<p>secret</p>")
        os.symlink(secret, os.path.join(self.folder, "pages/link.html"))
        pages = os.path.join(self.folder, "pages")
        self.assertIn(b"secret", winnow("extract", "-m", "all", pages).stdout)
        done = winnow("extract", "--sandbox", "-m", "all", "-f", "jsonl", pages)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"Permission denied", done.stdout)

    def attacked(self, enemy, *args):
        done = winnow(*args, env={**os.environ, **enemy.variables})
        self.assertIn(b"The text of a page.", done.stdout)
        return done.stderr.decode().strip(), enemy.has_made()

    def test_code_that_runs_in_it_opens_nothing(self):
        enemy = attacker.Attacker(self.folder, "The text")
        self.assertEqual(self.attacked(enemy, "extract", "-m", "all", self.page), (attacker.ALL_WORKED, True))
        self.assertEqual(self.attacked(enemy, "extract", "--sandbox", "-m", "all", self.page),
                         (attacker.NOTHING_WORKED, False))


if __name__ == "__main__":
    sys.exit(outside.main(sys.modules[__name__]))
