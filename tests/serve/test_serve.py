#!/usr/bin/env python3
"""winnow serve: what it answers.

    tests/serve/test_serve.py [PROGRAM] [TEST...]
"""

import gzip
import json
import subprocess
import zlib

import serving
from serving import ARTICLE, PAGES, Server, ServerTest


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
