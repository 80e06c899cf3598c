#!/usr/bin/env python3
"""Tests of `winnow eval`, from outside.

    tests/eval/test_eval.py WINNOW [NAME...]

Each test makes a small set of pages with gold and reads what the program says about it. The word
measure is checked against Python's own words, on made pages and, where the data set is there, on real ones.
"""
import csv
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
WINNOW = None


def word_f1(ours, gold):
    """The definition, as the WCXB benchmark has it."""
    ours, gold = (Counter(re.findall(r"\w+", text.lower())) for text in (ours, gold))
    if not ours or not gold:
        return float(ours == gold)
    return 2 * (ours & gold).total() / (ours.total() + gold.total())


def shingle_f1(ours, gold):
    """Precision, recall and F1 of one page, as the ScrapingHub benchmark has it."""
    def shingles(text):
        tokens = re.findall(r"\w+", text)
        return Counter(filter(None, (tuple(tokens[i:i + 4]) for i in range(max(1, len(tokens) - 3)))))
    ours, gold = shingles(ours), shingles(gold)
    common = (ours & gold).total()
    return common / ours.total(), common / gold.total(), 2 * common / (ours.total() + gold.total())


def winnow(*args, **options):
    return subprocess.run([WINNOW, *(a if isinstance(a, bytes) else str(a) for a in args)], capture_output=True, text=True, encoding="utf-8",
                          timeout=300, **options)


class EvalTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.set = Path(self.folder.name) / "set"
        for part in ("html", "gold"):
            (self.set / part).mkdir(parents=True)
        (self.set / "pages.jsonl").touch()

    def add_line(self, line):
        with open(self.set / "pages.jsonl", "a", encoding="utf-8") as lines:
            lines.write(line + "\n")

    def add(self, id, body, gold, **known):
        """A page whose whole visible text is `body`."""
        if body is not None:
            page = f"<!doctype html><meta charset=utf-8><p>{body}</p>"
            (self.set / f"html/{id}.html").write_text(page, encoding="utf-8")
        if gold is not None:
            (self.set / f"gold/{id}.txt").write_text(gold, encoding="utf-8")
        self.add_line(json.dumps({"id": id, **known}))

    def add_three(self):
        self.add("a", "one two three four", "one two three four", type="article", url="https://www.x.example/1")
        self.add("b", "one two three four", "one two five six", type="article", url="http://y.example/2")
        self.add("c", "cat dog", "cat dog bird mouse", type="forum", url="http://news.y.example/3")

    def eval(self, *args, code=0):
        done = winnow("eval", self.set, *args)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def json(self, *args, code=0):
        return json.loads(self.eval("-f", "json", *args, code=code).stdout)

    def rows(self, *args, code=0):
        return list(csv.DictReader(io.StringIO(self.eval("-f", "csv", *args, code=code).stdout)))

    def all_of(self, report, name="all"):
        return next(m for m in report["methods"] if m["name"] == name)["all"]


# ---- Figures -------------------------------------------------------------------------------


