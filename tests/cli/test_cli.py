#!/usr/bin/env python3
"""The program from the outside: what a user types, and what comes back.

    test_cli.py build/winnow [-v] [NAME...]

Each test runs the program on pages made for it in a temporary directory; those about
the network talk to a server on 127.0.0.1. NAME picks tests by a part of their name.
Ends with a line "N passed, N failed, N skipped".
"""

import contextlib
import fcntl
import gzip
import hashlib
import http.server
import json
import os
import pty
import re
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import unittest
import zlib

WINNOW = "winnow"
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

SENTENCE = "The old mill by the river turns again, and the whole village came to see it run. "


def page(mark="", title="A page"):
    """A plain article that any method should find; `mark` tells pages apart."""
    paragraphs = "".join(f"<p>{mark} part {i}. {SENTENCE * 3}</p>\n" for i in range(1, 5))
    return (f"<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>{title}</title></head>"
            f"<body><article><h1>{title}</h1>\n{paragraphs}</article></body></html>\n").encode()


EMPTY_PAGE = b"<!DOCTYPE html><html><head><title>Nothing</title></head><body></body></html>"
PDF = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n" + bytes(range(256))
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\6\0\0\0\x1f\x15\xc4\x89" + bytes(64)
ZIP = b"PK\3\4\x14\0\0\0\x08\0" + bytes(range(256))


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err.decode("utf-8", "replace")

    @property
    def text(self):
        return self.out.decode("utf-8")

    @property
    def records(self):
        return [json.loads(line) for line in self.text.splitlines()]


def winnow(*args, stdin=b"", stdout=subprocess.PIPE, **kwargs):
    done = subprocess.run([WINNOW, *args], input=stdin, stdout=stdout, stderr=subprocess.PIPE,
                          timeout=60, **kwargs)
    return Result(done.returncode, done.stdout, done.stderr)


