"""lexbor through selectolax, in the conversation that bench.h describes."""

import sys
import time
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser


def main():
    files = sorted(p for p in Path(sys.argv[1]).iterdir() if not p.name.startswith("."))
    pages = [p.read_bytes() for p in files]
    print("ready", len(pages), sum(map(len, pages)), flush=True)
    for _ in sys.stdin:
        start = time.process_time()
        for page in pages:
            tree = LexborHTMLParser(page)
            del tree  # frees it
        print(time.process_time() - start, flush=True)


main()
