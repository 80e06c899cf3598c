#!/usr/bin/env python3
"""winnow serve and winnow mcp with programs that others wrote: the official client of the Model Context
Protocol, a client of Apache Tika's server, a validator of OpenAPI and schemathesis, all from PyPI.

They are installed in a virtual environment below build/; without a way to PyPI the tests are skipped.

    tests/serve/test_clients.py [PROGRAM] [TEST...]
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import serving
from serving import PAGES, ROOT, ServerTest

PACKAGES = ["mcp>=2.3", "tika", "openapi-spec-validator", "schemathesis>=4"]
VENV = ROOT / "build/serve-venv"


def install():
    """The folder of the environment's programs; None if they could not be installed."""
    mark = VENV / "installed"
    wanted = "\n".join(PACKAGES)
    if not mark.exists() or mark.read_text() != wanted:
        for command in ([sys.executable, "-m", "venv", VENV], [VENV / "bin/pip", "install", "-q", *PACKAGES]):
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                print((done.stderr or done.stdout)[-500:])
                return None
        mark.write_text(wanted)
    return VENV / "bin"


def run_python(script, *arguments, env=None):
    return subprocess.run([VENV / "bin/python", "-c", script, *arguments], capture_output=True, text=True, timeout=120,
                          env={**os.environ, **(env or {})})


ASSISTANT = """
import asyncio, json, sys
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

async def main(mode, program, page, *options):
    server = StdioServerParameters(command=program, args=["mcp", "--no-fetch", *options, "--allow", page.rsplit("/", 1)[0]])
    async with Client(stdio_client(server), mode=mode) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        read = await client.call_tool("extract", {"path": page})
        refused = await client.call_tool("extract", {"path": "/etc/passwd"})
        print(json.dumps([client.protocol_version, tools, read.is_error, read.content[0].text, refused.is_error]))

asyncio.run(main(*sys.argv[1:]))
"""

TIKA = """
import json, sys
from tika import parser
page, server = sys.argv[1:]
both = parser.from_file(page, serverEndpoint=server)
text = parser.from_file(page, serverEndpoint=server, service="text")
meta = parser.from_file(page, serverEndpoint=server, service="meta")
memory = parser.from_buffer(open(page).read(), serverEndpoint=server)
print(json.dumps([both["status"], both["metadata"]["dc:creator"], both["content"], text["content"],
                  meta["metadata"]["dc:title"], memory["content"]]))
"""


class McpClient(unittest.TestCase):
    def test_both_eras(self):
        for mode, version in (("legacy", "2025-11-25"), ("auto", "2026-07-28"), ("2026-07-28", "2026-07-28")):
            with self.subTest(mode):
                done = run_python(ASSISTANT, mode, serving.program, str(PAGES / "article.html"), *serving.boxing())
                self.assertEqual(done.returncode, 0, done.stderr)
                spoken, tools, failed, text, refused = json.loads(done.stdout)
                self.assertEqual((spoken, failed, refused), (version, False, True))
                self.assertIn("extract", tools)
                self.assertIn("Threshing loosens", text)


class TikaClient(ServerTest):
    def test_parser(self):
        done = run_python(TIKA, str(PAGES / "article.html"), f"http://127.0.0.1:{self.server.port}",
                          env={"TIKA_CLIENT_ONLY": "True"})
        self.assertEqual(done.returncode, 0, done.stderr)
        status, author, *contents = json.loads(done.stdout)
        self.assertEqual((status, author), (200, "Marta Lindqvist"))
        self.assertEqual(contents[2], "How winnowing separates grain from chaff")
        for content in (contents[0], contents[1], contents[3]):
            self.assertIn("Threshing loosens", content)


class Description(ServerTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        store = Path(cls.folder.name) / "pages.db"
        subprocess.run([serving.program, "corpus", "add", "-q", store, PAGES], capture_output=True)
        cls.options = ("--store", str(store)) if store.exists() else ()
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.folder.cleanup()

    def test_openapi_is_valid(self):
        path = Path(self.folder.name) / "openapi.json"
        path.write_bytes(self.server.get("/openapi.json").body)
        done = subprocess.run([VENV / "bin/openapi-spec-validator", path], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_option_is_described(self):
        document = self.server.get("/openapi.json").json()
        methods = self.server.get("/v1/methods").json()
        for option in methods["options"]:
            self.assertIn(option["name"], document["components"]["parameters"])
        for method in methods["methods"]:
            for parameter in method["parameters"]:
                self.assertIn(f"{method['name']}.{parameter['name']}", document["components"]["parameters"])

    def test_schemathesis(self):
        """Thousands of requests made from the description. Two checks are left out: not every text that a
        schema allows is a method or a date, and every text is a page. /v1/batch has a type that
        schemathesis cannot write; test_serve.py has its tests."""
        done = subprocess.run(
            [VENV / "bin/schemathesis", "run", f"http://127.0.0.1:{self.server.port}/openapi.json", "--seed=1",
             "--max-examples=3", "--no-color", "--exclude-path=/v1/batch",
             "--exclude-checks=positive_data_acceptance,negative_data_rejection"],
            cwd=self.folder.name, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-1000:])
        self.assert_alive()


if __name__ == "__main__":
    if not install():
        print("SKIPPED: the clients could not be installed from PyPI")
        sys.exit(77)
    serving.main()
