#!/usr/bin/env python3
"""How much of a page's structure survives in the Markdown of winnow and of other extractors.

    tools/compare_structure.py [--winnow build/winnow] [--keep] [--show TOOL:KIND] [--write docs/structure.md] WCXB STRUCTURE

Two sets apart: 60 pages of wcxb-dev, those first by the SHA-1 of their id that have code, a table with a header, or raised or
lowered text; and all pages of `structure`. Every tool runs with its settings for Markdown with links, images and emphasis.

The page is read by lxml, the Markdown by cmark-gfm, and both give lists of code, cells, headings and so on. What is counted
for a tool is what it kept: an element of the page counts if the text of the block around it is in the tool's text.

    recall      of the page's elements in the text that the tool kept, how many its Markdown has
    precision   of the elements in the tool's Markdown, how many the page has

An element is what it is and its letters and digits; of a cell also its column, of a link and an image its address, of code its
lines. Needs lxml, trafilatura (PyPI), defuddle, @mozilla/readability, turndown (npm) and cmark-gfm.
"""

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import unicodedata
import urllib.parse
from collections import Counter
from pathlib import Path

import lxml.html

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/formats"))
import markdown_tree  # noqa: E402

WORK = ROOT / "build/compare-structure"
NODE = ROOT / "build/peers/node"
NPM = ["defuddle", "@mozilla/readability", "linkedom@0.18.12", "turndown", "turndown-plugin-gfm"]
TOOLS = ("winnow", "trafilatura", "defuddle", "Readability")
KINDS = ("code", "language", "cells", "headings", "items", "links", "images", "bold", "italic", "sub and sup")
SAMPLE = 60
SHORT = 24  # letters; a shorter block may be found in the text by chance

# ---- Elements of a tree --------------------------------------------------------------------

BLOCKS = {"p", "li", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6", "dt", "dd", "pre", "blockquote", "figcaption", "caption", "div",
          "section", "article", "summary", "body", "main", "address", "center", "form", "fieldset", "details", "aside", "header", "footer"}
SKIPPED = {"script", "style", "template", "noscript", "head", "svg", "math", "select", "textarea", "nav", "iframe", "title"}
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
EMPHASIS = {"b": "bold", "strong": "bold", "i": "italic", "em": "italic"}
CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?([\w-]+)""", re.I)
FORMULA = re.compile(r"\b(katex|MathJax|mjx|mwe-math|math|arithmatex|MathJax_Preview)")
GUTTER = re.compile(r"\b(gutter|lineno|linenos|line-numbers?|lnt|blob-num|hljs-ln-n|copy|clipboard)", re.I)
LANGUAGE = re.compile(r"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|sourceCode |brush: ?)([\w+#.-]+)")
NOT_A_LANGUAGE = {"text", "plaintext", "plain", "none", "default", "nohighlight", "txt", "notranslate", "console", "output"}


def letters(text):
    """What two texts have in common if only marks and spaces differ."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).lower() if c.isalnum())


def name_of(element):
    return element.tag if isinstance(element.tag, str) else ""


def class_of(element):
    return " ".join((element.get("class") or "").split())


def is_unread(element):
    """Not text, whoever looks."""
    return name_of(element) in SKIPPED or bool(FORMULA.search(class_of(element)))


def is_hidden(element):
    style = (element.get("style") or "").replace(" ", "")
    return is_unread(element) or element.get("hidden") is not None or "display:none" in style or element.get("aria-hidden") == "true"


def text_of(element, leave_out=()):
    """The text, without that of lists in items and of what only decorates."""
    if not name_of(element) or is_unread(element):
        return ""
    parts = [element.text or ""]
    for child in element:
        if name_of(child) not in leave_out:
            parts.append("\n" if name_of(child) == "br" else text_of(child, leave_out))
        parts.append(child.tail or "")
    return "".join(parts)


def code_text(element):
    if not name_of(element) or GUTTER.search(class_of(element)) or is_unread(element):
        return ""
    inner = [element.text or ""]
    for child in element:
        part = code_text(child)
        starts_line = name_of(child) in ("br", "div", "li", "tr") or "display:block" in (child.get("style") or "").replace(" ", "")
        inner += ["\n" if starts_line and part and not "".join(inner).endswith("\n") else "", "\n" if name_of(child) == "br" else part]
        inner.append("\n" if starts_line and not part.endswith("\n") and name_of(child) != "br" else "")
        inner.append(child.tail or "")
    return "".join(inner)


