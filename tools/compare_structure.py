#!/usr/bin/env python3
"""How much of a page's structure survives in the Markdown of winnow and of other extractors.

    tools/compare_structure.py [--winnow build/winnow] [--keep] [--show TOOL:KIND] [--write docs/structure.md] WCXB STRUCTURE

Two sets apart: 60 pages of wcxb-dev, those first by the SHA-1 of their id that have code, a table with a header, or raised or
lowered text; and all pages of `structure`. Every tool runs with its settings for Markdown with links, images and emphasis.

The page is read by lxml, the Markdown by cmark-gfm, and both give lists of code, cells, headings and so on. A tool is judged by the
text that it kept: an element of the page counts if its letters, with some of those before or after it, are in the tool's text.

    recall      of the page's elements in the text that the tool kept, how many its Markdown has
    precision   of the elements in the tool's Markdown, how many the page has

An element is what it is and its letters and digits; of a cell also its column, of a link and an image its address, of code its
lines. An item is its first piece of text, a link or emphasis around several blocks is one in each. What Markdown cannot hold is not
asked for: emphasis in code, headings in header cells. Not asked for, but right: hidden text, bold in headings, small images and
icons. Not judged: the page's title as a heading, authors and terms in bold, players as links, and text from data in scripts, which
the tree does not have. The reasons are at the functions. Needs lxml, trafilatura (PyPI), defuddle, @mozilla/readability, turndown
(npm) and cmark-gfm.
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

import lxml.etree
import lxml.html

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/formats"))
import markdown_tree  # noqa: E402

WORK = ROOT / "build/compare-structure"
NODE = ROOT / "build/peers/node"
NPM = ["defuddle", "@mozilla/readability", "linkedom@0.18.12", "jsdom", "turndown", "turndown-plugin-gfm"]
TOOLS = ("winnow", "trafilatura", "defuddle", "Readability")
KINDS = ("code", "language", "cells", "headings", "items", "links", "images", "bold", "italic", "sub and sup")
SAMPLE = 60
NEAR = 24  # letters before or after an element, without which it may be found in the text by chance
SIGN, LINE = 48, 8  # pixels: smaller images are signs, thinner ones lines and spacers
LONGEST_LABEL = 100  # letters of a name or the title of a box

# ---- Elements of a tree --------------------------------------------------------------------

BLOCKS = {"p", "li", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6", "dt", "dd", "pre", "blockquote", "figcaption", "caption", "div",
          "section", "article", "summary", "body", "main", "address", "center", "form", "fieldset", "details", "aside", "header", "footer"}
LISTS = {"ul", "ol", "dl", "table", "tr", "tbody", "thead", "figure"}
SKIPPED = {"script", "style", "template", "head", "svg", "math", "select", "textarea", "nav", "iframe", "title"}
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
EMPHASIS = {"b": "bold", "strong": "bold", "i": "italic", "em": "italic"}
CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?([\w-]+)""", re.I)
FORMULA = re.compile(r"\b(katex|MathJax|mjx|mwe-math|math|arithmatex|MathJax_Preview)")
LABEL = re.compile(r"\b(author|user|poster|nickname|creator|name|rubric)|(admonition|alert|callout)-?(title|heading)", re.I)
PROFILE = re.compile(r"/(u|users?|members?|profiles?|people)/", re.I)
HIDDEN_FORMULA = re.compile("⟦[0-9a-f]*⟧")
DECORATION_CLASS = re.compile(r"\b(icon|avatar|emoji|logo|gravatar|smil|math|tex|latex)", re.I)
DECORATION_ADDRESS = re.compile(r"\b(icon|avatar|emoji|logo|gravatar|smil|ico_|latex\.php|mathtex|math/render)", re.I)
GUTTER = re.compile(r"\b(gutter|lineno|linenos|line-numbers?|lnt|blob-num|hljs-ln-n|copy|clipboard)", re.I)
LANGUAGE = re.compile(r"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|hl-|sourceCode |brush: ?)(\w[\w+#.-]*)")
NOT_A_LANGUAGE = {"text", "plaintext", "plain", "none", "default", "nohighlight", "txt", "notranslate", "console", "output", "auto",
                  "generic", "code", "unknown"}
