#!/usr/bin/env python3
"""winnow serve: who may ask. Pages of other sites, DNS rebinding, tokens.

    tests/serve/test_guard.py [PROGRAM] [TEST...]
"""

import os
import stat
import subprocess
from pathlib import Path

import serving
from serving import ARTICLE, Server, ServerTest, temporary_folder

SAFE_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class OtherSites(ServerTest):
    """A page of another site in the same browser can neither read nor write."""

    def post_as(self, **headers):
        return self.server.post("/v1/extract", ARTICLE, **headers)

    def test_host_must_be_ours(self):
        port = self.server.port
        for host in ("localhost", f"localhost:{port}", "127.0.0.1", f"127.0.0.1:{port}", "[::1]:80", "192.0.2.7",
                     "LocalHost"):
            with self.subTest(host):
                self.assertEqual(self.post_as(Host=host).status, 200)
        for host in ("evil.example", f"evil.example:{port}", "localhost.evil.example", "127.0.0.1.evil.example",
                     "localhost@evil.example", "", "[", "[::1", "1", "0x7f.1", "2130706433", "a" * 300):
            with self.subTest(host):
                answer = self.post_as(Host=host)
                self.assertIn(answer.status, (400, 421))
                self.assertNotIn("Threshing", answer.text)

    def test_request_without_host(self):
        for version in (b"1.0", b"1.1"):
            answer = self.server.raw(b"GET /version HTTP/" + version + b"\r\n\r\n")
            self.assertRegex(answer.split(b"\r\n")[0], rb"HTTP/1\.[01] (400|421)")

    def test_two_hosts(self):
        answer = self.server.raw(b"GET /version HTTP/1.1\r\nHost: evil.example\r\nHost: localhost\r\n\r\n")
        self.assertNotIn(b'"name":"winnow"', answer)

    def test_origin_must_be_ours(self):
        own = f"http://127.0.0.1:{self.server.port}"
        self.assertEqual(self.post_as(Origin=own).status, 200)
        for origin in ("https://evil.example", "http://127.0.0.1", "http://localhost:3000", "null",
                       f"http://127.0.0.1:{self.server.port}.evil.example", "file://"):
            with self.subTest(origin):
                answer = self.post_as(Origin=origin)
                self.assertEqual(answer.status, 403)
                self.assertIsNone(answer.headers["Access-Control-Allow-Origin"])

    def test_requests_that_browsers_mark(self):
        for site in ("cross-site", "same-site"):
            for path in ("/v1/methods", "/metrics", "/version"):
                with self.subTest(site + path):
                    headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors"}
                    self.assertEqual(self.server.get(path, **headers).status, 403)
        marked = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
        self.assertEqual(self.server.get("/", **marked).status, 200)  # a link to the page is a link
        self.assertEqual(self.server.get("/v1/methods", **marked).status, 403)
        self.assertEqual(self.server.get("/v1/methods", **{"Sec-Fetch-Site": "same-origin"}).status, 200)

    def test_no_preflight_for_others(self):
        answer = self.server.request("OPTIONS", "/v1/extract", headers={
            "Origin": "https://evil.example", "Access-Control-Request-Method": "POST"})
        self.assertEqual(answer.status, 403)
        self.assertFalse([name for name in answer.headers if name.lower().startswith("access-control-")])

    def test_headers_of_every_answer(self):
        for answer in (self.post_as(), self.server.get("/nothing"), self.server.get("/"), self.server.get("/health"),
                       self.post_as(Host="evil.example")):
            for name, value in SAFE_HEADERS.items():
                self.assertEqual(answer.headers[name], value)
        self.assertIn("sandbox", self.post_as(Accept="text/html").headers["Content-Security-Policy"])
        policy = self.server.get("/").headers["Content-Security-Policy"]
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("'unsafe-eval'", policy.replace("'wasm-unsafe-eval'", ""))

    def test_request_ids(self):
        self.assertEqual(self.post_as(**{"X-Request-Id": "abc-1.2:3"}).headers["X-Request-Id"], "abc-1.2:3")
        ids = {self.post_as(**{"X-Request-Id": wrong}).headers["X-Request-Id"]
               for wrong in ("", "a b", "é".encode().decode("latin-1"), "x" * 65, "<script>")}
        self.assertEqual(len(ids), 5)
        self.assertTrue(self.server.wait_line("id=abc-1.2:3"))


