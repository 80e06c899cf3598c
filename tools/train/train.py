#!/usr/bin/env python3
"""Trains the model of `auto` and writes it: src/auto/model_data.c, and the models of cross-validation.

    tools/train/train.py [--seed N] [--jobs N] [--only-folds] [--unseen SET] [--out DIR] SET [OTHER...]

SET is a folder with html/, gold/ and pages.jsonl (wcxb-dev); OTHERs are such sets from the early web. Words get their weights
from SET alone. Some trees learn from SET, others from all sets: modern pages are judged by both, early pages by the latter. Pages
are divided into six folds by registrable domain. For every fold a model is trained on the five others (DIR/folds/N.model, with DIR/folds/folds.tsv of SET
and DIR/folds/NAME.tsv of the others for `winnow eval --folds`), and one on all six, which the library carries.

Nothing may be judged by what has seen it, inside of training neither: the features that training sees are made with a
lexicon that was learned without the fold of the page. So for each pair of folds there is a lexicon without both.
"""

import argparse
import hashlib
import json
import os
import re
import sys
import time
from collections import Counter
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
BLOCK, PAGE_TYPE = feature_names()
PAGE = [i for i, name in enumerate(BLOCK + PAGE_TYPE) if name.startswith("PAGE_")]
COPIES_BEFORE = BLOCK.index("COPIES_BEFORE")

# What the decision uses; chosen on folds 0 to 4. As in wn_auto_model_constant.
SCALE, LOWEST_THRESHOLD, HIGHEST_THRESHOLD, FEWEST_WORDS, COPY_WORDS, SPREAD, GROUP_SHARE = 1, 0.1, 0.6, 10, 8, 5, 0.75
CONSTANTS = [round(SCALE * 1024), round(LOWEST_THRESHOLD * 1024), round(HIGHEST_THRESHOLD * 1024),
             FEWEST_WORDS, COPY_WORDS, round(SPREAD * 1024), round(GROUP_SHARE * 1024)]
CONSTANTS += [0] * (15 - len(CONSTANTS)) + [names_hash(BLOCK + PAGE_TYPE)]

COMMON = dict(feature_fraction=0.35, bagging_fraction=0.7, bagging_freq=1, lambda_l2=5, verbose=-1, num_threads=1,
              deterministic=True, force_row_wise=True)
# Of blocks that weigh less than this only a part is looked at, which then counts for all: menus have many blocks.
LIGHT = 0.004
# The first trees learn fast, so that what is plainly no content can be left alone after them (src/auto/judge.c).
FAST_TREES, FAST_RATE = 24, 0.16
BLOCK_TREES = dict(COMMON, objective="cross_entropy", learning_rate=0.1, num_leaves=16, max_depth=7,
                   min_data_in_leaf=60, min_sum_hessian_in_leaf=0.1, max_bin=63), 120
# Modern pages are judged by trees of their own, and with this share by those of all sets. The first of the latter come
# first, because they hold how likely content is at all.
COMMON_SHARE, COMMON_FIRST = 0.25, 2
# A forest is the mean of two that chance made different; of those of all sets, modern pages ask the first only.
CHANCES = 0, 1000
TYPE_TREES = dict(COMMON, objective="binary", learning_rate=0.15, num_leaves=6, min_data_in_leaf=8, max_bin=63), 60
CONFIDENCE_TREES = dict(COMMON, objective="l2", learning_rate=0.08, num_leaves=8, min_data_in_leaf=20, max_bin=63), 50


CANONICAL = re.compile(r"""(?:rel=["']?canonical["']?[^>]*href=|og:url["'][^>]*content=)["']?https?://([\w.-]+)""", re.I)
LINK = re.compile(r"""<a\s[^>]*href\s*=\s*["']?https?://([\w.-]+)""", re.I)
ADDRESS = re.compile(r"""https?://([\w.-]+)""", re.I)


# ---- The set ----------------------------------------------------------------------------------------------------