def code_key(text):
    return "\n".join(line.rstrip() for line in text.replace("\u00a0", " ").split("\n") if line.strip())


class Page:
    """The elements of a tree: a list of (kind, key, context), the context being the letters of the block around.

    The context of short blocks goes on with the next one, so that a word of a menu is not found anywhere in the text. What is
    hidden (tabs, folded answers) may be content: it has no context, so that it counts for precision only."""

    def __init__(self, root, base):
        self.base, self.found, self.order, self.places = base, [], [], []
        self.parents = {child: parent for parent in root.iter() for child in parent}
        self.contexts = {}
        waiting = [(root, False)]
        while waiting:
            element, self.hidden = waiting.pop()
            if name_of(element) and not is_unread(element):
                self.hidden |= is_hidden(element)
                self.read(element)
                waiting += [(child, self.hidden) for child in reversed(element)]
        self.go_on()
        self.frame_images()

    def around(self, element):
        while element is not None:
            yield element
            element = self.parents.get(element)

    def block_of(self, element):
        return next((e for e in self.around(element) if name_of(e) in BLOCKS), None)

    def context_of(self, element):
        block = self.block_of(element)
        if block not in self.contexts:
            self.contexts[block] = letters(text_of(block, ("ul", "ol", "table"))) if block is not None else ""
        return self.contexts[block]

    def put(self, kind, key, context):
        self.found.append((kind, key, "" if self.hidden else context))
        self.places.append(len(self.order))

    def add(self, kind, key, element):
        self.put(kind, key, self.context_of(element))

    def go_on(self):
        """Adds the beginning of the next block to short contexts."""
        for i, ((kind, key, context), place) in enumerate(zip(self.found, self.places)):
            if context and len(context) < SHORT and kind != "images":
                following = next((v for w, v in self.order[place:place + 12] if w == "text" and v and v != context), "")
                self.found[i] = (kind, key, context + following[:SHORT] if following else "")

    def read(self, element):
        name = name_of(element)
        reader = {"pre": self.read_code, "table": self.read_table, "li": self.read_item, "a": self.read_link, "img": self.read_image,
                  "sub": self.read_script, "sup": self.read_script}.get(name)
        if name in HEADINGS:
            reader = self.read_heading
        elif name in EMPHASIS:
            reader = self.read_emphasis
        if reader:
            reader(element)
        if name in ("dt", "summary") and letters(text_of(element)):  # Markdown has bold for them
            self.put("bold", letters(text_of(element)), "")
        if name in BLOCKS and (element.text or "").strip() and not self.hidden:
            self.order.append(("text", self.context_of(element)))

    def inside(self, element, names):
        return any(name_of(e) in names for e in self.around(self.parents.get(element)))

    def read_code(self, pre):
        key = code_key(code_text(pre))
        if not letters(key) or self.inside(pre, {"pre"}):
            return
        self.put("code", key, letters(key))
        language = self.language_of(pre)
        if language:
            self.put("language", (letters(key), language), letters(key))

    def language_of(self, pre):
        code = next((e for e in pre.iter("code")), None)
        near = [code, pre, self.parents.get(pre), self.parents.get(self.parents.get(pre))]
        for element in (e for e in near if e is not None):
            for name in ("data-lang", "data-language"):
                if element.get(name):
                    return self.known_language(element.get(name))
            found = LANGUAGE.search(class_of(element))
            if found:
                return self.known_language(found.group(1))
        return ""

    @staticmethod
    def known_language(name):
        return "" if name.lower() in NOT_A_LANGUAGE else name.lower()

    def read_table(self, table):
        rows = [row for row in table.iter("tr") if next(e for e in self.around(row) if name_of(e) == "table") is table]
        cells = [[c for c in row if name_of(c) in ("td", "th")] for row in rows]
        is_data = len(rows) > 1 and max(map(len, cells)) > 1 and next(table.iterfind(".//table"), None) is None and \
            next(table.iterfind(".//pre"), None) is None and table.get("role") not in ("presentation", "none")
        taken = {}
        for y, row in enumerate(cells if is_data else []):
            x = 0
            for cell in row:
                while taken.get((y, x)):
                    x += 1
                width, height = (min(int(n), 50) if (n or "").isdigit() and int(n) > 0 else 1
                                 for n in (cell.get("colspan"), cell.get("rowspan")))
                for dy in range(height):
                    for dx in range(width):
                        taken[y + dy, x + dx] = True
                key = letters(text_of(cell))
                if key:
                    self.put("cells", (x, key), key)
                x += width

    def read_item(self, item):
        key = letters(text_of(item, ("ul", "ol", "table")))
        if key and self.inside(item, {"ul", "ol"}) and not self.inside(item, {"pre"}):
            self.put("items", key, key)

    def read_heading(self, heading):
        key = letters(text_of(heading))
        if key:
            self.put("headings", key, key)

    def read_emphasis(self, element):
        kind, key = EMPHASIS[name_of(element)], letters(text_of(element))
        same = {tag for tag, name in EMPHASIS.items() if name == kind}
        if key and not self.inside(element, same | HEADINGS | {"pre", "th", "dt", "summary"}):
            self.add(kind, key, element)

    def read_script(self, element):
        key = letters(text_of(element))
        if key and not self.inside(element, {"sub", "sup", "pre", "a"}) and next(element.iter("a"), None) is None:
            self.add("sub and sup", (name_of(element), key), element)

    def address(self, href):
        try:
            joined = urllib.parse.urljoin(self.base, (href or "").strip())
            return urllib.parse.unquote(urllib.parse.urldefrag(joined)[0]).rstrip("/")
        except ValueError:
            return ""

    def read_link(self, link):
        href, key = (link.get("href") or "").strip(), letters(text_of(link))
        if key and href and not href.startswith(("#", "javascript:", "mailto:", "tel:")) and not self.inside(link, {"pre"}):
            if "#" not in href or self.address(href) != self.address(self.base):
                self.add("links", (key, self.address(href)), link)

    def read_image(self, image):
        sets = ",".join(image.get(n) or "" for n in ("srcset", "data-srcset", "data-lazy-srcset"))
        picture = self.parents.get(image)
        if name_of(picture) == "picture":
            sets += "," + ",".join(source.get("srcset") or "" for source in picture.iter("source"))
        ways = [image.get(n) for n in ("src", "data-src", "data-lazy-src", "data-original")] + \
               [part.split()[0] for part in re.split(r",\s+|,(?=https?:|/)", sets) if part.strip(" ,\n")]
        addresses = {self.address(way) for way in ways if way and not way.startswith("data:")}
        small = any((image.get(n) or "").rstrip("px").isdigit() and int(image.get(n).rstrip("px")) < 48 for n in ("width", "height"))
        decoration = re.search(r"\b(icon|avatar|emoji|logo|gravatar|smiley|math|tex|latex)", class_of(image) + " " + (image.get("src") or ""), re.I)
        if addresses and (self.hidden or small or decoration):
            self.put("images", frozenset(addresses), "")
        elif addresses:
            self.order.append(("image", addresses))

    def frame_images(self):
        """An image counts as kept if the texts before and after it are."""
        before, waiting = "", []
        for what, value in self.order + [("text", " ")]:
            if what == "image":
                waiting.append((frozenset(value), before))
            elif value:
                self.found += [("images", addresses, (text, value)) for addresses, text in waiting]
                before, waiting = value, []


