#!/usr/bin/env python3
"""The C programs in docs/library.md are files in examples/, and all examples compile and run; so do the commands of
README.md."""

import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LIBRARY = ROOT / "build"
STRICT = ["-std=c11", "-pedantic", "-Wall", "-Wextra", "-Werror"]


def blocks(language):
    text = (ROOT / "docs/library.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


class Readme(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_example(self, source, *arguments):
        program = Path(self.folder.name) / "example"
        subprocess.run(["cc", *STRICT, f"-I{ROOT}/include", "-o", program, source, f"-L{LIBRARY}", "-lwinnow",
                        f"-Wl,-rpath,{LIBRARY}"], check=True)
        done = subprocess.run([program, *arguments], check=True, stdout=subprocess.PIPE)
        return done.stdout.decode("utf-8")

    def test_every_c_block_is_an_example(self):
        examples = {p.read_text(encoding="utf-8") for p in (ROOT / "examples").glob("*.c")}
        self.assertTrue(blocks("c"), "docs/library.md shows no C program")
        for block in blocks("c"):
            self.assertIn(block, examples, "a C block of docs/library.md is not a file in examples/")

    def test_extract(self):
        text = self.run_example(ROOT / "examples/extract.c")
        self.assertIn("throw grain into the air", text)
        self.assertNotIn("About us", text)
        self.assertNotIn("Privacy", text)

    def test_extract_prints_what_the_page_shows(self):
        text = self.run_example(ROOT / "examples/extract.c")
        self.assertIn(text.strip(), (block.strip() for block in blocks("text")))

    def test_many(self):
        page = ROOT / "tests/pages/article.html"
        text = self.run_example(ROOT / "examples/many.c", page, page)
        self.assertEqual(text.count(f"{page}: ok, "), 2)

    def test_formats(self):
        page = ROOT / "tests/pages/article.html"
        text = self.run_example(ROOT / "examples/formats.c", page, "https://example.org/a")
        plain, markdown, record = re.split("^---- .*\n", text, flags=re.MULTILINE)[1:]
        self.assertEqual(json.loads(record)["id"], str(page))
        self.assertEqual(json.loads(record)["url"], "https://example.org/a")
        self.assertEqual(json.loads(record)["text"].rstrip("\n"), plain.rstrip("\n"))
        self.assertIn("# ", markdown)

    def test_compare(self):
        page = ROOT / "tests/pages/article.html"
        text = self.run_example(ROOT / "examples/compare.c", page, "auto", "all")
        self.assertRegex(text, r"auto keeps \d+ of \d+ blocks")
        self.assertRegex(text, r"all keeps \d+ of \d+ blocks")
        self.assertIn("auto - ", text)

    def test_site(self):
        story = "<p>The mill by the river ground the flour of three villages, and its miller kept the books. Story %d."
        pages = []
        for i in range(4):
            pages.append(Path(self.folder.name) / f"{i}.html")
            pages[-1].write_text("<p>Subscribe to our letter, which comes every week." + story % i)
        text = self.run_example(ROOT / "examples/site.c", *pages)
        self.assertRegex(text, r"^4 pages, \d+ bytes: ok\n")
        self.assertIn("Story 0.", text)
        self.assertNotIn("Subscribe", text)

    def test_the_commands_of_the_readme_work(self):
        """The examples that need nothing but the program, pasted as they are; the folder has the same files."""
        folder = Path(self.folder.name)
        for name in ("tests", "web"):
            (folder / name).symlink_to(ROOT / name)
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        part = text[text.index("\n## Five examples"):text.index("\n## Features")]
        commands = [block for block in re.findall(r"^```sh\n(.*?)^```", part, re.MULTILINE | re.DOTALL)
                    if "env/bin/python" not in block]
        self.assertGreaterEqual(len(commands), 4)
        env = {**os.environ, "PATH": f"{LIBRARY}:{os.environ['PATH']}"}
        for block in commands:
            done = subprocess.run(["bash", "-eu", "-c", block], cwd=folder, env=env, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 0, block + done.stderr)
            self.assertTrue(done.stdout or "-o " in block, block + " prints nothing")


if __name__ == "__main__":
    unittest.main()
