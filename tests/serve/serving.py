"""What the tests of `winnow serve` share: a server that runs for a test, and ways to talk to it.

Only Python's standard library; raw sockets where a client must misbehave.
"""

import functools
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "tests/pages"
ARTICLE = (PAGES / "article.html").read_bytes()
BUILD_MAY_LACK_IT = "built without its server"

# Of a build with LeakSanitizer: what fontconfig keeps until the process ends is not ours.
SANITIZER = {"LSAN_OPTIONS": f"suppressions={Path(__file__).parent / 'lsan.supp'}:print_suppressions=0"}

program = str(ROOT / "build/winnow")


def main():
    """Takes the program from the command line, as tests/run gives it."""
    global program
    if len(sys.argv) > 1 and os.access(sys.argv[1], os.X_OK):
        program = sys.argv.pop(1)
    probe = subprocess.run([program, "serve", "--bind", "nonsense"], capture_output=True, text=True)
    if BUILD_MAY_LACK_IT in probe.stderr:
        print("SKIPPED: winnow was built without libmicrohttpd")
        sys.exit(77)
    unittest.main(module="__main__")


@functools.cache
def is_sanitized():
    """A build with AddressSanitizer keeps freed memory for a while: its size says nothing."""
    return b"__asan_init" in Path(program).read_bytes()


def boxing():
    """Options for a build with LeakSanitizer, which looks at the process from another one at its end: no sandbox
    lets it."""
    return ["--no-sandbox"] if is_sanitized() else []


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def text(self):
        return self.body.decode()

    def json(self):
        return json.loads(self.body)


class Server:
    """A server on a port of its own. Its log is kept; stop() ends it and returns its exit code."""

    def __init__(self, *options, env=None, prefix=()):
        self.process = subprocess.Popen([*prefix, program, "serve", "--bind", "127.0.0.1:0", *boxing(), *options],
                                        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                        env={**os.environ, **SANITIZER, **(env or {})})
        self.lines = []
        self.port = None
        self.changed = threading.Condition()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        with self.changed:
            self.changed.wait_for(lambda: self.port or self.reader_done, timeout=30)
        if not self.port:
            raise AssertionError("the server did not start: " + "\n".join(self.lines))

    reader_done = False

    def _read(self):
        for line in self.process.stderr:
            line = line.decode("utf-8", "replace").rstrip("\n")
            with self.changed:
                self.lines.append(line)
                if found := re.search(r"serving on http://127\.0\.0\.1:(\d+)/", line):
                    self.port = int(found[1])
                self.changed.notify_all()
        with self.changed:
            self.reader_done = True
            self.changed.notify_all()

    def wait_line(self, wanted, timeout=10):
        """The first line of the log that has `wanted`."""
        with self.changed:
            self.changed.wait_for(lambda: any(wanted in line for line in self.lines), timeout=timeout)
            return next((line for line in self.lines if wanted in line), None)

    def request(self, method, path, body=None, headers=None, timeout=120):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def get(self, path, **headers):
        return self.request("GET", path, headers=headers)

    def post(self, path, body, content_type="text/html; charset=utf-8", **headers):
        return self.request("POST", path, body, {"Content-Type": content_type, **headers})

    def post_json(self, path, value, **headers):
        return self.post(path, json.dumps(value).encode(), "application/json", **headers)

    def connect(self, timeout=30):
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def raw(self, data, timeout=30):
        """Sends bytes as they are and reads until the server closes or has answered."""
        with self.connect(timeout) as s:
            s.sendall(data)
            return read_answer(s)

    def metric(self, name):
        found = re.search(rf"^{re.escape(name)} (\S+)$", self.get("/metrics").text, re.MULTILINE)
        return float(found[1]) if found else 0.0

    def memory(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) * 1024

    def stop(self, number=signal.SIGTERM, timeout=60):
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(timeout)
        self.reader.join(10)
        self.process.stderr.close()
        return code


def read_answer(s):
    """The bytes of one answer: until the connection closes, or Content-Length bytes have come."""
    data = b""
    while True:
        head, separator, body = data.partition(b"\r\n\r\n")
        found = re.search(rb"\r\nContent-Length: (\d+)", head) if separator else None
        if found and len(body) >= int(found[1]):
            return data
        try:
            part = s.recv(65536)
        except (ConnectionResetError, socket.timeout):
            return data
        if not part:
            return data
        data += part


class ServerTest(unittest.TestCase):
    """A server for all tests of a class, with `options`. At the end it must stop cleanly: under a
    sanitizer anything else is a leak or a worse finding."""

    options = ()

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*cls.options)

    @classmethod
    def tearDownClass(cls):
        code = cls.server.stop()
        log = "\n".join(cls.server.lines[-30:])
        if code != 0:
            raise AssertionError(f"the server ended with {code}:\n{log}")

    def assert_alive(self):
        answer = self.server.post("/v1/extract", ARTICLE)
        self.assertEqual(answer.status, 200)
        self.assertIn("Threshing loosens the kernels", answer.text)


def temporary_folder(test):
    folder = tempfile.TemporaryDirectory()
    test.addCleanup(folder.cleanup)
    return Path(folder.name)


def wait_until(condition, seconds=10):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return condition()
