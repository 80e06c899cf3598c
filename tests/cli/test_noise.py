#!/usr/bin/env python3
"""Noise of a collection from the outside: noise words, redundant pages, site templates.

    test_noise.py build/winnow [-v] [NAME...]

Ends with a line "N passed, N failed, N skipped".
"""

import csv
import io
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import unittest

WINNOW = "winnow"
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests/support"))
import outside  # noqa: E402

WORDS = """mill river village stone bridge water wheel grain flour market harvest winter summer autumn
spring meadow forest timber carpenter smith baker farmer wagon horse saddle lantern candle window garden
orchard apple cherry barley wheat barn cellar kitchen hearth copper silver kettle ladder rope anchor sail
harbour lighthouse fisher net island shore pebble gull storm thunder cloud valley mountain glacier""".split()


def winnow(*args, stdin=b""):
    return subprocess.run([WINNOW, *map(str, args)], input=stdin, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=120)


def story(seed, words=120):
    pick = random.Random(seed)
    return " ".join(pick.choice(WORDS) for _ in range(words))


class Noise(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.store = os.path.join(self.folder, "test.db")

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def page(self, name, text, title="A title"):
        menu = "".join(f"<li>Subscribe share {word}" for word in ("home", "sport", "weather") * 4)
        self.write(name, f"<!doctype html><html lang=en><title>{title}</title><ul>{menu}</ul>"
                         f"<article><h1>{title}</h1><p>{text}</p></article>"
                         "<p>Sign up for the letter that everybody reads at breakfast today</p></html>")

    def pages(self, count=12):
        for i in range(count):
            label = "science" if i % 2 else "health"
            self.page(f"pages/{label}/{i:02}.html", story(i), f"Story {i}")
        return os.path.join(self.folder, "pages")

    def run_well(self, *args, **more):
        result = winnow(*args, **more)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return result.stdout.decode()

    def add(self, *args):
        self.run_well("corpus", "add", self.store, "-q", *args)

    # ---- Noise words

    def test_outliers(self):
        self.add("-m", "all", self.pages())
        rows = list(csv.DictReader(io.StringIO(self.run_well(
            "corpus", "outliers", self.store, "-n", 2, "-k", 5, "-f", "csv", "-q"))))
        self.assertEqual({row["word"] for row in rows}, {"share", "subscrib"})
        share = next(row for row in rows if row["word"] == "share")
        self.assertEqual(share["total"], "144")
        self.assertEqual(share["documents"], "12")
        self.assertEqual(share["labelled"], "12")
        self.assertEqual(share["science"], "72")
        self.assertEqual(share["outlier"], "true")
        self.assertEqual(float(share["tfidf"]), 0)
        kept = self.run_well("corpus", "outliers", self.store, "--stored", "-f", "csv", "-q")
        self.assertEqual({row["word"] for row in csv.DictReader(io.StringIO(kept))},
                         {"share", "subscrib"})

    def test_stems_are_written_without_them(self):
        self.add("-m", "all", self.pages())
        self.assertIn("subscrib", self.run_well("corpus", "show", self.store, 1, "--stems"))
        self.run_well("corpus", "outliers", self.store, "-n", 2, "-q")
        page = json.loads(self.run_well("corpus", "show", self.store, 1, "--stems", "-f", "jsonl"))
        self.assertIn("Subscribe", page["text"])
        self.assertNotIn("subscrib", page["stems"].split())
        self.assertIn("mill", page["stems"].split())
        exported = self.run_well("corpus", "export", self.store, "--stems", "-f", "jsonl")
        self.assertEqual(json.loads(exported.splitlines()[0])["stems"], page["stems"])
        found = self.run_well("corpus", "search", self.store, "subscribe", "-f", "jsonl")
        self.assertEqual(len(found.splitlines()), 10)  # people still find what they read

    MINED = ("The runners were running for 20 miles, and the 3rd of them wasn't over it.",
             "runner run mile rd")

    def test_stems_are_the_papers_document(self):
        """Sections 3.2.2 to 3.2.4: tokens at non-letters, stems, no stop words; the text stays whole."""
        text, stems = self.MINED
        page = self.write("page.html", f"<!doctype html><html lang=en><title>T</title><p>{text}</p></html>")
        self.add("-m", "all", page)
        self.assertEqual(self.run_well("corpus", "show", self.store, 1, "--stems").splitlines()[-1], stems)
        exported = json.loads(self.run_well("corpus", "export", self.store, "--stems", "-f", "jsonl"))
        self.assertEqual(exported["stems"], stems)
        self.assertIn(text, exported["text"])
        db = sqlite3.connect(self.store)
        self.assertEqual(db.execute("SELECT stems FROM texts").fetchone(), (stems,))
        db.close()
        # Searches still know every word, and phrases with stop words and numbers.
        for words in ("20", '"running for 20 miles"', "were"):
            found = self.run_well("corpus", "search", self.store, words, "-f", "jsonl")
            self.assertEqual(len(found.splitlines()), 1, words)
        # More stop words: of the word itself, and of its stem.
        self.add("-m", "all", "--stopwords", self.write("stop.txt", "Miles\nrun\n"), page)
        self.assertEqual(self.run_well("corpus", "show", self.store, 1, "--stems").splitlines()[-1], "runner rd")

    def test_a_store_of_an_older_winnow_gets_them(self):
        text, stems = self.MINED
        page = self.write("page.html", f"<!doctype html><html lang=en><title>T</title><p>{text}</p></html>")
        self.add("-m", "all", page)
        db = sqlite3.connect(self.store)
        db.executescript("ALTER TABLE texts DROP COLUMN stems; ALTER TABLE texts RENAME COLUMN all_stems TO stems;"
                         "UPDATE meta SET value = '3' WHERE name = 'version'")
        db.close()
        self.assertEqual(self.run_well("corpus", "show", self.store, 1, "--stems").splitlines()[-1], stems)
        self.assertIn("20", self.run_well("corpus", "search", self.store, "20"))

    def test_conditions(self):
        self.add("-m", "all", self.pages())
        self.run_well("corpus", "outliers", self.store, "-n", 2, "-q")

        def rows(*args):
            out = self.run_well("corpus", "outliers", self.store, "--stored", "-f", "json", "-q", *args)
            return json.loads(out)["rows"]

        everything = rows("--where", "total >= 1")
        self.assertGreater(len(everything), 30)
        self.assertEqual([row["word"] for row in rows("--where", "word = mill")], ["mill"])
        self.assertEqual(len(rows("--where", "outlier = false")), len(everything) - 2)
        self.assertEqual(len(rows("--drop", "outliers")), len(everything) - 2)
        some = rows("--where", "documents >= 12", "--where", "outlier=true")
        self.assertEqual({row["word"] for row in some}, {"share", "subscrib"})
        self.assertEqual(len(rows("--where", "science > 71")), 2)
        for wrong in ("total", "total > many", "nothing = 1", "outlier = 1", "= 3", ""):
            result = winnow("corpus", "outliers", self.store, "--stored", "--where", wrong)
            self.assertEqual(result.returncode, 2, wrong)

    def test_unknown_labels_and_attributes(self):
        pages = self.pages()
        self.add("-m", "all", pages)
        self.add("-m", "all", "--label", "", self.write("loose.html", "<html lang=en><p>quagmire mill</p></html>"))

        def words(*args):
            out = self.run_well("corpus", "outliers", self.store, "-f", "json", "-q", "--where", "total >= 0", *args)
            return {row["word"] for row in json.loads(out)["rows"]}

        everything = words()
        self.assertIn("quagmir", everything)
        # A word that only pages without a label have.
        self.assertEqual(everything - words("--drop", "unknown-label"), {"quagmir"})
        # Nothing is missing until something is.
        self.assertEqual(words("--stored", "--drop", "unknown-attributes"), everything)
        db = sqlite3.connect(self.store)
        db.execute("UPDATE words SET documents = 0 WHERE word = 'mill'")
        db.execute("UPDATE words SET tfidf = 9e999 WHERE word = 'river'")
        db.commit()
        db.close()
        self.assertEqual(everything - words("--stored", "--drop", "unknown-attributes"), {"mill", "river"})
        self.assertEqual(everything - words("--stored", "--drop", "unknown-attributes", "--drop", "unknown-label"),
                         {"mill", "river", "quagmir"})
        self.assertEqual(winnow("corpus", "outliers", self.store, "--drop", "unknown").returncode, 2)

    def test_plots(self):
        self.add("-m", "all", self.pages())
        before, after = os.path.join(self.folder, "before.svg"), os.path.join(self.folder, "after.svg")
        self.run_well("corpus", "outliers", self.store, "-n", 2, "--plot", before, "-q")
        self.run_well("corpus", "outliers", self.store, "-n", 2, "--drop", "outliers", "--plot", after, "-q")
        self.assertIn("2 outliers", open(before, encoding="utf-8").read())
        self.assertNotIn("outliers", open(after, encoding="utf-8").read())

    def test_extract(self):
        pages = self.pages()
        for i in range(12):  # long enough to be kept, were it not for the outliers
            self.page(f"pages/{'science' if i % 2 else 'health'}/{i:02}.html",
                      story(i) + "<p>Subscribe share subscribe share subscribe now</p>", f"Story {i}")
        out = self.run_well("extract", "-q", "-m", "outlier:n=0", pages)
        self.assertEqual(out.count("Subscribe share subscribe share"), 12)
        out = self.run_well("extract", "-q", "-m", "outlier:n=2", pages)
        self.assertNotIn("Subscribe share subscribe share", out)
        self.assertIn(story(3)[:40], out)
        one = os.path.join(pages, "science", "03.html")
        result = winnow("extract", "-m", "outlier", one)
        self.assertEqual(result.returncode, 2)
        self.assertIn("needs a collection", result.stderr.decode())
        self.add("-m", "all", pages)
        self.run_well("corpus", "outliers", self.store, "-n", 2, "-q")
        self.assertNotIn("Subscribe share", self.run_well("extract", "-m", "outlier", "--store", self.store, one))

    def test_words_and_clouds_of_a_collection(self):
        """They read their inputs twice, or learn from a store, as extract does."""
        folder = self.pages()
        for i in range(12):
            self.page(f"pages/{'science' if i % 2 else 'health'}/{i:02}.html",
                      story(i) + "<p>Subscribe share subscribe share subscribe now</p>", f"Story {i}")
        one = os.path.join(folder, "science", "03.html")
        outlier = ["-m", "outlier:n=2"]
        self.assertNotIn("Subscribe", self.run_well("words", *outlier, folder))
        self.assertIn("Subscribe", self.run_well("words", "-m", "outlier:n=0", folder))
        self.assertNotIn("ubscribe", self.run_well("cloud", "-q", "-f", "csv", "-n", 500, *outlier, folder))
        self.assertIn("ubscribe", self.run_well("cloud", "-q", "-f", "csv", "-n", 500, "-m", "outlier:n=0", folder))
        self.add("-m", "all", folder)
        self.run_well("corpus", "outliers", self.store, "-n", 2, "-q")
        stored = ["-m", "outlier", "--store", self.store, one]
        self.assertNotIn("Subscribe", self.run_well("words", *stored))
        self.assertNotIn("ubscribe", self.run_well("cloud", "-f", "csv", "-n", 500, *stored))
        for command in (["words"], ["cloud", "-f", "csv"]):
            result = winnow(*command, *outlier, one)
            self.assertEqual(result.returncode, 2)
            self.assertIn("needs a collection", result.stderr.decode())
            self.assertEqual(winnow(*command, "--store", self.store, one).returncode, 2)  # what for?

    def test_stop_words_of_a_file(self):
        page = self.write("pages/1.html", "<html lang=en><p>meadow meadow lantern kettle the harbour</p></html>")
        self.write("pages/2.html", "<html lang=en><p>another page of the collection, with words</p></html>")
        stop = self.write("stop.txt", "Lantern\n")
        skip = ["-q", "-f", "jsonl", "-m", "outlier:n=0,stopwords=skip", os.path.dirname(page)]
        self.assertIn("meadow", self.run_well("extract", *skip))
        self.assertNotIn("meadow", self.run_well("extract", *skip, "--stopwords", stop))
        for method, why in (("outlier", "add --param stopwords=skip"), ("outlier:stopwords=count", "stopwords=skip"),
                            ("bte", "does not apply to the method bte, only to: lineblock, outlier"), ("xpath", "lineblock, outlier"),
                            ("auto", "lineblock, outlier")):
            result = winnow("extract", "-m", method, "--stopwords", stop, os.path.dirname(page))
            self.assertEqual(result.returncode, 2, method)
            self.assertIn(why, result.stderr.decode())
        result = winnow("extract", "-m", "bte", "--footer-words", stop, page)
        self.assertIn("does not apply to the method bte, only to: xpath", result.stderr.decode())

    def test_jobs_do_not_matter(self):
        pages = self.pages()
        runs = {self.run_well("extract", "-q", "-f", "jsonl", "-j", jobs, "-m", "outlier", "--site", pages)
                for jobs in (1, 2, 5)}
        self.assertEqual(len(runs), 1)

    # ---- Site templates

    def test_site(self):
        pages = self.pages()
        self.assertIn("Sign up for the letter", self.run_well("extract", "-q", "-m", "all", pages))
        out = self.run_well("extract", "-q", "-m", "all", "--site", pages)
        self.assertNotIn("Sign up for the letter", out)
        self.assertIn(story(3)[:40], out)
        result = winnow("extract", "--site", os.path.join(pages, "science", "03.html"))
        self.assertEqual(result.returncode, 2)
        self.assertEqual(winnow("extract", "--site", "-", stdin=b"<p>x").returncode, 2)

    def test_site_of_a_store(self):
        pages = self.pages()
        self.add("-m", "all", pages)
        one = os.path.join(pages, "science", "03.html")
        out = self.run_well("extract", "-m", "all", "--site", "--store", self.store, one)
        self.assertNotIn("Sign up for the letter", out)

    def test_corpus_add_site(self):
        pages = self.pages()
        self.add("-m", "all", "--site", pages)
        rows = json.loads(self.run_well("corpus", "outliers", self.store, "--where", "word = letter",
                                        "-f", "json", "-q"))["rows"]
        self.assertEqual(rows, [])

    # ---- Redundant pages

    def dedup(self, *args):
        return json.loads(self.run_well("corpus", "dedup", self.store, "-f", "json", *args))

    def test_dedup(self):
        for i in range(6):
            self.page(f"pages/{i}.html", story(i, 300))
        self.page("pages/7.html", story(2, 300))             # a copy
        self.page("pages/8.html", story(4, 300) + " omega")  # nearly one
        self.add(os.path.join(self.folder, "pages"))
        report = self.dedup("--dry-run")
        self.assertEqual((report["pages"], report["clusters"], report["copies"]), (8, 2, 2))
        self.assertEqual(self.dedup("--exact", "--dry-run")["copies"], 1)
        self.assertEqual(self.dedup("--threshold", "1", "--dry-run")["copies"], 1)
        lines = self.run_well("corpus", "dedup", self.store, "-f", "csv", "--keep", "longest").splitlines()
        self.assertEqual(len(lines), 3)
        # The longer page is kept, and what is a copy has no part in statistics.
        self.assertEqual({line.split(",")[0] for line in lines[1:]}, {"5", "7"})
        words = json.loads(self.run_well("corpus", "outliers", self.store, "-q", "-f", "json"))
        self.assertEqual(words["documents"], 6)
        # Looking again changes nothing; other options mark other pages.
        self.assertEqual(self.dedup("--keep", "longest")["copies"], 2)
        self.dedup("--exact")
        words = json.loads(self.run_well("corpus", "outliers", self.store, "-q", "-f", "json"))
        self.assertEqual(words["documents"], 7)
        self.dedup("--delete")
        self.assertEqual(self.dedup()["pages"], 6)

    def test_equations_2_and_3(self):
        """As printed, and what they should be: a relevant page that is lost makes the print exceed 1."""
        for i in range(6):
            self.page(f"pages/{'ab'[i % 2]}/{i}.html", story(i, 300))
        self.page("pages/a/7.html", story(2, 300))             # a copy
        self.page("pages/b/8.html", story(4, 300) + " omega")  # nearly one of a page of the other label
        self.add(os.path.join(self.folder, "pages"))

        def rows(*args):
            return {row["label"]: (row["before"], row["after"]) for row in self.dedup("--report", "--dry-run", *args)["report"]}

        # Without a list every different text is relevant: 7 of 8 pages, and one of them is taken for a copy.
        before, after = rows()[None]
        self.assertEqual((before["pages"], before["relevant"], after["pages"], after["relevant"]), (8, 7, 6, 6))
        self.assertEqual((before["equation_2"], before["equation_3"]), (7 / 8, 1))
        self.assertEqual((after["equation_2"], after["equation_3"]), (7 / 6, 7 / 6))
        self.assertEqual((after["precision"], after["recall"]), (1, 6 / 7))
        self.assertEqual(rows()["b"][1]["recall"], 3 / 4)
        # With one, the near copy is not a document of its own.
        pages = sorted(json.loads(line)["source"] for line in
                       self.run_well("corpus", "list", self.store, "-f", "jsonl").splitlines())
        names = {"7": "2", "8": "4"}
        listed = self.write("relevant.tsv", "".join(
            f"{page}\t{names.get(page[-6], page[-6])}\n" for page in pages if page[-6] != "5"))
        before, after = rows("--relevant", listed)[None]
        self.assertEqual((before["relevant"], after["relevant"]), (5, 5))  # nobody needs page 5
        self.assertEqual((before["equation_2"], before["equation_3"]), (5 / 8, 1))
        self.assertEqual((after["equation_2"], after["equation_3"]), (5 / 6, 1))
        self.assertEqual((after["precision"], after["recall"]), (5 / 6, 1))
        table = self.run_well("corpus", "dedup", self.store, "--dry-run", "--report")
        self.assertIn("equation 2", table)
        self.assertEqual(table.strip().splitlines()[-1].split()[:5], ["all", "8", "6", "7", "6"])
        empty = self.write("nothing.tsv", "# no page\n")
        for wrong in (["--relevant", listed], ["--report", "-f", "csv"], ["--report", "--relevant", "none.tsv"],
                      ["--report", "--relevant", empty]):
            self.assertEqual(winnow("corpus", "dedup", self.store, *wrong).returncode, 2, wrong)

    def test_dedup_by_attributes(self):
        for i in range(4):
            self.page(f"pages/{i}.html", story(i), title="The same title" if i < 3 else "Another")
        self.add(os.path.join(self.folder, "pages"))
        self.assertEqual(self.dedup("--by", "title", "--exact", "--dry-run")["copies"], 2)
        self.assertEqual(self.dedup("--by", "title,text", "--exact", "--dry-run")["copies"], 0)
        plot = os.path.join(self.folder, "sizes.svg")
        self.dedup("--by", "title", "--exact", "--dry-run", "--plot", plot)
        self.assertIn("<svg", open(plot, encoding="utf-8").read())
        for wrong in (["--by", "colour"], ["--by", ""], ["--threshold", "2"], ["--threshold", "x"],
                      ["--plot", "x.gif"], ["--plot", plot], ["--bands", "256", "--rows", "64"]):
            self.assertEqual(winnow("corpus", "dedup", self.store, *wrong).returncode, 2, wrong)

    def test_no_store(self):
        for command in ("outliers", "dedup"):
            result = winnow("corpus", command, os.path.join(self.folder, "none.db"))
            self.assertEqual(result.returncode, 1)
            self.assertIn("none.db", result.stderr.decode())

    # ---- Measures by label

    def test_labels(self):
        folder = os.path.join(self.folder, "set")
        lines = []
        for i in range(4):
            self.page(f"set/html/{i}.html", story(i))
            self.write(f"set/gold/{i}.txt", story(i))
            lines.append(json.dumps({"id": str(i), "type": "science" if i % 2 else "health"}))
        self.write("set/pages.jsonl", "\n".join(lines) + "\n")
        plot = os.path.join(self.folder, "labels.svg")
        out = self.run_well("eval", "-q", "--no-timing", "-m", "all,outlier:n=2,k=5", "--labels",
                            "--label-plot", plot, folder)
        rows = [line.split() for line in out.split("by label\n")[1].split("\n\n")[0].splitlines()]
        self.assertEqual(rows[0][2:], ["documents", "accuracy", "precision", "recall", "specificity"])
        self.assertEqual(rows[1][:3], ["all", "health", "2"])
        self.assertEqual(rows[1][5:], ["100.0", "0.0"])  # all content is kept, and all noise
        self.assertIn("specificity", open(plot, encoding="utf-8").read())
        record = json.loads(self.run_well("eval", "-q", "-f", "json", "-m", "all", "--labels", folder))
        self.assertEqual(record["methods"][0]["all"]["blocks"]["recall"], 1)


if __name__ == "__main__":
    sys.exit(outside.main(sys.modules[__name__]))