SAME_LANGUAGES = {"py": "python", "python3": "python", "js": "javascript", "ts": "typescript", "sh": "bash", "shell": "bash",
                  "yml": "yaml", "rb": "ruby", "c++": "cpp", "c#": "csharp", "cs": "csharp", "rs": "rust", "md": "markdown"}


def letters(text):
    """What two texts have in common if only marks and spaces differ. Formulas are not read: neither those of the page (is_unread) nor
    those of the Markdown, which are hidden from cmark as ⟦hex⟧."""
    return "".join(c for c in unicodedata.normalize("NFKC", HIDDEN_FORMULA.sub("", text)).lower() if c.isalnum())


def name_of(element):
    return element.tag if element is not None and isinstance(element.tag, str) else ""


def class_of(element):
    return " ".join((element.get("class") or "").split())


def is_unread(element):
    """Not text, whoever looks."""
    return name_of(element) in SKIPPED or bool(FORMULA.search(class_of(element)))


def is_hidden(element):
    style = (element.get("style") or "").replace(" ", "")
    return is_unread(element) or name_of(element) == "noscript" or element.get("hidden") is not None or "display:none" in style or element.get("aria-hidden") == "true"


def text_of(element, leave_out=(), without_class=None):
    """The text, without that of elements of some names or of a class."""
    if not name_of(element) or is_unread(element):
        return ""
    parts = [element.text or ""]
    for child in element:
        if name_of(child) not in leave_out and not (without_class and name_of(child) and without_class in class_of(child).split()):
            parts.append("\n" if name_of(child) == "br" else text_of(child, leave_out, without_class))
        parts.append(child.tail or "")
    return "".join(parts)


def pieces_of(element):
    """The texts of an element up to and between the blocks in it, in order."""
    pieces, waiting = [""], [element]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            pieces[-1] += one
        elif one is None:
            pieces.append("")
        elif name_of(one) and not is_unread(one):
            is_block = one is not element and (name_of(one) in BLOCKS or name_of(one) in LISTS)
            is_paragraph = name_of(one) == "br" and name_of(one.getprevious()) == "br" and not (one.getprevious().tail or "").strip()
            inner = [one.text or ""]
            for child in one:
                inner += [child, child.tail or ""]
            waiting += reversed([None] + inner + [None] if is_block or is_paragraph else ["\n"] if name_of(one) == "br" else inner)
    return pieces


def touches_next(element, names):
    return name_of(element.getnext()) in names and not (element.tail or "").strip()


def follows_same(element, names):
    before = element.getprevious()
    return name_of(before) in names and touches_next(before, names)


def code_text(element):
    is_gutter = name_of(element) not in ("pre", "code") and GUTTER.search(class_of(element))
    if not name_of(element) or is_gutter or is_unread(element):
        return ""
    inner = [element.text or ""]
    for child in element:
        part = code_text(child)
        starts_line = name_of(child) in ("br", "div", "li", "tr") or "line" in class_of(child).split() or "display:block" in (child.get("style") or "").replace(" ", "")
        inner += ["\n" if starts_line and part and not "".join(inner).endswith("\n") else "", "\n" if name_of(child) == "br" else part]
        inner.append("\n" if starts_line and not part.endswith("\n") and name_of(child) != "br" else "")
        inner.append(child.tail or "")
    return "".join(inner)


def code_key(text):
    text = text.replace("\u00a0", " ").replace("\u200b", "")  # which nobody sees
    return "\n".join(line.rstrip() for line in text.split("\n") if line.strip())


