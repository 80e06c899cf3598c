"""Whole extractions by tools from PyPI, in the conversation that bench.h describes."""

import sys
import time
from pathlib import Path


def resiliparse():
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
    from resiliparse.parse.html import HTMLTree
    return lambda page: extract_plain_text(HTMLTree.parse(bytes_to_str(page, detect_encoding(page))), main_content=True)


def trafilatura():
    from trafilatura import extract
    return extract


def main():
    tools = {"resiliparse": resiliparse, "trafilatura": trafilatura}
    made = {}
    files = sorted(p for p in Path(sys.argv[1]).iterdir() if not p.name.startswith("."))
    pages = [p.read_bytes() for p in files]
    print("ready", len(pages), sum(map(len, pages)), flush=True)
    for line in sys.stdin:
        name = line.strip()
        if name not in made:
            made[name] = tools[name]()
            made[name](pages[0])  # warm-up
        start = time.process_time()
        for page in pages:
            made[name](page)
        print(time.process_time() - start, flush=True)


main()
