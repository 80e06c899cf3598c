"""Markdown and HTML as trees that can be compared.

`of_markdown()` has Markdown rendered by cmark-gfm, GitHub's own implementation, and reads the result; `of_html()` reads
what `winnow -f html` wrote. Both give the same tree where the Markdown means what the HTML says. What Markdown has no
words for is brought to one form on both sides: a figure is its picture and its caption, a caption of a table the paragraph
before it, a definition a bold paragraph and a plain one, a cell over several columns one cell and empty ones.
"""

import html
import html.parser
import re
import shutil
import subprocess
import urllib.parse

VOID = {"br", "img", "hr", "input", "meta", "link"}
SAME = {"b": "strong", "i": "em", "s": "del", "strike": "del"}
KEPT_ATTRIBUTES = {"a": ("href",), "img": ("src", "alt"), "ol": ("start",), "abbr": ("title",)}
BLOCKS = {"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "aside", "pre", "table", "tr", "td", "th",
          "hr", "div", "article", "section", "figure", "dl", "dt", "dd", "figcaption", "caption", "thead", "tbody", "note"}
# What HTML does not allow, and `-f html` writes as a space: controls but for white space; as U+FFFD: the noncharacters of the first plane.
NOT_IN_HTML = {**dict.fromkeys(set(range(0xA0)) - set(range(0x20, 0x7F)) - set(b"\t\n\f\r"), " "),
               **dict.fromkeys([*range(0xFDD0, 0xFDF0), 0xFFFE, 0xFFFF], "\ufffd")}
QUOTES = str.maketrans("“”„«»「」‘’", '"""""""""')


def renderer():
    """The path of cmark-gfm; None if it is not installed."""
    return shutil.which("cmark-gfm")


# ---- Formulas, which cmark does not know -------------------------------------------------------------------------------

# What is in code, in the address of a link or image and in a tag is not a formula.
OPAQUE = (r"(?P<opaque>^ {0,12}(?:[>\-*] *|\d+[.)] +)*(?P<fence>`{3,})[^\n]*\n.*?^[ >]*(?P=fence)`*[ ]*$"
          r"|(?<![`\\])(?P<ticks>`+)(?!`)(?:[^`]|(?!(?P=ticks)(?!`))`)+?(?<!`)(?P=ticks)(?!`)"
          r"|\]\(<[^>\n]*>\)|\]\((?:[^()\s]|\([^()\s]*\))*\)|</?[a-z][^>\n]*>)")
FORMULA_TEXT = (r"\$\$(?!\$)\s*((?:(?!\n\s*\n|\n\s*[-*] ).)+?)\s*\$\$(?!\$)|\\\((.+?)\\\)|\\\[(.+?)\\\]"
                r"|(?<![\\$\w])\$(?![\s$])([^$\n\uE000]+?)(?<![\s\\])\$(?![\d$])")
FORMULA = re.compile(FORMULA_TEXT, re.DOTALL)
PARTS = re.compile(OPAQUE + "|(?P<formula>" + re.sub(r"\((?!\?)(?<!\\\()", "(?:", FORMULA_TEXT) + ")", re.DOTALL | re.MULTILINE)


def token_of(match):
    tex = next(part for part in match.groups() if part is not None)
    tex = tex.replace("\\vert{}", "|")  # in cells
    return "⟦" + re.sub(r"[ >\n]*\n[ >]*|\s+", " ", tex).strip().encode().hex() + "⟧"


def token_of_text(match):
    """The same for the text of a page, where dollars may be money."""
    tex = match.group(4) or match.group(1)
    is_money = tex and not re.fullmatch(r"[A-Za-z]|.*[\\^_={}].*", tex, re.DOTALL)
    return match.group(0) if is_money else token_of(match)


CELL_END = "\uE000"  # a pipe between cells: no formula goes over it
ROW = re.compile(r"^ *(?:[>\-*] *|\d+[.)] +)*\|.*$", re.MULTILINE)


def hide_formulas(markdown):
    """Replaces formulas outside code by words that Markdown does not touch."""
    marked = ROW.sub(lambda row: re.sub(r"(?<!\\)\|", CELL_END, row.group(0)), markdown)
    hidden = PARTS.sub(lambda part: part.group(0) if part.group("opaque") else FORMULA.sub(token_of, part.group(0)), marked)
    return hidden.replace(CELL_END, "|")


# ---- Reading -----------------------------------------------------------------------------------------------------------