class Page:
    """The elements of a tree: a list of (kind, key, context).

    The page's text is one row of letters. The context of an element is its own letters with NEAR letters before them, and the same
    with NEAR after them: an element is in a tool's text if one of the two is. So a text that is on the page twice, in a menu and as
    a heading, counts where its neighbours were kept. An image has no letters: its context is what is on both sides of it. What is
    hidden (tabs, folded answers, <noscript>) may be content: it has no context and counts for precision only."""

    def __init__(self, root, base):
        self.base = self.base_of(root, base)
        self.waiting, self.row, self.length = [], [], 0
        self.parents = {child: parent for parent in root.iter() for child in parent}
        self.embeds, self.item_texts, self.optional, self.data_tables = set(), [], set(), set()
        self.walk(root)
        self.letters, self.all_letters = "".join(self.row), letters(text_of(root))
        self.found = [(kind, key, self.context(self.letters, own, place)) for kind, key, own, place in self.waiting]
        self.add_titles(root)

    @staticmethod
    def context(row, own, place):
        if place is None:
            return own, ()
        end = place + len(own)
        before, after = row[max(0, place - NEAR):place], row[end:end + NEAR]
        if not own:
            return own, (before + after,) if len(before + after) == 2 * NEAR else ()
        return own, tuple(text for near, text in ((before, before + own), (after, own + after)) if len(near) == NEAR)

    @staticmethod
    def base_of(root, url):
        href = next((e.get("href") for e in root.iter("base") if e.get("href")), "")
        return urllib.parse.urljoin(url, href)

    # ---- The walk

    def walk(self, root):
        """In the order of the text, without a stack of calls."""
        open_elements = [(root, iter(root), self.enter(root, False))]
        while open_elements:
            element, children, hidden = open_elements[-1]
            child = next(children, None)
            if child is None:
                open_elements.pop()
                if element is not root:
                    self.add_text(element.tail, open_elements[-1][2])
            elif not name_of(child) or is_unread(child):
                self.read_unread(child, hidden)
                self.add_text(child.tail, hidden)
            else:
                open_elements.append((child, iter(child), self.enter(child, hidden)))

    def enter(self, element, hidden):
        self.hidden = hidden = hidden or is_hidden(element)
        self.read(element)
        self.add_text(element.text, hidden)
        return hidden

    def add_text(self, text, hidden):
        if text and not hidden:
            self.row.append(letters(text))
            self.length += len(self.row[-1])

    def around(self, element):
        while element is not None:
            yield element
            element = self.parents.get(element)

    def inside(self, element, names):
        return any(name_of(e) in names for e in self.around(self.parents.get(element)))

    def put(self, kind, key, own, seen=True):
        self.waiting.append((kind, key, own, self.length if seen and not self.hidden else None))

    def read(self, element):
        name = name_of(element)
        reader = {"pre": self.read_code, "table": self.read_table, "li": self.read_item, "a": self.read_link, "img": self.read_image,
                  "sub": self.read_script, "sup": self.read_script, "iframe": self.read_embed, "video": self.read_embed,
                  "audio": self.read_embed, "source": self.read_embed, "embed": self.read_embed}.get(name)
        if name in HEADINGS:
            reader = self.read_heading
        elif name in EMPHASIS:
            reader = self.read_emphasis
        if reader:
            reader(element)
        if self.is_label(element):
            self.optional.add(("bold", letters(text_of(element))))

    @staticmethod
    def is_label(element):
        """Terms, summaries, the titles of boxes and the authors of posts: Markdown has no mark for them, and bold is not judged."""
        says = " ".join((class_of(element), element.get("itemprop") or "", element.get("rel") or ""))
        is_said = LABEL.search(says) or (name_of(element) == "a" and PROFILE.search(element.get("href") or ""))
        return name_of(element) in ("dt", "summary") or (bool(is_said) and len(text_of(element)) < LONGEST_LABEL)

    def read_unread(self, element, hidden):
        """Players, and pictures of formulas, which some tools keep as pictures."""
        if name_of(element) == "iframe":
            self.read_embed(element)
        self.hidden = True
        for image in element.iter("img"):
            self.read_image(image)
        self.hidden = hidden

    # ---- Blocks

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
            for name in ("data-lang", "data-language", "data-enlighter-language"):
                if element.get(name):
                    return self.known_language(element.get(name))
            found = LANGUAGE.search(class_of(element))
            if found:
                return self.known_language(found.group(1))
        return ""

    @staticmethod
    def known_language(name):
        name = name.lower()
        return "" if name in NOT_A_LANGUAGE else SAME_LANGUAGES.get(name, name)

    def read_table(self, table):
        """Of tables that lay out a page, and those around code or other tables, which Markdown cannot hold, nothing is asked for; a
        tool that writes their cells in the right columns is right."""
        rows = [row for row in table.iter("tr") if next(e for e in self.around(row) if name_of(e) == "table") is table]
        cells = [[c for c in row if name_of(c) in ("td", "th")] for row in rows]
        is_data = len(rows) > 1 and max(map(len, cells)) > 1 and next(table.iterfind(".//table"), None) is None and \
            next(table.iterfind(".//pre"), None) is None and table.get("role") not in ("presentation", "none")
        taken, places = {}, self.places_in(table)
        if is_data:
            self.data_tables.add(table)
        for y, row in enumerate(cells):
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
                    self.waiting.append(("cells", (x, key), key, places[cell] if is_data and not self.hidden else None))
                x += width

    def places_in(self, table):
        """Where the text of each element of the table begins in the row of letters; what is hidden in it is not told apart."""
        places, place = {}, self.length
        for event, element in lxml.etree.iterwalk(table, events=("start", "end")):
            if event == "start":
                places[element] = place
                place += len(letters(element.text or "")) if name_of(element) and not is_unread(element) else 0
            elif element is not table:
                place += len(letters(element.tail or ""))
        return places

    def read_item(self, item):
        """An item is its first piece of text: a tool may drop others, as the badges and buttons of a card. In the cells of a table
        Markdown has no items."""
        self.item_texts.append(letters(text_of(item)))
        key = next(filter(None, map(letters, pieces_of(item))), "")
        if key and self.inside(item, {"ul", "ol"}) and not self.inside(item, {"pre"}):
            self.put("items", key, key, not any(e in self.data_tables for e in self.around(item)))

    def read_heading(self, heading):
        """In a header cell it is not asked for. Without its buttons and the links to edit a wiki's section it is right as well."""
        key = letters(text_of(heading))
        if key:
            self.put("headings", key, key, not self.inside(heading, {"th"}))
        bare = letters(text_of(heading, ("button",), "mw-editsection"))
        if bare and bare != key:
            self.put("headings", bare, bare, False)

    def add_titles(self, root):
        """Tools put the title of the page before its text: as a heading it is not judged."""
        titles = [e.text or "" for e in root.iter("title")]
        titles += [e.get("content") or "" for e in root.iter("meta") if e.get("property") == "og:title"]
        for title in titles:
            parts = re.split(r"\s+[|–—·»:-]\s+", title)
            heads = {letters(" ".join(parts[a:b])) for a in range(len(parts)) for b in range(a + 1, len(parts) + 1)}
            self.optional |= {("headings", head) for head in heads if head}

    # ---- Inside blocks

    def put_pieces(self, kind, element, key_of, seen=True):
        """An element around several blocks is one in each: Markdown has it no other way."""
        for piece in pieces_of(element):
            if letters(piece):
                self.put(kind, key_of(letters(piece)), letters(piece), seen)

    def read_emphasis(self, element):
        """Emphasis that only white space keeps apart is one; Markdown has none in code. Bold in headings, terms and the like, which
        are bold already, is not asked for."""
        kind = EMPHASIS[name_of(element)]
        same = {tag for tag, name in EMPHASIS.items() if name == kind}
        if self.inside(element, same | {"pre", "code"}) or follows_same(element, same):
            return
        seen = kind != "bold" or not self.inside(element, HEADINGS | {"th", "dt", "summary"})
        run = [element]
        while touches_next(run[-1], same):
            run.append(run[-1].getnext())
        if len(run) == 1:
            self.put_pieces(kind, element, lambda key: key, seen)
        elif letters("".join(map(text_of, run))):
            key = letters("".join(map(text_of, run)))
            self.put(kind, key, key, seen)

    def read_script(self, element):
        """Markdown has no raised text in code: it is not asked for there."""
        key = letters(text_of(element))
        if key and not self.inside(element, {"sub", "sup", "a"}) and next(element.iter("a"), None) is None:
            self.put("sub and sup", (name_of(element), key), key, not self.inside(element, {"pre", "code"}))

    def address(self, href):
        try:
            joined = urllib.parse.urlsplit(urllib.parse.urljoin(self.base, (href or "").strip()))
            return urllib.parse.unquote(joined._replace(netloc=joined.netloc.lower(), fragment="").geturl()).rstrip("/")
        except ValueError:
            return ""

    def read_link(self, link):
        href = (link.get("href") or "").strip()
        if href and not href.startswith(("#", "javascript:", "mailto:", "tel:")) and not self.inside(link, {"pre"}):
            if "#" not in href or self.address(href) != self.address(self.base):
                self.put_pieces("links", link, lambda key: (key, self.address(href)))

    def read_embed(self, element):
        """Videos and the like may be written as a link or as a picture; neither is asked for."""
        self.embeds |= {self.address(element.get(n)) for n in ("src", "data-src", "poster") if element.get(n)}

    def read_image(self, image):
        sets = ",".join(image.get(n) or "" for n in ("srcset", "data-srcset", "data-lazy-srcset"))
        picture = self.parents.get(image)
        while name_of(picture) == "source":  # which lxml does not know to be empty
            picture = self.parents.get(picture)
        if name_of(picture) == "picture":
            sets += "," + ",".join(source.get("srcset") or "" for source in picture.iter("source"))
        ways = [image.get(n) for n in ("src", "data-src", "data-lazy-src", "data-original")] + \
               [part.split()[0] for part in re.split(r",\s+|,(?=https?:|/)", sets) if part.strip(" ,\n")]
        addresses = {self.address(way) for way in ways if way and not way.startswith("data:")}
        sizes = [int(size) for size in ((image.get(n) or "").rstrip("px") for n in ("width", "height")) if size.isdigit()]
        small = bool(sizes) and (max(sizes) < SIGN or min(sizes) < LINE)
        decoration = DECORATION_CLASS.search(class_of(image)) or DECORATION_ADDRESS.search(image.get("src") or "")
        if addresses:
            self.put("images", frozenset(addresses), "", not small and not decoration)


