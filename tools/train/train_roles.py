#!/usr/bin/env python3
"""Trains the trees that correct the roles of blocks and writes src/auto/role_data.c.

    tools/train/train_roles.py [--seed N] [--rounds N] [--folds N] [--only-folds] DATA
    tools/train/train_roles.py --draw FILE [--want ROLE=N,...] DATA    blocks to be labelled, see tools/roles.py

The labels are those of data/roles (tools/roles.py); the features come from dump_features --roles, that is from the code that uses the
trees. Blocks that the rules call comments are left to the rules. Sites are divided into folds; each block is judged by trees that
have seen none of its site's labels, and the figures are printed beside those of the rules. The trees of the library are trained
on all labels, so `make score-roles` judges them on what they have seen: the figures that count are those of this program.

Training is deterministic: the same labels, pages, seed and version of LightGBM give the same table.
"""

import argparse
import json
import random
import subprocess
import sys
import zlib
from collections import Counter, defaultdict
from pathlib import Path

import lightgbm
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import roles
from dump import PROGRAM, ROOT, feature_names, groups_of, names_hash
from model import Trees

OUT = ROOT / "src/auto/role_data.c"
# In the order of wn_auto_tree_roles; the last is none of the others.
CHOICES = ("title", "lede", "caption", "related", "promotion", "other")
GROUPS = ("ROLE_OWN", "ROLE_SAYS", "ROLE_SIZE", "ROLE_STEP", "ROLE_PHRASE", "ROLE_TERM")
BLOCK = feature_names()[0]
NAMES = BLOCK + [name for group in GROUPS for name in groups_of("role_features.h")[group]]
ROLE = NAMES.index("ROLE")
# The numbers of winnow_block_role.
ROLE_NAMES = ("", "title", "byline", "lede", "body", "heading", "caption", "facts", "quotation", "embed", "comment", "related",
              "promotion", "share", "navigation", "legal", "other")
TREES = dict(objective="multiclass", num_class=len(CHOICES), learning_rate=0.13, num_leaves=7, min_data_in_leaf=8, feature_fraction=0.2,
             bagging_fraction=0.7, bagging_freq=1, lambda_l2=3, max_bin=63, verbose=-1, num_threads=1, deterministic=True,
             force_col_wise=True)
# How much a label counts. Half of the labels have none of the roles, and all labels are of hard blocks; promotion is the most varied.
WEIGHTS = {"other": 0.5, "promotion": 1.7}

DOUBT = "doubt "  # in the way a block was drawn: the trees of that day were not sure of it
NO_LETTERS = roles.hash_of("")
MOST_OF_PAGE = 2  # blocks that are drawn of one


class Label:
    """A labelled block: its row (None if it is not judged), its role, that of the rules, its site, and the ways it was drawn."""

    def __init__(self, row, role, rules, site, half, kinds=()):
        self.row, self.role, self.rules, self.site, self.half, self.kinds = row, role, rules, site, half, kinds

    @property
    def is_for_trees(self):
        return self.row is not None and self.rules != "comment"

    @property
    def was_doubted(self):
        return any(kind.startswith(DOUBT) for kind in self.kinds)


def dump_pages(paths):
    """For each page: the keys of all blocks, the rows of those that are judged, by block, and the roles that the library gives."""
    done = subprocess.run([str(PROGRAM), "--roles"], input="".join(f"{path}\n" for path in paths).encode(), stdout=subprocess.PIPE, check=True)
    at = 0
    for _ in paths:
        blocks, judged, features, text = (int(n) for n in np.frombuffer(done.stdout, np.uint32, 4, at))
        assert features == len(NAMES), (features, len(NAMES))
        origins = np.frombuffer(done.stdout, np.uint32, judged, at + 16)
        at += 16 + 4 * judged
        rows = np.frombuffer(done.stdout, np.int16, judged * features, at).reshape(judged, features)
        at += rows.nbytes
        given = done.stdout[at:at + blocks]
        at += blocks
        texts = done.stdout[at:at + text].decode("utf-8", "replace").split("\0")[:blocks]
        at += text
        yield roles.keys_of({"text": text} for text in texts), dict(zip(origins.tolist(), rows)), given


def read_labels(data):
    """All labels whose block is found."""
    by_page = defaultdict(list)
    for label in roles.read_labels():
        by_page[label["set"], label["id"]].append(label)
    pages = {(name, page["id"]): page for name in {key[0] for key in by_page} for page in roles.read_pages(data, name)}
    paths = [data / name / "html" / f"{page}.html" for name, page in by_page]
    found, missing = [], 0
    for (key, labels), path, (keys, rows, given) in zip(by_page.items(), paths, dump_pages(paths)):
        places = {block_key: i for i, block_key in enumerate(keys)}
        site = roles.site_of(pages[key], path.read_bytes().decode("utf-8", "replace"))
        for label in labels:
            place = places.get(label["key"])
            missing += place is None
            if place is not None:
                row = rows.get(place)
                rules = ROLE_NAMES[row[ROLE] if row is not None else given[place]]
                found.append(Label(row, label["role"], rules, site, label["half"], label["kinds"]))
    print(f"{len(found)} labels; {missing} have no block with their text")
    return found


def choice_of(role):
    return CHOICES.index(role) if role in CHOICES else len(CHOICES) - 1


def train(labels, options):
    rows = np.array([label.row for label in labels])
    wanted = np.array([choice_of(label.role) for label in labels])
    weights = [WEIGHTS.get(CHOICES[choice], 1) for choice in wanted]
    return lightgbm.train(dict(TREES, seed=options.seed), lightgbm.Dataset(rows, wanted, weight=weights), options.rounds)


