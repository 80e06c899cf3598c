"""Hostile pages: none raises, none takes longer than its time."""

import time

import winnow


def test_hostile_pages_in_time(data):
    x = winnow.Extractor(timeout=0.5)
    slow = []
    files = sorted(p for p in data("hostile").rglob("*") if p.is_file())
    for path in files:
        html = path.read_bytes()
        start = time.process_time()
        x.extract(html)
        used = time.process_time() - start
        if used > 0.6:
            slow.append((path.name, used))
    assert not slow and len(files) > 1000


def test_hostile_pages_on_threads(data):
    files = sorted(p for p in data("hostile").rglob("*") if p.is_file())
    pages = list(winnow.extract_many(files, threads=2, timeout=0.5, formats=["text", "markdown", "json"]))
    assert [p.id for p in pages] == [str(p) for p in files]
    assert {p.status for p in pages} <= {"ok", "empty", "partial", "not-html", "too-large", "no-memory"}


def test_every_method_and_format_on_some(data):
    files = sorted(p for p in data("hostile").rglob("*") if p.is_file() and p.stat().st_size < 20_000)[::40]
    for path in files:
        page = winnow.parse(path.read_bytes(), timeout=0.5)
        for method in winnow.methods():
            if method.needs_noise:
                continue
            other = page.select(method.name)
            for name in ("text", "markdown", "html", "json", "xml", "tei", "csv"):
                assert isinstance(other.write(name, links=True, images=True), str)
            assert isinstance(other.explain(), list) and isinstance(other.metadata.title, str)


def test_deep_and_long():
    for html in ("<div>" * 200_000 + "x", "<p>" + "x" * 5_000_000, "<a href='" + "x" * 1_000_000, "<b>" * 100_000,
                 "<table>" * 20_000 + "x", "<!--" * 100_000, "&amp" * 500_000, "\ud800" * 10_000):
        page = winnow.parse(html, timeout=0.5)
        assert page.status in ("ok", "empty", "partial", "not-html")
