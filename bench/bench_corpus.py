#!/usr/bin/env python3
"""Measures `winnow corpus add` and `winnow corpus search` on many pages of 10 KB.

    bench/bench_corpus.py [--pages 100000] [--store STORE] [--keep] [--folder build/bench-corpus] [--winnow build/winnow]

The pages are made up: words with Zipf-like counts, those of the stop list first, in sentences and
paragraphs, with a menu and a footer around them; 10 KB of HTML each. They are read from one file of
JSON lines. STORE is a new SQLite file, or the address of a PostgreSQL database.

Bars for SQLite: 2,000 pages/s added on two cores; two-word queries, warm, 50 ms in the median and 200 ms
for 95 of 100. The time of a query is that of the whole program, its start included.
"""

import argparse
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE_BYTES = 10_000
VOCABULARY = 60_000
SENTENCES = 40_000
QUERIES = 200

MENU = "".join(f'<li><a href="/{name.lower()}/">{name}</a></li>'
               for name in ("Home", "News", "Sport", "Weather", "Culture", "Travel", "About"))
FOOTER = '<footer><p>All rights reserved. <a href="/privacy">Privacy</a> <a href="/terms">Terms</a></p></footer>'


def make_vocabulary(rng):
    words = (ROOT / "data/stopwords/en.txt").read_text().split("\n")
    words = [w.strip() for w in words if w.strip().isalpha()]
    rng.shuffle(words)
    syllables = [c + v for c in "bcdfghjklmnprstvw" for v in "aeiou"]
    endings = ["", "", "s", "ed", "ing", "er", "ly", "ment"]
    seen = set(words)
    while len(words) < VOCABULARY:
        word = "".join(rng.choices(syllables, k=rng.randint(2, 4))) + rng.choice(endings)
        if word not in seen:
            seen.add(word)
            words.append(word)
    return words


def make_pages(path, count):
    """Writes the pages; the same for the same count, whoever runs it."""
    rng = random.Random(7)
    words = make_vocabulary(rng)
    weights = list(itertools.accumulate(1 / (rank + 3) for rank in range(len(words))))
    rare = words[200:]
    sentences = []
    for _ in range(SENTENCES):
        chosen = rng.choices(words, cum_weights=weights, k=rng.randint(8, 24))
        sentences.append(" ".join(chosen).capitalize() + ". ")
    with open(path, "w") as out:
        for number in range(count):
            title = " ".join(rng.choices(rare, k=5))
            head = (f'<!doctype html><html lang="en"><head><title>{title}</title></head><body>'
                    f"<nav><ul>{MENU}</ul></nav><main><h1>{title}</h1>")
            parts, size = [head], len(head) + len(FOOTER) + 30
            while size < PAGE_BYTES:
                paragraph = "".join(rng.choices(sentences, k=5))
                parts.append(f"<p>{paragraph}</p>\n")
                size += len(parts[-1])
            html = "".join(parts)[:PAGE_BYTES - len(FOOTER) - 30] + "</p></main>" + FOOTER + "</body></html>"
            url = f"https://site{number % 500}.example/{number}.html"
            out.write(json.dumps({"url": url, "html": html}) + "\n")
    return words


def make_queries(words):
    """Two words each, as people ask: of the 5,000 most common words after the stop words."""
    rng = random.Random(11)
    return [rng.sample(words[150:5000], 2) for _ in range(QUERIES)]


def measure_search(winnow, store, queries):
    """Milliseconds of each query: wall time, processor time, and how many had pages."""
    def run(query):
        start = time.monotonic()
        process = subprocess.Popen([winnow, "corpus", "search", "--store", store, *query],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        assert status == 0
        return ((time.monotonic() - start) * 1000, (usage.ru_utime + usage.ru_stime) * 1000,
                output.count(b"\n   ["))
    for query in queries:
        run(query)  # warm
    measured = [run(query) for query in queries]
    wall, processor, hits = zip(*measured)
    return sorted(wall), sorted(processor), sum(1 for count in hits if count)


def share(times, part):
    return times[int(part * len(times))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--store")
    parser.add_argument("--folder", default=str(ROOT / "build" / "bench-corpus"))
    parser.add_argument("--winnow", default=str(ROOT / "build" / "winnow"))
    parser.add_argument("--keep", action="store_true", help="search in the store of an earlier run")
    parser.add_argument("--no-bars", action="store_true", help="measure only")
    args = parser.parse_args()
    folder = Path(args.folder)
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / f"pages-{args.pages}.jsonl"
    words = make_vocabulary(random.Random(7))
    if not source.exists():
        make_pages(str(source) + ".tmp", args.pages)
        os.rename(str(source) + ".tmp", source)
    store = args.store or str(folder / "bench.db")
    if not args.store and not args.keep:
        for ending in ("", "-wal", "-shm"):
            Path(store + ending).unlink(missing_ok=True)

    start, cpu = time.monotonic(), os.times()
    if not args.keep:
        subprocess.run([args.winnow, "corpus", "add", "--store", store, "-j", "2", source], check=True)
    seconds = time.monotonic() - start
    used = os.times()
    cpu_seconds = used.children_user + used.children_system - cpu.children_user - cpu.children_system
    rate = args.pages / seconds
    if not args.keep:
        print(f"add: {args.pages} pages of {PAGE_BYTES} bytes in {seconds:.1f} s: {rate:.0f} pages/s "
              f"({cpu_seconds:.1f} s of processor time, {1000 * cpu_seconds / args.pages:.2f} ms a page)")
    wall, processor, found = measure_search(args.winnow, store, make_queries(words))
    median, p95 = statistics.median(wall), share(wall, 0.95)
    print(f"search: {QUERIES} queries of two words, {found} with pages: median {median:.1f} ms, "
          f"95 of 100 within {p95:.1f} ms, all within {wall[-1]:.1f} ms "
          f"(processor time: {statistics.median(processor):.1f}, {share(processor, 0.95):.1f}, {processor[-1]:.1f} ms)")
    if not args.store:
        print(f"store: {os.path.getsize(store) / 1e6:.0f} MB")
    if args.store or args.no_bars:
        return 0
    reached = rate >= 2000 and median <= 50 and p95 <= 200
    print("bars reached" if reached else "bars MISSED: 2000 pages/s, 50 ms, 200 ms")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
