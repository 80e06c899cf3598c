"""Every public name, right and wrong use."""

import array
import io
import json
import pickle
from pathlib import Path

import pytest
import winnow

HTML = "<title>Bread</title><nav><a href='/'>Home</a></nav><h1>Bread</h1><p>Take <b>flour</b> and <a href='w'>water</a>.</p>"


def test_extract_takes_str_and_every_buffer():
    expected = "Bread\n\nTake flour and water.\n"
    data = HTML.encode()
    for page in (HTML, data, bytearray(data), memoryview(data), memoryview(b" " + data)[1:], array.array("B", data)):
        assert winnow.extract(page) == expected


def test_extract_is_never_none():
    for nothing in ("", b"", "<p>", b"%PDF-1.7 \x00\x01", b"\x00" * 50, "<html></html>"):
        assert winnow.extract(nothing) == ""


def test_str_is_unicode_whatever_it_declares():
    page = "<meta charset=windows-1252><h1>Crème</h1><p>Brûlée für zwölf Köche, 1 €.</p>"
    assert "Brûlée für zwölf Köche, 1 €." in winnow.extract(page)
    assert winnow.parse(page).encoding == "UTF-8"
    assert winnow.parse(page.encode("cp1252")).encoding == "windows-1252"


def test_surrogates_and_nul():
    assert "Take" in winnow.extract("<h1>Bread</h1><p>Take \ud800 flour \x00 and water")
    assert isinstance(winnow.extract(HTML, url="http://a.example/"), str)


@pytest.mark.parametrize("name", ["text", "txt", "markdown", "md", "json", "jsonl", "html", "xml", "tei", "csv"])
def test_formats(name):
    assert "flour" in winnow.extract(HTML, format=name)


def test_options_change_what_is_shown():
    assert winnow.extract(HTML, format="markdown", links=True, url="http://a.example/b/") == (
        "# Bread\n\nTake flour and [water](http://a.example/b/w).\n")
    assert winnow.extract(HTML, format="markdown", formatting=True) == "# Bread\n\nTake **flour** and water.\n"
    assert winnow.extract(HTML, method="all").startswith("Home")
    assert winnow.extract(HTML, format="html", standalone=True).startswith("<!DOCTYPE html>")


@pytest.mark.parametrize("options, error", [
    ({"method": "nope"}, "choose from: auto"),
    ({"method": "lineblock:rulez=all"}, "rule"),
    ({"method": 3}, "method must be a str"),
    ({"format": "pdf"}, "there are text, markdown"),
    ({"format": None}, "format must be a str"),
    ({"timeout": 0}, "more than 0"),
    ({"timeout": float("nan")}, "more than 0"),
    ({"timeout": "soon"}, "number of seconds"),
    ({"max_bytes": -1}, "a whole number from 0"),
    ({"max_bytes": 2**70}, "a whole number from 0"),
    ({"max_bytes": 1.5}, "an int"),
    ({"max_depth": 10**9}, "65535"),
    ({"url": b"x"}, "url must be a str"),
    ({"url": "a\0b"}, "NUL"),
    ({"url": "\ud800"}, "surrogate"),
    ({"site": "x"}, "winnow.Site"),
    ({"model": b"x"}, "not a model"),
    ({"precision": True, "recall": True}, "exclude"),
    ({"colour": "red"}, "there are url, charset"),
])
def test_wrong_options_say_what_is_allowed(options, error):
    for call in (lambda: winnow.extract(HTML, **options), lambda: winnow.Extractor(**options),
                 lambda: winnow.parse(HTML, **options), lambda: winnow.extract_many([], **options)):
        with pytest.raises((ValueError, TypeError)) as raised:
            call()
        assert error in str(raised.value)


@pytest.mark.parametrize("call", [
    lambda: winnow.extract(), lambda: winnow.extract(None), lambda: winnow.extract(3), lambda: winnow.extract(HTML, "x"),
    lambda: winnow.parse(), lambda: winnow.parse([]), lambda: winnow.Extractor(1), lambda: winnow.Extractor().extract(),
    lambda: winnow.Extractor().extract(HTML, method="bte"), lambda: winnow.extract_many(), lambda: winnow.extract_many(HTML),
    lambda: winnow.extract_many(3), lambda: winnow.extract_many([], threads="x"), lambda: winnow.Page(),
    lambda: winnow.read_warc(3), lambda: winnow.read_warc(b"", colour=1), lambda: winnow.to_arrow(3),
    lambda: winnow.to_arrow([], columns="text"), lambda: winnow.words(b"x"), lambda: winnow.Site().learn(3),
    lambda: winnow.Site().merge(3), lambda: winnow.Record(), lambda: winnow.parse(HTML).select(3),
    lambda: winnow.parse(HTML).write("text", colour=1),
])
def test_wrong_calls_are_type_errors(call):
    with pytest.raises(TypeError):
        call()


