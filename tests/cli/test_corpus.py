#!/usr/bin/env python3
"""`winnow corpus` from the outside, on SQLite and on PostgreSQL.

    test_corpus.py build/winnow [-v] [NAME...]

The same tests run on both databases, and every command that prints is run on both and must print the
same. WINNOW_KILLS is how often `corpus add` is killed (default 6; `make kill-test` says 50). Ends with a
line "N passed, N failed, N skipped".
"""

import csv
import gzip
import io
import json
import os
import random
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "support"))
import postgres  # noqa: E402

WINNOW = "winnow"
KILLS = int(os.environ.get("WINNOW_KILLS", "6"))
SERVER = None
NO_SERVER = ""

PAGE = """<!doctype html><html lang="{language}"><head><title>{title}</title>
<link rel="canonical" href="{url}"><meta name="author" content="{author}">
<meta property="article:published_time" content="{date}"></head>
<body><nav><a href="/">Home</a> <a href="/news">News</a></nav>
<article><h1>{title}</h1>{text}</article></body></html>"""

ENGLISH = ("<p>The old mill by the river turns again, and the whole village came to see it run on a "
           "bright morning in May.</p><p>The miller grinds wheat for three bakeries, and the wind carries "
           "the smell of bread over the fields to the church.</p>")
GERMAN = ("<p>Die alten Häuser am Fluss sind wieder bewohnt, und die Kinder spielen auf den Wiesen vor "
          "der Mühle, die seit dem Krieg nicht mehr gemahlen hat.</p>")
THAI = "<p>ตลาดน้ำแห่งนี้เปิดทุกวันเสาร์และอาทิตย์ นักท่องเที่ยวชอบมาซื้อผลไม้และกินก๋วยเตี๋ยวเรือที่ริมแม่น้ำ</p>"
CHINESE = "<p>北京大学的学生们正在图书馆里学习中国历史，他们准备参加下个月的考试，希望取得好成绩。</p>"


def page(title="The mill", text=ENGLISH, url="", author="", date="", language="en"):
    return PAGE.format(title=title, text=text, url=url, author=author, date=date, language=language)


def winnow(*args, stdin=b"", timeout=300, **more):
    return subprocess.run([WINNOW, "corpus", *map(str, args)], input=stdin, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=timeout, **more)


def index_of_sqlite(db):
    """The pages of each word, as the blocks of the index have them (app/corpus/postings.h)."""
    found = {}
    for (block,) in db.execute("SELECT bytes FROM index_blocks ORDER BY part, first, id"):
        at, word = 0, b""
        while at < len(block):
            length, at = block[at], at + 1
            word, at = (block[at:at + length] if length else word), at + length
            size, at = take_number(block, at)
            end, number = at + size, 0
            while at < end:
                step, at = take_number(block, at)
                number += step >> 3
                (set.discard if step & 7 == 4 else set.add)(found.setdefault(word.decode(), set()), number)
    return {word: pages for word, pages in found.items() if pages}


