#!/usr/bin/env python3
"""The sandbox of `winnow serve` and `winnow mcp`: everything works in it, and code that runs in it can do little else.

    tests/serve/test_sandbox.py [PROGRAM] [TEST...]

tests/support/attacker.py tells how that is tried. Skipped where the kernel has no Landlock.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import unittest

import serving
from serving import ARTICLE, PAGES, Server, temporary_folder, wait_until
from test_mcp import Assistant

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
import attacker  # noqa: E402

WORD = "attack-now"


class SandboxTest(unittest.TestCase):
    def setUp(self):
        if serving.is_sanitized():
            self.skipTest("LeakSanitizer does not work in a sandbox")
        probe = subprocess.run([serving.program, "extract", "--sandbox", PAGES / "article.html"], capture_output=True, text=True)
        if "cannot enter the sandbox" in probe.stderr:
            self.skipTest(probe.stderr.strip())
        self.folder = temporary_folder(self)

    def make_store(self, folder):
        folder.mkdir(exist_ok=True)
        store = folder / "pages.db"
        done = subprocess.run([serving.program, "corpus", "add", "-q", store, PAGES / "article.html"], capture_output=True, text=True)
        if not store.exists():
            self.skipTest("no store: " + done.stderr)
        return store

    def start(self, *options, **more):
        server = Server("--sandbox", *options, **more)
        self.addCleanup(server.stop)
        return server


class Serving(SandboxTest):
    def attacked(self, *options, file="/etc/passwd"):
        """What an attacker could do in a server with these options."""
        enemy = attacker.Attacker(self.folder, WORD, file)
        server = Server(*options, env=enemy.variables)
        self.assertEqual(server.post(f"/v1/extract?url=http://{WORD}/", ARTICLE).status, 200)
        said = server.wait_line("socket ")
        self.assertEqual(server.stop(), 0)
        return said, enemy.has_made()

    def test_code_that_runs_in_the_server_opens_nothing(self):
        self.assertEqual(self.attacked("--no-sandbox"), (attacker.ALL_WORKED, True))
        self.assertEqual(self.attacked(), (attacker.NOTHING_WORKED, False))

    def test_fetching_needs_sockets_and_nothing_else(self):
        self.assertEqual(self.attacked("--fetch"), (attacker.report(socket=True), False))

    def test_files_beside_the_store_are_out_of_reach(self):
        neighbour = self.folder / "letter.txt"
        neighbour.write_text("private")
        self.assertEqual(self.attacked("--store", str(self.make_store(self.folder)), file=neighbour),
                         (attacker.NOTHING_WORKED, False))

    def test_files_beside_the_log_cannot_be_read(self):
        logs = self.folder / "logs"
        logs.mkdir()
        other = logs / "other.log"
        other.write_text("private")
        enemy = attacker.Attacker(self.folder, WORD, other)
        server = Server("--log", str(logs / "winnow.log"), env=enemy.variables)
        self.assertEqual(server.post(f"/v1/extract?url=http://{WORD}/", ARTICLE).status, 200)
        self.assertEqual(server.wait_line("socket "), attacker.NOTHING_WORKED)
        self.assertFalse(enemy.has_made())
        self.assertEqual(server.stop(), 0)

    def test_both_options_exclude_each_other(self):
        for command in ("serve", "mcp"):
            done = subprocess.run([serving.program, command, "--sandbox", "--no-sandbox"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 2)
            self.assertIn("exclude each other", done.stderr)

    def test_pictures_and_metrics(self):
        server = self.start()
        for path in ("/v1/cloud?format=json", "/v1/words", "/v1/segment", "/v1/explain", "/v1/cloud?format=png", "/v1/segment?format=svg"):
            answer = server.post(path, ARTICLE)
            self.assertIn(answer.status, (200, 501), path)  # 501: built without cairo
        self.assertGreater(server.metric("process_resident_memory_bytes"), 1 << 20)

    def test_batches_that_wait_on_the_disk(self):
        server = self.start()
        page = "<p>" + "A sentence that is long enough to be kept as text. " * 400
        line = json.dumps({"html": page, "options": {"method": "all"}}).encode() + b"\n"
        for _ in range(3):  # a file is used again
            answer = server.post("/v1/batch", line * 500, "application/x-ndjson")
            self.assertEqual((answer.status, answer.text.count("\n")), (200, 500))
            self.assertGreater(len(answer.body), 8 << 20)

    def test_log_is_opened_again(self):
        log = self.folder / "logs" / "winnow.log"
        log.parent.mkdir()
        server = self.start("--log", str(log))
        server.get("/health")
        log.rename(log.with_suffix(".1"))
        server.process.send_signal(signal.SIGHUP)
        self.assertTrue(wait_until(log.exists))
        server.get("/version")
        self.assertTrue(wait_until(lambda: "/version" in log.read_text()))

    def search(self, server):
        answer = server.get("/v1/search?q=winnowing")
        self.assertEqual(answer.status, 200, answer.text)
        return len(answer.json()["hits"])

    def add(self, store, page):
        subprocess.run([serving.program, "corpus", "add", "-q", store, page], check=True)

    def test_store_is_read_while_others_write(self):
        other = self.folder / "other.html"
        other.write_bytes(ARTICLE)
        for store in (self.make_store(self.folder), self.make_store(self.folder / "alone")):
            server = self.start("--store", str(store))
            self.assertEqual(self.search(server), 1)
            self.add(store, other)
            self.assertEqual(self.search(server), 2)
            self.assertEqual(server.stop(), 0)
            done = subprocess.run([serving.program, "corpus", "stats", store], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_store_that_is_alone_in_its_folder_can_be_replaced(self):
        store = self.make_store(self.folder / "alone")
        server = self.start("--store", str(store))
        count = lambda: len(server.get("/v1/pages").json()["pages"])  # noqa: E731
        self.assertEqual(count(), 1)
        fresh = self.folder / "fresh.db"
        shutil.copy(store, fresh)
        self.add(fresh, PAGES)
        fresh.replace(store)
        self.assertTrue(wait_until(lambda: count() > 1))


class Assisting(SandboxTest):
    def attacked(self, *options):
        enemy = attacker.Attacker(self.folder, WORD)
        assistant = Assistant(*options, env={**os.environ, **enemy.variables}, stderr=subprocess.PIPE)
        error, _ = assistant.call("extract", html=f"<p>{WORD}: a sentence that is long enough to be kept as text.", method="all")
        self.assertFalse(error)
        said = assistant.process.stderr.readline().decode().strip()
        assistant.process.stderr.close()
        self.assertEqual(assistant.close(), 0)
        return said, enemy.has_made()

    def test_code_that_runs_in_it_opens_nothing(self):
        self.assertEqual(self.attacked("--no-sandbox"), (attacker.ALL_WORKED, True))
        self.assertEqual(self.attacked("--no-fetch"), (attacker.NOTHING_WORKED, False))
        self.assertEqual(self.attacked(), (attacker.report(socket=True), False))

    def test_folders_and_stores(self):
        pages = self.folder / "pages"
        store = self.make_store(pages)
        shutil.copy(PAGES / "article.html", pages)
        assistant = Assistant("--sandbox", "--no-fetch", "--allow", str(pages), "--store", str(store))
        for arguments in ({}, {"store": str(store)}):
            error, text = assistant.call("search", query="winnowing", **arguments)
            self.assertFalse(error, text)
        error, text = assistant.call("extract", path=str(pages / "article.html"))
        self.assertFalse(error, text)
        self.assertTrue(assistant.call("extract", path=str(self.folder / "elsewhere.html"))[0])
        self.assertEqual(assistant.close(), 0)


if __name__ == "__main__":
    serving.main()
