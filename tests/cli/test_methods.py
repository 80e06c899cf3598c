#!/usr/bin/env python3
"""Methods and their parameters on the command line.

    tests/cli/test_methods.py WINNOW
"""

import os
import subprocess
import sys
import tempfile
import unittest

WINNOW = sys.argv.pop(1) if len(sys.argv) > 1 else "build/winnow"
PAGE = """<html lang=en><title>Bladder cancer: Exciting drug break</title><body>
<ul><li><a href=1>Home</a></li><li><a href=2>Health</a></li></ul>
<p>A new drug against bladder cancer has helped many patients in a trial.</p>
<p>The doctors were surprised by how well their patients felt after a week.</p>
<form><p>Subscribe to our letter and never miss a story again.</p></form>
<p>Made by nobody.</p></body>"""


class Methods(unittest.TestCase):
    def extract(self, *options, page=PAGE):
        return subprocess.run([WINNOW, "extract", *options], input=page.encode(), capture_output=True, timeout=60)

    def text(self, *options, page=PAGE):
        done = self.extract(*options, page=page)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode()

    def expect_wrong(self, message, *options):
        done = self.extract(*options)
        self.assertEqual(done.returncode, 2)
        self.assertIn(message, done.stderr.decode())
        self.assertEqual(done.stdout, b"")

    def test_parameters_behind_the_name_and_as_options(self):
        expected = self.text("-m", "lineblock:rule=all")
        self.assertNotIn("doctors", expected)
        self.assertEqual(self.text("-m", "lineblock", "--rule", "all"), expected)
        self.assertEqual(self.text("-m", "lineblock", "--param", "rule=all"), expected)
        self.assertEqual(self.text("-m", "lineblock:rule=rescue", "--rule=all"), expected)
        self.assertIn("doctors", self.text("-m", "lineblock"))

    def test_searches_of_bte_give_the_same_text(self):
        linear = self.text("-m", "bte")
        self.assertIn("doctors", linear)
        self.assertEqual(self.text("-m", "bte", "--search", "improved"), linear)
        self.assertEqual(self.text("-m", "bte", "--search", "original"), linear)

    def test_original_refuses_large_pages(self):
        done = self.extract("-m", "bte", "--search", "original", page="<p>" + "word " * 6000)
        self.assertEqual(done.returncode, 1)
        self.assertIn("too large", done.stderr.decode())

    def test_forms_and_footers_of_xpath(self):
        self.assertNotIn("Subscribe", self.text("-m", "xpath"))
        self.assertIn("Subscribe", self.text("-m", "xpath", "--keep-form"))
        self.assertIn("Made by", self.text("-m", "xpath"))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "words")
            with open(path, "w", encoding="utf-8") as file:
                file.write("# ours\nmade by\n")
            self.assertNotIn("Made by", self.text("-m", "xpath", "--footer-words", path))
        self.expect_wrong("cannot read the footer words", "-m", "xpath", "--footer-words", "/no/such/file")

    def test_stop_words_of_lineblock(self):
        page = "<title>Bladder cancer: a new drug</title><body><h4>A drug</h4><h4>Cancer and drug</h4>"
        self.assertIn(b"Cancer and drug", self.extract("-m", "lineblock", page=page).stdout)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "words")
            with open(path, "w", encoding="utf-8") as file:
                file.write("Drug\n")
            done = self.extract("-m", "lineblock", "--stopwords", path, page=page)
            self.assertEqual(done.returncode, 3)
        self.expect_wrong("cannot read the stop words", "-m", "lineblock", "--stopwords", "/no/such/file")

    def test_wrong_parameters(self):
        self.expect_wrong("unknown method 'lineblok'; did you mean 'lineblock'?", "-m", "lineblok:rule=all")
        self.expect_wrong("the method lineblock has no parameter 'rul'; did you mean 'rule'?",
                          "-m", "lineblock:rul=all")
        self.expect_wrong("wrong value 'al' for the parameter rule; did you mean 'all'?",
                          "-m", "lineblock", "--rule", "al")
        self.expect_wrong("expected a number from 0 to 2", "-m", "lineblock:attr=3")
        self.expect_wrong("--search does not apply to the method auto, only to: bte", "--search", "linear")
        self.expect_wrong("--precision does not apply to the method bte, only to: auto", "-m", "bte", "--precision")
        self.expect_wrong("--precision and --recall exclude each other", "--precision", "--recall")
        self.expect_wrong("--store has no effect with the method auto", "--store", "x.db")

    def test_thresholds_of_lineblock_are_explained(self):
        explained = self.text("-m", "lineblock:thresholds=sigma,lambda_ttr=0.5", "--explain")
        self.assertRegex(explained, r"(?m)^TTR  above τ = [\d.]+ = λσ with λ = 0.5, σ = [\d.]+$")
        self.assertNotIn("\n\n\n", explained)

    def test_the_list_of_methods(self):
        listing = self.text("-m", "help")
        for word in ("lineblock:", "distance", "bte:", "search", "xpath:", "keep_form", "(default: linear)"):
            self.assertIn(word, listing)


if __name__ == "__main__":
    unittest.main()