class Set:
    """Pages of one or more folders, their labels and their folds. Only pages of the first folder have types."""

    def __init__(self, folders):
        self.pages, self.folder = [], []
        for folder in folders:
            with open(folder / "pages.jsonl", encoding="utf-8") as lines:
                pages = [json.loads(line) for line in lines]
            self.pages += pages
            self.folder += [folder] * len(pages)
        self.main = np.array([folder == folders[0] for folder in self.folder])
        self.paths = [folder / "html" / f"{page['id']}.html" for folder, page in zip(self.folder, self.pages)]
        self.types = np.array([TYPES.index(page["type"]) if main else -1 for page, main in zip(self.pages, self.main)])
        suffixes = PublicSuffixList()
        hosts = [host_of(page, path) for page, path in zip(self.pages, self.paths)]
        self.domains = [suffixes.privatesuffix(host) or host for host in hosts]
        self.fold = self.make_folds()

    def make_folds(self):
        """Whole domains to folds: those of the first folder so that each fold has its share of every type, others by chance."""
        folds = np.array([int(hashlib.sha1(domain.encode()).hexdigest(), 16) % FOLDS for domain in self.domains])
        of_domain = self.share_out(np.flatnonzero(self.main))
        return np.array([of_domain.get(domain, fold) for domain, fold in zip(self.domains, folds)])

    def share_out(self, pages):
        """{domain: fold}, the largest domains first."""
        members = {}
        for i in pages:
            members.setdefault(self.domains[i], []).append(i)
        usual = np.maximum(1, np.bincount(self.types[pages], minlength=len(TYPES)))
        counts = np.zeros((FOLDS, len(TYPES)))
        folds = {}
        for domain in sorted(members, key=lambda d: (-len(members[d]), hashlib.sha1(d.encode()).hexdigest())):
            more = np.bincount(self.types[members[domain]], minlength=len(TYPES))
            best = min(range(FOLDS), key=lambda f: (((counts[f] + more)**2 - counts[f]**2) / usual).sum())
            counts[best] += more
            folds[domain] = best
        return folds

    def read(self, jobs):
        """Labels and words of all pages; takes a minute."""
        pages = dump(self.paths, with_words=True)
        with ProcessPoolExecutor(jobs) as pool:
            self.found = list(pool.map(examine, pages, [self.gold(i) for i in range(len(pages))], chunksize=8))

    def gold(self, i):
        return (self.folder[i] / "gold" / f"{self.pages[i]['id']}.txt").read_text(encoding="utf-8", errors="replace")


def host_of(page, path):
    """Where a page is from: by its address, or by the host that most of its links name; else it is alone."""
    host = urlparse(page.get("url") or "").hostname
    if not host:
        text = path.read_bytes().decode("latin-1")
        named = CANONICAL.findall(text) or LINK.findall(text) or ADDRESS.findall(text)
        host = Counter(named).most_common(1)[0][0] if named else page["id"]
    return host.lower()


class Found:
    """What is known of a page once it is compared with its gold."""

    def weights(self):
        """Of its blocks in training: by words, no page more than 4 in all."""
        weight = self.words / max(60, self.gold_words)
        return weight * min(1, 4 / max(1e-9, weight.sum())) + 0.0005