class Element:
    def __init__(self, name, attributes=()):
        self.name, self.attributes, self.children = name, dict(attributes), []

    def text(self):
        return "".join(child if isinstance(child, str) else " " if child.name == "br" else child.text() for child in self.children)

    def classes(self):
        return (self.attributes.get("class") or "").split()

    def elements(self, name=None):
        for child in self.children:
            if not isinstance(child, str):
                if name is None or child.name == name:
                    yield child
                yield from child.elements(name)


class Reader(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.root = Element("root")
        self.open = [self.root]
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        element = Element(SAME.get(tag, tag), attrs)
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag):
        tag = SAME.get(tag, tag)
        if tag in VOID:
            return
        for i in range(len(self.open) - 1, 0, -1):
            if self.open[i].name == tag:
                del self.open[i:]
                return

    def handle_data(self, data):
        self.open[-1].children.append(data.translate(NOT_IN_HTML))


# ---- Bringing both to one form -----------------------------------------------------------------------------------------

def replace_children(element, change):
    """Replaces every child by the list that `change` makes of it, innermost first."""
    new = []
    for child in element.children:
        if isinstance(child, str):
            new.append(child)
        else:
            replace_children(child, change)
            new += change(child)
    element.children = new


def formulas_of_html(child):
    if child.name == "span" and "math" in child.classes():
        return [FORMULA.sub(token_of, child.text())]
    return [child]


def wrap(name, children, attributes=()):
    element = Element(name, attributes)
    element.children = list(children)
    return element


def is_blank(node):
    return isinstance(node, str) and not node.strip()


def footnotes_of_html(child):
    """Marks and notes as winnow writes them."""
    links = [c for c in child.children if not is_blank(c)]
    if child.name == "sup" and len(links) == 1 and not isinstance(links[0], str) and \
            (links[0].attributes.get("href") or "").startswith("#fn-"):
        return [wrap("mark-of-note", [], {"to": links[0].attributes["href"][4:]})]
    if child.name == "div" and "footnote" in child.classes():
        return [wrap("note", child.children, {"id": child.attributes["id"][3:]})]
    return [child]


def footnotes_of_markdown(child):
    """Marks and notes as cmark-gfm writes them."""
    if child.name == "sup" and "footnote-ref" in child.classes():
        links = list(child.elements("a"))  # without one it counts the ways back from a note
        return [wrap("mark-of-note", [], {"to": links[0].attributes["href"][4:]})] if links else []
    if child.name == "a" and "footnote-backref" in child.classes():
        return []
    if child.name == "section" and "footnotes" in child.classes():
        return [wrap("note", li.children, {"id": li.attributes["id"][3:]}) for li in child.elements("li")
                if (li.attributes.get("id") or "").startswith("fn-")]
    return [child]


def number_notes(root):
    """Notes by their name, at the end."""
    marked = {mark.attributes["to"] for mark in root.elements("mark-of-note")}
    notes = []

    def take(child):
        if child.name != "note":
            return [child]
        if child.attributes["id"] in marked:  # cmark leaves out what nothing refers to
            notes.append(child)
        return []
    replace_children(root, take)
    root.children += sorted(notes, key=lambda note: note.attributes["id"].zfill(9))


def boxes_of_markdown(child):
    """A quotation that begins with [!NOTE] is an admonition."""
    if child.name == "blockquote":
        found = re.match(r"\s*\[!([A-Z]+)\]\s*", child.text())
        if found:
            first = next(e for e in child.elements() if e.name == "p")
            first.children[0] = re.sub(r"^\s*\[!([A-Z]+)\]\s*", "", first.children[0])
            if not first.text().strip() and not list(first.elements()):
                child.children.remove(first)
            return [wrap("aside", child.children, {"class": found.group(1).lower()})]
    return [child]


def boxes_of_html(child):
    """The title of an admonition that only repeats its kind is not in Markdown."""
    if child.name == "aside":
        parts = [c for c in child.children if not is_blank(c)]
        if parts and not isinstance(parts[0], str) and parts[0].text().strip().lower() == (child.classes() or [""])[0]:
            child.children.remove(parts[0])
    return [child]


def grid_of(table):
    """The cells of a table by row and column; what a cell covers is empty."""
    rows, taken = [], {}
    for y, tr in enumerate(table.elements("tr")):
        row, x = {}, 0
        for cell in tr.children:
            if isinstance(cell, str) or cell.name not in ("td", "th"):
                continue
            while taken.get((y, x)):
                x += 1
            width, height = int(cell.attributes.get("colspan") or 1), int(cell.attributes.get("rowspan") or 1)
            row[x] = cell
            for dy in range(min(height, 200)):
                for dx in range(width):
                    taken[y + dy, x + dx] = True
            x += width
        rows.append(row)
    width = max((max(row, default=-1) + 1 for row in rows), default=0)
    return [[row.get(x) for x in range(width)] for row in rows]