def take_number(block, at):
    number = shift = 0
    while True:
        number |= (block[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if block[at - 1] < 128:
            return number, at


def words_of_pages(db):
    found = {}
    for number, title, stems in db.execute("SELECT id, title_stems, all_stems FROM texts"):
        for word in (title + " " + stems).split():
            found.setdefault(word, set()).add(number)
    return found


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return path

    def expect(self, result, code=0, message=""):
        self.assertEqual(result.returncode, code, result.stderr.decode())
        self.assertIn(message, result.stderr.decode())
        return result.stdout.decode()

    def write_pages(self):
        self.write("news/mill.html", page(url="https://www.mill.example/turns", author="Ann Miller",
                                          date="2024-05-03"))
        self.write("news/river.html", page("A river, a town", "<p>The river rose by a metre in one night, "
                                           "and people carried sand to the bridge by the mill.</p>" * 3,
                                           "https://river.example/rise", date="2023-01-20T10:00:00Z"))
        self.write("haus/haus.html", page("Häuser", GERMAN, "https://haus.example/", language="de"))
        self.write("asia/thai.html", page("ตลาดน้ำ", THAI, "https://talat.example/", language="th"))
        self.write("asia/chinese.html", page("大学", CHINESE, "https://daxue.example/", language="zh"))
        self.write("asia/empty.html", "<!doctype html><title>Nothing</title>")
        return [os.path.join(self.folder, name) for name in ("asia", "haus", "news")]


class Both(Folder):
    """Runs every command on SQLite and, if there is a server, on PostgreSQL."""

    def setUp(self):
        super().setUp()
        self.stores = [os.path.join(self.folder, "store.db")]
        if SERVER:
            self.stores.append(SERVER.new_database("test"))

    def both(self, command, *args, code=0, message="", stdin=b""):
        outputs = []
        for store in self.stores:
            done = winnow(command, "--store", store, *args, stdin=stdin)
            outputs.append((self.expect(done, code, message), done.stderr.decode().replace(store, "STORE")))
        for other in outputs[1:]:
            self.assertEqual(outputs[0], other)
        return outputs[0][0]

    def records(self, command, *args):
        return [json.loads(line) for line in self.both(command, *args, "-f", "jsonl").splitlines()]

    # ---- Adding

    def test_pages_are_kept_with_what_is_known(self):
        self.both("add", *self.write_pages(), message="6 added, 0 updated, 0 unchanged, 0 failed")
        records = self.records("list")
        self.assertEqual([r["id"] for r in records], [1, 2, 3, 4, 5, 6])
        mill = next(r for r in records if r["host"] == "www.mill.example")
        self.assertEqual((mill["label"], mill["title"], mill["author"], mill["date"], mill["language"], mill["status"]),
                         ("news", "The mill", "Ann Miller", "2024-05-03", "en", "ok"))
        self.assertEqual(mill["source"], os.path.join(os.path.realpath(self.folder), "news/mill.html"))
        self.assertEqual([r["status"] for r in records if r["title"] == "Nothing"], ["empty"])
        shown = self.both("show", mill["id"])
        self.assertIn("The miller grinds wheat for three bakeries", shown)
        self.assertNotIn("Home", shown)
        self.assertIn("mill river turn", self.both("show", mill["id"], "--stems"))

    def test_the_same_page_again_is_no_other_page(self):
        names = self.write_pages()
        self.both("add", *names, message="6 added")
        self.both("add", *names, message="0 added, 0 updated, 6 unchanged")
        before = self.both("list")
        self.write("news/mill.html", page("The new mill"))
        self.both("add", *names, message="0 added, 1 updated, 5 unchanged")
        self.assertEqual(len(self.both("list").splitlines()), len(before.splitlines()))
        self.assertEqual(self.records("search", "new", "mill")[0]["title"], "The new mill")
        self.both("add", "--label", "other", names[2], message="0 added, 2 updated")
        self.assertEqual(len(self.records("list", "--label", "other")), 2)
        self.both("add", names[2], names[2], message="0 added")
        self.assertEqual(len(self.records("list")), 6)

    def test_one_page_twice_in_one_run(self):
        name = self.write("a/x.html", page())
        self.both("add", name, name, message="1 added, 1 updated")
        self.assertEqual(len(self.records("list")), 1)

    def test_pages_from_a_pipe(self):
        self.both("add", "-", stdin=page("One").encode(), message="1 added")
        self.both("add", "-", stdin=page("Two").encode(), message="1 added")
        self.both("add", "-", stdin=page("Two").encode(), message="0 added, 1 updated")
        self.both("add", "--url", "http://a.example/", "-", stdin=page("Three").encode(), message="1 added")
        self.both("add", "--url", "http://a.example/", "-", stdin=page("Four").encode(), message="1 updated")
        self.assertEqual([r["title"] for r in self.records("list")], ["One", "Two", "Four"])

    def test_archives(self):
        lines = [json.dumps({"url": f"http://a.example/{i}", "html": page(f"Page {i}")}) for i in range(30)]
        name = self.write("x.jsonl.gz", gzip.compress("\n".join(lines).encode()))
        self.both("add", name, message="30 added")
        self.both("add", name, message="0 added, 0 updated, 30 unchanged")
        self.assertEqual([r["url"] for r in self.records("list")], [f"http://a.example/{i}" for i in range(30)])

    def test_what_fails_does_not_stop_the_others(self):
        good, bad = self.write("good.html", page()), self.write("bad.html", b"%PDF-1.4 " + bytes(100))
        self.both("add", good, bad, os.path.join(self.folder, "none.html"), code=1, message="1 added, 0 updated, 0 unchanged, 2 failed")
        self.assertEqual(len(self.records("list")), 1)

    def test_the_number_of_jobs_does_not_matter(self):
        for i in range(120):
            self.write(f"many/{i:03}.html", page(f"Page {i}", ENGLISH * (i % 7)))
        outputs = []
        for jobs in (1, 4):
            store = os.path.join(self.folder, f"jobs{jobs}.db")
            self.expect(winnow("add", store, "-j", jobs, os.path.join(self.folder, "many")))
            outputs.append(self.expect(winnow("export", store)))
        self.assertEqual(outputs[0], outputs[1])

    def test_odd_names_and_texts(self):
        os.makedirs(os.path.join(self.folder, "odd"))
        with open(os.path.join(self.folder, "odd").encode() + b"/a\xff\n\t\\'b.html", "wb") as file:
            file.write(page("Quote ' \" \\ \t | &amp; \\N \\. x", "<p>Don't say \\n or 'x':1A &amp; | ! ( ) \" it's "
                            "3.14 and 1,000 and snake_case here, they said to him.</p>").encode())
        self.both("add", os.path.join(self.folder, "odd"), message="1 added")
        for query in ("don't", "3.14", "1,000", "snake_case", "'x':*", "a & | ! ( ) \\ it's", "it's"):
            self.both("search", "--", query)
        self.assertEqual(len(self.records("search", "don't", "snake_case", "3.14")), 1)
        self.both("export", "-f", "csv")
        self.both("list")

    # ---- Searching

    def test_search_ranks_and_marks(self):
        self.both("add", *self.write_pages())
        found = self.records("search", "river", "mill")
        self.assertEqual([r["title"] for r in found], ["A river, a town", "The mill"])
        self.assertIn("**river**", found[0]["snippet"])
        self.assertIn("**mill**", found[0]["snippet"])
        self.assertGreater(found[0]["score"], found[1]["score"])
        self.assertEqual([r["rank"] for r in found], [1, 2])
        self.assertEqual(self.records("search", "river", "mill", "--skip", "1")[0]["title"], "The mill")
        self.both("search", "river")

    def test_search_finds_other_forms_of_a_word(self):
        self.both("add", *self.write_pages())
        self.assertEqual([r["title"] for r in self.records("search", "turning", "bakery")], ["The mill"])
        self.assertEqual([r["title"] for r in self.records("search", "haus", "wiese")], ["Häuser"])
        self.assertEqual([r["title"] for r in self.records("search", "--language", "de", "HÄUSERN")], ["Häuser"])
        self.assertEqual(self.records("search", "--language", "en", "haus"), [])

    def test_search_finds_words_without_spaces(self):
        self.both("add", *self.write_pages())
        self.assertEqual([r["title"] for r in self.records("search", "ผลไม้")], ["ตลาดน้ำ"])
        self.assertEqual([r["title"] for r in self.records("search", "นักท่องเที่ยว", "แม่น้ำ")], ["ตลาดน้ำ"])
        self.assertEqual([r["title"] for r in self.records("search", "学生", "历史")], ["大学"])
        self.assertIn("**ผลไม้**", self.records("search", "ผลไม้")[0]["snippet"])

    def test_the_index_made_anew(self):
        self.both("add", *self.write_pages())
        before = self.both("search", "river")
        self.both("reindex", message="6 pages indexed")
        self.assertEqual(self.both("search", "river"), before)
        self.both("reindex", "more", code=2, message="one store and nothing else")

    def test_search_for_phrases(self):
        self.both("add", *self.write_pages())
        self.assertEqual([r["title"] for r in self.records("search", '"the old mill"')], ["The mill"])
        self.assertEqual(self.records("search", '"mill old"'), [])
        self.assertEqual([r["title"] for r in self.records("search", '"three bakeries" river')], ["The mill"])

    def test_search_with_or_and_not(self):
        self.both("add", *self.write_pages())
        titles = lambda query: sorted(r["title"] for r in self.records("search", query))
        both = titles("mill")
        self.assertEqual(both, ["A river, a town", "The mill"])
        self.assertEqual(titles("mill NOT bakeries"), ["A river, a town"])
        self.assertEqual(titles("mill -bakery"), ["A river, a town"])
        self.assertEqual(titles("mill OR wiese"), sorted(both + ["Häuser"]))
        self.assertEqual(titles("haus AND wiese OR nothingatall"), ["Häuser"])
        self.assertEqual(titles('"old mill" -bakery'), [])
        for query, problem in (('"old mill', "a quotation mark is not closed"), ("NOT mill", "the query only excludes words"),
                               ("()", "the query has no words"),
                               ("OR mill", "OR must be between"), ("mill NOT", "no word after"),
                               ('mill OR "old mill"', "not with phrases")):
            self.both("search", query, code=2, message=problem)

    def test_search_filters(self):
        self.both("add", *self.write_pages())
        titles = lambda *args: [r["title"] for r in self.records("search", "mill", *args)]
        self.assertEqual(titles("--host", ".mill.example"), ["The mill"])
        self.assertEqual(titles("--host", "mill.example"), [])
        self.assertEqual(titles("--since", "2024"), ["The mill"])
        self.assertEqual(titles("--until", "2023-12-31"), ["A river, a town"])
        self.assertEqual(titles("--until", "2023-01-20"), ["A river, a town"])
        self.assertEqual(titles("--until", "2023-01-19"), [])
        self.assertEqual(titles("--since", "2023", "--until", "2023"), ["A river, a town"])
        self.assertEqual(titles("--since", "2024-05", "--until", "2024-05"), ["The mill"])
        for wrong in ("24", "2024-13", "2024-00", "2024-05-32", "2024-5-1", "soon"):
            self.both("search", "mill", "--until", wrong, code=2, message="--until is a date")
        self.assertEqual(titles("--label", "asia"), [])
        self.assertEqual(sorted(titles("--label", "news")), ["A river, a town", "The mill"])

    def test_search_for_nothing(self):
        self.both("add", *self.write_pages())
        self.both("search", "zebra", message="no page found")
        self.both("search", "mill", "zebra", message="no page found")
        self.both("search", "…", code=2, message="the query has no words")
        self.both("search", *(["word"] * 33), code=2, message="at most 32 words")
        for store in self.stores:  # the first word of it must not stand for all
            done = subprocess.run([WINNOW, "corpus", "search", "--store", store, b"mill caf\xe9 zebra"], capture_output=True)
            self.expect(done, 2, "the query is not UTF-8")

    # ---- Counting, removing, exporting

    def test_stats(self):
        self.both("add", *self.write_pages())
        stats = json.loads(self.both("stats", "-f", "json"))
        self.assertEqual(stats["pages"], 6)
        self.assertEqual({r["name"]: r["pages"] for r in stats["label"]}, {"asia": 3, "news": 2, "haus": 1})
        self.assertEqual({r["name"]: r["pages"] for r in stats["status"]}, {"ok": 5, "empty": 1})
        sizes = sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(self.folder)
                    for name in names if name.endswith(".html"))
        self.assertEqual(stats["page_bytes"], sizes)
        self.assertGreater(stats["saved"], 0.3)
        self.both("stats")

    def test_removed_pages_are_gone(self):
        self.both("add", *self.write_pages())
        self.both("rm", "1", "5-6", message="3 removed")
        self.assertEqual([r["id"] for r in self.records("list")], [2, 3, 4])
        self.both("search", "mill", message="no page found")
        self.both("rm", "1", code=1, message="there is no page 1")
        self.both("rm", "2", "999999", code=1, message="nothing was removed")
        self.both("rm", "--dry-run", "2", "2-3", "3", message="2 would be removed")
        self.both("rm", "--all", "--label", "asia", code=1, message="use --yes")
        self.both("rm", "--all", "--label", "asia", "--dry-run", message="2 would be removed")
        self.both("rm", "--all", "--yes", "--label", "asia", message="2 removed")
        self.both("add", *self.write_pages(), message="5 added, 0 updated, 1 unchanged")
        self.assertEqual([r["id"] for r in self.records("list")], [4, 7, 8, 9, 10, 11])
        self.assertEqual(len(self.records("search", "mill")), 2)
        self.both("rm", "--all", "--yes", message="6 removed")
        self.assertEqual(self.both("list"), "")
        self.both("rm", "x", code=2)
        self.both("rm", code=2)

    def test_export(self):
        self.both("add", *self.write_pages())
        records = [json.loads(line) for line in self.both("export").splitlines()]
        self.assertEqual(len(records), 6)
        rows = list(csv.DictReader(io.StringIO(self.both("export", "-f", "csv"), newline="")))
        for record, row in zip(records, rows, strict=True):
            self.assertEqual({k: "" if v is None else str(v) for k, v in record.items()}, row)
        self.assertEqual(len(self.both("export", "--language", "en").splitlines()), 2)

    def test_export_of_fields_that_look_like_formulas(self):
        page = os.path.join(self.folder, "formula.html")
        with open(page, "w", encoding="utf-8") as file:
            file.write("<title>=1+2 is the title of a page</title><p>@SUM(A1) and more text of a mill, which grinds corn.</p>")
        self.both("add", "-m", "all", page)
        read = lambda *more: next(csv.DictReader(io.StringIO(self.both("export", "-f", "csv", *more), newline="")))
        plain, safe = read(), read("--csv-safe")
        self.assertEqual((plain["title"][0], plain["text"][0]), ("=", "@"))
        self.assertEqual((safe["title"], safe["text"]), ("'" + plain["title"], "'" + plain["text"]))

    def test_export_by_the_name_of_the_output(self):
        self.both("add", *self.write_pages())
        first = {"pages.csv": b"id,", "pages.jsonl": b"{", "pages.warc.wet": b"WARC/1.", "pages.warc": b"WARC/1.",
                 "wetlands.jsonl": b"{", "a.wetlands.csv": b"id,", "pages": b"{"}
        for name, start in first.items():
            path = os.path.join(self.folder, name)
            self.both("export", "-o", path, "--overwrite")
            with open(path, "rb") as file:
                self.assertEqual(file.read(len(start)), start, name)
        for name in ("pages.xml", "pages.txt", "pages.json.gz", "pages.html"):  # not JSON lines under another name
            path = os.path.join(self.folder, name)
            self.both("export", "-o", path, code=2, message="choose one with -f")
            self.assertFalse(os.path.exists(path))
        self.both("export", "-f", "jsonl", "-o", os.path.join(self.folder, "pages.json"), "--overwrite")

    def test_export_into_files(self):
        self.both("add", *self.write_pages())
        expected = self.both("export").splitlines()
        for number, store in enumerate(self.stores):
            out = os.path.join(self.folder, f"out{number}")
            os.mkdir(out)
            self.expect(winnow("export", store, "--shard", 4, "-o", f"{out}/p.jsonl.gz"), 0, "6 pages in 2 files")
            self.assertEqual(sorted(os.listdir(out)), ["p-00000.jsonl.gz", "p-00001.jsonl.gz"])
            lines = b"".join(gzip.open(f"{out}/{name}").read() for name in sorted(os.listdir(out)))
            self.assertEqual(lines.decode().splitlines(), expected)
            self.expect(winnow("export", store, "--shard", 4, "-o", f"{out}/p.jsonl.gz"), 2, "it exists")
            # Shards of a longer export before would look like a part of this one.
            self.expect(winnow("export", store, "--shard", 9, "--overwrite", "-o", f"{out}/p.jsonl.gz"), 0,
                        "removed 1 shard of an earlier export\nwinnow: 6 pages in 1 file")
            self.assertEqual(os.listdir(out), ["p-00000.jsonl.gz"])
            self.expect(winnow("export", store, "-f", "txt", "-o", f"{out}/texts"), 0, "6 pages")
            self.expect(winnow("export", store, "--label", "none", "-f", "csv", "--shard", 4, "-o", f"{out}/none.csv"),
                        0, "0 pages in 1 file\n")
            with open(f"{out}/none-00000.csv") as file:  # a shard like others, without pages
                self.assertTrue(file.read().startswith("id,url,"))
            with open(f"{out}/texts/000/00000006.txt") as file:
                self.assertEqual(file.read(), json.loads(expected[5])["text"])

    def test_export_as_warc(self):
        self.both("add", *self.write_pages())
        name = os.path.join(self.folder, "pages.warc.wet.gz")
        self.expect(winnow("export", self.stores[0], "-f", "wet", "-o", name))
        checked = subprocess.run([WINNOW, "warc", "check", name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(checked.returncode, 0, checked.stdout)
        with open(name, "rb") as file:
            self.assertEqual(file.read().count(b"\x1f\x8b\x08"), 7)  # one member per record
        text = gzip.open(name).read().decode()
        self.assertEqual(text.count("WARC-Type: conversion\r\n"), 6)
        self.assertIn("WARC-Target-URI: https://talat.example/\r\n", text)
        for part in text.split("WARC/1.0\r\n")[1:]:
            head, _, body = part.partition("\r\n\r\n")
            length = int(re.search(r"Content-Length: (\d+)", head).group(1))
            self.assertEqual(body.encode()[length:], b"\r\n\r\n")

    # ---- What is learned of all pages

    def write_collection(self):
        """Pages of two labels with words that are on all of them, some of them copies of others."""
        rng = random.Random(9)
        words = [f"word{chr(97 + i)}{chr(97 + j)}" for i in range(12) for j in range(12)]
        texts = [[rng.choice(words) for _ in range(120)] for _ in range(20)]
        texts += [list(texts[i]) for i in range(4)] + [list(texts[i]) for i in range(4, 8)]
        for text in texts[24:]:
            text[60] = "edited"
        for number, text in enumerate(texts):
            body = "<p>" + " ".join(text[:60]) + ".</p><p>" + " ".join(text[60:]) + ".</p>"
            body += "<p>" + "Subscribe, share. " * 12 + "</p>"
            self.write(f"pages/{'science' if number % 2 else 'health'}/{number:02}.html",
                       page(f"Page {number}", body, f"https://site{number % 3}.example/{number}"))
        return os.path.join(self.folder, "pages")

    def test_noise_words(self):
        self.both("add", "-m", "all", self.write_collection())
        table = self.both("outliers", "-n", 3, "-k", 5, "-f", "csv")
        self.assertEqual(len(table.splitlines()), 4)
        self.assertIn("share", table)
        self.assertIn("subscrib", table)
        self.assertEqual(self.both("outliers", "--stored", "-f", "csv"), table)
        for more in (("--where", "documents >= 10"), ("--drop", "outliers"), ("--scale", "log"), ("--scale", "z"),
                     ("-f", "json"), ("-f", "table")):
            self.both("outliers", "-n", 3, "-k", 5, *more)
        for wrong, why in (("total ~ 3", "wrong condition"), ("total > many", "wrong condition"), ("", "wrong condition"),
                           ("outlier = 1", "wrong condition"), ("nonsense > 3", "labels: health, science")):
            self.both("outliers", "-n", 1, "--where", wrong, code=2, message=why)
        self.assertEqual(self.both("outliers", "--stored", "-f", "csv"), table)  # they have changed nothing
        self.assertNotIn("subscrib", self.both("show", 1, "--stems"))
        one = os.path.join(self.folder, "pages/science/03.html")
        texts = {subprocess.run([WINNOW, "extract", "-m", "outlier", "--store", store, one],
                                stdout=subprocess.PIPE, check=True).stdout for store in self.stores}
        self.assertEqual(len(texts), 1)
        self.assertNotIn(b"Subscribe", texts.pop())

    def test_conditions_on_labels_of_any_name(self):
        for label in ("a b", "a<b", "a = b"):
            self.both("add", "--label", label, self.write("x/" + label + ".html", page()))
            rows = self.both("outliers", "-q", "-f", "csv", "--where", label + " >= 1", "--where", "word = mill")
            self.assertIn("mill,", rows)
        self.both("outliers", "-q", "--where", "a = c > 1", code=2, message="unknown attribute")

    def test_copies(self):
        self.both("add", "-m", "all", self.write_collection())
        before = self.both("list", "-f", "jsonl")
        report = self.both("dedup", "--dry-run")
        self.assertEqual(self.both("list", "-f", "jsonl"), before)
        for more in (("--by", "text"), ("--by", "title"), ("--keep", "first"), ("--keep", "longest"), ("--keep", "newest"),
                     ("--threshold", "0.5"), ("-f", "json")):
            self.both("dedup", "--dry-run", *more)
        self.both("dedup")
        copies = [r for r in self.records("list") if r["status"] == "copy"]
        self.assertEqual(len(copies), 8, report)
        self.assertEqual(len(self.records("search", "subscribe", "-n", 100)), 20)
        self.both("dedup", "--delete")
        self.assertEqual(len(self.records("list")), 20)
        self.check_whole(self.stores[0])

    # ---- Faults

    def test_a_store_of_a_newer_winnow(self):
        self.both("add", *self.write_pages())
        self.change("UPDATE {}meta SET value = '99' WHERE name = 'version'")
        for command in (("list",), ("add", self.folder), ("search", "mill")):
            for store in self.stores:
                self.expect(winnow(command[0], "--store", store, *command[1:]), 1, "made by a newer winnow")
        self.change("DELETE FROM {}meta WHERE name = 'version'")
        for store in self.stores:
            self.expect(winnow("add", "--store", store, self.folder), 1, "it does not say of which version it is")

    def test_a_store_of_an_older_winnow_is_brought_up_to_date(self):
        names = self.write_pages()
        self.both("add", *names)
        before = self.both("search", "river")
        self.change("ALTER TABLE {}texts DROP COLUMN stems; ALTER TABLE {}texts RENAME COLUMN all_stems TO stems;"
                    "DROP TABLE {}words; DROP TABLE {}notes; UPDATE {}meta SET value = '1' WHERE name = 'version'")
        db = sqlite3.connect(self.stores[0])
        db.executescript("DROP TABLE index_parts; DROP TABLE index_blocks; CREATE TABLE fingerprints (id)")
        db.close()
        self.both("add", *names, message="6 unchanged")
        self.assertEqual(self.ask("SELECT value FROM {}meta WHERE name = 'version'"), ["4"] * len(self.stores))
        self.assertEqual(self.ask("SELECT count(*) FROM {}words"), ["0"] * len(self.stores))
        self.check_whole(self.stores[0])
        self.assertEqual(self.both("search", "river", "--language", "en"), before)

    def change(self, statements):
        self.ask(statements)

    def ask(self, statements):
        """Runs SQL in every store; the first value of each."""
        answers = []
        for store in self.stores:
            if store.startswith("postgresql:"):
                answers.append(SERVER.sql(statements.format(*["winnow."] * 9), "test").strip())
                continue
            db = sqlite3.connect(store)
            for statement in statements.format(*[""] * 9).split(";"):
                row = db.execute(statement).fetchone()
            db.commit()
            answers.append(str(row[0]) if row else "")
            db.close()
        return answers

    def test_a_locked_store(self):
        names = self.write_pages()
        self.both("add", names[0])
        db = sqlite3.connect(self.stores[0], isolation_level=None)
        db.execute("BEGIN IMMEDIATE")
        self.expect(winnow("add", self.stores[0], *names), 1, "another process is writing to it")
        self.expect(winnow("list", self.stores[0]))  # reading goes on
        db.execute("ROLLBACK")
        db.close()
        self.both("add", *names, message="3 added, 0 updated, 3 unchanged")

    def test_many_make_one_store_at_once(self):
        names = self.write_pages()
        for store in self.stores:
            processes = [subprocess.Popen([WINNOW, "corpus", "add", "--store", store, "-j", "1", *names],
                                          stderr=subprocess.PIPE) for _ in range(6)]
            for process in processes:
                _, errors = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 0, errors)
            self.check_whole(store)
            self.assertEqual(len(self.expect(winnow("list", "--store", store)).splitlines()), 6)

    def test_killed_and_run_again(self):
        """kill -9 at random moments; then the same command again: every page once, none lost."""
        many = os.path.join(self.folder, "many")
        for i in range(400):
            self.write(f"many/{i:03}.html", page(f"Page {i}", f"<p>Number {i} of many. </p>" + ENGLISH * 3))
        rng = random.Random(5)
        for store in self.stores:
            start = time.monotonic()
            self.expect(winnow("add", "--store", store, many))
            whole = time.monotonic() - start
            rounds = killed = 0
            while rounds < KILLS or (not killed and rounds < KILLS + 10):
                rounds += 1
                self.expect(winnow("rm", "--store", store, "--all", "--yes"))
                process = subprocess.Popen([WINNOW, "corpus", "add", "--store", store, many], stderr=subprocess.DEVNULL)
                time.sleep(rng.random() * whole)
                process.send_signal(signal.SIGKILL)
                hit = process.wait() == -signal.SIGKILL
                killed += hit
                whole = whole if hit else whole / 2  # the machine is faster now than when the whole was timed
                self.check_whole(store)
                self.expect(winnow("add", "--store", store, many), 0, "0 failed")
                self.check_whole(store)
                records = [json.loads(line) for line in self.expect(winnow("list", "--store", store, "-f", "jsonl")).splitlines()]
                self.assertEqual(sorted(r["title"] for r in records), sorted(f"Page {i}" for i in range(400)))
                found = self.expect(winnow("search", "--store", store, "-n", 1000, "-f", "jsonl", "miller"))
                self.assertEqual(len(found.splitlines()), 400)
            self.assertGreater(killed, 0)

    def check_whole(self, store):
        """The database is sound, and pages, texts and index tell of the same pages."""
        same = "SELECT (SELECT count(*) FROM {0}pages) || ' ' || (SELECT count(*) FROM {0}texts)"
        if store.startswith("postgresql:"):
            counts = SERVER.sql(same.format("winnow."), "test").strip()
        else:
            db = sqlite3.connect(store)
            self.assertEqual(db.execute("PRAGMA integrity_check").fetchone()[0], "ok")
            counts = db.execute(same.format("")).fetchone()[0]
            self.assertEqual(index_of_sqlite(db), words_of_pages(db))
            db.close()
        self.assertEqual(len(set(counts.split())), 1, counts)


class Sqlite(Folder):
    def test_errors_of_a_server_take_one_line(self):
        done = winnow("list", "postgresql://nobody@127.0.0.1:1/nothing")
        error = done.stderr.decode()
        if "built without that kind of database" in error:
            self.skipTest(error)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(error, r"^winnow: cannot open the store 'postgresql://nobody@127\.0\.0\.1:1/nothing': [^\n\t]*refused[^\n\t]*\n$")

    def test_the_index_stays_true_through_many_small_changes(self):
        """Parts of the index become one again and again; pages come, change and go meanwhile."""
        store = os.path.join(self.folder, "store.db")
        rng = random.Random(3)
        words = [f"word{i}x" for i in range(40)] + ["internationalisation", "internationally", "internatio"]
        for turn in range(40):
            number = rng.randrange(12)
            text = " ".join(rng.choices(words, k=30))
            self.write(f"{number}.html", page(f"Page {number}", f"<p>{text}.</p>"))
            self.expect(winnow("add", "--store", store, "-m", "all", self.folder + f"/{number}.html"))
            if turn % 7 == 6:
                one = json.loads(self.expect(winnow("list", "--store", store, "-f", "jsonl")).splitlines()[0])
                self.expect(winnow("rm", "--store", store, one["id"]))
            db = sqlite3.connect(store)
            self.assertEqual(index_of_sqlite(db), words_of_pages(db))
            self.assertLess(db.execute("SELECT count(*) FROM index_parts").fetchone()[0], 16)
            stems = [(i, set(stems.split())) for i, stems in db.execute("SELECT id, all_stems FROM texts")]
            db.close()
            pair = rng.sample(words[:40], 2)  # their stems are themselves
            found = self.expect(winnow("search", "--store", store, "-n", 1000, "-f", "jsonl", *pair))
            self.assertEqual(sorted(json.loads(line)["id"] for line in found.splitlines()),
                             [i for i, have in stems if have.issuperset(pair)])

    def test_the_default_store(self):
        self.write_pages()
        self.expect(winnow("add", "news", cwd=self.folder), 0, "2 added")
        self.assertTrue(os.path.exists(os.path.join(self.folder, "winnow.db")))
        self.assertEqual(len(self.expect(winnow("list", cwd=self.folder)).splitlines()), 2)
        self.assertIn("The mill", self.expect(winnow("search", "miller", cwd=self.folder)))

    def test_what_is_no_store(self):
        self.expect(winnow("list", os.path.join(self.folder, "none.db")), 1, "does not exist")
        text = self.write("text.db", "this is not a database, and never was one " * 20)
        self.expect(winnow("list", text), 1, "not a database")
        db = sqlite3.connect(os.path.join(self.folder, "other.db"))
        db.execute("CREATE TABLE t (x)")
        db.commit()
        db.close()
        self.expect(winnow("add", os.path.join(self.folder, "other.db"), text), 1, "no store of winnow")
        self.expect(winnow("list", "postgresql://x@localhost:1/none"), 1, "cannot open the store")
        self.expect(winnow("frobnicate"), 2, "unknown command")
        self.expect(winnow("serch"), 2, "did you mean 'search'")

    def test_stores_with_programs_in_them(self):
        """Views, triggers and computed columns could run for ever, or hold gigabytes in a small file."""
        endless = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r)"

        def columns(db, table):
            return [row[1] for row in db.execute(f"PRAGMA table_info({table})")]

        def be_view(db, table):
            values = ", ".join(f"{'x' if name == 'id' else 'o.' + name} AS {name}" for name in columns(db, table))
            db.execute(f"ALTER TABLE {table} RENAME TO old_{table}")
            db.execute(f"CREATE VIEW {table} AS {endless} SELECT {values} FROM r, old_{table} AS o")

        def compute(db, table):
            names = columns(db, table)
            new = ", ".join(f"{name} AS (hex(zeroblob(400000000)))" if name == "title" else name for name in names)
            kept = ", ".join(name for name in names if name != "title")
            db.execute(f"ALTER TABLE {table} RENAME TO old_{table}")
            db.execute(f"CREATE TABLE {table} ({new})")
            db.execute(f"INSERT INTO {table} ({kept}) SELECT {kept} FROM old_{table}")

        def await_pages(db, table):
            db.execute(f"CREATE TRIGGER t AFTER INSERT ON {table} BEGIN SELECT count(*) FROM ({endless} SELECT x FROM r); END")

        for change, table in ((be_view, "pages"), (be_view, "texts"), (be_view, "index_blocks"), (compute, "pages"), (await_pages, "pages")):
            with self.subTest(change=change.__name__, table=table):
                store = os.path.join(self.folder, f"{change.__name__}_{table}.db")
                self.expect(winnow("add", "-q", store, self.write("page.html", page())))
                db = sqlite3.connect(store)
                change(db, table)
                db.commit()
                db.close()
                for command in (["search", store, "mill"], ["add", "-q", store, self.write("other.html", page("Another"))]):
                    run = winnow(*command, timeout=20)
                    self.assertIn(run.returncode, (0, 1), run.stderr)

    def test_names_that_mean_something_to_sqlite(self):
        self.write_pages()
        self.expect(winnow("add", "--store", ":memory:", "news", cwd=self.folder), 0, "2 added")
        self.assertEqual(len(self.expect(winnow("list", "--store", ":memory:", cwd=self.folder)).splitlines()), 2)
        self.expect(winnow("add", "--store", "", "news", cwd=self.folder), 1, "it has no name")

    def test_a_store_with_values_that_nobody_wrote(self):
        """Numbers out of every range, in all places: what is read of them does no harm."""
        store = os.path.join(self.folder, "store.db")
        self.expect(winnow("add", store, *self.write_pages()))
        self.expect(winnow("outliers", store))
        least, most = -2**63, 2**63 - 1
        for number in (least, -1, 99, most):
            db = sqlite3.connect(store)
            db.execute("UPDATE pages SET status = ?1, added = ?1, text_bytes = ?1, words = ?1, source_offset = ?1", [number])
            db.execute("UPDATE words SET occurrences = ?1, documents = ?1, labelled = ?1, distance = ?1,"
                       " labels = '{\"news\":-1,\"a\":1e999,\"b\":[],\"c\":1e19}'", [number])
            db.execute("UPDATE texts SET text = ?1, stems = x'ff00fe20ff', all_stems = x'ff00fe20ff' WHERE id = 1", [b"\xff\0\xfe. \0"])
            db.commit()
            db.close()
            for command in (("list",), ("list", "-f", "jsonl"), ("show", "1-9"), ("search", "river"),
                            ("outliers", "--stored", "-f", "json"), ("outliers", "--stored", "--overwrite", "--plot",
                             self.folder + "/x.svg"), ("dedup", "--status", "all"),
                            *(("export", "-f", form) for form in ("jsonl", "csv", "wet"))):
                done = winnow(command[0], "--store", store, *command[1:])
                self.assertEqual(done.returncode, 0, (command, number, done.stderr))
            if abs(number) < 100:  # sums of the others overflow, which is said
                self.assertIn("unknown", self.expect(winnow("stats", store)))
        for number in (least, -1, 0, most):
            db = sqlite3.connect(store)
            db.execute("UPDATE meta SET value = ? WHERE name = 'next_id'", [str(number)])
            db.commit()
            db.close()
            self.expect(winnow("search", store, "river"), 1, "it is damaged")

    def test_a_store_with_text_that_is_not_utf_8(self):
        """What comes from a database is input: it is repaired where it is read."""
        store = os.path.join(self.folder, "store.db")
        self.expect(winnow("add", store, *self.write_pages()))
        self.expect(winnow("outliers", store))
        for broken in (b"\xf0", b"\xe2\x82", b"a river\xf0\x9f", b"\x80 river \xff", b"river " * 50 + b"\xed\xa0\x80 \xf4"):
            db = sqlite3.connect(store)
            db.execute("UPDATE texts SET text = CAST(?1 AS TEXT), stems = CAST(?1 AS TEXT),"
                       " all_stems = CAST(?1 AS TEXT), title_stems = CAST(?1 AS TEXT)", [broken])
            db.execute("UPDATE pages SET url = CAST(?1 AS TEXT), title = CAST(?1 AS TEXT), label = CAST(?1 AS TEXT),"
                       " language = CAST(?1 AS TEXT)", [broken])
            db.execute("UPDATE OR IGNORE words SET word = CAST(?1 AS TEXT)", [broken])
            db.commit()
            db.close()
            for command in (("list",), ("list", "-f", "jsonl"), ("show", "1-9"), ("search", "river"), ("search", "mill"),
                            ("outliers", "--stored", "-f", "json"), ("outliers",), ("dedup", "--status", "all"), ("stats",),
                            ("reindex",), *(("export", "-f", form) for form in ("jsonl", "csv", "wet"))):
                done = winnow(command[0], "--store", store, *command[1:])
                self.assertIn(done.returncode, (0, 1), (command, broken, done.stderr))
                done.stdout.decode()
            shown = self.expect(winnow("show", "--store", store, "1"))
            self.assertIn("\ufffd", shown)

    def test_the_folder_of_temporary_files(self):
        store, lines = os.path.join(self.folder, "store.db"), os.path.join(self.folder, "pages.jsonl")
        with open(lines, "w") as file:
            for i in range(1500):
                words = " ".join(f"word{i * 7 + k}" for k in range(30))
                file.write(json.dumps({"id": str(i), "html": f"<title>{i}</title><p>{words}</p>"}) + "\n")
        self.expect(winnow("add", store, lines, "-m", "all"))
        run = lambda folder: winnow("dedup", store, "--bands", "40", "--memory", "1M", env={**os.environ, "TMPDIR": folder})
        self.expect(run(os.path.join(self.folder, "missing")), 1, "TMPDIR")
        self.expect(run(self.folder), 0)
        self.assertFalse([name for name in os.listdir(self.folder) if name.startswith("winnow-")])

    def test_a_folder_that_is_only_to_be_read(self):
        """Nothing can be made beside the store, and yet it can be read."""
        self.write_pages()
        folder = os.path.join(self.folder, "at rest %41?")
        store = os.path.join(folder, "store.db")
        os.mkdir(folder)
        self.expect(winnow("add", store, self.folder + "/news"))
        user = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.getuid() == 0 else []
        os.chmod(self.folder, 0o755)
        os.chmod(folder, 0o555)
        self.addCleanup(os.chmod, folder, 0o755)
        run = lambda *args: subprocess.run([*user, WINNOW, "corpus", *args], capture_output=True)
        try:
            if run("--help").returncode != 0:
                self.skipTest("another user cannot run the program")
        except OSError as error:
            self.skipTest(str(error))
        self.assertEqual(len(self.expect(run("list", store)).splitlines()), 2)
        self.assertIn("The mill", self.expect(run("search", store, "miller")))
        self.expect(run("add", store, self.folder + "/asia"), 1, "cannot open the store")
        self.expect(run("rm", store, "1"), 1, "cannot open the store")

    def test_an_upgrade_that_is_killed(self):
        """The index is made again, or not at all; the next command makes it."""
        store = os.path.join(self.folder, "store.db")
        for i in range(150):
            self.write(f"many/{i:03}.html", page(f"Page {i}", f"<p>Number {i}.</p>" + ENGLISH * 3))
        self.expect(winnow("add", store, os.path.join(self.folder, "many")))
        rng = random.Random(6)
        for _ in range(KILLS):
            db = sqlite3.connect(store)
            db.executescript("ALTER TABLE texts DROP COLUMN stems; ALTER TABLE texts RENAME COLUMN all_stems TO stems;"
                             "UPDATE meta SET value = '2' WHERE name = 'version'; DROP TABLE index_parts; DROP TABLE index_blocks")
            db.close()
            process = subprocess.Popen([WINNOW, "corpus", "list", store], stdout=subprocess.DEVNULL)
            time.sleep(rng.random() * 0.1)
            process.kill()
            process.wait()
            found = self.expect(winnow("search", store, "-n", 1000, "-f", "jsonl", "miller"))
            self.assertEqual(len(found.splitlines()), 150)
            db = sqlite3.connect(store)
            self.assertEqual(index_of_sqlite(db), words_of_pages(db))
            db.close()

    def test_a_damaged_index(self):
        """Blocks that are cut, that run over, with numbers of any size, or that are of pages long gone."""
        store = os.path.join(self.folder, "store.db")
        for number, name in enumerate(self.write_pages()):
            self.expect(winnow("add", store, name))
        before = self.expect(winnow("search", store, "river"))
        db = sqlite3.connect(store)
        blocks = db.execute("SELECT id, bytes FROM index_blocks").fetchall()
        rng = random.Random(8)

        def damage(change):
            with db:
                db.executemany("UPDATE index_blocks SET bytes = ? WHERE id = ?", [(change(b), i) for i, b in blocks])

        def scatter(block):
            block = bytearray(block)
            for _ in range(20):
                block[rng.randrange(len(block))] = rng.randrange(256)
            return bytes(block)

        damage(lambda block: block[:-1])
        self.expect(winnow("search", store, "zebra"), 1, "its index is damaged; 'winnow corpus reindex'")
        self.expect(winnow("reindex", store), 0, "6 pages indexed")
        self.assertEqual(self.expect(winnow("search", store, "river")), before)
        blocks = db.execute("SELECT id, bytes FROM index_blocks").fetchall()
        for change in (lambda block: b"\xff" * 300, lambda block: b"", lambda block: bytes(1000), lambda block: b"\x05river\x14" +
                       (b"\xff" * 9 + b"\x7f") * 2, *([scatter] * 20)):
            damage(change)
            self.assertIn(winnow("search", store, "river", "mill").returncode, (0, 1))
        damage(lambda block: b"\x05river\x01\xa0")  # a number that goes on past its end
        self.expect(winnow("search", store, "river"), 1, "its index is damaged")
        for turn in range(10):  # parts become one: nothing may be lost there without a word
            done = winnow("add", store, "--replace", self.write("more.html", page(f"More {turn}", ENGLISH)))
        self.expect(done, 1, "its index is damaged; 'winnow corpus reindex'")
        self.expect(winnow("reindex", store), 0, "7 pages indexed")
        self.expect(winnow("add", store, "--replace", self.folder + "/more.html"), 0, "1 updated")
        self.assertEqual(index_of_sqlite(db), words_of_pages(db))
        with db:
            db.execute("DELETE FROM pages WHERE title = 'The mill'")  # behind our back
        self.assertNotIn("The mill\n", self.expect(winnow("search", store, "miller")))
        db.close()

    def test_a_full_disk(self):
        """A limit on the size of files stands for the full disk."""
        for i in range(400):
            self.write(f"many/{i:03}.html", page(f"Page {i}", f"<p>Number {i}.</p>" + ENGLISH * 20))
        store, many = os.path.join(self.folder, "full.db"), os.path.join(self.folder, "many")
        self.expect(winnow("add", "-m", "all", store, "--limit", "20", many), 0, "20 added")
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))
        done = winnow("add", "-m", "all", store, many, preexec_fn=limit)
        self.expect(done, 1, "cannot write to the store")
        self.assertIn("the same command run again adds the rest", done.stderr.decode())
        db = sqlite3.connect(store)
        self.assertEqual(db.execute("PRAGMA integrity_check").fetchone()[0], "ok")
        self.assertGreaterEqual(db.execute("SELECT count(*) FROM pages").fetchone()[0], 20)
        db.close()
        self.expect(winnow("add", "-m", "all", store, many), 0, "0 failed")
        self.assertEqual(len(self.expect(winnow("list", store)).splitlines()), 400)

    def test_a_full_disk_from_the_start(self):
        store, name = os.path.join(self.folder, "x.db"), self.write("a.html", page())
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        self.expect(winnow("add", store, name, preexec_fn=limit), 1, "cannot open the store")
        self.expect(winnow("add", store, name), 0, "1 added")