def examine(page, gold):
    found = Found()
    found.early, found.words_beside = page.early, page.words_beside
    found.kind = np.unique(page.kind, return_inverse=True)[1]
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
    if not found.early and len(words):  # as in src/auto/group_scores.c
        mean = np.bincount(found.kind, (words + 1) * logits) / np.bincount(found.kind, words + 1)
        logits = logits + (mean[found.kind] - logits) * GROUP_SHARE
    chance = 1 / (1 + np.exp(-SCALE * logits))
    chance = np.where((copies_before > 0) & (words >= COPY_WORDS), 0, chance)
    order = np.argsort(-chance, kind="stable")
    kept, sure, odds = np.cumsum(words[order]), chance[order], 1 / np.maximum(1e-9, 1 / np.maximum(1e-9, chance[order]) - 1)
    if len(kept) == 0 or (words * chance).sum() < min(FEWEST_WORDS, (words.sum() + found.words_beside) / 4):
        return np.zeros(len(words), bool)
    score = 0  # as in src/auto/threshold.c
    for weight, factor in ((4, 1), (1, SPREAD), (1, 1 / SPREAD)):
        hits = np.cumsum(words[order] * np.where(sure > 0, odds * factor / (1 + odds * factor), 0))
        score += weight * 2 * hits / (kept + hits[-1])
    threshold = max(sure[np.argmax(np.where(sure >= LOWEST_THRESHOLD, score, 0))], LOWEST_THRESHOLD)
    return chance >= min(threshold, HIGHEST_THRESHOLD)


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
            pages, found = [i for i in self.without(*key) if self.set.main[i]], self.set.found
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

    def fit(self, settings, rows, columns, target, weight=None, chance=0):
        options, trees = settings
        data = lightgbm.Dataset(np.concatenate(rows)[:, columns].astype(np.float32), target, weight=weight)
        rates = [FAST_RATE if settings is BLOCK_TREES and i < FAST_TREES else options["learning_rate"] for i in range(trees)]
        return lightgbm.train(dict(options, seed=self.seed + chance), data, trees,
                              callbacks=[lightgbm.reset_parameter(learning_rate=rates)])

    def block_trees(self, only_main, without, chance=0):
        """What judges blocks, learned from all folds but these, as LightGBM has it; `chance` makes another of it."""
        folds = [fold for fold in range(FOLDS) if fold not in without]
        pages = [i for fold in folds for i in self.inside(fold)]
        rows = [row for fold in folds for row in self.block_rows(fold, *without)]
        if only_main:
            rows = [row for i, row in zip(pages, rows) if self.set.main[i]]
            pages = [i for i in pages if self.set.main[i]]
        found = [self.set.found[i] for i in pages]
        weight = [f.weights() for f in found]
        random = np.random.RandomState(self.seed + chance)
        keep = [random.rand(len(w)) * LIGHT < w for w in weight]
        share = np.concatenate([f.share[k] for f, k in zip(found, keep)])
        weight = np.concatenate([np.maximum(w[k], LIGHT) for w, k in zip(weight, keep)])
        return self.fit(BLOCK_TREES, [row[k] for row, k in zip(rows, keep)], list(range(len(BLOCK))), share,
                        weight / weight.mean(), chance)

    def block_model(self, *without):
        """Lexicon and trees for blocks of all folds but these, and what answers for rows of a modern or an early page."""
        own = [self.block_trees(True, without, chance) for chance in CHANCES]
        common = [self.block_trees(False, without, chance) for chance in CHANCES]
        early, modern = Trees(len(BLOCK)), Trees(len(BLOCK))
        early.add_lightgbm(*common)
        modern.add_lightgbm(common[0], share=COMMON_SHARE, last=COMMON_FIRST)
        modern.add_lightgbm(*own, share=1 - COMMON_SHARE)
        modern.add_lightgbm(common[0], share=COMMON_SHARE, first=COMMON_FIRST)

        def mean(forests, rows):
            return np.mean([trees.predict(rows, raw_score=True) for trees in forests], axis=0)

        def answer(rows, is_early):
            if is_early:
                return mean(common, rows)
            return COMMON_SHARE * mean(common[:1], rows) + (1 - COMMON_SHARE) * mean(own, rows)

        return {"lexicon": self.lexicon(*without), "block": modern.numbers(), "early": early.numbers()}, answer

    def page_parts(self, pages, rows, f1):
        """Trees for the type of a page, learned from SET, and for how good the result will be, and both as LightGBM has them."""
        pages = [i for i in pages if len(rows[i])]
        typed = [i for i in pages if self.set.main[i]]
        types, confidence = Trees(len(BLOCK + PAGE_TYPE)), Trees(len(BLOCK + PAGE_TYPE))
        judges = [self.fit(TYPE_TREES, [rows[i][:1] for i in typed], PAGE, (self.set.types[typed] == kind).astype(float))
                  for kind in range(len(TYPES))]
        for judge in judges:
            types.add_lightgbm(judge, columns=PAGE)
        judges.append(self.fit(CONFIDENCE_TREES, [rows[i][:1] for i in pages], PAGE, np.array([f1[i] for i in pages])))
        confidence.add_lightgbm(judges[-1], columns=PAGE)
        return {"types": types.numbers(), "confidence": confidence.numbers()}, judges


def cross_validate(trainer, fold):
    """A model without a fold, the rows of that fold as the model sees them, and the F1 of its pages."""
    started = time.monotonic()
    parts, answer = trainer.block_model(fold)
    rows, scores = trainer.dump(fold, parts), []
    for i, row in zip(trainer.inside(fold), rows):
        found = trainer.set.found[i]
        logits = answer(row[:, :len(BLOCK)], found.early) if len(row) else np.zeros(0)
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