# ---- One page ------------------------------------------------------------------------------


def tree_of(data):
    return lxml.html.document_fromstring(data, parser=lxml.html.HTMLParser(encoding="utf-8"))


def render(markdown):
    """The Markdown as a tree; formulas are hidden from cmark, as their readers do."""
    made = subprocess.run(["cmark-gfm", "--unsafe", "-e", "footnotes", "-e", "table", "-e", "strikethrough", "-e", "tasklist", "-t", "html"],
                          input=markdown_tree.hide_formulas(markdown).encode(), stdout=subprocess.PIPE, check=True).stdout
    return tree_of(b"<!doctype html><meta charset=utf-8><body>" + made)


def is_kept(context, text):
    if isinstance(context, tuple):
        return all(part.strip() and part in text for part in context)
    return bool(context) and context in text


def match_images(theirs, page):
    """Images of the page in any of their sizes, each once."""
    left, found = list(theirs), 0
    for addresses in page:
        hit = next((a for a in left if a & addresses), None)
        if hit is not None:
            left.remove(hit)
            found += 1
    return found


def count_page(page, markdown, base, show):
    """{kind: [kept, found, written, right]} of one page."""
    root = render(markdown)
    theirs = Page(root, base)
    text = letters(text_of(root))
    counts = {}
    for kind in KINDS:
        kept = Counter(key for k, key, context in page.found if k == kind and is_kept(context, text))
        here = Counter(key for k, key, _ in page.found if k == kind)
        made = Counter(key for k, key, _ in theirs.found if k == kind)
        if kind == "images":
            counts[kind] = [kept.total(), match_images(made.elements(), kept.elements()), made.total(),
                            match_images(made.elements(), here.elements())]
        else:
            counts[kind] = [kept.total(), (kept & made).total(), made.total(), (here & made).total()]
        if show == kind:
            for sign, part in (("-", kept - made), ("+", made - here)):
                for key in part:
                    print(f"  {sign} {str(key)[:150]}")
    return counts