# ---- One page ------------------------------------------------------------------------------


def tree_of(data):
    return lxml.html.document_fromstring(data, parser=lxml.html.HTMLParser(encoding="utf-8"))


def render(markdown):
    """The Markdown as a tree; formulas are hidden from cmark, as their readers do."""
    made = subprocess.run(["cmark-gfm", "--unsafe", "-e", "footnotes", "-e", "table", "-e", "strikethrough", "-e", "tasklist", "-t", "html"],
                          input=markdown_tree.hide_formulas(markdown).encode(), stdout=subprocess.PIPE, check=True).stdout
    return tree_of(b"<!doctype html><meta charset=utf-8><body>" + made)


def kept_of(page, kind, text):
    """{letters: Counter of keys} of the elements of that kind in the tool's text."""
    kept = {}
    for (key, (own, ways)), count in Counter((key, context) for k, key, context in page.found if k == kind).items():
        found = min(count, max((text.count(way) for way in ways), default=0))
        if found:
            kept.setdefault(own, Counter())[key] += found
    return kept


def count_kept(kept, made, text):
    """How many elements were kept, and how many of them the Markdown has.

    A text that is on the page more often than in the tool's text, as a list in each of several tabs, was kept only as often as it is
    there. Which of the copies it was, and so where the link in it should lead, is not known: any of them is right."""
    total = found = 0
    for own, keys in kept.items():
        right = (keys & made).total()
        total += min(keys.total(), max(right, text.count(own)))
        found += right
    return total, found


