#!/usr/bin/env python3
"""Style sheets from elsewhere: --css, those beside a page on disk, and with --fetch-css from a server on 127.0.0.1.

    test_styles.py build/winnow [-v] [NAME...]

Each page has one paragraph of a class that a sheet hides; whether it is in the text tells if the sheet was
read. Ends with a line "N passed, N failed, N skipped".
"""

import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

WINNOW = "winnow"
HIDE = ".secret { display: none }"
SECRET = "Words that a sheet hides."
TEXT = "The mill grinds the corn of three villages, and its owner sells the flour. " * 12


def page(*links, head=""):
    sheets = "".join(f'<link rel=stylesheet href="{link}">' for link in links)
    return f"<!doctype html>{head}{sheets}<body><p>{TEXT}</p><p class=secret>{SECRET}</p><p>{TEXT}</p>"


def run(*args, stdin="", code=0):
    done = subprocess.run([WINNOW, *map(str, args)], input=stdin.encode(), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == code, (done.returncode, done.stderr.decode())
    return done.stdout.decode(), done.stderr.decode()


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, text=HIDE):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def is_hidden(self, *args, stdin=""):
        """Whether the paragraph is hidden, for both commands that look."""
        blocks, self.err = run("segment", "--text", *args, stdin=stdin)
        text, err = run("extract", "-m", "eifce", *args, stdin=stdin)
        hidden = SECRET not in text
        self.assertIn(TEXT.strip(), " ".join(text.split()))
        self.assertEqual(SECRET not in " ".join(b["text"] for b in json.loads(blocks)["blocks"]), hidden)
        self.assertEqual(err, self.err)
        return hidden


class UserSheets(Case):
    def test_several(self):
        one, two = self.write("one.css", "p { color: red }"), self.write("two.css")
        html = self.write("p.html", page())
        self.assertFalse(self.is_hidden("--css", one, html))
        self.assertTrue(self.is_hidden("--css", one, "--css", two, html))

    def test_baselines_take_them(self):
        sheet, html = self.write("a.css"), self.write("p.html", page())
        for method in ("fe", "kfe"):
            self.assertNotIn(SECRET, run("extract", "-m", method, "--css", sheet, html)[0])

    def test_that_cannot_be_read(self):
        html = self.write("p.html", page())
        for command in (["segment"], ["extract", "-m", "eifce"]):
            for path in (self.folder / "none.css", self.folder):
                _, err = run(*command, "--css", path, html, code=2)
                self.assertIn(f"cannot read the style sheet '{path}'", err)
            self.assertIn("no such directory", run(*command, "--css-root", html, html, code=2)[1])

    def test_binary_sheet(self):
        self.assertFalse(self.is_hidden("--css", self.write("a.css", bytes(range(256)) * 9), self.write("p.html", page())))


