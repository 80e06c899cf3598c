"""A headless Chromium that shows pages as a reader without JavaScript and network sees them.

    with Chromium() as browser:
        text = browser.inner_text("/path/to/page.html")

The browser is driven over two pipes with the DevTools protocol: JSON messages that end with a NUL.
Only the standard library is used.
"""

import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-extensions", "--disable-dev-shm-usage", "--mute-audio", "--hide-scrollbars",
    "--no-proxy-server", "--host-resolver-rules=MAP * ~NOTFOUND",
    "--remote-debugging-pipe",
]
PAGE_SECONDS = 20  # a page that has not loaded by then is read as it is


def find():
    """The path of the browser, None if there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path:
            return path
    return None


FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>/usr/share/fonts/truetype/liberation</dir><cachedir>{cache}</cachedir>
<include ignore_missing="yes">/etc/fonts/conf.d/30-metric-aliases.conf</include>
<alias binding="same"><family>Monospace</family><prefer><family>Liberation Mono</family></prefer></alias>
</fontconfig>"""


class Chromium:
    """`size` is the window's; with `liberation` no other fonts than fonts-liberation are there."""

    def __init__(self, size=(1280, 1024), liberation=False):
        self.size, self.liberation = size, liberation

    def environment(self):
        if not self.liberation:
            return None
        config = Path(self.profile, "fonts.conf")
        config.write_text(FONTS.format(cache=Path(self.profile, "fonts")), encoding="utf-8")
        return {**os.environ, "FONTCONFIG_FILE": str(config)}

    def __enter__(self):
        path = find()
        if not path:
            raise FileNotFoundError("chromium is not installed")
        self.profile = tempfile.mkdtemp(prefix="winnow-chromium-")
        to_browser, self.out = os.pipe()
        self.inp, from_browser = os.pipe()

        def place_pipes():  # the browser reads from 3 and writes to 4
            a, b = os.dup(to_browser), os.dup(from_browser)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [path, *FLAGS, f"--window-size={self.size[0]},{self.size[1]}",
             f"--user-data-dir={self.profile}", "about:blank"], env=self.environment(),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            close_fds=False, preexec_fn=place_pipes)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.number = 0
        self.allowed = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Emulation.setScriptExecutionDisabled", value=True)
        self.call("Fetch.enable", patterns=[{"urlPattern": "*"}])
        if self.liberation:
            # At a scale that is not 1 text has its true widths, not widths in whole pixels.
            self.call("Emulation.setDeviceMetricsOverride", width=self.size[0], height=self.size[1],
                      deviceScaleFactor=1.0001, mobile=False)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def send(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if getattr(self, "session", None):
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        return self.number

    def receive(self, seconds):
        """The next message; None when none came in time. Requests are answered on the way."""
        deadline = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.inp], [], [], left)[0]:
                return None
            chunk = os.read(self.inp, 1 << 20)
            if not chunk:
                raise EOFError("chromium has ended")
            self.buffer += chunk
        raw, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(raw)
        if message.get("method") == "Fetch.requestPaused":
            self.answer(message["params"])
        return message

    def answer(self, request):
        """Lets the page itself through and nothing else: no picture, no frame, no redirection."""
        if request["request"]["url"].split("#")[0] == self.allowed:
            self.allowed = None
            self.send("Fetch.continueRequest", requestId=request["requestId"])
        else:
            self.send("Fetch.failRequest", requestId=request["requestId"], errorReason="Aborted")

    def call(self, method, **params):
        number = self.send(method, **params)
        deadline = time.monotonic() + PAGE_SECONDS
        while time.monotonic() < deadline:
            message = self.receive(deadline - time.monotonic())
            if message and message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
        raise TimeoutError(method)

    def inner_text(self, path):
        """What document.body.innerText says of that file."""
        self.open(path)
        return self.evaluate("document.body ? document.body.innerText : ''") or ""

    def open(self, path):
        self.allowed = Path(path).resolve().as_uri()
        number = self.send("Page.navigate", url=self.allowed)
        deadline = time.monotonic() + PAGE_SECONDS
        navigated = loaded = False
        while not (navigated and loaded) and time.monotonic() < deadline:
            message = self.receive(deadline - time.monotonic()) or {}
            navigated = navigated or message.get("id") == number
            loaded = loaded or message.get("method") == "Page.loadEventFired"

    def evaluate(self, expression):
        """The value of an expression in the page that is open."""
        return self.call("Runtime.evaluate", returnByValue=True, expression=expression)["result"].get("value")
