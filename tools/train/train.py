#!/usr/bin/env python3
"""Trains the model of `auto` and writes it: src/learn/model_data.c, and the models of cross-validation.

    tools/train/train.py [--seed N] [--jobs N] [--only-folds] [--out DIR] SET

SET is a folder with html/, gold/ and pages.jsonl (wcxb-dev). Pages are divided into six folds by registrable domain. For
every fold a model is trained on the five others (DIR/folds/N.model, with DIR/folds/folds.tsv for
`winnow eval --folds`), and one on all six, which the library carries.

Nothing may be judged by what has seen it, inside of training neither: the features that training sees are made with a
lexicon that was learned without the fold of the page. So for each pair of folds there is a lexicon without both.
"""

import argparse
import hashlib
import json
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from urllib.parse import urlparse

import lightgbm
import numpy as np
from publicsuffixlist import PublicSuffixList

sys.path.insert(0, str(Path(__file__).resolve().parent))
import lexicon
from dump import ROOT, dump, feature_names, names_hash
from labels import label, words_of
from model import Trees, lexicon_numbers, model_numbers

FOLDS = 6
TYPES = ["article", "forum", "product", "collection", "listing", "documentation", "service"]
BLOCK, OUTLOOK = feature_names()
PAGE = [i for i, name in enumerate(BLOCK + OUTLOOK) if name.startswith("PAGE_")]
COPIES_BEFORE = BLOCK.index("COPIES_BEFORE")

# What the decision uses; chosen on folds 0 to 4. As in wn_model_constant.
SCALE, LOWEST_CUT, HIGHEST_CUT, FEWEST_WORDS, COPY_WORDS, SPREAD = 1, 0.1, 0.6, 20, 8, 5
CONSTANTS = [round(SCALE * 1024), round(LOWEST_CUT * 1024), round(HIGHEST_CUT * 1024), FEWEST_WORDS, COPY_WORDS, round(SPREAD * 1024)]
CONSTANTS += [0] * (15 - len(CONSTANTS)) + [names_hash(BLOCK + OUTLOOK)]

COMMON = dict(feature_fraction=0.35, bagging_fraction=0.7, bagging_freq=1, lambda_l2=5, verbose=-1, num_threads=1,
              deterministic=True, force_row_wise=True)
# Of blocks that weigh less than this only a part is looked at, which then counts for all: menus have many blocks.
LIGHT = 0.004
# The first trees learn fast, so that what is plainly no content can be left alone after them (src/page/judge.c).
FAST_TREES, FAST_RATE = 24, 0.16
BLOCK_TREES = dict(COMMON, objective="cross_entropy", learning_rate=0.1, num_leaves=16, max_depth=7,
                   min_data_in_leaf=60, min_sum_hessian_in_leaf=0.1, max_bin=63), 120
TYPE_TREES = dict(COMMON, objective="binary", learning_rate=0.15, num_leaves=6, min_data_in_leaf=8, max_bin=63), 60
CONFIDENCE_TREES = dict(COMMON, objective="l2", learning_rate=0.08, num_leaves=8, min_data_in_leaf=20, max_bin=63), 50


# ---- The set ----------------------------------------------------------------------------------------------------


class Set:
    """Pages, their labels and their folds."""

    def __init__(self, folder):
        with open(folder / "pages.jsonl", encoding="utf-8") as lines:
            self.pages = [json.loads(line) for line in lines]
        self.folder = folder
        self.paths = [folder / "html" / f"{page['id']}.html" for page in self.pages]
        self.types = np.array([TYPES.index(page["type"]) for page in self.pages])
        suffixes = PublicSuffixList()
        hosts = [(urlparse(page.get("url") or "").hostname or page["id"]).lower() for page in self.pages]
        self.domains = [suffixes.privatesuffix(host) or host for host in hosts]
        self.fold = self.make_folds()

    def make_folds(self):
        """Whole domains to folds, the largest first, so that each fold has its share of every type."""
        members = {}
        for i, domain in enumerate(self.domains):
            members.setdefault(domain, []).append(i)
        usual = np.maximum(1, np.bincount(self.types, minlength=len(TYPES)))
        counts = np.zeros((FOLDS, len(TYPES)))
        folds = np.zeros(len(self.pages), int)
        for domain in sorted(members, key=lambda d: (-len(members[d]), hashlib.sha1(d.encode()).hexdigest())):
            more = np.bincount(self.types[members[domain]], minlength=len(TYPES))
            best = min(range(FOLDS), key=lambda f: (((counts[f] + more)**2 - counts[f]**2) / usual).sum())
            counts[best] += more
            folds[members[domain]] = best
        return folds

    def read(self, jobs):
        """Labels and words of all pages; takes a minute."""
        pages = dump(self.paths, with_words=True)
        with ProcessPoolExecutor(jobs) as pool:
            self.found = list(pool.map(examine, pages, [self.gold(i) for i in range(len(pages))], chunksize=8))

    def gold(self, i):
        return (self.folder / "gold" / f"{self.pages[i]['id']}.txt").read_text(encoding="utf-8", errors="replace")


