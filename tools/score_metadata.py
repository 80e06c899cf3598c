#!/usr/bin/env python3
"""How often title, author and date of `winnow extract` are right.

    tools/score_metadata.py [--no-url] [--wrong FIELD] SET

SET holds html/ID.html and pages.jsonl with `title`, `author`, `date`, `type` and `url` of its pages; `make
score-metadata` takes wcxb-dev. Only pages whose gold has a value count. A title or an author is right if it
is the same as the gold, or one contains the other, by letters and digits in lower case; "and" and "&" between
names do not count. A date is right if it is the same day (the same month if the gold knows no day).

Pages are split by domain into two halves. Rules are made while looking at the first; the second one shows
what they are worth on sites that nobody looked at.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import unicodedata
import zlib
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
FIELDS = ("title", "author", "date")
SHORTEST = 3  # letters of a part that counts as contained


def key_of(field, text):
    text = unicodedata.normalize("NFKC", text or "").lower()
    words = re.findall(r"\w+", text)
    if field == "author":
        words = [word for word in words if word != "and"]
    return "".join(words).replace("_", "")


def is_right(field, ours, gold):
    if field == "date":
        return bool(ours) and ours[:len(gold[:10])] == gold[:10]
    ours, gold = key_of(field, ours), key_of(field, gold)
    if not ours or not gold:
        return False
    return ours == gold or (min(len(ours), len(gold)) >= SHORTEST and (ours in gold or gold in ours))


def half_of(page):
    """The same for all pages of a site: the last two labels of its host, three below co.uk and the like."""
    labels = (urlsplit(page.get("url") or "").hostname or "").split(".")
    size = 3 if len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) <= 3 else 2
    return zlib.crc32(".".join(labels[-size:]).encode()) & 1


def extract(options, page):
    command = [options.winnow, "extract", "-q", "--explain", "-f", "jsonl", str(options.set / "html" / f"{page['id']}.html")]
    if not options.no_url and page.get("url"):
        command[2:2] = ["--url", page["url"]]
    done = subprocess.run(command, stdout=subprocess.PIPE)
    return json.loads(done.stdout) if done.stdout else {}


def print_table(pages, records, title, keep):
    kept = [page for page in pages if keep(page)]
    types = sorted({page["type"] for page in kept})
    print(f"{title:16}" + "".join(f"{field:>18}" for field in FIELDS))
    for kind in types + ["all"]:
        row = f"  {kind:14}"
        for field in FIELDS:
            gold = [p for p in kept if p.get(field) and kind in ("all", p["type"])]
            right = sum(is_right(field, records[p["id"]].get(field), p[field]) for p in gold)
            row += f"{right:5} of{len(gold):5}" + (f"{right / len(gold):6.3f}" if gold else "     –")
        print(row)


def print_sources(pages, records, field):
    """How often each source was right."""
    counts = defaultdict(lambda: [0, 0])
    for page in pages:
        if page.get(field):
            record = records[page["id"]]
            name = {"date": "published"}.get(field, field)
            source = (record.get("sources") or {}).get(name, "nothing")
            counts[source][0] += is_right(field, record.get(field), page[field])
            counts[source][1] += 1
    for source, (right, total) in sorted(counts.items(), key=lambda item: -item[1][1]):
        print(f"  {field:8}{source:36}{right:5} of{total:5}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("set", type=Path)
    parser.add_argument("--winnow", default=str(ROOT / "build/winnow"))
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--no-url", action="store_true", help="do not tell the pages' addresses")
    parser.add_argument("--sources", action="store_true", help="also how often each source was right")
    parser.add_argument("--wrong", choices=FIELDS, help="list the pages of the first half where this field is wrong")
    options = parser.parse_args()
    with open(options.set / "pages.jsonl", encoding="utf-8") as lines:
        pages = [json.loads(line) for line in lines]
    with ThreadPoolExecutor(options.jobs) as pool:
        found = pool.map(lambda page: extract(options, page), pages)
        records = dict(zip((page["id"] for page in pages), found))
    print_table(pages, records, "all pages", lambda page: True)
    print_table(pages, records, "first half", lambda page: half_of(page) == 0)
    print_table(pages, records, "second half", lambda page: half_of(page) == 1)
    if options.sources:
        for field in FIELDS:
            print_sources([page for page in pages if half_of(page) == 0], records, field)
    if options.wrong:
        for page in pages:
            gold, record = page.get(options.wrong), records[page["id"]]
            if gold and half_of(page) == 0 and not is_right(options.wrong, record.get(options.wrong), gold):
                name = {"date": "published"}.get(options.wrong, options.wrong)
                print(page["id"], page["type"], repr(gold), "|", repr(record.get(options.wrong)), "|",
                      (record.get("sources") or {}).get(name), (page.get("url") or "")[:70])
    return 0


if __name__ == "__main__":
    sys.exit(main())
