#!/usr/bin/env python3
"""winnow serve: what it answers.

    tests/serve/test_serve.py [PROGRAM] [TEST...]
"""

import csv
import gzip
import http.server
import io
import json
import sqlite3
import subprocess
import tempfile
import threading
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import serving
from serving import ARTICLE, PAGES, ServerTest


def extract(*options, page=PAGES / "article.html"):
    """What the program prints."""
    return subprocess.run([serving.program, "extract", *options, page], capture_output=True, check=True).stdout


def multipart(fields):
    """A form; values are bytes, or (file name, type, bytes)."""
    boundary = "----winnow-test"
    body = b""
    for name, value in fields.items():
        extra = b""
        head = f'Content-Disposition: form-data; name="{name}"'
        if isinstance(value, tuple):
            head += f'; filename="{value[0]}"'
            extra = f"Content-Type: {value[1]}\r\n".encode()
            value = value[2]
        body += f"--{boundary}\r\n{head}\r\n".encode() + extra + b"\r\n" + value + b"\r\n"
    return body + f"--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"


class Extract(ServerTest):
    def test_text_is_what_the_program_prints(self):
        self.assertEqual(self.server.post("/v1/extract", ARTICLE).body, extract())

    def test_every_format_is_what_the_program_prints(self):
        for name in ("txt", "md", "html", "xml", "tei", "csv"):
            with self.subTest(name):
                path = f"/v1/extract?format={name}&standalone=true&id={PAGES / 'article.html'}"
                self.assertEqual(self.server.post(path, ARTICLE).body, extract("-f", name))

    def test_json_is_the_record(self):
        answer = self.server.post("/v1/extract?format=json", ARTICLE)
        self.assertEqual(answer.headers["Content-Type"], "application/json")
        record = json.loads(extract("-f", "json"))
        record["id"] = None
        self.assertEqual(answer.json(), record)

    def test_accept_chooses_the_format(self):
        for accept, type_ in (("text/markdown", "text/markdown"), ("application/json", "application/json"),
                              ("text/html;q=0.5, text/markdown", "text/markdown"), ("*/*", "text/plain"),
                              ("text/*", "text/plain"), ("application/xml", "application/xml"),
                              ("image/png, */*;q=0.1", "text/plain")):
            with self.subTest(accept):
                answer = self.server.post("/v1/extract", ARTICLE, Accept=accept)
                self.assertEqual(answer.status, 200)
                self.assertEqual(answer.headers["Content-Type"].split(";")[0], type_)
        self.assertEqual(self.server.post("/v1/extract", ARTICLE, Accept="image/png").status, 406)

    def test_json_request(self):
        page = ARTICLE.decode()
        answer = self.server.post_json("/v1/extract", {"html": page, "url": "https://example.org/a",
                                                       "options": {"links": True}, "method": "auto"})
        self.assertEqual(answer.json()["url"], "https://example.org/a")
        self.assertIn("links", answer.json())
        answer = self.server.post_json("/v1/extract", {"html": page, "format": "md"})
        self.assertEqual(answer.body, extract("-f", "md"))

    def test_forms(self):
        body, content_type = multipart({"html": ("a.html", "text/html", ARTICLE), "format": b"md"})
        self.assertEqual(self.server.post("/v1/extract", body, content_type).body, extract("-f", "md"))
        body, content_type = multipart({"html": "<p>caf\xe9 caf\xe9 au lait</p>".encode("latin-1")})
        answer = self.server.post("/v1/extract?charset=latin1&method=all", body, content_type)
        self.assertEqual(answer.text, "café café au lait\n")
        answer = self.server.post("/v1/extract", b"html=%3Cp%3Eone+two&method=all&format=txt",
                                  "application/x-www-form-urlencoded")
        self.assertEqual(answer.text, "one two\n")

    def test_page_that_curl_calls_a_form(self):
        answer = self.server.post("/v1/extract", ARTICLE, "application/x-www-form-urlencoded")
        self.assertEqual(answer.body, extract())

    def test_charset_of_the_content_type(self):
        page = "<p>Prix: 5 €, déjà payé".encode("iso-8859-15")
        answer = self.server.post("/v1/extract?method=all", page, "text/html; charset=iso-8859-15")
        self.assertEqual(answer.text, "Prix: 5 €, déjà payé\n")

    def test_compressed_bodies(self):
        raw = zlib.compressobj(wbits=-15)
        bodies = {"gzip": gzip.compress(ARTICLE), "deflate": zlib.compress(ARTICLE),
                  "Deflate": raw.compress(ARTICLE) + raw.flush(), "identity": ARTICLE}
        for encoding, body in bodies.items():
            with self.subTest(encoding):
                answer = self.server.post("/v1/extract", body, **{"Content-Encoding": encoding})
                self.assertEqual(answer.body, extract())
        answer = self.server.post("/v1/extract", ARTICLE, **{"Content-Encoding": "compress"})
        self.assertEqual(answer.status, 415)
        answer = self.server.post("/v1/extract", gzip.compress(ARTICLE)[:100], **{"Content-Encoding": "gzip"})
        self.assertEqual(answer.status, 400)

    def test_options_of_methods(self):
        answer = self.server.post("/v1/extract?method=lineblock:rule=all,distance=3", ARTICLE)
        self.assertEqual(answer.body, extract("-m", "lineblock:rule=all,distance=3"))
        answer = self.server.post("/v1/extract?auto.lean=recall", ARTICLE)
        self.assertEqual(answer.body, extract("--recall"))

    def test_wrong_values_name_what_is_allowed(self):
        for query, name in (("format=docx", "format"), ("links=maybe", "links"), ("method=magic", "method"),
                            ("max_depth=-1", "max_depth"), ("linkz=1", "linkz"), ("auto.lean=left", "lean"),
                            ("method=bte:search=no", "method")):
            with self.subTest(query):
                answer = self.server.post(f"/v1/extract?{query}", ARTICLE)
                self.assertEqual(answer.status, 400)
                self.assertEqual(answer.headers["Content-Type"], "application/problem+json")
                problem = answer.json()
                self.assertEqual(problem["status"], 400)
                self.assertEqual(problem["name"], name)
        self.assertIn("did you mean 'links'", self.server.post("/v1/extract?linkz=1", ARTICLE).text)

    def test_wrong_bodies(self):
        for body in (b"{", b"[]", b'{"html": ["a"]}', b'{"html": {"a": 1}}', b"\xff", b"{}",
                     b'{"options": {"options": {"links": true}}}', b'{"html"', b"[" * 1000):
            with self.subTest(body):
                self.assertEqual(self.server.post("/v1/extract", body, "application/json").status, 400)
        self.assertEqual(self.server.post("/v1/extract", b"", "text/html").status, 400)
        self.assertEqual(self.server.post("/v1/extract", b"x", "multipart/form-data").status, 400)
        body, content_type = multipart({"html": ARTICLE})
        self.assertEqual(self.server.post("/v1/extract", body[:-30], content_type).status, 400)

    def test_what_is_not_a_page(self):
        answer = self.server.post("/v1/extract", b"%PDF-1.7\n" + bytes(range(256)) * 20)
        self.assertEqual(answer.status, 415)
        self.assertIn("PDF", answer.json()["detail"])

    def test_status_of_the_page(self):
        self.assertEqual(self.server.post("/v1/extract", ARTICLE).headers["X-Winnow-Status"], "ok")
        answer = self.server.post("/v1/extract", b"<html><body></body></html>")
        self.assertEqual((answer.status, answer.body), (200, b""))
        self.assertEqual(answer.headers["X-Winnow-Status"], "empty")
        answer = self.server.post("/v1/extract?max_nodes=150", ARTICLE)
        self.assertEqual(answer.headers["X-Winnow-Status"], "partial")

    def test_limits_can_only_be_lowered(self):
        answer = self.server.post("/v1/extract?format=json&max_depth=60000", b"<div>" * 60000 + b"<p>deep words")
        self.assertIn("depth", answer.json()["limited"])

    def test_explain(self):
        answer = self.server.post("/v1/explain", ARTICLE)
        record = answer.json()
        self.assertTrue(any(block["kept"] for block in record["blocks"]))
        self.assertTrue(any(not block["kept"] for block in record["blocks"]))
        self.assertTrue(all(block["reason"] for block in record["blocks"]))

    def test_url_needs_fetch(self):
        answer = self.server.post_json("/v1/extract", {"url": "https://example.org/"})
        self.assertEqual(answer.status, 403)
        self.assertIn("--fetch", answer.json()["detail"])

    def test_keep_alive(self):
        with self.server.connect() as s:
            for _ in range(3):
                s.sendall(b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\n"
                          b"Content-Length: %d\r\n\r\n" % len(ARTICLE) + ARTICLE)
                self.assertTrue(serving.read_answer(s).startswith(b"HTTP/1.1 200"))


