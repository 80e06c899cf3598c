#!/usr/bin/env python3
"""Web archives, JSON lines and long work: what goes in, what comes out, and what happens when it is interrupted.

    test_archives.py build/winnow [-v] [NAME...]

Tests that read the data set `warc` are skipped where it is not (see tools/data).
"""

import csv
import gzip
import json
import os
import pty
import random
import re
import resource
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib
from pathlib import Path

WINNOW = "winnow"
ROOT = Path(__file__).resolve().parent.parent.parent

# Files of which the reference in MANIFEST.tsv counts otherwise: (records, HTML), and why it does.
DIFFERENT = {
    # The reference gives up where a member of gzip holds more than one record; we read on.
    "aut/src/test/resources/arc/badexample.arc.gz": (4, 1, "many records in one member, the last cut short"),
    "gowarc/testdata/warcs/corrupted-mid-record.warc.gz.open": (12, 12, "many records in one member, then bytes that are no gzip"),
    "gowarc/testdata/warcs/corrupted-trailing-bytes.warc.gz.open": (30, 30, "many records in one member, then bytes that are no gzip"),
    "gowarc/testdata/warcs/good.warc.gz.open": (50, 50, "many records in one member"),
    "gowarc/testdata/warcs/skip-non-open.warc.gz": (10, 10, "many records in one member"),
    "pywb/sample_archive/warcs/example-bad.warc.gz.bad": (6, 2, "many records in one member"),
    "warcio/test/data/example-bad-non-chunked.warc.gz": (6, 1, "many records in one member"),
    "warcio/test/data/example-bad.warc.gz.bad": (6, 2, "many records in one member"),
    "warcio/test/data/example-wrong-chunks.warc.gz": (2, 1, "goes on after a record that is too long"),
    # It stops at a malformed record or counts bytes that are none; we go on at the next one.
    "jhove:invalid-warcfile-fields-empty": (1, 0, "a request after a header without a length is no record of its own"),
    "jhove:invalid-warcfile-fields-invalidformat": (1, 0, "a request after a header without a length is no record of its own"),
    "jhove:invalid-warcfile-lonely-request-response-resource-conversion": (4, 0, "it ends with an exception"),
    "jhove:invalid-warcfile-lonely-revisit": (1, 0, "it ends with an exception"),
    "jhove:invalid-warcfile-lonely-warcinfo-metadata": (2, 0, "goes on after a header without a length"),
    "jhove:invalid-warcheaderfieldpolicy-11": (1, 0, "a record whose whole block is missing counts, as cut short"),
    "jhove:invalid-warcheaderfieldpolicy-12": (1, 0, "a record whose whole block is missing counts, as cut short"),
    "jhove:invalid-warcheaderfieldpolicy-13": (1, 0, "a record whose whole block is missing counts, as cut short"),
    "jhove:invalid-warcheaderversion-10": (0, 0, "a first line and nothing more, and of a version that there is not"),
    "jhove:invalid-warcheaderversion-11": (0, 0, "a first line and nothing more, and of a version that there is not"),
    "jhove:invalid-warcheaderversion-20": (0, 0, "an empty line is no record"),
    "jhove:invalid-warcreader-diagnosis-1": (0, 0, "no line of it is that of a record"),
    "jhove:invalid-warcrecord-1": (6, 0, "goes on after headers without a length"),
    "jhove:invalid-warcrecord-3": (5, 0, "goes on after lengths that are too small and too large"),
}
# Frames after a dictionary that is not there cannot be read; the others are cut.
ZSTD = {"missing-dict": 0, "dolma0-48rec.truncated": 38, "resiliparse-50rec.truncated": 29}


def page(mark, sentences=30):
    paragraphs = "".join(f"<p>{mark} part {i}. The old mill by the river turns again, and many came to see it run.</p>\n"
                         for i in range(sentences))
    return f"<!DOCTYPE html><html lang=en><title>{mark}</title><article><h1>{mark}</h1>{paragraphs}</article>".encode()


def record(block, kind="response", url="http://example.org/", content_type="application/http", version="1.0", number=0):
    head = (f"WARC/{version}\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{number:032x}>\r\nWARC-Target-URI: {url}\r\n"
            f"WARC-Date: 2026-01-31T00:00:00Z\r\nContent-Type: {content_type}\r\nContent-Length: {len(block)}\r\n\r\n")
    return head.encode() + block + b"\r\n\r\n"


def response(body, content_type="text/html", status="200 OK", **headers):
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    kind = f"Content-Type: {content_type}\r\n" if content_type else ""
    return f"HTTP/1.1 {status}\r\n{kind}{lines}\r\n".encode() + body


def chunked(body, size=100):
    parts = (body[i:i + size] for i in range(0, len(body), size))
    return b"".join(b"%x\r\n%s\r\n" % (len(p), p) for p in parts) + b"0\r\n\r\n"


