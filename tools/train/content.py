"""Pages whose content was read and labelled block by block: data/content/labels.tsv.

A line holds the set, the id of the page, its type and the keys of the blocks that are content. No text of a page is in it: a key is the
hash of the words of a block, and which of several blocks with these words it is.
"""

import hashlib
import re
from collections import Counter

HASH_DIGITS = 6  # enough to tell the blocks of a page apart


def keys_of(texts):
    """The keys of blocks with these texts."""
    seen, keys = Counter(), []
    for text in texts:
        letters = "".join(re.findall(r"\w+", text.lower()))
        key = hashlib.sha1(letters.encode()).hexdigest()[:HASH_DIGITS]
        keys.append(f"{key}.{seen[key]}" if seen[key] else key)
        seen[key] += 1
    return keys


def read_labels(path):
    """{(set, id): (type, keys of content in the order of the page)}"""
    labels = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            name, page, kind, keys = line.rstrip("\n").split("\t")
            labels[name, page] = kind, keys.split()
    return labels


def write_labels(path, labels):
    with open(path, "w", encoding="utf-8") as lines:
        lines.writelines(f"{name}\t{page}\t{kind}\t{' '.join(keys)}\n" for (name, page), (kind, keys) in sorted(labels.items()))
