"""The same bytes as the program: text, Markdown and JSON of all pages of the data sets."""

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import winnow

FORMATS = {"text": ("==> {} <==\n", "\n"), "markdown": ("<!-- {} -->\n\n", "\n"), "jsonl": ("", "")}


def collection(pages, format, name_of=lambda page: page.id):
    """What the program writes for many pages; JSON has the records of pages without text too."""
    start, separator = FORMATS[format]
    parts = []
    for page in pages:
        text = page.write(format)
        if text:
            name = name_of(page)
            if start.startswith("<"):
                name = name.replace(">", "_")  # it must not end the comment
            parts.append(start.format(name) + text if start else text)
    return (separator.join(parts)).encode()


def output(program, format, *inputs):
    name = {"text": "txt", "markdown": "md"}.get(format, format)
    done = subprocess.run([program, "extract", "-q", "-f", name, "--jobs", "2", *inputs], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    return done.stdout


def compare(program, folder, paths):
    pages = list(winnow.extract_many(paths, threads=2, formats=list(FORMATS)))
    for format in FORMATS:
        expected = output(program, format, folder)
        ours = collection(pages, format)
        if hashlib.sha256(ours).digest() != hashlib.sha256(expected).digest():
            for a, b in zip(ours.split(b"\n"), expected.split(b"\n")):
                assert a == b, format
            assert len(ours) == len(expected), format


def html_files(folder):
    return sorted((p for p in folder.rglob("*") if p.suffix in (".html", ".htm", ".xhtml", ".xht", ".shtml")),
                  key=lambda p: bytes(p))


def test_sample_pages(program, sample_pages):
    folder = sample_pages[0].parent
    compare(program, folder, html_files(folder))


@pytest.mark.parametrize("name", ["wcxb-dev", "asia"])
def test_data_set(program, data, name):
    folder = data(name)
    compare(program, folder, html_files(folder))


def test_one_call_gives_the_same_as_many(sample_pages):
    for path, page in zip(sample_pages, winnow.extract_many(sample_pages, threads=2)):
        html = path.read_bytes()
        assert page.text == winnow.extract(html) == winnow.parse(html).text
        assert page.markdown == winnow.extract(html, format="markdown")


def archives(folder):
    names = subprocess.run(["find", folder, "-type", "f"], stdout=subprocess.PIPE, text=True).stdout.split("\n")
    return sorted(Path(n) for n in names if n.endswith((".warc", ".warc.gz", ".arc", ".arc.gz", ".warc.zst", ".warc.lz4", ".wet",
                                                        ".wet.gz", ".wat", ".wat.gz")))


def read_pages(path, lines):
    """The pages of an archive. One of which nothing can be read is an exception here and a record for the program."""
    try:
        pages = winnow.extract_warc(path, threads=2, formats=["jsonl", "text", "markdown"])
    except OSError as error:
        assert [json.loads(line)["status"] for line in lines] == ["unreadable"]
        assert json.loads(lines[0])["error"] in str(error)
        return []
    return [page for page in pages if page.status != "unreadable"]


def test_archives(program, data):
    """Every archive: records of the pages, and text and Markdown of those that have some."""
    different = []
    for path in archives(data("warc")):
        lines = [line for line in output(program, "jsonl", path).split(b"\n") if line]
        pages = read_pages(path, lines)
        # What is wrong with the archive itself is a record for the program, and `error` here.
        expected = [line for line in lines if json.loads(line)["status"] != "unreadable"]
        if [page.write("jsonl").rstrip("\n").encode() for page in pages] != expected:
            different.append((path, "jsonl"))
        for format in ("text", "markdown"):
            if collection(pages, format, lambda page: page.url or page.id) != output(program, format, path):
                different.append((path, format))
    assert not different


def test_texts_of_wet_files(program, tmp_path):
    """Kept as they are, by the program, from archives and from records alike."""
    texts = ["Home\nContact\n\n  The old mill turns again, and <b>many</b> &amp; more came.\n", "Home\n", "Mühle\n"]
    path = tmp_path / "a.warc.wet"
    with open(path, "wb") as file:
        for number, text in enumerate(texts):
            body = text.encode()
            file.write((f"WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Record-ID: <urn:uuid:{number:032x}>\r\n"
                        f"WARC-Target-URI: http://example.org/{number}\r\nContent-Type: text/plain\r\n"
                        f"Content-Length: {len(body)}\r\n\r\n").encode() + body + b"\r\n\r\n")
    wanted = output(program, "jsonl", path)
    for pages in (winnow.extract_warc(path, formats=["jsonl", "text"]),
                  winnow.extract_many(winnow.read_warc(path, pages_only=True), formats=["jsonl", "text"])):
        pages = list(pages)
        assert [page.text for page in pages] == texts
        assert {page.method for page in pages} == {"all"}
        assert b"".join(page.write("jsonl").encode() for page in pages) == wanted
        assert [page.markdown for page in pages][1] == "```\nHome\n```\n"  # parsed again
    assert [record.body.decode() for record in winnow.read_warc(path)] == texts  # and these are as stored
    assert all(record.is_page for record in winnow.read_warc(path))


def test_ranges_of_archives(data):
    """Cut anywhere: every record is in one range."""
    for path in filter(can_be_read, archives(data("warc"))[::7]):
        size = path.stat().st_size
        whole = [(r.offset, r.inner, r.id) for r in winnow.read_warc(path)]
        cuts = [0, size // 3, size // 2, size]
        parts = [(r.offset, r.inner, r.id) for start, end in zip(cuts, cuts[1:])
                 for r in winnow.read_warc(path, start=start, end=end)] if size > 10 else whole
        assert parts == whole, path


def can_be_read(path):
    """False for an archive that needs a dictionary that it does not have; bytes and files are refused alike."""
    try:
        winnow.read_warc(path)
        return True
    except OSError as error:
        for other in (path.read_bytes(), open(path, "rb")):
            with pytest.raises(OSError, match=re.escape(str(error).split(": ", 1)[1])):
                winnow.read_warc(other)
        return False


def test_bytes_paths_and_files_are_read_alike(data):
    for path in filter(can_be_read, archives(data("warc"))[::5]):
        by_path = [(r.offset, r.id, r.body) for r in winnow.read_warc(path)]
        assert [(r.offset, r.id, r.body) for r in winnow.read_warc(path.read_bytes())] == by_path
        with open(path, "rb") as file:
            assert [(r.offset, r.id, r.body) for r in winnow.read_warc(file)] == by_path
        with open(path, "rb") as file:
            assert ([p.text for p in winnow.extract_warc(file)] == [p.text for p in winnow.extract_warc(path)])


if __name__ == "__main__":
    sys.exit(pytest.main([__file__]))