def winnow(*args, timeout=100, **kwargs):
    done = subprocess.run([WINNOW, *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout, **kwargs)
    done.err = done.stderr.decode("utf-8", "replace")
    return done


def find_data(name):
    found = subprocess.run([ROOT / "tools/data", name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return Path(found.stdout.strip()) / name if found.returncode == 0 else None


class Case(unittest.TestCase):
    def setUp(self):
        self.dir = Path(tempfile.mkdtemp(prefix="winnow-archives-"))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)

    def write(self, name, content):
        path = self.dir / name
        path.write_bytes(content)
        return path

    def extract(self, *args, code=0, **kwargs):
        done = winnow("extract", "-f", "jsonl", "-m", "all", *args, **kwargs)
        self.assertEqual(done.returncode, code, done.err)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def check(self, path):
        done = winnow("warc", "check", "-q", "-f", "jsonl", path)
        self.assertIn(done.returncode, (0, 1), done.err)
        return json.loads(done.stdout)


def overlapping(count, tail):
    """Damaged members of gzip, each of which begins in the one before; all share a tail that expands a thousandfold."""
    head = b"\x1f\x8b\x08\0\0\0\0\0\0\x03"
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = packer.compress(b"\n" * (tail * 1030)) + packer.flush(zlib.Z_SYNC_FLUSH)
    return (head + b"\0" + struct.pack("<HH", 10, 0xFFFF ^ 10)) * count + head + bomb[:tail] + b"\xff" * 8


class Damage(Case):
    """What was served is not all there: told by the record and by `warc check`."""

    def outcome(self, block, **more):
        path = self.write("a.warc", record(block, **more) if isinstance(block, bytes) else block[0])
        found, = self.extract(path)
        check = self.check(path)
        self.assertEqual(found["title"], "mill")
        self.assertEqual(found["status"], "partial" if found["limited"] else "ok")
        return found["limited"], (check["bodies_truncated"], check["bodies_damaged"], check["declared_truncated"])

    def test_what_is_missing(self):
        html = page("mill") + os.urandom(2000).hex().encode()
        packed = gzip.compress(html)
        wrong = packed[:-8] + bytes(4) + packed[-4:]
        chunks = chunked(html)
        cut, bad = (["truncated"], (1, 0, 0)), (["damaged"], (0, 1, 0))
        for name, block, expected in (
                ("cut gzip", response(packed[:-100], Content_Encoding="gzip"), cut),
                ("wrong checksum", response(wrong, Content_Encoding="gzip"), bad),
                ("cut chunk", response(chunks[:-150], Transfer_Encoding="chunked"), cut),
                ("no last chunk", response(chunks[:-5], Transfer_Encoding="chunked"), cut),
                ("a chunk that is none", response(chunks[:-160] + b"\r\nzz\r\n" + bytes(50), Transfer_Encoding="chunked"), bad),
                ("short", response(html, Content_Length=len(html) + 1), cut),
                ("short gzip", response(packed[:-1], Content_Length=len(packed), Content_Encoding="gzip"), cut)):
            self.assertEqual(self.outcome(block), expected, name)
            self.assertEqual(winnow("warc", "check", self.dir / "a.warc").returncode, 1, name)
            self.assertIn(b"DAMAGED, 1 bod", winnow("warc", "check", self.dir / "a.warc").stdout)

    def test_what_archives_declare_and_is_no_longer_so(self):
        html = page("mill")
        packed, sound = gzip.compress(html), ([], (0, 0, 0))
        for name, block in (
                ("whole", response(html, Content_Length=len(html))),
                ("chunks were joined", response(html, Transfer_Encoding="chunked", Content_Length=len(html) * 2)),
                ("was decompressed", response(html, Content_Encoding="gzip", Content_Length=len(html) * 2)),
                ("was decompressed, brotli", response(html, Content_Encoding="br", Content_Length=len(html) * 2)),
                ("longer", response(html, Content_Length=len(html) - 1)),
                ("identity", response(html, Content_Encoding="identity", Content_Length=len(html))),
                ("more after gzip", response(packed + b"\r\n", Content_Encoding="gzip")),
                ("chunked gzip", response(chunked(packed), Content_Encoding="gzip", Transfer_Encoding="chunked", Content_Length=3))):
            self.assertEqual(self.outcome(block), sound, name)
            self.assertIn(b"; sound\n", winnow("warc", "check", self.dir / "a.warc").stdout, name)

    def test_declared_by_the_record(self):
        whole = record(response(page("mill"))).replace(b"WARC-Type", b"WARC-Truncated: length\r\nWARC-Type", 1)
        self.assertEqual(self.outcome([whole]), (["truncated"], (0, 0, 1)))
        done = winnow("warc", "check", self.dir / "a.warc")
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"sound, 1 record declares", done.stdout)
        done = winnow("extract", "-m", "all", self.dir / "a.warc")
        self.assertIn("is not complete: its end is missing in the archive", done.err)

    def test_the_file_ends_in_a_record(self):
        whole = record(response(page("mill")))
        found = self.extract(self.write("a.warc.gz", gzip.compress(whole[:-100])), code=1)[0]
        self.assertEqual((found["status"], found["limited"]), ("partial", ["truncated"]))

    def test_redirects_and_revisits_have_no_body(self):
        for block, kind in ((response(b"", status="301 Moved", Content_Length=10), "response"),
                            (response(b"", Content_Length=10), "revisit")):
            self.assertEqual(self.check(self.write("a.warc", record(block, kind)))["bodies_truncated"], 0)


class Cost(Case):
    """What a small file may cost: processor time and memory."""

    def cost(self, *args):
        process = subprocess.Popen([WINNOW, *map(str, args)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        process.stderr.read()
        process.stderr.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertIn(process.returncode, (0, 1))
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024

    def test_overlapping_members(self):
        path = self.write("a.warc.gz", overlapping(1000, 15000))
        for command in (("warc", "check"), ("extract",)):
            seconds, _ = self.cost(*command, path)
            self.assertLess(seconds, 4)

    def test_one_damaged_place_does_not_make_an_archive_unreadable(self):
        good = [gzip.compress(record(response(page(f"page {i}")), number=i)) for i in range(4)]
        bad = bytearray(good[1])
        bad[40:60] = bytes(20)
        path = self.write("damaged.warc.gz", good[0] + bytes(bad) + good[2] + good[3])
        done = winnow("extract", "-f", "jsonl", path)
        self.assertEqual(done.returncode, 1)
        titles = [json.loads(line)["title"] for line in done.stdout.splitlines()]
        self.assertEqual(titles, ["page 0", "page 2", "page 3", None])  # the last one is about the archive
        self.assertIn("is damaged in 1 place; all other records were read", done.err)
        self.assertNotIn("cannot read", done.err)

    def test_members_that_a_damaged_one_swallowed_are_read(self):
        good = [gzip.compress(record(response(page(f"page {i}")), number=i)) for i in range(3)]
        path = self.write("a.warc.gz", good[0] + overlapping(20, 100)[:-100] + b"".join(good[1:]))
        self.assertEqual([p["title"] for p in self.extract(path, "-q", code=1) if p["title"]], ["page 0", "page 1", "page 2"])

    def test_body_of_a_small_archive(self):
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
        size, piece = 300 << 20, b"x" * (1 << 20)
        packer = zlib.compressobj(1, zlib.DEFLATED, 31)
        packed = b"".join(packer.compress(piece) for _ in range(300)) + packer.flush()
        start = record(head + b"x").replace(b"Length: %d\r" % (len(head) + 1), b"Length: %d\r" % (len(head) + size))[:-5]
        with gzip.open(self.dir / "plain.warc.gz", "wb", 1) as file:
            file.write(start)
            for _ in range(300):
                file.write(piece)
        self.write("packed.warc.gz", gzip.compress(record(head + packed)))
        for name in ("plain", "packed"):
            _, megabytes = self.cost("warc", "cat", "-b", self.dir / f"{name}.warc.gz")
            self.assertLess(megabytes, 200, name)
            with open(self.dir / "out", "wb") as out, open(self.dir / "err", "w+") as err:
                subprocess.run([WINNOW, "warc", "cat", "-b", self.dir / f"{name}.warc.gz", "--max-bytes", "1M"], stdout=out, stderr=err)
                self.assertEqual(out.tell(), size if name == "plain" else 1 << 20)
                err.seek(0)
                self.assertEqual("--max-bytes" in err.read(), name == "packed")


class Reading(Case):
    def archive(self, count=5):
        return [record(response(page(f"page {i}")), number=i, url=f"http://example.org/{i}") for i in range(count)]

    def test_forms_of_compression(self):
        records = self.archive()
        files = [self.write("a.warc", b"".join(records)),
                 self.write("a.warc.gz", b"".join(gzip.compress(r) for r in records)),
                 self.write("whole.warc.gz", gzip.compress(b"".join(records)))]
        for ending in ("zst", "lz4"):
            files.append(self.dir / f"a.warc.{ending}")
            self.assertEqual(winnow("warc", "cat", files[0], "-o", files[-1]).returncode, 0)
        for path in files:
            pages = self.extract(path)
            self.assertEqual([p["title"] for p in pages], [f"page {i}" for i in range(5)], path)
            self.assertEqual([p["id"] for p in pages], [f"<urn:uuid:{i:032x}>" for i in range(5)])
            self.assertEqual({p["file"] for p in pages}, {str(path)})
            places = [f'{p["offset"]}+{p.get("inner", 0)}' for p in pages]
            self.assertEqual(len(set(places)), 5)
            self.assertEqual(winnow("warc", "cat", "-b", path, places[3]).stdout, page("page 3"))
            self.assertEqual({(p["http_status"], p["media_type"]) for p in pages}, {(200, "text/html")})
            self.assertEqual({p["crawled"] for p in pages}, {"2026-01-31T00:00:00Z"})
            if "inner" not in pages[1]:
                self.assertEqual([p["offset"] + p["length"] for p in pages], [p["offset"] for p in pages[1:]] + [os.path.getsize(path)])
        with open(files[1], "rb") as file:
            done = winnow("extract", "-f", "jsonl", "-", stdin=file)
        self.assertEqual(len(done.stdout.splitlines()), 5)

    def test_jobs_give_the_same(self):
        path = self.write("a.warc.gz", b"".join(gzip.compress(r) for r in self.archive(50)))
        self.assertEqual(self.extract(path, "-j1"), self.extract(path, "-j4"))

    def test_versions_and_arc(self):
        body = response(page("arc"))
        self.assertEqual(len(self.extract(self.write("a.warc", b"".join(
            record(response(page(v)), version=v) for v in ("0.17", "0.18", "1.0", "1.1"))))), 4)
        for version, more in ((1, ""), (2, " 200 - - 0 a.arc")):
            about = f"{version} 0 Test\nURL IP-address Archive-date Content-type Archive-length\n"
            arc = (f"filedesc://a.arc 0.0.0.0 20260131000000 text/plain{more} {len(about)}\n{about}\n"
                   f"http://example.org/a b 1.2.3.4 20260131000000 text/html{more} {len(body)}\n").encode() + body + b"\n"
            found, = self.extract(self.write("a.arc.gz", gzip.compress(arc)))
            self.assertEqual(found["url"], "http://example.org/a b")
            self.assertRegex(found["id"], r"a\.arc\.gz@0\+\d+$")
            self.assertEqual((found["crawled"], found["http_status"], found["media_type"]), ("2026-01-31T00:00:00Z", 200, "text/html"))

    def test_encodings_by_what_the_body_is(self):
        html = page("encoded")
        raw = zlib.compressobj(wbits=-15)
        bodies = [(html, {}), (html, {"Content_Encoding": "gzip"}), (html, {"Content_Encoding": "br"}),
                  (html, {"Content_Encoding": "deflate"}), (html, {"Transfer_Encoding": "chunked"}),
                  (gzip.compress(html), {"Content_Encoding": "gzip"}), (gzip.compress(html), {}),
                  (zlib.compress(html), {"Content_Encoding": "deflate"}),
                  (raw.compress(html) + raw.flush(), {"Content_Encoding": "deflate"}),
                  (chunked(html), {"Transfer_Encoding": "chunked"}), (chunked(html), {}),
                  (chunked(gzip.compress(html)), {"Transfer_Encoding": "chunked", "Content_Encoding": "gzip"}),
                  (gzip.compress(gzip.compress(html)), {"Content_Encoding": "gzip"})]
        path = self.write("a.warc", b"".join(record(response(body, **headers)) for body, headers in bodies))
        pages = self.extract(path)
        self.assertEqual([p["title"] for p in pages], ["encoded"] * len(bodies))
        self.assertEqual(len({p["text"] for p in pages}), 1)

    def test_only_pages_are_taken(self):
        html = page("kept")
        records = [record(response(html)), record(response(html, None)), record(response(html, "text/plain")),
                   record(html, "resource", content_type="text/html"),
                   record(response(b"\x89PNG\r\n\x1a\n" + bytes(64), "image/png")), record(response(html, status="404 Not Found")),
                   record(response(b"%PDF-1.4 " + bytes(200))), record(response(b"just text", "text/plain")),
                   record(b"GET / HTTP/1.1\r\n\r\n", "request"), record(response(html), "revisit"),
                   record(b"x", "response", url="dns:example.org", content_type="text/dns")]
        self.assertEqual([p["title"] for p in self.extract(self.write("a.warc", b"".join(records)))], ["kept"] * 4)

    def test_charset_of_the_server(self):
        body = "<title>x</title><p>Привет, мир</p>".encode("koi8-r")
        found, = self.extract(self.write("a.warc", record(response(body, 'text/html; charset="koi8-r"'))))
        self.assertIn("Привет", found["text"])

    def test_damage_is_passed_over(self):
        records = self.archive(6)
        good = [gzip.compress(r) for r in records]
        broken = list(good)
        broken[2] = broken[2][:len(broken[2]) // 2]
        pages = self.extract(self.write("cut.warc.gz", b"".join(broken)), code=1)
        self.assertEqual([p["title"] for p in pages if p["status"] == "ok" and p["id"].endswith(">")][-3:],
                         ["page 3", "page 4", "page 5"])
        self.assertIn("damaged", pages[-1]["error"])
        broken[2] = bytes(200)
        self.assertEqual(len(self.extract(self.write("zeros.warc.gz", b"".join(broken)), code=1)), 6)
        records[3] = b"this is no record\r\nat all\r\n\r\n"
        self.assertEqual(len(self.extract(self.write("bad.warc", b"".join(records)), code=1)), 6)
        self.assertEqual(self.check(self.dir / "bad.warc")["malformed"], 1)
        self.extract(self.write("none.warc", b"no archive"), code=1)

    def test_json_lines(self):
        lines = [json.dumps({"id": f"n{i}", "url": f"http://example.org/{i}", "html": page(f"line {i}").decode()}) for i in range(4)]
        lines[2] = '{"url": "http://example.org/"}'
        lines.append("{broken")
        text = "\n".join(lines).encode()
        for name, content in (("a.jsonl", text), ("a.jsonl.gz", gzip.compress(text))):
            pages = self.extract(self.write(name, content), code=1)
            self.assertEqual([p["id"] for p in pages][:2], ["n0", "n1"])
            self.assertEqual([p["status"] for p in pages], ["ok", "ok", "unreadable", "ok", "unreadable"])
            self.assertEqual(pages[1]["url"], "http://example.org/1")
            self.assertEqual(pages[0]["offset"], 0)

    def test_archives_in_a_directory(self):
        self.write("b.warc.gz", b"".join(gzip.compress(r) for r in self.archive(3)))
        self.write("a.html", page("first"))
        self.write("c.html.gz", gzip.compress(page("compressed")))
        self.write("d.txt.gz", gzip.compress(page("not taken")))
        titles = [p["title"] for p in self.extract(self.dir)]
        self.assertEqual(titles, ["first", "page 0", "page 1", "page 2", "compressed"])

    def test_archive_without_pages(self):
        wat = record(b"{}", kind="metadata", content_type="application/json")
        path = self.write("a.warc.wat", wat)
        result = winnow("extract", path)
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"its only record is not a web page", result.stderr)
        self.write("a.warc", wat)  # found in a directory, it is one of many
        self.write("b.html", page("first"))
        self.assertEqual([p["title"] for p in self.extract(self.dir)], ["first"])

    def test_texts_of_wet_files(self):
        """Kept as they are, whatever the method: there is no markup to judge by."""
        texts = ["Home\nContact\n\n  The old mill turns again, and <b>many</b> &amp; more came.\nHome\n", "Home", "Mühle und Fluß\n"]
        wet = [record(text.encode(), kind="conversion", content_type="text/plain", number=i) for i, text in enumerate(texts)]
        others = [record(b"%PDF-1.4", kind="conversion", content_type="application/pdf", number=8),
                  record(b"", kind="conversion", content_type="text/plain", number=9)]
        for name, content in (("a.warc.wet", b"".join(wet + others)), ("b.warc.wet.gz", b"".join(map(gzip.compress, wet + others)))):
            path = self.write(name, content)
            for method in ("auto", "bte", "lineblock", "all"):
                found = self.extract("-m", method, path)
                self.assertEqual([p["text"] for p in found], [text.rstrip("\n") + "\n" for text in texts])
                self.assertEqual({(p["method"], p["media_type"], p["status"]) for p in found}, {("all", "text/plain", "ok")})
        self.assertEqual(len(self.extract(self.dir)), 2 * len(texts))  # .wet is found in directories
        self.assertIn(b"0 HTML, 3 may be pages", winnow("warc", "check", path).stdout)
        self.assertEqual(len(winnow("warc", "ls", "--pages", path).stdout.splitlines()), 3)
        self.write("page.html", page("after"))  # nothing of the text before it sticks
        names = [path, os.path.join(self.dir, "page.html")]
        self.assertEqual([p["method"] for p in self.extract("-m", "auto", "-j", "1", *names)], ["all"] * 3 + ["auto"])

    def test_json_lines_by_their_bytes(self):
        line = json.dumps({"html": page("inside").decode(), "url": "http://example.org/"}).encode() + b"\n"
        for options in ((self.write("pages", line),), ("--from", "jsonl", self.write("a.html", line))):
            self.assertEqual([p["url"] for p in self.extract(*options)], ["http://example.org/"])
        other = json.dumps({"body": page("inside").decode(), "name": "n"}).encode()
        found = self.extract("--html-field", "body", "--id-field", "name", self.write("b.jsonl", other))
        self.assertEqual([p["id"] for p in found], ["n"])
        self.assertIn("inside", found[0]["text"])

    def test_plain_text(self):
        path = self.write("a.txt", b"Tags like <b> & more.\n\nA second paragraph.\n")
        self.assertIn("Tags like <b> & more.\n\nA second paragraph.", self.extract("--from", "text", path)[0]["text"])

    def test_compressed_page(self):
        self.assertIn("inside", self.extract(self.write("a.html.gz", gzip.compress(page("inside"))))[0]["text"])

    def test_compressed_page_from_standard_input(self):
        html = b"<title>long</title>" + b"".join(b"<p>Sentence %d of many, each with a number of its own: %d.</p>" % (i, i ** 5) for i in range(9000))
        plain = winnow("extract", "-m", "all", self.write("a.html", html)).stdout
        for name, packed in (("gzip", gzip.compress(html)), ("members", gzip.compress(html[:30]) + gzip.compress(html[30:])),
                             ("twice", gzip.compress(gzip.compress(html)))):
            done = winnow("extract", "-m", "all", input=packed)
            self.assertEqual((done.stdout, done.err, done.returncode), (plain, "", 0), name)
        done = winnow("extract", "-m", "all", "--max-record", "50000", input=gzip.compress(html))
        self.assertIn("is longer than --max-bytes or --max-record", done.err)
        done = winnow("extract", input=b"\x1f\x8b\x08" + bytes(200))
        self.assertEqual(done.returncode, 1)
        self.assertIn("it cannot be decompressed", done.err)

    def test_a_page_whose_compression_is_damaged(self):
        packed = gzip.compress(os.urandom(3000).hex().encode() + page("cut", 3))
        path = self.write("cut.html.gz", packed[:-100])
        for done in (winnow("extract", "-m", "all", "-f", "jsonl", path, path), winnow("extract", "-m", "all", input=packed[:-100])):
            self.assertIn("is not complete: its compression is damaged", done.err)
            self.assertEqual(done.returncode, 0)
        self.assertEqual(winnow("extract", "-m", "all", "-q", path).err, "")

    def test_standard_input_that_does_not_wait(self):
        reader, writer = os.pipe()
        os.set_blocking(reader, False)
        process = subprocess.Popen([WINNOW, "extract", "-m", "all"], stdin=reader, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        os.close(reader)
        with os.fdopen(writer, "wb") as file:
            for part in (page("slow")[:100], page("slow")[100:]):
                time.sleep(0.3)
                file.write(part)
                file.flush()
        out, err = process.communicate(timeout=60)
        self.assertEqual((err, process.returncode), (b"", 0))
        self.assertIn(b"slow part 29", out)

    def test_json_lines_of_other_programs(self):
        lines = "".join(json.dumps({"id": i, "html": page(f"line {i}").decode()}) + "\r\n" for i in (7, 8.5))
        pages = self.extract(self.write("a.jsonl", b"\xef\xbb\xbf" + lines.encode()))
        self.assertEqual([p["id"] for p in pages], ["7", "8.5"])

    def test_bombs_end_at_the_limit(self):
        packer = zlib.compressobj(9, wbits=31)
        bomb = packer.compress(b"<p>bomb ")
        for _ in range(256):
            bomb += packer.compress(bytes(1 << 20).replace(b"\0", b"a"))
        bomb += packer.flush()
        self.assertLess(len(bomb), 1 << 20)
        inside = record(response(bomb, Content_Encoding="gzip"))
        for path in (self.write("bomb.html.gz", bomb), self.write("bomb.warc", inside), self.write("bomb.warc.gz", gzip.compress(inside))):
            found, = self.extract(path, "--max-record", "4M")
            self.assertEqual((found["status"], found["limited"]), ("partial", ["bytes"]))
        found, = self.extract(self.dir / "bomb.html.gz", "-j1")
        self.assertEqual(found["limited"], ["bytes"])
        wide = record(response(b"<p>" + b"b" * (300 << 20)))
        path = self.write("wide.warc.gz", gzip.compress(wide, 1))
        del wide
        self.assertEqual(self.extract(path, "--max-record", "1M")[0]["limited"], ["bytes"])


class Parts(Case):
    def test_a_part_of_somebody_else(self):
        """FILE.part, in which the output grows, must be our own: its maker could write to it, and own the output."""
        pages, out = self.write("a.warc", record(response(page("mill")))), self.dir / "out.jsonl"
        part, other = self.dir / "out.jsonl.part", self.write("other", b"precious")
        os.link(other, part)
        self.refused(pages, out, part)
        self.assertEqual(other.read_bytes(), b"precious")
        if os.getuid() == 0:
            part.write_bytes(b"x")
            os.chmod(part, 0o666)
            os.chown(part, 65534, 65534)
            self.refused(pages, out, part)
        os.symlink(other, part)
        self.refused(pages, out, part)
        part.write_bytes(b"left by an earlier run")
        self.assertEqual(winnow("extract", "-f", "jsonl", pages, "-o", out).returncode, 0)
        self.assertEqual(len(out.read_bytes().splitlines()), 1)

    def refused(self, pages, out, part):
        done = winnow("extract", "-f", "jsonl", pages, "-o", out)
        self.assertEqual(done.returncode, 2, done.err)
        self.assertIn("cannot write", done.err)
        self.assertTrue(os.path.lexists(part))
        self.assertFalse(out.exists())
        part.unlink()


class LongWork(Case):
    """Work that is interrupted: killed, out of space."""

    count = 500

    @classmethod
    def setUpClass(cls):
        random.seed(5)
        words = [f"w{i}" for i in range(5000)]

        def html(i):
            text = "".join(f"<p>{' '.join(random.choices(words, k=60))}.</p>" for _ in range(50))
            return f"<!DOCTYPE html><title>page {i}</title><article>{text}</article>".encode()

        cls.archive = b"".join(gzip.compress(record(response(html(i)), number=i, url=f"http://example.org/{i}"), 1)
                               for i in range(cls.count))

    def setUp(self):
        super().setUp()
        self.source = self.write("in.warc.gz", self.archive)
        self.out = self.dir / "out.jsonl.zst"

    def command(self, out=None):
        return [WINNOW, "extract", "-q", "-j2", "-f", "jsonl", "-m", "all", "-o", str(out or self.out), str(self.source)]

    def leftovers(self):
        return sorted(p.name for p in self.dir.iterdir() if p.name not in ("in.warc.gz", "out.jsonl.zst"))

    def test_killed_at_any_moment(self):
        rounds = int(os.environ.get("WINNOW_KILLS", "6"))
        start = time.monotonic()
        subprocess.run(self.command(), check=True)
        whole = time.monotonic() - start
        expected = self.out.read_bytes()
        taken_up, round_ = 0, 0
        while round_ < rounds or (taken_up == 0 and round_ < 60):  # moments are random: one must hit the middle
            round_ += 1
            self.out.unlink()
            process = subprocess.Popen(self.command())
            time.sleep(random.uniform(0, whole * 1.1))
            process.kill()
            process.wait()
            if not self.out.exists():
                taken_up += (self.dir / "out.jsonl.zst.part.done").exists()
                subprocess.run(self.command(), check=True)
            self.assertEqual(self.out.read_bytes(), expected)
            self.assertEqual(self.leftovers(), [])
        self.assertGreater(taken_up, 0, "no run was ever taken up")

    def test_kill_again_and_again(self):
        plain = self.dir / "plain.jsonl"
        subprocess.run(self.command(plain), check=True)
        expected = plain.read_bytes()
        self.assertEqual(len(expected.splitlines()), self.count)
        plain.unlink()
        for _ in range(15):
            process = subprocess.Popen(self.command(plain))
            with_marker = time.monotonic() + random.uniform(0.05, 0.6)
            while time.monotonic() < with_marker and process.poll() is None:
                time.sleep(0.01)
            process.kill()
            process.wait()
            if plain.exists():
                break
        else:
            subprocess.run(self.command(plain), check=True)
        self.assertEqual(plain.read_bytes(), expected)

    def test_full_disk(self):
        limit = 6 << 20

        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        plain = self.dir / "plain.jsonl"
        done = subprocess.run(self.command(plain), stderr=subprocess.PIPE, text=True, preexec_fn=small_files)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, "cannot write '.*plain.jsonl': .*; run the same command again to continue")
        self.assertFalse(plain.exists())
        subprocess.run(self.command(plain), check=True)
        pages = [json.loads(line) for line in plain.read_text().splitlines()]
        self.assertEqual([p["title"] for p in pages], [f"page {i}" for i in range(self.count)])
        self.assertEqual(self.leftovers(), ["plain.jsonl"])

    def test_other_work_begins_anew(self):
        process = subprocess.Popen(self.command())
        while process.poll() is None and not (self.dir / "out.jsonl.zst.part.done").exists():
            time.sleep(0.005)
        process.kill()
        process.wait()
        other = [word if word != "all" else "auto" for word in self.command()]
        subprocess.run(other, check=True)
        first = self.out.read_bytes()
        self.out.unlink()
        subprocess.run(other, check=True)
        self.assertEqual(self.out.read_bytes(), first)

    def test_two_at_once(self):
        first = subprocess.Popen(self.command())
        while first.poll() is None and not (self.dir / "out.jsonl.zst.part").exists():
            time.sleep(0.002)
        second = subprocess.run(self.command(), stderr=subprocess.PIPE, text=True)
        self.assertEqual(first.wait(), 0)
        self.assertEqual(second.returncode, 2)
        self.assertRegex(second.stderr, "another winnow is writing it|it exists")

    def test_an_interruption_ends_the_progress_line_and_says_how_to_continue(self):
        os.mkfifo(self.dir / "endless")  # nobody writes to it
        main, terminal = pty.openpty()
        command = [word for word in self.command() if word != "-q"]
        process = subprocess.Popen([*command, str(self.dir / "endless")], stderr=terminal)
        self.addCleanup(process.kill)
        os.close(terminal)
        shown = b""
        deadline = time.monotonic() + 30
        while b"pages" not in shown and time.monotonic() < deadline:  # of the progress
            if select.select([main], [], [], 0.1)[0]:
                shown += os.read(main, 4096)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=30), 130)
        while select.select([main], [], [], 5)[0]:  # a terminal hands on what was written a little later
            try:
                shown += os.read(main, 4096)
            except OSError:  # all is read
                break
        os.close(main)
        self.assertIn(b"pages", shown)
        self.assertTrue(shown.endswith(b"\r\nwinnow: interrupted; run the same command again to continue\r\n"), shown[-300:])
        os.unlink(self.dir / "endless")

    def test_interrupted_by_hand(self):
        process = subprocess.Popen(self.command())
        while process.poll() is None and not (self.dir / "out.jsonl.zst.part.done").exists():
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        self.assertIn(process.wait(), (0, 130))
        done = winnow(*[word for word in self.command()[1:] if word != "-q"])
        if process.returncode == 130:
            self.assertEqual(done.returncode, 0, done.err)
        self.assertEqual(self.leftovers(), [])

    def test_compressed_output(self):
        for ending, unpack in ((".gz", gzip.decompress), ("", lambda data: data)):
            out = self.dir / f"x.jsonl{ending}"
            subprocess.run(self.command(out), check=True)
            lines = unpack(out.read_bytes()).splitlines()
            self.assertEqual(len(lines), self.count)
            record_ = json.loads(lines[7])
            self.assertEqual((record_["id"], record_["file"]), (f"<urn:uuid:{7:032x}>", str(self.source)))


    def test_a_directory_that_cannot_be_read_is_no_reason_to_begin_anew(self):
        here = os.getcwd()
        os.chdir(self.dir)
        for _ in range(20):  # a path too long to be opened, and before the archive in the order of names
            os.mkdir("a" * 250)
            os.chdir("a" * 250)
        os.chdir(here)
        out = self.dir / "x.jsonl"
        command = ["extract", "-j2", "-f", "jsonl", "-m", "all", "-o", str(out), str(self.dir)]

        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (6 << 20, 6 << 20))

        self.assertEqual(winnow(*command, preexec_fn=small_files).returncode, 1)
        done = winnow(*command)
        self.assertRegex(done.err, "resuming after [0-9]+ pages")
        self.assertEqual(len(out.read_bytes().splitlines()), self.count + 1)

    def test_nothing_is_compressed_too(self):
        empty = self.write("empty.jsonl", b"")
        out = self.dir / "nothing.jsonl.gz"
        self.assertEqual(winnow("extract", "-f", "jsonl", "-o", out, empty, empty).returncode, 0)
        self.assertGreater(out.stat().st_size, 0)
        self.assertEqual(gzip.decompress(out.read_bytes()), b"")


