"""Writes models as src/auto/model.h describes them."""

import numpy as np

from dump import feature_names

MAGIC, VERSION = 0x574E4D31, 8
PARTS = ["lexicon", "block", "early", "article", "gate", "item", "item_gate", "types", "confidence", "constants"]
FULL = 0.7  # of the slots of a lexicon; fuller, and look-ups become long
LEAST_SLOTS = 1 << 16  # WN_LEXICON_LEAST_SLOTS
ONE = 1024  # the unit of leaves
MOST = 32767  # of an answer or a threshold
LEAVES = 16  # WN_TREE_LEAVES
PAGE_FEATURES = frozenset(i for i, name in enumerate(sum(feature_names(), [])) if name.startswith("PAGE_"))


def lexicon_numbers(weights):
    """The table of src/auto/lexicon.h for {hash: weight}."""
    size = LEAST_SLOTS
    while size * FULL < len(weights):
        size *= 2
    table = np.zeros(size, np.uint32)
    for word in sorted(weights):
        at, away = word & (size - 1), 0
        while table[at]:
            at, away = (at + 1) & (size - 1), away + 1
        assert away < size >> 8 and -128 < weights[word] < 128
        table[at] = word & ~(size - 1) | away << 8 | int(weights[word]) + 128
    return table


class Trees:
    """A forest that is put together tree by tree, as src/auto/forest.h describes it."""

    def __init__(self, feature_count, page_features=PAGE_FEATURES):
        """`page_features` are the same for all blocks of a page; a column after the features tells habits (train.py)."""
        self.feature_count, self.bias, self.page_features = feature_count, 0, page_features
        self.trees, self.splits = [], []

    def add_lightgbm(self, *boosters, columns=None, share=1, first=0, last=None):
        """Adds the trees of LightGBM models, which take turns and answer as their mean; `columns` are the features their
        columns stand for.

        Their answers count by `share`; `first` and `last` choose a part of the trees.
        """
        trees = [booster.dump_model()["tree_info"][first:last] for booster in boosters]
        for info in (info for turn in zip(*trees) for info in turn):
            self.add_tree(info["tree_structure"], columns, share / len(boosters))

    def add_tree(self, root, columns, share):
        answers, splits = [], []

        def read(node):
            """Numbers the leaves below a node; returns the first of them."""
            first = len(answers)
            if "split_feature" not in node:
                answers.append(int(np.clip(round(node["leaf_value"] * share * ONE), -MOST, MOST)))
                return first
            if columns is None and node["split_feature"] == self.feature_count:  # whose habits: golds are on the left
                read(node["left_child"])
                return first
            feature = node["split_feature"] if columns is None else columns[node["split_feature"]]
            threshold = int(np.clip(np.floor(node["threshold"]), -MOST - 1, MOST))
            read(node["left_child"])
            left = (1 << len(answers)) - (1 << first)
            splits.append((int(feature), threshold, left))
            read(node["right_child"])
            return first

        read(root)
        self.add_splits(splits, answers)

    def add_splits(self, splits, answers):
        """A tree of (feature, threshold, leaves to its left) and the answers of its leaves."""
        assert len(answers) <= LEAVES
        places = []
        for of_page in True, False:
            places.append(len(self.splits))
            self.splits += sorted(split for split in splits if (split[0] in self.page_features) == of_page)
        self.trees.append((places + [len(self.splits)], answers + [0] * (LEAVES - len(answers))))

    def numbers(self):
        if not self.trees:
            return np.zeros(0, np.uint32)
        trees = [np.concatenate([np.array(places, np.uint32), np.array(answers, np.int16).view(np.uint32)])
                 for places, answers in self.trees]
        splits = np.array([(t & 0xFFFF, f, left) for f, t, left in self.splits], np.uint16).ravel()
        splits = np.append(splits, [0] * (len(splits) % 2)).astype(np.uint16)  # whole numbers of 32 bits
        head = np.array([len(self.trees), self.feature_count, self.bias & 0xFFFFFFFF, len(self.splits)], np.uint32)
        return np.concatenate([head] + trees + [splits.view(np.uint32)])


def model_numbers(parts, constants):
    """All numbers of a model; `parts` maps names of PARTS to arrays."""
    constants = np.array(list(constants) + [0] * (16 - len(constants)), np.int32).view(np.uint32)
    arrays = [parts.get(name, np.zeros(0, np.uint32)) for name in PARTS[:-1]] + [constants]
    start, header = 2 + 2 * len(PARTS), [MAGIC, VERSION]
    for array in arrays:
        header += [start, len(array)]
        start += len(array)
    return np.concatenate([np.array(header, np.uint32)] + arrays)