class Views(ServerTest):
    def test_segment(self):
        done = subprocess.run([serving.program, "segment", "--text", PAGES / "article.html"], capture_output=True)
        answer = self.server.post(f"/v1/segment?text=true&id={PAGES / 'article.html'}", ARTICLE)
        self.assertEqual(answer.json(), json.loads(done.stdout))
        answer = self.server.post("/v1/segment?algorithm=vips&pdoc=9&format=svg", ARTICLE)
        self.assertIn(b"<svg", answer.body)
        self.assertEqual(answer.headers["Content-Type"].split(";")[0], "image/svg+xml")
        answer = self.server.post("/v1/segment?format=html", ARTICLE + b"<script>alert(1)</script>")
        self.assertNotIn(b"alert(1)", answer.body)
        self.assertIn("sandbox", answer.headers["Content-Security-Policy"])
        for query in ("pdoc=11", "algorithm=magic", "width=1", "method=auto", "links=true", "strict=maybe"):
            self.assertEqual(self.server.post(f"/v1/segment?{query}", ARTICLE).status, 400, query)

    def test_words(self):
        done = subprocess.run([serving.program, "words", "--lower", "--no-stopwords", PAGES / "article.html"],
                              capture_output=True)
        answer = self.server.post("/v1/words?format=txt&lower=true&no_stopwords=true", ARTICLE)
        self.assertEqual(answer.body, done.stdout)
        answer = self.server.post("/v1/words", ARTICLE).json()
        self.assertEqual(answer["language"], "en")
        self.assertEqual(answer["lines"][0][:3], ["How", "winnowing", "separates"])

    def test_cloud(self):
        done = subprocess.run([serving.program, "cloud", "-f", "csv", PAGES / "article.html"], capture_output=True)
        self.assertEqual(self.server.post("/v1/cloud?format=csv", ARTICLE).body, done.stdout)
        self.assertIn("words", self.server.post("/v1/cloud?format=json", ARTICLE).json())
        for name, start in (("svg", b"<"), ("png", b"\x89PNG"), ("pdf", b"%PDF"), ("html", b"<!")):
            answer = self.server.post(f"/v1/cloud?format={name}&words=20", ARTICLE)
            if answer.status == 501:
                self.skipTest("built without cairo and Pango, or without fonts")
            self.assertEqual(answer.status, 200)
            self.assertTrue(answer.body.lower().startswith(start.lower()))
        pictures = {self.server.post(f"/v1/cloud?words=3&palette={palette}", ARTICLE).body
                    for palette in ("ocean", "safe", "forest", "sunset", "night", "grey")}
        self.assertEqual(len(pictures), 6)
        self.assertEqual(self.server.post("/v1/cloud", b"<p></p>").status, 422)

    def test_clouds_at_once(self):
        """Drawing uses libraries that are known for globals."""
        expected = self.server.post("/v1/cloud?words=20", ARTICLE).body
        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(lambda _: self.server.post("/v1/cloud?words=20", ARTICLE).body, range(6)))
        self.assertEqual(set(answers), {expected})