def without_copies(images):
    """Sets of addresses, those with a common one made one: an image for small screens and the same for large ones."""
    apart = []
    for addresses in images:
        for other in [a for a in apart if a & addresses]:
            apart.remove(other)
            addresses |= other
        apart.append(addresses)
    return apart


def is_among(image, images):
    """Whether it is one of them, in any size."""
    return any(image & other for other in images)


def is_judged(kind, key, own, page):
    """Not what the page's tree does not have: text from data in scripts, and the players that some tools write as a link or picture."""
    if kind == "images":
        return not key & page.embeds
    return own in page.all_letters and not (kind == "links" and key[1] in page.embeds)


def count_page(page, markdown, show):
    """{kind: [kept, found, written, right]} of one page."""
    root = render(markdown)
    theirs = Page(root, page.base)
    text = letters(text_of(root))
    counts = {}
    for kind in KINDS:
        kept = kept_of(page, kind, text)
        here = Counter(key for k, key, _ in page.found if k == kind)
        made = Counter(key for k, key, (own, _) in theirs.found if k == kind and is_judged(kind, key, own, page))
        if kind == "images":
            kept, here, made = (Counter(without_copies(keys)) for keys in (kept.get("", ()), here, made))
            lost, added = (Counter(a for a in all_of if not is_among(a, others)) for all_of, others in ((kept, made), (made, here)))
            counts[kind] = [len(kept), len(kept) - len(lost), len(made), len(made) - len(added)]
        else:
            lost, added = sum(kept.values(), Counter()) - made, made - here
            optional = Counter({key: n for key, n in added.items() if (kind, key) in page.optional})
            added, made = added - optional, made - optional
            if kind == "items":
                added = Counter({key: n for key, n in added.items() if not any(key in text for text in page.item_texts)})
            counts[kind] = [*count_kept(kept, made, text), made.total(), made.total() - added.total()]
        if show == kind:
            print(*(f"  {sign} {str(key)[:150]}" for sign, part in (("-", lost), ("+", added)) for key in part), sep="\n")
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
    """{tool: {kind: [kept, found, written, right]}} over all pages, and {tool: pages of which it kept nothing}."""
    totals = {name: {kind: [0] * 4 for kind in KINDS} for name in names}
    empty = Counter()
    for page in pages_of(data):
        source = Page(tree_of((data / f"html/{page['id']}.html").read_bytes()), page["url"])
        for name in names:
            shown = show[1] if show and show[0] == name else None
            if shown:
                print(page["id"])
            markdown = (data / name / f"{page['id']}.md").read_text(encoding="utf-8")
            empty[name] += not letters(markdown)
            counts = count_page(source, markdown, shown)
            for kind in KINDS:
                totals[name][kind] = [a + b for a, b in zip(totals[name][kind], counts[kind])]
    return totals, empty


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
        totals, empty = score(data, names, show)
        made = ["", f"## {folder.name}, {len(pages)} pages", "", *table(totals, "recall"), "", *table(totals, "precision"), "",
                "Pages of which nothing was kept: " + ", ".join(f"{name} {empty[name]}" for name in names) + "."]
        print(*made, sep="\n")
        lines += made
    if options.write:
        head = HEAD
        by_hand = written_by_hand(options.write)
        options.write.write_text(head + "\n" + ", ".join(f"{name} {version}" for name, version in versions.items()) + ".\n" +
                                 "\n".join(lines) + "\n" + by_hand, encoding="utf-8")
    return 0