class FiguresTest(EvalTest):
    def test_means_and_medians(self):
        self.add_three()
        words = self.all_of(self.json("-m", "all"))["words"]
        self.assertAlmostEqual(words["f1"], (1 + 1 / 2 + 2 / 3) / 3, 5)
        self.assertAlmostEqual(words["median_f1"], 2 / 3, 5)
        self.assertAlmostEqual(words["precision"], (1 + 1 / 2 + 1) / 3, 5)
        self.assertAlmostEqual(words["recall"], (1 + 1 / 2 + 1 / 2) / 3, 5)
        self.assertLess(words["low"], words["f1"])
        self.assertGreater(words["high"], words["f1"])

    def test_types_and_sites(self):
        self.add_three()
        report = self.json("-m", "all", "--sites")
        method = report["methods"][0]
        self.assertEqual(sorted(method["types"]), ["article", "forum"])
        self.assertAlmostEqual(method["types"]["article"]["words"]["f1"], .75, 5)
        self.assertEqual({name: site["pages"] for name, site in method["sites"].items()},
                         {"x.example": 1, "y.example": 2})
        self.assertEqual(method["sites"]["x.example"]["right"], 1)
        self.assertEqual(method["sites"]["y.example"]["accuracy"], 0)
        self.assertEqual(report["content"]["all"]["all"]["pages"], 3)

    def test_right_pages_have_a_threshold(self):
        self.add_three()
        self.assertEqual(self.all_of(self.json("-m", "all"))["right"], 1)
        self.assertEqual(self.all_of(self.json("-m", "all", "--right", "0.6"))["right"], 2)

    def test_example_of_the_lineblock_paper(self):
        self.add("a", "Title Copyright Some text in", "Title Some text in the body")
        lcs = self.all_of(self.json("-m", "all"))["lcs"]
        self.assertAlmostEqual(lcs["recall"], 4 / 6, 5)
        self.assertAlmostEqual(lcs["precision"], 4 / 5, 5)
        self.assertAlmostEqual(lcs["f1"], 8 / 11, 5)

    def test_snippets(self):
        self.add("a", "One sentence here. Another one. Menu", "One sentence here. Another one.",
                 **{"with": ["one  sentence here", "not there"], "without": ["menu", "footer"]})
        figures = self.all_of(self.json("-m", "all"))
        self.assertAlmostEqual(figures["with"], 1 / 2)
        self.assertAlmostEqual(figures["without"], 1 / 2)
        self.assertAlmostEqual(figures["snippets"]["precision"], 1 / 2)
        self.assertAlmostEqual(figures["snippets"]["recall"], 1 / 2)

    def add_structured(self, id, body, gold, ending):
        """A page with gold in Markdown or HTML."""
        (self.set / f"html/{id}.html").write_text(f"<!doctype html><meta charset=utf-8>{body}", encoding="utf-8")
        (self.set / f"gold/{id}{ending}").write_text(gold, encoding="utf-8")
        self.add_line(json.dumps({"id": id}))

    def test_gold_in_markdown(self):
        page = ("<p>Text of the page.</p><pre>abcd</pre><p>Then <math><mi>x</mi></math>.</p>"
                "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>")
        self.add_structured("a", page, "Text of the page.\n\n```\nabcx\n```\n\nThen $y$.\n\n|a|b|\n|-|-|\n|1|3|\n", ".md")
        self.add_structured("b", "<p>No structure here.</p>", "No structure here.", ".md")
        figures = self.all_of(self.json("-m", "all"))
        self.assertAlmostEqual(figures["code"]["f1"], 1 - 1 / 4, 5)
        self.assertAlmostEqual(figures["formulas"]["f1"], 0, 5)
        self.assertAlmostEqual(figures["tables"]["f1"], 1 - 1 / 8, 5)
        rows = self.rows("-m", "all")
        self.assertEqual([row["code_f1"] for row in rows], ["0.750000", ""])
        self.assertEqual(rows[1]["words_f1"], "1.000000")

    def test_gold_in_html_and_other_tools(self):
        body = "<p>Some text.</p><pre>one\ntwo</pre><table><tr><th>a<th>b<tr><td>1<td>2</table>"
        self.add_structured("a", body, body, ".html")
        results = Path(self.folder.name) / "out"
        results.mkdir()
        (results / "a.md").write_text("Some text.\n\n    one\n    two\n", encoding="utf-8")
        html = Path(self.folder.name) / "html"
        html.mkdir()
        (html / "a.html").write_text(body, encoding="utf-8")
        report = self.json("-m", "all", "--results", f"md={results}", "--results", f"html={html}")
        for name in ("all", "html"):
            figures = self.all_of(report, name)
            for measure in ("words", "rouge", "code", "tables"):
                self.assertEqual(figures[measure]["f1"], 1, (name, measure))
        self.assertEqual(self.all_of(report, "md")["code"]["f1"], 1)
        self.assertEqual(self.all_of(report, "md")["tables"]["f1"], 0)

    def test_plain_gold_has_no_structure(self):
        self.add("a", "one two", "one two")
        self.assertIsNone(self.all_of(self.json("-m", "all"))["tables"]["f1"])
        self.assertNotIn("formulas", self.eval("-m", "all").stdout)

    def test_rouge(self):
        self.add("a", "a b c d e x g", "a b c d e f g")
        self.assertAlmostEqual(self.all_of(self.json("-m", "all"))["rouge"]["f1"], 1 / 3, 5)

    def test_segmented_words(self):
        """Composed and decomposed letters, soft hyphens, and ideographs of which one differs."""
        self.add("a", "caf\u00e9 cooperate \u6211\u7231\u5317\u4eac\u3002", "cafe\u0301 co\u00adoperate \u6211\u7231\u5317\u4eac\u5e02\u3002")
        plain = self.all_of(self.json("-m", "all"))["words"]["f1"]
        cut = self.all_of(self.json("-m", "all", "--segment"))["words"]["f1"]
        self.assertEqual(plain, 0)
        self.assertGreater(cut, .7)

    def test_sizes(self):
        self.add("a", "cat dog", "cat")
        figures = self.all_of(self.json("-m", "all"))
        size = (self.set / "html/a.html").stat().st_size
        self.assertEqual(figures["html_bytes"], size)
        self.assertEqual(figures["gold_bytes"], 3)
        self.assertAlmostEqual(figures["saved"], 1 - figures["text_bytes"] / size, 5)

    def test_shares_of_content(self):
        (self.set / "html/a.html").write_text("<nav>Home</nav><h1>Title</h1><p>Some text</p><hr>Imprint")
        (self.set / "gold/a.txt").write_text("Title\nSome text")
        self.add_line('{"id": "a"}')
        content = self.json("-m", "all")["content"]["all"]["all"]
        self.assertAlmostEqual(content["text"], 13 / 24, 5)
        self.assertAlmostEqual(content["tags"], 2 / 7, 5)

    def test_words_agree_with_python(self):
        """Random texts of many scripts, as the results of a tool, to 4 digits and beyond."""
        draw = random.Random(1)
        alphabets = ["abcABC", "äÖüßİıſ", "αβΣςΩ'. ", "дЖзЯ", "ไทยที่ กข", "日本語、。", "x²½①_9",
                     "\u0301\u200d\ufb01Ǆ𝔸😀"]
        texts = {}
        for number in range(200):
            def text():
                letters = draw.choice(alphabets) + draw.choice(alphabets) + " \n\u00a0"
                return "".join(draw.choice(letters) for _ in range(draw.randrange(60)))
            gold = text()
            ours = gold[:len(gold) // 2].upper() + text()
            texts[f"p{number}"] = ours, gold
            self.add(f"p{number}", "", gold)
            with open(Path(self.folder.name) / "ours.jsonl", "a", encoding="utf-8") as out:
                out.write(json.dumps({"id": f"p{number}", "text": ours}) + "\n")
        rows = self.rows("-m", "none", "--results", f"t={self.folder.name}/ours.jsonl")
        self.assertEqual(len(rows), 200)
        for row in rows:
            ours, gold = texts[row["id"]]
            self.assertAlmostEqual(float(row["words_f1"]), word_f1(ours, gold), 5, row["id"])
            if re.search(r"\w", ours) and re.search(r"\w", gold):
                figures = (float(row[f"shingles_{part}"]) for part in ("precision", "recall", "f1"))
                for found, expected in zip(figures, shingle_f1(ours, gold)):
                    self.assertAlmostEqual(found, expected, 5, row["id"])

    def test_words_agree_with_python_on_real_pages(self):
        found = subprocess.run([ROOT / "tools/data", "wcxb-dev"], capture_output=True, text=True)
        if found.returncode:
            self.skipTest("the data set wcxb-dev is not here")
        folder = Path(found.stdout.strip()) / "wcxb-dev"
        html = [folder / f"html/{json.loads(line)['id']}.html"
                for line in (folder / "pages.jsonl").read_text(encoding="utf-8").splitlines()[:150]]
        texts = winnow("extract", "-q", "-m", "auto", "-f", "jsonl", *html).stdout.splitlines()
        texts = {Path(r["id"]).stem: r.get("text") or "" for r in map(json.loads, texts)}
        done = winnow("eval", folder, "-q", "-m", "auto", "-f", "csv", "--limit", 150)
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        self.assertEqual(len(rows), 150)
        for row in rows:
            gold = (folder / f"gold/{row['id']}.txt").read_text(encoding="utf-8")
            self.assertAlmostEqual(float(row["words_f1"]), word_f1(texts[row["id"]], gold), 5, row["id"])

    def test_differences(self):
        self.add_three()
        for id in "abc":
            (Path(self.folder.name) / "out").mkdir(exist_ok=True)
            gold = (self.set / f"gold/{id}.txt").read_text()
            (Path(self.folder.name) / f"out/{id}.md").write_text(gold)
        report = self.json("-m", "all", "--results", f"best={self.folder.name}/out", "--compare", "best,all")
        difference = report["differences"][0]
        self.assertAlmostEqual(difference["difference"], (0 + 1 / 2 + 1 / 3) / 3, 5)
        self.assertEqual((difference["better"], difference["equal"], difference["worse"]), (2, 1, 0))
        self.assertGreaterEqual(difference["low"], 0)

    def test_seed_moves_intervals_only(self):
        for number in range(30):
            self.add(f"p{number}", "cat " * number, "cat " * 15)
        first, again, other = (self.all_of(self.json("-m", "all", "--seed", seed))["words"] for seed in (1, 1, 2))
        self.assertEqual(first, again)
        self.assertEqual(first["f1"], other["f1"])
        self.assertNotEqual((first["low"], first["high"]), (other["low"], other["high"]))


# ---- What is compared ----------------------------------------------------------------------


class ChoiceTest(EvalTest):
    def test_parameters_have_commas(self):
        self.add_three()
        report = self.json("-m", "lineblock:rule=all,distance=3,lineblock:rule=rescue,all")
        self.assertEqual([m["name"] for m in report["methods"]],
                         ["lineblock:rule=all,distance=3", "lineblock:rule=rescue", "all"])
        self.json("-m", "lineblock:rule=all,distance=3,all", "--compare", "lineblock:rule=all,distance=3,all")

    def test_wrong_methods(self):
        self.add_three()
        for methods, message in (("allx", "unknown method 'allx'; did you mean 'all'?"),
                                 ("all,zzzzz", "unknown method 'zzzzz'"),
                                 ("lineblock:nonsense=1", "no parameter 'nonsense'"),
                                 ("lineblock:rule=nonsense", "wrong value 'nonsense'"),
                                 ("all,all", "twice"), ("none", "nothing to compare")):
            self.assertIn(message, self.eval("-m", methods, code=2).stderr)

    def test_all_methods_by_default(self):
        self.add_three()
        names = [m["name"] for m in self.json()["methods"]]
        self.assertIn("auto", names)
        self.assertIn("all", names)

    def test_type_and_limit(self):
        self.add_three()
        self.assertEqual({r["id"] for r in self.rows("-m", "all", "--type", "article")}, {"a", "b"})
        self.assertEqual({r["id"] for r in self.rows("-m", "all", "--limit", "1")}, {"a"})
        self.assertRegex(self.eval("--type", "x", code=2).stderr, r"no page has the type 'x'; types are \w+")

    def test_folds_by_the_name_of_the_set(self):
        self.add_three()
        folds = Path(self.folder.name) / "folds"
        folds.mkdir()

        def missing(**tables):
            for name, fold in tables.items():
                (folds / f"{name}.tsv").write_text("".join(f"{id}\t{fold}\n" for id in "abc"))
            done = self.eval("-m", "auto", "--folds", folds, code=1)
            return done.stderr

        self.assertIn("folds.tsv", missing())
        self.assertIn("common.model", missing(folds="common"))
        self.assertIn("its-own.model", missing(set="its-own"))
        (folds / "set.tsv").write_text("a\t0\n")
        (folds / "0.model").touch()
        self.assertIn("no fold for the page b", self.eval("-m", "auto", "--folds", folds, code=1).stderr)

    def test_results_of_a_folder(self):
        self.add_three()
        out = Path(self.folder.name) / "out"
        out.mkdir()
        (out / "a.txt").write_text("one two three four")
        (out / "b").write_text("one two")
        (out / "stranger.txt").write_text("x")
        report = self.json("-m", "none", "--results", f"tool={out}")
        self.assertAlmostEqual(self.all_of(report, "tool")["words"]["f1"], (1 + 2 / 3 + 0) / 3, 5)
        self.assertEqual([p["name"] for p in report["problems"]["no-result"]], ["c"])
        self.assertEqual([p["name"] for p in report["problems"]["unmatched"]], ["stranger.txt"])
        self.assertNotIn("pages_per_second", report["methods"][0])

    def test_results_of_a_file(self):
        self.add_three()
        file = Path(self.folder.name) / "out.jsonl"
        file.write_text('{"id": "html/a.html", "text": "one two three four"}\n\n'
                        '{"id": "b", "articleBody": "one two five six"}\n'
                        'broken\n{"text": "no id"}\n{"id": "a", "text": "again"}\n{"id": "z"}\n')
        report = self.json("-m", "none", "--results", f"tool={file}", code=1)
        self.assertAlmostEqual(self.all_of(report, "tool")["words"]["f1"], 2 / 3, 5)
        self.assertEqual(len(report["problems"]["broken-result"]), 3)
        self.assertIn("line 4", report["problems"]["broken-result"][0]["name"])
        self.assertEqual([p["name"] for p in report["problems"]["unmatched"]], ["z"])

    def test_results_without_text(self):
        self.add_three()
        file = Path(self.folder.name) / "out.jsonl"
        file.write_text('{"id": "a", "output": "one two three four"}\n{"id": "b", "text": ["one"]}\n'
                        '{"id": "c", "text": null}\n{"id": "a", "text": "", "content": "one two three four"}\n')
        report = self.json("-m", "none", "--results", f"tool={file}", code=1)
        self.assertAlmostEqual(self.all_of(report, "tool")["words"]["f1"], 1 / 3, 5)
        self.assertEqual([p["name"][-6:] for p in report["problems"]["broken-result"]], ["line 1", "line 2"])
        self.assertEqual([p["name"] for p in report["problems"]["no-result"]], ["b", "c"])

    def test_wrong_results(self):
        self.add_three()
        self.assertIn("NAME=FOLDER", self.eval("--results", "folder", code=2).stderr)
        self.assertIn("No such file", self.eval("--results", "a=/nowhere", code=1).stderr)

    def test_wrong_usage(self):
        self.add_three()
        self.assertEqual(winnow("eval").returncode, 2)
        self.assertEqual(winnow("eval", self.set, self.set).returncode, 2)
        self.assertIn("two rows", self.eval("--compare", "auto,zzz", code=2).stderr)
        self.assertIn("--right", self.eval("--right", "7", code=2).stderr)
        self.assertIn(".svg", self.eval("--plot", "x.gif", code=2).stderr)
        self.assertIn("pages.jsonl", winnow("eval", self.folder.name).stderr)
        self.assertEqual(winnow("eval", self.folder.name).returncode, 1)


# ---- Bad data ------------------------------------------------------------------------------


class BadDataTest(EvalTest):
    def test_everything_is_named(self):
        self.add("good", "cat", "cat")
        self.add("nogold", "cat", None)
        self.add("nohtml", None, "cat")
        self.add("empty", "cat", "")
        self.add_line("{broken")
        self.add_line('{"url": "no id"}')
        self.add_line('{"id": "../escape"}')
        self.add_line('["no object"]')
        self.add_line('{"id": "good"}')
        self.add_line("")
        (self.set / "html/extra.html").write_text("x")
        done = self.eval("-m", "all", "-f", "json", code=1)
        report = json.loads(done.stdout)
        names = {kind: [p["name"] for p in list] for kind, list in report["problems"].items() if list}
        self.assertEqual(names, {"no-gold": ["nogold"], "no-html": ["nohtml"], "empty-gold": ["empty"],
                                 "broken-line": ["line 5", "line 6", "line 7", "line 8"],
                                 "repeated": ["good"], "unlisted": ["html/extra.html"]})
        self.assertEqual((report["pages"], report["scored"]), (4, 2))
        self.assertAlmostEqual(self.all_of(report)["words"]["f1"], 1 / 2)
        for name in ("nogold", "nohtml", "empty", "line 5", "html/extra.html"):
            self.assertIn(f"'{name}'", done.stderr)
        table = self.eval("-m", "all", code=1).stdout
        self.assertIn("2 of 4 pages scored", table)
        self.assertIn("pages without a gold text, not scored", table)

    def test_remarks_do_not_fail(self):
        self.add("empty", "", "")
        report = self.json("-m", "all")
        self.assertEqual(self.all_of(report)["words"]["f1"], 1)
        self.assertEqual(self.eval("-q", "-m", "all").stderr, "")

    def test_names_that_are_not_utf8(self):
        self.add("a", "cat", "cat", type="x")
        self.add("b", "cat", "cat", type="y")
        with open(os.fsencode(self.set / "html") + b"/\xff.html", "wb"):
            pass
        plot = Path(self.folder.name) / "plot.svg"
        report = self.json("-m", "none", "--plot", plot, "--results", b"t\xff=" + os.fsencode(self.set / "gold"))
        self.assertEqual(report["methods"][0]["name"], "t\ufffd")
        self.assertEqual(report["problems"]["unlisted"][0]["name"], "html/\ufffd.html")
        xml.etree.ElementTree.parse(plot)

    def test_figures_that_are_not_defined(self):
        self.add("a", "cat", "cat")
        (self.set / "html/a.html").write_text("")
        text = self.eval("-m", "auto,all", "--compare", "auto,all", "--measure", "snippets").stdout
        self.assertNotIn("nan", text)
        self.assertNotIn("Speed", self.eval("-m", "none", "--results", f"x={self.set / 'gold'}").stdout)

    def test_no_pages(self):
        self.assertIn("0 of 0 pages", self.eval("-m", "all", code=1).stdout)
        self.json("-m", "all", code=1)
        self.assertEqual(self.rows("-m", "all", code=1), [])

    def test_a_page_that_is_none(self):
        self.add("pdf", None, "cat")
        (self.set / "html/pdf.html").write_bytes(b"%PDF-1.7\n\x00\x01\x02" * 100)
        report = self.json("-m", "all", code=1)
        self.assertEqual(report["problems"]["no-text"][0], {"name": "pdf", "detail": "all: not-html"})
        self.assertEqual(self.all_of(report)["words"]["f1"], 0)

    def test_gold_that_is_not_utf8(self):
        self.add("a", "cat dog", None)
        (self.set / "gold/a.txt").write_bytes(b"cat \xff\xfe dog")
        self.assertEqual(self.all_of(self.json("-m", "all"))["words"]["f1"], 1)


# ---- Output --------------------------------------------------------------------------------


class OutputTest(EvalTest):
    def test_table(self):
        self.add_three()
        table = self.eval("-m", "all,auto", "--details", "--sites", "--compare", "all,auto").stdout
        for part in ("words", "95% interval", "by type", "article", "Sizes", "pages/s", "MB/s", "y.example",
                     "accuracy", "Differences", "How much of a page is content"):
            self.assertIn(part, table)
        self.assertRegex(table, r"(?m)^all +3 +0\.7222 ")

    def test_measure_that_leads(self):
        self.add("a", "a b c d", "d c b a")
        self.assertRegex(self.eval("-m", "all", "--measure", "lcs").stdout, r"(?m)^all +1 +0\.2500 ")
        self.assertRegex(self.eval("-m", "all", "--measure", "words").stdout, r"(?m)^all +1 +1\.0000 ")

    def test_markdown(self):
        self.add_three()
        self.add("d", "x", "x", type="a|b")
        text = self.eval("-m", "all", "-f", "md", "--worst", "1").stdout
        self.assertIn("| method | pages | F1 |", text)
        self.assertIn("a\\|b", text)
        for block in text.split("\n\n"):
            rows = [line for line in block.splitlines() if line.startswith("|")]
            self.assertLessEqual(len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}), 1)

    def test_csv(self):
        self.add_three()
        self.add("q", "x", "x", type='a "quoted", type')
        rows = self.rows("-m", "all,auto")
        self.assertEqual(len(rows), 8)
        self.assertEqual(rows[-1]["type"], 'a "quoted", type')
        self.assertEqual(float(rows[0]["words_f1"]), 1)
        self.assertGreater(float(rows[0]["ms"]), 0)

    def test_csv_without_formulas(self):
        self.add("a", "one two", "one two", type="=1+2", url="https://x.example/")
        self.assertEqual(self.rows("-m", "all")[0]["type"], "=1+2")
        self.assertEqual(self.rows("-m", "all", "--csv-safe")[0]["type"], "'=1+2")

    def test_worst(self):
        self.add_three()
        worst = self.json("-m", "all", "--worst", "2")["worst"]
        self.assertEqual([w["id"] for w in worst], ["b", "c"])
        self.assertEqual((worst[0]["missed"], worst[0]["wrong"]), ("five six", "three four"))
        self.assertEqual((worst[0]["missed_words"], worst[0]["gold_words"]), (2, 4))
        self.assertIn("missed 2 of 4 words: five six", self.eval("-m", "all", "--worst", "2").stdout)

    def test_plot(self):
        self.add_three()
        self.add("d", "x", "x", type="<&>")
        file = Path(self.folder.name) / "plot.svg"
        self.eval("-m", "all,auto", "--plot", file)
        tree = xml.etree.ElementTree.parse(file)
        self.assertIn("<&>", [e.text for e in tree.iter("{http://www.w3.org/2000/svg}text")])
        self.assertIn("exists", self.eval("-m", "all", "--plot", file, code=2).stderr)
        self.eval("-m", "all", "--plot", file, "--overwrite")

    def test_the_legend_of_a_plot_is_small(self):
        """Names are side by side: twelve methods do not take a quarter of the picture."""
        self.add_three()
        file = Path(self.folder.name) / "plot.svg"
        methods = ["all"] + [f"bte:clean={clean},search={search}" for clean in ("yes", "no") for search in ("linear", "improved")]
        methods += [f"lineblock:distance={d}" for d in range(7)]
        self.eval("-m", ",".join(methods), "--plot", file)
        root = xml.etree.ElementTree.parse(file).getroot()
        names = [text for text in root.iter("{http://www.w3.org/2000/svg}text") if text.text in methods[1:]]  # "all" is a type, too
        self.assertEqual(len(names), len(methods) - 1)
        lines = {float(text.get("y")) for text in names}
        self.assertLess(max(lines) - min(lines), float(root.get("height")) / 4)
        self.assertLess(len(lines), len(names))

    def test_names_in_the_comparison_do_not_overlap(self):
        from importlib import machinery, util

        loader = machinery.SourceFileLoader("compare", str(ROOT / "bench/compare"))
        compare = util.module_from_spec(util.spec_from_loader("compare", loader))
        loader.exec_module(compare)
        points = [(200 + 3 * i, 100 + 4 * (i % 3), f"extractor-{i}") for i in range(6)]
        boxes = []
        for (x, y, anchor), (_, _, name) in zip(compare.place_labels(points, 760, 460), points):
            start = x - {"start": 0, "middle": 3.5, "end": 7}[anchor] * len(name)
            boxes.append((start, y - 10, start + 7 * len(name), y + 3))
        for i, a in enumerate(boxes):
            for b in boxes[:i]:
                self.assertTrue(a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3], (a, b))

    def test_plot_in_other_forms(self):
        self.add_three()
        for form, start in (("png", b"\x89PNG\r\n"), ("pdf", b"%PDF-")):
            file = Path(self.folder.name) / ("plot." + form)
            done = winnow("eval", "-m", "all,auto", "--plot", file, self.set)
            if done.returncode == 1 and "without cairo" in done.stderr:
                self.skipTest("built without cairo and Pango")
            self.assertEqual((done.returncode, file.read_bytes()[:len(start)]), (0, start), done.stderr)

    def test_output_file(self):
        self.add_three()
        file = Path(self.folder.name) / "report.json"
        done = self.eval("-m", "all", "-f", "json", "-o", file)
        self.assertEqual(done.stdout, "")
        self.assertEqual(json.loads(file.read_text())["scored"], 3)

    def test_same_for_every_number_of_jobs(self):
        for number in range(40):
            self.add(f"p{number}", "cat dog " * number, "cat bird " * (number % 7), type="ab"[number % 2])
        for format in ("table", "md", "json", "csv"):
            options = ("-f", format, "--no-timing", "--sites", "--details", "--worst", "3", "--compare", "auto,all")
            reports = {self.eval("-j", jobs, *options).stdout for jobs in (1, 2, 7)}
            self.assertEqual(len(reports), 1, format)

    def test_a_method_that_was_trained_on_the_set_is_told(self):
        self.add_three()
        told = "Trained on these very pages: auto, auto:lean=recall. Expect less on other pages"
        methods = ["-m", "auto,all,auto:lean=recall"]
        self.assertNotIn("Trained on", self.eval(*methods).stdout)
        self.set = self.set.rename(self.set.parent / "wcxb-dev")
        self.assertIn(told, self.eval(*methods).stdout)
        self.assertIn(told, self.eval("-f", "md", *methods).stdout)
        self.assertEqual([row["trained_on_set"] for row in self.json(*methods)["methods"]], [True, False, True])

    def test_the_sets_of_the_model_are_those_it_was_trained_on(self):
        model = (ROOT / "src/auto/model_data.c").read_text()[:4000]
        listed = re.findall(r'"([\w-]+)"', re.search(r"wn_auto_model_sets\[\] = {(.*?)}", model, re.DOTALL).group(1))
        told = re.search(r"Trained on the (?:\d+ )?pages of (.*?); seed", model, re.DOTALL).group(1)
        self.assertGreater(len(listed), 3)
        self.assertEqual([name for name in listed if not re.search(rf"(?<![\w-]){name}(?![\w-])", told)], [])
        makefile = (ROOT / "Makefile").read_text()
        known = " ".join(re.findall(r"^(?:MAIN_SET|EARLY_SETS|STORY_SETS|ITEM_SETS) = (.*)$", makefile, re.MULTILINE)).split()
        self.assertEqual(listed, known)

    def test_progress_and_quiet(self):
        self.add_three()
        self.assertIn("3 pages: 3 done", self.eval("-m", "all", "--progress").stderr)
        self.assertEqual(self.eval("-m", "all").stderr, "")


def main():
    global WINNOW
    args = [arg for arg in sys.argv[1:] if arg != "-v"]
    if not args:
        sys.exit(__doc__)
    WINNOW = os.path.abspath(args[0])
    suite = unittest.TestSuite(test for group in unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
                               for test in group if not args[1:] or any(name in test.id() for name in args[1:]))
    result = unittest.TextTestRunner(verbosity=2 if "-v" in sys.argv else 1).run(suite)
    failed, skipped = len(result.failures) + len(result.errors), len(result.skipped)
    print(f"{result.testsRun - failed - skipped} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
