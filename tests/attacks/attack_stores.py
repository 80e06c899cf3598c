"""Attacks on words, clouds, collections and the evaluation."""

import itertools
import json
import random

from attack import attack, repeated

# ---- Words -----------------------------------------------------------------------------------------

TEXTS = {"one_long_word": "x", "one_letter_words": "x ", "apostrophes": "x'", "hyphens": "x-", "marks": "a\u0301", "only_marks": "\u0301",
         "thai_words": "\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22", "thai_vowels": "\u0e34", "thai_one_letter": "\u0e01", "chinese_words": "\u4e2d\u6587",
         "one_ideograph": "\u4e00", "japanese_words": "\u65e5\u672c\u8a9e\u30ab\u30bf", "khmer_words": "\u1797\u17b6\u179f\u17b6", "lao_words": "\u0e9e\u0eb2\u0eaa\u0eb2",
         "numbers": "1,", "emoji_words": "\U0001f600\u200d", "capitals_of_words": "\u0130", "empty_lines": "\n"}
repeated("words", "words --text --lower --no-stopwords {page}", 50_000, **TEXTS)
repeated("words", "words --html -m all {page}", 50_000, words_of_blocks="<p>a b</p>", words_of_cells="<table><tr><td>a<td>b</table>")


def colliding_words(count):
    """Words whose 32-bit FNV-1a ends in the same 18 bits: hash tables without a key put them into one
    place. From each state several blocks of letters lead to the same next one; k times b of them make
    b^k words."""
    state, stages, words, mask = 2166136261 & 0x3FFFF, [], 1, 0x3FFFF
    blocks = ["".join(letters) for letters in itertools.product("etaoinshrdlucmfw", repeat=4)]
    while words < count:
        ends = {}
        for block in blocks:
            end = state
            for letter in block.encode():
                end = (end ^ letter) * 16777619 & mask
            ends.setdefault(end, []).append(block)
        state = max(ends, key=lambda end: len(ends[end]))
        stages.append(ends[state])
        words *= len(ends[state])
    return ["".join(parts) for parts in itertools.islice(itertools.product(*stages), count)]


