#!/usr/bin/env python3
"""Pages whose content is told by reading them block by block.

    tools/read_content.py show DATA [--gold] SET/ID...   prints the blocks of pages, numbered
    tools/read_content.py score DATA FILE                word F1 of answers compared with the gold texts of these pages
    tools/read_content.py take DATA FILE...              adds the answers to data/content/labels.tsv

DATA holds the sets (folders with html/ID.html, gold/ID.txt and pages.jsonl). A file of answers has a line per page: SET/ID, the type of the
page (or `skip`) and the numbers of the blocks that are content:

    unlabelled/ab-12 listing 3-10,12,40-77

data/content/README.md says how pages were read; `make train` learns from them.
"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from difflib import SequenceMatcher
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tools/train"))
import content  # noqa: E402
from dump import dump  # noqa: E402
from labels import label, words_of  # noqa: E402
from roles import cut, hash_of, link_share, read_pages  # noqa: E402

LABELS = ROOT / "data/content/labels.tsv"
LONG = 25  # words; of longer blocks their number is shown
KINDS = {"paragraph": "p", "heading": "h", "list-item": "li", "cell": "td"}


def path_of(data, page):
    name, identity = page.split("/", 1)
    return data / name / "html" / f"{identity}.html"


def gold_of(data, page):
    name, identity = page.split("/", 1)
    return words_of((data / name / "gold" / f"{identity}.txt").read_text(encoding="utf-8", errors="replace"))


def is_in_gold(blocks, gold):
    return label(blocks, gold)[0] >= 0.5


def blocks_of(options, path):
    """The record of a page, and its blocks as JSON tells them, with their paths."""
    command = [options.winnow, "extract", "-q", "--with-blocks", "-f", "jsonl", "--explain", str(path)]
    lines = subprocess.run(command, stdout=subprocess.PIPE).stdout.splitlines()
    record = json.loads(lines[0]) if lines else {}
    return record, record.get("blocks", [])


def places(texts, blocks):
    """For each judged text the block that shows it: those in navigation are not judged."""
    matcher = SequenceMatcher(None, [hash_of(text) for text in texts], [hash_of(block["text"]) for block in blocks], autojunk=False)
    return {i + k: blocks[j + k] for i, j, count in matcher.get_matching_blocks() for k in range(count)}


def show_page(options, page):
    texts = dump([path_of(options.data, page)], with_words=True)[0].texts
    record, blocks = blocks_of(options, path_of(options.data, page))
    name, identity = page.split("/", 1)
    known = next(one for one in read_pages(options.data, name) if one["id"] == identity)
    place, words = places(texts, blocks), [words_of(text, by_sign=True) for text in texts]
    gold = is_in_gold([words_of(text) for text in texts], gold_of(options.data, page)) if options.gold else [False] * len(texts)
    print(f"=== {page} | type: {known.get('type')} (guess {record.get('page_type')}) | {known.get('url') or record.get('url')} | "
          f"{cut(record.get('title') or '', 100)} | {len(texts)} blocks")
    last, first = None, {}
    for i, text in enumerate(texts):
        block = place.get(i, {"kind": "?", "text": text})
        path = " > ".join(part[:32] for part in block.get("path", "?").split(" > ")[-3:])
        if path != last:
            print(f"   @ {path}")
        last = path
        kind = KINDS.get(block["kind"], block["kind"]) + str(block.get("level", "") if block["kind"] == "heading" else "")
        marks = (" LINK" if link_share(block) > 0.7 else "") + (f" {len(words[i])}w" if len(words[i]) > LONG else "")
        copy = f" (copy of {first[text]})" if text in first and len(words[i]) > 3 else ""
        first.setdefault(text, i)
        print(f"{i}{'*' if gold[i] else ''} [{kind}{marks}] {cut(text, 130)}{copy}")
    print()


def show(options):
    for page in options.pages:
        show_page(options, page)


def read_answers(path):
    """{page: (type, numbers of blocks)}"""
    answers = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = line.split("#")[0].split(None, 2)
        if not fields:
            continue
        numbers = set()
        for part in fields[2].replace(" ", "").split(",") if len(fields) > 2 else ():
            first, _, last = part.partition("-")
            if first:
                numbers.update(range(int(first), int(last or first) + 1))
        answers[fields[0]] = fields[1], numbers
    return answers


def f1(ours, gold):
    if not ours or not gold:
        return float(len(ours) == len(gold))
    return 2 * (Counter(ours) & Counter(gold)).total() / (len(ours) + len(gold))


def score(options):
    answers, rows = read_answers(options.file), []
    for page, dumped in zip(answers, dump([path_of(options.data, page) for page in answers], with_words=True)):
        gold, blocks = gold_of(options.data, page), [words_of(text) for text in dumped.texts]
        best = is_in_gold(blocks, gold)
        chosen = [[word for i, block in enumerate(blocks) if take_it(i) for word in block]
                  for take_it in (lambda i: i in answers[page][1], lambda i: best[i])]
        rows.append([f1(words, gold) for words in chosen])
        print(f"{page}: {rows[-1][0]:.3f} (the best blocks: {rows[-1][1]:.3f})")
    print(f"mean of {len(rows)} pages: {sum(r[0] for r in rows) / len(rows):.3f} (the best blocks: {sum(r[1] for r in rows) / len(rows):.3f})")


def take(options):
    labels = content.read_labels(LABELS) if LABELS.exists() else {}
    for file in options.files:
        answers = {page: answer for page, answer in read_answers(file).items() if answer[0] != "skip"}
        for (page, (kind, numbers)), dumped in zip(answers.items(), dump([path_of(options.data, page) for page in answers], with_words=True)):
            keys = content.keys_of(dumped.texts)
            if max(numbers, default=0) >= max(1, len(keys)):
                sys.exit(f"{file}: {page} has {len(keys)} blocks")
            labels[tuple(page.split("/", 1))] = kind, [keys[i] for i in sorted(numbers)]
    LABELS.parent.mkdir(exist_ok=True)
    content.write_labels(LABELS, labels)
    print(f"{len(labels)} pages: {dict(Counter(kind for kind, _ in labels.values()))}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--winnow", default=str(ROOT / "build/winnow"))
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("show")
    one.add_argument("data", type=Path)
    one.add_argument("--gold", action="store_true", help="mark blocks that the gold text holds")
    one.add_argument("pages", nargs="+")
    one = commands.add_parser("score")
    one.add_argument("data", type=Path)
    one.add_argument("file", type=Path)
    one = commands.add_parser("take")
    one.add_argument("data", type=Path)
    one.add_argument("files", type=Path, nargs="+")
    options = parser.parse_args()
    {"show": show, "score": score, "take": take}[options.command](options)


if __name__ == "__main__":
    main()
