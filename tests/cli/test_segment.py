#!/usr/bin/env python3
"""`winnow segment` from the outside: the rules of EVBE page by page, VIPS beside it, and the forms of output.

    test_segment.py build/winnow [-v] [NAME...]

Ends with a line "N passed, N failed, N skipped".
"""

import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path

WINNOW = "winnow"
ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, os.path.join(ROOT, "tests/support"))
import outside  # noqa: E402
PAGES = ROOT / "tests/segment"
SVG = "{http://www.w3.org/2000/svg}"
sys.path.insert(0, str(ROOT / "tools"))
import chromium  # noqa: E402


def segment(*args, stdin=b"", code=0):
    if isinstance(stdin, str):
        stdin = stdin.encode()
    done = subprocess.run([WINNOW, "segment", *map(str, args)], input=stdin, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == code, (done.returncode, done.stderr.decode())
    return done.stdout if code == 0 else done.stderr.decode()


def record(*args, **more):
    return json.loads(segment(*args, **more))


def leaves(page, *args):
    """The leaves of a page as (rule, text), with white space collapsed."""
    parents, found = set(), []
    blocks = record("--text", *args, PAGES / f"{page}.html")["blocks"]
    for block in blocks:
        parents.add(block["parent"])
    for block in blocks:
        if block["id"] not in parents:
            found.append((block["rule"], " ".join(block["text"].split())))
    return found


def starts(found):
    return [(rule, " ".join(text.split()[:3])) for rule, text in found]


class Rules(unittest.TestCase):
    """Each rule has a page of its own."""

    def test_rule_1(self):
        self.assertEqual(len(leaves("rule1")), 1)
        self.assertNotIn("Hidden", leaves("rule1")[0][1])

    def test_what_is_off_the_page_is_not_seen(self):
        for style in ("position:absolute;left:-999px;width:500px", "position:fixed;left:0;width:300px;transform:translateX(-100%)",
                      "position:absolute;top:0;height:50px;translate:0 -60px"):
            html = f"<!doctype html><p>Some words that stay</p><div style='{style}'>A menu far away</div>"
            texts = " ".join(block["text"] for block in record("--text", stdin=html)["blocks"])
            self.assertIn("Some words", texts)
            self.assertNotIn("far away", texts, style)

    def test_rule_2(self):
        self.assertEqual(len(leaves("rule2")), 1)

    def test_rule_3(self):
        found = leaves("rule3")
        self.assertEqual([rule for rule, _ in found], ["rest", "rule 5", "rule 5"])
        self.assertTrue(found[0][1].startswith("One child"))

    def test_rule_4(self):
        self.assertEqual(starts(leaves("rule4")), [("rule 4", "One Two Three"), ("rest", "A paragraph with")])

    def test_rule_5(self):
        self.assertEqual(starts(leaves("rule5")), [("rule 5", "Before the line."), ("rule 5", "Between line and"),
                                                   ("rule 5", "Behind both. The")])

    def test_rule_6(self):
        self.assertEqual(leaves("rule6"), [
            ("rule 6", "Menu Home"), ("rule 6", "The first row of the text. It has two paragraphs. The second row."),
            ("rule 6", "News More news")])

    def blocks_of(self, html):
        return [(b["rule"], " ".join(b["text"].split())) for b in record("--text", stdin="<!doctype html><body>" + html)["blocks"]
                if b["text"]]

    def test_rule_6_with_cells_across_columns(self):
        """A cell across columns is a piece by itself; the others stay in their columns, however they are counted."""
        side = " style='background:#def'"
        html = (f"<table><tr><td colspan=3>Title of all</td></tr><tr><td{side}>Menu<td>The first row<td{side} rowspan=2>News</tr>"
                f"<tr><td{side}>Home<td>The second row</tr><tr><td rowspan=0{side}>More<td>The third row<td{side}>Old</tr>"
                f"<tr><td>The fourth row<td{side}>Older</tr></table>")
        self.assertEqual(self.blocks_of(html), [
            ("rule 6", "Title of all"), ("rule 6", "Menu Home More"), ("rule 6", "The first row The second row The third row The fourth row"),
            ("rule 6", "News Old Older")])
        paths = [b["xpath"] for b in record(stdin="<!doctype html><body>" + html)["blocks"]]
        self.assertIn(" | ".join(f"/html/body/table/tbody/tr[{row}]/td[{cell}]" for row, cell in ((2, 2), (3, 2), (4, 2), (5, 1))), paths)

    def test_rules_do_not_silence_each_other(self):
        # Rule 5 divides at the line, rule 9 around the frame, which rule 3 once kept rule 10 from seeing.
        self.assertEqual(self.blocks_of("<div><p>a</p><div style='border:1px solid'><div><p>x</p><p>y</p></div></div><hr><p>c</p></div>"),
                         [("rule 5", "a"), ("rule 9", "x y"), ("rule 5", "c")])
        # Rule 3 applies to the frame, and so does rule 10.
        framed = "<section><div><div style='border:1px solid'><div><p>x</p><p>y</p></div></div></div></section>"
        self.assertEqual(self.blocks_of(framed + "<p>c</p>"), [("rule 10", "x y"), ("rest", "c")])
        # Rule 8 makes blocks of the floats, rule 5 divides what follows them.
        floats = "<div style='float:left;width:100px'>left</div><div style='float:left;width:100px'>right</div>"
        self.assertEqual(self.blocks_of(f"<div style='width:500px'>{floats}<p>a</p><hr><p>b</p><p>c</p></div>"),
                         [("rule 8", "left"), ("rule 8", "right"), ("rule 8", "a"), ("rule 5", "b c")])

    def test_rule_7(self):
        self.assertEqual(starts(leaves("rule7")), [("rule 7", "Words before the"), ("rule 7", "Words under the"),
                                                   ("rest", "Words behind it")])

    def test_rule_8(self):
        self.assertEqual(starts(leaves("rule8")), [
            ("rule 8", "The left column"), ("rule 8", "The right column"), ("rule 8", "A paragraph without"),
            ("rule 8", "The first item"), ("rule 8", "The second item")])

    def test_rule_8_strict(self):
        self.assertEqual(starts(leaves("rule8", "--strict")), [
            ("rule 8", "The left column"), ("rule 8", "The right column"), ("rule 8", "A paragraph without"),
            ("rest", "The first item")])

    def test_rule_9(self):
        self.assertEqual([(rule, len(re.findall(r"\.", text))) for rule, text in leaves("rule9")],
                         [("rule 9", 1), ("rule 9", 2), ("rule 9", 2), ("rule 9", 1),
                          ("rule 9", 1), ("rule 9", 1), ("rule 9", 1)])

    def test_rule_10(self):
        self.assertEqual(starts(leaves("rule10")), [("rule 10", "Framed words, though"), ("rest", "Lines at the")])


class Picture(unittest.TestCase):
    def rects(self, html):
        tree = ElementTree.fromstring(segment("-f", "svg", stdin="<!doctype html><body>" + html))
        return [{**{k: float(e.get(k, 0)) for k in ("x", "y", "width", "height") if "%" not in e.get(k, "0")},
                 "fill": e.get("fill"), "opacity": e.get("opacity")} for e in tree.iter(SVG + "rect")]

    def test_badges_cover_no_letters_of_their_block(self):
        html = "<div style='height:60px'></div><div><p>Words before</p></div><hr><div><p>Words after</p></div>"
        blocks = [b for b in record(stdin="<!doctype html><body>" + html)["blocks"] if b["name"]]
        badges = [r for r in self.rects(html) if r["fill"] not in ("none", "#ffffff") and r["opacity"] is None and r["height"] in (13, 17)]
        self.assertEqual(len(blocks), 2)
        for block in (block["box"] for block in blocks):  # one ends where the block begins, above its right end
            own = [b for b in badges if abs(b["y"] + b["height"] - block["y"]) < 0.1 and
                   abs(b["x"] + b["width"] - block["x"] - block["width"]) < 0.1]
            self.assertEqual(len(own), 1, badges)

    def test_light_text_on_a_gradient_can_be_read(self):
        style = "background:linear-gradient(red, blue);color:{}"
        greys = [r for r in self.rects(f"<div style='{style.format('white')}'><p>Light words</p></div>") if r["fill"] == "#6b7280"]
        self.assertEqual(len(greys), 1)
        for other in (style.format("black"), "color:white;background:#123 linear-gradient(red, blue)"):
            self.assertFalse([r for r in self.rects(f"<div style='{other}'><p>Words</p></div>") if r["fill"] == "#6b7280"], other)


class Boxes(unittest.TestCase):
    def test_a_block_of_floats_is_as_large_as_they_are(self):
        """Equation 1 divides the size of a block: one of floats alone has no height of its own."""
        column = "<div style='float:left;width:200px;height:300px'><p>Words in a column.</p><p>And more.</p></div>"
        html = f"<!doctype html><body><div><div id=floats>{column}{column}</div></div><hr style='clear:both'><p>Words below</p>"
        block = next(b for b in record(stdin=html)["blocks"] if b["xpath"] == "/html/body/div")
        self.assertEqual((block["box"]["height"], block["gp"]["area"]), (300, block["box"]["width"] * 300))
        html = html.replace("<div id=floats>", "<div id=floats style='padding-bottom:10px'>")
        block = next(b for b in record(stdin=html)["blocks"] if b["xpath"] == "/html/body/div")
        self.assertEqual(block["box"]["height"], 300)


class SamplePage(unittest.TestCase):
    """The page of the paper's figure 4, and what its section 7 says of VIPS."""

    EXPECTED = ["/html/body/div[1]", "/html/body/div[2]/div[1]", "/html/body/div[2]/div[2]/div/div[1]",
                "/html/body/div[2]/div[2]/div/div[2]"]

    def named(self, *args):
        found = record(*args, PAGES / "sample.html")["blocks"]
        return {block["name"]: block for block in found if block["name"]}

    def test_exactly_four_blocks(self):
        blocks = self.named()
        self.assertEqual(sorted(blocks), ["BL1", "BL2", "BL3", "BL4"])
        self.assertEqual([blocks[name]["xpath"] for name in sorted(blocks)], self.EXPECTED)

    def test_why(self):
        blocks = self.named()
        self.assertEqual([blocks[name]["rule"] for name in sorted(blocks)],
                         ["distance to sibling", "rest", "rule 8", "rule 8"])

    def test_third_block_is_chosen(self):
        blocks = self.named()
        self.assertEqual([name for name in blocks if blocks[name]["chosen"]], ["BL3"])
        text = subprocess.run([WINNOW, "extract", "-m", "eifce", PAGES / "sample.html"],
                              stdout=subprocess.PIPE, text=True).stdout
        self.assertTrue(text.startswith("The first night") and text.rstrip().endswith("for everybody."), text)


class Vips(unittest.TestCase):
    """EVBE cuts each page into four; VIPS merges the columns, or cuts them to pieces."""

    # The page, and how the two columns that belong apart begin.
    PAGES = {"sample": ("The first night", "Other observatories"), "shop": ("Every kettle is", "Price: 240"),
             "town": ("The council has", "Opening hours"), "manual": ("Choosing a plane", "An edge is")}

    def test_evbe_gives_four(self):
        for page, columns in self.PAGES.items():
            with self.subTest(page=page):
                found = leaves(page)
                self.assertEqual(len(found), 4, starts(found))
                for column in columns:
                    self.assertEqual(sum(text.startswith(column) for _, text in found), 1, column)

    def test_low_pdoc_merges_the_columns(self):
        for page, columns in self.PAGES.items():
            for pdoc in range(1, 6):
                with self.subTest(page=page, pdoc=pdoc):
                    found = leaves(page, "--algorithm", "vips", "--pdoc", pdoc)
                    both = [text for _, text in found if all(column in text for column in columns)]
                    self.assertEqual(len(both), 1, starts(found))

    def test_high_pdoc_cuts_to_pieces(self):
        for page in self.PAGES:
            for pdoc in (9, 10):
                with self.subTest(page=page, pdoc=pdoc):
                    self.assertGreater(len(leaves(page, "--algorithm", "vips", "--pdoc", pdoc)), 8)

    def test_degrees_of_coherence(self):
        for block in record("--algorithm", "vips", "--pdoc", 7, PAGES / "sample.html")["blocks"]:
            self.assertIn(block["doc"], range(1, 11))


# Two columns with text enough to be chosen, and links that make the page as a whole no good choice.
TWO_COLUMNS = """<!doctype html><style>div {{ float: left; width: 300px }}</style><body>
<div><p>{0}</p><p>{0}</p></div><div><p>{1}</p><p>{1}</p></div><div>{2}</div>""".format(
    "The mill grinds the corn of three villages. " * 8, "Its owner sells the flour on the market. " * 6,
    "".join(f"<p><a href=/{n}>Another page of this site</a></p>" for n in range(40)))


class Json(unittest.TestCase):
    def test_blocks(self):
        page = record(PAGES / "sample.html")
        self.assertEqual(page["algorithm"], "evbe")
        self.assertEqual(page["leaves"], 4)
        ids = {block["id"] for block in page["blocks"]}
        for block in page["blocks"]:
            self.assertTrue(block["parent"] is None or block["parent"] in ids and block["parent"] < block["id"])
            self.assertEqual(set(block["box"]), {"x", "y", "width", "height"})
        self.assertEqual(sorted(block["rank"] for block in page["blocks"]), list(range(1, len(ids) + 1)))

    def test_general_parameters_are_totals(self):
        blocks = record(PAGES / "sample.html")["blocks"]
        whole = blocks[0]["gp"]
        named = [block["gp"] for block in blocks if block["name"]]
        for field in ("text_length", "words", "link_text_length", "links", "headings", "paragraphs"):
            self.assertEqual(whole[field], sum(gp[field] for gp in named), field)
        self.assertEqual((whole["links"], whole["headings"], whole["paragraphs"]), (9, 2, 15))

    def test_counts(self):
        gp = record(stdin="<form><p>Two words<input><select><option>a</select><img src=x><svg><g/></svg>")["blocks"][0]["gp"]
        self.assertEqual((gp["controls"], gp["images"]), (2, 2))

    def test_several_pages(self):
        lines = segment(PAGES / "rule4.html", PAGES / "rule5.html").splitlines()
        self.assertEqual([Path(json.loads(line)["id"]).stem for line in lines], ["rule4", "rule5"])

    def test_blocks_option(self):
        for count in (1, 2):
            blocks = record("--blocks", count, stdin=TWO_COLUMNS)["blocks"]
            self.assertEqual(sum(block["chosen"] for block in blocks), count)

    def test_importance_option(self):
        blocks = record("--importance", "size-distance", PAGES / "sample.html")["blocks"]
        for block in blocks:
            gp = block["gp"]
            self.assertAlmostEqual(block["importance"], gp["area"] / max(gp["distance"], 1), delta=block["importance"] / 100 + 1)

    def test_sheets_of_the_user(self):
        with tempfile.TemporaryDirectory() as folder:
            sheet = Path(folder, "hide.css")
            sheet.write_text(".block-b { display: none }")
            texts = [b["text"] for b in record("--text", "--css", sheet, PAGES / "sample.html")["blocks"]]
        self.assertFalse(any("Other observatories" in text for text in texts))

    def test_nothing_to_see(self):
        self.assertIn("has no words: there is nothing to show", segment(stdin="<p></p>", code=3))

    def test_wrong_usage(self):
        self.assertIn("--size", segment("--size", "3x4", stdin="<p>a", code=2))
        self.assertIn("one page", segment("-f", "svg", PAGES / "rule1.html", PAGES / "rule2.html", code=2))
        self.assertIn("pdoc", segment("--pdoc", "11", stdin="<p>a", code=2))
        self.assertIn("vips", segment("--pdoc", "5", stdin="<p>a", code=2))
        self.assertIn("evbe", segment("--algorithm", "vips", "--distance", "2", stdin="<p>a", code=2))

    def test_pages_of_a_file_of_lines(self):
        with tempfile.TemporaryDirectory() as folder:
            lines = Path(folder, "pages.jsonl")
            lines.write_text('{"id": "one", "html": "<p>Some words"}\n{"html": "<p>Others"}\n')
            self.assertEqual([json.loads(line)["id"] for line in segment(lines).splitlines()], ["one", f"{lines}@39"])

    def test_too_large(self):
        done = subprocess.run([WINNOW, "segment"], input=b"<p>a" * 260000, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"is not complete", done.stderr)

    def test_not_a_page(self):
        self.assertIn("looks like a PDF", segment(stdin=b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", code=1))
        self.assertIn("not a web page", segment(stdin=b"\x89PNG\r\n\x1a\n\0\0\0\0", code=1))


class Methods(unittest.TestCase):
    def extract(self, method, page=(PAGES / "sample.html").read_text()):
        return subprocess.run([WINNOW, "extract", "-m", method], input=page, stdout=subprocess.PIPE, text=True).stdout

    def test_fe_takes_the_block_with_most_text(self):
        self.assertTrue(self.extract("fe").startswith("The first night"))

    def test_kfe_takes_a_cluster(self):
        self.assertIn("The first night", self.extract("kfe"))
        self.assertGreaterEqual(len(self.extract("kfe:k=2")), len(self.extract("fe")))

    def test_eifce_takes_several_blocks(self):
        self.assertGreater(len(self.extract("eifce:blocks=2", TWO_COLUMNS)), len(self.extract("eifce", TWO_COLUMNS)))


class Pictures(unittest.TestCase):
    def test_svg(self):
        root = ElementTree.fromstring(segment("-f", "svg", PAGES / "sample.html"))
        texts = [element.text for element in root.iter(f"{SVG}text")]
        self.assertTrue(any("Observatory" in (text or "") for text in texts))
        self.assertIn("1", texts)
        titles = [element.text for element in root.iter(f"{SVG}title")]
        self.assertEqual(len(titles), 4)
        self.assertTrue(titles[-1].startswith("1: rule 8"), titles)  # the chosen one is on top

    def labels(self, html, *args):
        root = ElementTree.fromstring(segment("-f", "svg", *args, stdin=html))
        return [element.text for element in root.iter(f"{SVG}text")]

    def test_text_as_it_is_shown(self):
        labels = self.labels("<p style='text-transform:uppercase'>small caf\u00e9</p><p style='opacity:0'>gone</p>"
                             "<div style='overflow:hidden;height:20px'><p style='margin:0'>seen</p><p>cut off</p></div>")
        joined = " ".join(" ".join(labels).split())
        self.assertIn("SMALL CAF\u00c9", joined)
        self.assertIn("seen", joined)
        self.assertNotIn("gone", joined)
        self.assertNotIn("cut off", joined)

    def test_markers_of_lists(self):
        labels = self.labels("<ul><li>one</ul><ol start=9><li>two<li>three</ol><ol type=i><li>four<li value=4>five</ol>"
                             "<ol type=A><li value=27>six</ol><ul style='list-style:none'><li>seven</ul>")
        for label in ("\u2022", "9.", "10.", "i.", "iv.", "AA."):
            self.assertEqual(labels.count(label), 1, (label, labels))

    def test_controls(self):
        labels = self.labels("<p>Words<input value=Given><input placeholder=Hint><input type=submit><input type=password value=no>"
                             "<select><option>First<option selected>Second</select>")
        for label in ("Given", "Hint", "Submit", "Second"):
            self.assertIn(label, labels)
        self.assertNotIn("First", labels)
        self.assertNotIn("no", labels)

    def test_order_of_painting(self):
        svg = segment("-f", "svg", stdin="<div style='position:absolute;z-index:2;top:0;background:#00f'>Above</div>"
                      "<div style='background:#f00'>Below</div><div style='position:relative;z-index:-1'>Behind</div>").decode()
        places = [svg.index(f">{word}<") for word in ("Behind", "Below", "Above")]
        self.assertEqual(places, sorted(places))
        self.assertLess(svg.index(">Below<"), svg.index("#0000ff"))

    def test_only_blocks(self):
        root = ElementTree.fromstring(segment("-f", "svg", "--only-blocks", PAGES / "sample.html"))
        ranks = [str(b["rank"]) for b in record(PAGES / "sample.html")["blocks"] if b["name"]]
        self.assertEqual(sorted(element.text for element in root.iter(f"{SVG}text")), sorted(ranks))

    def test_png_and_pdf(self):
        try:
            png = segment("-f", "png", PAGES / "sample.html")
        except AssertionError as error:
            if "cairo" in str(error):
                self.skipTest("built without cairo")
            raise
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">I", png[16:20])[0], 1366)
        self.assertEqual(segment("-f", "pdf", PAGES / "sample.html")[:5], b"%PDF-")

    def test_format_by_name(self):
        with tempfile.TemporaryDirectory() as folder:
            segment("-o", Path(folder, "a.svg"), PAGES / "rule1.html")
            self.assertTrue(Path(folder, "a.svg").read_text().startswith("<svg"))


HOSTILE = """<!doctype html><title></title><script>alert(1)</script>
<base href="https://evil.example/"><meta http-equiv=refresh content="0;url=javascript:alert(2)">
<link rel=stylesheet href="https://evil.example/a.css"><style>p{color:red}</style>
<style>/*</sty*/ a::before{content:"</"}</style>
<body onload="alert(3)" background="https://evil.example/b.png">
<p onclick=alert(4) style="color:red" data-winnow="9" data-x='"><script>alert(5)</script>'>One two three</p>
<a href="javascript:alert(6)">x</a><a href=" java&#10;script:alert(7)">y</a><a href="data:text/html,<script>alert(8)</script>">z</a>
<a id=good href="https://example.org/?a=1&amp;b=2">good</a><a href="/relative:path">fine</a>
<svg><script>alert(9)</script><style><img src=x onerror=alert(10)></style><a xlink:href="javascript:alert(11)"><text>t</text></a></svg>
<math><mtext></p><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(12)&gt;"></math>
<iframe srcdoc="<script>alert(13)</script>" src="javascript:alert(14)"></iframe><object data="x"></object><embed src=x>
<noscript><p title="</noscript><img src=x onerror=alert(15)>"></p></noscript>
<form action="javascript:alert(16)"><button formaction="javascript:alert(17)">b</button><input autofocus onfocus=alert(18)></form>
<textarea></textarea><xmp><script>alert(19)</script></xmp><template><script>alert(20)</script></template>
<img src=x onerror=alert(21)><video poster="javascript:alert(22)"></video><p>The last words.</p><plaintext><script>alert(23)</script>"""


class Reader(HTMLParser):
    """Notes every element and attribute, as a browser would see them."""

    def __init__(self):
        super().__init__()
        self.tags, self.attributes = [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attributes]


class Overlay(unittest.TestCase):
    def setUp(self):
        self.html = segment("-f", "html", stdin=HOSTILE).decode()
        self.seen = Reader()
        self.seen.feed(self.html)

    def test_no_scripts(self):
        for tag in ("script", "iframe", "object", "embed", "base", "link", "svg", "math", "img", "template",
                    "noscript", "video", "xmp", "plaintext", "frame"):
            self.assertNotIn(tag, self.seen.tags)

    def test_no_handlers(self):
        self.assertEqual([a for a in self.seen.attributes if a[1].startswith("on")], [])
        self.assertEqual([a for a in self.seen.attributes
                          if a[1] in ("src", "srcdoc", "action", "formaction", "background", "poster", "data", "autofocus")], [])

    def test_no_harmful_addresses(self):
        self.assertEqual([value for _, name, value in self.seen.attributes if name == "href"],
                         ["https://example.org/?a=1&b=2", "/relative:path"])

    def test_policy_comes_first(self):
        self.assertRegex(self.html, r"""<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" """
                                    r"""content="default-src 'none'; style-src 'unsafe-inline';""")
        self.assertEqual(self.seen.tags.count("meta"), 2)

    def test_sheets_that_could_end_early_are_left_out(self):
        self.assertIn("p{color:red}", self.html)
        self.assertNotIn("</sty*/", self.html)

    def test_text_and_names_of_blocks(self):
        self.assertIn("One two three", self.html)
        self.assertIn("The last words.", self.html)
        page = segment("-f", "html", PAGES / "sample.html").decode()
        seen = Reader()
        seen.feed(page)
        titles = [value for _, name, value in seen.attributes if name == "title"]
        self.assertEqual(sum(title.startswith("Block 1 (chosen): rule 8") for title in titles), 1, titles)
        self.assertEqual(sum(name == "data-winnow-leaf" for _, name, _ in seen.attributes), 3)

    @unittest.skipUnless(chromium.find(), "chromium is not installed")
    def test_a_browser_shows_the_text(self):
        with tempfile.TemporaryDirectory() as folder, chromium.Chromium() as browser:
            path = Path(folder, "page.html")
            path.write_text(self.html)
            text = browser.inner_text(path)
        self.assertIn("One two three", text)
        self.assertIn("The last words.", text)


if __name__ == "__main__":
    sys.exit(outside.main(sys.modules[__name__]))
