"""Weights of words: the log of the odds that what is with a word is content.

Every domain counts as one voice, however many pages and blocks it has (its blocks are weighted down by the square
root of their number), and words of fewer than FEWEST_DOMAINS domains are left out.
"""

import numpy as np

FEWEST_DOMAINS = 5
CLASS, ROLE, TEXT, WHOLE, HEADING, PAGE, OUTLINE = range(1, 8)
SMOOTHING = 2.0
UNIT = 16  # weights are in 16ths
TYPE_STEP = 0x9E3779B1  # wn_word_of_type()


def block_words(page):
    """Which words go with which blocks: arrays of kind * 2^32 + hash and of blocks, each pair once."""
    kind, word, at = page.heard[:, 0].astype(np.uint64), page.heard[:, 1].astype(np.uint64), page.heard[:, 2]
    key = kind << np.uint64(32) | word
    pairs = []
    own = (kind == TEXT) | (kind == WHOLE)
    pairs.append((key[own], at[own]))
    # Names of an element belong to all blocks below it.
    below = {}
    for block, element in enumerate(page.element):
        below.setdefault(int(element), []).append(block)
    named = (kind == CLASS) | (kind == ROLE)
    names = {}
    for k, element in zip(key[named].tolist(), at[named].tolist()):
        names.setdefault(element, set()).add(k)
    inherited = [frozenset()] * len(page.parent)
    for element, parent in enumerate(page.parent.tolist()):
        mine = names.get(element)
        inherited[element] = inherited[parent] | mine if mine else inherited[parent]
    for element, blocks in below.items():
        keys = np.fromiter(inherited[element], np.uint64, len(inherited[element]))
        pairs.append((np.repeat(keys, len(blocks)), np.tile(np.array(blocks, np.uint32), len(keys))))
    # Words of a heading belong to the blocks under it.
    heads = {}
    headed = kind == HEADING
    for k, block in zip(key[headed].tolist(), at[headed].tolist()):
        heads.setdefault(block, set()).add(k)
    for block, heading in enumerate(page.heading.tolist()):
        if heading in heads:
            keys = np.fromiter(heads[heading], np.uint64, len(heads[heading]))
            pairs.append((keys, np.full(len(keys), block, np.uint32)))
    keys = np.concatenate([p[0] for p in pairs])
    blocks = np.concatenate([p[1] for p in pairs])
    both = np.unique(np.stack([keys, blocks.astype(np.uint64)]), axis=1)
    return both[0], both[1].astype(np.int64)


class Counts:
    """How much content and how much else goes with each word, by domain."""

    def __init__(self):
        self.rows = []  # (keys, content, other) of a domain

    def add_domain(self, pages, shares, weights):
        """pages: (keys, blocks) of each page of the domain."""
        keys, content, other = [], [], []
        for (page_keys, blocks), share, weight in zip(pages, shares, weights):
            keys.append(page_keys)
            content.append(weight[blocks] * share[blocks])
            other.append(weight[blocks] * (1 - share[blocks]))
        if not keys:
            self.rows.append((np.zeros(0, np.uint64),) + (np.zeros(0),) * 2)
            return
        unique, inverse = np.unique(np.concatenate(keys), return_inverse=True)
        content = np.bincount(inverse, np.concatenate(content), len(unique))
        other = np.bincount(inverse, np.concatenate(other), len(unique))
        scale = 1 / np.sqrt(np.maximum(content + other, 1e-9))
        self.rows.append((unique, content * scale, other * scale))


def weights_of(rows):
    """{hash: weight} from the rows of the domains that may be used."""
    keys = np.concatenate([row[0] for row in rows])
    unique, inverse, domains = np.unique(keys, return_inverse=True, return_counts=True)
    content = np.bincount(inverse, np.concatenate([row[1] for row in rows]), len(unique))
    other = np.bincount(inverse, np.concatenate([row[2] for row in rows]), len(unique))
    enough = domains >= FEWEST_DOMAINS
    kind = unique >> np.uint64(32)
    weights = {}
    for k in (CLASS, ROLE, TEXT, WHOLE, HEADING):
        these = enough & (kind == k)
        usual = content[kind == k].sum() / max(1e-9, (content + other)[kind == k].sum())
        odds = np.log((content[these] + SMOOTHING * usual) / (other[these] + SMOOTHING * (1 - usual)))
        odds -= np.log(usual / (1 - usual))
        values = np.clip(np.round(odds * UNIT), -120, 120).astype(int)
        for word, value in zip((unique[these] & np.uint64(0xFFFFFFFF)).tolist(), values.tolist()):
            if abs(value) >= 3:
                weights[word] = value
    return weights


def type_weights(pages, types, domains, type_count, least=None):
    """{hash of word and type: weight} of words of whole pages; pages are sets of words.

    With `least`, only weights that high: what a word speaks for is nearly all it says, and little to write down. For the
    first type there is always one: so a word that is not known is looked up only once.
    """
    seen = {}
    for words, kind, domain in zip(pages, types, domains):
        for word in words:
            seen.setdefault(word, {}).setdefault(domain, []).append(kind)
    usual = np.bincount(types, minlength=type_count) / len(types)
    weights = {}
    for word, by_domain in seen.items():
        if len(by_domain) < FEWEST_DOMAINS:
            continue
        counts = np.zeros(type_count)
        for kinds in by_domain.values():
            counts += np.bincount(kinds, minlength=type_count) / len(kinds)
        odds = np.log((counts + SMOOTHING * usual) / (counts.sum() + SMOOTHING) / usual)
        for kind, value in enumerate(np.clip(np.round(odds * UNIT), -60, 60).astype(int).tolist()):
            if least is not None and value < least:
                if kind > 0:
                    continue
                value = 0
            weights[(word + kind * TYPE_STEP) & 0xFFFFFFFF] = value
    return weights
