#!/usr/bin/env python3
"""How often the roles of `winnow extract` are right, on blocks that were labelled by reading.

    tools/roles.py score DATA [--wrong ROLE]    what `make score-roles` prints
    tools/roles.py sample DATA FILE             draws blocks to be labelled
    tools/roles.py show DATA FILE FOLDER        writes them with what is around them, for reading
    tools/roles.py take FILE FOLDER             adds the answers to data/roles/labels.tsv

DATA holds the sets (folders with html/ID.html and pages.jsonl). data/roles/README.md says what each role means,
how blocks are drawn and what the file of labels contains: no text, only hashes.

Sites are split into two halves. Rules are made while looking at the first; the second one shows what they are worth
on sites that nobody looked at.
"""

import argparse
import hashlib
import json
import random
import re
import subprocess
import sys
import zlib
from collections import Counter, defaultdict
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
LABELS = ROOT / "data/roles/labels.tsv"
ROLES = ("title", "lede", "caption", "comment", "related", "promotion")
LETTERS = {"T": "title", "L": "lede", "C": "caption", "M": "comment", "R": "related", "P": "promotion", "O": "other"}
SETS = ("wcxb-dev", "unlabelled", "fundus", "daniel", "zh-news", "magic-article", "magic-forum", "harvest-forum",
        "events-zh", "postlight", "newspaper", "crf-id", "canola", "terms", "site-rules", "readers", "recipes",
        "products", "swde", "dragnet", "l3s-gn1", "cleaneval-a")
UNSURE = "?"


# ---- Pages and blocks ------------------------------------------------------------------------


def read_pages(data, name):
    with open(data / name / "pages.jsonl", encoding="utf-8") as lines:
        return [dict(json.loads(line), set=name) for line in lines]


def host_of(url):
    """The site of an address: the last two labels of its host, three below co.uk and the like."""
    labels = (urlsplit(url or "").hostname or "").split(".")
    size = 3 if len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) <= 3 else 2
    return ".".join(labels[-size:])


def site_of(page, source):
    """Without an address, the site that most links of the page point to."""
    site = host_of(page.get("url"))
    if not site:
        linked = Counter(host_of(url) for url in re.findall(r'href=["\']?(https?://[^"\'\s>]+)', source))
        site = linked.most_common(1)[0][0] if linked else ""
    return site or f"{page['set']}/{page['id']}"


def half_of(site):
    return zlib.crc32(site.encode()) & 1


def extract(options, pages):
    """The records of pages with all blocks, kept or not, and their paths."""
    paths = [str(options.data / page["set"] / "html" / f"{page['id']}.html") for page in pages]
    command = [options.winnow, "extract", "-q", "--with-blocks", "-f", "jsonl", "-j", "2", "--explain"]
    records = {}
    for start in range(0, len(paths), 200):
        done = subprocess.run(command + paths[start:start + 200], stdout=subprocess.PIPE)
        records.update((record["id"], record) for record in map(json.loads, done.stdout.split(b"\n")[:-1]))
    return [records.get(path, {}) for path in paths]


def hash_of(text):
    letters = "".join(re.findall(r"\w+", text.lower()))
    return hashlib.sha1(letters.encode()).hexdigest()[:12]


def keys_of(blocks):
    """What blocks are found by again: the hash of the text, and which of several with the same text it is."""
    seen, keys = Counter(), []
    for block in blocks:
        text = hash_of(block["text"])
        keys.append((text, seen[text]))
        seen[text] += 1
    return keys


# ---- Which blocks could have a role ----------------------------------------------------------
# These rules share nothing with those of the library. They are wide: of what they find, a third has the role.

