"""What mkdocs needs to know about this repository; mkdocs.yml names this file.

The pages in docs/ are also read on the web site of a repository, where links may lead to any file of it:
`../src/visual/rules.c`. The site has such files, too. This module

- adds README-like files from outside docs/ as pages (PAGES),
- writes the API reference from the headers, and the reference of commands from the help of build/winnow,
- adds a page with the source for every other file that a page links to,
- and rewrites the links accordingly.

mkdocs itself then checks every link and anchor: mkdocs.yml makes a wrong one an error.
"""

import posixpath
import re
import subprocess
import sys
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import gen_api  # noqa: E402

# Files outside docs/ that are pages of the site.
PAGES = {
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
    "src/README.md": "design/library.md",
    "app/README.md": "design/program.md",
    "tests/README.md": "design/tests.md",
    "bench/README.md": "design/benchmarks.md",
    "bench/peers/README.md": "design/peers.md",
    "README.md": "index.md",
    "LICENSE": "source/LICENSE.md",
}
HEADERS = {"include/winnow.h": "api/winnow.md", "include/winnow-io.h": "api/winnow-io.md"}
LANGUAGES = {".c": "c", ".h": "c", ".py": "python", ".js": "js", ".mjs": "js", ".txt": "text", ".json": "json",
             ".sh": "sh", ".1": "text"}

LINK = re.compile(r"(!?\[[^\]]*\]\()([^)\s]+)(\))")
FENCE = re.compile(r"(^```.*?^```[ \t]*$)", re.MULTILINE | re.DOTALL)


def on_files(files, config):
    texts = {f"docs/{file.src_uri}": file.content_string for file in files.documentation_pages()}
    for path, uri in PAGES.items():
        if uri != "index.md" and path != "LICENSE":
            texts[path] = (ROOT / path).read_text(encoding="utf-8")
            files.append(File.generated(config, uri, content=texts[path]))
    for path, uri in HEADERS.items():
        title = f"# {Path(path).name}\n\n"
        files.append(File.generated(config, uri, content=title + gen_api.reference((ROOT / path).read_text("utf-8"))))
    for path in sorted({target for page, text in texts.items() for target in targets(page, text)}):
        if site_uri(path).startswith("source/"):
            files.append(File.generated(config, site_uri(path), content=source_page(path)))
    return files


def on_page_markdown(markdown, page, config, files):
    uri = page.file.src_uri
    repo_path = next((path for path, u in PAGES.items() if u == uri and u != "index.md"), f"docs/{uri}")
    if uri == "commands.md":
        markdown += help_of_commands()
    if uri.startswith(("api/", "source/")):
        return markdown

    def rewrite(match):
        path, _, anchor = match[2].partition("#")
        if "://" in path or not path or path.startswith("mailto:"):
            return match[0]
        target = posixpath.normpath(posixpath.join(posixpath.dirname(repo_path), path))
        link = posixpath.relpath(site_uri(target), posixpath.dirname(uri) or ".")
        return match[1] + link + ("#" + anchor if anchor else "") + match[3]

    return "".join(part if part.startswith("```") else LINK.sub(rewrite, part) for part in FENCE.split(markdown))


def targets(page, text):
    """The files of the repository that a page links to."""
    for part in FENCE.split(text):
        for match in LINK.finditer("" if part.startswith("```") else part):
            path = match[2].partition("#")[0]
            if path and "://" not in path:
                yield posixpath.normpath(posixpath.join(posixpath.dirname(page), path))


def site_uri(path):
    """Where a file of the repository is in the site."""
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    known = {**PAGES, **HEADERS}
    return known.get(path, f"source/{path}.md")


def source_page(path):
    file = ROOT / path
    if file.is_dir():
        names = subprocess.run(["git", "ls-files", path], cwd=ROOT, capture_output=True, text=True).stdout.split("\n")
        listing = "\n".join(f"- `{name}`" for name in names if name)
        return f"# {path}\n\nIn the repository:\n\n{listing}\n"
    text = file.read_text(encoding="utf-8", errors="replace")
    return f"# {path}\n\n~~~~~~~~ {LANGUAGES.get(file.suffix, 'text')}\n{text}\n~~~~~~~~\n"


def help_of_commands():
    """The help texts of all commands, as the program prints them."""
    program = ROOT / "build/winnow"
    if not program.exists():
        raise SystemExit("docs: build/winnow is missing; run `make docs`, or `make` first")

    def ask(*words):
        return subprocess.run([program, "help", *words], capture_output=True, text=True, check=True).stdout

    def commands_in(text):
        part = re.search(r"^Commands:\n((?:  .*\n|\n)+)", text, re.MULTILINE)
        return re.findall(r"^  ([a-z]+) ", part[1], re.MULTILINE) if part else []

    out = []
    for name in commands_in(ask()):
        if name == "help":
            continue
        text = ask(name)
        out.append(f"\n## winnow {name}\n\n```text\n{text}```\n")
        for inner in commands_in(text):
            out.append(f"\n### winnow {name} {inner}\n\n```text\n{ask(name, inner)}```\n")
    return "".join(out)
