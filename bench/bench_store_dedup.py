#!/usr/bin/env python3
"""Measures `winnow corpus dedup` on a store of many pages, copies among them.

    bench/bench_store_dedup.py [--pages 1000000] [--folder build/bench-dedup] [--winnow build/winnow]

The pages are made up: 150 words with Zipf-like counts each. Every fifth page is a copy of an earlier one, half of
them with one or two words edited. They are added to a new SQLite store with `-m all`, which is not measured; then copies
are looked for and marked. Bars for 1,000,000 pages: 10 minutes on two free cores, 2 GB.
"""

import argparse
import itertools
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORDS, VOCABULARY = 150, 50_000


def make_words(rng):
    syllables = [c + v for c in "bcdfghjklmnprstvw" for v in "aeiou"]
    return ["".join(rng.choices(syllables, k=rng.randint(2, 4))) for _ in range(VOCABULARY)]


def write_pages(path, count):
    """JSON lines; returns how many are copies."""
    rng = random.Random(7)
    words = make_words(rng)
    weights = list(itertools.accumulate(1 / (rank + 3) for rank in range(len(words))))
    earlier, copies = [], 0
    with open(path, "w") as out:
        for number in range(count):
            if number % 5 == 4:
                text = list(rng.choice(earlier))
                copies += 1
                for _ in range(rng.choice((0, 0, 1, 2))):
                    text[rng.randrange(len(text))] = rng.choice(words)
            else:
                text = rng.choices(words, cum_weights=weights, k=WORDS)
                if len(earlier) < 100_000:
                    earlier.append(text)
            html = f"<!doctype html><title>Page {number}</title><p>{' '.join(text)}.</p>"
            out.write(json.dumps({"url": f"https://site{number % 1000}.example/{number}", "html": html}) + "\n")
    return copies


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--folder", default=str(ROOT / "build" / "bench-dedup"))
    parser.add_argument("--winnow", default=str(ROOT / "build" / "winnow"))
    args = parser.parse_args()
    folder = Path(args.folder)
    folder.mkdir(parents=True, exist_ok=True)
    pages, store = folder / "pages.jsonl", folder / "bench.db"
    for ending in ("", "-wal", "-shm"):
        Path(str(store) + ending).unlink(missing_ok=True)
    planted = write_pages(pages, args.pages)
    subprocess.run([args.winnow, "corpus", "add", "-q", "-m", "all", "--store", store, pages], check=True)
    pages.unlink()
    start = time.monotonic()
    process = subprocess.Popen([args.winnow, "corpus", "dedup", "--store", store, "-f", "json"], stdout=subprocess.PIPE)
    report = json.loads(process.stdout.read())
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    print(f"dedup: {args.pages} pages, {planted} planted copies, {report['copies']} found in {time.monotonic() - start:.0f} s "
          f"({usage.ru_utime + usage.ru_stime:.0f} s of processor time), {usage.ru_maxrss / 1024:.0f} MB; "
          f"bars for 1,000,000: 600 s, 2,000 MB")
    return status != 0


if __name__ == "__main__":
    sys.exit(main())
