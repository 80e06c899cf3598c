#!/usr/bin/env python3
"""`winnow words` from the outside.

    test_words.py build/winnow [-v] [NAME...]

Ends with a line "N passed, N failed, N skipped".
"""

import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest

WINNOW = "winnow"
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests/support"))
import outside  # noqa: E402

PAGE = """<!doctype html><html lang="en"><title>Mill</title><nav><a href="/">Home</a></nav>
<article><h1>The mill</h1><p>The old mill by the river turns again, and the whole village came
to see it run.</p><p>It's well-known, they said.</p></article></html>"""


def words(*args, stdin=b"", **more):
    if isinstance(stdin, str):
        stdin = stdin.encode()
    return subprocess.run([WINNOW, "words", *args], input=stdin, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60, **more)


class Words(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, content):
        path = os.path.join(self.folder.name, name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return path

    def expect(self, result, code, output=None, message=""):
        self.assertEqual(result.returncode, code, result.stderr.decode())
        if output is not None:
            self.assertEqual(result.stdout.decode(), output)
        self.assertIn(message, result.stderr.decode())
        if not message and code == 0:
            self.assertEqual(result.stderr.decode(), "")

    # ---- Texts

    def test_a_line_a_line(self):
        self.expect(words(stdin="One, two!\n\n… \nthree"), 0, "One two\n\n\nthree\n")
        self.expect(words(stdin="One\r\ntwo\r\n"), 0, "One\ntwo\n")

    def test_stems(self):
        text = "The Runners were running 20 miles\n"
        self.expect(words("--stem", "--language", "en", stdin=text), 0, "the runner were run 20 mile\n")
        self.expect(words("--stem", "--no-stopwords", "--language", "en", stdin=text), 0, "runner run 20 mile\n")
        self.expect(words("--stem", stdin="Die Häuser sind nicht mit den Katzen gelaufen, und das ist gut\n"), 0,
                    "die haus sind nicht mit den katz gelauf und das ist gut\n")
        self.expect(words("--stem", "--language", "th", stdin="ตากลม\n"), 0)

    def test_join(self):
        self.expect(words("--join", "|", stdin="a b c\n"), 0, "a|b|c\n")
        self.expect(words("--join=", stdin="a b c\n"), 0, "abc\n")
        self.expect(words("--join", "\n", stdin="a b\n"), 0, "a\nb\n")

    def test_several_inputs(self):
        a, b = self.write("a.txt", "one\n"), self.write("b.txt", "two")
        self.expect(words(a, "-", b, stdin="mid dle"), 0, "one\nmid dle\ntwo\n")

    def test_lower(self):
        self.expect(words("--lower", stdin="ÄPFEL Don’t\n"), 0, "äpfel don't\n")

    def test_stopwords(self):
        self.expect(words("--no-stopwords", "--language", "en", stdin="The cat and the HAT\n"), 0, "cat HAT\n")
        self.expect(words("--no-stopwords", "--language", "en-GB", stdin="The cat\n"), 0, "cat\n")
        extra = self.write("stop.txt", "Cat\n# hat\n")
        self.expect(words("--stopwords", extra, stdin="The cat and the HAT\n"), 0, "The and the HAT\n")
        self.expect(words("--stopwords", extra, "--no-stopwords", "--language", "en",
                          stdin="The cat and the HAT\n"), 0, "HAT\n")

    def test_stopwords_of_a_guessed_language(self):
        text = "Der Wind trägt die Spreu davon, und das Korn fällt auf den Boden.\n"
        self.expect(words("--no-stopwords", stdin=text), 0, "Wind trägt Spreu Korn fällt Boden\n")

    def test_articles_of_french(self):
        self.expect(words("--language", "fr", "--join", "|", stdin="l'homme\n"), 0, "l|homme\n")
        self.expect(words("--language", "en", "--join", "|", stdin="l'homme\n"), 0, "l'homme\n")

    def test_encodings(self):
        self.expect(words("--charset", "iso-8859-1", stdin="Käse".encode("latin-1")), 0, "Käse\n")
        self.expect(words("--charset", "tis-620", stdin="ไทย".encode("tis-620")), 0, "ไทย\n")
        self.expect(words(stdin="\ufeffone two\n"), 0, "one two\n")
        self.expect(words(stdin="Grüße an alle\n".encode("utf-16")), 0, "Grüße an alle\n")

    def test_ill_formed_text(self):
        self.expect(words("--charset", "utf-8", stdin=b"ab\xff\xfecd \xe0\xb8\n"), 0, "ab cd\n")

    # ---- Streams

    def test_long_text(self):
        line = "word " * 20 + "\n"
        result = words(stdin=line * 50000)
        self.expect(result, 0)
        self.assertEqual(result.stdout.decode(), (line.strip() + "\n") * 50000)

    def test_text_that_ends_anywhere(self):
        """The same output for the text as a whole and as a stream, wherever pieces end."""
        line = "Grüße, мир und Ünïcödé\n"
        for size in range(256 * 1024 - 3, 256 * 1024 + 4):
            text = (line * 20000).encode()[:size].decode("utf-8", "ignore")
            expected = re.sub(" *\n", "\n", text.replace(",", ""))
            result = words("--text", stdin=text)
            self.assertEqual(result.stdout.decode().rstrip("\n"), expected.rstrip())

    def test_one_endless_line(self):
        result = words("--join", " ", stdin="word " * 400000)
        self.assertEqual(result.stdout.decode(), ("word " * 400000).strip() + "\n")
        thai = "ก" * 600000
        result = words("--join", "", stdin=thai)
        self.assertEqual(result.stdout.decode(), thai + "\n")

    def test_ill_formed_stream(self):
        result = words("--text", "--join", "|", stdin=b"ab\n" * 200000 + b"\xff\xff cd\xe0\n" + b"\x80" * 600000)
        self.expect(result, 0, "ab\n" * 200000 + "cd\n\n")

    def test_memory_is_bounded(self):
        script = (f"yes 'some words, again and again' | head -c 200000000 | "
                  f"( ulimit -v 150000; '{WINNOW}' words --text ) | wc -l")
        output = subprocess.run(["sh", "-c", script], stdout=subprocess.PIPE, timeout=120).stdout
        self.assertEqual(int(output), -(-200000000 // 28))

    def test_lines_come_as_they_are_written(self):
        process = subprocess.Popen([WINNOW, "words", "--text"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        timer = threading.Timer(20, process.kill)
        timer.start()
        process.stdin.write(b"first, line\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), b"first line\n")
        process.stdin.close()
        process.stdout.close()
        self.assertEqual(process.wait(), 0)
        timer.cancel()

    def test_closed_pipe(self):
        result = subprocess.run(f"yes 'some words here' | '{WINNOW}' words --text | head -n 1", shell=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=30)
        self.assertEqual(result.stdout, b"some words here\n")
        self.assertNotIn(b"winnow", result.stderr)

    # ---- Pages

    def test_page(self):
        expected = ("The mill\n"
                    "The old mill by the river turns again and the whole village came to see it run\n"
                    "It's well known they said\n")
        self.expect(words(stdin=PAGE), 0, expected)
        self.expect(words(self.write("page.html", PAGE)), 0, expected)
        self.expect(words(stdin=PAGE.encode("utf-16")), 0, expected)

    def test_all_of_a_page(self):
        self.assertIn("Home\n", words("-m", "all", stdin=PAGE).stdout.decode())

    def test_stopwords_of_the_declared_language(self):
        self.assertTrue(words("--no-stopwords", stdin=PAGE).stdout.startswith(b"mill\nold mill river turns"))

    def test_forced(self):
        self.assertTrue(words("--text", stdin=PAGE).stdout.startswith(b"doctype html html lang en"))
        self.expect(words("--html", "-m", "all", stdin="a <b>c</b>d &amp; e"), 0, "a cd e\n")

    def test_tags_in_a_text_are_text(self):
        self.expect(words(stdin="Use <b> for bold\n"), 0, "Use b for bold\n")

    def test_directory(self):
        self.write("a.html", PAGE)
        self.write("b.html", PAGE)
        self.write("c.txt", "not a page")
        self.assertEqual(words(self.folder.name).stdout.count(b"The old mill by the river"), 2)

    def test_cut_page(self):
        path = self.write("page.html", PAGE + "<p>And then it stopped.</p>" * 20)
        self.expect(words("--max-bytes", "400", path), 0, None, "--max-bytes")

    # ---- Errors

    def test_missing_file(self):
        there = self.write("a.txt", "one\n")
        self.expect(words("missing.txt", there), 1, "one\n", "cannot read 'missing.txt'")

    def test_binary(self):
        self.expect(words(stdin=b"\x89PNG\r\n\x1a\n" + bytes(200)), 1, "", "PNG image")

    def test_no_words(self):
        for text in ("", " \n", "!!!"):
            self.expect(words(stdin=text), 3, None, "standard input has no words")
        self.expect(words("-q", stdin=""), 3, "")

    def test_wrong_usage(self):
        self.expect(words("--text", "--html"), 2, "", "exclude each other")
        self.expect(words("--language", "klingon"), 2, "", "--language")
        self.expect(words("--language", "tlh", "--no-stopwords"), 2, "", "no stop words")
        self.expect(words("-m", "nonsense", stdin=PAGE), 2, "", "nonsense")
        self.expect(words("--charset", "nonsense"), 2, "", "charset")
        self.expect(words("--jion", "x"), 2, "", "did you mean '--join'?")
        self.expect(words("-", "-"), 2, "", "only once")

    def test_stopwords_that_cannot_be_read(self):
        self.expect(words("--stopwords", "missing.txt", stdin="a"), 2, "", "missing.txt")
        self.expect(words("--stopwords", self.folder.name, stdin="a"), 2, "", "directory")

    def test_output(self):
        path = os.path.join(self.folder.name, "out.txt")
        self.expect(words("-o", path, stdin="a, b"), 0, "")
        with open(path) as file:
            self.assertEqual(file.read(), "a b\n")
        self.expect(words("-o", path, stdin="c"), 2, "", "exists")
        self.expect(words("-o", path, "--overwrite", stdin="c"), 0, "")

    # ---- Help

    def test_help(self):
        text = words("--help").stdout.decode()
        self.assertIn("--join", text)
        self.assertIn("words", subprocess.run([WINNOW, "--help"], stdout=subprocess.PIPE).stdout.decode())
        for line in text.splitlines():
            self.assertLessEqual(len(line), 80, line)

    def test_speed(self):
        text = ("The old mill by the river turns again, and they came to see it run. " * 300000).encode()
        start = time.monotonic()
        self.expect(words("--text", stdin=text), 0)
        self.assertLess(time.monotonic() - start, 10)


if __name__ == "__main__":
    sys.exit(outside.main(sys.modules[__name__]))
