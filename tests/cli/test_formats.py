#!/usr/bin/env python3
"""`winnow extract -f html|xml|tei|csv` from the outside: what comes out is parsed by Python's own readers.

    test_formats.py build/winnow [-v] [NAME...]

Ends with a line "N passed, N failed, N skipped".
"""

import csv
import html.parser
import io
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

WINNOW = "winnow"
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests/support"))
import outside  # noqa: E402
PAGES = os.path.join(ROOT, "tests/pages")
ARTICLE = os.path.join(PAGES, "article.html")
TEI = "{http://www.tei-c.org/ns/1.0}"
XML_NAMESPACE = "{http://www.w3.org/XML/1998/namespace}"
VOID = {"meta", "link", "br", "img", "hr", "input"}

RICH = """<!doctype html><html lang="en"><head><title>Mills &amp; "wheels"</title>
<meta name="author" content="Jane Miller"><meta name="keywords" content="mill, wheel"></head><body>
<p>Before &lt;all&gt; headings.</p><h1>Mills &amp; "wheels"</h1><p>One<br>two &amp; three, <a href="/x?a=1&amp;b='2'">there</a>.</p>
<h3>Wheels</h3><ul><li>Oak<ol start=4><li>old<li>older</ol><li><p>Elm</p><p>and ash</p></ul>
<blockquote><p>A quotation</p><ul><li>with an item</ul></blockquote>
<h2>Harvests</h2><table><caption>By <code>year</code></caption><tr><th>Year<th>Corn<tr><td>1911<td>12<tr><td><td>9</table>
<dl><dt>Chaff<dd>flies<dt>Grain<dd>stays</dl><pre class="language-c">if (a &lt; b &amp;&amp; c)
\tgrind();</pre><p>Last, \x01 and \ufffe.</p></body></html>"""


def extract(*args, stdin=b"", **more):
    if isinstance(stdin, str):
        stdin = stdin.encode()
    return subprocess.run([WINNOW, "extract", "-q", *args], input=stdin, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60, **more)