class Found:
    """What is known of a page once it is compared with its gold."""

    def weights(self):
        """Of its blocks in training: by words, no page more than 4 in all."""
        weight = self.words / max(60, self.gold_words)
        return weight * min(1, 4 / max(1e-9, weight.sum())) + 0.0005


def examine(page, gold):
    found = Found()
    found.share, found.words = label(page.texts, gold)
    gold_words = words_of(gold)
    found.gold_words = len(gold_words)
    counts = {}
    for word in gold_words:
        counts[word] = counts.get(word, 0) + 1
    number = {word: i for i, word in enumerate(counts)}
    found.gold_counts = np.array(list(counts.values()), int)
    tokens = [[number.get(word, -1) for word in words_of(text)] for text in page.texts]
    found.tokens = np.array([t for block in tokens for t in block], np.int32)
    found.owner = np.repeat(np.arange(len(tokens)), [len(block) for block in tokens])
    found.named = lexicon.block_words(page) if len(page.rows) else (np.zeros(0, np.uint64), np.zeros(0, np.int64))
    found.page_words, found.outline_words = (
        sorted(set(page.heard[page.heard[:, 0] == kind][:, 1].tolist())) for kind in (lexicon.PAGE, lexicon.OUTLINE))
    return found


def f1_of(found, keep):
    """Word F1 of keeping those blocks."""
    kept = keep[found.owner] if len(found.owner) else np.zeros(0, bool)
    ours = int(kept.sum())
    if ours == 0 or found.gold_words == 0:
        return float(ours == found.gold_words)
    hits = found.tokens[kept]
    hits = np.bincount(hits[hits >= 0], minlength=len(found.gold_counts))
    return 2 * np.minimum(hits, found.gold_counts).sum() / (ours + found.gold_words)


def decide(found, logits, copies_before):
    """The blocks that src/extract/auto.c would keep, before it makes them whole."""
    words = found.words.astype(float)
    chance = 1 / (1 + np.exp(-SCALE * logits))
    chance = np.where((copies_before > 0) & (words >= COPY_WORDS), 0, chance)
    order = np.argsort(-chance, kind="stable")
    kept, sure, odds = np.cumsum(words[order]), chance[order], 1 / np.maximum(1e-9, 1 / np.maximum(1e-9, chance[order]) - 1)
    if len(kept) == 0 or (words * chance).sum() < min(FEWEST_WORDS, words.sum() / 4):
        return np.zeros(len(words), bool)
    score = 0  # as in src/page/cut.c
    for weight, factor in ((4, 1), (1, SPREAD), (1, 1 / SPREAD)):
        hits = np.cumsum(words[order] * np.where(sure > 0, odds * factor / (1 + odds * factor), 0))
        score += weight * 2 * hits / (kept + hits[-1])
    cut = max(sure[np.argmax(np.where(sure >= LOWEST_CUT, score, 0))], LOWEST_CUT)
    return chance >= min(cut, HIGHEST_CUT)


# ---- Training ---------------------------------------------------------------------------------------------------


