#!/usr/bin/env python3
"""winnow.spark beside the program: the same bytes, whatever the partitions; faults; wrong input.

    test_spark.py build/winnow [-v] [NAME...]

Run by an interpreter that has winnow and pyspark (tools/python_package spark). Environment:

    WINNOW_SPARK_PAGES    pages in the seven archives (default 140)
    WINNOW_SPARK_SPLITS   partitions that are tried, with commas between (default 7)
    WINNOW_SPARK_CLUSTER  1: also on a standalone cluster of two workers
    WINNOW_SPARK_KILLS    executors that are killed in each job on that cluster (default 2)
    WINNOW_SPARK_LIMIT    seconds that one test may take before it fails (default 1800)
    WINNOW_SPARK_KEEP     a folder: tests that pass are noted there, and a run that was interrupted goes on after them
    WINNOW_DATA           real pages for the archives, from its set wcxb-dev; else they are made up

`make spark-test` runs it at full size. Ends with a line "N passed, N failed, N skipped".

Starting Spark takes longer than most jobs here, so all jobs run in this process, one after the other in one session, and
executors stay from job to job.
"""

import hashlib
import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import make_archives  # noqa: E402

PROGRAM = "winnow"
PAGES = int(os.environ.get("WINNOW_SPARK_PAGES", "140"))
SPLITS = [int(n) for n in os.environ.get("WINNOW_SPARK_SPLITS", "7").split(",")]
CLUSTER = os.environ.get("WINNOW_SPARK_CLUSTER") == "1"
KILLS = int(os.environ.get("WINNOW_SPARK_KILLS", "2"))
LIMIT = int(os.environ.get("WINNOW_SPARK_LIMIT", "1800"))
KEEP = os.environ.get("WINNOW_SPARK_KEEP", "")
JOB = [sys.executable, "-m", "winnow.spark"]


