"""Which blocks of a page are content, by its gold text: the share of their words that the gold holds.

First the words of page and gold are aligned in order (longest common subsequence, bit-parallel); a block counts if
half of its words are matched close together. Then blocks that are left over are compared with the gold words that
are left over, since some golds are in another order than the page.
"""

import re
from collections import Counter

import numpy as np

WORD = re.compile(r"\w+")
# Scripts without spaces: every sign is a word, since a whole clause would never be matched.
UNSPACED = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
LONG_FIELD = 8  # words: a description, not a price
SIGN_OR_WORD = re.compile(f"[{UNSPACED}]|[^\\W{UNSPACED}]+")


def words_of(text, by_sign=False):
    return (SIGN_OR_WORD if by_sign else WORD).findall(text.lower())


def align(page, gold):
    """For each word of the page the place of its partner in the gold, or -1."""
    places = {}
    for j, word in enumerate(gold):
        places[word] = places.get(word, 0) | 1 << j
    full = (1 << len(gold)) - 1
    # Only words that occur in the gold at all can be matched.
    used = [i for i, word in enumerate(page) if word in places]
    vector, vectors = full, []
    for i in used:
        vectors.append(vector)
        hits = vector & places[page[i]]
        vector = ((vector + hits) | (vector - hits)) & full
    vectors.append(vector)
    partner = [-1] * len(page)
    i, j = len(used), len(gold)
    while i > 0 and j > 0:
        if vectors[i] >> (j - 1) & 1:
            j = (~vectors[i] & ((1 << j) - 1)).bit_length()
        elif not vectors[i - 1] >> (j - 1) & 1 or page[used[i - 1]] != gold[j - 1]:
            i -= 1
        else:
            i, j = i - 1, j - 1
            partner[used[i]] = j
    return partner


def label(blocks, gold):
    """The share of each block's words that are content, from 0 to 1, and its number of words."""
    partner = align([word for block in blocks for word in block], gold)
    share = np.zeros(len(blocks), np.float32)
    used = [False] * len(gold)
    at = 0
    for k, block in enumerate(blocks):
        matched = [j for j in partner[at:at + len(block)] if j >= 0]
        at += len(block)
        if block and len(matched) >= len(block) / 2 and matched[-1] - matched[0] < 2.5 * len(block) + 2:
            share[k] = len(matched) / len(block)
            for j in matched:
                used[j] = True
    label_rest(blocks, share, [None if u else word for word, u in zip(gold, used)])
    return share, np.array([len(block) for block in blocks], np.int32)


def carriers(blocks, field):
    """The blocks that show a field, a list of words: with little else, or as a part of a long one."""
    text = f" {' '.join(field)} "
    is_long = len(field) >= LONG_FIELD
    found = []
    for k, block in enumerate(blocks):
        own = f" {' '.join(block)} "
        is_whole = text in own and (is_long or len(field) >= len(block) / 3)
        if block and (is_whole or is_long and len(block) >= LONG_FIELD / 2 and own in text):
            found.append(k)
    return found


def label_rest(blocks, share, rest):
    left = Counter(word for word in rest if word)
    if not left:
        return
    text = " " + " ".join(word or "|" for word in rest) + " "
    for k, block in enumerate(blocks):
        if share[k] > 0 or not block:
            continue
        counts = Counter(block)
        common = (counts & left).total()
        if len(block) <= 3:
            found = common == len(block) and f" {' '.join(block)} " in text and len("".join(block)) > 2
            value = 1.0
        else:
            found = common >= 0.6 * len(block)
            if found:
                threes = {" ".join(block[i:i + 3]) for i in range(len(block) - 2)}
                found = sum(f" {three} " in text for three in threes) >= 0.5 * len(threes)
            value = common / len(block)
        if found:
            share[k] = value
            left -= counts