class Checker(html.parser.HTMLParser):
    """Reads HTML and sees to it that every element is closed, in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.words, self.found = [], [], []
        self.feed(text)
        self.close()
        assert self.open == [], self.open

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        self.words.append(" ")

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (self.open, tag)
        self.open.pop()
        self.words.append(" ")

    def handle_data(self, data):
        if "head" not in self.open:
            self.words.append(data)


def words(text):
    return re.findall(r"\w+", text)


def without_numbers(text):
    """Plain text without the numbers of items, which are attributes in HTML and XML."""
    return re.sub(r"^ *\d+\. ", "", text, flags=re.MULTILINE)


def spaced(element):
    """The text of an element, with a space at every tag."""
    return " ".join(element.itertext())


class Base(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def text(self, *args, code=0, **more):
        done = extract(*args, **more)
        self.assertEqual(done.returncode, code, done.stderr.decode())
        return done.stdout.decode()

    def pages(self):
        return sorted(os.path.join(folder, name) for folder, _, names in os.walk(PAGES)
                      for name in names if name.endswith(".html"))


class Html(Base):
    def test_elements(self):
        page = self.text("-m", "all", "-f", "html", "--links", "--url", "http://a.example/", stdin=RICH)
        self.assertTrue(page.startswith('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta http-equiv='))
        for part in ('<meta name="author" content="Jane Miller">', "<p>Before &lt;all&gt; headings.</p>",
                     "<h1>Mills &amp; &quot;wheels&quot;</h1>", "One<br>two &amp; three", "<h3>Wheels</h3>", "<li>Oak", '<ol start="4">',
                     "<p>and ash</p>", "<blockquote>\n<p>A quotation</p>", "<caption>By <code>year</code></caption>",
                     "<tr><th>Year</th><th>Corn</th></tr>", "<tr><td></td><td>9</td></tr>",
                     "<dl>\n<dt>Chaff</dt>\n<dd>flies</dd>", '<pre><code class="language-c">if (a &lt; b &amp;&amp; c)\n\tgrind();'):
            self.assertIn(part, page)
        found = dict(Checker(page).found)
        self.assertEqual(found["a"], {"href": "http://a.example/x?a=1&b=%272%27"})
        self.assertNotIn("<a ", self.text("-m", "all", "-f", "html", stdin=RICH))

    def policy(self, *args):
        """The rules that a written page has for browsers, by their names."""
        page = self.text("-m", "all", "-f", "html", "--images", *args)
        self.assertIn('<img src="', page)
        head = page[:page.index("<title>")]  # before anything that could be loaded
        content, = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', head)
        return dict(rule.strip().partition(" ")[::2] for rule in content.split(";"))

    def test_saved_pages_load_nothing(self):
        pages = []
        for name in ("a.html", "b.html"):
            pages.append(os.path.join(self.folder.name, name))
            with open(pages[-1], "w", encoding="utf-8") as file:
                file.write("<p>A mill <img src='https://example.org/mill.png' alt='mill' width=400 height=300> and its wheel.")
        for inputs in (pages[:1], pages):  # one page, and several in one document
            policy = self.policy(*inputs)
            self.assertEqual((policy["default-src"], policy["img-src"]), ("'none'", "data:"))
            self.assertEqual((policy["base-uri"], policy["form-action"]), ("'none'", "'none'"))
            loading = self.policy("--load-images", *inputs)
            self.assertEqual(loading.pop("img-src"), "data: http: https:")
            self.assertEqual(loading, {name: rule for name, rule in policy.items() if name != "img-src"})

    def test_every_page_has_the_same_words_as_text(self):
        for method in ("all", "auto", "bte"):
            for path in self.pages():
                plain = extract("-m", method, path)
                page = extract("-m", method, "-f", "html", "--no-title", path).stdout.decode()
                self.assertEqual(words(" ".join(Checker(page).words)), words(without_numbers(plain.stdout.decode())), path)

    def test_many_pages(self):
        page = self.text("-f", "html", ARTICLE, ARTICLE)
        articles = [attrs for tag, attrs in Checker(page).found if tag == "article"]
        self.assertEqual([a["data-id"] for a in articles], [ARTICLE, ARTICLE])
        Checker(self.text("-f", "html", self.folder.name, code=1))


class Xml(Base):
    def test_elements(self):
        root = ElementTree.fromstring(self.text("-m", "all", "-f", "xml", "--links", "--url", "http://a.example/",
                                                stdin=RICH))
        self.assertEqual(root.tag, "doc")
        self.assertEqual({key: root.get(key) for key in ("id", "url", "status", "method", "title", "author", "tags")},
                         {"id": "-", "url": "http://a.example/", "status": "ok", "method": "all",
                          "title": 'Mills & "wheels"', "author": "Jane Miller", "tags": "mill; wheel"})
        main = root.find("main")
        self.assertEqual([head.get("rend") for head in main.iter("head") if head.get("rend")], ["h1", "h3", "h2"])
        self.assertEqual(main.find("p/ref").get("target"), "http://a.example/x?a=1&b=%272%27")
        self.assertEqual([len(row) for row in main.iter("row")], [2, 2, 2])
        self.assertEqual(main.find("table/head").text, "By ")
        self.assertEqual([cell.get("role") for cell in main.iter("cell")][:3], ["head", "head", None])
        self.assertEqual(main.find("list/item/list").get("rend"), "ol")
        code = next(code for code in main.iter("code") if code.get("lang"))
        self.assertEqual((code.get("lang"), code.text), ("c", "if (a < b && c)\n\tgrind();"))

    def test_every_page_has_the_same_words_as_text(self):
        for form, main in (("xml", "main"), ("tei", f".//{TEI}body")):
            for path in self.pages():
                plain = extract("-m", "all", path)
                page = extract("-m", "all", "-f", form, "--no-title", path)
                root = ElementTree.fromstring(page.stdout)
                self.assertEqual(words(spaced(root.find(main))), words(without_numbers(plain.stdout.decode())), path)

    def test_many_pages_and_failures(self):
        binary = os.path.join(self.folder.name, "a\x01<&>.html")
        with open(binary, "wb") as file:
            file.write(b"%PDF-1.4 \x00")
        root = ElementTree.fromstring(self.text("-f", "xml", ARTICLE, binary, "/no/such/file", code=1))
        self.assertEqual(root.tag, "corpus")
        self.assertEqual([doc.get("status") for doc in root], ["ok", "not-html", "unreadable"])
        self.assertEqual(root[1].get("id"), binary.replace("\x01", " "))
        self.assertIn("PDF", root[1].get("error"))
        self.assertEqual(len(ElementTree.fromstring(self.text("-f", "tei", ARTICLE, binary, code=1))), 2)

    def test_jobs_change_nothing(self):
        for form in ("html", "xml", "tei", "csv"):
            made = {extract("-f", form, "-j", jobs, PAGES).stdout for jobs in ("1", "2", "5")}
            self.assertEqual(len(made), 1)


class Tei(Base):
    def check_divisions(self, parent):
        """<head> begins a division, and after a division there is nothing but divisions."""
        seen_division = False
        for place, child in enumerate(parent):
            tag = child.tag.removeprefix(TEI)
            if tag == "head":
                self.assertEqual((place, parent.tag), (0, TEI + "div"))
            if tag == "div":
                seen_division = True
                self.check_divisions(child)
            else:
                self.assertFalse(seen_division, tag)

    def test_header(self):
        root = ElementTree.fromstring(self.text("-f", "tei", ARTICLE))
        self.assertEqual(root.tag, TEI + "TEI")
        self.assertEqual(root.get(XML_NAMESPACE + "lang"), "en")
        names = {"": TEI[1:-1]}
        header = root.find("teiHeader", names)
        self.assertEqual([part.tag.removeprefix(TEI) for part in header], ["fileDesc", "encodingDesc", "profileDesc"])
        self.assertEqual([part.tag.removeprefix(TEI) for part in header[0]],
                         ["titleStmt", "publicationStmt", "sourceDesc"])
        self.assertEqual(header.find("fileDesc/titleStmt/title", names).text, "How winnowing separates grain from chaff")
        self.assertEqual(header.find("fileDesc/titleStmt/author", names).text, "Marta Lindqvist")

    def test_divisions(self):
        body = ElementTree.fromstring(self.text("-m", "all", "-f", "tei", stdin=RICH)).find(f".//{TEI}body")
        self.check_divisions(body)
        self.assertEqual([child.tag.removeprefix(TEI) for child in body], ["p", "div"])
        self.assertEqual([head.text for head in body.iter(TEI + "head")][:3], ['Mills & "wheels"', "Wheels", "Harvests"])
        mills = body[1]
        self.assertEqual([child.tag.removeprefix(TEI) for child in mills], ["head", "p", "div", "div"])
        for path in self.pages():
            self.check_divisions(ElementTree.fromstring(extract("-m", "all", "-f", "tei", path).stdout)
                                 .find(f".//{TEI}body"))

    def test_nothing_in_it(self):
        root = ElementTree.fromstring(self.text("-f", "tei", stdin="<html><body></body></html>", code=3))
        self.assertEqual([child.tag for child in root.find(f".//{TEI}body")], [TEI + "p"])


class Csv(Base):
    def rows(self, *args, **more):
        return list(csv.DictReader(io.StringIO(self.text("-f", "csv", *args, **more), newline="")))

    def test_fields_that_look_like_formulas(self):
        page = "<title>=1+2 is a title of a page</title><p>@SUM(A1) and more text"
        plain, = self.rows("-m", "all", stdin=page.encode())
        safe, = self.rows("-m", "all", "--csv-safe", stdin=page.encode())
        self.assertEqual((plain["title"][0], plain["text"][0]), ("=", "@"))
        self.assertEqual((safe["title"][:2], safe["text"][:2]), ("'=", "'@"))
        self.assertEqual({k: v for k, v in plain.items() if k not in ("id", "title", "text")},
                         {k: v for k, v in safe.items() if k not in ("id", "title", "text")})

    def test_rows(self):
        plain = self.text("-m", "all", stdin=RICH)
        row, = self.rows("-m", "all", "--url", "http://a.example/", stdin=RICH)
        self.assertEqual({key: row[key] for key in ("id", "url", "status", "error", "method", "title", "author")},
                         {"id": "-", "url": "http://a.example/", "status": "ok", "error": "", "method": "all",
                          "title": 'Mills & "wheels"', "author": "Jane Miller"})
        self.assertEqual((row["tags"], row["text"]), ("mill; wheel", plain))

    def test_failures_have_rows(self):
        rows = self.rows("/no/such, file", ARTICLE, code=1)
        self.assertEqual([row["status"] for row in rows], ["unreadable", "ok"])
        self.assertEqual(rows[0]["id"], "/no/such, file")
        self.assertEqual(self.rows(self.folder.name, code=1)[0]["status"], "unreadable")


class Options(Base):
    def test_no_tables(self):
        for form in ("txt", "md", "html", "xml", "tei"):
            page = self.text("-m", "all", "-f", form, "--no-tables", stdin=RICH)
            self.assertNotIn("1911", page)
            self.assertNotIn("<table", page)
            self.assertIn("Grain", page)
        explained = self.text("-m", "all", "--no-tables", "--explain=full", stdin=RICH)
        self.assertRegex(explained, r"dropped +cell +in a table")

    def test_formatting(self):
        page = "<p>A <b>bold</b> and <i>soft</i> word."
        for form, bold in (("md", "**bold**"), ("html", "<strong>bold</strong>"), ("xml", '<hi rend="bold">bold</hi>'),
                           ("tei", '<hi rend="italic">soft</hi>')):
            self.assertIn(bold, self.text("-m", "all", "-f", form, "--formatting", stdin=page))
            self.assertNotIn(bold, self.text("-m", "all", "-f", form, stdin=page))
        self.assertEqual(self.text("-m", "all", "--formatting", stdin=page), "A bold and soft word.\n")

    def test_images(self):
        page = "<figure><img src=/a.png alt='A \"mill\"'><figcaption>Seen</figcaption></figure>"
        for form, image in (("md", "![A \"mill\"](http://a.example/a.png)"),
                            ("html", '<img src="http://a.example/a.png" alt="A &quot;mill&quot;">'),
                            ("xml", '<graphic url="http://a.example/a.png"><desc>'), ("tei", "<graphic ")):
            options = ("-m", "all", "-f", form, "--url", "http://a.example/")
            self.assertIn(image, self.text(*options, "--images", stdin=page))
            self.assertNotIn(image, self.text(*options, stdin=page))

    def test_image_in_text_that_is_kept_without_the_caption(self):
        text = "<p>The old mill has stood on the hill for two hundred years, and it still grinds the corn of the village.</p>"
        page = f"<html lang=en><title>Mill</title><article><h1>Mill</h1>{text}<figure><a href=/b><img src=/a.png alt=Mill></a>" \
            f"<figcaption>Seen in May</figcaption></figure>{text.replace('old', 'new')}</article>"
        shown = self.text("-f", "md", "--images", "--without", "caption", "--url", "http://a.example/", stdin=page)
        self.assertIn("years, and it still grinds the corn of the village.\n\n![Mill](http://a.example/a.png)\n\nThe new mill", shown)
        self.assertNotIn("May", shown)

    def test_options_never_change_the_words(self):
        for path in self.pages():
            for form in ("html", "xml", "tei"):
                plain = extract("-m", "all", "-f", form, path)
                shown = extract("-m", "all", "-f", form, "--links", "--formatting", "--images", path)
                read = (lambda t: words(" ".join(Checker(t.decode()).words))) if form == "html" else (
                    lambda t: words(re.sub(r"<desc>.*?</desc>|<[^>]*>", " ", t.decode().split("</teiHeader>")[-1])))
                self.assertEqual("".join(read(shown.stdout)), "".join(read(plain.stdout)), path)

    def test_deep_pages_take_no_longer(self):
        """A step for every element around a block would take minutes."""
        for part in ("<ul><li>some words ", "<blockquote><dl><dt>words ", "<table><tr><td>words ", "<div><img src=x></div>",
                     "<b>some</b> <i>words</i> <a href=x>here</a> "):
            for method in ("lineblock:ttr=0", "all"):
                for form in ("md", "tei"):
                    self.text("-m", method, "-f", form, "--links", "--formatting", "--images",
                              stdin=f"<p>{part * 200000}<p>end")

    def test_explain_has_its_own_form(self):
        for form in ("html", "xml", "tei", "csv"):
            done = extract("-f", form, "--explain", ARTICLE)
            self.assertEqual(done.returncode, 2)
            self.assertIn(b"--explain", done.stderr)


if __name__ == "__main__":
    sys.exit(outside.main(sys.modules[__name__]))