def run_program(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode not in (0, 1):
        raise AssertionError(done.stderr.decode())
    return done.stdout


def run_script(script, folder, environment):
    """Runs commands of a shell; (exit status, standard output, standard error). What they started ends with the test."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(["sh", "-ec", script], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=said,
                                   start_new_session=True)
        try:
            output = process.communicate()[0]
        except BaseException as error:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            said.seek(0)
            error.add_note(said.read().decode(errors="replace")[-2000:])
            raise
        said.seek(0)
        return process.returncode, output, said.read().decode(errors="replace")


class Data:
    """The archives, and what the program makes of them. Made once."""

    _made = None

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="winnow-spark-"))
        pages = Path(os.environ.get("WINNOW_DATA", "/nowhere")) / "wcxb-dev/html"
        self.archives = [str(p) for p in make_archives.make(self.folder / "in", PAGES, pages if pages.is_dir() else None)]
        self.split = max(os.path.getsize(path) for path in self.archives) // 3 + 1
        store = self.folder / "store.db"
        self.jsonl = run_program("extract", "-q", "-f", "jsonl", *self.archives)
        self.site = run_program("extract", "-q", "--site", "-f", "jsonl", *self.archives)
        run_program("corpus", "add", "-q", store, *self.archives)
        self.words = run_program("corpus", "outliers", store, "-q", "-f", "csv", "--dry-run")
        self.every_word = run_program("corpus", "outliers", store, "-q", "-f", "csv", "--dry-run", "--where", "total >= 1")
        self.copies = run_program("corpus", "dedup", store, "-f", "csv", "--dry-run")
        self.longest = run_program("corpus", "dedup", store, "-f", "csv", "--dry-run", "--keep", "longest")
        self.exact = run_program("corpus", "dedup", store, "-f", "csv", "--dry-run", "--exact")
        run_program("corpus", "dedup", store, "-q")
        self.words_without_copies = run_program("corpus", "outliers", store, "-q", "-f", "csv", "--dry-run")
        self.number = 0

    @classmethod
    def get(cls):
        if cls._made is None:
            cls._made = cls()
        return cls._made

    def new_folder(self):
        self.number += 1
        return str(self.folder / f"out{self.number}")


def lines_of(folder):
    """All lines of an output of jobs, in the order of the pages."""
    import pyarrow

    parts = []
    for path in sorted(Path(folder).glob("*.jsonl*")):
        data = path.read_bytes()
        parts.append(pyarrow.CompressedInputStream(pyarrow.BufferReader(data), "zstd").read() if path.suffix == ".zst" else data)
    return b"".join(parts)


def stop_session(unless=None):
    """Stops the session of this process, unless it has that master."""
    from pyspark.sql import SparkSession

    session = SparkSession.getActiveSession()
    if session and session.sparkContext.master != unless:
        session.stop()


def job(*arguments, master="local[2]"):
    """Runs a job in this process, so that all of them share one session; (exit status, what it said)."""
    from winnow.spark.__main__ import main

    stop_session(unless=master)
    said = io.StringIO()
    with redirect_stderr(said):
        code = main([*map(str, arguments), "--master", master])
    return code, said.getvalue()


def at_each_number(check):
    """Makes methods test_at_1_partitions, … of a class out of one that takes the number."""
    def add(cls):
        for number in SPLITS:
            setattr(cls, f"test_at_{number}_partitions", lambda self, number=number: check(self, number))
        return cls
    return add


def check_all(test, partitions, master="local[2]"):
    """All jobs whose results the program has, too."""
    data = test.data
    split = data.split if partitions > 1 else 1 << 30
    common = ("-q", "--partitions", partitions, "--split", split)

    def run(name, *arguments):
        out = data.new_folder()
        return job(name, *common, "-o", out, *arguments, master=master)[0], out

    code, out = run("extract", "-f", "jsonl", *data.archives)
    test.assertEqual(code, 1)  # one is damaged
    test.assertEqual(lines_of(out), data.jsonl)
    test.assertEqual(lines_of(run("site", *data.archives)[1]), data.site)
    copies = run("dedup", *data.archives)[1]
    test.assertEqual(Path(copies, "copies.csv").read_bytes(), data.copies)
    words = run("outliers", Path(copies, "pages"))[1]
    test.assertEqual(Path(words, "words.csv").read_bytes(), data.words)


@at_each_number(check_all)
class Same(unittest.TestCase):
    """The same bytes as the program's, at every number of partitions."""

    def setUp(self):
        self.data = Data.get()

    def test_the_archives_show_something(self):
        self.assertNotEqual(self.data.jsonl, self.data.site)
        self.assertGreater(self.data.copies.count(b"\n"), PAGES // 10)
        self.assertGreater(self.data.words.count(b"\n"), 10)

    def test_what_is_kept_and_what_counts(self):
        pages = self.data.new_folder()
        job("extract", "-q", "-f", "parquet", "-o", pages, *self.data.archives)
        for option, wanted in (("--keep=longest", self.data.longest), ("--exact", self.data.exact)):
            out = self.data.new_folder()
            self.assertEqual(job("dedup", "-q", option, "-o", out, pages)[0], 0)
            self.assertEqual(Path(out, "copies.csv").read_bytes(), wanted, option)
        copies, words = self.data.folder / "copies.csv", self.data.new_folder()
        copies.write_bytes(self.data.copies)
        job("outliers", "-q", "--copies", copies, "-o", words, pages)
        self.assertEqual(Path(words, "words.csv").read_bytes(), self.data.words_without_copies)
        words = self.data.new_folder()
        job("outliers", "-q", "--all", "-o", words, pages)
        self.assertEqual(sorted(Path(words, "words.csv").read_bytes().split(b"\n")), sorted(self.data.every_word.split(b"\n")))


class Others(unittest.TestCase):
    """The jobs eval and cloud."""

    def test_eval_scores_as_the_program(self):
        import csv

        data = Data.get()
        folder = data.folder / "set"
        for name in ("html", "gold"):
            (folder / name).mkdir(parents=True)
        with open(folder / "pages.jsonl", "w") as file:
            for i, (url, html) in enumerate(make_archives.make_pages(60, None)):
                (folder / "html" / f"p{i}.html").write_bytes(html)
                (folder / "gold" / f"p{i}.txt").write_text("The old house by the water, and so it was said.\n" * (i % 5 + 1))
                file.write(json.dumps({"id": f"p{i}", "url": url}) + "\n")
        out = data.new_folder()
        with redirect_stdout(io.StringIO()) as table:
            self.assertEqual(job("eval", "-m", "auto;lineblock:rule=all", "-o", out, folder)[0], 0)
        self.assertIn("lineblock:rule=all", table.getvalue())
        wanted = run_program("eval", folder, "-m", "auto,lineblock:rule=all", "-f", "csv").decode()
        with open(Path(out, "scores.csv"), newline="") as file:
            found = list(csv.DictReader(file))
        wanted = {(row["id"], row["method"]): row for row in csv.DictReader(io.StringIO(wanted))}
        self.assertEqual(len(found), 120)
        for row in found:
            self.assertEqual(row, {name: wanted[row["id"], row["method"]][name] for name in row})

    def test_cloud_counts_words(self):
        data, out = Data.get(), Data.get().new_folder()
        folder = data.folder / "cloud"
        folder.mkdir()
        for i, (_, html) in enumerate(make_archives.make_pages(40, None)):
            (folder / f"{i:03}.html").write_bytes(html)
        job("cloud", "-q", "-n", 200, "-o", out, folder)
        self.assertEqual(Path(out, "words.csv").read_bytes(), run_program("cloud", "-q", "-f", "csv", "-n", 200, folder))


class Source(unittest.TestCase):
    """The data source."""

    @classmethod
    def setUpClass(cls):
        from winnow.spark.session import open_session

        import winnow.spark

        cls.data = Data.get()
        cls.spark = open_session("test", "local[2]")
        cls.spark.dataSource.register(winnow.spark.DataSource)

    def read(self, path=None, **options):
        reader = self.spark.read.format("winnow").options(**options)
        return reader.load(path or str(self.data.folder / "in/*/*"))

    def test_rows_are_the_records(self):
        wanted = [json.loads(line) for line in self.data.jsonl.splitlines()]
        rows = self.read(columns="id,file,offset,inner,url,title,status,text", split_bytes=self.data.split).collect()
        kept = [row for row in rows if row["status"] != "unreadable"]
        wanted = [record for record in wanted if record["status"] != "unreadable"]
        self.assertEqual([(r["id"], r["url"], r["title"], r["text"]) for r in kept],
                         [(w["id"], w["url"] or "", w["title"] or "", w["text"] or "") for w in wanted])
        self.assertTrue(any(row["status"] == "unreadable" for row in rows))  # the damaged archive is named

    def test_schema_and_columns(self):
        reader = self.spark.read.format("winnow").schema("url string, confidence double")
        frame = reader.load(self.data.archives[0])
        self.assertEqual(frame.columns, ["url", "confidence"])
        self.assertGreater(frame.count(), 0)
        self.assertGreater(reader.load(self.data.archives[:2]).count(), frame.count())

    def test_filters_skip_work(self):
        import winnow.spark

        wanted = sum(b'"url":"https://large.example/1' in line for line in self.data.jsonl.splitlines())
        self.assertGreater(wanted, 0)
        for register in (winnow.spark.register, lambda spark: None):
            register(self.spark)
            frame = self.read(columns="url,text").where("url like 'https://large.example/1%'")
            self.assertEqual(frame.count(), wanted)
            self.spark.conf.unset("spark.sql.python.filterPushdown.enabled")
            self.spark.dataSource.register(winnow.spark.DataSource)

    def test_filtered_pages_are_not_extracted(self):
        import winnow.spark
        from pyspark.sql.datasource import StringStartsWith
        from pyspark.sql.types import StringType, StructField, StructType

        schema = StructType([StructField("url", StringType()), StructField("text", StringType())])
        rows = {}
        for source in (winnow.spark.DataSource, winnow.spark.FilteringDataSource):
            reader = source({"path": str(self.data.folder / "in/*/*"), "columns": "url,text"}).reader(schema)
            list(reader.pushFilters([StringStartsWith(("url",), "https://large.example/1")]))
            batches = [batch for partition in reader.partitions() for batch in reader.read(partition)]
            rows[source] = [url for batch in batches for url in batch.column("url").to_pylist()]
        urls = rows[winnow.spark.DataSource]
        self.assertEqual([url for url in rows[winnow.spark.FilteringDataSource] if url],
                         [url for url in urls if url.startswith("https://large.example/1")])
        self.assertGreater(len(urls), len(rows[winnow.spark.FilteringDataSource]))

    def test_parquet_and_other_file_systems(self):
        import zipfile

        import pyarrow
        import pyarrow.parquet

        path = str(self.data.folder / "pages.parquet")
        pages = make_archives.make_pages(30, None)
        table = pyarrow.table({"html": [html.decode() for _, html in pages], "url": [url for url, _ in pages]})
        pyarrow.parquet.write_table(table, path, row_group_size=10)
        rows = self.read(path, columns="url,text").collect()
        self.assertEqual([row["url"] for row in rows], [url for url, _ in pages])
        self.assertTrue(all("old house" in row["text"] for row in rows))
        wrong = str(self.data.folder / "wrong.parquet")
        pyarrow.parquet.write_table(table.rename_columns(["body", "url"]), wrong)
        with self.assertRaisesRegex(Exception, "wrong.parquet has no column 'html'; there are body, url; the option html_column"):
            self.read(wrong).count()
        self.assertEqual(self.read(wrong, html_column="body").count(), 30)
        # Through fsspec: an archive inside a zip file is read as one in an object store would be.
        packed = self.data.folder / "packed.zip"
        with zipfile.ZipFile(packed, "w") as file:
            file.write(self.data.archives[0], "a.warc.gz")
        there = self.read(f"zip://a.warc.gz::{packed}", columns="url,text").collect()
        here = self.read(self.data.archives[0], columns="url,text").collect()
        self.assertEqual(there, here)

    def test_addresses_of_an_object_store(self):
        """A store in memory takes the place of S3: patterns, sizes and ranges of bytes go through fsspec as they would there."""
        import fsspec
        from fsspec.implementations.memory import MemoryFileSystem
        from winnow.segments import SegmentReader, find_units

        class Store(MemoryFileSystem):
            protocol, store, pseudo_dirs = "s3", {}, [""]

            @classmethod
            def _strip_protocol(cls, path):
                return super()._strip_protocol(path.removeprefix("s3://"))

            def unstrip_protocol(self, name):
                return "s3://" + name.lstrip("/")

        fsspec.register_implementation("s3", Store, clobber=True)
        Store().pipe("/bucket/a.warc.gz", Path(self.data.archives[0]).read_bytes())
        Store().pipe("/bucket/b.txt", b"not asked for")

        def texts(name, split):
            segments = [segment for unit in find_units([name], split) for segment in unit.segments]
            reader = SegmentReader({}, ["text"])
            return len(segments), [(page.url, page.text) for segment in segments for page in reader.pages(segment)]

        size = os.path.getsize(self.data.archives[0])
        self.assertEqual([unit.archive for unit in find_units(["s3a://bucket/*.warc.gz"])], ["s3a://bucket/a.warc.gz"])
        for split, parts in ((size, 1), (size // 3 + 1, 3)):
            self.assertEqual(texts("s3a://bucket/*.warc.gz", split), (parts, texts(self.data.archives[0], size)[1]))
        with self.assertRaisesRegex(ValueError, "s3a://bucket/c.warc.gz: there is no such file"):
            find_units(["s3a://bucket/c.warc.gz"])
        with unittest.mock.patch("fsspec.core.url_to_fs", lambda _: (Store(), "/bucket/*.warc.gz")):  # as of hdfs:, without a host
            self.assertEqual(find_units(["hdfs://host:8020/bucket/*.warc.gz"])[0].archive, "hdfs://host:8020/bucket/a.warc.gz")

    def test_texts_of_wet_files(self):
        """The same bytes as the program's, from the job and the data source, in one part and in many."""
        path = self.data.folder / "texts.warc.wet.gz"
        with open(path, "wb") as file:
            for number, (url, html) in enumerate(make_archives.make_pages(60, None)):
                text = f"Home\nNews\n\n{len(html)} bytes of <html> & {'more ' * (number % 7)}\n"
                file.write(make_archives.compress_gzip(make_archives.text_record(number, url, text.encode())))
        wanted = run_program("extract", "-q", "-f", "jsonl", path)
        for split in (1 << 30, 1000):
            out = self.data.new_folder()
            self.assertEqual(job("extract", "-q", "-f", "jsonl", "--split", split, "-o", out, path)[0], 0)
            self.assertEqual(lines_of(out), wanted)
        rows = self.read(str(path), columns="url,method,media_type,text").collect()
        records = [json.loads(line) for line in wanted.splitlines()]
        self.assertEqual([(row["url"], row["text"]) for row in rows], [(r["url"], r["text"]) for r in records])
        self.assertEqual({(row["method"], row["media_type"]) for row in rows}, {("all", "text/plain")})

    def test_wrong_input_is_told_on_the_driver(self):
        cases = [({"method": "nonsense"}, "unknown method 'nonsense'; choose from: auto"), ({"timeout": "x"}, "timeout takes seconds"),
                 ({"columns": "colour"}, "unknown column 'colour'; there are id"), ({"colour": "red"}, "unknown option 'colour'"),
                 ({"split_bytes": "0"}, "split_bytes takes a number of bytes"), ({"kind": "x"}, "kind takes archive")]
        for options, message in cases:
            with self.subTest(options=options), self.assertRaisesRegex(Exception, message.replace("(", r"\(")):
                self.read(**options).count()
        with self.assertRaisesRegex(Exception, "there is no such file"):
            self.read(str(self.data.folder / "missing.warc.gz")).count()
        with self.assertRaisesRegex(Exception, "no file has such a name"):
            self.read(str(self.data.folder / "missing*.warc.gz")).count()
        with self.assertRaisesRegex(Exception, "is string, not int"):
            self.spark.read.format("winnow").schema("url int").load(self.data.archives[0]).count()


class Components(unittest.TestCase):
    def find(self, edges, in_memory):
        from winnow.spark.components import connected_components
        from winnow.spark.session import open_session

        session = open_session("test", "local[2]")
        session.conf.set("spark.sql.shuffle.partitions", "2")
        frame = session.createDataFrame(edges, "u long, v long")
        found, rounds = connected_components(session, frame, Data.get().new_folder(), in_memory)
        return {row["node"]: row["component"] for row in found.collect()}, rounds

    def test_a_long_chain_in_few_rounds(self):
        length = 100_000 if PAGES >= 2000 else 5000
        numbers = list(range(1, length + 1))
        random.Random(5).shuffle(numbers)
        chain = list(zip(numbers, numbers[1:]))
        for in_memory in (0, 10 ** 9):
            found, rounds = self.find(chain, in_memory)
            self.assertEqual(found, dict.fromkeys(numbers, 1))
            self.assertLess(rounds, 30)

    def test_random_graphs(self):
        chance = random.Random(8)
        edges = [(chance.randrange(1, 900), chance.randrange(1, 900)) for _ in range(500)]
        self.assertEqual(self.find(edges, 0)[0], self.find(edges, 10 ** 9)[0])

    def test_graphs_in_memory(self):
        import numpy as np
        from winnow.spark.components import components_of

        chance = random.Random(9)
        for _ in range(200):
            edges = [(chance.randrange(30), chance.randrange(30)) for _ in range(chance.randrange(1, 40))]
            nodes, least = components_of(np.array([a for a, _ in edges]), np.array([b for _, b in edges]))
            self.assertEqual(dict(zip(nodes.tolist(), least.tolist())), self.simple(edges))

    @staticmethod
    def simple(edges):
        label = {node: node for edge in edges for node in edge}
        while True:
            before = dict(label)
            for a, b in edges:
                label[a] = label[b] = min(label[a], label[b])
            if label == before:
                return label


class Pairs(unittest.TestCase):
    """Which texts of a key are compared, whatever the batches."""

    def test_against_a_simple_loop(self):
        import numpy as np
        from winnow.spark.dedup import BEFORE, FIRST, PairMaker

        chance = random.Random(2)
        for _ in range(300):
            keys = sorted(chance.choice([3, 3, 3, 4, 5, 9]) for _ in range(chance.randrange(1, 60)))
            nodes = [chance.randrange(10 ** 6) for _ in keys]
            wanted = {True: set(), False: set()}
            for i, key in enumerate(keys):
                start = keys.index(key)
                for j in range(start, i):
                    if i - j == 1:
                        wanted[True].add((i, j))
                    elif i - j <= BEFORE or j - start < FIRST:
                        wanted[False].add((i, j))
            for nearest in (True, False):
                maker, found, at = PairMaker(nearest), [], 0
                while at < len(keys):
                    end = at + chance.randrange(1, 15)
                    left, right = maker.add(np.array(keys[at:end]), np.array(nodes[at:end]))
                    found += zip(left.tolist(), right.tolist())
                    at = end
                self.assertEqual(sorted(found), sorted((nodes[i], nodes[j]) for i, j in wanted[nearest]))


    def test_a_key_that_a_million_texts_share(self):
        import numpy as np
        from winnow.spark.dedup import BEFORE, FIRST, PairMaker

        count, pairs = 1_000_000, 0
        for nearest in (True, False):
            maker = PairMaker(nearest)
            for at in range(0, count, 20_000):
                pairs += len(maker.add(np.full(20_000, 7), np.arange(at, at + 20_000))[0])
            self.assertLessEqual(len(maker.tail) + len(maker.first), BEFORE + FIRST)
        missing = sum(BEFORE + FIRST - min(place, BEFORE) - min(max(place - BEFORE, 0), FIRST) for place in range(20))
        self.assertEqual(pairs, count * (BEFORE + FIRST) - missing)


class Faults(unittest.TestCase):
    """What a rerun and a task that fails leave."""

    def test_a_rerun_goes_on(self):
        data, out = Data.get(), Data.get().new_folder()
        from winnow.spark import extract

        kept, calls = extract.extract_segment, []

        def fail_later(plan, name, segment):
            calls.append(name)
            if segment.unit == 4:
                raise RuntimeError("a worker that is lost")
            return kept(plan, name, segment)

        class Context:  # runs tasks here, one after the other, so that it can be interrupted at a known place
            def parallelize(self, items, _):
                return Tasks(items)

            def accumulator(self, value):
                return Sum()

        class Sum:
            value = 0

            def add(self, more):
                self.value += more

        class Tasks:
            def __init__(self, items):
                self.items = items

            def foreach(self, function):
                for item in self.items:
                    function(item)

            def map(self, function):
                return Tasks([function(item) for item in self.items])

            def collect(self):
                return self.items

        session = type("Session", (), {"sparkContext": Context()})()
        plan = extract.Plan(out, "jsonl", [], {})
        extract.extract_segment = fail_later
        try:
            with self.assertRaises(RuntimeError):
                extract.extract(session, data.archives, plan, split=data.split, quiet=True)
            self.assertFalse(list(Path(out).glob("*.jsonl")))  # nothing is seen before it is complete
            staged = len([p for p in Path(out, "_work").iterdir() if p.suffix == ".json"])
            self.assertGreater(staged, 4)
            calls.clear()
            extract.extract_segment = kept
            extract.extract(session, data.archives, plan, split=data.split, quiet=True)
        finally:
            extract.extract_segment = kept
        self.assertEqual(lines_of(out), data.jsonl)
        self.assertFalse(Path(out, "_work").exists())
        report = extract.extract(session, data.archives, plan, split=data.split, quiet=True)  # does nothing
        self.assertEqual(report["bad"][0]["file"], data.archives[4])

    def test_archives_of_which_nothing_can_be_read(self):
        """Named in the report and in the output, as by the program; the job goes on, and its exit status is 1."""
        data = Data.get()
        folder = data.folder / "bad"
        folder.mkdir()
        (folder / "a.warc.gz").write_bytes(b"This is no archive.")
        (folder / "b.warc").write_bytes(make_archives.warc_record(1, "http://a.example/", "metadata", "text/plain", b"x"))
        (folder / "c.warc.gz").write_bytes(b"")
        shutil.copy(data.archives[0], folder / "d.warc.gz")
        names = sorted(map(str, folder.iterdir()))
        for inputs, programs in ((names, names), ([folder], [folder])):
            wanted = run_program("extract", "-q", "-f", "jsonl", *programs)
            out = data.new_folder()
            code, said = job("extract", "-f", "jsonl", "-o", out, *inputs)
            self.assertEqual(lines_of(out), wanted)
            self.assertEqual(code, 1)
            self.assertIn("a.warc.gz\": it has no records", said)
            self.assertRegex(said, r"winnow: [1-9][\d,]* pages, [\d.]+ of [\d.]+ MB, [\d,]+ pages/s, 0 failed\n")
            report = json.loads(Path(out, "_report.json").read_text())
            self.assertEqual([bad["error"] for bad in report["bad"]],
                             ["it has no records", "its only record is not a web page"][:2 if inputs is names else 1])

    def test_parquet_files_that_are_damaged(self):
        """Named in the report; the rows of the others, and of sound row groups, are there."""
        import pyarrow
        import pyarrow.parquet

        data, out = Data.get(), Data.get().new_folder()
        folder = data.folder / "parquet"
        folder.mkdir()
        pages = make_archives.make_pages(30, None)
        table = pyarrow.table({"html": [html.decode() for _, html in pages], "url": [url for url, _ in pages]})
        paths = [folder / name for name in ("a.parquet", "b.parquet", "c.parquet")]
        paths[0].write_bytes(b"This is no table.")
        for path in paths[1:]:
            pyarrow.parquet.write_table(table, path, row_group_size=10)
        start = pyarrow.parquet.ParquetFile(paths[2]).metadata.row_group(1).column(0)
        begin = start.dictionary_page_offset or start.data_page_offset
        content = bytearray(paths[2].read_bytes())
        content[begin:begin + 200] = b"\xff" * 200
        paths[2].write_bytes(content)
        code, said = job("extract", "-f", "jsonl", "-o", out, *paths)
        self.assertEqual(code, 1, said)
        report = json.loads(Path(out, "_report.json").read_text())
        self.assertEqual([bad["file"] for bad in report["bad"]], [str(paths[0]), str(paths[2])])
        self.assertTrue(all(bad["error"] for bad in report["bad"]))
        self.assertEqual(report["extracted"], 50)

    def test_a_task_that_fails_twice(self):
        data, out = Data.get(), Data.get().new_folder()
        marks, patch = data.new_folder(), data.new_folder()
        os.mkdir(marks)
        os.mkdir(patch)
        # Every interpreter of the job reads this file at its start, those of the workers too.
        Path(patch, "sitecustomize.py").write_text(
            "import os, winnow.spark.extract as e\n"
            "kept = e.extract_segment\n"
            "def fail(plan, name, segment):\n"
            f"    tries = len(os.listdir({marks!r}))\n"
            "    if segment.unit == 2 and tries < 2:\n"
            f"        open(os.path.join({marks!r}, str(tries)), 'w')\n"
            "        open(plan.staged_path(name, segment.part) + '.x.tmp', 'w').write('half a result')\n"
            "        raise OSError(28, 'No space left on device')\n"
            "    return kept(plan, name, segment)\n"
            "e.extract_segment = fail\n")
        done = subprocess.run([*JOB, "extract", "-q", "-f", "jsonl", "-o", out, "--master", "local[2,4]", *data.archives],
                              stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": patch})
        self.assertEqual(done.returncode, 1, done.stderr.decode()[-2000:])
        self.assertEqual(len(os.listdir(marks)), 2)
        self.assertEqual(lines_of(out), data.jsonl)


class Messages(unittest.TestCase):
    def say(self, *arguments, **environment):
        done = subprocess.run([*JOB, *map(str, arguments)], stderr=subprocess.PIPE, env={**os.environ, **environment})
        return done.returncode, done.stderr.decode()

    def test_what_spark_says_in_one_sentence(self):
        from winnow.spark.__main__ import _sentence_of

        stack = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\n'
        for text, sentence in [
                (f"An exception was thrown from the Python worker:\n{stack}OSError: [Errno 28] No space left: 'x'\n\n\tat a.b.C(D)",
                 "OSError: [Errno 28] No space left: 'x'"),
                (f"Job aborted: 4 failures\n{stack}ModuleNotFoundError: No module named 'winnow'\nSQLSTATE: 38000",
                 "ModuleNotFoundError: No module named 'winnow'"),
                ("[PATH_NOT_FOUND] Path does not exist: file:/x. SQLSTATE: 42K03\n\tat a.b.C(D)",
                 "[PATH_NOT_FOUND] Path does not exist: file:/x. SQLSTATE: 42K03")]:
            self.assertEqual(_sentence_of(Exception(text)), sentence)

    def test_wrong_usage(self):
        data = Data.get()
        out = data.new_folder()
        for arguments, code, message in [
                (("extract", "-o", out, data.folder / "missing*.gz"), 2, "no file has such a name"),
                (("extract", "-o", out, data.folder / "missing.warc.gz"), 2, "missing.warc.gz: there is no such file"),
                (("dedup", "-o", out, data.folder / "missing"), 2, "missing: there is no such file"),
                (("extract", "-o", out, "-m", "nonsense", data.archives[0]), 2, "unknown method 'nonsense'; choose from"),
                (("extract", "-o", out, "--option", "links", data.archives[0]), 2, "--option takes NAME=VALUE"),
                (("extract", "-o", data.folder, data.archives[0]), 1, "is not empty; name another folder"),
                (("extract", "-o", "s3a://bucket/out", data.archives[0]), 2, "results go to a folder that all machines mount"),
                (("extract", "-o", out, "nowhere://host/a.warc.gz"), 2, "nowhere://host/a.warc.gz: Protocol not known: nowhere"),
                (("dedup", "-o", out, "--threshold", "2", data.archives[0]), 2, "--threshold takes a number")]:
            with self.subTest(message=message):
                result = self.say(*arguments)
                self.assertEqual(result[0], code, result[1])
                self.assertIn(message, result[1])
                self.assertNotIn("Traceback", result[1])

    def test_no_java(self):
        empty = Data.get().new_folder()
        os.mkdir(empty)
        result = self.say("extract", "-o", Data.get().new_folder(), Data.get().archives[0], PATH=empty, JAVA_HOME="")
        self.assertEqual(result[0], 1)
        self.assertIn("Spark needs Java 17", result[1])
        result = self.say("extract", "-o", Data.get().new_folder(), Data.get().archives[0], JAVA_HOME=empty)
        self.assertEqual(result[0], 1)
        self.assertIn(f"JAVA_HOME is {empty}, and there is no program bin/java there", result[1])

    def test_a_java_that_is_too_old(self):
        """As it is seen: the program ends before Spark could speak with it."""
        home = Path(Data.get().new_folder())
        (home / "bin").mkdir(parents=True)
        (home / "bin/java").write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\"' >&2\nexit 1\n")
        (home / "bin/java").chmod(0o755)
        result = self.say("extract", "-o", Data.get().new_folder(), Data.get().archives[0], JAVA_HOME=str(home))
        self.assertEqual(result[0], 1)
        self.assertIn('Spark needs Java 17 or later, and', result[1])
        self.assertIn('says: openjdk version "11.0.2"', result[1])
        self.assertNotIn("Traceback", result[1])

    def test_a_spark_that_is_too_old(self):
        import winnow.spark

        with self.assertRaisesRegex(ImportError, "needs Spark 4.0 or later, and this is 3.5.1"):
            winnow.spark.check_version("3.5.1")
        for content, message in (("__version__ = '3.5.1'", "winnow.spark needs Spark 4.0 or later, and this is 3.5.1: pip install"),
                                 ("raise ImportError('no such module')", "winnow.spark needs Spark: pip install")):
            folder = Path(Data.get().new_folder())
            folder.mkdir()
            (folder / "pyspark.py").write_text(content)
            code, said = self.say("extract", "-o", Data.get().new_folder(), Data.get().archives[0], PYTHONPATH=str(folder))
            self.assertEqual((code, said.partition(message)[0]), (1, "winnow: "), said)

    def test_progress_and_the_time_that_is_left(self):
        from winnow.spark.session import Progress

        context = unittest.mock.Mock(accumulator=lambda value: unittest.mock.Mock(value=value))
        progress = Progress(context, 4_000_000, quiet=True)
        progress.start -= 10
        progress.pages.value, progress.failed.value, progress.bytes.value = 5000, 2, 1_000_000
        self.assertEqual(progress.line(), "5,000 pages, 1.0 of 4.0 MB, 500 pages/s, 2 failed, 30 s left")


# ---- A standalone cluster ----------------------------------------------------------------------------------------------


class Standalone:
    """A master and two workers as processes of this machine."""

    def __init__(self, folder):
        import pyspark

        self.home = os.path.dirname(pyspark.__file__)
        self.folder = Path(folder)
        self.port = random.Random(os.getpid()).randrange(20000, 30000)
        self.url = f"spark://127.0.0.1:{self.port}"
        self.master_log = self.folder / "spark-0.log"
        self.processes, self.workers = [], []

    def begin(self):
        self.processes.append(self.start("org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", str(self.port),
                                         "--webui-port", "0"))
        self.wait_for(b"I have been elected leader", 1)
        self.workers = [self.start_worker(i) for i in range(2)]

    def wait_for(self, message, times):
        """Until the master has said something so many times."""
        deadline = time.monotonic() + 120
        while self.master_log.read_bytes().count(message) < times:
            if time.monotonic() > deadline:
                raise AssertionError(self.master_log.read_text()[-2000:])
            time.sleep(0.1)

    def start(self, *arguments, local=None):
        environment = {**os.environ, "SPARK_HOME": self.home, "SPARK_DAEMON_MEMORY": "256m", "PYSPARK_PYTHON": sys.executable,
                       "SPARK_LOCAL_IP": "127.0.0.1"}
        if local:
            environment["SPARK_LOCAL_DIRS"] = local
        with open(self.folder / f"spark-{len(list(self.folder.glob('spark-*.log')))}.log", "wb") as log:
            return subprocess.Popen([f"{self.home}/bin/spark-class", *arguments], env=environment, stdout=log, stderr=log,
                                    start_new_session=True)

    def start_worker(self, number, local=None):
        registered = self.master_log.read_bytes().count(b"Registering worker")
        work = self.folder / f"worker{number}"
        process = self.start("org.apache.spark.deploy.worker.Worker", "--cores", "1", "--memory", "900m", "--webui-port", "0",
                             "--work-dir", str(work), self.url, local=local)
        self.processes.append(process)
        self.wait_for(b"Registering worker", registered + 1)
        return process

    def executors(self):
        """The processes of executors that our workers started."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    command = (entry / "cmdline").read_bytes()
                    if b"CoarseGrainedExecutorBackend" in command and \
                            str(self.folder).encode() in os.readlink(entry / "cwd").encode():
                        found.append(int(entry.name))
                except OSError:
                    pass
        return found

    def working(self):
        """Those executors that have started Python for a task, and not those that are only just starting."""
        return [executor for executor in self.executors() if self.has_children(executor)]

    @staticmethod
    def has_children(process):
        try:
            return any(path.read_text() for path in Path(f"/proc/{process}/task").glob("*/children"))
        except OSError:
            return False

    def stop(self):
        for process in self.processes:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


class Killer(threading.Thread):
    """Kills executors with SIGKILL at random moments, as long as a job runs."""

    def __init__(self, cluster, most, chance):
        super().__init__(daemon=True)
        self.cluster, self.most, self.chance = cluster, most, chance
        self.ended, self.killed = threading.Event(), 0

    def run(self):
        while self.killed < self.most and not self.ended.wait(self.chance.uniform(0.2, 3)):
            working = self.cluster.working()
            if working and not self.ended.is_set():
                os.kill(self.chance.choice(working), signal.SIGKILL)
                self.killed += 1

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.join()


@at_each_number(lambda test, number: check_all(test, number, test.cluster.url))
@unittest.skipUnless(CLUSTER, "WINNOW_SPARK_CLUSTER is not 1")
class OnCluster(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.data = Data.get()
        cls.cluster = Standalone(cls.data.folder)
        cls.addClassCleanup(cls.cluster.stop)  # before anything starts: it may not start in time
        cls.addClassCleanup(stop_session)
        cls.cluster.begin()

    def run_job(self, name, *arguments):
        out = self.data.new_folder()
        code, said = job(name, "-q", "--split", self.data.split, "--partitions", 7, "-o", out, *arguments,
                         master=self.cluster.url)
        self.assertIn(code, (0, 1), said)
        self.assertNotIn("the job failed", said)
        return out

    def check_killed(self, name, *arguments, read, wanted):
        """Runs a job, again and again if need be, until executors were killed at so many moments of it."""
        chance, killed, runs = random.Random(name), 0, 0
        while killed < KILLS:
            with Killer(self.cluster, KILLS - killed, chance) as killer:
                out = self.run_job(name, *arguments)
            killed, runs = killed + killer.killed, runs + 1
            self.assertEqual(read(out), wanted)
            self.assertLess(runs, 50, f"only {killed} executors could be killed")
        print(f"{name}: {killed} executors killed in {runs} runs", file=sys.stderr)

    @classmethod
    def pages(cls):
        """The pages for jobs that compare them, so that what is killed there is not extraction."""
        if not hasattr(cls, "_pages"):
            cls._pages = cls.data.new_folder()
            job("extract", "-q", "-f", "parquet", "-o", cls._pages, *cls.data.archives, master=cls.cluster.url)
        return cls._pages

    def test_killed_in_extract(self):
        self.check_killed("extract", "-f", "jsonl", *self.data.archives, read=lines_of, wanted=self.data.jsonl)

    def test_killed_in_site(self):
        self.check_killed("site", *self.data.archives, read=lines_of, wanted=self.data.site)

    def test_killed_in_dedup(self):
        self.check_killed("dedup", self.pages(), read=lambda out: Path(out, "copies.csv").read_bytes(), wanted=self.data.copies)

    def test_killed_in_outliers(self):
        self.check_killed("outliers", self.pages(), read=lambda out: Path(out, "words.csv").read_bytes(), wanted=self.data.words)

    def test_a_worker_that_is_removed(self):
        self.run_job("extract", "-f", "jsonl", *self.data.archives)  # so that both workers have executors that work
        worker = self.cluster.workers.pop()
        removed = threading.Event()

        def remove():
            time.sleep(0.5)
            for executor in self.cluster.executors():
                try:
                    if "worker1" in os.readlink(f"/proc/{executor}/cwd"):
                        os.kill(executor, signal.SIGKILL)
                except OSError:
                    pass
            os.killpg(worker.pid, signal.SIGKILL)
            removed.set()

        thread = threading.Thread(target=remove)
        thread.start()
        out = self.run_job("extract", "-f", "jsonl", *self.data.archives)
        self.assertTrue(removed.is_set(), "the job was faster")
        thread.join()
        self.assertEqual(lines_of(out), self.data.jsonl)
        self.cluster.workers.append(self.cluster.start_worker(1))

    @staticmethod
    def of_program(store, archives):
        """(copies.csv, words.csv of the other pages) as the program makes them."""
        run_program("corpus", "add", "-q", store, *archives)
        copies = run_program("corpus", "dedup", store, "-f", "csv", "--dry-run")
        run_program("corpus", "dedup", store, "-q")
        return copies, run_program("corpus", "outliers", store, "-q", "-f", "csv", "--dry-run")

    def cluster_commands(self, folder):
        """Those of docs/spark.md, but for the two that start a cluster; with our wheel, our folders and little memory."""
        wheel = next((HERE.parent.parent / "build/python/wheel").glob("*.whl"))
        text = (HERE.parent.parent / "docs/spark.md").read_text(encoding="utf-8")
        block = text.split("<!-- tested: cluster -->\n```sh\n")[1].split("```")[0]
        commands = [line for line in block.split("\n") if not line.startswith(("start-master.sh", "start-worker.sh"))]
        self.assertEqual(len(block.split("\n")) - len(commands), 2)
        script = "\n".join(commands)
        for written, ours in (("python -m venv", f"{sys.executable} -m venv"), (" winnow-extract ", f" -q {wheel} "), ("less ", "cat "),
                              ("spark://$HOST:7077", self.cluster.url), ("/shared/", f"{folder}/shared/"),
                              ("spark-submit ", "spark-submit --conf spark.executor.memory=700m ")):
            self.assertIn(written, script)
            script = script.replace(written, ours)
        return script

    def test_submitted_with_an_environment(self):
        """The commands of docs/spark.md for a cluster, from the one that makes the environment to the last."""
        folder = self.data.folder / "submitted"
        crawl = folder / "shared/crawl"
        crawl.mkdir(parents=True)
        for i in (0, 3, 6):  # sound ones with that ending; some pages of the later are copies of the first's
            shutil.copy(self.data.archives[i], crawl)
        copies, words = self.of_program(folder / "store.db", sorted(crawl.iterdir()))
        environment = {**os.environ, "PATH": f"{self.cluster.home}/bin:{os.environ['PATH']}", "SPARK_HOME": self.cluster.home,
                       "SPARK_LOCAL_IP": "127.0.0.1"}
        environment.pop("PYSPARK_PYTHON", None)
        stop_session()  # it has all cores of the cluster, and what is submitted would wait for them
        code, output, said = run_script(self.cluster_commands(folder), folder, environment)
        self.assertEqual(code, 0, said[-3000:])
        self.assertIn(b'"extracted"', output)
        self.assertGreater(copies.count(b"\n"), 1)  # or comparing them shows nothing
        self.assertEqual((folder / "shared/copies/copies.csv").read_bytes(), copies)
        self.assertEqual((folder / "shared/words/words.csv").read_bytes(), words)
        places = [path for path in self.data.folder.glob("worker*/app-*/*/env/bin/python")]
        self.assertTrue(places, "no executor unpacked the environment")

    def test_a_job_that_gets_no_executor_says_so(self):
        self.run_job("extract", "-f", "jsonl", self.data.archives[0])  # our session has all cores now, and keeps them
        process = subprocess.Popen([*JOB, "extract", "-q", "-o", self.data.new_folder(), "--master", self.cluster.url,
                                    self.data.archives[0]], stderr=subprocess.PIPE, start_new_session=True)
        try:
            said = next((line for line in process.stderr if line.startswith(b"winnow: ")), b"")
            self.assertIn(b"has started no executor in 30 s; the job waits until there are free cores, and 700m of memory", said)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            process.stderr.close()

    def test_z_a_worker_with_a_full_disk(self):
        """Its local folder holds next to nothing: what Spark shuffles there fails, and goes elsewhere."""
        small = self.data.folder / "small"
        small.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", small], stderr=subprocess.DEVNULL).returncode:
            self.skipTest("no small file system can be mounted here")
        stop_session()
        worker = self.cluster.start_worker(7, local=str(small))
        try:
            out = self.run_job("dedup", *self.data.archives)
            self.assertEqual(Path(out, "copies.csv").read_bytes(), self.data.copies)
            logs = b"".join(path.read_bytes() for path in (self.data.folder / "worker7").rglob("stderr"))
            self.assertIn(b"No space left on device", logs)  # or the disk was never full
        finally:
            os.killpg(worker.pid, signal.SIGKILL)
            worker.wait()
            time.sleep(1)
            subprocess.run(["umount", "-l", small])


@unittest.skipUnless(CLUSTER, "WINNOW_SPARK_CLUSTER is not 1")
class Manual(unittest.TestCase):
    """The commands of docs/spark.md for a laptop, but for pip."""

    def test_laptop(self):
        data = Data.get()
        text = (HERE.parent.parent / "docs/spark.md").read_text(encoding="utf-8")
        commands = text.split("<!-- tested: laptop -->\n```sh\n")[1].split("```")[0].strip().split("\n")
        self.assertEqual(len(commands), 5)
        folder = data.folder / "laptop"
        (folder / "crawl").mkdir(parents=True)
        shutil.copy(data.archives[0], folder / "crawl")
        environment = {name: value for name, value in os.environ.items() if name != "PYSPARK_PYTHON"}  # as a user has it
        for command in commands[1:]:
            command = command.replace("python ", sys.executable + " ", 1) if command.startswith("python ") else command
            code, output, said = run_script(command, folder, environment)
            self.assertEqual(code, 0, said[-2000:])
        self.assertIn(b"word,total", output)


# ---- What passed is noted ----------------------------------------------------------------------------------------------


def digest_of_tested():
    """Of all that a result depends on: the program, the package, the tests and their settings."""
    import winnow

    digest = hashlib.sha256(repr((PAGES, SPLITS, CLUSTER, KILLS)).encode())
    files = [Path(PROGRAM), *HERE.glob("*.py"), *sorted(Path(winnow.__file__).parent.rglob("*.py")),
             *sorted(Path(winnow.__file__).parent.glob("*.so"))]
    for path in files:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


class Notes:
    """The names of tests that passed, in a file."""

    def __init__(self, folder):
        self.path = Path(folder, f"passed-{digest_of_tested()}") if folder else None
        if self.path:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        self.names = set(self.path.read_text().split()) if self.path and self.path.exists() else set()

    def add(self, test):
        if self.path:
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(test.id() + "\n")

    def result_class(self):
        notes = self

        class Result(unittest.TextTestResult):
            """Notes what passed, and ends what takes too long: a job that waits for a cluster would wait for ever."""

            def startTest(self, test):
                super().startTest(test)
                self.started = time.monotonic()
                signal.alarm(LIMIT)

            def addSuccess(self, test):
                super().addSuccess(test)
                notes.add(test)

            def stopTest(self, test):
                signal.alarm(0)
                if self.showAll:
                    self.stream.writeln(f"    {time.monotonic() - self.started:.0f} s")
                super().stopTest(test)

        return Result


def end_test(*_):
    """When a test has taken too long. Its session goes too, so that the next test does not meet its job."""
    stop_session()
    raise TimeoutError(f"the test took more than {LIMIT} seconds (WINNOW_SPARK_LIMIT)")


def all_tests(suite):
    for each in suite:
        if isinstance(each, unittest.TestSuite):
            yield from all_tests(each)
        else:
            yield each


def main():
    global PROGRAM
    PROGRAM = os.path.abspath(sys.argv[1])
    os.environ.pop("PYSPARK_PYTHON", None)  # jobs have to find the interpreter of the workers themselves
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ.setdefault("PYSPARK_SUBMIT_ARGS", "--conf spark.executor.memory=700m --conf spark.driver.host=127.0.0.1 "
                          "--conf spark.driver.bindAddress=127.0.0.1 --conf spark.ui.enabled=false pyspark-shell")
    # No Java here lives long enough to earn back what its second compiler costs.
    os.environ.setdefault("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    signal.signal(signal.SIGALRM, end_test)
    names = [name for name in sys.argv[2:] if not name.startswith("-")]
    loader, module = unittest.TestLoader(), sys.modules[__name__]
    found = list(all_tests(loader.loadTestsFromNames(names, module) if names else loader.loadTestsFromModule(module)))
    notes = Notes(KEEP)
    todo = [test for test in found if test.id() not in notes.names]
    if len(todo) < len(found):
        print(f"{len(found) - len(todo)} tests passed in an earlier run: {notes.path}", file=sys.stderr)
    runner = unittest.TextTestRunner(verbosity=2 if "-v" in sys.argv else 1, resultclass=notes.result_class())
    try:
        result = runner.run(unittest.TestSuite(todo))
    finally:
        if Data._made:
            shutil.rmtree(Data._made.folder, ignore_errors=True)
    failed = len(result.failures) + len(result.errors)
    passed = len(found) - len(todo) + result.testsRun - failed - len(result.skipped)
    print(f"{passed} passed, {failed} failed, {len(result.skipped)} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