class Case(unittest.TestCase):
    """A test with a directory of its own."""

    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="winnow-cli-")
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.dir, name)

    def write(self, name, content):
        path = os.path.join(os.fsencode(self.dir), os.fsencode(name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
        return os.fsdecode(path)

    def extract(self, *args, **kwargs):
        return winnow("extract", *args, **kwargs)

    def expect(self, result, code, err=None):
        self.assertEqual(result.code, code, f"exit code; stderr: {result.err}")
        if err is not None:
            self.assertIn(err, result.err)
        if code >= 0:
            self.assertNotIn("Sanitizer", result.err)
        return result

    def temporary_files(self):
        return [name for name in os.listdir(self.dir) if name.endswith((".tmp", ".part", ".part.done"))]


# ---- Commands, options, help ---------------------------------------------------------------


class Usage(Case):
    def test_no_arguments_show_the_overview(self):
        result = self.expect(winnow(), 2, "Usage: winnow COMMAND")
        self.assertEqual(result.out, b"")

    def test_help_in_all_its_forms(self):
        for args in (["--help"], ["-h"], ["help"], ["help", "--help"], ["help", "help"]):
            self.assertIn("Usage: winnow COMMAND", self.expect(winnow(*args), 0).text)
        texts = {winnow(*args).text for args in
                 (["help", "extract"], ["extract", "--help"], ["extract", "-h"])}
        self.assertEqual(len(texts), 1)
        self.assertIn("Usage: winnow extract", texts.pop())

    def test_help_fits_80_columns(self):
        commands = [[name] for name in re.findall(r"^  ([a-z]+)  ", winnow("help").text, re.MULTILINE)]
        commands += [["corpus", name] for name in re.findall(r"^  ([a-z]+)  ", winnow("corpus", "help").text, re.MULTILINE)]
        self.assertIn(["corpus", "search"], commands)
        for command in commands:
            for line in winnow("help", *command).text.splitlines():
                self.assertLessEqual(len(line), 80, line)
                self.assertEqual(line.rstrip(), line)

    def test_version(self):
        with open(os.path.join(ROOT, "include", "winnow.h")) as header:
            numbers = re.findall(r"define WINNOW_VERSION_\w+ (\d+)", header.read())
        self.assertEqual(winnow("--version").text, "winnow " + ".".join(numbers) + "\n")

    def test_unknown_command(self):
        self.expect(winnow("extarct"), 2, "unknown command 'extarct'; did you mean 'extract'?")
        self.expect(winnow("help", "extrat"), 2, "did you mean 'extract'?")
        self.expect(winnow("--halp"), 2, "did you mean '--help'?")
        result = self.expect(winnow("zzzzzz"), 2, "unknown command 'zzzzzz'")
        self.assertNotIn("did you mean", result.err)

    def test_extract_is_the_command_if_none_is_named(self):
        a = self.write("a.html", page("alpha"))
        expected = self.expect(self.extract(a), 0).out
        self.assertEqual(self.expect(winnow(a), 0).out, expected)
        self.assertEqual(self.expect(winnow("-f", "text", a), 0).out, expected)
        self.expect(winnow("--fromat", "md", a), 2, "did you mean '--format'?")
        self.expect(winnow("nothing.html"), 1, "cannot read 'nothing.html': No such file or directory")
        self.expect(winnow("folder/nothing"), 1, "cannot read 'folder/nothing': No such file or directory")

    def test_help_on_commands_of_commands(self):
        self.assertEqual(winnow("help", "corpus").out, winnow("corpus", "--help").out)
        self.assertEqual(winnow("help", "corpus", "add").out, winnow("corpus", "add", "--help").out)
        self.assertIn("Usage: winnow corpus add", winnow("help", "corpus", "add").text)
        self.assertEqual(winnow("corpus", "help").out, winnow("corpus", "--help").out)
        self.assertEqual(winnow("corpus", "help", "add").out, winnow("corpus", "add", "--help").out)
        self.expect(winnow("corpus", "help", "ad"), 2, "did you mean 'add'?")

    def test_completion(self):
        script = self.write("winnow.bash", winnow("completion", "bash").out)
        asks = "; ".join([
            f". {script}",
            'ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _winnow; echo "${COMPREPLY[*]}"; }',
            "ask winnow extr", "ask winnow extract -f m", "ask winnow extract --forma", "ask winnow corpus se",
            "ask winnow corpus search --sto", "ask winnow --meth", "ask winnow extract -o fi"])
        done = subprocess.run(["bash", "-c", asks], stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual(done.stdout.splitlines(),
                         ["extract", "md", "--format --formatting", "search", "--store", "--method", ""])
        for shell in ("zsh", "fish"):
            self.assertIn("corpus", winnow("completion", shell).text)
            if shutil.which(shell):
                path = self.write(f"winnow.{shell}", winnow("completion", shell).out)
                subprocess.run([shell, "-n", path], check=True)
        self.expect(winnow("completion", "tcsh"), 2, "bash, zsh or fish")

    def test_feeds_are_no_pages(self):
        rss = b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- x -->\n<rss version='2.0'><item><p>One.</p></item></rss>"
        for name, feed in ("a.xml", rss), ("b.xml", b"<feed xmlns='http://www.w3.org/2005/Atom'></feed>"):
            self.expect(self.extract(self.write(name, feed)), 1, "it looks like a feed (RSS or Atom)")
        self.expect(self.extract(self.write("c.html", b"<feedback><p>" + b"Some words. " * 40)), 0)

    def test_other_names_of_formats(self):
        a = self.write("a.html", page())
        self.assertEqual(self.extract("-f", "markdown", a).out, self.extract("-f", "md", a).out)

    def test_options_without_effect_are_told(self):
        a = self.write("a.html", page())
        self.expect(self.extract("--links", a), 0, "--links has no effect with --format txt")
        self.expect(self.extract("--timing", "-fmd", a), 0, "--timing has no effect")
        for option in (["--with-blocks"], ["--text-format", "md"], ["--csv-safe"], ["--no-title"]):
            self.expect(self.extract(*option, a), 0, f"{option[0]} has no effect with --format txt")
        self.expect(self.extract("--css", a, a), 0, "style sheets have no effect with --method auto")
        self.assertEqual(self.extract("-q", "--links", a).err, "")
        self.assertEqual(self.extract("--links", "-fmd", a).err, "")

    def test_unknown_option(self):
        self.expect(self.extract("--fromat", "md"), 2, "did you mean '--format'?")
        self.expect(self.extract("--fromat=md"), 2, "unknown option '--fromat'; did you")
        self.expect(self.extract("--overwite"), 2, "did you mean '--overwrite'?")
        self.expect(self.extract("--max-byte=1"), 2, "did you mean '--max-bytes'?")
        self.expect(self.extract("-format"), 2)
        self.expect(self.extract("-Z"), 2, "unknown option '-Z'")
        self.expect(self.extract("-qZ"), 2, "unknown option '-Z'")
        result = self.expect(self.extract("--xyzzyplugh"), 2)
        self.assertNotIn("did you mean", result.err)

    def test_unknown_method_and_format(self):
        self.expect(self.extract("-m", "atuo"), 2, "unknown method 'atuo'; did you mean 'auto'?")
        self.expect(self.extract("--method=al"), 2, "did you mean 'all'?")
        self.expect(self.extract("-m", "zzzzzz"), 2, "choose from: ")
        self.expect(self.extract("-f", "jsn"), 2, "did you mean 'json'?")
        self.expect(self.extract("-f", "docx"), 2, "txt, md, json, jsonl")

    def test_bad_values(self):
        self.expect(self.extract("-j", "0"), 2, "from 1 to 256")
        self.expect(self.extract("-j", "many"), 2, "wrong value 'many' for --jobs")
        self.expect(self.extract("-j", "-3"), 2)
        self.expect(self.extract("-j", "99999999999999999999999"), 2)
        self.expect(self.extract("--limit", "0"), 2, "at least 1")
        self.expect(self.extract("--max-bytes", "10Q"), 2, "500K, 64M or 2G")
        self.expect(self.extract("--max-bytes", "3G"), 2)
        self.expect(self.extract("--max-bytes", "99999999999G"), 2)
        self.expect(self.extract("--max-depth", "70000"), 2, "from 0 to 65535")
        self.expect(self.extract("--timeout", "0"), 2, "seconds")
        self.expect(self.extract("--timeout", "nan"), 2)
        self.expect(self.extract("--timeout", "1s"), 2)
        self.expect(self.extract("--charset", "utf8-ish"), 2, "unknown charset 'utf8-ish'")
        self.expect(self.extract("--quiet=yes"), 2, "--quiet takes no value")
        self.expect(self.extract("--output"), 2, "--output needs a value")
        self.expect(self.extract("-o"), 2, "--output needs a value")

    def test_forms_of_options(self):
        a, b = self.write("a.html", page("alpha")), self.write("b.html", page("beta"))
        expected = self.expect(self.extract("--format", "jsonl", "--jobs", "4", a, b), 0).out
        for args in (["--format=jsonl", "--jobs=4", a, b], ["-f", "jsonl", "-j", "4", a, b],
                     ["-fjsonl", "-j4", a, b], ["-qj4", "-qfjsonl", a, b],
                     [a, "-fjsonl", b], ["-f", "md", "-f", "jsonl", a, b],
                     ["-fjsonl", "--", a, b]):
            self.assertEqual(self.expect(self.extract(*args), 0).out, expected, args)

    def test_double_dash_ends_options(self):
        self.write("--help", page("dashes"))
        result = self.expect(self.extract("--", "--help", cwd=self.dir), 0)
        self.assertIn("dashes", result.text)

    def test_standard_input_only_once(self):
        self.expect(self.extract("-", "-"), 2, "only once")

    def test_url_only_with_one_page(self):
        a = self.write("a.html", page())
        self.expect(self.extract("--url", "https://example.org/", a, a), 2, "--url")
        self.expect(self.extract("--url", "https://example.org/", self.dir), 2, "--url")
        self.expect(self.extract("--url", "example.org", a), 2, "complete address")

    def test_escapes_in_messages(self):
        result = self.extract("\x1b[31mred\nline")
        self.expect(result, 1, r"'\x1b[31mred\nline'")
        self.assertNotIn("\x1b", result.err)


# ---- Inputs --------------------------------------------------------------------------------


class Inputs(Case):
    def test_bytes_by_chance_are_no_page(self):
        for seed in range(20):
            chance = b"".join(hashlib.sha512(b"%d %d" % (seed, i)).digest() for i in range(80))
            self.expect(self.extract(stdin=chance), 1, "not a web page: it looks like binary data")
        marked = b"<!DOCTYPE html><title>t</title><p>" + b"\x01\x02 word" * 300
        self.expect(self.extract("-m", "all", stdin=marked), 0)

    def test_json_lines_are_headed_by_their_address(self):
        lines = [{"html": page("alpha").decode(), "url": "https://example.org/a"}, {"html": page("beta").decode()}]
        out = self.extract(stdin="\n".join(map(json.dumps, lines)).encode()).text
        self.assertEqual(re.findall(r"(?m)^==> (.*) <==$", out)[0], "https://example.org/a")
        self.assertRegex(re.findall(r"(?m)^==> (.*) <==$", out)[1], r"^-@\d+$")

    def test_file(self):
        result = self.expect(self.extract(self.write("a.html", page("alpha"))), 0)
        self.assertIn("alpha part 1. The old mill", result.text)
        self.assertTrue(result.text.endswith("\n"))
        self.assertEqual(result.err, "")

    def test_standard_input(self):
        for args in ([], ["-"]):
            result = self.expect(self.extract(*args, stdin=page("alpha")), 0)
            self.assertIn("alpha part 1.", result.text)
        record = self.extract("-f", "jsonl", stdin=page()).records[0]
        self.assertEqual(record["id"], "-")

    def test_standard_input_among_files(self):
        a = self.write("a.html", page("alpha"))
        result = self.expect(self.extract("-fjsonl", a, "-", a, stdin=page("beta")), 0)
        self.assertEqual([r["id"] for r in result.records], [a, "-", a])
        self.assertIn("beta", result.records[1]["text"])

    def test_missing_file_does_not_stop_the_others(self):
        a, b = self.write("a.html", page("alpha")), self.write("b.html", page("beta"))
        missing = self.path("x.html")
        result = self.expect(self.extract(a, missing, b), 1)
        self.assertEqual(result.err,
                         f"winnow: cannot read '{missing}': No such file or directory\n")
        self.assertIn("alpha", result.text)
        self.assertIn("beta", result.text)

    def extract_as_nobody(self, *args):
        """Root can read everything, so root becomes somebody else for this."""
        if os.geteuid() != 0:
            return self.extract(*args)
        os.chmod(self.dir, 0o755)
        try:
            return self.extract(*args, user=65534)
        except (PermissionError, TypeError) as error:
            self.skipTest(f"root cannot become somebody else: {error}")

    def test_unreadable_file(self):
        a = self.write("a.html", page())
        os.chmod(a, 0)
        result = self.extract_as_nobody(a)
        self.expect(result, 1, f"cannot read '{a}': Permission denied")

    def test_unreadable_directory(self):
        self.write("in/a.html", page("alpha"))
        self.write("in/shut/b.html", page("beta"))
        os.chmod(self.path("in/shut"), 0)
        self.addCleanup(os.chmod, self.path("in/shut"), 0o700)
        result = self.extract_as_nobody(self.path("in"))
        self.expect(result, 1, "in/shut': Permission denied")
        self.assertIn("alpha", result.text)

    def test_empty_file(self):
        empty = self.write("empty.html", b"")
        self.expect(self.extract(empty), 3, "is empty")
        self.assertEqual(self.extract("-fjsonl", empty).records[0]["status"], "empty")
        self.expect(self.extract(stdin=b""), 3, "standard input is empty")
        self.expect(self.extract("-q", empty), 3)
        self.assertEqual(self.extract("-q", empty).err, "")

    def test_page_without_content(self):
        nothing = self.write("nothing.html", EMPTY_PAGE)
        result = self.expect(self.extract(nothing), 3, "has no content")
        self.assertEqual(result.out, b"")
        scripted = self.write("scripted.html", b"<div id=root></div><noscript>You need to enable JavaScript to run "
                              b"this app.</noscript><script src=app.js></script>")
        self.expect(self.extract(scripted), 3, "has no content: its text is put there by JavaScript")
        self.expect(self.extract("--max-bytes", "20", self.write("long.html", page("alpha"))), 3,
                    "has no content: it is longer than --max-bytes")
        a = self.write("a.html", page("alpha"))
        self.expect(self.extract(nothing, a), 0)
        self.expect(self.extract(nothing, nothing), 0)
        os.mkdir(self.path("one"))
        shutil.move(nothing, self.path("one"))
        self.expect(self.extract(self.path("one")), 3)

    def test_binary_input(self):
        for name, content, what in (("a.pdf", PDF, "PDF"), ("a.png", PNG, "PNG"),
                                    ("a.zip", ZIP, "zip"), ("a.gz", gzip.compress(PDF), "PDF")):
            path = self.write(name, content)
            self.expect(self.extract(path), 1, "not a web page: it looks like ")
            self.assertIn(what, self.extract(path).err)
            record = self.extract("-fjsonl", path).records[0]
            self.assertEqual(record["status"], "not-html")
            self.assertIsNone(record["text"])
            self.assertIn(what, record["error"])

    def test_binary_input_under_a_page_name(self):
        self.write("in/a.html", page("alpha"))
        self.write("in/b.html", PDF)
        self.write("in/c.html", page("gamma"))
        result = self.expect(self.extract("-fjsonl", self.path("in")), 1)
        self.assertEqual([r["status"] for r in result.records], ["ok", "not-html", "ok"])

    def test_directory_in_sorted_order(self):
        names = ["b.html", "a/z.htm", "a.html", "a-b.xhtml", "a/y/x.HTML", "B.html", "a!/q.shtml",
                 "é.html", "zz.xht"]
        for name in names:
            self.write("in/" + name, page(name))
        for name in ("style.css", "a/image.png", "notes.txt", "html", ".html", "page.html.bak"):
            self.write("in/" + name, b"not taken")
        result = self.expect(self.extract("-fjsonl", self.path("in")), 0)
        expected = sorted(os.fsencode(self.path("in/" + name)) for name in names)
        self.assertEqual([os.fsencode(r["id"]) for r in result.records], expected)
        slash = self.extract("-fjsonl", self.path("in") + "/")
        self.assertEqual(slash.out, result.out)

    def test_directory_without_pages(self):
        os.makedirs(self.path("none/deeper"))
        self.write("none/deeper/a.txt", b"text")
        self.expect(self.extract(self.path("none")), 1, "no pages found in '")
        a = self.write("a.html", page("alpha"))
        result = self.expect(self.extract("-fjsonl", self.path("none"), a), 1)
        self.assertEqual([r["status"] for r in result.records], ["unreadable", "ok"])

    def test_named_file_is_read_whatever_its_name(self):
        self.assertIn("alpha", self.extract(self.write("a.txt", page("alpha"))).text)

    def test_links_and_loops(self):
        self.write("in/a.html", page("alpha"))
        self.write("other/b.html", page("beta"))
        os.symlink("..", self.path("in/loop"))
        os.symlink("../other", self.path("in/other"))
        os.symlink("../other/b.html", self.path("in/b.html"))
        os.symlink("nowhere", self.path("in/c.html"))
        os.mkfifo(self.path("in/d.html"))
        result = self.expect(self.extract("-fjsonl", self.path("in")), 1)
        self.assertEqual([os.path.basename(r["id"]) for r in result.records],
                         ["a.html", "b.html", "c.html"])
        self.assertEqual([r["status"] for r in result.records], ["ok", "ok", "unreadable"])
        os.symlink("in", self.path("link"))
        self.assertEqual(len(self.extract("-fjsonl", self.path("link")).records), 3)

    def test_deep_directory(self):
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        os.chdir(self.dir)
        for _ in range(300):
            os.mkdir("d")
            os.chdir("d")
        with open("deep.html", "wb") as file:
            file.write(page("bottom"))
        os.chdir(here)
        result = self.expect(self.extract(self.path("d")), 0)
        self.assertIn("bottom part 1.", result.text)

    def test_strange_file_names(self):
        names = [b"with space.html", b"line\nend.html", b"latin\xe9.html", b"quote\"'\\.html",
                 b"\x1b[31mred.html", "日本語.html".encode()]
        for name in names:
            self.write(b"in/" + name, page("strange"))
        result = self.expect(self.extract("-fjsonl", self.path("in")), 0)
        self.assertEqual(len(result.records), len(names))
        ids = [os.path.basename(r["id"]) for r in result.records]
        self.assertIn("line\nend.html", ids)
        self.assertIn("latin\N{REPLACEMENT CHARACTER}.html", ids)
        text = self.expect(self.extract(self.path("in")), 0).text
        self.assertEqual(len(re.findall(r"^==> .* <==$", text, re.M)), len(names))
        self.assertNotIn("\x1b", text)
        self.expect(self.extract("-fjson", self.path("in")), 0).text.encode().decode("utf-8")
        self.expect(self.extract(os.path.join(os.fsencode(self.dir), b"in/gone\xff.html")), 1,
                    r"gone\xff.html'")

    def test_endless_input_is_bounded(self):
        self.expect(self.extract("--max-bytes", "1M", "/dev/zero"), 1, "not a web page")
        endless = subprocess.Popen(["yes", "<p>on and on it goes"], stdout=subprocess.PIPE)
        done = subprocess.run([WINNOW, "extract", "-mall", "-fjson", "--max-bytes", "100K"],
                              stdin=endless.stdout, capture_output=True, timeout=60)
        endless.stdout.close()
        endless.wait()
        record = json.loads(done.stdout)
        self.assertEqual(done.returncode, 0)
        self.assertEqual((record["status"], record["limited"]), ("partial", ["bytes"]))

    def test_named_pipe(self):
        os.mkfifo(self.path("pipe"))

        def feed():
            with open(self.path("pipe"), "wb") as pipe:
                pipe.write(page("piped"))
        thread = threading.Thread(target=feed)
        thread.start()
        result = self.extract(self.path("pipe"))
        thread.join()
        self.assertIn("piped part 1.", self.expect(result, 0).text)

    def test_page_over_a_limit(self):
        a = self.write("a.html", page("alpha") + b"<p>more</p>" * 10000)
        result = self.expect(self.extract("-mall", "--max-bytes", "2000", a), 0)
        self.assertIn("is not complete: it is longer than --max-bytes", result.err)
        self.assertIn("alpha part 1.", result.text)
        self.assertEqual(self.extract("-q", "--max-bytes=2000", a).err, "")
        record = self.extract("-mall", "-fjsonl", "--max-bytes=2K", a).records[0]
        self.assertEqual(record["limited"], ["bytes"])

    def test_huge_file_is_read_only_up_to_the_limit(self):
        a = self.write("a.html", page("alpha"))
        os.truncate(a, 1 << 40)  # sparse
        before = time.monotonic()
        self.extract("-mall", "--max-bytes=100K", a)
        self.assertLess(time.monotonic() - before, 10)

    def test_limit(self):
        for i in range(9):
            self.write(f"in/{i}.html", page(f"number {i}"))
        for jobs in ("1", "4"):
            result = self.expect(self.extract("-fjsonl", "--limit=3", "-j", jobs, self.path("in")), 0)
            self.assertEqual([os.path.basename(r["id"]) for r in result.records],
                             ["0.html", "1.html", "2.html"])

    def test_charset(self):
        a = self.write("a.html", b"<p>" + "Привет, большой мир. ".encode("koi8-r") * 20)
        result = self.expect(self.extract("-mall", "--charset=koi8-r", a), 0)
        self.assertIn("Привет, большой мир.", result.text)


# ---- Output --------------------------------------------------------------------------------


class Output(Case):
    def test_record(self):
        a = self.write("a.html", page("alpha", title="Mills & rivers"))
        result = self.expect(self.extract("-fjsonl", "--url=https://example.org/a", a), 0)
        record = result.records[0]
        self.assertEqual(list(record), ["id", "url", "status", "error", "limited", "method",
                                        "title", "author", "date", "language", "language_source",
                                        "language_probability", "encoding", "authors",
                                        "modified", "site", "description", "canonical", "image",
                                        "tags", "categories", "license", "hostname", "page_type", "confidence", "words",
                                        "text", "comments", "ms"])
        self.assertEqual(record["id"], a)
        self.assertEqual(record["url"], "https://example.org/a")
        self.assertEqual(record["status"], "ok")
        self.assertIsNone(record["error"])
        self.assertEqual(record["limited"], [])
        self.assertEqual(record["method"], "auto")
        self.assertEqual(record["title"], "Mills & rivers")
        self.assertEqual((record["author"], record["date"]), (None, None))
        self.assertEqual(record["language"], "en")
        self.assertEqual(record["encoding"], "UTF-8")
        self.assertIn("alpha part 1.", record["text"])
        self.assertIsNone(record["ms"])

    def test_posts_of_a_forum(self):
        self.check_posts_of_a_forum("")

    def test_a_post_that_begins_with_a_sign(self):
        """The sign is dropped after the posts were found, and was the mark of where the first one begins."""
        self.check_posts_of_a_forum('<div><a href="#p1">#</a></div>')

    def check_posts_of_a_forum(self, start):
        posts = "".join(
            f'<div id="p{i}" class="post">{start if i == 1 else ""}<dl class="postprofile"><dt><a class="username" href="/members/{i}">miller{i}</a></dt>'
            f'<dd>Joined: 3 May 200{i}</dd></dl><div class="postbody"><p class="author">Post by <a class="username" '
            f'href="/members/{i}">miller{i}</a> &raquo; 1{i} Sep 2024, 18:36</p><div class="content"><p>I have ground rye for {i} '
            f'years now, and the sieve that I use is the one that my neighbour gave me.</p><blockquote><p>Which sieve do you use on day {i} of the week?</p>'
            f'</blockquote><p>It works well for me, thanks for asking, and see you at mill number {i}.</p></div></div></div>'
            for i in range(1, 6))
        a = self.write("a.html", b'<html lang="en"><title>Which sieve for rye? - Mill forum</title><body class="viewtopic"><h1>Mill forum</h1>' +
                       f'<h2 class="topic-title">Which sieve for rye?</h2><div id="posts">{posts}</div><p>Powered by phpBB</p>'.encode())
        record = self.expect(self.extract("-fjsonl", a), 0).records[0]
        self.assertEqual((record["page_type"], record["title"]), ("forum", "Which sieve for rye?"))
        self.assertEqual([(c["author"], c["date"]) for c in record["comments"]], [(f"miller{i}", f"2024-09-1{i}") for i in range(1, 6)])
        self.assertTrue(all(f"mill number {i}." in c["text"] for i, c in enumerate(record["comments"], 1)))
        markdown = self.expect(self.extract("-fmd", a), 0).text
        self.assertEqual(markdown.count("\n---\n"), 4)
        self.assertEqual(markdown.count("\n> Which sieve"), 5)

    def test_posts_in_tables_have_authors(self):
        posts = "".join(
            f'<div id="post_{i}"><table><tr><td class="pls favatar"><div class="authi"><a href="home.php?mod=space&amp;uid={i}">miller{i}</a></div>'
            f'<div class="tns"><table><tr><td><a href="l{i}">12{i}</a> Posts</td><td><a href="c{i}">{i}4</a> Points</td></tr></table></div></td>'
            f'<td class="plc"><div class="pi"><div class="authi"><em>Posted on 1{i} Sep 2024 10:36 PM</em> <a href="only{i}">Only this author</a>'
            f'</div></div><div class="pct"><p>I have ground rye for {i} years now, and the sieve that I use is the one that my neighbour gave me.'
            f'<br>It works well for me, thanks for asking, and see you at mill number {i}.</p></div></td></tr></table></div>'
            for i in range(1, 6))
        a = self.write("a.html", '<html lang="en"><title>Which sieve for rye? - Mill forum</title><body><h1>Which sieve for rye?</h1>'
                       f'<div id="postlist">{posts}</div>'.encode())
        record = self.expect(self.extract("-fjsonl", a), 0).records[0]
        self.assertEqual([(c["author"], c["date"]) for c in record["comments"]], [(f"miller{i}", f"2024-09-1{i}T22:36:00") for i in range(1, 6)])
        for form, rule in (("md", "\n---\n"), ("html", "\n<hr>\n")):
            text = self.expect(self.extract("-f", form, a), 0).text
            self.assertEqual(text.count(rule), 4)
            self.assertEqual([text.count(f"miller{i}") for i in range(1, 6)], [1] * 5)  # once, though the line of the date is kept

    def test_guessed_language(self):
        a = self.write("a.html", b"<title>x</title>" + b"<p>The mill on the river is old, and it is the one that we have known for years.</p>" * 3)
        record = self.expect(self.extract("-fjsonl", "-mall", a), 0).records[0]
        self.assertEqual((record["language"], record["language_source"]), ("en", "text"))
        self.assertGreater(record["language_probability"], 0.9)

    def test_declared_language_that_is_wrong(self):
        text = "Der alte Müller sagt, dass die Mühle seit vielen Jahren nicht mehr so gut war wie in diesem Herbst."
        for declared, found in (("en", ("de", "text")), ("gl", ("gl", "declared")), ("de-AT", ("de-AT", "declared"))):
            a = self.write("a.html", f"<meta charset=utf-8><html lang={declared}><p>{text}</p><p>{text}</p>".encode())
            record = self.expect(self.extract("-fjsonl", "-mall", a), 0).records[0]
            self.assertEqual((record["language"], record["language_source"]), found)
        a = self.write("a.html", b"<html lang=de><p>" + b"The mill on the river is old, and it is the one that we have known. " * 5)
        self.assertEqual(self.expect(self.extract("-fjsonl", "-mall", a), 0).records[0]["language"], "de")

    def test_all_formats_have_the_same_language(self):
        text = "Der alte Müller sagt, dass die Mühle seit vielen Jahren nicht mehr so gut war wie in diesem Herbst."
        for declared in ("", " lang=en"):
            a = self.write("a.html", f"<meta charset=utf-8><html{declared}><p>{text}</p><p>{text}</p>".encode())
            for form, expected in (("json", '"language":"de"'), ("html", '<article lang="de"'), ("xml", 'language="de"'),
                                   ("tei", '<language ident="de">'), ("csv", ",de,"), ("md", 'language: "de"')):
                self.assertIn(expected, self.expect(self.extract("-f", form, "-mall", "--with-metadata", a), 0).text)

    def test_record_of_a_failed_page(self):
        missing = self.path("missing.html")
        result = self.expect(self.extract("-fjsonl", missing), 1)
        record = result.records[0]
        self.assertEqual(record["id"], missing)
        self.assertEqual(record["status"], "unreadable")
        self.assertEqual(record["error"], "No such file or directory")
        self.assertIsNone(record["text"])
        self.assertEqual(list(record), list(self.extract("-fjsonl", stdin=page()).records[0]))

    def test_timing(self):
        record = self.extract("-fjsonl", "--timing", stdin=page()).records[0]
        self.assertGreater(record["ms"], 0)

    def test_same_input_same_bytes(self):
        a = self.write("a.html", page("alpha"))
        for form in ("txt", "md", "json", "jsonl"):
            self.assertEqual(self.extract("-f", form, a).out, self.extract("-f", form, a).out)

    def test_several_pages_in_text(self):
        a, b = self.write("a.html", page("alpha")), self.write("b.html", page("beta"))
        text = self.expect(self.extract(a, b), 0).text
        self.assertTrue(text.startswith(f"==> {a} <==\n"))
        self.assertIn(f"\n\n==> {b} <==\n", text)
        text = self.expect(self.extract("-fmd", a, b), 0).text
        self.assertTrue(text.startswith(f"<!-- {a} -->\n\n"))
        self.assertIn(f"\n\n<!-- {b} -->\n\n", text)
        self.assertNotIn("==>", self.extract(a).text)

    def test_markdown_heading_cannot_be_broken_out_of(self):
        a = self.write("x --><b>.html", page("alpha"))
        text = self.extract("-fmd", a, a).text
        self.assertEqual(text.split("\n")[0].count("-->"), 1)
        a = self.write("x --!><b>.html", page("alpha"))
        self.assertNotIn("--!>", self.extract("-fmd", a, a).text)

    def test_json(self):
        a, b = self.write("a.html", page("alpha")), self.write("b.html", page("beta"))
        self.assertEqual(json.loads(self.extract("-fjson", a).text)["id"], a)
        several = json.loads(self.expect(self.extract("-fjson", a, self.path("x"), b), 1).text)
        self.assertEqual([r["status"] for r in several], ["ok", "unreadable", "ok"])
        os.mkdir(self.path("in"))
        shutil.move(a, self.path("in"))
        directory = json.loads(self.extract("-fjson", self.path("in")).text)
        self.assertEqual(len(directory), 1)

    def test_markdown(self):
        text = self.expect(self.extract("-mall", "-fmd", stdin=page("alpha", title="Mills")), 0).text
        self.assertIn("# Mills", text)

    def test_links_in_markdown(self):
        html = page("alpha").replace(b"</p>", b" <a href='/mill'>The mill</a></p>", 1)
        plain = self.extract("-mall", "-fmd", stdin=html).text
        linked = self.extract("-mall", "-fmd", "--links", "--url=https://example.org/",
                              stdin=html).text
        self.assertNotIn("](", plain)
        self.assertIn("[The mill](https://example.org/mill)", linked)

    def test_explain(self):
        a = self.write("a.html", page("alpha").replace(b"<article>", b"<nav>Menu</nav><article>"))
        text = self.expect(self.extract("--explain", a), 0).text
        self.assertEqual(self.extract("--explain=short", a).text, text)
        self.assertRegex(text, r"^method auto, encoding UTF-8, status ok: \d+ of \d+ blocks kept\n")
        self.assertRegex(text, r"(?m)^\+ alpha part 1\. .*\n    paragraph, body, kept: \d+% likely to be content; (for|against) it: [a-z0-9]")
        self.assertRegex(text, r"(?m)^- Menu\n    paragraph, navigation, dropped: ")
        self.assertNotRegex(text, r"[A-Z]{4}")  # names of features
        text = self.expect(self.extract("--explain=full", a), 0).text
        self.assertRegex(text, r"(?m)^fate +kind +role +reason +where +text$")
        self.assertRegex(text, r"(?m)^kept +paragraph .*alpha part 1\.")
        self.assertRegex(text, r"(?m)^(kept|dropped) .*Menu$")
        record = self.extract("--explain", "-fjsonl", a).records[0]
        blocks = record["blocks"]
        self.assertTrue(any(b["text"] == "Menu" for b in blocks))
        for block in blocks:
            self.assertTrue({"kind", "text", "kept", "reason", "path"} <= set(block))
        paragraph = next(b for b in blocks if "part 1." in b["text"])
        self.assertTrue(paragraph["kept"])

    def test_wrong_explanation(self):
        a = self.write("a.html", page("alpha"))
        self.expect(self.extract("--explain=ful", a), 2, "did you mean 'full'?")
        self.expect(self.extract("--explain", "full", a), 1, "'full'")  # the value needs "="

    def test_explain_does_not_change_the_text(self):
        a = self.write("a.html", page("alpha"))
        plain = self.extract("-fjsonl", a).records[0]
        explained = self.extract("-fjsonl", "--explain", a).records[0]
        self.assertEqual(plain["text"], explained["text"])

    def test_output_file(self):
        a, out = self.write("a.html", page("alpha")), self.path("out.txt")
        result = self.expect(self.extract("-o", out, a), 0)
        self.assertEqual(result.out, b"")
        with open(out, "rb") as file:
            self.assertEqual(file.read(), self.extract(a).out)
        self.assertEqual(self.temporary_files(), [])
        self.assertEqual(self.extract("-o", "-", a).out, self.extract(a).out)

    def test_name_of_the_output_tells_the_format(self):
        a = self.write("a.html", page("alpha"))
        for name, form in (("x.md", "md"), ("x.jsonl", "jsonl"), ("x.tei.xml", "tei"), ("x.xml", "xml"), ("x.HTML", "html"),
                           ("x.csv", "csv"), ("x.text", "txt"), ("jsonl", "txt")):
            self.expect(self.extract("-o", self.path(name), a), 0)
            with open(self.path(name), "rb") as file:
                self.assertEqual(file.read(), self.extract("-f", form, a).out, name)
        self.expect(self.extract("-o", self.path("y.md"), "-f", "jsonl", a), 0)
        with open(self.path("y.md"), "rb") as file:
            self.assertEqual(file.read(), self.extract("-f", "jsonl", a).out)
        self.expect(self.extract("-o", self.path("x.jsonl.gz"), a), 0)
        with gzip.open(self.path("x.jsonl.gz")) as file:
            self.assertEqual(file.read(), self.extract("-f", "jsonl", a).out)

    def test_output_file_is_not_overwritten(self):
        a, out = self.write("a.html", page("alpha")), self.write("out.txt", b"precious")
        self.expect(self.extract("-o", out, a), 2, "it exists; --overwrite replaces it")
        with open(out, "rb") as file:
            self.assertEqual(file.read(), b"precious")
        os.chmod(out, 0o600)
        self.expect(self.extract("--overwrite", "-o", out, a), 0)
        self.assertEqual(os.stat(out).st_mode & 0o777, 0o600)
        with open(out, "rb") as file:
            self.assertIn(b"alpha", file.read())
        self.assertEqual(self.temporary_files(), [])

    def test_output_through_a_link(self):
        out = self.write("real.txt", b"old")
        os.symlink("real.txt", self.path("link.txt"))
        self.expect(self.extract("--overwrite", "-o", self.path("link.txt"), stdin=page("new")), 0)
        self.assertTrue(os.path.islink(self.path("link.txt")))
        with open(out, "rb") as file:
            self.assertIn(b"new part 1.", file.read())

    def test_output_must_not_be_an_input(self):
        a = self.write("a.html", page("alpha"))
        os.link(a, self.path("b.html"))
        for name in (a, self.path("b.html")):
            self.expect(self.extract("--overwrite", "-o", name, a), 2, "is an input")
        with open(a, "rb") as file:
            self.assertEqual(file.read(), page("alpha"))

    def test_output_that_cannot_be_made(self):
        a = self.write("a.html", page())
        self.expect(self.extract("-o", self.path("no/such/dir"), a), 2, "No such file or directory")
        self.expect(self.extract("-o", self.dir, a), 2, "holds inputs")

    def test_output_file_is_made_although_inputs_fail(self):
        out = self.path("out.jsonl")
        self.expect(self.extract("-fjsonl", "-o", out, self.path("x"), self.path("y")), 1)
        with open(out) as file:
            self.assertEqual(len(file.readlines()), 2)

    def test_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full")
        for i in range(50):
            self.write(f"in/{i}.html", page(f"number {i}"))
        with open("/dev/full", "wb") as full:
            result = self.extract(self.path("in"), stdout=full)
        self.expect(result, 1, "cannot write 'standard output': No space left on device")
        self.expect(self.extract("-o", "/dev/full", self.path("in")), 1, "No space left on device")

    def test_file_size_limit_leaves_nothing_behind(self):
        out = self.path("out.txt")
        for i in range(300):
            self.write(f"in/{i}.html", page(f"number {i}"))

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))
        done = subprocess.run([WINNOW, "extract", "-o", out, self.path("in")],
                              capture_output=True, preexec_fn=limit, timeout=60)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(b"File too large", done.stderr)
        self.assertFalse(os.path.exists(out))
        self.assertEqual(self.temporary_files(), [])

    def test_closed_standard_output(self):
        command = f"exec '{WINNOW}' extract '{self.write('a.html', page())}' >&-"
        done = subprocess.run(["sh", "-c", command], capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"cannot write", done.stderr)

    def test_broken_pipe_is_quiet(self):
        for i in range(400):
            self.write(f"in/{i}.html", page(f"number {i}"))
        for jobs in ("1", "8"):
            process = subprocess.Popen([WINNOW, "extract", "-j", jobs, self.path("in")],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual(len(process.stdout.read(10)), 10)
            process.stdout.close()
            self.assertEqual(process.stderr.read(), b"")
            process.stderr.close()
            self.assertEqual(process.wait(timeout=60), 0)

    def test_broken_pipe_in_help(self):
        read, write = os.pipe()
        os.close(read)
        with os.fdopen(write, "wb") as closed:
            result = winnow("extract", "--help", stdout=closed)
        self.expect(result, 0)
        self.assertEqual(result.err, "")


# ---- Many pages ----------------------------------------------------------------------------


class Many(Case):
    def test_jobs_do_not_change_the_output(self):
        sizes = (1, 300, 2, 50, 7)
        for i in range(150):
            content = page(f"number {i}") + b"<p>x y z</p>" * sizes[i % 5] * 20
            self.write(f"in/{i % 7}/{i}.html", PDF if i % 31 == 0 else content)
        for form in ("txt", "md", "json", "jsonl"):
            one = self.expect(self.extract("-f", form, "-j1", self.path("in")), 1)
            for jobs in ("2", "8", "40"):
                other = self.extract("-f", form, "-j", jobs, self.path("in"))
                self.assertEqual(hashlib.sha256(other.out).digest(),
                                 hashlib.sha256(one.out).digest(), f"{form} -j {jobs}")
                self.assertEqual(other.err, one.err)
                self.assertEqual(other.code, one.code)

    def test_thousands_of_small_pages(self):
        count = 3000
        for i in range(count):
            self.write(f"in/{i:04}.html", b"<title>t</title><p>Page number %d." % i)
        result = self.expect(self.extract("-mall", "-fjsonl", "-j4", self.path("in")), 0)
        records = result.records
        self.assertEqual(len(records), count)
        for i, record in enumerate(records):
            self.assertEqual(record["text"].strip(), f"Page number {i}.")

    def test_progress_and_summary(self):
        for i in range(20):
            self.write(f"in/{i}.html", page(f"number {i}"))
        self.write("in/empty.html", EMPTY_PAGE)
        self.write("in/pdf.html", PDF)
        result = self.expect(self.extract("-fjsonl", "--progress", self.path("in")), 1)
        self.assertRegex(result.err, r"winnow: 22 pages: 20 done, 1 empty, 1 failed; [\d.]+ MB in "
                                     r"[\d.]+ s, [\d.]+ pages/s, [\d.]+ MB/s\n$")
        result = self.extract("-fjsonl", "--progress", "-q", self.path("in"))
        self.assertNotIn("pages", result.err.replace("not a web page", ""))
        self.assertNotIn("20 done", self.extract("-fjsonl", self.path("in")).err)

    def test_progress_on_a_terminal(self):
        try:
            import pty
            master, slave = pty.openpty()
        except (ImportError, OSError):
            self.skipTest("there is no pseudo terminal")
        for i in range(5):
            self.write(f"in/{i}.html", page(f"number {i}"))
        subprocess.run([WINNOW, "extract", self.path("in")], stdout=subprocess.DEVNULL,
                       stderr=slave, timeout=60)
        os.close(slave)
        shown = b""
        with contextlib.suppress(OSError):
            while True:
                part = os.read(master, 4096)
                if not part:
                    break
                shown += part
        os.close(master)
        self.assertIn(b"winnow: 5 pages: 5 done, 0 empty, 0 failed", shown)

    def test_interruption(self):
        out = self.path("out.jsonl")
        os.mkfifo(self.path("pipe"))
        self.write("a.html", page())
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            process = subprocess.Popen([WINNOW, "extract", "-fjsonl", "-j2", "-o", out,
                                        self.path("a.html"), self.path("pipe")],
                                       stderr=subprocess.PIPE)
            self.addCleanup(process.kill)
            deadline = time.monotonic() + 20
            while not self.temporary_files() and time.monotonic() < deadline:
                time.sleep(0.01)
            self.assertEqual(len(self.temporary_files()), 1)
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=20), code)
            process.stderr.close()
            self.assertEqual(self.temporary_files(), [])
            self.assertFalse(os.path.exists(out))

    def test_interruption_that_is_ignored_stays_so(self):
        command = f"trap '' INT; exec '{WINNOW}' extract '{self.path('pipe')}'"
        os.mkfifo(self.path("pipe"))
        process = subprocess.Popen(["sh", "-c", command], stdout=subprocess.PIPE)
        with open(self.path("pipe"), "wb") as pipe:
            process.send_signal(signal.SIGINT)
            pipe.write(page("went on"))
        out = process.communicate(timeout=20)[0]
        self.assertEqual(process.returncode, 0)
        self.assertIn(b"went on part 1.", out)