class LookingInside(Case):
    def setUp(self):
        super().setUp()
        self.records = [record(response(page(f"page {i}")), number=i) for i in range(3)]
        self.plain = self.write("a.warc", b"".join(self.records))

    def test_records_are_compressed_one_by_one(self):
        packed = self.dir / "b.warc.gz"
        self.assertEqual(winnow("warc", "cat", self.plain, "-o", packed).returncode, 0)
        self.assertEqual(gzip.decompress(packed.read_bytes()), self.plain.read_bytes())
        listed = [json.loads(line) for line in winnow("warc", "ls", "-f", "jsonl", packed).stdout.splitlines()]
        self.assertEqual([r["inner"] for r in listed], [0, 0, 0])
        self.assertEqual(winnow("warc", "cat", packed, listed[1]["offset"]).stdout, self.records[1])

    def test_records_of_a_type(self):
        self.assertEqual(len(winnow("warc", "ls", "--type", "Response", self.plain).stdout.splitlines()), 3)
        done = winnow("warc", "ls", "--type", "respnse", self.plain)
        self.assertEqual((done.returncode, done.stdout), (0, b""))
        self.assertIn("no record has the type 'respnse'", done.err)

    def test_records_of_an_address(self):
        urls = [f"http://example.org/{i}" for i in range(3)]
        records = [record(response(page(url)), url=url, number=i) for i, url in enumerate(urls)]
        archive = self.write("urls.warc.gz", b"".join(map(gzip.compress, records)))
        for url, expected in zip(urls, records):
            self.assertEqual(winnow("warc", "cat", "--url", url, archive).stdout, expected)
            self.assertEqual(len(winnow("warc", "ls", "--url", url, archive).stdout.splitlines()), 1)
        done = winnow("warc", "cat", "--url", "http://example.org/9", archive)
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertIn("no record has the address 'http://example.org/9'", done.err)

    def test_places_where_no_record_is(self):
        whole = self.write("whole.warc.gz", gzip.compress(b"".join(self.records)))
        second = len(self.records[0])
        self.assertEqual(winnow("warc", "cat", whole, f"0+{second}").stdout, self.records[1])
        for place in (f"0+{second - 5}", f"0+{second + 5}", "0+99999999", "7"):
            done = winnow("warc", "cat", whole, place)
            self.assertEqual((done.returncode, done.stdout), (1, b""), place)
            self.assertIn(f"there is no record at '{place}'", done.err)
        done = winnow("warc", "cat", "-", "0", input=self.plain.read_bytes())
        self.assertEqual(done.returncode, 1)
        self.assertIn("not in a pipe", done.err)
        done = winnow("warc", "cat", self.plain, "1\x1b[31m")
        self.assertEqual(done.returncode, 2)
        self.assertIn("'1\\x1b[31m' is not a position", done.err)

    def test_a_body_that_only_begins_like_chunks(self):
        body = b"0\r\n<p>It begins with a number.</p>"
        path = self.write("b.warc", record(response(body)))
        self.assertEqual(winnow("warc", "cat", "--body", path).stdout, body)

    def test_what_cannot_be_read_is_not_sound(self):
        for path in (self.dir, self.write("page.html", page("page"))):
            done = winnow("warc", "check", path, self.plain)
            self.assertEqual(done.returncode, 1)
            first, second = done.stdout.decode().splitlines()
            self.assertEqual(first, f"{path}: it has no records")
            self.assertTrue(second.endswith("; sound"))