NAMES = {
    "title": r"title|headline|\bh1\b",
    "lede": r"lead\b|lede|intro|summary|abstract|excerpt|\bdek\b|deck|sub-?title|sub-?head|standfirst|chapo|ingress|preamble|kicker|strap|"
            r"spitzmarke|entradilla|bajada|sapo|tagline",
    "caption": r"figure|figcaption|caption|credit|photo|legend|picture|bildunter|wp-block-image|image-",
    "comment": r"comment|repl(y|ies)|respon[ds]|disqus|discuss|koment|komment|comentar|guestbook|reacti|talkback|feedback",
    "related": r"relat|recommend|popular|teaser|latest|trend|similar|also|read-?(more|next)|most-|sidebar|recirc|outbrain|taboola|recent",
    "promotion": r"\bads?\b|-ad-|advert|adsense|promo|sponsor|\bcta\b|donat|paywall|affiliat|upsell|offer|trial|marketing|membership|"
                 r"premium|subscription|app-(banner|download)|banner",
}
WORDS = {
    "caption": r"^(photos?|image|bild|foto|picture|credit|fig(ure|\.)|crédit)\b|^[图圖]|写真|©.{0,40}$|[Gg]etty|Reuters|\bAFP\b|\(AP\b",
    "comment": r"\b(comments?\b|reply|says:|said:|kommentare?|comentarios?|commentaires?|antworten|responder|répondre)|评论|留言|コメント|ответить|комментар",
    "promotion": r"advertis|sponsor|free trial|(get|download|install) (the|our) .{0,20}app|donat|support (us|our)|become a|membership|% off|"
                 r"(buy|shop|order|book|subscribe|join|try|start|save) (now|today|free|here|yours|for)|coupon|anzeige|werbung|abonn(ier|ez)|jetzt |"
                 r"publicidad|suscr[íi]b|pubblicità|reklam|реклама|подпис|广告|下载|扫码|扫描|APP|会員|広告|promo|affiliate|limited time|gratis|"
                 r"get started|special offer|only \$|per month|/month",
}


def link_share(block):
    size = len(block["text"])
    return sum(len(link["text"]) for link in block.get("links", [])) / size if size else 0


def count_words(text):
    return len(text.split()) + len(re.findall(r"[\u3040-\u9fff\u0e00-\u0e7f]", text)) // 3


def overlap(text, other):
    """The share of the words of a text that another one has, too."""
    words = re.findall(r"\w+", text.lower())
    return sum(word in other for word in words) / len(words) if words else 0


def could_be_lede(blocks, i, first, description):
    """After the first heading: a heading, what the description says, or a text that is not in the element of the next one."""
    if first is None or not first < i <= first + 10 or count_words(blocks[i]["text"]) < 5 or link_share(blocks[i]) > .5:
        return False
    if blocks[i]["kind"] == "heading":
        return i <= first + 2
    after = [b for b in blocks[i + 1:i + 8] if count_words(b["text"]) > 15]
    parent = blocks[i].get("path", "").rsplit(" > ", 1)[0]
    return overlap(blocks[i]["text"], description) > .7 or bool(after and after[0].get("path", "").rsplit(" > ", 1)[0] != parent)


SURE_NAMES = {
    "lede": r"lead\b|lede|intro\b|abstract|\bdek\b|sub-?title|sub-?head|standfirst|chapo|ingress|excerpt|summary|description",
    "caption": r"figcaption|caption|credit",
    "comment": r"comment-(list|content|body|text|meta)|commentlist|comments?\b|disqus",
    "promotion": r"\bads?\b|advert|sponsor|promo\b|donat|paywall|affiliat|upsell|offer\b",
}
AN_AD = r"^\W*(advertise?ments?|anzeige|werbung|reklama?|annonce|publicidad|pubblicità|publicité|advertentie|реклама|广告|広告|sponsored)\W*$"


def surely(block, parts, words, says, follows_title):
    """Roles that a block has more often than not."""
    near = " > ".join(parts[-2:])
    found = {role for role, names in SURE_NAMES.items() if role in says and re.search(names, near, re.I)}
    if block["kind"] == "heading" and block.get("level") == 1:
        found.add("title")
    if not follows_title or words < 6:
        found.discard("lede")
    if re.search(r"\bnav|menu|footer|cookie", " > ".join(parts), re.I) or words < 2 or re.search(AN_AD, block["text"], re.I):
        found.discard("promotion")
    if re.search(AN_AD, block["text"], re.I):
        found.add("ad label")
    return found