class Trainer:
    def __init__(self, pages, seed, work):
        self.set, self.seed, self.work = pages, seed, work
        self.lexicons, self.rows = {}, {}

    def inside(self, *folds):
        return np.flatnonzero(np.isin(self.set.fold, folds))

    def without(self, *folds):
        return np.flatnonzero(~np.isin(self.set.fold, folds))

    def lexicon(self, *without):
        """The weights of words, learned from all folds but these."""
        key = tuple(sorted(set(without)))
        if key not in self.lexicons:
            pages, found = self.without(*key), self.set.found
            members = {}
            for i in pages:
                members.setdefault(self.set.domains[i], []).append(i)
            counts = lexicon.Counts()
            for group in members.values():
                counts.add_domain([found[i].named for i in group], [found[i].share for i in group],
                                  [np.sqrt(np.minimum(found[i].words, 60)) for i in group])
            weights = lexicon.weights_of(counts.rows)
            of_pages = self.set.types[pages], [self.set.domains[i] for i in pages], len(TYPES)
            weights.update(lexicon.type_weights([found[i].page_words for i in pages], *of_pages))
            weights.update(lexicon.type_weights([found[i].outline_words for i in pages], *of_pages, least=8))
            self.lexicons[key] = lexicon_numbers(weights)
        return self.lexicons[key]

    def dump(self, fold, parts):
        """The rows of the pages of a fold, as a model with those parts sees them."""
        path = self.work / f"part{os.getpid()}.model"
        model_numbers(parts, CONSTANTS).tofile(path)
        rows = [page.rows for page in dump([self.set.paths[i] for i in self.inside(fold)], model=path)]
        path.unlink()
        return rows

    def block_rows(self, fold, *without):
        """The rows of a fold with a lexicon that was learned neither from it nor from those."""
        key = tuple(sorted(set(without) | {fold}))
        if (fold, key) not in self.rows:
            self.rows[fold, key] = self.dump(fold, {"lexicon": self.lexicon(*key)})
        return self.rows[fold, key]

    def fit(self, settings, rows, columns, target, weight=None):
        options, trees = settings
        data = lightgbm.Dataset(np.concatenate(rows)[:, columns].astype(np.float32), target, weight=weight)
        rates = [FAST_RATE if settings is BLOCK_TREES and i < FAST_TREES else options["learning_rate"] for i in range(trees)]
        return lightgbm.train(dict(options, seed=self.seed), data, trees,
                              callbacks=[lightgbm.reset_parameter(learning_rate=rates)])

    def block_model(self, *without):
        """Lexicon and trees for blocks of all folds but these, and the trees as LightGBM has them."""
        folds = [fold for fold in range(FOLDS) if fold not in without]
        found = [self.set.found[i] for fold in folds for i in self.inside(fold)]
        rows = [row for fold in folds for row in self.block_rows(fold, *without)]
        weight = [f.weights() for f in found]
        random = np.random.RandomState(self.seed)
        keep = [random.rand(len(w)) * LIGHT < w for w in weight]
        share = np.concatenate([f.share[k] for f, k in zip(found, keep)])
        weight = np.concatenate([np.maximum(w[k], LIGHT) for w, k in zip(weight, keep)])
        booster = self.fit(BLOCK_TREES, [row[k] for row, k in zip(rows, keep)], list(range(len(BLOCK))), share,
                           weight / weight.mean())
        trees = Trees(len(BLOCK))
        trees.add_lightgbm(booster)
        return {"lexicon": self.lexicon(*without), "block": trees.numbers()}, booster

    def page_parts(self, pages, rows, f1):
        """Trees for the type of a page and for how good the result will be, and both as LightGBM has them."""
        rows = [row[:1] for row in rows]
        some = [k for k, row in enumerate(rows) if len(row)]
        rows = [rows[k] for k in some]
        types, confidence = Trees(len(BLOCK + OUTLOOK)), Trees(len(BLOCK + OUTLOOK))
        judges = [self.fit(TYPE_TREES, rows, PAGE, (self.set.types[pages[some]] == kind).astype(float))
                  for kind in range(len(TYPES))]
        for judge in judges:
            types.add_lightgbm(judge, PAGE)
        judges.append(self.fit(CONFIDENCE_TREES, rows, PAGE, np.array(f1)[some]))
        confidence.add_lightgbm(judges[-1], PAGE)
        return {"types": types.numbers(), "confidence": confidence.numbers()}, judges


def cross_validate(trainer, fold):
    """A model without a fold, the rows of that fold as the model sees them, and the F1 of its pages."""
    started = time.monotonic()
    parts, booster = trainer.block_model(fold)
    rows, scores = trainer.dump(fold, parts), []
    for i, row in zip(trainer.inside(fold), rows):
        logits = booster.predict(row[:, :len(BLOCK)], raw_score=True) if len(row) else np.zeros(0)
        found = trainer.set.found[i]
        scores.append(f1_of(found, decide(found, logits, row[:, COPIES_BEFORE])))
    print(f"without fold {fold}: {time.monotonic() - started:.0f} s", flush=True)
    return parts, rows, scores


