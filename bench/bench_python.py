"""The Python package and what people use today, in the conversation that bench.h describes.

    bench_python.py FOLDER [ARCHIVE]

Rows that end in "wall" answer with wall time, the others with processor time.
"""

import sys
import time
from pathlib import Path


def over_pages(extract):
    def round(pages, archive):
        for page in pages:
            extract(page)
    return round


def winnow_extract():
    import winnow
    return over_pages(winnow.extract)


def winnow_extractor():
    import winnow
    return over_pages(winnow.Extractor().extract)


def winnow_many(threads):
    import winnow

    def round(pages, archive):
        for page in winnow.extract_many(pages, threads=threads):
            page.text
    return round


def winnow_warc(threads):
    import winnow

    def round(pages, archive):
        for page in winnow.extract_warc(archive, threads=threads, formats=["text"]):
            page.url, page.text
    return round


def resiliparse_page():
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
    from resiliparse.parse.html import HTMLTree
    return lambda page: extract_plain_text(HTMLTree.parse(bytes_to_str(page, detect_encoding(page))), main_content=True)


def trafilatura_some():
    """Every tenth page: it takes long. The answer is for all."""
    from trafilatura import extract

    def round(pages, archive):
        some = pages[::10]
        start = time.process_time()
        for page in some:
            extract(page)
        return (time.process_time() - start) * sum(map(len, pages)) / sum(map(len, some))
    return round


def fastwarc_resiliparse():
    from fastwarc.warc import ArchiveIterator, WarcRecordType
    extract = resiliparse_page()

    def round(pages, archive):
        for record in ArchiveIterator(archive, record_types=WarcRecordType.response):
            if record.http_content_type == "text/html":
                extract(record.reader.read())
    return round


ROWS = {
    "winnow extract": winnow_extract,
    "winnow Extractor": winnow_extractor,
    "winnow many 1 wall": lambda: winnow_many(1),
    "winnow many 2 wall": lambda: winnow_many(2),
    "winnow warc 1": lambda: winnow_warc(1),
    "winnow warc 2 wall": lambda: winnow_warc(2),
    "resiliparse": lambda: over_pages(resiliparse_page()),
    "trafilatura": trafilatura_some,
    "fastwarc": fastwarc_resiliparse,
}


def main():
    files = sorted(p for p in Path(sys.argv[1]).iterdir() if not p.name.startswith("."))
    pages = [p.read_bytes() for p in files]
    archive = sys.argv[2] if len(sys.argv) > 2 else None
    made = {}
    print("ready", len(pages), sum(map(len, pages)), flush=True)
    for line in sys.stdin:
        name = line.strip()
        if name not in made:
            made[name] = ROWS[name]()
        clock = time.perf_counter if name.endswith("wall") else time.process_time
        start = clock()
        answer = made[name](pages, archive)
        print(answer if answer is not None else clock() - start, flush=True)


main()
