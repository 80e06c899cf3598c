#!/usr/bin/env python3
"""Order never decides: pages that are added to a store in any order, and in any number of runs, give the same clusters,
the same page of each cluster that is kept, and the same words, on SQLite and on PostgreSQL.

    test_order.py build/winnow [-v] [NAME...]

WINNOW_ORDER_PAGES is the number of pages (default 400; `make order-test` says 5000). Ends with a line "N passed, N failed,
N skipped".
"""

import csv
import io
import os
import random
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "support"))
import postgres  # noqa: E402

WINNOW = "winnow"
PAGES = int(os.environ.get("WINNOW_ORDER_PAGES", "400"))
SERVER = None


def winnow(*args):
    done = subprocess.run([WINNOW, *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
    if done.returncode:
        raise AssertionError(f"{args}: {done.stderr.decode()}")
    return done.stdout.decode()


def make_pages(folder):
    """Chains of near copies and equal copies; half of the pages share most of their text, so that whether two of them are
    copies hangs on a word or two. The folders become labels."""
    chance = random.Random(3)
    words, names = [], []
    common = [f"common{i:x}" for i in range(50)]
    for i in range(PAGES):
        if i % 2:
            words = common + [f"word{chance.randrange(4000):x}" for _ in range(chance.randrange(3, 15))]
        elif i % 6 == 0:
            words = [f"word{chance.randrange(4000):x}" for _ in range(chance.randrange(60, 200))]
        for _ in range(chance.randrange(3)):
            words[chance.randrange(len(words))] = f"word{chance.randrange(4000):x}"
        name = os.path.join(folder, f"label{i % 11}", f"{i:05}.html")
        os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "w", encoding="utf-8") as file:
            sentences = [" ".join(words[at:at + 12]) for at in range(0, len(words), 12)]
            file.write("<!doctype html><title>Page</title><nav><a href='/'>Home</a></nav><article>"
                       + "".join(f"<p>{sentence}, and so on.</p>" for sentence in sentences) + "</article>")
        names.append(name)
    return names


def learn(store, runs):
    """(copies by source, words) of a store to which pages were added in these runs."""
    for names in runs:
        for at in range(0, len(names), 500):
            winnow("corpus", "add", "-q", "--store", store, *names[at:at + 500])
    sources = {row["id"]: row["source"] for row in csv.DictReader(io.StringIO(winnow("corpus", "export", store, "-f", "csv")))}
    copies = winnow("corpus", "dedup", store, "-f", "csv")
    clusters = sorted((sources[row["id"]], sources[row["copy_of"]], row["pages"]) for row in csv.DictReader(io.StringIO(copies)))
    words = winnow("corpus", "outliers", store, "-q", "-f", "csv", "--where", "total >= 1")
    return clusters, words


class Orders(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.names = make_pages(cls.temporary.name)
        cls.wanted = learn(os.path.join(cls.temporary.name, "first.db"), [cls.names])

    def check(self, store, seed, parts):
        names = list(self.names)
        random.Random(seed).shuffle(names)
        clusters, words = learn(store, [names[part::parts] for part in range(parts)])
        self.assertEqual(clusters, self.wanted[0])
        self.assertEqual(words, self.wanted[1])

    def test_the_collection_has_copies(self):
        copies = len(self.wanted[0])
        self.assertTrue(PAGES / 8 < copies < PAGES * 0.9, copies)
        self.assertGreater(self.wanted[1].count("true"), 10)

    def test_orders_and_parts_on_sqlite(self):
        for seed, parts in (1, 1), (2, 7):
            self.check(os.path.join(self.temporary.name, f"other{seed}.db"), seed, parts)

    def test_orders_and_parts_on_postgresql(self):
        if not SERVER:
            self.skipTest("no PostgreSQL here")
        for seed, parts in (3, 1), (4, 3):
            self.check(SERVER.new_database(f"order{seed}"), seed, parts)


def main():
    global WINNOW, SERVER
    WINNOW = os.path.abspath(sys.argv.pop(1))
    try:
        SERVER = postgres.Server()
    except (OSError, subprocess.SubprocessError) as error:
        print(f"without PostgreSQL: {error}")
    try:
        result = unittest.main(exit=False).result
    finally:
        if SERVER:
            SERVER.stop()
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed, {len(result.skipped)} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
