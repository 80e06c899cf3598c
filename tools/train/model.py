"""Writes models as src/learn/model.h describes them."""

import numpy as np

MAGIC, VERSION = 0x574E4D31, 1
PARTS = ["lexicon", "block", "second", "types", "confidence", "constants"]
ONE = 1024  # the unit of leaves
MOST = 32767  # the threshold of leaves


def lexicon_numbers(weights):
    """A table with open addressing for {hash: weight}."""
    size = 16
    while size < 2 * len(weights):
        size *= 2
    table = np.zeros((size, 2), np.uint32)
    for word in sorted(weights):
        at = word & (size - 1)
        while table[at, 0]:
            at = (at + 1) & (size - 1)
        table[at] = word, np.uint32(int(weights[word]) & 0xFFFFFFFF)
    return table.ravel()


class Trees:
    """A forest that is put together tree by tree, as src/learn/forest.h describes it."""

    def __init__(self, feature_count):
        self.feature_count, self.bias = feature_count, 0
        self.trees, self.splits = [], []

    def add_lightgbm(self, booster, columns=None):
        """Adds the trees of a LightGBM model; `columns` are the features its columns stand for."""
        for info in booster.dump_model()["tree_info"]:
            self.add_tree(info["tree_structure"], columns)

    def add_tree(self, root, columns):
        """Level by level, so that the two children of a split stand side by side."""
        start, level, depth = len(self.splits), [root], 0
        places = 1  # in this tree so far
        while level:
            below = []
            for node in level:
                if "split_feature" not in node:
                    answer = int(np.clip(round(node["leaf_value"] * ONE), -32767, 32767))
                    self.splits.append((MOST, 0, len(self.splits) - start, answer))
                    continue
                feature = node["split_feature"]
                threshold = int(np.clip(np.floor(node["threshold"]), -32768, MOST - 1))
                self.splits.append((threshold, columns[feature] if columns is not None else feature, places, 0))
                below += [node["left_child"], node["right_child"]]
                places += 2
            depth += bool(below)
            level = below
        self.trees.append((start, depth))

    def numbers(self):
        if not self.trees:
            return np.zeros(0, np.uint32)
        splits = np.array([(t & 0xFFFF | f << 16, n | (a & 0xFFFF) << 16) for t, f, n, a in self.splits], np.uint32)
        head = np.array([len(self.trees), self.feature_count, self.bias & 0xFFFFFFFF, len(self.splits)], np.uint32)
        return np.concatenate([head, np.array(self.trees, np.uint32).ravel(), splits.ravel()])


def model_numbers(parts, constants):
    """All numbers of a model; `parts` maps names of PARTS to arrays."""
    constants = np.array(list(constants) + [0] * (16 - len(constants)), np.int32).view(np.uint32)
    arrays = [parts.get(name, np.zeros(0, np.uint32)) for name in PARTS[:-1]] + [constants]
    start, header = 2 + 2 * len(PARTS), [MAGIC, VERSION]
    for array in arrays:
        header += [start, len(array)]
        start += len(array)
    return np.concatenate([np.array(header, np.uint32)] + arrays)
