#!/usr/bin/env python3
"""winnow serve: clients that are slow, broken or hostile, and a system that is full.

Each fault is answered or cut off within its limit, nothing is left over, and the next request works.

    tests/serve/test_faults.py [PROGRAM] [TEST...]
"""

import gzip
import os
import signal
import socket
import struct
import threading
import time

import serving
from serving import ARTICLE, Server, ServerTest, temporary_folder, wait_until

HEAD = b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\n"
BIG_PAGE = b"<p>" + b"Many words make a page long, and this one is. " * 4000
DEEP_PAGE = b"<div><p>word " * 200_000


class SlowClients(ServerTest):
    options = ("--timeout", "1")

    def assert_cut(self, s, within=5):
        """The server closes the connection."""
        start = time.monotonic()
        s.settimeout(within)
        try:
            while s.recv(65536):
                pass
        except ConnectionResetError:
            pass
        self.assertLess(time.monotonic() - start, within)
        self.assert_alive()

    def test_head_never_ends(self):
        with self.server.connect() as s:
            s.sendall(b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\n")
            self.assert_cut(s)

    def test_nothing_is_sent(self):
        with self.server.connect() as s:
            self.assert_cut(s)

    def trickle(self, s, data):
        """Sends a byte now and then, until the server has enough of it."""
        end = time.monotonic() + 8
        try:
            while time.monotonic() < end:
                s.sendall(data)
                time.sleep(0.1)
        except OSError:
            return True
        return False

    def test_slowloris(self):
        sockets = [self.server.connect() for _ in range(50)]
        for s in sockets:
            s.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        self.assertTrue(self.trickle(sockets[0], b"X-A: b\r\n"))
        for s in sockets:
            s.close()
        self.assert_alive()

    def test_body_byte_by_byte(self):
        with self.server.connect() as s:
            s.sendall(HEAD + b"Content-Length: 1000000\r\n\r\n")
            self.assertTrue(self.trickle(s, b"x"))
        self.assert_alive()

    def test_chunks_byte_by_byte(self):
        with self.server.connect() as s:
            s.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
            self.assertTrue(self.trickle(s, b"1\r\nx\r\n"))
        self.assert_alive()

    def test_half_a_body(self):
        with self.server.connect() as s:
            s.sendall(HEAD + b"Content-Length: 1000\r\n\r\n<p>half")
            self.assert_cut(s)

    def test_answer_is_not_read(self):
        page = b"<p>" + b"Some words of a very long answer that nobody takes. " * 250_000
        with self.server.connect() as s:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            s.sendall(HEAD.replace(b"/v1/extract", b"/v1/extract?method=all") +
                      b"Content-Length: %d\r\n\r\n" % len(page) + page)
            self.assertIn("too slow", self.server.wait_line("method=all", 20))
        self.assert_alive()

    def test_idle_connections_are_counted_out(self):
        sockets = [self.server.connect() for _ in range(200)]
        self.assertTrue(wait_until(lambda: self.server.metric("winnow_connections") <= 2, 10))
        for s in sockets:
            s.close()


class BrokenClients(ServerTest):
    options = ("--max-bytes", "1M", "--timeout", "5", "--queue", "64")

    def tearDown(self):
        self.assert_alive()
        # Connections whose clients are gone, and their bodies, are given back.
        self.assertTrue(wait_until(lambda: self.server.metric("winnow_body_bytes") == 0))

    def status(self, data):
        line = self.server.raw(data).split(b"\r\n")[0]
        return int(line.split()[1]) if line else None

    def test_wrong_lengths(self):
        for length in (b"-1", b"abc", b"1e3", b"99999999999999999999", b"0x10", b"1, 2", b"+5", b""):
            with self.subTest(length):
                status = self.status(HEAD + b"Content-Length: " + length + b"\r\n\r\n<p>x")
                self.assertIn(status, (400, 413, None))

    def test_two_lengths(self):
        for second in (b"Content-Length: 1\r\n", b"Transfer-Encoding: chunked\r\n"):
            status = self.status(HEAD + b"Content-Length: 4\r\n" + second + b"\r\n<p>x\r\n0\r\n\r\n")
            self.assertIn(status, (200, 400, 415, None))

    def test_body_without_a_certain_end(self):
        """What a proxy may take for a body is not read as the next request."""
        hidden = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
        both, short = b"Transfer-Encoding: chunked\r\nContent-Length: %d\r\n", b"Content-Length: 0\r\n"
        for lengths, body in ((both % (5 + len(hidden)), b"0\r\n\r\n"), (short + b"Content-Length: %d\r\n" % len(hidden), b""),
                              (b"Transfer-Encoding: chunked, identity\r\n", b"0\r\n\r\n"),
                              (b"Transfer-Encoding: identity\r\n" + short, b"")):
            with self.subTest(lengths), self.server.connect(5) as s:
                s.sendall(HEAD + lengths + b"\r\n" + body + hidden)
                answers = b""
                try:
                    while part := s.recv(65536):
                        answers += part
                except ConnectionResetError:
                    pass
                self.assertEqual(answers.count(b"HTTP/1.1 "), 1, answers)
                self.assertTrue(answers.startswith(b"HTTP/1.1 400"), answers)

    def test_body_that_is_longer_than_said(self):
        answer = self.server.raw(HEAD + b"Content-Length: 4\r\n\r\n<p>x and more of it that nobody asked for\r\n\r\n")
        self.assertTrue(answer.startswith(b"HTTP/1.1 200"))

    def test_too_large(self):
        for more in (1, 500_000):  # the client gets its answer, although it sends all of it first
            self.assertEqual(self.server.post("/v1/extract", b"<p>" + b"x" * ((1 << 20) + more)).status, 413)
        self.assertEqual(self.status(HEAD + b"Content-Length: 1000000000000\r\n\r\n"), 413)

    def test_chunked(self):
        chunks = b"".join(b"%x\r\n%s\r\n" % (len(ARTICLE[i:i + 7]), ARTICLE[i:i + 7]) for i in range(0, len(ARTICLE), 7))
        self.assertEqual(self.status(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\n\r\n"), 200)

    def test_chunked_without_end(self):
        with self.server.connect() as s:
            s.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
            sent = 0
            try:
                while sent < 50 << 20:
                    s.sendall(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")
                    sent += 0x10000
            except OSError:
                pass
            self.assertLess(sent, 20 << 20)

    def test_broken_chunks(self):
        for chunks in (b"zz\r\n", b"ffffffffffffffffff\r\nx", b"-1\r\n\r\n", b"5\r\nab\r\n0\r\n\r\n", b"5;" + b"x" * 100000):
            with self.subTest(chunks[:20]):
                status = self.status(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + chunks)
                self.assertIn(status, (400, 413, 431, 500, None))

    def test_compressed_bomb(self):
        bomb = gzip.compress(b"<p>" + b"\0" * (200 << 20), 9)
        self.assertLess(len(bomb), 1 << 20)
        before = self.server.memory()
        answer = self.server.post("/v1/extract", bomb, **{"Content-Encoding": "gzip"})
        self.assertEqual(answer.status, 413)
        if not serving.is_sanitized():
            self.assertLess(self.server.memory() - before, 64 << 20)

    def test_header_floods(self):
        flood = b"GET /health HTTP/1.1\r\nHost: localhost\r\n" + b"".join(b"X-%d: %s\r\n" % (i, b"y" * 500) for i in range(2000))
        self.assertIn(self.status(flood + b"\r\n"), (400, 413, 431, 500, None))
        self.assertIn(self.status(b"GET /" + b"a" * 200000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"), (400, 414, 431, None))
        self.assertIn(self.status(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 200000 + b"\r\n\r\n"), (400, 413, 431, None))
        many = "&".join(f"a{i}=1" for i in range(5000))
        status = self.status(b"POST /v1/extract?%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n" % many.encode())
        self.assertIn(status, (400, 413, 414, 431, None))

    def test_not_http(self):
        for data in (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + os.urandom(500), b"\r\n" * 5000, b"\0" * 5000,
                     b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", os.urandom(5000)):
            with self.subTest(data[:12]):
                with self.server.connect(3) as s:
                    try:
                        s.sendall(data)
                        s.shutdown(socket.SHUT_WR)
                        serving.read_answer(s)
                    except OSError:
                        pass

    def reset(self, s):
        """Closes with a reset in place of a proper end."""
        s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        s.close()

    def test_resets(self):
        request = HEAD + b"Content-Length: %d\r\n\r\n" % len(BIG_PAGE) + BIG_PAGE
        for cut in (10, len(HEAD) + 5, len(HEAD) + 60000, len(request)):
            for _ in range(20):
                s = self.server.connect()
                s.sendall(request[:cut])
                self.reset(s)

    def test_resets_in_mid_answer(self):
        page = b"<p>" + b"A long answer of many words. " * 30000
        for _ in range(10):
            s = self.server.connect()
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            s.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % len(page) + page)
            s.recv(1000)
            self.reset(s)


class FullQueues(serving.unittest.TestCase):
    def flood(self, server, count=24, page=DEEP_PAGE):
        answers = []

        def ask():
            answers.append(server.post("/v1/extract?method=all", page))

        threads = [threading.Thread(target=ask) for _ in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return answers

    def check(self, server, status):
        answers = self.flood(server)
        statuses = {answer.status for answer in answers}
        self.assertLessEqual({200, status}, statuses)
        self.assertLessEqual(statuses, {200, 503, status})  # a slow machine lets some wait too long
        for answer in answers:
            if answer.status != 200:
                self.assertGreater(int(answer.headers["Retry-After"]), 0)
        self.assertEqual(server.post("/v1/extract", ARTICLE).status, 200)
        self.assertTrue(wait_until(lambda: server.metric("winnow_queue") == 0))
        self.assertEqual(server.stop(), 0)

    def test_queue(self):
        self.check(Server("--workers", "1", "--queue", "2"), 503)

    def test_client(self):
        self.check(Server("--workers", "1", "--per-client", "3"), 429)

    def test_bodies(self):
        self.check(Server("--workers", "1", "--max-waiting", "8M"), 503)

    def test_hostile_page_is_cut_short(self):
        server = Server("--max-time", "0.05", "--max-memory", "32M")
        answer = server.post("/v1/extract?format=json", DEEP_PAGE)
        self.assertIn(answer.status, (200, 422))
        if answer.status == 200:
            self.assertEqual(answer.json()["status"], "partial")
        self.assertEqual(server.stop(), 0)


class Stopping(serving.unittest.TestCase):
    def test_stop_under_load(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            server = Server("--workers", "2")
            results = []
            stop = threading.Event()

            def ask():
                while not stop.is_set():
                    try:
                        results.append(server.post("/v1/extract?method=all", BIG_PAGE).status)
                    except OSError:
                        results.append("refused")
                        return

            threads = [threading.Thread(target=ask) for _ in range(8)]
            for thread in threads:
                thread.start()
            time.sleep(0.5)
            start = time.monotonic()
            code = server.stop(number)
            stop.set()
            for thread in threads:
                thread.join()
            self.assertEqual(code, 0)
            self.assertLess(time.monotonic() - start, 10)
            self.assertGreater(results.count(200), 8)
            self.assertLessEqual(set(results), {200, 503, "refused"})

    def test_what_was_begun_is_finished(self):
        server = Server("--workers", "1")
        results = []
        thread = threading.Thread(target=lambda: results.append(server.post("/v1/extract?method=all", DEEP_PAGE).status))
        thread.start()
        self.assertTrue(wait_until(lambda: server.metric("winnow_working") == 1 or results))
        self.assertEqual(server.stop(), 0)
        thread.join()
        self.assertEqual(results, [200])

    def test_client_that_never_ends_does_not_hold_it(self):
        server = Server("--stop-timeout", "1")
        with server.connect() as s:
            s.sendall(HEAD + b"Content-Length: 1000\r\n\r\n<p>")
            time.sleep(0.2)
            start = time.monotonic()
            self.assertEqual(server.stop(), 0)
            self.assertLess(time.monotonic() - start, 8)


class System(serving.unittest.TestCase):
    def test_any_bytes_as_a_method(self):
        """No client writes control characters to the log, which may be a terminal."""
        server = Server()
        server.raw(b"G\x1b[31mT /version HTTP/1.1\r\nHost: localhost\r\n\r\n")
        line = server.wait_line("/version")
        self.assertEqual(server.stop(), 0)
        self.assertIn("G\\x1b[31mT /version", line)

    def test_full_disk_for_the_log(self):
        server = Server("--log", "/dev/full")
        for _ in range(5):
            self.assertEqual(server.post("/v1/extract", ARTICLE).status, 200)
        self.assertGreaterEqual(server.metric("winnow_log_lines_lost_total"), 5)
        self.assertEqual(server.stop(), 0)

    def test_log_that_was_moved(self):
        path = temporary_folder(self) / "log"
        server = Server("--log", str(path))
        server.get("/health")
        os.rename(path, f"{path}.1")
        server.process.send_signal(signal.SIGHUP)
        self.assertTrue(wait_until(path.exists))
        server.get("/ready")
        self.assertTrue(wait_until(lambda: "/ready" in path.read_text()))
        self.assertEqual(server.stop(), 0)

    def test_few_descriptors(self):
        limit = 200
        server = Server(prefix=["sh", "-c", f'ulimit -n {limit}; exec "$@"', "sh"])
        sockets = []
        for _ in range(limit * 2):
            s = socket.socket()
            s.settimeout(2)
            try:
                s.connect(("127.0.0.1", server.port))
            except OSError:
                break
            sockets.append(s)
        for s in sockets:
            s.close()
        self.assertTrue(wait_until(lambda: server.post("/v1/extract", ARTICLE).status == 200))
        self.assertEqual(server.stop(), 0)

    def test_memory_stays(self):
        server = Server("--workers", "2")
        for _ in range(10):
            server.post("/v1/extract?method=all", DEEP_PAGE)
        before = server.memory()
        for _ in range(60):
            server.post("/v1/extract?method=all", DEEP_PAGE)
        if not serving.is_sanitized():
            self.assertLess(server.memory(), before * 1.3 + (16 << 20))
        self.assertEqual(server.stop(), 0)


if __name__ == "__main__":
    serving.main()