class Dictionary(Case):
    """A frame of zstd names the dictionary it was made with: RFC 8878, section 3.1.1.1."""

    @staticmethod
    def frame(content, dictionary):
        block = (len(content) << 3 | 1).to_bytes(3, "little") + content  # the last block, as it is
        return b"\x28\xb5\x2f\xfd" + bytes([0x61, dictionary]) + (len(content) - 256).to_bytes(2, "little") + block

    def test_a_dictionary_that_is_missing_is_named(self):
        archive = self.write("a.warc.zst", self.frame(record(response(page("alpha"))), 42))
        told = "it needs a zstd dictionary that is not at its start, where .warc.zst files have it"
        for args, number in (["extract", archive], ": number 42"), (["warc", "check", archive], ""):
            done = winnow(*args)
            self.assertEqual(done.returncode, 1, done.err)
            self.assertIn(told + number, done.err)

    def test_frames_without_one_are_read(self):
        archive = self.write("a.warc.zst", self.frame(record(response(page("alpha"))), 0))
        self.assertIn("alpha part 1", winnow("extract", archive).stdout.decode())


class NoArchive(Case):
    def test_a_page_is_no_archive(self):
        path = self.dir / "page.html"
        path.write_bytes(page("Mill"))
        for command in ("ls", "check"):
            done = winnow("warc", command, path)
            self.assertEqual(done.returncode, 1)
            self.assertIn("is not a web archive", done.err)