class Disk(Case):
    def test_beside_the_page(self):
        self.write("style sheet.css")
        self.assertTrue(self.is_hidden(self.write("p.html", page("style%20sheet.css"))))
        self.assertTrue(self.is_hidden(self.write("p.html", page("./a/../style sheet.css#x"))))
        self.assertFalse(self.is_hidden(self.write("p.html", page("none.css"))))
        self.assertEqual(self.err, "")

    def test_names_with_queries(self):
        self.write("a.css")
        self.assertTrue(self.is_hidden(self.write("p.html", page("a.css?v=2"))))
        self.write("a.css?v=2", "")  # as some programs save them
        self.assertFalse(self.is_hidden(self.write("p.html", page("a.css?v=2"))))

    def test_names_of_pages(self):
        self.write("100% ä#?/b.css")
        self.assertTrue(self.is_hidden(self.write("100% ä#?/p.html", page("b.css"))))

    def test_imports(self):
        self.write("css/a.css", "@import 'deep/b.css' screen;")
        self.write("css/deep/b.css", "@import url(../c.css);")
        self.write("css/c.css")
        self.assertTrue(self.is_hidden(self.write("p.html", page("css/a.css"))))
        self.assertTrue(self.is_hidden(self.write("q.html", page(head="<style>@import '/css/c.css';</style>"))))

    def test_imports_in_a_circle(self):
        self.write("a.css", "@import 'b.css';" * 100)
        self.write("b.css", "@import 'a.css';" * 100 + HIDE)
        self.assertTrue(self.is_hidden(self.write("p.html", page("a.css"))))

    def test_only_below_the_folder_of_the_page(self):
        self.write("above.css")
        html = self.write("site/p.html", page("../above.css", f"{self.folder}/above.css", f"file://{self.folder}/above.css",
                                              "%2e%2e/above.css", "..%2fabove.css", "x/../../above.css"))
        self.assertFalse(self.is_hidden(html))
        self.assertTrue(self.is_hidden("--css-root", self.folder, html))

    def test_links_of_the_file_system_do_not_lead_out(self):
        self.write("above.css")
        html = self.write("site/p.html", page("link.css", "folder/above.css"))
        os.symlink("../above.css", self.folder / "site/link.css")
        os.symlink("..", self.folder / "site/folder")
        self.assertFalse(self.is_hidden(html))
        self.write("site/real.css")
        os.symlink("real.css", self.folder / "site/inside.css")
        self.assertTrue(self.is_hidden(self.write("site/p.html", page("inside.css"))))

    def test_directory_is_the_root(self):
        self.write("site/css/a.css")
        self.write("site/deep/er/p.html", page("../../css/a.css"))
        self.assertTrue(self.is_hidden(self.folder / "site"))
        self.write("site/deep/er/p.html", page("/css/a.css"))
        self.assertTrue(self.is_hidden(self.folder / "site"))
        self.assertFalse(self.is_hidden(self.folder / "site/deep"))

    def test_no_devices_and_pipes(self):
        os.mkfifo(self.folder / "pipe.css")
        self.write("d.css/x")
        self.assertFalse(self.is_hidden(self.write("p.html", page("pipe.css", "d.css", "/dev/zero", "a%00.css"))))

    def test_large_sheet_is_cut(self):
        self.write("a.css", "p { color: red }\n" * 300000 + HIDE)  # 5 MB
        self.write("b.css", "p { color: red }\n" * 200000 + HIDE)  # 3 MB
        self.assertFalse(self.is_hidden(self.write("p.html", page("a.css"))))
        self.assertTrue(self.is_hidden(self.write("p.html", page("b.css"))))
        self.assertFalse(self.is_hidden(self.write("p.html", page(*["a.css?%d" % i for i in range(9)], "b.css"))))

    def test_pages_that_are_no_files_have_none(self):
        self.write("a.css")
        html = page("a.css", f"file://{self.folder}/a.css", f"beside://{self.folder}/a.css", "beside:///a.css")
        where = os.getcwd()
        try:
            os.chdir(self.folder)
            self.assertFalse(self.is_hidden(stdin=html))
            self.assertFalse(self.is_hidden("--fetch-css", stdin=html))
        finally:
            os.chdir(where)

    def test_base(self):
        self.write("css/a.css")
        self.assertTrue(self.is_hidden(self.write("p.html", page("a.css", head="<base href=css/>"))))
        self.assertFalse(self.is_hidden(self.write("p.html", page("css/a.css", head="<base href=http://e.org/>"))))

    def test_the_same_for_every_number_of_jobs(self):
        for i in range(40):
            self.write(f"site/{i}/a.css", HIDE if i % 2 else "")
            self.write(f"site/{i}/p.html", page("a.css"))
        one = run("extract", "-m", "eifce", "-f", "jsonl", "-j1", self.folder / "site")[0]
        four = run("extract", "-m", "eifce", "-f", "jsonl", "-j4", self.folder / "site")[0]
        self.assertEqual(one, four)
        self.assertEqual(sum(SECRET in line for line in one.splitlines()), 20)

    def test_overlay_has_them(self):
        self.write("a.css", "@import 'b.css'; p::before { content: '</style><script>alert(1)</script>' }")
        self.write("b.css", HIDE)
        html = run("segment", "-f", "html", self.write("p.html", page("a.css")))[0]
        self.assertLess(html.index(HIDE), html.index("@import"))
        self.assertNotIn("</script", html)
        self.assertEqual(html.count("</style>"), 3)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def reply(self, body, content_type, status=200, **headers):
        self.send_response(status)
        if content_type:
            self.send_header("Content-Type", content_type)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except ConnectionError:
            pass

    def do_GET(self):
        self.server.seen.append((self.path, dict(self.headers)))
        name = self.path.split("?")[0].rsplit("/", 1)[1]
        if name.endswith(".html"):
            self.reply(page(name.replace(".html", ".css")).encode(), "text/html")
        elif name == "import.css":
            self.reply(b"@import 'a.css';", "text/css")
        elif name == "moved.css":
            self.reply(b"", "text/css", 302, Location="/elsewhere/import.css")
        elif name == "to-file.css":
            self.reply(b"", "text/css", 302, Location="file:///etc/passwd")
        elif name == "html.css":
            self.reply(HIDE.encode(), "text/html")
        elif name == "untyped.css":
            self.reply(HIDE.encode(), None)
        elif name == "latin.css":
            self.reply(".caf\xe9, .secret { display: none }".encode("latin-1"), "text/css; charset=latin1")
        elif name == "slow.css":
            time.sleep(1)
            self.reply(HIDE.encode(), "text/css")
        elif name == "a.css":
            self.reply(HIDE.encode(), "text/css; charset=utf-8")
        else:
            self.reply(b"", "text/css", 404)