def candidates(record):
    """Of each role, the blocks that may have it."""
    blocks = record["blocks"]
    title = hash_of(re.split(r"\s[|\-–—·«»]\s", record.get("title") or "")[0])
    description = set(re.findall(r"\w+", (record.get("description") or "").lower()))
    first = next((i for i, b in enumerate(blocks) if b["kind"] == "heading" and b.get("level") == 1), None)
    found = defaultdict(list)
    comments_since = -1000
    for i, block in enumerate(blocks):
        text, parts = block["text"], block.get("path", "").split(" > ")
        words = count_words(text)
        if not re.search(r"\w", text) or block["kind"] in ("image", "rule", "embed"):
            continue
        found["random"].append(i)
        says = {role for role, names in NAMES.items()
                if re.search(names, " > ".join(parts[-5 if role in ("comment", "related", "promotion") else -2:]), re.I)}
        says |= {role for role, said in WORDS.items() if words < 60 and re.search(said, text[:300], re.I if role != "caption" else 0)}
        if block["kind"] == "heading" and block.get("level", 9) <= 2 or hash_of(text) == title:
            says.add("title")
        elif block["kind"] != "heading" and words > 25:
            says.discard("title")
        if words < 5 and "lede" in says:
            says.discard("lede")
        if could_be_lede(blocks, i, first, description):
            says.add("lede")
        if i and blocks[i - 1]["kind"] == "image" and words < 40:
            says.add("caption")
        if block["kind"] == "heading":
            comments_since = i if re.search(WORDS["comment"], text, re.I) else -1000
        if i - comments_since < 30:
            says.add("comment")
        if link_share(block) > .5 and words >= 5:
            says.add("related")
        for role in says:
            found[role].append(i)
        for role in surely(block, parts, words, says, first is not None and first < i <= first + 12):
            found["surely " + role].append(i)
        found["called " + block.get("role", "other")].append(i)
    return found


# ---- Drawing ---------------------------------------------------------------------------------

PER_SITE, PER_SET = 3, 220


def draw_pages(data, seed):
    """Pages of all sets: at most so many of a set, and of a site."""
    rng, sites, drawn = random.Random(seed), Counter(), []
    for name in SETS:
        pages = read_pages(data, name)
        rng.shuffle(pages)
        count = 0
        for page in pages:
            source = (data / name / "html" / f"{page['id']}.html").read_bytes().decode("utf-8", "replace")
            page["site"] = site_of(page, source)
            if count < PER_SET and sites[page["site"]] < PER_SITE:
                sites[page["site"]] += 1
                count += 1
                drawn.append(page)
    rng.shuffle(drawn)
    return drawn


def sample(options):
    """Takes one block of a page for each kind of candidate that is still wanted, pages in a random order."""
    rng = random.Random(options.seed)
    wanted = Counter({key: int(count) for key, count in (item.split("=") for item in options.want.split(","))})
    known = {(label["set"], label["id"], label["key"]) for label in read_labels()} if LABELS.exists() else set()
    pages = draw_pages(options.data, options.page_seed)[options.skip:]
    drawn = 0
    with open(options.file, "w", encoding="utf-8") as out:
        for start in range(0, len(pages), 64):
            if not +wanted:
                break
            part = pages[start:start + 64]
            for page, record in zip(part, extract(options, part)):
                if not record.get("blocks"):
                    continue
                found, keys = candidates(record), keys_of(record["blocks"])
                taken = defaultdict(list)
                for kind in sorted(found):
                    left = [i for i in found[kind] if (page["set"], page["id"], keys[i]) not in known and i not in taken]
                    if wanted[kind] > 0 and left:
                        taken[rng.choice(left)].append(kind)
                        wanted[kind] -= 1
                for block, kinds in sorted(taken.items()):
                    drawn += 1
                    line = {"set": page["set"], "id": page["id"], "site": page["site"], "block": block, "key": keys[block], "kinds": kinds}
                    out.write(json.dumps(line) + "\n")
            last = start + len(part)
    print(f"{drawn} blocks of the first {last} pages; still wanted: {dict(+wanted)}")


# ---- Reading ---------------------------------------------------------------------------------