def flood(n):
    """A page whose words collide."""
    return "<html lang=en><p>" + " ".join(colliding_words(n // 18))


def different_words(n):
    return "<html lang=en><p>" + " ".join(f"w{i:x}" for i in range(n // 6))


ADD = "corpus add {folder}/store.db -q "
for stage, command in {"cloud": "cloud -m all -f csv {page}", "corpus add": ADD + "-m all {page}", "outlier": "extract -m outlier {page} {page}"}.items():
    attack(stage, command, 36_000)(flood)
    attack(stage, command, 36_000)(different_words)


@attack("css match", "extract -m eifce -f jsonl {page}", 36_000)
def flood_of_classes(n):
    words = colliding_words(n // 60)
    return ("<style>" + "".join(f".{word}{{color:red}}" for word in words) + "</style>" +
            "".join(f"<p class={word}>x</p>" for word in words))


repeated("cloud", "cloud -m all -f csv {page}", 50_000, cloud_of_one_word="<p>word ", cloud_of_thai="<p>\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22",
         cloud_of_one_long_word=("<p>", "x"))
repeated("cloud", "cloud -m all -f svg {page}", 20_000, picture_of_one_long_word=("<p>", "x"), picture_of_emoji=("<p>", "\U0001f600 "))


@attack("cloud", "cloud -m all -n 1000 -f svg {page}", 5_000)
def picture_of_many_words(n):
    return different_words(n)


# ---- Collections -----------------------------------------------------------------------------------


def lines(pages):
    return {"pages.jsonl": "".join(json.dumps({"html": html, "url": f"https://h{i % 9}.org/{i}", "id": str(i)}) + "\n" for i, html in enumerate(pages))}


def pages_of(n, make, size):
    return lines(make(i) for i in range(max(n // (size + 60), 2)))


SHARED = "The same words are on all of the pages of this collection, again and again. "
KINDS = {
    "tiny_pages": (lambda i: f"<p>x{i}</p>", 10),
    "equal_pages": (lambda i: f"<p>{SHARED * 4}</p>", 320),
    "nearly_equal_pages": (lambda i: f"<p>{SHARED * 4} {i}</p>", 320),
    "pages_of_different_words": (lambda i: "<p>" + " ".join(f"w{i}x{k}" for k in range(40)), 280),
    "pages_in_a_chain": (lambda i: "<p>" + " ".join(f"w{i + k}" for k in range(60)), 320),
    "pages_of_one_word": (lambda i: "<p>" + "word " * 60, 300),
}
ADD_LINES = ADD + "-m all {folder}/pages.jsonl"
for verb, then in {"add": "", "search": " && corpus search {folder}/store.db 'the same OR words \"on all of the pages\" -again'",
                   "dedup": " && corpus dedup -q {folder}/store.db", "outliers": " && corpus outliers -q {folder}/store.db",
                   "export": " && corpus export -q {folder}/store.db -f jsonl --stems", "stats": " && corpus stats {folder}/store.db"}.items():
    for name, (make, size) in KINDS.items():
        if verb in ("add", "dedup", "outliers") or name in ("tiny_pages", "nearly_equal_pages"):
            attack(f"corpus {verb}", ADD_LINES + then, 40_000)(
                type("", (), {"__call__": lambda self, n, make=make, size=size: pages_of(n, make, size), "__name__": f"{verb}_{name}"})())


# A query has at most 32 words, and a command line at most 128 KB in one word.
LONG = "word" * 200
for name, query in {"long_words": f"{LONG} " * 30, "phrases": f'"{LONG} word" ' * 15, "one_long_phrase": '"' + "word other " * 15 + '"', "quotation_marks": '"' * 20_000 + "a",
                    "alternatives": "a OR " * 15 + "b", "words_left_out": "word" + " -other" * 30, "prefixes": "w* " * 30, "parentheses": "(" * 20_000 + "a"}.items():
    attack("corpus search", ADD + "-m all {page} && corpus search {folder}/store.db -- " + f"'{query}'", 20_000)(
        type("", (), {"__call__": lambda self, n: "<p>" + "word other " * (n // 11), "__name__": f"query_of_{name}"})())


# ---- Evaluation ------------------------------------------------------------------------------------


def evaluated(html, gold):
    return {"html/a.html": html, "gold/a.txt": gold, "pages.jsonl": '{"id":"a","with":["x y"],"without":["z"]}\n'}


EVAL = "eval -q -m all --worst 1 --labels {folder}"


@attack("eval", EVAL, 25_000)
def same_word(n):
    return evaluated("<p>" + "a " * (n // 4), "a " * (n // 4))


@attack("eval", EVAL, 25_000)
def two_words_in_another_order(n):
    return evaluated("<p>" + "a b " * (n // 8), "b b a " * (n // 12))


@attack("eval", EVAL, 25_000)
def random_words(n):
    chance = random.Random(1)
    return evaluated("<p>" + " ".join(chance.choices("abcdefgh", k=n // 4)), " ".join(chance.choices("abcdefgh", k=n // 4)))


@attack("eval", EVAL, 25_000)
def words_backwards(n):
    words = [f"w{i}" for i in range(n // 12)]
    return evaluated("<p>" + " ".join(words), " ".join(reversed(words)))


@attack("eval", EVAL, 25_000)
def many_sentences_to_find(n):
    files = evaluated("<p>" + "a b c " * (n // 12), "a")
    files["pages.jsonl"] = json.dumps({"id": "a", "with": ["a b c d"] * 500}) + "\n"
    return files


@attack("eval", EVAL, 25_000)
def sentences_as_long_as_the_text(n):
    files = evaluated("<p>" + "a" * (n // 2), "a")
    files["pages.jsonl"] = json.dumps({"id": "a", "with": ["a" * (n // 4) + "b"] * 2}) + "\n"
    return files


@attack("eval", EVAL, 25_000)
def colliding_gold(n):
    return evaluated(flood(n // 2), " ".join(colliding_words(n // 36)))


@attack("eval", "eval -q -m lineblock --measure shingles --sites {folder}", 25_000)
def many_small_pages(n):
    k = n // 120
    files = {f"html/{i}.html": "<p>x y z" for i in range(k)} | {f"gold/{i}.txt": "x y" for i in range(k)}
    files["pages.jsonl"] = "".join(f'{{"id":"{i}","url":"https://h{i}.org/"}}\n' for i in range(k))
    return files
