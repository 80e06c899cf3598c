#!/usr/bin/env python3
"""--sandbox, from outside: the program works in it, and code that runs in it can do little else.

    test_sandbox.py build/winnow [-v] [NAME...]

A library that is loaded with the program stands for an attacker whose code runs there: at the first write it
tries to open a socket, a file and a program. Skipped where the kernel has no Landlock.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
import outside  # noqa: E402

WINNOW = None

ATTACKER = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

ssize_t write(int fd, const void *bytes, size_t size)
{
    static int tried;
    ssize_t (*real)(int, const void *, size_t) = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    if (!tried++) {
        char said[100];
        pid_t child = fork();
        if (child == 0)
            _exit(0);
        int length = snprintf(said, sizeof said, "socket %d, file %d, made %d, process %d\n", socket(AF_INET, SOCK_STREAM, 0) >= 0,
                              open("/etc/passwd", O_RDONLY) >= 0, open(getenv("ATTACKED"), O_WRONLY | O_CREAT, 0600) >= 0, child > 0);
        real(2, said, (size_t)length);
    }
    return real(fd, bytes, size);
}
"""


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

    def attacked(self, *args):
        source = self.put("attacker.c", ATTACKER)
        library = os.path.join(self.folder, "attacker.so")
        compiler = shutil.which("cc") or shutil.which("gcc")
        if not compiler:
            self.skipTest("no C compiler")
        subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
        made = os.path.join(self.folder, "made-by-the-attacker")
        done = winnow(*args, env={**os.environ, "LD_PRELOAD": library, "ATTACKED": made})
        self.assertIn(b"The text of a page.", done.stdout)
        return done.stderr.decode(), os.path.exists(made)

    def test_code_that_runs_in_it_opens_nothing(self):
        self.assertEqual(self.attacked("extract", "-m", "all", self.page), ("socket 1, file 1, made 1, process 1\n", True))
        os.remove(os.path.join(self.folder, "made-by-the-attacker"))
        self.assertEqual(self.attacked("extract", "--sandbox", "-m", "all", self.page),
                         ("socket 0, file 0, made 0, process 0\n", False))


if __name__ == "__main__":
    sys.exit(outside.main(sys.modules[__name__]))
