#!/usr/bin/env python3
"""Makes a web archive of a folder of pages, for measuring: a request and a response a page.

    bench/make_warc.py FOLDER OUT [--megabytes N]

OUT ends in .warc, .warc.gz or .warc.zst; records are compressed one by one, as crawlers do. The pages are
repeated until there are N megabytes of them (before compression), each time under other addresses.
"""

import argparse
import gzip
import sys
import uuid
from pathlib import Path


def record(kind, number, url, content_type, block):
    name = uuid.UUID(int=number)
    head = (f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Date: 2026-01-31T12:00:00Z\r\nWARC-Record-ID: <urn:uuid:{name}>\r\n"
            f"WARC-Target-URI: {url}\r\nContent-Type: {content_type}\r\nContent-Length: {len(block)}\r\n\r\n")
    return head.encode() + block + b"\r\n\r\n"


def compressor(name):
    if name.endswith(".gz"):
        return lambda data: gzip.compress(data, 6, mtime=0)
    if name.endswith(".zst"):
        import zstandard
        return zstandard.ZstdCompressor(level=3).compress
    return lambda data: data


def make(folder, out, megabytes):
    """Returns the number of pages and of bytes before compression."""
    pages = sorted(Path(folder).rglob("*.html"))
    compress = compressor(str(out))
    count = size = 0
    with open(out, "wb") as file:
        while size < megabytes * 1e6 or not megabytes:
            for page in pages:
                url = f"https://example.org/{count // len(pages)}/{page.stem}"
                body = page.read_bytes()
                request = f"GET {url} HTTP/1.1\r\nHost: example.org\r\n\r\n".encode()
                response = (f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body
                for part in (record("request", 2 * count, url, "application/http; msgtype=request", request),
                             record("response", 2 * count + 1, url, "application/http; msgtype=response", response)):
                    size += len(part)
                    file.write(compress(part))
                count += 1
                if megabytes and size >= megabytes * 1e6:
                    break
            if not megabytes:
                break
    return count, size


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("out")
    parser.add_argument("--megabytes", type=float, default=0, help="0: every page once")
    options = parser.parse_args()
    count, size = make(options.folder, options.out, options.megabytes)
    print(f"{count} pages, {size / 1e6:.1f} MB")


if __name__ == "__main__":
    sys.exit(main())
