#!/usr/bin/env python3
"""The C programs in README.md are files in examples/, and all examples compile and run."""

import json
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LIBRARY = ROOT / "build"
STRICT = ["-std=c11", "-pedantic", "-Wall", "-Wextra", "-Werror"]


def blocks(language):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
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
        self.assertTrue(blocks("c"), "README.md shows no C program")
        for block in blocks("c"):
            self.assertIn(block, examples, "a C block of README.md is not a file in examples/")

    def test_extract(self):
        text = self.run_example(ROOT / "examples/extract.c")
        self.assertIn("throw grain into the air", text)
        self.assertNotIn("About us", text)
        self.assertNotIn("Privacy", text)

    def test_extract_prints_what_the_readme_shows(self):
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

    def test_links_lead_somewhere(self):
        for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "src/README.md"):
            text = (ROOT / name).read_text(encoding="utf-8")
            for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
                if "://" not in target:
                    self.assertTrue(((ROOT / name).parent / target).exists(), f"{name}: {target}")


if __name__ == "__main__":
    unittest.main()