class Data(Case):
    """The data set `warc`: real archives and deliberately broken ones."""

    @classmethod
    def setUpClass(cls):
        cls.data = find_data("warc")
        if not cls.data:
            raise unittest.SkipTest("the data set warc is not here")

    def expected(self, name, records, html):
        short = re.sub(r"^jhove/.*/(.*)\.warc$", r"jhove:\1", name)
        different = DIFFERENT.get(name) or DIFFERENT.get(short)
        return different[:2] if different else (records, html)

    def test_counts_of_the_manifest(self):
        with open(self.data / "MANIFEST.tsv", newline="") as file:
            rows = list(csv.reader(file, delimiter="\t"))[1:]
        self.assertEqual(len(rows), 184)
        for name, _, _, records, _, html, *_ in rows:
            with self.subTest(name):
                found = self.check(self.data / name)
                self.assertEqual((found["records"], found["html"]), self.expected(name, int(records), int(html)))

    def test_zstd_files_have_the_records_in_their_names(self):
        files = sorted((self.data / "derived-zstd").glob("*.zst"))
        self.assertGreater(len(files), 15)
        for path in files:
            with self.subTest(path.name):
                count = int(re.search(r"-(\d+)rec", path.name)[1])
                wanted = next((n for part, n in ZSTD.items() if part in path.name), count)
                self.assertEqual(self.check(path)["records"], wanted)

    def test_every_file_can_be_extracted(self):
        for path in sorted(p for p in self.data.rglob("*") if p.is_file()):
            with self.subTest(path.name):
                done = winnow("extract", "-q", "-f", "jsonl", path)
                self.assertIn(done.returncode, (0, 1, 3), done.err)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        WINNOW = os.path.abspath(sys.argv.pop(1))
    sys.argv[1:] = [word if word.startswith("-") else "-k" + word for word in sys.argv[1:]]
    unittest.main()