def report(name, trainer, pages, scores):
    print(f"{name:24}", end="")
    for kind in [None] + list(range(len(TYPES))):
        these = [i for i in pages if kind is None or trainer.set.types[i] == kind]
        label_ = "all" if kind is None else TYPES[kind][:5]
        print(f"  {label_} {np.mean([scores[i] for i in these]):.4f}", end="")
    print(flush=True)


def write_table(path, numbers, note):
    lines = [f"/* Written by tools/train/train.py; do not edit.\n *\n{note} */", '#include "learn/model_data.h"\n',
             "/* clang-format off */", "const uint32_t wn_model_data[] = {"]
    lines += [",".join(f"{n:#x}" if n > 9 else str(n) for n in numbers[i:i + 16].tolist()) + ","
              for i in range(0, len(numbers), 16)]
    lines += ["};", "/* clang-format on */\n", f"const uint32_t wn_model_data_count = {len(numbers)};\n"]
    path.write_text("\n".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("set", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "train")
    parser.add_argument("--only-folds", action="store_true", help="cross-validation only, no model for the library")
    options = parser.parse_args()
    folder = options.out / "folds"
    folder.mkdir(parents=True, exist_ok=True)

    pages = Set(options.set)
    pages.read(options.jobs)
    trainer = Trainer(pages, options.seed, options.out)
    for a in range(FOLDS):
        for b in range(a, FOLDS):
            trainer.lexicon(a, b)
    print(f"{len(pages.pages)} pages of {len(set(pages.domains))} domains", flush=True)

    parts, rows, scores = [], {}, {}
    with ProcessPoolExecutor(options.jobs) as pool:
        for fold, (model, of_pages, f1) in enumerate(pool.map(cross_validate, [trainer] * FOLDS, range(FOLDS))):
            parts.append(model)
            rows.update(zip(trainer.inside(fold), of_pages))
            scores.update(zip(trainer.inside(fold), f1))
    everything = np.arange(len(pages.pages))
    for name, these in (("folds 0-4", trainer.without(FOLDS - 1)), ("fold 5", trainer.inside(FOLDS - 1)), ("all", everything)):
        report(name, trainer, these, scores)

    def page_parts(these):
        return trainer.page_parts(these, [rows[i] for i in these], [scores[i] for i in these])

    guesses = {}
    for fold in range(FOLDS):
        of_pages, judges = page_parts(trainer.without(fold))
        guesses.update((i, [judge.predict(rows[i][:1, PAGE])[0] for judge in judges])
                       for i in trainer.inside(fold) if len(rows[i]))
        model_numbers(dict(parts[fold], **of_pages), CONSTANTS).tofile(folder / f"{fold}.model")
    *types, confidence = np.array(list(guesses.values())).T
    right = np.mean(np.argmax(types, axis=0) == pages.types[list(guesses)])
    alike = np.corrcoef(confidence, [scores[i] for i in guesses])[0, 1]
    print(f"type right: {right:.3f}; confidence and F1: correlation {alike:.2f}", flush=True)
    with open(folder / "folds.tsv", "w", encoding="utf-8") as table:
        table.writelines(f"{page['id']}\t{fold}\n" for page, fold in zip(pages.pages, pages.fold))
    if options.only_folds:
        return

    parts = dict(trainer.block_model()[0], **page_parts(everything)[0])
    numbers = model_numbers(parts, CONSTANTS)
    numbers.tofile(options.out / "all.model")
    mean = np.mean(list(scores.values()))
    note = (f" * Trained on the {len(pages.pages)} pages of {options.set.name}, seed {options.seed}, LightGBM {lightgbm.__version__}; word F1 by\n"
            f" * cross-validation over {FOLDS} folds of domains: {mean:.4f} before tables and headings are made whole.\n")
    write_table(ROOT / "src/learn/model_data.c", numbers, note)
    print(f"src/learn/model_data.c: {len(numbers) * 4 / 1024:.0f} KB")


if __name__ == "__main__":
    main()