# ---- Pages from the web --------------------------------------------------------------------


class Terminal(Case):
    """What pages hold does not steer the terminal; files and pipes get it as it is."""
    HOSTILE = "\x1b[31mred\x1b]0;title\x07 \x9b2J \u202eevil\u202c \u2066x\u2069 \x7f a\rb"
    OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")

    def shown(self, *args, env=None):
        """What a terminal gets; `env` is what the environment says of colours."""
        variables = {name: value for name, value in os.environ.items() if name not in ("TERM", "NO_COLOR")}
        main, terminal = pty.openpty()
        attributes = termios.tcgetattr(terminal)
        attributes[1] &= ~termios.OPOST
        termios.tcsetattr(terminal, termios.TCSANOW, attributes)
        process = subprocess.Popen([WINNOW, *map(str, args)], stdout=terminal, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                   env={**variables, **(env or {})})
        os.close(terminal)
        found = b""
        try:
            while part := os.read(main, 65536):
                found += part
        except OSError:
            pass
        os.close(main)
        error = process.communicate(timeout=60)[1].decode()
        self.assertEqual(process.returncode, 0, error)
        return found.decode()

    def check(self, *args):
        text = self.shown(*args)
        self.assertEqual(self.OBEYED.findall(text.replace("\r\n", "\n")), [], args)
        for name in ("\\u001b[31mred", "\\u202eevil", "\\u009b2J"):
            self.assertIn(name, text)
        self.assertIn("\x1b[31mred", self.shown(*args, "--raw"))
        piped = subprocess.run([WINNOW, *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()
        self.assertIn("\x1b[31mred", piped)
        self.assertIn("\u202eevil", piped)

    def test_what_a_page_holds(self):
        text = f"<meta charset=utf-8><title>t</title><p>{self.HOSTILE} The old mill by the river turns again."
        page = self.write("page.html", text.encode())
        for form in ("txt", "md", "csv"):
            self.check("extract", "-m", "all", "-f", form, page)
        self.assertEqual(json.loads(self.shown("extract", "-m", "all", "-f", "jsonl", page))["title"], "t")
        store = self.path("store.db")
        subprocess.run([WINNOW, "corpus", "add", store, str(page), "-m", "all"], check=True, stderr=subprocess.DEVNULL)
        self.check("corpus", "show", "--store", store, "1")
        self.check("corpus", "export", "-f", "csv", store)

    def test_explanations_and_hits_are_harmless(self):
        html = f"<meta charset=utf-8><title>{self.HOSTILE}</title><p class='{self.HOSTILE}' id=x>{self.HOSTILE} The old mill."
        page = self.write("page.html", html.encode())
        store = self.path("store.db")
        subprocess.run([WINNOW, "corpus", "add", store, str(page), "-m", "all"], check=True, stderr=subprocess.DEVNULL)
        for args in (["extract", "--explain", "-m", "all", page], ["extract", "--explain=full", "-m", "all", page],
                     ["corpus", "search", store, "mill"]):
            self.assertEqual(self.OBEYED.findall(self.shown(*args, "--color", "never").replace("\r\n", "\n")), [], args)
            plain = re.sub(r"\x1b\[[0-9;]*m", "", self.shown(*args, "--color", "always"))
            self.assertEqual(self.OBEYED.findall(plain.replace("\r\n", "\n")), [], args)

    def test_colours(self):
        page_ = self.write("page.html", page("alpha"))
        store = self.path("store.db")
        subprocess.run([WINNOW, "corpus", "add", store, page_], check=True, stderr=subprocess.DEVNULL)
        for args in (["extract", "--explain", page_], ["extract", "--explain=full", page_], ["extract", "--help"],
                     ["corpus", "search", store, "mill"]):
            piped = subprocess.run([WINNOW, *args], stdout=subprocess.PIPE, env={**os.environ, "TERM": "xterm"}).stdout.decode()
            self.assertNotIn("\x1b", piped)
            always = subprocess.run([WINNOW, *args[:1], "--color=always", *args[1:]] if args[0] == "extract" else
                                    [WINNOW, *args, "--color", "always"], stdout=subprocess.PIPE).stdout.decode()
            bare = re.sub(r"\x1b\[[0-9;]*m", "", always)
            self.assertIn("\x1b[", always)
            self.assertEqual(bare, piped.replace("**", "") if args[0] == "corpus" else piped)
            for variables, colored in (({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({}, False),
                                       ({"TERM": "xterm", "NO_COLOR": "1"}, False), ({"TERM": "xterm", "NO_COLOR": ""}, True)):
                self.assertEqual("\x1b[" in self.shown(*args, env=variables), colored, (args, variables))
        self.assertNotIn("\x1b", self.shown("extract", page_, env={"TERM": "xterm"}))  # text is text
        told = winnow("extract", "--color", "always", "--nonsense")
        self.assertTrue(told.err.startswith("\x1b[1;33mwinnow:\x1b[0m unknown option"), told.err)
        self.expect(winnow("extract", "--color", "sometimes"), 2, "choose from: auto, always, never")

    def test_ordinary_text_is_as_in_a_file(self):
        page = self.write("page.html", "<meta charset=utf-8><p>Häuser, 北京大学, שלום עולם, é</p><pre>a\tb\nc</pre>".encode())
        self.assertEqual(self.shown("extract", "-m", "all", page), subprocess.run(
            [WINNOW, "extract", "-m", "all", str(page)], stdout=subprocess.PIPE).stdout.decode())


class Handler(http.server.BaseHTTPRequestHandler):
    """Every path is a behaviour."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def reply(self, body, content_type="text/html; charset=utf-8", **headers):
        self.send_response(200)
        if content_type:
            self.send_header("Content-Type", content_type)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def redirect(self, location):
        self.send_response(302)
        self.send_header("Location", location)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_GET(self):
        self.server.seen.append((self.path, dict(self.headers)))
        with contextlib.suppress(ConnectionError):
            self.answer(self.path.split("?")[0])

    def answer(self, path):
        if path == "/page":
            self.reply(page("served"))
        elif path.startswith("/redirect/"):
            left = int(path.split("/")[2])
            self.redirect("/page" if left <= 1 else f"/redirect/{left - 1}")
        elif path == "/to":
            self.redirect(self.path.split("?", 1)[1])
        elif path == "/to-file":
            self.redirect("file:///etc/passwd")
        elif path == "/to-gopher":
            self.redirect("gopher://127.0.0.1:1/x")
        elif path == "/latin1":
            self.reply(b"<p>" + "Ein schöner Tag für große Mühlen. ".encode("latin-1") * 20,
                       'text/html; Charset="ISO-8859-1"')
        elif path == "/gzip":
            self.reply(gzip.compress(page("unpacked")), Content_Encoding="gzip")
        elif path == "/deflate":
            self.reply(zlib.compress(page("inflated")), Content_Encoding="deflate")
        elif path == "/bomb":
            self.reply(gzip.compress(page("bomb") + b"<p>x</p>" * 4000000), Content_Encoding="gzip")
        elif path == "/endless":
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(page("endless"))
            while True:
                self.wfile.write(b"<p>more and more</p>" * 1000)
        elif path == "/slow":
            self.send_response(200)
            self.send_header("Content-Length", "1000000")
            self.end_headers()
            self.wfile.write(b"<p>slow")
            self.wfile.flush()
            self.server.stopping.wait(30)
        elif path == "/image":
            self.reply(PNG, "image/png")
        elif path == "/pdf-in-disguise":
            self.reply(PDF)
        elif path == "/no-type":
            self.reply(page("untyped"), None)
        elif path == "/empty":
            self.reply(b"")
        elif path == "/cut":
            self.send_response(200)
            self.send_header("Content-Length", "100000")
            self.end_headers()
            self.wfile.write(b"<p>cut short")
            self.close_connection = True
        else:
            self.send_error(404)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address):
        super().__init__((address, 0), Handler)
        self.seen = []  # paths and headers of all requests
        self.stopping = threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def port(self):
        return self.server_address[1]

    def handle_error(self, request, client_address):
        pass  # clients that go away early are part of the tests


class Web(Case):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("127.0.0.1")
        cls.port = cls.server.port

    @classmethod
    def tearDownClass(cls):
        cls.server.stopping.set()
        cls.server.shutdown()
        cls.server.server_close()

    def url(self, path):
        return f"http://127.0.0.1:{self.port}{path}"

    def fetch(self, path, *args, **kwargs):
        return self.extract("--allow-private", *args, self.url(path), **kwargs)

    def test_page(self):
        result = self.expect(self.fetch("/page"), 0)
        self.assertIn("served part 1.", result.text)

    def test_user_agent(self):
        self.fetch("/page?agent")
        headers = next(h for path, h in self.server.seen if path == "/page?agent")
        self.assertRegex(headers["User-Agent"], r"^winnow/\d")
        self.assertIn("gzip", headers["Accept-Encoding"])
        self.assertTrue(headers["Accept"].startswith("text/html"))

    def test_headers_and_another_user_agent(self):
        self.fetch("/page?headers", "--user-agent", "mine/1.0", "-H", "Cookie: a=b; c=d", "--header", "X-One: 1")
        headers = next(h for path, h in self.server.seen if path == "/page?headers")
        self.assertEqual((headers["User-Agent"], headers["Cookie"], headers["X-One"]), ("mine/1.0", "a=b; c=d", "1"))
        for wrong in ("Cookie", "Cookie a=b", ": b", "A: b\r\nC: d", ""):
            self.expect(self.fetch("/page?wrong", "-H", wrong), 2, "expected 'Name: value'")
        self.assertNotIn("/page?wrong", [path for path, _ in self.server.seen])

    def test_proxy(self):
        self.extract("--proxy", self.url(""), "http://example.org/through-a-proxy")
        self.assertIn("http://example.org/through-a-proxy", [path for path, _ in self.server.seen])
        self.expect(self.extract("--proxy", "http://127.0.0.1:9", "http://example.org/"), 1, "127.0.0.1 port 9")

    def test_record(self):
        record = self.fetch("/redirect/2", "-fjsonl").records[0]
        self.assertEqual(record["id"], self.url("/redirect/2"))
        self.assertEqual(record["url"], self.url("/page"))
        record = self.fetch("/page", "-fjsonl", "--url=https://example.org/x").records[0]
        self.assertEqual(record["url"], "https://example.org/x")

    def test_private_addresses_are_refused(self):
        before = len(self.server.seen)
        hosts = ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "017700000001", "127.1",
                 "0.0.0.0", "0"]
        for host in hosts:
            result = self.expect(self.extract(f"http://{host}:{self.port}/page"), 1)
            self.assertIn("--allow-private permits it", result.err, host)
            self.assertEqual(result.out, b"")
        self.assertEqual(len(self.server.seen), before)

    def test_other_private_ranges_are_refused(self):
        for host, what in (("10.0.0.1", "private"), ("172.31.255.1", "private"),
                           ("192.168.1.1", "private"), ("169.254.169.254", "link-local"),
                           ("100.64.0.1", "provider"), ("224.0.0.1", "multicast"),
                           ("255.255.255.255", "reserved"), ("198.18.0.1", "reserved"),
                           ("192.0.2.1", "reserved"), ("0.1.2.3", "this machine")):
            result = self.extract("--timeout=5", f"http://{host}/")
            self.expect(result, 1, f"{host} is a")
            self.assertIn(what, result.err)

    def test_private_ipv6_addresses_are_refused(self):
        try:
            socket.socket(socket.AF_INET6, socket.SOCK_STREAM).close()
        except OSError:
            self.skipTest("there is no IPv6")
        for host in ("::1", "::", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "fe80::1", "fc00::1",
                     "fd12::1", "ff02::1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::1",
                     "2002:7f00:1::", "2002:c0a8:101::1", "2001::1", "2001:db8::1", "fec0::1",
                     "::127.0.0.1", "100::1", "4000::1"):
            result = self.expect(self.extract("--timeout=5", f"http://[{host}]/"), 1)
            if "resolve" in result.err:
                self.skipTest("libcurl works without IPv6")
            self.assertIn("--allow-private permits it", result.err, host)

    def test_proxy_of_the_environment_is_not_a_way_around(self):
        before = len(self.server.seen)
        env = dict(os.environ, http_proxy=self.url(""), ALL_PROXY=self.url(""), no_proxy="")
        result = self.extract("--timeout=5", "http://10.0.0.1/page", env=env)
        self.expect(result, 1, "10.0.0.1 is a private address")
        self.assertEqual(len(self.server.seen), before)
        result = self.extract("--allow-private", "http://10.0.0.1/page", env=env)
        self.assertEqual(len(self.server.seen), before + 1)

    def test_redirects(self):
        self.assertIn("served", self.expect(self.fetch("/redirect/10"), 0).text)
        self.expect(self.fetch("/redirect/11"), 1, "more than 10 redirects; see --max-redirects")
        self.expect(self.fetch("/redirect/3", "--max-redirects=2"), 1, "more than 2 redirects")
        self.expect(self.fetch("/redirect/1", "--max-redirects=0"), 1, "redirects")

    def test_redirect_to_other_protocols(self):
        for path in ("/to-file", "/to-gopher"):
            result = self.expect(self.fetch(path), 1, "neither http nor https")
            self.assertEqual(result.out, b"")

    def test_http_error(self):
        result = self.expect(self.fetch("/missing"), 1, "HTTP status 404 (no such page)")
        self.assertEqual(result.out, b"")
        record = self.fetch("/missing", "-fjsonl").records[0]
        self.assertEqual(record["status"], "unreadable")

    def test_charset_of_the_header(self):
        result = self.expect(self.fetch("/latin1", "-mall"), 0)
        self.assertIn("Ein schöner Tag für große Mühlen.", result.text)

    def test_compression(self):
        self.assertIn("unpacked part 1.", self.expect(self.fetch("/gzip"), 0).text)
        self.assertIn("inflated part 1.", self.expect(self.fetch("/deflate"), 0).text)

    def test_size_limit(self):
        for path in ("/endless", "/bomb"):
            record = self.fetch(path, "-mall", "-fjsonl", "--max-bytes=200K").records[0]
            self.assertEqual((record["status"], record["limited"]), ("partial", ["bytes"]))
            self.assertIn("part 1.", record["text"])

    def test_time_limit(self):
        before = time.monotonic()
        self.expect(self.fetch("/slow", "--timeout=0.5"), 1,
                    "not complete after 0.5 seconds; see --timeout")
        self.assertLess(time.monotonic() - before, 10)

    def test_types(self):
        result = self.expect(self.fetch("/image"), 1, "the server says it is image/png")
        self.assertEqual(self.fetch("/image", "-fjsonl").records[0]["status"], "not-html")
        self.expect(self.fetch("/pdf-in-disguise"), 1, "it looks like a PDF")
        self.assertIn("untyped", self.expect(self.fetch("/no-type"), 0).text)
        self.expect(self.fetch("/empty"), 3)

    def test_broken_transfer(self):
        self.expect(self.fetch("/cut"), 1, "cannot fetch")

    def test_no_server(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{free.getsockname()[1]}/"
            self.expect(self.extract("--allow-private", url), 1, f"cannot fetch '{url}'")

    def test_unknown_host(self):
        self.expect(self.extract("--timeout=10", "http://no-such-host.invalid/"), 1, "cannot fetch")

    def test_bad_address(self):
        self.expect(self.extract("http://"), 1, "cannot fetch 'http://'")
        self.expect(self.extract("http://[::1/"), 1, "cannot fetch")
        self.expect(self.extract("HTTP://127.0.0.1:%d/page" % self.port), 1, "--allow-private")

    def test_other_schemes(self):
        self.expect(self.extract("ftp://example.org/a.html"), 1, "only http and https")

    def test_many_addresses_in_order(self):
        urls = [self.url(f"/page?{i}") for i in range(40)]
        urls[7] = self.url("/missing")
        a = self.write("a.html", page("from a file"))
        one = self.expect(self.extract("--allow-private", "-fjsonl", "-j1", *urls, a), 1)
        eight = self.expect(self.extract("--allow-private", "-fjsonl", "-j8", *urls, a), 1)
        self.assertEqual(one.out, eight.out)
        self.assertEqual([r["id"] for r in one.records], urls + [a])


# ---- A world of its own --------------------------------------------------------------------

# To see what happens on the way from a public address to a private one, a public address
# is needed that is ours. In a network namespace any address can be.
PUBLIC = "93.184.216.34"
HOSTS = f"""127.0.0.1 localhost inside.example mixed.example
{PUBLIC} public.example mixed.example
10.1.2.3 private.example
"""


def configure_loopback(name, address):
    set_address, set_flags, up_and_running = 0x8916, 0x8914, 0x41
    with socket.socket() as any_socket:
        def request(code, data):
            fcntl.ioctl(any_socket, code, struct.pack("16s16s", name.encode(), data))
        request(set_address, struct.pack("HH4s8x", socket.AF_INET, 0, socket.inet_aton(address)))
        request(set_flags, struct.pack("h14x", up_and_running))


def inside_namespace():
    """Runs the program in the namespace; prints what it did as JSON."""
    with tempfile.NamedTemporaryFile("w") as hosts:
        hosts.write(HOSTS)
        hosts.flush()
        os.chmod(hosts.name, 0o644)
        subprocess.run(["mount", "--bind", hosts.name, "/etc/hosts"], check=True)
        configure_loopback("lo", "127.0.0.1")
        configure_loopback("lo:1", PUBLIC)
        server = Server("0.0.0.0")
        results = {}
        for name in sys.argv[3:]:
            result = winnow("extract", "--timeout=5", name.replace("PORT", str(server.port)))
            results[name] = [result.code, result.text, result.err, len(server.seen)]
            server.seen.clear()
        print(json.dumps(results))
        server.shutdown()
        subprocess.run(["umount", "/etc/hosts"], check=True)


class Namespace(unittest.TestCase):
    def test_public_and_private_addresses(self):
        public = "http://public.example:PORT"
        good = [f"http://{PUBLIC}:PORT/page", f"{public}/page", f"{public}/redirect/3",
                f"{public}/to?{public}/page", "http://mixed.example:PORT/page"]
        bad_hosts = ["127.0.0.1", "inside.example", "localhost", "2130706433", "private.example",
                     "169.254.169.254", "0"]
        refused = [f"http://{host}:PORT/page" for host in bad_hosts]
        redirected = [f"{public}/to?http://{host}:PORT/page" for host in bad_hosts]
        try:
            done = subprocess.run(["unshare", "-rnm", sys.executable, os.path.abspath(__file__),
                                   WINNOW, "--inside", *good, *refused, *redirected],
                                  capture_output=True, timeout=120)
        except FileNotFoundError:
            self.skipTest("there is no unshare(1)")
        if done.returncode != 0:
            self.skipTest("no namespaces: " + done.stderr.decode().strip().split("\n")[-1])
        results = json.loads(done.stdout)
        for url in good:
            code, text, err, _ = results[url]
            self.assertEqual(code, 0, f"{url}: {err}")
            self.assertIn("served part 1.", text)
        for url in refused:
            code, text, err, requests = results[url]
            self.assertEqual((code, text, requests), (1, "", 0), f"{url}: {err}")
            self.assertIn("--allow-private permits it", err)
        for url in redirected:
            code, text, err, requests = results[url]
            self.assertEqual((code, text, requests), (1, "", 1), f"{url}: {err}")
            self.assertIn("--allow-private permits it", err)


# ---- The runner ----------------------------------------------------------------------------


def all_tests(names):
    loader = unittest.defaultTestLoader
    for suite in loader.loadTestsFromModule(sys.modules["__main__"]):
        picked = [t for t in suite if not names or any(n in t.id() for n in names)]
        yield unittest.TestSuite(picked) if not picked else type(suite)(picked)


def main():
    global WINNOW
    args = [arg for arg in sys.argv[1:] if arg != "-v"]
    if not args:
        sys.exit(__doc__)
    WINNOW = os.path.abspath(args[0])
    if args[1:2] == ["--inside"]:
        return inside_namespace()
    suite = unittest.TestSuite(all_tests(args[1:]))
    result = unittest.TextTestRunner(verbosity=2 if "-v" in sys.argv else 1).run(suite)
    failed = len(result.failures) + len(result.errors)
    skipped = len(result.skipped)
    print(f"{result.testsRun - failed - skipped} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