def spread_code(element):
    """Markdown has no links and no raised text in code, but code in these; other emphasis in code is lost."""
    children = join_texts(c if isinstance(c, str) or c.name in ("a", "sub", "sup") else " " if c.name == "br" else c.text()
                          for c in element.children)
    return [wrap("code", [c]) if isinstance(c, str) else wrap(c.name, spread_code(c), c.attributes if c.name == "a" else {})
            for c in children]


def code_in_cell(child):
    """Code of one line is a code span in a table of Markdown."""
    is_line = child.name == "pre" and "\n" not in child.text().strip("\n")
    return [wrap("code", [child.text().strip("\n")])] if is_line else [child]


def tables(child):
    if child.name != "table":
        return [child]
    replace_children(child, code_in_cell)
    captions = [wrap("p", c.children) for c in child.elements("caption")]
    rows = grid_of(child)
    if rows and all(cell is None or not (cell.text().strip() or list(cell.elements())) for cell in rows[0]):
        rows = rows[1:]  # the header that Markdown must have
    new = [wrap("tr", [wrap("cell", cell.children if cell else []) for cell in row]) for row in rows]
    width = max((max((i + 1 for i, cell in enumerate(tr.children) if cell.children), default=0) for tr in new), default=0)
    for tr in new:
        del tr.children[width:]
    return captions + [wrap("table", new)]


def flatten(strong):
    """A bold part of a term, which is bold, says nothing."""
    def change(child):
        return child.children if child.name == "strong" else [child]
    replace_children(strong, change)
    return [strong]


def join_texts(nodes):
    joined = []
    for node in nodes:
        if isinstance(node, str) and joined and isinstance(joined[-1], str):
            joined[-1] += node
        else:
            joined.append(node)
    return joined


def plain_forms(child):
    if child.name in ("figure", "dl", "thead", "tbody", "section", "article", "div"):
        if child.name == "figure":
            return [c if not isinstance(c, str) and c.name in ("figcaption", "p") else wrap("p", [c])
                    for c in child.children if not is_blank(c)]
        return child.children
    if child.name in ("figcaption", "dd"):
        return [wrap("p", child.children)]
    if child.name == "dt":
        return [wrap("p", flatten(wrap("strong", child.children)))]
    if child.name == "a" and child.text() == child.attributes.get("href"):
        return child.children  # GitHub makes links of addresses
    if child.name == "q":
        return ['"', *child.children, '"']
    if child.name == "input":
        return ["[x] " if "checked" in child.attributes else "[ ] "]
    if child.name == "li":
        parts = []
        for c in child.children:
            is_p = not isinstance(c, str) and c.name == "p"
            parts += [Element("part"), *c.children, Element("part")] if is_p else [c]
        child.children = parts
    if child.name == "strong":
        return flatten(child)
    if child.name == "code":
        return spread_code(child)
    if child.name == "pre":
        code = next(child.elements("code"), None)
        language = next((c[9:] for c in (code.classes() if code else []) if c.startswith("language-")), "")
        return [wrap("pre", [child.text().rstrip("\n")], {"language": language})]
    return [child]


def merge_lists(root):
    """A list whose numbers have a gap is several lists in Markdown."""
    def change(child):
        if child.name == "ol":
            lists, items = [], [c for c in child.children if not is_blank(c)]
            start = int(child.attributes.get("start") or 1)
            for item in items:
                value = item.attributes.pop("value", None) if not isinstance(item, str) else None
                if value or not lists or "reversed" in child.attributes:
                    start -= 1 if lists and "reversed" in child.attributes else 0
                    lists.append(wrap("ol", [], {"start": value or str(start)}))
                lists[-1].children.append(item)
            return lists
        return [child]
    replace_children(root, change)


# ---- The tree ----------------------------------------------------------------------------------------------------------

def attributes_of(element):
    if element.name in ("mark-of-note", "note", "pre"):
        return dict(element.attributes)
    if element.name == "aside":
        return {"class": element.attributes.get("class", "")}
    kept = {name: element.attributes.get(name) or "" for name in KEPT_ATTRIBUTES.get(element.name, ())}
    if element.name == "ol" and not kept["start"]:
        kept["start"] = "1"
    if element.name in ("a", "img"):
        kept = {name: html.unescape(re.sub(r"\s+", " ", value.translate(NOT_IN_HTML))).strip() for name, value in kept.items()}
        kept = {name: value if name == "alt" else urllib.parse.unquote(value) for name, value in kept.items()}
    return kept