@pytest.mark.parametrize("call", [
    lambda: winnow.extract_many([], threads=0), lambda: winnow.extract_many([], formats=["pdf"]),
    lambda: winnow.to_arrow([], columns=["colour"]), lambda: winnow.to_arrow([], columns=[]),
    lambda: winnow.to_arrow([], batch_size=0), lambda: winnow.read_warc(b"", kind="zip"),
    lambda: winnow.read_warc(b"", start=-1), lambda: winnow.evaluate("a", "b", measure="x"),
    lambda: winnow.Site.load(b"x"), lambda: winnow.parse(HTML).select("nope"),
])
def test_wrong_values_are_value_errors(call):
    with pytest.raises(ValueError):
        call()


def test_page(article):
    page = winnow.parse(article, url="https://fieldandbarn.example/a/b")
    assert page.status == "ok" and page.limited == () and page.error == "" and page.type == "article"
    assert page.text.startswith("How winnowing") and page.markdown.startswith("# How winnowing")
    assert page.html.startswith("<article")
    assert page.title == "How winnowing separates grain from chaff"
    assert page.authors == ("Marta Lindqvist",) and page.published == "2023-09-14T08:30:00+02:00"
    assert page.language == "en" and page.encoding == "UTF-8" and page.method == "auto"
    assert 0 < page.confidence <= 1 and page.url == "https://fieldandbarn.example/a/b"
    assert page.metadata.site == "Field & Barn" and page.metadata.authors == page.authors
    assert page.blocks[0].kind == "heading" and all(block.kept for block in page.blocks)
    assert any(link.text == "Marta Lindqvist" for link in page.select("all").links) and page.images[0].url.endswith("basket.jpg")
    assert json.loads(page.json())["title"] == page.title
    assert page.write("json", blocks=True) != page.json() and "](" in page.select("all").write("md", links=True)
    assert "winnow.Page" in repr(page)


def test_select_and_explain_use_the_same_parse(article):
    page = winnow.parse(article)
    other = page.select("all")
    assert other.method == "all" and len(other.text) > len(page.text)
    assert page.method == "auto" and page.text == winnow.extract(article)
    reasons = page.explain()
    assert [b.text for b in reasons if b.kept] == [b.text for b in page.blocks]
    assert all(b.reason and b.path for b in reasons)
    del page
    assert other.select("bte").text == winnow.extract(article, method="bte")


def test_more_pages_than_keep_their_tree(article):
    pages = [winnow.parse(article.replace(b"Waiting", b"Waiting %d" % i)) for i in range(60)]
    others = [page.select("all") for page in pages]
    for i, (page, other) in enumerate(zip(pages, others)):
        assert f"Waiting {i} for" in page.markdown and f"Waiting {i} for" in other.text
        assert page.title and page.blocks and page.select("bte").status == "ok"


def test_comments():
    posts = "".join(f"<div class=comment><b>Reader {i}</b><p>I tried this and it went very well, thank you {i}.</p></div>"
                    for i in range(8))
    body = "<p>" + "A long paragraph about bread, which explains in detail how it is made. " * 8 + "</p>"
    html = f"<html><body><article><h1>Bread</h1>{body * 4}</article><section id=comments><h2>8 Comments</h2>{posts}</section>"
    page = winnow.parse(html, comments=True)
    kept = {block.text for block in page.blocks}
    without = {block.text for block in winnow.parse(html, comments=False).blocks}
    assert {block.text for block in page.comments} == kept - without


def test_limits():
    html = "<h1>Bread</h1>" + "<p>Take flour and water, and let it rest for an hour or two.</p>" * 2000
    page = winnow.parse(html, max_bytes=5000)
    assert page.status == "partial" and page.limited == ("bytes",)
    assert 0 < len(page.text) < 6000
    assert winnow.parse(html, max_nodes=100).limited == ("nodes",)
    assert "memory" in winnow.parse(html, max_memory=100_000).limited
    assert winnow.parse(b"%PDF-1.4\n\x00\x01").status == "not-html"


def test_extractor():
    x = winnow.Extractor(format="markdown", links=True, timeout=2)
    assert x.extract(HTML, url="http://a.example/") == "# Bread\n\nTake flour and [water](http://a.example/w).\n"
    assert x.extract(HTML.encode("utf-16"), charset="utf-16le").startswith("# Bread")
    assert x.parse(HTML).markdown == x.extract(HTML)
    assert x.options == {"format": "markdown", "links": True, "timeout": 2}
    assert repr(x) == "winnow.Extractor(format='markdown', links=True, timeout=2)"