def cut(text, size):
    text = " ".join(text.split())
    return text if len(text) <= size else text[:size * 3 // 4] + "…" + text[-size // 4:]


def describe(block, size):
    kind = {"paragraph": "p", "heading": f"h{block.get('level', '')}", "list-item": "li", "cell": "td"}.get(block["kind"], block["kind"])
    share = link_share(block)
    return f"[{kind}{' LINK' if share > .7 else ' link' if share > .3 else ''}] {cut(block['text'], size)}"


def show_block(number, blocks, block):
    shown = blocks[block]
    before = [describe(b, 45) for b in blocks[max(0, block - 2):block]]
    after = [describe(b, 45) for b in blocks[block + 1:block + 3]]
    path = " > ".join(part[:34] for part in shown.get("path", "").split(" > ")[-5:])
    bold = shown.get("bold")
    return (f"{number}. {describe(shown, 150)}{' {BOLD}' if bold else ''}\n   {path} ({block}/{len(blocks)})\n   < {' / '.join(before)}"
            f"\n   > {' / '.join(after)}\n")


def is_bold(source, block):
    markup = source[block.get("start", 0):block.get("end", 0)]
    return bool(re.match(rb"\s*<[^>]+>\s*(<[^>]+>\s*)?<(b|strong)\b", markup)) and \
        sum(len(s) for s in re.findall(rb"<(?:b|strong)\b[^>]*>(.*?)</(?:b|strong)>", markup, re.S)) * 2 > len(markup)


def show(options):
    options.folder.mkdir(exist_ok=True)
    with open(options.file, encoding="utf-8") as lines:
        drawn = [json.loads(line) for line in lines]
    pages = {(name, page["id"]): page for name in SETS for page in read_pages(options.data, name)}
    batch, last, number = None, None, 0
    for number, line in enumerate(drawn):
        if number % options.batch == 0:
            batch = open(options.folder / f"{number // options.batch:02}.txt", "w", encoding="utf-8")
            last = None
        if (line["set"], line["id"]) != last:
            last = line["set"], line["id"]
            page = pages[last]
            record = extract(options, [page])[0]
            source = (options.data / last[0] / "html" / f"{last[1]}.html").read_bytes()
            address = urlsplit(page.get("url") or record.get("url") or "")
            batch.write(f"=== {last[0]} {page.get('type', '')} | {cut(record.get('title') or '', 90)} | {address.hostname or last[1]}{cut(address.path, 40)}\n")
        record["blocks"][line["block"]]["bold"] = is_bold(source, record["blocks"][line["block"]])
        batch.write(show_block(number, record["blocks"], line["block"]))
    print(f"{number + 1} blocks in {options.folder}")


# ---- Labels ----------------------------------------------------------------------------------


def read_labels():
    labels = []
    with open(LABELS, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("#"):
                continue
            name, page, site, text, copy, role, kinds = line.rstrip("\n").split("\t")
            labels.append({"set": name, "id": page, "half": int(site), "key": (text, int(copy)), "role": role, "kinds": kinds.split(",")})
    return labels


def read_answers(folder):
    """Files *.answers: lines of a number and the letters of the blocks from it on."""
    answers = {}
    for path in sorted(folder.glob("*.answers")):
        for line in path.read_text().splitlines():
            if line.strip():
                first, letters = line.split(None, 1)
                for i, letter in enumerate(letters.replace(" ", "")):
                    answers[int(first) + i] = letter
    return answers


def take(options):
    answers = read_answers(options.folder)
    lines = []
    with open(options.file, encoding="utf-8") as drawn:
        for number, line in enumerate(map(json.loads, drawn)):
            if answers.get(number, UNSURE) != UNSURE:
                lines.append("\t".join([line["set"], line["id"], str(half_of(line["site"])), line["key"][0], str(line["key"][1]),
                                        LETTERS[answers[number]], ",".join(line["kinds"])]))
    old = LABELS.read_text().splitlines() if LABELS.exists() else []
    LABELS.write_text("\n".join(sorted(set(old) | set(lines))) + "\n")
    print(Counter(LETTERS.get(letter, letter) for letter in answers.values()))


# ---- Scores ----------------------------------------------------------------------------------


def figures(pairs):
    """Of each role: how many labels, precision, recall and F1; pairs of label and answer."""
    rows = {}
    for role in ROLES:
        right = sum(label == answer == role for label, answer in pairs)
        called = sum(answer == role for _, answer in pairs)
        true = sum(label == role for label, _ in pairs)
        precision, recall = right / called if called else 0, right / true if true else 0
        rows[role] = (true, precision, recall, 2 * precision * recall / (precision + recall) if right else 0)
    return rows


def print_figures(name, pairs):
    rows = figures(pairs)
    print(f"{name} ({len(pairs)} blocks)")
    print(f"  {'role':<12}{'labels':>8}{'precision':>11}{'recall':>9}{'F1':>8}")
    for role, (true, precision, recall, f1) in rows.items():
        print(f"  {role:<12}{true:>8}{precision:>11.3f}{recall:>9.3f}{f1:>8.3f}")
    print(f"  {'macro':<12}{'':>8}{'':>11}{'':>9}{sum(row[3] for row in rows.values()) / len(rows):>8.3f}\n")


def judge(options, labels):
    """Sets the answer of each label whose block is still there; returns the records of the pages."""
    pages = {(name, page["id"]): page for name in {l["set"] for l in labels} for page in read_pages(options.data, name)}
    by_page = defaultdict(list)
    for label in labels:
        by_page[label["set"], label["id"]].append(label)
    records = dict(zip(by_page, extract(options, [pages[key] for key in by_page])))
    for key, wanted in by_page.items():
        blocks = records[key].get("blocks", [])
        places = {block_key: i for i, block_key in enumerate(keys_of(blocks))}
        for label in wanted:
            label["block"] = places.get(label["key"])
            if label["block"] is not None:
                label["answer"] = blocks[label["block"]].get("role", "other")
    return records


def score(options):
    labels = read_labels()
    missing = sorted({label["set"] for label in labels if not (options.data / label["set"] / "pages.jsonl").exists()})
    if missing:
        print(f"skipped, sets that are not here: {' '.join(missing)}")
    labels = [label for label in labels if label["set"] not in missing]
    records = judge(options, labels)
    found = [label for label in labels if "answer" in label]
    if len(found) < len(labels):
        print(f"{len(labels) - len(found)} of {len(labels)} labels have no block with their text any more\n")

    def pairs(keep):
        return [(label["role"], label["answer"]) for label in found if keep(label)]
    print_figures("all sites", pairs(lambda label: True))
    print_figures("first half of the sites", pairs(lambda label: label["half"] == 0))
    print_figures("second half of the sites", pairs(lambda label: label["half"] == 1))
    print_figures("only blocks drawn without regard to any role", pairs(lambda label: "random" in label["kinds"]))
    if options.wrong:
        show_wrong(options, found, records)
    return 0


def show_wrong(options, found, records):
    for label in found:
        both = (label["role"], label["answer"])
        if label["half"] == 0 and both[0] != both[1] and options.wrong in both + ("all",) and set(both) & set(ROLES):
            blocks = records[label["set"], label["id"]]["blocks"]
            kept = "kept" if blocks[label["block"]]["kept"] else "dropped"
            print(f"{both[0]} called {both[1]} ({kept}; {label['set']}/{label['id']}, {records[label['set'], label['id']].get('page_type')})")
            print(show_block("", blocks, label["block"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--winnow", default=str(ROOT / "build/winnow"))
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("score")
    one.add_argument("data", type=Path)
    one.add_argument("--wrong", choices=ROLES + ("all",), help="list the mistakes of the first half")
    one = commands.add_parser("sample")
    one.add_argument("data", type=Path)
    one.add_argument("file", type=Path)
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--page-seed", type=int, default=1)
    one.add_argument("--skip", type=int, default=0, help="pages at the start that were drawn before")
    one.add_argument("--want", default="random=300," + ",".join(f"{role}=200,called {role}=100" for role in ROLES))
    one = commands.add_parser("show")
    one.add_argument("data", type=Path)
    one.add_argument("file", type=Path)
    one.add_argument("folder", type=Path)
    one.add_argument("--batch", type=int, default=120)
    one = commands.add_parser("take")
    one.add_argument("file", type=Path)
    one.add_argument("folder", type=Path)
    options = parser.parse_args()
    return {"score": score, "sample": sample, "show": show, "take": take}[options.command](options)


if __name__ == "__main__":
    sys.exit(main())