def simplify(element):
    """(name, attributes, children): texts joined, spaces as they are seen, empty parts gone."""
    if element.name == "pre":
        return ("pre", attributes_of(element), [element.text()])
    children, text = [], ""

    def end_text():
        nonlocal text
        if text.strip() or (text and children and element.name not in BLOCKS | {"root", "cell"}):
            children.append(text)
        text = ""
    for child in element.children:
        if isinstance(child, str):
            text += child.translate(QUOTES)
        elif child.name == "part":
            end_text()
        elif child.name == "br":
            text += "\n"
        else:
            made = simplify(child)
            if made[0] in BLOCKS or made[0] == "cell":
                end_text()
            elif text:
                children.append(text)
                text = ""
            if made[2] or made[0] in ("img", "hr", "mark-of-note", "cell"):
                children.append(made)
    end_text()
    return (element.name, attributes_of(element), tidy(element.name, children))


def join_neighbours(nodes):
    """Two bold parts that touch are one."""
    joined = []
    for node in nodes:
        same = joined and not isinstance(node, str) and node[0] in ("strong", "em", "del", "code", "sub", "sup") and \
            not isinstance(joined[-1], str) and joined[-1][0] == node[0]
        if same:
            joined[-1] = (node[0], node[1], tidy(node[0], joined[-1][2] + node[2]))
        else:
            joined.append(node)
    return joined


def tidy(name, children):
    """White space that is not seen goes: at the edges of blocks, and beside them."""
    joined = join_texts(children)
    is_block = name in BLOCKS or name in ("root", "cell")
    joined = join_neighbours(joined)
    result = []
    for i, child in enumerate(joined):
        if isinstance(child, str):
            child = re.sub(r" *\n *", "\n", re.sub(r"[ \t\r\f]+", " ", child))
            before, after = joined[i - 1] if i else None, joined[i + 1] if i + 1 < len(joined) else None
            if is_picture(before):
                child = child.lstrip()  # there may be a space next to a picture
            if is_picture(after):
                child = child.rstrip()
            if is_block and (before is None or is_block_node(before)):
                child = child.lstrip()
            if is_block and (after is None or is_block_node(after)):
                child = child.rstrip()
            child = re.sub(r"\s+", " ", child)
            if not child:
                continue
        result.append(child)
    return result


def is_picture(node):
    """An image, or a link around one."""
    return node is not None and not isinstance(node, str) and (
        node[0] == "img" or (node[0] == "a" and node[2] and is_picture(node[2][0])))


def is_block_node(node):
    return not isinstance(node, str) and (node[0] in BLOCKS or node[0] == "cell")


def prepare(root):
    replace_children(root, tables)
    merge_lists(root)
    replace_children(root, plain_forms)
    number_notes(root)
    return simplify(root)


def of_html(text):
    root = Reader(text).root
    replace_children(root, formulas_of_html)
    hide_in_texts(root)
    replace_children(root, footnotes_of_html)
    replace_children(root, boxes_of_html)
    return prepare(root)


def hide_in_texts(element):
    if element.name in ("pre", "code"):
        return
    element.children = [FORMULA.sub(token_of_text, c) if isinstance(c, str) else c for c in element.children]
    for child in element.children:
        if not isinstance(child, str):
            hide_in_texts(child)


def of_markdown(markdown):
    made = subprocess.run([renderer(), "--unsafe", "-e", "footnotes", "-e", "table", "-e", "strikethrough", "-e", "tasklist",
                           "-t", "html"], input=hide_formulas(markdown).encode(), stdout=subprocess.PIPE, check=True)
    root = Reader(made.stdout.decode()).root
    replace_children(root, footnotes_of_markdown)
    replace_children(root, footnotes_of_html)  # of tables in HTML
    replace_children(root, boxes_of_markdown)
    return prepare(root)


def lines_of(tree, depth=0):
    """The tree as indented lines, for people and for difflib."""
    if isinstance(tree, str):
        return ["  " * depth + repr(tree)]
    name, attributes, children = tree
    lines = ["  " * depth + name + "".join(f" {k}={v!r}" for k, v in sorted(attributes.items()) if v)]
    for child in children:
        lines += lines_of(child, depth + 1)
    return lines