def test_site():
    pages = [f"<p>Subscribe to our newsletter today</p><h1>Page {i}</h1><p>{'Something new about day %d. ' % i * 9}</p>"
             for i in range(20)]
    whole, left, right = winnow.Site(), winnow.Site(), winnow.Site()
    for i, page in enumerate(pages):
        whole.learn(page)
        (left if i % 2 else right).learn(page.encode())
    left.merge(right)
    with pytest.raises(ValueError, match="with itself"):
        left.merge(left)
    assert left.pages == 20 and left.save() == whole.save()
    assert winnow.Site.load(whole.save()).save() == whole.save() == winnow.Site(whole.save()).save()
    x = winnow.Extractor(site=whole, method="all")
    assert "Subscribe" not in x.extract(pages[0]) and "Subscribe" in winnow.extract(pages[0], method="all")
    assert pickle.loads(pickle.dumps(x)).extract(pages[0]) == x.extract(pages[0])


def test_pickles(article):
    page = winnow.parse(article, url="http://a.example/", method="bte")
    for value in (page, page.select("all"), winnow.Record(article, url="http://b.example/", offset=3),
                  page.metadata, page.blocks, page.links):
        copy = pickle.loads(pickle.dumps(value))
        if isinstance(value, winnow.Page):
            assert (copy.text, copy.url, copy.method, copy.json()) == (value.text, value.url, value.method, value.json())
        elif isinstance(value, winnow.Record):
            assert (copy.body, copy.url, copy.offset) == (value.body, value.url, value.offset)
        else:
            assert copy == value


def test_words():
    assert winnow.words("The cat, the CAT!", "en", lower=True) == ["the", "cat", "the", "cat"]
    assert winnow.words("The cat, the CAT!", "en", stopwords=False) == ["cat", "CAT"]
    assert winnow.words("l'homme", "fr") == ["l", "homme"] and winnow.words("") == []
    assert winnow.words("a\ud800b") == ["a", "b"]


def test_words_are_those_of_the_program(program, tmp_path):
    import subprocess
    text = "ฉันรักภาษาไทย\nL'homme est là, aujourd'hui.\n中文分词 3.14 well-known\n"
    (tmp_path / "t.txt").write_text(text)
    out = subprocess.run([program, "words", "--text", "--join", "\n", tmp_path / "t.txt"], stdout=subprocess.PIPE, check=True)
    assert winnow.words(text) == out.stdout.decode().split("\n")[:-1]


def test_evaluate():
    score = winnow.evaluate("the the the cat", "the cat the dog")
    assert (score.precision, score.recall, score.f1) == (0.75, 0.75, 0.75)
    assert winnow.evaluate("", "").f1 == 1 and winnow.evaluate("a", "").f1 == 0
    assert winnow.evaluate("a b c d", "b c d e", measure="lcs").f1 == 0.75


def test_methods():
    names = [method.name for method in winnow.methods()]
    assert names[0] == "auto" and "lineblock" in names
    for method in winnow.methods():
        if not method.needs_noise:
            assert isinstance(winnow.extract(HTML, method=method.name), str)


def test_records(tmp_path):
    lines = b'{"html": "<p>One fish", "url": "http://a.example/", "id": "x"}\n{"html": "<p>Two fish"}\n'
    (tmp_path / "a.jsonl").write_bytes(lines)
    for source in (lines, bytearray(lines), tmp_path / "a.jsonl", str(tmp_path / "a.jsonl"), io.BytesIO(lines)):
        records = list(winnow.read_warc(source))
        assert [r.html for r in records] == [b"<p>One fish", b"<p>Two fish"]
        assert records[0].url == "http://a.example/" and records[0].id == "x"
    with pytest.raises(FileNotFoundError):
        winnow.read_warc(tmp_path / "nope")
    with pytest.raises(TypeError, match="binary"):
        list(winnow.read_warc(io.StringIO("{}")))


def test_file_object_that_fails():
    class Broken:
        def read(self, size):
            raise OSError("the disk is gone")
    with pytest.raises(OSError, match="the disk is gone"):
        list(winnow.read_warc(Broken()))
    with pytest.raises(OSError, match="the disk is gone"):
        list(winnow.extract_warc(Broken()))


def test_program_is_inside():
    import subprocess
    import sys
    out = subprocess.run([sys.executable, "-m", "winnow", "--version"], stdout=subprocess.PIPE, check=True, text=True)
    assert out.stdout.split()[1] == winnow.__version__
    assert Path(winnow.__file__).parent.joinpath("bin/winnow").exists()
