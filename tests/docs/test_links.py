#!/usr/bin/env python3
"""Links in the documentation lead somewhere: files, headings, pages of the site.

Checked without a network, in all Markdown files of the repository: links to files and to headings (by the anchors
that repository web sites make), images, and mentions of docs/NAME.md in any text file. Every page in docs/ is in the
table of contents of docs/index.md and in that of mkdocs.yml.
"""

import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FENCED = re.compile(r"^(```|~~~).*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"``.*?``|`[^`\n]*`")
LINK = re.compile(r"\]\(([^)\s]+)(?: \"[^\"]*\")?\)")
HEADING = re.compile(r"^#{1,6} +(.*?) *#*$", re.MULTILINE)
MENTION = re.compile(r"\bdocs/[\w/-]+\.md\b")
# Pages that tools/docs_hooks.py makes are in the navigation and not in docs/.
GENERATED = re.compile(r"^(api|design)/|^(contributing|security|changelog)\.md$")


def tracked(root):
    names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root, check=True,
                           stdout=subprocess.PIPE, text=True).stdout
    return [name for name in names.split("\0") if name and (root / name).is_file()]


def anchors_of(text):
    """The anchors of a page's headings: lower case, without punctuation, spaces as hyphens, repeats numbered."""
    found = set()
    for heading in HEADING.findall(FENCED.sub("", text)):
        heading = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
        anchor, number = slug, 0
        while anchor in found:
            number += 1
            anchor = f"{slug}-{number}"
        found.add(anchor)
    return found


def broken_links(root, name):
    """Sentences about the links of one Markdown file that lead nowhere."""
    text = (root / name).read_text(encoding="utf-8")
    for target in LINK.findall(CODE.sub("", FENCED.sub("", text))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (root / name).parent / path if path else root / name
        if not file.exists():
            yield f"{name}: {target}: there is no such file"
        elif anchor and file.suffix == ".md" and anchor not in anchors_of(file.read_text(encoding="utf-8")):
            yield f"{name}: {target}: there is no such heading"


def page_links(text):
    return {target.partition("#")[0] for target in LINK.findall(text) if ".md" in target}


class Links(unittest.TestCase):
    def test_links_lead_somewhere(self):
        pages = [name for name in tracked(ROOT) if name.endswith(".md")]
        self.assertGreater(len(pages), 30)
        self.assertEqual([line for name in pages for line in broken_links(ROOT, name)], [])

    def test_mentioned_pages_exist(self):
        missing = []
        # A page that a target of the Makefile writes may not have been written yet.
        written = set(re.findall(r"## Write (docs/\S+\.md)", (ROOT / "Makefile").read_text(encoding="utf-8")))
        for name in tracked(ROOT):
            if re.match(r"(fuzz/corpus|tests/pages|tests/docs|web/samples)/", name):
                continue
            try:
                text = (ROOT / name).read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue
            missing += [f"{name}: {page}" for page in MENTION.findall(text)
                        if page not in written and not (ROOT / page).exists()]
        self.assertEqual(missing, [])

    def test_every_page_is_in_the_index_and_in_the_site(self):
        pages = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")}
        index = page_links((ROOT / "docs/index.md").read_text(encoding="utf-8"))
        self.assertEqual(sorted(pages - index - {"index.md"}), [], "not in docs/index.md")
        config = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
        nav = set(re.findall(r"(\S+\.md)$", config[config.index("\nnav:"):], re.MULTILINE))
        self.assertEqual(sorted(pages - nav), [], "not in the nav of mkdocs.yml")
        self.assertEqual(sorted(name for name in nav - pages if not GENERATED.match(name)), [], "in mkdocs.yml only")


class TheCheckItself(unittest.TestCase):
    """It finds what is broken."""

    def broken(self, text):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "other.md").write_text("# Two words, `code`!\n\n## Same\n\n## Same\n")
            (Path(folder) / "page.md").write_text(text)
            return list(broken_links(Path(folder), "page.md"))

    def test_it_finds_broken_links(self):
        for text in ("[a](gone.md)", "![a](gone.svg)", "[a](other.md#gone)", "[a](#gone)", "[a](gone/)",
                     "[a](other.md#same-2)"):
            self.assertEqual(len(self.broken(text)), 1, text)

    def test_it_takes_good_links(self):
        for text in ("[a](other.md)", "[a](other.md#two-words-code)", "[a](other.md#same-1)", "# Here\n[a](#here)",
                     "[a](https://example.org/gone.md)", "```\n[a](gone.md)\n```", "`[a](gone.md)`"):
            self.assertEqual(self.broken(text), [], text)


if __name__ == "__main__":
    unittest.main()
