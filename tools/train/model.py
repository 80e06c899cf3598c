"""Writes models as src/learn/model.h describes them."""

import numpy as np

MAGIC, VERSION = 0x574E4D31, 1
PARTS = ["lexicon", "block", "second", "types", "confidence", "constants"]
ONE = 1024  # the unit of leaves
LEAF = 0x8000


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
    """A forest that is put together tree by tree."""

    def __init__(self, feature_count):
        self.feature_count, self.bias = feature_count, 0
        self.trees, self.splits, self.leaves = [], [], []

    def add_lightgbm(self, booster, columns=None):
        """Adds the trees of a LightGBM model; `columns` are the features its columns stand for."""
        for info in booster.dump_model()["tree_info"]:
            self.add_tree(info["tree_structure"], columns)

    def add_tree(self, root, columns):
        self.trees.append((len(self.splits), len(self.leaves)))
        first, first_leaf = self.trees[-1]
        queue, at = [root], 0
        if "split_feature" not in root:  # a tree of one leaf: a split whose sides are equal
            self.leaves.append(round(root["leaf_value"] * ONE))
            self.splits.append((0, 0, LEAF, LEAF))
            return
        self.splits.append(None)
        while at < len(queue):
            node = queue[at]
            sides = []
            for side in ("left_child", "right_child"):
                child = node[side]
                if "split_feature" in child:
                    queue.append(child)
                    self.splits.append(None)
                    sides.append(len(queue) - 1)
                else:
                    sides.append(LEAF | (len(self.leaves) - first_leaf))
                    self.leaves.append(round(child["leaf_value"] * ONE))
            feature = node["split_feature"]
            threshold = int(np.clip(np.floor(node["threshold"]), -32768, 32767))
            self.splits[first + at] = (threshold, columns[feature] if columns is not None else feature, *sides)
            at += 1

    def numbers(self):
        if not self.trees:
            return np.zeros(0, np.uint32)
        splits = np.array([(t & 0xFFFF | f << 16, l | r << 16) for t, f, l, r in self.splits], np.uint32)
        head = np.array([len(self.trees), self.feature_count, self.bias & 0xFFFFFFFF, len(self.splits),
                         len(self.leaves)], np.uint32)
        leaves = np.array(self.leaves, np.int32).view(np.uint32)
        return np.concatenate([head, np.array(self.trees, np.uint32).ravel(), splits.ravel(), leaves])


def model_numbers(parts, constants):
    """All numbers of a model; `parts` maps names of PARTS to arrays."""
    constants = np.array(list(constants) + [0] * (16 - len(constants)), np.int32).view(np.uint32)
    arrays = [parts.get(name, np.zeros(0, np.uint32)) for name in PARTS[:-1]] + [constants]
    start, header = 2 + 2 * len(PARTS), [MAGIC, VERSION]
    for array in arrays:
        header += [start, len(array)]
        start += len(array)
    return np.concatenate([np.array(header, np.uint32)] + arrays)