# ---- Tools ---------------------------------------------------------------------------------


def pages_of(folder):
    return [json.loads(line) for line in open(folder / "pages.jsonl", encoding="utf-8") if line.strip()]


def has_structure(data):
    return any(re.search(pattern, data, re.I) for pattern in (rb"<pre[\s>]", rb"<th[\s>]", rb"<su[bp][\s>]"))


def choose(folder):
    """The pages by the rule above."""
    ranked = sorted(pages_of(folder), key=lambda page: hashlib.sha1(str(page["id"]).encode()).hexdigest())
    return [page for page in ranked if has_structure((folder / f"html/{page['id']}.html").read_bytes())][:SAMPLE]


def prepare(name, pages, folder):
    """A set of these pages in UTF-8, as all tools read it."""
    made = WORK / name
    shutil.rmtree(made / "html", ignore_errors=True)
    (made / "html").mkdir(parents=True)
    for page in pages:
        data = (folder / f"html/{page['id']}.html").read_bytes()
        found = CHARSET.search(data[:4096])
        try:
            text = data.decode(found.group(1).decode() if found else "utf-8", errors="replace")
        except LookupError:
            text = data.decode("utf-8", errors="replace")
        (made / f"html/{page['id']}.html").write_bytes(b"\xef\xbb\xbf" + text.lstrip("\ufeff").encode("utf-8", "replace"))
        page["url"] = page.get("url") or "https://example.org/page.html"
    (made / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages), encoding="utf-8")
    return made


