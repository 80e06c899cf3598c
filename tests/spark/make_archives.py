#!/usr/bin/env python3
"""Seven archives for the tests of winnow.spark: gzip, zstd, plain WARC, ARC-like names in two folders, JSON lines, one damaged.

    tests/spark/make_archives.py OUT [--pages 2000] [--source FOLDER]

Pages come from a folder of HTML files, or are made up if there is none. Some are copies of others, some near copies; pages of a
host share some lines; one host has half of all pages. Everything is the same in every run.
"""

import argparse
import gzip
import json
import random
import uuid
from pathlib import Path

WORDS = ("mill river wheat bread village stone bridge morning market garden winter letter music school ship lamp forest "
         "mountain paper engine window doctor season island carpet silver thunder basket candle harvest").split()


def made_up(chance):
    sentences = [" ".join(chance.choice(WORDS) + (str(chance.randrange(50)) if chance.random() < 0.2 else "")
                          for _ in range(chance.randrange(8, 20))) for _ in range(chance.randrange(6, 14))]
    body = "".join(f"<p>The {s}, and so it was said in the old house by the water.</p>" for s in sentences)
    return (f"<!doctype html><html lang='en'><head><title>{sentences[0].title()}</title></head><body>"
            f"<nav><a href='/'>Home</a> <a href='/news'>News</a></nav><article><h1>{sentences[0].title()}</h1>{body}</article>"
            "</body></html>").encode()


def template(html, host):
    """The same lines on every page of a host."""
    lines = f"<p>Readers of {host} receive a letter every week with all that is new.</p><p>The house of {host} is open on Sunday.</p>"
    at = html.find(b"</body>")
    return html + lines.encode() if at < 0 else html[:at] + lines.encode() + html[at:]


def make_pages(count, source):
    chance = random.Random(11)
    originals = sorted(Path(source).rglob("*.html")) if source else []
    chance.shuffle(originals)
    pages = []
    for i in range(count):
        if i > 20 and i % 11 == 0:
            url, html = pages[chance.randrange(i)]
        elif i > 20 and i % 5 == 0:
            url, html = pages[chance.randrange(i)]
            words = html.split(b" ")
            for _ in range(2):
                words[chance.randrange(len(words))] += b" edited"
            html = b" ".join(words)
        else:
            html = originals[i % len(originals)].read_bytes() if originals else made_up(chance)
        host = "large.example" if i % 2 else f"host{i % 46 // 2}.example"
        pages.append((f"https://{host}/{i}", template(html, host)))
    return pages


def warc_record(number, url, kind, content_type, block):
    return (f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Date: 2026-01-31T12:00:00Z\r\nWARC-Record-ID: <urn:uuid:{uuid.UUID(int=number)}>"
            f"\r\nWARC-Target-URI: {url}\r\nContent-Type: {content_type}\r\nContent-Length: {len(block)}"
            "\r\n\r\n").encode() + block + b"\r\n\r\n"


def record(number, url, body):
    response = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    return warc_record(number, url, "response", "application/http; msgtype=response", response)


def text_record(number, url, text):
    """As in WET files."""
    return warc_record(number, url, "conversion", "text/plain", text)


def compress_gzip(data):
    return gzip.compress(data, 6, mtime=0)


def compress_zstd(data):
    import pyarrow
    return pyarrow.compress(data, codec="zstd", asbytes=True)


def damage(path):
    """Overwrites some bytes in the middle: a record or two are lost."""
    data = bytearray(path.read_bytes())
    at = len(data) // 2
    data[at:at + 200] = b"\xff" * min(200, len(data) - at)
    path.write_bytes(data)


ARCHIVES = [("news/a.warc.gz", compress_gzip), ("news/b.warc", bytes), ("news/c.warc.zst", compress_zstd),
            ("shop/d.warc.gz", compress_gzip), ("shop/damaged.warc.gz", compress_gzip), ("shop/e.jsonl.gz", None),
            ("shop/f.warc.gz", compress_gzip)]


def write_archive(path, pages, first, compress):
    path.parent.mkdir(parents=True, exist_ok=True)
    if compress is None:
        lines = (json.dumps({"url": url, "html": html.decode("utf-8", "replace")}) + "\n" for url, html in pages)
        path.write_bytes(compress_gzip("".join(lines).encode()))
        return
    with open(path, "wb") as file:
        for i, (url, html) in enumerate(pages):
            file.write(compress(record(first + i, url, html)))


def make(out, count=2000, source=None):
    """The paths of the archives, in order."""
    out = Path(out)
    pages = make_pages(count, source)
    share = -(-count // len(ARCHIVES))
    paths = []
    for i, (name, compress) in enumerate(ARCHIVES):
        path = out / name
        write_archive(path, pages[i * share:(i + 1) * share], i * share, compress)
        if "damaged" in name:
            damage(path)
        paths.append(path)
    return paths


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out")
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--source")
    options = parser.parse_args()
    for path in make(options.out, options.pages, options.source):
        print(path)


if __name__ == "__main__":
    main()