class NamedHostsAndOrigins(ServerTest):
    options = ("--host", "pages.example.org", "--cors", "https://app.example.org")

    def test_named_host(self):
        self.assertEqual(self.server.post("/v1/extract", ARTICLE, Host="pages.example.org").status, 200)
        self.assertEqual(self.server.post("/v1/extract", ARTICLE, Host="PAGES.example.org:443").status, 200)
        self.assertEqual(self.server.post("/v1/extract", ARTICLE, Host="other.example.org").status, 421)

    def test_named_origin(self):
        answer = self.server.post("/v1/extract", ARTICLE, Origin="https://app.example.org")
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.headers["Access-Control-Allow-Origin"], "https://app.example.org")
        self.assertIn("Origin", answer.headers["Vary"])
        self.assertEqual(self.server.post("/v1/extract", ARTICLE, Origin="https://evil.example").status, 403)

    def test_preflight(self):
        answer = self.server.request("OPTIONS", "/v1/extract", headers={
            "Origin": "https://app.example.org", "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "content-type"})
        self.assertEqual(answer.status, 204)
        self.assertIn("POST", answer.headers["Access-Control-Allow-Methods"])
        self.assertIn("Content-Type", answer.headers["Access-Control-Allow-Headers"])


class Tokens(ServerTest):
    options = ("--token", "s3cret")

    def test_token(self):
        for given, status in (("Bearer s3cret", 200), ("bearer s3cret", 200), ("Bearer s3cre", 401),
                              ("Bearer s3crets", 401), ("Bearer ", 401), ("s3cret", 401), ("Basic s3cret", 401),
                              ("Bearer S3CRET", 401), ("", 401)):
            with self.subTest(given):
                answer = self.server.post("/v1/extract", ARTICLE, Authorization=given)
                self.assertEqual(answer.status, status)
                if status == 401:
                    self.assertEqual(answer.headers["WWW-Authenticate"], "Bearer")
        self.assertEqual(self.server.post("/v1/extract", ARTICLE).status, 401)

    def test_what_is_open(self):
        for path, status in (("/health", 200), ("/ready", 200), ("/version", 200), ("/", 200), ("/metrics", 401),
                             ("/v1/methods", 401)):
            with self.subTest(path):
                self.assertEqual(self.server.get(path).status, status)

    def test_large_refused_body_is_answered(self):
        answer = self.server.post("/v1/extract", b"x" * 5_000_000)
        self.assertEqual(answer.status, 401)


class Starting(serving.unittest.TestCase):
    def run_serve(self, *options, env=None):
        return subprocess.run([serving.program, "serve", *options], capture_output=True, text=True, timeout=20,
                              env={**os.environ, **(env or {})})

    def test_wrong_usage(self):
        for options, code, words in (
                (["--token", ""], 2, "empty"), (["--allow-private"], 2, "--fetch"), (["page.html"], 2, "options only"),
                (["--bind", "127.0.0.1"], 1, "--bind takes"), (["--bind", "256.1.1.1:80"], 1, "cannot listen"),
                (["--token-file", "/nowhere"], 1, "/nowhere"), (["--bind", "127.0.0.1:0", "--log", "/no/log"], 1, "log"),
                (["--bind", "127.0.0.1:0", "--user", "no-such-user"], 1, "no-such-user"),
                (["--token", "a", "--token-file", "b"], 2, "exclude")):
            with self.subTest(options):
                done = self.run_serve(*options)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(words, done.stderr)

    def test_token_from_file_and_environment(self):
        path = temporary_folder(self) / "token"
        path.write_text("from-file\n")
        for server in (Server("--token-file", str(path)), Server(env={"WINNOW_TOKEN": "from-file"})):
            self.assertEqual(server.post("/v1/extract", ARTICLE).status, 401)
            self.assertEqual(server.post("/v1/extract", ARTICLE, Authorization="Bearer from-file").status, 200)
            self.assertEqual(server.stop(), 0)

    def test_address_in_use(self):
        server = Server()
        done = self.run_serve("--bind", f"127.0.0.1:{server.port}")
        self.assertEqual(done.returncode, 1)
        self.assertIn("in use", done.stderr)
        self.assertEqual(server.stop(), 0)

    def test_other_user(self):
        if os.geteuid() != 0:
            self.skipTest("only root can become another user")
        server = Server("--user", "nobody")
        status = Path(f"/proc/{server.process.pid}/status").read_text()
        self.assertNotIn("Uid:\t0", status)
        self.assertNotIn("Gid:\t0", status)
        self.assertEqual(server.post("/v1/extract", ARTICLE).status, 200)
        self.assertEqual(server.stop(), 0)

    def test_log_is_not_for_everybody(self):
        path = temporary_folder(self) / "log"
        server = Server("--log", str(path), "--log-json")
        server.raw(b"GET /health?a=\x1b[31m HTTP/1.1\r\nHost: localhost\r\n\r\n")
        server.stop()
        self.assertFalse(stat.S_IMODE(path.stat().st_mode) & stat.S_IRWXO)
        entry = serving.json.loads(path.read_text().splitlines()[0])
        self.assertEqual((entry["method"], entry["status"], entry["client"]), ("GET", 200, "127.0.0.1"))


if __name__ == "__main__":
    serving.main()
