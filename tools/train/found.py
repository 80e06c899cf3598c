"""What is known of each page once it is compared with its gold: labels, words, what the lexicon hears.

It is kept in a folder, because it takes most of the time of a training that is repeated: each file holds the pages of one
bunch, and its name is a hash of all that they come from: pages, golds, the program that reads them and these scripts.
"""

import hashlib
import pickle
from pathlib import Path

import numpy as np

import lexicon
from content import keys_of
from dump import PROGRAM, dump
from labels import carriers, label, words_of

TOGETHER = 1000  # pages, whose texts are in memory at once
SOURCES = ["found.py", "labels.py", "lexicon.py", "dump.py", "content.py"]


class Found:
    """What is known of a page once it is compared with its gold."""

    def weights(self, content=None, least=0):
        """Of its blocks in training: by words, no page more than 4 in all.

        `content` is the number of words of the content, if the gold does not tell it; blocks count as if they had `least` words.
        """
        weight = np.maximum(self.words, least) / max(60, self.gold_words if content is None else content)
        return weight * min(1, 4 / max(1e-9, weight.sum())) + 0.0005


def examine(page, gold, by_sign, fields, kept):
    """`kept`: the blocks that a reader took for content, or None if the gold tells."""
    found = Found()
    found.early, found.words_beside = page.early, page.words_beside
    found.kind = np.unique(page.kind, return_inverse=True)[1]
    blocks = [words_of(text, by_sign) for text in page.texts]
    found.lost = 0  # blocks that a reader labelled and that are not on the page any more
    if kept is None:
        gold_words = words_of(gold, by_sign)
        found.share, found.words = label(blocks, gold_words)
    else:
        is_kept = [key in kept for key in keys_of(page.texts)]
        found.lost = len(kept) - sum(is_kept)
        gold_words = [word for block, keep in zip(blocks, is_kept) if keep for word in block]
        found.share, found.words = np.array(is_kept, np.float32), np.array([len(block) for block in blocks], np.int32)
    found.gold_words = len(gold_words)
    wanted = [words_of(field, by_sign) for field in fields]
    found.fields = [(len(field), carriers(blocks, field)) for field in wanted if field]
    counts = {}
    for word in gold_words:
        counts[word] = counts.get(word, 0) + 1
    number = {word: i for i, word in enumerate(counts)}
    found.gold_counts = np.array(list(counts.values()), int)
    tokens = [[number.get(word, -1) for word in block] for block in blocks]
    found.tokens = np.array([t for block in tokens for t in block], np.int32)
    found.owner = np.repeat(np.arange(len(tokens)), [len(block) for block in tokens])
    found.named = lexicon.block_words(page) if len(page.rows) else (np.zeros(0, np.uint64), np.zeros(0, np.int64))
    found.page_words, found.outline_words = (
        sorted(set(page.heard[page.heard[:, 0] == kind][:, 1].tolist())) for kind in (lexicon.PAGE, lexicon.OUTLINE))
    return found


def name_of(paths, golds, by_sign, fields, kept):
    """A name for what is found on those pages, which changes when anything does that it comes from."""
    here = Path(__file__).resolve().parent
    value = hashlib.sha1()
    for data in [PROGRAM.read_bytes(), *((here / name).read_bytes() for name in SOURCES)]:
        value.update(hashlib.sha1(data).digest())
    for path, gold, sign, parts, keys in zip(paths, golds, by_sign, fields, kept):
        for data in path.read_bytes(), gold.encode(), bytes([bool(sign)]), repr(parts).encode(), repr(keys and sorted(keys)).encode():
            value.update(hashlib.sha1(data).digest())
    return value.hexdigest()


def read_found(paths, golds, by_sign, fields, kept, pool, cache):
    """What is found on those pages; `by_sign`: whether signs of scripts without spaces are words; `fields` that must be there;
    `kept`: the keys of blocks that a reader took for content, or None."""
    cache.mkdir(parents=True, exist_ok=True)
    found = []
    for start in range(0, len(paths), TOGETHER):
        these = slice(start, start + TOGETHER)
        bunch = paths[these], golds[these], by_sign[these], fields[these], kept[these]
        path = cache / name_of(*bunch)
        if not path.exists():
            pages = dump(bunch[0], with_words=True)
            new = list(pool.map(examine, pages, *bunch[1:], chunksize=8))
            path.with_suffix(".part").write_bytes(pickle.dumps(new))
            path.with_suffix(".part").rename(path)
        found += pickle.loads(path.read_bytes())
    return found