def cross_validate(labels, folds, options):
    """The answer for each label by trees that have not seen its site."""
    answers = [label.rules for label in labels]
    for fold in sorted(set(folds)):
        learned = [label for label, own in zip(labels, folds) if own != fold and label.is_for_trees]
        judged = [i for i, own in enumerate(folds) if own == fold and labels[i].is_for_trees]
        if judged:
            sums = train(learned, options).predict(np.array([labels[i].row for i in judged]), raw_score=True)
            for i, chosen in zip(judged, sums.argmax(axis=1)):
                answers[i] = CHOICES[chosen]
    return answers


def print_both(name, labels, answers):
    """All labels, and those that were not drawn because they are hard for the trees."""
    pairs = [(label.role, answer, label.was_doubted) for label, answer in zip(labels, answers)]
    roles.print_figures(name, [(role, answer) for role, answer, doubted in pairs if not doubted])
    roles.print_figures(f"{name}, with blocks that were drawn because trees doubted them", [pair[:2] for pair in pairs])


def report(labels, options):
    print_both("rules alone", labels, [label.rules for label in labels])
    folds = [zlib.crc32(label.site.encode()) // 2 % options.folds for label in labels]
    print_both(f"rules and trees, {options.folds} folds of sites", labels, cross_validate(labels, folds, options))
    if options.halves:
        print_both("rules and trees, each half judged by the other", labels, cross_validate(labels, [label.half for label in labels], options))


def draw(labels, options):
    """Writes blocks to be labelled (tools/roles.py show): those of which these trees are least sure, at most two of a page."""
    booster = train([label for label in labels if label.is_for_trees], options)
    wanted = Counter({role: int(count) for role, count in (item.split("=") for item in options.want.split(","))})
    known = {(label["set"], label["id"], label["key"]) for label in roles.read_labels()}
    rng, drawn = random.Random(options.seed), []
    pages = roles.draw_pages(options.data, options.seed)[:options.pages]
    for page, (keys, rows, _) in zip(pages, dump_pages([options.data / page["set"] / "html" / f"{page['id']}.html" for page in pages])):
        judged = [i for i, row in rows.items() if ROLE_NAMES[row[ROLE]] != "comment" and keys[i][0] != NO_LETTERS
                  and (page["set"], page["id"], keys[i]) not in known]
        chances = booster.predict(np.array([rows[i] for i in judged])) if judged else []
        doubtful = [(i, tuple(CHOICES[c] for c in np.argsort(-chance)[:2])) for i, chance in zip(judged, chances)
                    if np.diff(np.sort(chance)[-2:])[0] < options.margin]
        rng.shuffle(doubtful)
        taken = {}
        for i, pair in doubtful:
            role = max((role for role in pair if role != "other"), key=lambda role: wanted[role])
            if len(taken) < MOST_OF_PAGE and wanted[role] > 0 and keys[i][0] not in {keys[k][0] for k in taken}:
                taken[i] = DOUBT + role
                wanted[role] -= 1
        drawn += [{"set": page["set"], "id": page["id"], "site": page["site"], "block": i, "key": keys[i], "kinds": [taken[i]]} for i in sorted(taken)]
    options.draw.write_text("".join(json.dumps(line) + "\n" for line in drawn))
    print(f"{len(drawn)} blocks of {len(pages)} pages; still wanted: {dict(+wanted)}")


def write(labels, options):
    booster = train([label for label in labels if label.is_for_trees], options)
    trees = Trees(len(NAMES), page_features={i for i, name in enumerate(NAMES) if name.startswith("PAGE_")})
    all_trees = booster.dump_model()["tree_info"]
    for choice in range(len(CHOICES)):
        for info in all_trees[choice::len(CHOICES)]:
            trees.add_tree(info["tree_structure"], None, 1)
    numbers = trees.numbers()
    lines = [",".join(f"{n:#x}" if n > 9 else str(n) for n in numbers[i:i + 16]) + "," for i in range(0, len(numbers), 16)]
    OUT.write_text(f"""/* Written by tools/train/train_roles.py; do not edit.
 *
 * {options.rounds} trees for each of {", ".join(CHOICES)}, from {len(labels)} labelled blocks.
 */
#include "auto/role_data.h"

/* clang-format off */
const uint32_t wn_auto_role_data_features = {names_hash(NAMES) & 0xFFFFFFFF:#x};
const uint32_t wn_auto_role_data_count = {len(numbers)};
const uint32_t wn_auto_role_data[] = {{
""" + "\n".join(lines) + "\n};\n")
    print(f"{OUT.relative_to(ROOT)}: {len(numbers) * 4} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=55)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--halves", action="store_true", help="print figures of trees that have seen only one half of the sites, too")
    parser.add_argument("--draw", type=Path, help="only write blocks to be labelled to this file: those that the trees doubt")
    parser.add_argument("--want", default="related=300,promotion=300,lede=40,caption=40,title=20", help="how many to draw of each role")
    parser.add_argument("--pages", type=int, default=700, help="from how many pages to draw them")
    parser.add_argument("--margin", type=float, default=0.4, help="what is doubted: the best two differ by less")
    parser.add_argument("--only-folds", action="store_true", help="do not write the table")
    options = parser.parse_args()
    labels = read_labels(options.data)
    if options.draw:
        return draw(labels, options)
    report(labels, options)
    if not options.only_folds:
        write(labels, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