def written_by_hand(path):
    """The end of the file that no run measures: what somebody saw who read pages."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    start = text.find("\n## What was read")
    return text[start:] if start >= 0 else ""


HEAD = """# Structure beside other extractors

How much of a page's structure the Markdown of an extractor keeps, made by `make compare-structure`
([tools/compare_structure.py](../tools/compare_structure.py) has the definitions).

Each tool is judged by the text that it kept itself: an element of the page counts if its text is in the tool's text, together with 24
letters before or after it, and an image if the 24 letters on both sides of it are. So a title in a menu, or a copy for small screens,
does not count if only the other one was kept. Recall is the share of these elements that the Markdown has, precision the share of the
Markdown's elements that the page has. Numbers in parentheses are elements: of the page in the kept text, or of the Markdown. They
differ because the tools keep different texts. Pages are read by lxml, Markdown by cmark-gfm.

winnow leaves out spacers, icons and avatars, so no tool is expected to keep images that are small or named so. All tools are judged
by the same definitions, but these were refined by looking at what winnow missed: read a lead of a few thousandths as a tie. Two
reviews changed what favoured a tool:

- The page's title as a heading, and authors and terms in bold, which winnow adds, are not judged. Italics in headings are asked for.
- Readability is given jsdom's tree and the address of the page, as its documentation says, and keeps the classes, which have the
  languages of code. turndown keeps `<sub>` and `<sup>`. defuddle is given linkedom's tree, as its documentation says.
- Elements with a formula in them were hardly judged; now formulas are left out on both sides.
- Fewer images are called small or decoration: not those that are small in one direction only, or in a folder named `text` or `math`.
- Cells of tables that nobody is asked for, such as those of one row, are not wrong. Lines of code that are elements are lines. Items in
  the cells of a table of data, which Markdown does not have, and raised text in code are not asked for. A heading without the links
  and buttons to edit or unfold its section is right, as is one with them.
- All addresses of a `<picture>` are right, and pages of which a tool kept nothing are counted.

The pages are, first, 60 of wcxb-dev: by the SHA-1 of their id the first that have code, a table with a header, or raised or lowered
text; second, the 153 of `structure`, from 20 site generators. Bold figures are the best of their row. Versions:
"""

if __name__ == "__main__":
    sys.exit(main())
