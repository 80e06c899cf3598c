#!/usr/bin/env python3
"""winnow fetch against a server on 127.0.0.1.

    test_fetch.py build/winnow [-v] [NAME...]
"""

import base64
import gzip
import hashlib
import http.server
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

WINNOW = "winnow"
PAGE = b"<!DOCTYPE html><title>Mill</title><p>" + b"The old mill by the river turns again. " * 10


class Site(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def send(self, status, body=b"", **headers):
        self.send_response(status)
        headers.setdefault("Content-Type", "text/html")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        server = self.server
        with server.lock:
            server.seen.append((time.monotonic(), self.path, dict(self.headers)))
            tries = sum(path == self.path for _, path, _ in server.seen)
        path = self.path.split("?")[0]
        if path.startswith("/locked") and self.headers.get("Authorization") != "Basic " + base64.b64encode(b"eve:s3 cret").decode():
            self.send(401, b"who are you?")
            return
        base = f"http://127.0.0.1:{server.server_port}"
        if path == "/robots.txt":
            self.send(server.robots_status, server.robots, Content_Type="text/plain")
        elif path == "/moved":
            self.send(301, Location="/page/1")
        elif path == "/loop":
            self.send(302, Location="/loop?" + str(len(server.seen)))
        elif path == "/packed":
            self.send(200, gzip.compress(PAGE), Content_Encoding="gzip")
        elif path == "/flaky":
            self.send(200, PAGE) if tries > 2 else self.send(503)
        elif path == "/versioned":
            if self.headers.get("If-None-Match") == '"v1"':
                self.send(304, ETag='"v1"')
            else:
                self.send(200, PAGE, ETag='"v1"')
        elif path == "/sitemap.xml":
            self.send(200, f"<sitemapindex><sitemap><loc>{base}/pages.xml</loc></sitemap></sitemapindex>".encode(),
                      Content_Type="text/xml")
        elif path == "/pages.xml":
            urls = "".join(f"<url><loc> {base}/page/{i}?a=1&amp;b=2 </loc></url>" for i in range(5))
            self.send(200, f"<urlset>{urls}</urlset>".encode(), Content_Type="text/xml")
        elif path == "/large":
            self.send(200, b"<p>" + b"x" * 100000)
        elif path == "/slow":
            time.sleep(3)
            self.send(200, PAGE)
        elif path == "/chunked":
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for part in (PAGE[:100], PAGE[100:]):
                self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
            self.wfile.write(b"0\r\n\r\n")
        elif path == "/trailers":
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.wfile.write(b"%x\r\n%s\r\n0\r\nX-Late: behind the body\r\n\r\n" % (len(PAGE), PAGE))
        elif path == "/endless-trailers":
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.wfile.write(b"%x\r\n%s\r\n0\r\n" % (len(PAGE), PAGE))
            try:
                while server.trailers < 200 << 20:
                    server.trailers += self.wfile.write(b"X-Late: %s\r\n" % (b"y" * 2000) * 100)
            except OSError:
                pass
        elif path == "/locked-moved":
            self.send(302, Location=base.replace("//", "//mallory:other@") + "/locked-page")
        elif path == "/locked-page":
            self.send(200, PAGE)
        elif path == "/elsewhere":
            self.send(302, Location="ftp://example.org/file")
        elif path == "/itself":
            self.send(302, Location="/itself#again", Set_Cookie="a=b")
        elif path == "/choices":
            self.send(300, b"one or the other")
        elif path == "/old-sitemap.xml":
            self.send(301, Location="/pages.xml")
        elif path == "/data.xml":
            self.send(200, f"<urlset><url><loc>\n<![CDATA[{base}/page/1?a=1&b=2]]></loc></url></urlset>".encode(),
                      Content_Type="text/xml")
        elif path.startswith("/page/"):
            self.send(200, PAGE)
        else:
            self.send(404, b"nothing here")


def winnow(*args, timeout=60, **kwargs):
    return subprocess.run([WINNOW, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=timeout, **kwargs)


class Case(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="winnow-fetch-")
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        self.server = self.start()
        self.out = os.path.join(self.dir, "out.warc.gz")

    def start(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
        server.seen, server.lock = [], threading.Lock()
        server.robots, server.robots_status = b"", 200
        server.trailers = 0
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server

    def url(self, path, server=None):
        return f"http://127.0.0.1:{(server or self.server).server_port}{path}"

    def paths(self, server=None):
        return [path for _, path, _ in (server or self.server).seen]

    def fetch(self, *args, code=0, out=None):
        done = winnow("fetch", "--allow-private", "--delay", "0.01", "-o", out or self.out, *args)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def test_an_archive_is_not_written_under_the_name_of_a_page(self):
        for name in ("page.html", "page", "page.warc.html"):
            path = os.path.join(os.path.dirname(self.out), name)
            done = self.fetch(self.url("/page/1"), code=2, out=path)
            self.assertIn("is not the name of a web archive", done.stderr)
            self.assertFalse(os.path.exists(path))

    def records(self, path=None, **wanted):
        done = winnow("warc", "ls", "-f", "jsonl", path or self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        records = [json.loads(line) for line in done.stdout.splitlines()]
        return [r for r in records if all(r[k] == v for k, v in wanted.items())]

    def body(self, record):
        return subprocess.run([WINNOW, "warc", "cat", "--body", record["file"], str(record["offset"])],
                              stdout=subprocess.PIPE).stdout

    def test_pages_become_records(self):
        for name in ("out.warc", "out.warc.gz", "out.warc.zst"):
            out = os.path.join(self.dir, name)
            self.fetch(self.url("/page/1"), self.url("/packed"), self.url("/chunked"), self.url("/page/1#part"), out=out)
            self.assertEqual([r["type"] for r in self.records(out)], ["warcinfo"] + ["response", "request"] * 3)
            responses = self.records(out, type="response")
            self.assertEqual({r["url"] for r in responses}, {self.url(p) for p in ("/page/1", "/packed", "/chunked")})
            self.assertEqual([self.body(r) for r in responses], [PAGE] * 3)
            text = winnow("extract", "-q", "-f", "jsonl", out).stdout.splitlines()
            self.assertEqual(len(text), 3)
            self.assertIn("old mill", text[0])
        self.assertEqual(sorted(os.listdir(self.dir)), ["out.warc", "out.warc.gz", "out.warc.zst"])

    def test_output_can_be_compressed_by_record(self):
        self.fetch(self.url("/page/1"), self.url("/page/2"))
        self.assertTrue(all(r["inner"] == 0 for r in self.records()))
        request = self.records(type="request")[0]
        self.assertIn("GET /page/1 HTTP/1.1\n", winnow("warc", "cat", self.out, str(request["offset"])).stdout)

    def test_records_have_digests(self):
        out = os.path.join(self.dir, "out.warc")
        self.fetch(self.url("/page/1"), self.url("/packed"), self.url("/chunked"), self.url("/large"), out=out)
        with open(out, "rb") as file:
            data, payloads = file.read(), 0
        while data:
            head, _, rest = data.partition(b"\r\n\r\n")
            fields = dict(line.split(b": ", 1) for line in head.split(b"\r\n")[1:])
            length = int(fields[b"Content-Length"])
            block, data = rest[:length], rest[length + 4:]
            label = lambda part: b"sha1:" + base64.b32encode(hashlib.sha1(part).digest())  # noqa: E731
            self.assertEqual(fields[b"WARC-Block-Digest"], label(block))
            self.assertEqual(b"WARC-Payload-Digest" in fields, fields[b"WARC-Type"] == b"response")
            if b"WARC-Payload-Digest" in fields:
                payloads += 1
                self.assertEqual(fields[b"WARC-Payload-Digest"], label(block.partition(b"\r\n\r\n")[2]))
        self.assertEqual(payloads, 4)

    def test_list_of_addresses(self):
        path = os.path.join(self.dir, "urls")
        with open(path, "w") as file:
            file.write(f"# pages\n{self.url('/page/1')}\n\n{self.url('/page/2')}\nnonsense\n")
        done = self.fetch("-i", path, code=1)
        self.assertIn("'nonsense': it is not an http or https address", done.stderr)
        self.assertEqual(len(self.records(type="response")), 2)

    def test_robots(self):
        self.server.robots = b"User-agent: other\nDisallow: /\n\nUser-agent: Winnow\nDisallow: /page/\nAllow: /page/2$\n"
        done = self.fetch(self.url("/page/1"), self.url("/page/2"), self.url("/packed"), code=1)
        self.assertIn("robots.txt does not allow it", done.stderr)
        self.assertEqual(sorted(self.paths()), ["/packed", "/page/2", "/robots.txt"])
        self.fetch("--ignore-robots", "--overwrite", self.url("/page/1"))

    def test_robots_name_is_that_of_the_agent(self):
        self.server.robots = b"\xef\xbb\xbfUser-agent: MyBot\nDisallow: /\n"
        done = self.fetch("--user-agent", "mybot/1.0 (me@example.org)", self.url("/page/1"), code=1)
        self.assertIn("robots.txt does not allow it", done.stderr)
        self.fetch("--overwrite", self.url("/page/1"))

    def test_robots_that_say_too_many_requests(self):
        self.server.robots_status = 429
        done = self.fetch("--retries", "0", self.url("/page/1"), code=1)
        self.assertIn("nothing is allowed: the server answers with HTTP status 429", done.stderr)
        self.assertEqual(self.paths(), ["/robots.txt"])

    def test_why_robots_could_not_be_fetched(self):
        done = self.fetch("--retries", "0", "--progress", "http://127.0.0.1:1/", code=1)
        self.assertRegex(done.stderr, "robots.txt could not be fetched, so nothing is allowed: .*connect")
        self.assertIn("0 refused by robots.txt, 1 failed", done.stderr)
        start = time.monotonic()
        self.fetch("--overwrite", "http://exa mple.org/", code=1)  # never will be an address: not tried again
        self.assertLess(time.monotonic() - start, 1)

    def test_robots_missing_or_broken(self):
        self.server.robots_status = 404
        self.fetch(self.url("/page/1"))
        self.server.robots_status = 500
        done = self.fetch("--overwrite", "--retries", "0", self.url("/page/1"), code=1)
        self.assertIn("robots.txt could not be fetched", done.stderr)

    def test_delay_between_requests_to_a_host(self):
        self.fetch("--delay", "0.3", *(self.url(f"/page/{i}") for i in range(4)))
        times = [when for when, _, _ in self.server.seen]
        self.assertGreater(min(b - a for a, b in zip(times, times[1:])), 0.28)

    def test_http_and_https_are_one_host(self):
        secure = self.url("/page/0").replace("http:", "https:")  # where nobody speaks TLS: it fails, but it is asked
        start = time.monotonic()
        self.fetch("--ignore-robots", "--retries", "0", "--delay", "0.8", self.url("/page/1"), secure, code=1)
        self.assertGreater(time.monotonic() - start, 0.78)

    def test_crawl_delay_of_robots(self):
        self.server.robots = b"User-agent: *\nCrawl-delay: 0.4\n"
        self.fetch(*(self.url(f"/page/{i}") for i in range(3)))
        times = [when for when, path, _ in self.server.seen if path != "/robots.txt"]
        self.assertGreater(min(b - a for a, b in zip(times, times[1:])), 0.38)

    def test_hosts_are_asked_at_once(self):
        servers = [self.server] + [self.start() for _ in range(3)]
        start = time.monotonic()
        self.fetch("--delay", "0.5", *(self.url(f"/page/{i}", s) for s in servers for i in range(2)))
        self.assertLess(time.monotonic() - start, 5)  # one after the other it would be 6 seconds
        for server in servers:
            self.assertEqual(len(self.paths(server)), 3)

    def test_redirects_are_recorded(self):
        self.fetch(self.url("/moved"))
        self.assertEqual([(r["url"], r["http_status"]) for r in self.records(type="response")],
                         [(self.url("/moved"), 301), (self.url("/page/1"), 200)])

    def test_redirects_that_lead_nowhere(self):
        done = self.fetch(*map(self.url, ("/elsewhere", "/itself", "/choices")), code=1)
        self.assertIn("elsewhere': it redirects to an address that is neither http nor https", done.stderr)
        self.assertIn("itself': it redirects to itself", done.stderr)
        self.assertIn("choices': the server answers with HTTP status 300", done.stderr)
        self.assertEqual(len(self.records(type="response")), 3)

    def test_trailers_are_not_part_of_the_body(self):
        self.fetch(self.url("/trailers"))
        self.assertEqual(self.body(self.records(type="response")[0]), PAGE)

    def test_credentials_are_for_the_server_alone(self):
        address = self.url("/locked-page").replace("//", "//eve:s3%20cret@")
        self.fetch(address, self.url("/locked-moved"), self.url("/page/1"))
        responses = self.records(type="response")
        self.assertEqual([(r["url"], r["http_status"]) for r in responses if "locked-page" in r["url"]], [(self.url("/locked-page"), 200)])
        with gzip.open(self.out) as file:
            everything = file.read()
        for secret in (b"eve", b"cret", b"Authorization", base64.b64encode(b"eve:s3 cret")):
            self.assertNotIn(secret, everything)
        self.assertEqual(sum("locked" in r["url"] for r in self.records(type="request")), 2)
        missing = self.url("/missing").replace("//", "//eve:s3%20cret@")
        for done in (winnow("fetch", "--allow-private", "-o", self.out + "2.warc", missing, "ftp://eve:s3%20cret@example.org/"),
                     winnow("extract", "--allow-private", "-f", "jsonl", missing, missing),
                     winnow("extract", "--allow-private", "-m", "all", "-f", "jsonl", address, address),
                     winnow("extract", "--allow-private", "-m", "all", address, address)):
            self.assertIn("127.0.0.1", done.stdout + done.stderr)
            self.assertNotIn("eve", done.stdout + done.stderr)
            self.assertNotIn("cret", done.stdout + done.stderr)
        self.assertIn("old mill", done.stdout)

    def test_endless_trailers(self):
        self.fetch("--retries", "0", self.url("/endless-trailers"), code=1)
        self.assertLess(self.server.trailers, 50 << 20)
        self.server.trailers = 0
        done = winnow("extract", "--allow-private", self.url("/endless-trailers"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("HTTP headers", done.stderr)
        self.assertLess(self.server.trailers, 50 << 20)

    def test_nobody_waits_behind_the_last_request(self):
        start = time.monotonic()
        self.fetch("--ignore-robots", "--delay", "20", self.url("/page/1"))
        self.assertLess(time.monotonic() - start, 10)

    def test_endless_redirects(self):
        done = self.fetch("--max-redirects", "3", self.url("/loop"), code=1)
        self.assertIn("--max-redirects", done.stderr)
        self.assertEqual(len(self.records(http_status=302)), 4)

    def test_retries(self):
        self.fetch(self.url("/flaky"))
        self.assertEqual(self.paths().count("/flaky"), 3)
        self.assertEqual([r["http_status"] for r in self.records(type="response")], [200])
        self.fetch("--overwrite", "--retries", "0", self.url("/flaky?again"), code=1)

    def test_missing_page(self):
        done = self.fetch(self.url("/nowhere"), self.url("/page/1"), code=1)
        self.assertIn("HTTP status 404", done.stderr)
        self.assertEqual(len(self.records(type="response")), 2)

    def test_unchanged_pages_are_revisits(self):
        new = os.path.join(self.dir, "new.warc.gz")
        self.fetch(self.url("/versioned"), self.url("/page/1"))
        self.fetch("--since", self.out, self.url("/versioned"), self.url("/page/1"), out=new)
        self.assertEqual(len(self.records(new, type="response")), 1)
        revisit, = self.records(new, type="revisit")
        head = winnow("warc", "cat", new, str(revisit["offset"])).stdout
        original, = self.records(url=self.url("/versioned"), type="response")
        self.assertIn("WARC-Refers-To: " + original["id"], head)
        self.assertIn("server-not-modified", head)

    def test_sitemap_of_sitemaps(self):
        self.fetch("--sitemap", self.url("/sitemap.xml"))
        pages = [path for path in self.paths() if path.startswith("/page/")]
        self.assertEqual(sorted(pages), [f"/page/{i}?a=1&b=2" for i in range(5)])
        self.fetch("--sitemap", self.url("/sitemap.xml"), "--limit", "2", "--overwrite")
        self.assertEqual(len(self.records(type="response")), 4)

    def test_sitemaps_of_other_forms(self):
        self.fetch("--sitemap", self.url("/data.xml"))
        self.assertIn("/page/1?a=1&b=2", self.paths())
        done = self.fetch("--overwrite", "--sitemap", self.url("/page/2"), code=1)
        self.assertIn("it is not an XML sitemap", done.stderr)

    def test_files_that_cannot_be_read(self):
        missing = os.path.join(self.dir, "missing")
        done = self.fetch("-i", missing, "--since", missing, "--since", self.dir, self.url("/page/1"), code=1)
        self.assertEqual(done.stderr.count(f"cannot read '{missing}': No such file or directory"), 2)
        self.assertIn(f"cannot read '{self.dir}': Is a directory", done.stderr)
        self.assertEqual(len(self.records(type="response")), 1)

    def test_limits(self):
        self.fetch("--max-bytes", "1000", self.url("/large"))
        head = winnow("warc", "cat", self.out, "--type", "response").stdout
        self.assertIn("WARC-Truncated: length", head)
        done = self.fetch("--timeout", "0.5", "--retries", "0", "--overwrite", self.url("/slow"), code=1)
        self.assertIn("cannot fetch", done.stderr)

    def test_private_addresses_are_refused(self):
        done = winnow("fetch", "-o", self.out, self.url("/page/1"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("127.0.0.1 is a loopback address; --allow-private permits it", done.stderr)
        self.assertEqual(self.paths(), [])
        self.assertIn("no archive is written", done.stderr)
        self.assertEqual(os.listdir(self.dir), [])

    def test_killed_run_is_taken_up(self):
        urls = [self.url(f"/page/{i}") for i in range(12)] + [self.url("/moved")]
        command = [WINNOW, "fetch", "-q", "--allow-private", "--delay", "0.1", "-o", self.out, *urls]
        for _ in range(3):
            process = subprocess.Popen(command)
            time.sleep(0.45)
            process.send_signal(signal.SIGKILL)
            process.wait()
        self.assertFalse(os.path.exists(self.out))
        done = self.fetch(*urls)
        self.assertIn("of an earlier run", done.stderr)
        self.assertEqual(sorted(r["url"] for r in self.records(type="response")), sorted(urls))
        self.assertEqual(os.listdir(self.dir), ["out.warc.gz"])

    def interrupt(self, *args):
        """A run that is killed when a few pages are done."""
        process = subprocess.Popen([WINNOW, "fetch", "-q", "--allow-private", "--delay", "0.1", "-o", self.out, *args])
        while process.poll() is None and (len(self.paths()) < 8 or not os.path.exists(self.out + ".part.done")):
            time.sleep(0.02)
        process.kill()
        self.assertEqual(process.wait(), -signal.SIGKILL)

    def test_where_a_redirect_led_is_not_fetched_again(self):
        urls = [self.url("/moved")] + [self.url(f"/page/{i}") for i in range(2, 40)]
        self.interrupt(*urls)
        self.fetch(*urls)
        self.assertEqual(self.paths().count("/page/1"), 1)
        self.assertEqual(len(self.records(type="response")), 40)

    def test_a_sitemap_that_moved_is_read_by_the_run_that_goes_on(self):
        urls = [self.url(f"/page/{i}") for i in range(10, 40)]
        self.interrupt("--sitemap", self.url("/old-sitemap.xml"), *urls)
        self.fetch("--sitemap", self.url("/old-sitemap.xml"), "--limit", "35", *urls)
        pages = [r["url"] for r in self.records(type="response") if "/page/" in r["url"]]
        self.assertEqual(sorted(pages), sorted(urls + [self.url(f"/page/{i}?a=1&b=2") for i in range(5)]))

    def test_usage(self):
        self.assertIn("-o FILE", winnow("fetch", self.url("/")).stderr)
        self.assertIn("nothing to fetch", winnow("fetch", "-o", self.out).stderr)
        self.assertEqual(winnow("fetch", "-o", self.out).returncode, 2)
        for line in winnow("fetch", "--help").stdout.splitlines():
            self.assertLessEqual(len(line), 80, line)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        WINNOW = os.path.abspath(sys.argv.pop(1))
    sys.argv[1:] = [word if word.startswith("-") else "-k" + word for word in sys.argv[1:]]
    unittest.main()