def run_winnow(data, out, winnow):
    out.mkdir(parents=True, exist_ok=True)
    for page in pages_of(data):
        done = subprocess.run([winnow, "extract", "-q", "-f", "md", "--links", "--formatting", "--images", "--url", page["url"],
                               data / f"html/{page['id']}.html"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        (out / f"{page['id']}.md").write_bytes(done.stdout)
    return subprocess.run([winnow, "--version"], stdout=subprocess.PIPE, text=True).stdout.split()[-1]


def run_trafilatura(data, out):
    import trafilatura
    out.mkdir(parents=True, exist_ok=True)
    for page in pages_of(data):
        made = trafilatura.extract((data / f"html/{page['id']}.html").read_bytes(), url=page["url"], output_format="markdown",
                                   include_links=True, include_images=True, include_formatting=True, include_tables=True)
        (out / f"{page['id']}.md").write_text(made or "", encoding="utf-8")
    return trafilatura.__version__


def run_npm(name, data, out):
    NODE.mkdir(parents=True, exist_ok=True)
    if not (NODE / "package.json").exists():
        (NODE / "package.json").write_text('{"private": true}')
    if not all((NODE / "node_modules" / package.split("@0")[0]).exists() for package in NPM):
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", *NPM], cwd=NODE, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    done = subprocess.run(["node", ROOT / "bench/peers/markdown.mjs", name, data.resolve(), out.resolve()], cwd=NODE, check=True,
                          stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


def run_tool(name, data, options):
    out, note = data / name, data / f"{name}.version"
    if options.keep and note.exists() and name != "winnow":
        return note.read_text().strip()
    shutil.rmtree(out, ignore_errors=True)
    version = run_winnow(data, out, options.winnow) if name == "winnow" else run_trafilatura(data, out) if name == "trafilatura" \
        else run_npm(name, data, out)
    note.write_text(version)
    return version


# ---- The tables ----------------------------------------------------------------------------


def score(data, names, show):
    """{tool: {kind: [kept, found, written, right]}} over all pages."""
    totals = {name: {kind: [0] * 4 for kind in KINDS} for name in names}
    for page in pages_of(data):
        source = Page(tree_of((data / f"html/{page['id']}.html").read_bytes()), page["url"])
        for name in names:
            shown = show[1] if show and show[0] == name else None
            if shown:
                print(page["id"])
            counts = count_page(source, (data / name / f"{page['id']}.md").read_text(encoding="utf-8"), page["url"], shown)
            for kind in KINDS:
                totals[name][kind] = [a + b for a, b in zip(totals[name][kind], counts[kind])]
    return totals


def share(part, whole):
    return part / whole if whole else float("nan")


def table(totals, what):
    whole, part = (0, 1) if what == "recall" else (2, 3)
    lines = [f"| {what} | " + " | ".join(totals) + " |", "| --- |" + " ---: |" * len(totals)]
    for kind in KINDS:
        values = [share(t[kind][part], t[kind][whole]) for t in totals.values()]
        best = max((v for v in values if v == v), default=0)
        cells = ["–" if v != v else f"**{v:.3f}**" if v >= best - .0005 else f"{v:.3f}" for v in values]
        lines.append(f"| {kind} | " + " | ".join(f"{cell} ({t[kind][whole]})" for cell, t in zip(cells, totals.values())) + " |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--winnow", default=str(ROOT / "build/winnow"))
    parser.add_argument("--keep", action="store_true", help="do not run the other tools again")
    parser.add_argument("--only", help="these tools, with commas between them")
    parser.add_argument("--show", help="TOOL:KIND: what it lost and made up, page by page")
    parser.add_argument("--write", type=Path, help="the document with the tables")
    parser.add_argument("sets", nargs=2, type=Path)
    options = parser.parse_args()
    if not markdown_tree.renderer():
        print("cmark-gfm is not installed", file=sys.stderr)
        return 77
    names = options.only.split(",") if options.only else TOOLS
    show = options.show.split(":") if options.show else None
    lines, versions = [], {}
    for folder in options.sets:
        pages = choose(folder) if folder.name == "wcxb-dev" else pages_of(folder)
        data = prepare(folder.name, pages, folder)
        versions = {name: run_tool(name, data, options) for name in names}
        totals = score(data, names, show)
        lines += ["", f"## {folder.name}, {len(pages)} pages", "", *table(totals, "recall"), "", *table(totals, "precision")]
        print(*lines[-(2 * len(KINDS) + 7):], sep="\n")
    if options.write:
        head = HEAD
        options.write.write_text(head + "\n" + ", ".join(f"{name} {version}" for name, version in versions.items()) + ".\n" +
                                 "\n".join(lines) + "\n", encoding="utf-8")
    return 0


HEAD = """# Structure beside other extractors

How much of a page's structure the Markdown of an extractor keeps, made by `make compare-structure`
([tools/compare_structure.py](../tools/compare_structure.py) has the definitions).

Each tool is judged by the text that it kept itself: an element of the page counts if the block around it is in the tool's text.
Recall is the share of these elements that the Markdown has, precision the share of the Markdown's elements that the page has. Numbers in
parentheses are elements: of the page in the kept text, or of the Markdown. Pages are read by lxml, Markdown by cmark-gfm.

The pages are, first, 60 of wcxb-dev: by the SHA-1 of their id the first that have code, a table with a header, or raised or lowered
text; second, the 153 of `structure`, from 20 site generators. Bold figures are the best of their row. Versions:
"""

if __name__ == "__main__":
    sys.exit(main())