def report_pages(trainer, guesses, scores):
    """How often the type is right, and how confidence and F1 go together, set by set."""
    for folder in dict.fromkeys(trainer.set.folder):
        these = [i for i in guesses if trainer.set.folder[i] == folder]
        *types, confidence = np.array([guesses[i] for i in these]).T
        alike = np.corrcoef(confidence, [scores[i] for i in these])[0, 1]
        right = np.mean(np.argmax(types, axis=0) == trainer.set.types[these])
        type_right = f"; type right: {right:.3f}" if trainer.set.main[these[0]] else ""
        print(f"{folder.name:24}  confidence and F1: correlation {alike:.2f}{type_right}", flush=True)


def provenance(pages, options, mean):
    """What the model was made of, as lines of a comment."""
    names = [folder.name for folder in [options.set, *options.others]]
    return (f" * Trained on the {len(pages.pages)} pages of {', '.join(names)}; seed {options.seed}, LightGBM {lightgbm.__version__}.\n"
            f" * Word F1 on {names[0]} by cross-validation over {FOLDS} folds of domains: {mean:.4f} before tables and headings are\n"
            " * made whole.\n")


def write_table(path, numbers, note):
    lines = [f"/* Written by tools/train/train.py; do not edit.\n *\n{note} */", '#include "auto/model_data.h"\n',
             "/* clang-format off */", "const uint32_t wn_auto_model_data[] = {"]
    lines += [",".join(f"{n:#x}" if n > 9 else str(n) for n in numbers[i:i + 16].tolist()) + ","
              for i in range(0, len(numbers), 16)]
    lines += ["};", "/* clang-format on */\n", f"const uint32_t wn_auto_model_data_count = {len(numbers)};\n"]
    path.write_text("\n".join(lines))


def write_folds(folder, pages, options):
    """A table of folds for each set; pages of sets that nothing was learned from are judged by a model without their domain."""
    of_domain = dict(zip(pages.domains, pages.fold))
    for one in [options.set, *options.others, *options.unseen]:
        these = Set([options.set, one]) if one in options.unseen else pages
        fold = [of_domain.get(domain, fold) for domain, fold in zip(these.domains, these.fold)]
        with open(folder / f"{'folds' if one == options.set else one.name}.tsv", "w", encoding="utf-8") as table:
            table.writelines(f"{these.pages[i]['id']}\t{fold[i]}\n" for i in range(len(fold)) if these.folder[i] == one)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("set", type=Path)
    parser.add_argument("others", type=Path, nargs="*")
    parser.add_argument("--unseen", type=Path, action="append", default=[], metavar="SET",
                        help="only a table of folds for a set that is not learned from; may be given several times")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "train")
    parser.add_argument("--only-folds", action="store_true", help="cross-validation only, no model for the library")
    options = parser.parse_args()
    folder = options.out / "folds"
    folder.mkdir(parents=True, exist_ok=True)

    pages = Set([options.set, *options.others])
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
    everything = np.flatnonzero(pages.main)
    sixth = pages.fold[everything] == FOLDS - 1
    for name, these in (("folds 0-4", everything[~sixth]), ("fold 5", everything[sixth]), ("all", everything)):
        report(name, trainer, these, scores)
    for other in options.others:
        print(f"{other.name:24}  all {np.mean([scores[i] for i in range(len(pages.pages)) if pages.folder[i] == other]):.4f}")

    guesses = {}
    for fold in range(FOLDS):
        of_pages, judges = trainer.page_parts(trainer.without(fold), rows, scores)
        guesses.update((i, [judge.predict(rows[i][:1, PAGE])[0] for judge in judges])
                       for i in trainer.inside(fold) if len(rows[i]))
        model_numbers(dict(parts[fold], **of_pages), CONSTANTS).tofile(folder / f"{fold}.model")
    report_pages(trainer, guesses, scores)
    write_folds(folder, pages, options)
    if options.only_folds:
        return

    parts = dict(trainer.block_model()[0], **trainer.page_parts(range(len(pages.pages)), rows, scores)[0])
    numbers = model_numbers(parts, CONSTANTS)
    numbers.tofile(options.out / "all.model")
    mean = np.mean([scores[i] for i in everything])
    write_table(ROOT / "src/auto/model_data.c", numbers, provenance(pages, options, mean))
    print(f"src/auto/model_data.c: {len(numbers) * 4 / 1024:.0f} KB")


if __name__ == "__main__":
    main()