class Postgres(Folder):
    def setUp(self):
        super().setUp()
        if not SERVER:
            self.skipTest(NO_SERVER)
        self.store = SERVER.new_database("test")

    def test_nothing_is_there(self):
        self.expect(winnow("list", self.store), 1, "'winnow corpus add' makes a store")
        self.expect(winnow("list", self.store.replace("/test?", "/nowhere?")), 1, "does not exist")

    def test_the_password_is_not_shown(self):
        done = winnow("list", "postgresql://me:secret@localhost:1/x")
        self.expect(done, 1, "me:***@localhost")
        self.assertNotIn("secret", done.stderr.decode())
        done = winnow("list", "postgresql://localhost:1/x?sslpassword=secret&user=me&password=secret")
        self.expect(done, 1, "/x?sslpassword=***&user=me&password=***'")
        self.assertNotIn("secret", done.stderr.decode())

    def test_a_locked_store(self):
        name = self.write("a.html", page())
        self.expect(winnow("add", self.store, name))
        locker = subprocess.Popen([*SERVER.as_user, os.path.join(SERVER.bin, "psql"), "-X", "-h", SERVER.folder, "-U", "winnow",
                                   "test"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=SERVER.folder)
        locker.stdin.write(b"BEGIN; SELECT pg_advisory_xact_lock(8602431950871); SELECT 'held';\n")
        locker.stdin.flush()
        while b"held" not in locker.stdout.readline():
            pass
        self.expect(winnow("add", self.store, "--replace", name), 1, "another process is writing to it")
        locker.stdin.close()
        locker.wait()
        locker.stdout.close()
        self.expect(winnow("add", self.store, "--replace", name), 0, "1 updated")

    def test_a_user_who_may_only_change_rows(self):
        names = self.write_pages()
        self.expect(winnow("add", self.store, names[0]))
        SERVER.sql("DROP ROLE IF EXISTS scribe; CREATE ROLE scribe LOGIN; GRANT USAGE ON SCHEMA winnow TO scribe;"
                   "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA winnow TO scribe", "test")
        self.expect(winnow("add", self.store.replace("winnow@", "scribe@"), *names), 0, "3 added")
        SERVER.sql("DROP OWNED BY scribe; DROP ROLE scribe", "test")

    def test_a_lost_connection(self):
        names = self.write_pages()
        process = subprocess.Popen([WINNOW, "corpus", "add", self.store, "-j", "1", *names, "-"], stdin=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        while SERVER.sql("SELECT count(*) FROM pg_stat_activity WHERE datname = 'test'").strip() == "0":
            time.sleep(0.05)
        time.sleep(0.5)
        SERVER.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'test'")
        _, errors = process.communicate(page("Last").encode())
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn(b"connection to the database is lost", errors)
        self.expect(winnow("add", self.store, *names), 0, "0 failed")
        self.assertEqual(len(self.expect(winnow("list", self.store)).splitlines()), 6)


def start_server():
    global SERVER, NO_SERVER
    try:
        SERVER = postgres.Server()
    except (OSError, subprocess.SubprocessError) as error:
        NO_SERVER = f"PostgreSQL: {error}"
        print(f"without PostgreSQL: {error}")


def main():
    global WINNOW
    WINNOW = os.path.abspath(sys.argv.pop(1))
    start_server()
    try:
        program = unittest.main(exit=False)
    finally:
        if SERVER:
            SERVER.stop()
    result = program.result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed, {len(result.skipped)} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