class Store(ServerTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.store = Path(cls.folder.name) / "pages.db"
        done = subprocess.run([serving.program, "corpus", "add", "-q", cls.store, PAGES], capture_output=True, text=True)
        if not cls.store.exists():
            cls.folder.cleanup()
            raise serving.unittest.SkipTest("no store: " + done.stderr)
        cls.options = ("--store", str(cls.store))
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.folder.cleanup()

    def test_search(self):
        answer = self.server.get("/v1/search?q=winnowing+grain").json()
        self.assertEqual(answer["hits"][0]["title"], "How winnowing separates grain from chaff")
        self.assertIn("**", answer["hits"][0]["snippet"])
        self.assertEqual(answer["hits"][0]["rank"], 1)
        self.assertEqual(self.server.get("/v1/search?q=zyzzyva").json()["hits"], [])
        for query in ("", "q=", "q=a&n=0", "q=a&n=101", "q=a&since=yesterday", "q=a&nonsense=1", "q=a&status=odd"):
            self.assertEqual(self.server.get(f"/v1/search?{query}").status, 400, query)

    def test_pages(self):
        first = self.server.get("/v1/pages?limit=3").json()
        self.assertEqual(len(first["pages"]), 3)
        second = self.server.get(f"/v1/pages?limit=1000&after={first['next']}").json()
        self.assertIsNone(second["next"])
        ids = [page["id"] for page in first["pages"] + second["pages"]]
        self.assertEqual(ids, sorted(set(ids)))
        page = self.server.get(f"/v1/pages/{ids[0]}").json()
        self.assertEqual(page["id"], ids[0])
        self.assertIn("text", page)
        for wrong in ("0", "999999", "x", "-1", "99999999999999999999999", "1/2", ""):
            self.assertEqual(self.server.get(f"/v1/pages/{wrong}").status, 404, wrong)

    def test_outliers(self):
        counted = self.server.get("/v1/outliers?n=20").json()
        self.assertEqual(len(counted["outliers"]), 20)
        distances = [point["distance"] for point in counted["outliers"]]
        self.assertEqual(distances, sorted(distances, reverse=True))
        self.assertEqual(counted["words"], 20 + sum(point.get("words", 1) for point in counted["others"]))
        places = [(point["total"], point["documents"]) for point in counted["others"]]
        self.assertEqual(len(places), len(set(places)))
        self.assertTrue(all(total >= documents >= 1 for total, documents in places))
        for query in ("n=0", "n=1001", "k=1"):
            self.assertEqual(self.server.get(f"/v1/outliers?{query}").status, 400)
        # What the program keeps in the store is what it prints.
        done = subprocess.run([serving.program, "corpus", "outliers", self.store, "-n", "20", "-q", "-f", "csv"],
                              capture_output=True, text=True, check=True)
        self.assertEqual(self.server.get("/v1/outliers?n=20").json(), counted)
        printed = {row["word"]: row for row in csv.DictReader(io.StringIO(done.stdout))}
        self.assertEqual([point["word"] for point in counted["outliers"]], list(printed))
        for point in counted["outliers"]:
            row = printed[point["word"]]
            self.assertEqual((point["total"], point["documents"]), (int(row["total"]), int(row["documents"])))
        self.assertEqual(len(self.server.get("/v1/outliers?n=3").json()["outliers"]), 3)

    def test_version_tells(self):
        self.assertTrue(self.server.get("/version").json()["store"])

    def test_store_that_goes_and_comes(self):
        away = self.store.with_suffix(".away")
        self.store.rename(away)
        answer = self.server.get("/v1/search?q=grain")
        self.assertEqual(answer.status, 503)
        self.assertTrue(answer.headers["Retry-After"])
        self.store.write_bytes(b"not a database at all, but long enough to look like a file " * 100)
        self.assertEqual(self.server.get("/v1/search?q=grain").status, 503)
        self.store.unlink()
        away.rename(self.store)
        self.assertEqual(self.server.get("/v1/search?q=grain").status, 200)
        self.assertEqual(self.server.post("/v1/extract", ARTICLE).status, 200)

    def test_locked_store(self):
        connection = sqlite3.connect(self.store, isolation_level=None)
        connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
        answer = self.server.get("/v1/search?q=grain")
        self.assertIn(answer.status, (200, 503))
        connection.execute("ROLLBACK")
        connection.close()
        self.assertEqual(self.server.get("/v1/search?q=grain").status, 200)


class NoStore(ServerTest):
    def test_paths_of_the_store_are_not_there(self):
        for path in ("/v1/search?q=a", "/v1/pages", "/v1/pages/1", "/v1/outliers", "/r/https://example.org/"):
            self.assertEqual(self.server.get(path).status, 404)
        self.assertNotIn("/v1/search", self.server.get("/openapi.json").json()["paths"])


class Site(http.server.BaseHTTPRequestHandler):
    """The web that the server fetches from."""

    def do_GET(self):
        pages = {"/a.html": (200, "text/html; charset=iso-8859-1", ARTICLE.replace(b"</p>", b" caf\xe9</p>")),
                 "/moved": (302, "text/html", b""), "/gone": (404, "text/html", b"gone"),
                 "/file.pdf": (200, "application/pdf", b"%PDF-1.7"),
                 "/?q=1&r=https://x/": (200, "text/html", b"<title>Asked</title><p>The query came through whole.")}
        status, type_, body = pages.get(self.path, (404, "text/html", b""))
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/a.html")
        self.send_header("Content-Type", type_)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Fetching(ServerTest):
    options = ("--fetch", "--allow-private")

    @classmethod
    def setUpClass(cls):
        cls.site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
        threading.Thread(target=cls.site.serve_forever, daemon=True).start()
        cls.base = f"http://127.0.0.1:{cls.site.server_address[1]}"
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.site.shutdown()
        cls.site.server_close()

    def test_extract(self):
        record = self.server.post_json("/v1/extract", {"url": self.base + "/moved"}).json()
        self.assertEqual(record["url"], self.base + "/a.html")
        self.assertIn("café", record["text"])

    def test_what_cannot_be_fetched(self):
        for path, status in (("/gone", 502), ("/file.pdf", 415)):
            self.assertEqual(self.server.post_json("/v1/extract", {"url": self.base + path}).status, status)
        for url in ("file:///etc/passwd", "ftp://example.org/", "/a.html", "gopher://x", "javascript:1"):
            self.assertEqual(self.server.post_json("/v1/extract", {"url": url}).status, 400, url)

    def test_reader(self):
        answer = self.server.get(f"/r/{self.base}/moved")
        self.assertRegex(answer.text, r"^Title: How winnowing[^\n]*\n\nURL Source: [^\n]*/a.html\n\nPublished Time: 2023-09-14"
                                      r"[^\n]*\n\nMarkdown Content:\n# How winnowing")
        answer = self.server.get(f"/r/{self.base}/a.html", Accept="application/json").json()
        self.assertEqual((answer["code"], answer["data"]["url"]), (200, self.base + "/a.html"))
        self.assertTrue(answer["data"]["content"].startswith("# How"))
        answer = self.server.get(f"/r/{self.base}/a.html", **{"X-Respond-With": "text"})
        self.assertIn("Threshing loosens", answer.text)
        self.assertNotIn("Markdown Content", answer.text)
        answer = self.server.get(f"/r/{self.base}/a.html", **{"X-Return-Format": "html"})
        self.assertIn("<!DOCTYPE html>", answer.text)  # the page as it is, as UTF-8
        self.assertIn("café</p>", answer.text)
        answer = self.server.get(f"/r/{self.base}/?q=1&r=https://x/")
        self.assertIn("The query came through whole", answer.text)
        answer = self.server.get(f"/r/{self.base}/a.html", **{"X-With-Links-Summary": "true"})
        self.assertIn("\nLinks/Buttons:\n", answer.text)
        self.assertEqual(self.server.get(f"/r/{self.base}/gone").status, 502)


class PrivateAddresses(ServerTest):
    options = ("--fetch", "--fetch-timeout", "2")

    def test_they_are_not_fetched(self):
        for url in ("http://127.0.0.1/", f"http://127.0.0.1:{self.server.port}/metrics", "http://[::1]/",
                    "http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/", "http://2130706433/",
                    "http://[::ffff:127.0.0.1]/", "http://localhost/"):
            answer = self.server.post_json("/v1/extract", {"url": url})
            self.assertEqual(answer.status, 502, url)
            self.assertNotIn("winnow_requests", answer.text)


class Tika(ServerTest):
    def put(self, path, **headers):
        return self.server.request("PUT", path, ARTICLE, {"Content-Type": "text/html", **headers})

    def test_tika(self):
        self.assertIn("Tika Server", self.server.get("/tika").text)
        self.assertEqual(self.put("/tika").text, self.put("/tika/text").text)
        self.assertIn("Threshing loosens", self.put("/tika", Accept="text/plain").text)
        self.assertIn("<p>", self.put("/tika", Accept="text/html").text)
        answer = self.put("/tika", Accept="application/json").json()
        self.assertIn("Threshing", answer["X-TIKA:content"])
        self.assertIn("Subscribe", self.put("/tika?method=all").text)
        answer = self.server.request("PUT", "/tika", b"%PDF-1.7\0\0\0")
        self.assertEqual((answer.status, answer.json()["status"]), (422, 422))

    def test_rmeta_and_meta(self):
        record, = self.put("/rmeta/text").json()
        self.assertEqual(record["dc:creator"], "Marta Lindqvist")
        self.assertIn("Threshing", record["X-TIKA:content"])
        self.assertNotIn("X-TIKA:content", self.put("/rmeta/ignore").json()[0])
        self.assertIn("<p>", self.put("/rmeta").json()[0]["X-TIKA:content"])
        self.assertIn('"dc:creator","Marta Lindqvist"\n', self.put("/meta").text)
        self.assertEqual(self.put("/meta", Accept="application/json").json()["dc:creator"], "Marta Lindqvist")


class Batch(ServerTest):
    options = ("--max-bytes", "300K", "--max-batch", "200M", "--workers", "3", "--timeout", "3")

    def batch(self, lines, query="", **headers):
        body = b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines)
        answer = self.server.post("/v1/batch" + query, body, "application/x-ndjson", **headers)
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.headers["Content-Type"], "application/x-ndjson")
        return [json.loads(line) for line in answer.body.splitlines()]

    def test_records_are_those_of_the_program(self):
        pages = sorted(PAGES.glob("*.html"))
        pages = [page for page in pages if page.stat().st_size < 300_000]
        lines = []
        for page in pages:
            text = page.read_bytes().decode("utf-8", "replace")
            if "\0" in text:
                continue
            lines.append({"html": text, "id": str(page), "url": "https://example.org/"})
        records = self.batch(lines)
        self.assertEqual([r["id"] for r in records], [line["id"] for line in lines])
        one = self.server.post_json("/v1/extract", {**lines[0], "format": "json"}).json()
        self.assertEqual(records[0], one)

    def test_order_of_many_pages(self):
        lines = [{"id": str(i), "html": "<p>" + f"Page number {i} has these words. " * (1 + i * 7919 % 400)}
                 for i in range(600)]
        records = self.batch(lines, "?method=all")
        self.assertEqual([r["id"] for r in records], [str(i) for i in range(600)])
        for i, record in enumerate(records):
            self.assertTrue(record["text"].startswith(f"Page number {i} has"))

    def test_bad_lines_have_records(self):
        page = ARTICLE.decode()
        records = self.batch([{"id": "a", "html": page}, b"not json\n", b"\n", b"[]\n", {"id": "d"},
                              {"id": "e", "html": page, "options": {"links": "perhaps"}},
                              {"id": "f", "html": "x" * 900_000},
                              {"id": "g", "html": page, "nonsense": 1}, {"id": "h", "html": page}])
        self.assertEqual([(r["id"], r["error"] is None) for r in records],
                         [("a", True), (None, False), (None, False), ("d", False), ("e", False), (None, False),
                          ("g", False), ("h", True)])
        self.assertIn("longer", records[5]["error"])

    def test_last_line_without_end_and_no_lines(self):
        self.assertEqual(len(self.batch([b'{"html": "<p>one two three"}'])), 1)
        answer = self.server.post("/v1/batch", b"\n\n", "application/x-ndjson")
        self.assertEqual((answer.status, answer.body), (200, b""))

    def test_options_of_the_query(self):
        records = self.batch([{"html": ARTICLE.decode()}], "?links=true")
        self.assertIn("links", records[0])
        answer = self.server.post("/v1/batch?linkz=true", b"{}", "application/x-ndjson")
        self.assertEqual(answer.status, 400)

    def test_large_batch_in_bounded_memory(self):
        line = json.dumps({"html": "<p>" + "Many words of a page that is long. " * 5000}).encode() + b"\n"
        self.batch([line] * 20)
        before = self.server.memory()
        records = self.batch([line] * 500, "?method=all")  # 88 MB in, as many out
        self.assertEqual(len(records), 500)
        if not serving.is_sanitized():
            self.assertLess(self.server.memory() - before, 100 << 20)

    def test_client_that_goes_away(self):
        line = json.dumps({"html": ARTICLE.decode()}).encode() + b"\n"
        for cut in (len(line) // 2, len(line) * 10):
            with self.server.connect() as s:
                s.sendall(b"POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000000\r\n\r\n" +
                          (line * 20)[:cut])
        self.assertTrue(serving.wait_until(lambda: self.server.metric("winnow_connections") <= 1))
        self.assertEqual(len(self.batch([line] * 3)), 3)

    def test_too_many_at_once(self):
        sockets = []
        for _ in range(6):
            s = self.server.connect()
            s.sendall(b"POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{}\n")
            sockets.append(s)
        answer = self.server.post("/v1/batch", b"{}\n", "application/x-ndjson")
        self.assertEqual(answer.status, 503)
        self.assertTrue(answer.headers["Retry-After"])
        for s in sockets:
            s.close()
        self.assertTrue(serving.wait_until(
            lambda: self.server.post("/v1/batch", b"{}\n", "application/x-ndjson").status == 200))


class About(ServerTest):
    def test_small_answers(self):
        self.assertEqual(self.server.get("/health").json(), {"status": "ok"})
        self.assertEqual(self.server.get("/ready").json(), {"status": "ready"})
        version = self.server.get("/version").json()
        self.assertEqual((version["name"], version["fetch"], version["store"]), ("winnow", False, False))

    def test_methods(self):
        methods = self.server.get("/v1/methods").json()
        self.assertEqual(methods["methods"][0]["name"], "auto")
        self.assertIn("lean", [p["name"] for p in methods["methods"][0]["parameters"]])
        self.assertIn("links", [o["name"] for o in methods["options"]])
        self.assertIn("md", [f["name"] for f in methods["formats"]])

    def test_metrics(self):
        before = self.server.metric('winnow_requests_total{route="/v1/extract",status="2xx"}')
        self.server.post("/v1/extract", ARTICLE)
        after = self.server.metric('winnow_requests_total{route="/v1/extract",status="2xx"}')
        self.assertEqual(after, before + 1)
        self.assertGreater(self.server.metric("process_resident_memory_bytes"), 1e6)
        for line in self.server.get("/metrics").text.splitlines():
            self.assertRegex(line, r"^(# (HELP|TYPE) \S+ .+|[a-z_]+(\{[^}]*\})? [0-9.e+-]+)$")

    def test_page_and_files(self):
        answer = self.server.get("/")
        self.assertEqual(answer.status, 200)
        self.assertTrue(answer.headers["Content-Type"].startswith("text/html"))
        self.assertEqual(self.server.get("/", **{"If-None-Match": answer.headers["ETag"]}).status, 304)
        for path in ("/../etc/passwd", "/..%2f..%2fetc/passwd", "/etc/passwd", "/index.html/..", "//etc/passwd",
                     "/%2e%2e/%2e%2e/etc/passwd", "/web/index.html", "/nothing"):
            with self.subTest(path):
                self.assertEqual(self.server.get(path).status, 404)

    def test_methods_of_http(self):
        answer = self.server.get("/v1/extract")
        self.assertEqual((answer.status, answer.headers["Allow"]), (405, "POST"))
        for method in ("DELETE", "PATCH", "TRACE", "BREW"):
            with self.subTest(method):
                self.assertEqual(self.server.request(method, "/health").status, 405)
        answer = self.server.request("HEAD", "/health")
        self.assertEqual((answer.status, answer.body), (200, b""))
        self.assertEqual(self.server.request("OPTIONS", "/v1/extract").status, 204)


if __name__ == "__main__":
    serving.main()