class Web(Case):
    @classmethod
    def setUpClass(cls):
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        cls.server.daemon_threads = True
        cls.server.seen = []
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()
        cls.server.server_close()

    def setUp(self):
        super().setUp()
        self.server.seen.clear()

    def url(self, path):
        return f"http://127.0.0.1:{self.server.server_port}{path}"

    def fetched(self, *args, **more):
        return self.is_hidden("--fetch-css", "--allow-private", *args, **more)

    def test_only_if_asked_for(self):
        self.assertFalse(self.is_hidden("--allow-private", self.url("/x/a.html")))
        self.assertEqual({path for path, _ in self.server.seen}, {"/x/a.html"})
        self.assertFalse(self.is_hidden(self.write("p.html", page(self.url("/a.css")))))
        self.assertEqual(len(self.server.seen), 2)

    def test_page_from_the_web(self):
        self.assertTrue(self.fetched(self.url("/x/a.html")))
        path, headers = self.server.seen[1]
        self.assertEqual(path, "/x/a.css")
        self.assertTrue(headers["Accept"].startswith("text/css"))

    def test_page_on_disk(self):
        self.assertTrue(self.fetched(self.write("p.html", page(self.url("/a.css")))))
        html = self.write("q.html", page("a.css"))
        self.assertTrue(self.fetched("--url", self.url("/q.html"), html))
        self.assertFalse(self.fetched(html))
        self.write("a.css")
        self.assertTrue(self.fetched(html))
        self.assertTrue(self.fetched("--url", self.url("/q.html"), stdin=page("a.css")))

    def test_imports_and_redirects(self):
        self.assertTrue(self.fetched(self.url("/x/import.html")))
        self.assertTrue(self.fetched(self.url("/x/moved.html")))
        self.assertEqual(self.server.seen[-1][0], "/elsewhere/a.css")

    def test_private_addresses_are_refused(self):
        for host in ("127.0.0.1", "localhost", "0x7f.1", "[::1]"):
            sheet = f"http://{host}:{self.server.server_port}/a.css"
            self.assertFalse(self.is_hidden("--fetch-css", self.write("p.html", page(sheet))))
        self.assertEqual(self.server.seen, [])
        self.assertIn("1 of 1 style sheets could not be fetched", self.err)

    def test_other_protocols(self):
        self.assertFalse(self.fetched(self.url("/x/to-file.html")))
        self.assertFalse(self.fetched(self.write("p.html", page("ftp://127.0.0.1/a.css", "gopher://127.0.0.1/"))))

    def test_types(self):
        self.assertFalse(self.fetched(self.url("/html.html")))
        self.assertIn("not a style sheet: the server says it is text/html", self.err)
        self.assertTrue(self.fetched(self.url("/untyped.html")))
        self.assertTrue(self.fetched(self.url("/latin.html")))

    def test_what_is_missing_is_said(self):
        html = self.write("p.html", page(*(self.url(f"/none{i}.css") for i in range(3)), self.url("/a.css")))
        self.assertTrue(self.fetched(html))
        self.assertIn("3 of 4 style sheets could not be fetched", self.err)
        self.assertIn("404", self.err)
        self.assertTrue(self.fetched("-q", html))
        self.assertEqual(self.err, "")

    def test_time_for_all(self):
        html = self.write("p.html", page(*(self.url(f"/slow.css?{i}") for i in range(20))))
        start = time.monotonic()
        run("segment", "--fetch-css", "--allow-private", "--timeout", "2.5", html)
        self.assertLess(time.monotonic() - start, 8)

    def test_once_for_the_pages_of_a_site(self):
        for i in range(10):
            self.write(f"site/{i}.html", page(self.url("/a.css"), self.url("/none.css")))
        out = run("extract", "-m", "eifce", "-j1", "-f", "jsonl", "--fetch-css", "--allow-private", self.folder / "site")[0]
        self.assertNotIn(SECRET, out)
        self.assertEqual(sorted(path for path, _ in self.server.seen), ["/a.css", "/none.css"])

    def test_methods_that_do_not_look_fetch_nothing(self):
        run("extract", "--fetch-css", "--allow-private", self.write("p.html", page(self.url("/a.css"))))
        self.assertEqual(self.server.seen, [])


def main():
    global WINNOW
    WINNOW = os.path.abspath(sys.argv[1])
    verbose = "-v" in sys.argv
    names = [name for name in sys.argv[2:] if name != "-v"]
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{name}*" for name in names] or None
    suite = loader.loadTestsFromModule(sys.modules[__name__])
    result = unittest.TextTestRunner(verbosity=2 if verbose else 1).run(suite)
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed, {len(result.skipped)} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
