#!/usr/bin/env python3
"""Trains the model of `auto` and writes it: src/auto/model_data.c, and the models of cross-validation.

    tools/train/train.py [--early SET...] [--stories SET...] [--items SET...] [--typed SET...] [--unseen SET...] [--labels FILE]
                         [--leave-out] [--seed N] [--jobs N] [--only-folds] [--out DIR] SET

SET is a folder with html/, gold/ and pages.jsonl (wcxb-dev): modern pages of every type. --early sets are of the early web, --stories
sets hold modern articles and threads, --items sets pages about one thing of which only some fields are known, --typed sets name
the types of pages and have no gold that counts. Four forests judge blocks:

    early     of SET and the early sets, for early pages
    article   of SET and the stories, for what a gate takes for an article or a thread; early has a share in it
    item      of SET, the items and pages that were read, for what another gate takes for a page about one thing; early has a share in it
    block     of SET and pages that were read, for all other pages; early has a share in it

In stories every list is noise. What learned from them loses the content of listings, so gates, trees that look at the page as
a whole, keep it away from them. Words get their weights from SET alone. Nothing but these two forests and their gates learns from
stories and items, so that all other pages are judged as if there were none: the type of a page and how well it will come out,
too, are learned from SET and the early sets, as judged without them.

Of items only a part of the content is known: a field is content, and for all other blocks the answer of the other forests, which
have not seen the page, stays what it is.

--labels names a file of labels for pages of typed sets and items (tools/read_content.py). The forests `block` and `item` learn from these pages.
Their readers have other habits than the annotators of SET. A column tells the trees whose labels a block has, so that habits do not mix. The
library always answers as for a page of SET; splits on this column are resolved when the trees are written (tools/train/model.py).

Pages are divided into six folds by registrable domain. For every fold a model is trained on the five others (DIR/folds/N.model, with
DIR/folds/folds.tsv of SET and DIR/folds/NAME.tsv of the others for `winnow eval --folds`), and one on all six, which the library
carries. With --leave-out each of the stories and items is judged by trees that have seen nothing of this set nor of its domains.

Nothing may be judged by what has seen it, inside training neither: the features that training sees are made with a
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
from multiprocessing import get_context
from pathlib import Path
from urllib.parse import urlparse

import lightgbm
import numpy as np
from publicsuffixlist import PublicSuffixList

sys.path.insert(0, str(Path(__file__).resolve().parent))
import lexicon
from content import read_labels
from dump import ROOT, dump, feature_names, names_hash
from found import read_found
from labels import LONG_FIELD
from model import Trees, lexicon_numbers, model_numbers

FOLDS = 6
TYPES = ["article", "forum", "product", "collection", "listing", "documentation", "service"]
BLOCK, PAGE_TYPE = feature_names()
PAGE = [i for i, name in enumerate(BLOCK + PAGE_TYPE) if name.startswith("PAGE_")]
COPIES_BEFORE = BLOCK.index("COPIES_BEFORE")

# What the decision uses; chosen on folds 0 to 4, but for the gates, which all folds and the stories decided. As in wn_auto_model_constant.
SCALE, LOWEST_THRESHOLD, HIGHEST_THRESHOLD, FEWEST_WORDS, COPY_WORDS, SPREAD, GROUP_SHARE = 1, 0.1, 0.6, 10, 8, 5, 0.75
ARTICLE_CUT, ITEM_CUT = 0, 0  # of the answers of the gates
# Early pages that the gate for articles gives less are judged as modern ones.
EARLY_CUT = -1.5
# How much recall counts on articles, as beta squared in quarters. Their trees are too sure of what is beside the article.
ARTICLE_BETA = 3
# How much the gate for articles counts beside the trees for these types, which have seen little but English.
GATE_SHARE = 1
CONSTANTS = [round(SCALE * 1024), round(LOWEST_THRESHOLD * 1024), round(HIGHEST_THRESHOLD * 1024),
             FEWEST_WORDS, COPY_WORDS, round(SPREAD * 1024), round(GROUP_SHARE * 1024), round(ARTICLE_CUT * 1024), ARTICLE_BETA,
             round(ITEM_CUT * 1024), round(GATE_SHARE * 1024), round(EARLY_CUT * 1024)]
CONSTANTS += [0] * (15 - len(CONSTANTS)) + [names_hash(BLOCK + PAGE_TYPE)]

COMMON = dict(feature_fraction=0.35, bagging_fraction=0.7, bagging_freq=1, lambda_l2=5, verbose=-1, num_threads=1,
              deterministic=True, force_col_wise=True)
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
# Half as many trees take a listing for an article now and then, which costs it half of its F1.
GATE_TREES = dict(TYPE_TREES[0], num_leaves=8), 120
# What the gate looks at: the page before any block is judged.
GATE = [i for i in PAGE if not (BLOCK + PAGE_TYPE)[i].startswith(("PAGE_EXPECTED", "PAGE_CERTAINTY"))]
STORY_TYPES = "article", "forum"
# How much a page counts for the gates.
MAIN_WEIGHT, STORY_WEIGHT, TYPED_WEIGHT, EARLY_WEIGHT = 2, 0.7, 1, 0.3
MIXED_SETS = "cleaneval-a",  # of the early sets: pages of any type, which are not named
# Whose habits the labels of a page follow, in a column after the features.
GOLD_HABIT, OUR_HABIT = 0, 1
# A field counts as if it had at least this many words: a price is as much content as a sentence.
FIELD_WORDS = 20


CANONICAL = re.compile(r"""(?:rel=["']?canonical["']?[^>]*href=|og:url["'][^>]*content=)["']?https?://([\w.-]+)""", re.I)
LINK = re.compile(r"""<a\s[^>]*href\s*=\s*["']?https?://([\w.-]+)""", re.I)
ADDRESS = re.compile(r"""https?://([\w.-]+)""", re.I)


# ---- The set ----------------------------------------------------------------------------------------------------


class Set:
    """Pages of some folders, their labels and their folds. Only the types of pages of the first folder are those of TYPES."""

    def __init__(self, main, early=(), stories=(), items=(), typed=(), labels={}):
        self.pages, self.folder, self.kept = [], [], []
        for folder in [main, *early, *stories, *items, *typed]:
            with open(folder / "pages.jsonl", encoding="utf-8") as lines:
                pages = [json.loads(line) for line in lines]
            for page in pages:
                page["told"], kept = labels.get((folder.name, page["id"]), (None, None))
                if kept is not None or folder not in typed or page.get("type") in TYPES:
                    self.pages.append(page)
                    self.folder.append(folder)
                    self.kept.append(kept and frozenset(kept))
        self.read_by_us = np.array([kept is not None for kept in self.kept])
        self.main, self.early, self.story, self.item, self.typed = (
            np.array([folder in some for folder in self.folder]) & ~self.read_by_us for some in ([main], early, stories, items, typed))
        self.is_field_set = np.array([folder in items for folder in self.folder])
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

    def read(self, jobs, cache):
        """Labels and words of all pages; takes minutes, unless they are in the cache."""
        with ProcessPoolExecutor(jobs) as pool:
            everything = range(len(self.pages))
            self.found = read_found(self.paths, [self.gold(i) for i in everything],
                                    self.story | self.is_field_set | self.read_by_us,
                                    [self.fields(i) for i in everything], self.kept, pool, cache)

    def fields(self, i):
        return self.pages[i]["with"] if self.is_field_set[i] else []

    def gold(self, i):
        if self.typed[i] or self.read_by_us[i]:
            return ""
        if self.item[i]:
            return "\n".join(self.fields(i))
        return (self.folder[i] / "gold" / f"{self.pages[i]['id']}.txt").read_text(encoding="utf-8", errors="replace")

    def names_type(self, i):
        """Whether its source names its type. Readers name types, too, but call indexes of forums listings."""
        return self.is_field_set[i] or not self.read_by_us[i] or self.pages[i].get("type") in TYPES

    def is_story(self, i):
        """Whether the gate should take it for an article or a thread."""
        return (self.pages[i].get("type") or "article") in STORY_TYPES

    def is_item(self, i):
        """Whether the other gate should take it for a page about one thing."""
        return bool(self.is_field_set[i]) or self.pages[i].get("type") == "product"


def host_of(page, path):
    """Where a page is from: by its address, or by the host that most of its links name; else it is alone."""
    host = urlparse(page.get("url") or "").hostname
    if not host:
        text = path.read_bytes().decode("latin-1")
        named = CANONICAL.findall(text) or LINK.findall(text) or ADDRESS.findall(text)
        host = Counter(named).most_common(1)[0][0] if named else page["id"]
    return host.lower()


def score_of(found, keep):
    """Word F1, precision and recall of keeping those blocks; of items, where little else is known, recall is that of fields."""
    kept = keep[found.owner] if len(found.owner) else np.zeros(0, bool)
    ours = int(kept.sum())
    if ours == 0 or found.gold_words == 0:
        return (float(ours == found.gold_words),) * 3
    hits = found.tokens[kept]
    hits = np.bincount(hits[hits >= 0], minlength=len(found.gold_counts))
    hits = int(np.minimum(hits, found.gold_counts).sum())
    recall = np.mean([any(keep[blocks]) for _, blocks in found.fields]) if found.fields else hits / found.gold_words
    return 2 * hits / (ours + found.gold_words), hits / ours, recall


def decide(found, logits, copies_before, beta=4):
    """The blocks that src/auto/auto.c would keep, before it makes them whole; beta squared in quarters."""
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
        score += weight * (4 + beta) * hits / (4 * kept + beta * hits[-1])
    threshold = max(sure[np.argmax(np.where(sure >= LOWEST_THRESHOLD, score, 0))], LOWEST_THRESHOLD)
    return chance >= min(threshold, HIGHEST_THRESHOLD)


def with_habit(row, habit):
    """The features of blocks, and in a last column whose habits the labels of the page follow."""
    return np.hstack([row[:, :len(BLOCK)], np.full((len(row), 1), habit, row.dtype)])


# ---- Training ---------------------------------------------------------------------------------------------------


class Forests:
    """What judges blocks, as LightGBM has it: lists of forests, each of which answers as their mean."""

    def __init__(self, own, common, stories=(), gate=(), items=(), item_gate=()):
        self.own, self.common = own, common
        self.stories, self.gate, self.items, self.item_gate = stories, gate, items, item_gate

    def answers(self, rows):
        """What they say of each page; all blocks are asked together, since every question has a cost of its own."""
        blocks, ends = np.concatenate([with_habit(row, GOLD_HABIT) for row in rows]), np.cumsum([len(row) for row in rows])
        common = self.ask(self.common, blocks)
        own, stories, items = (self.ask(forests or self.own, blocks).mean(axis=0) for forests in (self.own, self.stories, self.items))
        said = own, stories, items, common.mean(axis=0), common[0]
        firsts = [row[:1] if len(row) else np.zeros((1, len(BLOCK + PAGE_TYPE)), np.int16) for row in rows]
        firsts = np.concatenate(firsts)[:, GATE]
        gate, item_gate = (self.ask(gates, firsts).mean(axis=0) if gates else np.full(len(rows), -np.inf)
                           for gates in (self.gate, self.item_gate))
        return [Answer(*(logits[end - len(row):end] for logits in said), story, item)
                for row, end, story, item in zip(rows, ends, gate, item_gate)]

    def parts(self):
        """The same as the library reads it."""
        early, modern, article, item = (Trees(len(BLOCK)) for _ in range(4))
        gate, item_gate = (Trees(len(BLOCK + PAGE_TYPE)) for _ in range(2))
        early.add_lightgbm(*self.common)
        for forest, trees in (modern, self.own), (article, self.stories), (item, self.items):
            if not trees:
                continue
            forest.add_lightgbm(self.common[0], share=COMMON_SHARE, last=COMMON_FIRST)
            forest.add_lightgbm(*trees, share=1 - COMMON_SHARE)
            forest.add_lightgbm(self.common[0], share=COMMON_SHARE, first=COMMON_FIRST)
        for forest, trees in (gate, self.gate), (item_gate, self.item_gate):
            forest.add_lightgbm(*trees, columns=GATE)
        return {"block": modern.numbers(), "early": early.numbers(), "article": article.numbers(), "gate": gate.numbers(),
                "item": item.numbers(), "item_gate": item_gate.numbers()}

    @staticmethod
    def ask(forests, rows):
        # One thread: a process that was forked after others were started would wait for them forever.
        return np.array([trees.predict(rows, raw_score=True, num_threads=1) for trees in forests])


class Answer:
    """What the forests say of the blocks of a page."""

    def __init__(self, own, stories, items, common, first_common, story, item):
        self.own, self.stories, self.items, self.common, self.first_common = own, stories, items, common, first_common
        self.story, self.item = story, item  # what the gates say

    def logits(self, is_early, with_gates=True):
        """Of each block, and whether the trees for articles were asked."""
        is_story = with_gates and self.story >= ARTICLE_CUT
        is_item = with_gates and self.item >= ITEM_CUT and (not is_story or self.item > self.story)
        if is_early and not is_item and (not with_gates or self.story >= EARLY_CUT):
            return self.common, False
        own = self.items if is_item else self.stories if is_story else self.own
        return COMMON_SHARE * self.first_common + (1 - COMMON_SHARE) * own, is_story and not is_item


class Trainer:
    """Learns from the pages of a set."""

    def __init__(self, pages, seed, work):
        self.set, self.seed, self.work = pages, seed, work
        self.lexicons, self.rows = {}, {}

    def inside(self, *folds):
        return np.flatnonzero(np.isin(self.set.fold, folds))

    def without(self, *folds):
        return np.flatnonzero(~np.isin(self.set.fold, folds))

    def weights(self, pages):
        """The weights of words for blocks, learned from those pages."""
        found, members = self.set.found, {}
        for i in pages:
            members.setdefault(self.set.domains[i], []).append(i)
        counts = lexicon.Counts()
        for group in members.values():
            counts.add_domain([found[i].named for i in group], [found[i].share for i in group],
                              [np.sqrt(np.minimum(found[i].words, 60)) for i in group])
        return lexicon.weights_of(counts.rows)

    def lexicon(self, *without):
        """The weights of words, learned from all folds but these."""
        key = tuple(sorted(set(without)))
        if key not in self.lexicons:
            pages, found = self.without(*key), self.set.found
            main = pages[self.set.main[pages]]
            weights = self.weights(main)
            of_pages = self.set.types[main], [self.set.domains[i] for i in main], len(TYPES)
            weights.update(lexicon.type_weights([found[i].page_words for i in main], *of_pages))
            weights.update(lexicon.type_weights([found[i].outline_words for i in main], *of_pages, least=8))
            self.lexicons[key] = lexicon_numbers(weights)
        return self.lexicons[key]

    def dump(self, pages, parts):
        """The rows of those pages, as a model with those parts sees them."""
        path = self.work / f"part{os.getpid()}.model"
        model_numbers(parts, CONSTANTS).tofile(path)
        rows = [page.rows for page in dump([self.set.paths[i] for i in pages], model=path)]
        path.unlink()
        return rows

    def block_rows(self, *without):
        """{page: rows} of all folds but these, each with a lexicon that was learned neither from its fold nor from those."""
        nothing = Trees(len(BLOCK))  # a forest must be there, or the rows have no features of the type of the page
        nothing.add_splits([], [0])
        rows = {}
        for fold in range(FOLDS):
            pages = [i for i in self.inside(fold) if fold not in without]
            parts = {"lexicon": self.lexicon(fold, *without), "block": nothing.numbers()}
            rows.update((i, row[:1].copy() if self.set.typed[i] else row) for i, row in zip(pages, self.dump(pages, parts)))
        return {i: row for i, row in rows.items() if len(row)}

    def fit(self, settings, rows, columns, target, weight=None, chance=0):
        options, trees = settings
        data = lightgbm.Dataset(np.concatenate(rows)[:, columns].astype(np.float32), target, weight=weight)
        rates = [FAST_RATE if settings is BLOCK_TREES and i < FAST_TREES else options["learning_rate"] for i in range(trees)]
        return lightgbm.train(dict(options, seed=self.seed + chance), data, trees,
                              callbacks=[lightgbm.reset_parameter(learning_rate=rates)])

    def block_trees(self, rows, kinds, chance=0, labels={}):
        """What judges blocks, learned from the pages with rows that are of those kinds; `chance` makes another of it.

        `labels` has the shares and weights of pages whose gold does not tell them.
        """
        pages = [i for i in rows if kinds[i]]
        found = [self.set.found[i] for i in pages]
        share, weight = zip(*(labels.get(i) or (f.share, f.weights()) for i, f in zip(pages, found)))
        random = np.random.RandomState(self.seed + chance)
        keep = [random.rand(len(w)) * LIGHT < w for w in weight]
        share = np.concatenate([s[k] for s, k in zip(share, keep)])
        weight = np.concatenate([np.maximum(w[k], LIGHT) for w, k in zip(weight, keep)])
        chosen = [with_habit(rows[i][k], OUR_HABIT if self.set.read_by_us[i] else GOLD_HABIT) for i, k in zip(pages, keep)]
        return self.fit(BLOCK_TREES, chosen, slice(None), share, weight / weight.mean(), chance)

    def gate_trees(self, rows, pages, is_wanted, chance=0):
        """What tells pages that are wanted from others."""
        kinds = self.set
        pages = [i for i in pages if kinds.names_type(i)]
        weight = np.select([kinds.main[pages], kinds.story[pages], kinds.early[pages]],
                           [MAIN_WEIGHT, STORY_WEIGHT, EARLY_WEIGHT], TYPED_WEIGHT)
        return self.fit(GATE_TREES, [rows[i][:1] for i in pages], GATE, np.array([float(is_wanted(i)) for i in pages]),
                        weight, chance)

    def story_gate(self, rows, chance=0):
        """What tells articles and threads from other pages. Recipes are both, and of some sets the types are not known."""
        kinds = self.set
        pages = [i for i in rows if kinds.folder[i].name not in MIXED_SETS and kinds.pages[i].get("type") != "recipe" and (
            not kinds.story[i] or kinds.is_story(i))]
        return self.gate_trees(rows, pages, kinds.is_story, chance)

    def item_gate(self, rows, chance=0):
        return self.gate_trees(rows, list(rows), self.set.is_item, chance)

    def item_labels(self, rows, forests):
        """{page: (share, weight)} of items: their fields are content, of other blocks the forests decide."""
        pages, labels = [i for i in rows if self.set.item[i]], {}
        for i, answer in zip(pages, forests.answers([rows[i] for i in pages]) if pages else ()):
            found = self.set.found[i]
            share = 1 / (1 + np.exp(-answer.logits(found.early, with_gates=False)[0]))
            is_field = np.zeros(len(share), bool)
            for words, blocks in found.fields:  # of a short one that is there several times, the likeliest
                if blocks:
                    is_field[blocks if words >= LONG_FIELD else blocks[int(np.argmax(share[blocks]))]] = True
            share[is_field] = 1
            labels[i] = share, found.weights((share * found.words).sum(), np.where(is_field, FIELD_WORDS, 0))
        return labels

    def other_forests(self, rows):
        """What judges all pages but stories: forests of SET and pages that were read, and those of SET and the early sets."""
        return ([self.block_trees(rows, self.set.main | more, chance) for chance in CHANCES] for more in (self.set.read_by_us, self.set.early))

    def story_forests(self, rows):
        """What judges articles and threads."""
        return [self.block_trees(rows, self.set.main | self.set.story, chance) for chance in CHANCES]

    def item_forests(self, rows, others):
        """What judges pages about one thing."""
        labels = self.item_labels(rows, others)
        return [self.block_trees(rows, self.set.main | self.set.item | self.set.read_by_us, chance, labels) for chance in CHANCES]

    def with_gates(self, rows, others, stories=None, items=None):
        """Those forests, and the gates and what is behind them, unless it is there already."""
        return Forests(others.own, others.common, stories or self.story_forests(rows),
                       [self.story_gate(rows, chance) for chance in CHANCES], items or self.item_forests(rows, others),
                       [self.item_gate(rows, chance) for chance in CHANCES])

    def block_model(self, *without):
        """Lexicon and trees for blocks of all folds but these, as the library reads them and as LightGBM has them."""
        rows = self.block_rows(*without)
        forests = self.with_gates(rows, Forests(*self.other_forests(rows)))
        return dict(forests.parts(), lexicon=self.lexicon(*without)), forests

    def judge(self, pages, parts, forests):
        """The rows of pages as a model without gates sees them, and the scores of what one with them keeps, and one without."""
        rows, scores, plain = self.dump(pages, {name: parts[name] for name in ("lexicon", "block", "early")}), [], []
        for i, row, answer in zip(pages, rows, forests.answers(rows)):
            found = self.set.found[i]
            for to, with_gates in (scores, True), (plain, False):
                logits, is_article = answer.logits(found.early, with_gates)
                # The type of the page is not guessed yet; its true one decides.
                is_article &= (self.set.pages[i].get("type") or "article") == "article"
                kept = decide(found, logits, row[:, COPIES_BEFORE], ARTICLE_BETA if is_article else 4)
                to.append(score_of(found, kept))
        return rows, scores, plain

    def page_parts(self, pages, rows, f1):
        """Trees for the type of a page, learned from SET, and for how good the result will be, learned from the early sets as
        well, and both as LightGBM has them."""
        pages = [i for i in pages if len(rows[i])]
        typed = [i for i in pages if self.set.main[i]]
        types, confidence = Trees(len(BLOCK + PAGE_TYPE)), Trees(len(BLOCK + PAGE_TYPE))
        judges = [self.fit(TYPE_TREES, [rows[i][:1] for i in typed], PAGE, (self.set.types[typed] == kind).astype(float))
                  for kind in range(len(TYPES))]
        for judge in judges:
            types.add_lightgbm(judge, columns=PAGE)
        with_gold = [i for i in pages if self.set.main[i] or self.set.early[i]]
        judges.append(self.fit(CONFIDENCE_TREES, [rows[i][:1] for i in with_gold], PAGE, np.array([f1[i] for i in with_gold])))
        confidence.add_lightgbm(judges[-1], columns=PAGE)
        return {"types": types.numbers(), "confidence": confidence.numbers()}, judges


shared = {}  # what the processes of a pool take from the one that started them: too large to be sent to each


def pool_of(jobs, **values):
    shared.update(values)
    return ProcessPoolExecutor(jobs, mp_context=get_context("fork"))


def cross_validate(fold):
    """A model without a fold, the rows of that fold, and the scores of its pages with and without gates."""
    started, trainer = time.monotonic(), shared["trainer"]
    parts, forests = trainer.block_model(fold)
    rows, scores, plain = trainer.judge(trainer.inside(fold), parts, forests)
    print(f"without fold {fold}: {time.monotonic() - started:.0f} s", flush=True)
    # Only the numbers of the page are needed of pages, once they are judged.
    return parts, [row[:1].copy() for row in rows], scores, plain


def leave_out(folder):
    """The scores of a set by forests and gates that have seen nothing of it nor of its domains, and without gates.

    Domains that SET or the early sets have, too, are not judged: the other trees have seen them.
    """
    trainer, rows, parts, forests = (shared[name] for name in ("trainer", "rows", "parts", "forests"))
    pages = trainer.set
    others = {domain for domain, other in zip(pages.domains, pages.main | pages.early) if other}
    own = {domain for domain, of in zip(pages.domains, pages.folder) if of == folder}
    these = [i for i in range(len(pages.pages)) if pages.folder[i] == folder and pages.domains[i] not in others]
    rows = {i: row for i, row in rows.items() if pages.main[i] or pages.early[i] or pages.domains[i] not in own}
    is_story = pages.story[these[0]]
    without = trainer.with_gates(rows, forests, *((None, forests.items) if is_story else (forests.stories, None)))
    _, scores, plain = trainer.judge(these, parts, without)
    return folder, scores, plain


def leave_each_out(trainer, options):
    """Only what is behind the gates is made again for each set: the others have learned from none of them."""
    rows, means = trainer.block_rows(), []
    forests = trainer.with_gates(rows, Forests(*trainer.other_forests(rows)))
    parts = dict(forests.parts(), lexicon=trainer.lexicon())
    with pool_of(options.jobs, trainer=trainer, rows=rows, parts=parts, forests=forests) as pool:
        for folder, scores, plain in pool.map(leave_out, options.stories + options.items):
            print(f"{folder.name:24}  {len(scores)} pages", flush=True)
            report_set("  without gates", plain)
            report_set("  with, set left out", scores)
            means.append((np.mean(plain, axis=0), np.mean(scores, axis=0)))
    for name, of_sets in zip(("all, without", "all, left out"), zip(*means)):
        report_set(name, of_sets)


def report(name, trainer, pages, scores):
    print(f"{name:24}", end="")
    for kind in [None] + list(range(len(TYPES))):
        these = [i for i in pages if kind is None or trainer.set.types[i] == kind]
        label_ = "all" if kind is None else TYPES[kind][:5]
        print(f"  {label_} {np.mean([scores[i] for i in these]):.4f}", end="")
    print(flush=True)


def report_set(name, scores):
    print(f"{name:24}  F1 %.4f  precision %.4f  recall %.4f" % tuple(np.mean(scores, axis=0)), flush=True)


def report_pages(trainer, guesses, scores):
    """How often the type is right, and how confidence and F1 go together, set by set."""
    for folder in dict.fromkeys(trainer.set.folder):
        these = [i for i in guesses if trainer.set.folder[i] == folder and not trainer.set.typed[i]]
        if not these:
            continue
        *types, confidence = np.array([guesses[i] for i in these]).T
        alike = np.corrcoef(confidence, [scores[i] for i in these])[0, 1]
        right = np.mean(np.argmax(types, axis=0) == trainer.set.types[these])
        type_right = f"; type right: {right:.3f}" if trainer.set.main[these[0]] else ""
        print(f"{folder.name:24}  confidence and F1: correlation {alike:.2f}{type_right}", flush=True)


def provenance(pages, options, names):
    """What the model was made of, as lines of a comment."""
    first, last = 1 + len(options.early), len(options.items)
    read = int(pages.read_by_us.sum())
    return (f" * Trained on the {int((~pages.typed).sum()) - read} pages of {', '.join(names)}\n"
            f" * and {read} pages that were read (data/content); seed {options.seed}, LightGBM {lightgbm.__version__}.\n"
            f" * Only the trees for articles, those for items and the gates have learned from the sets after the first {first};\n"
            f" * the last {last} are the items.\n")


def write_table(path, numbers, sets, note):
    names = ", ".join(f'"{name}"' for name in sets)
    lines = [f"/* Written by tools/train/train.py; do not edit.\n *\n{note} */", '#include "auto/model_data.h"\n',
             "#include <stddef.h>\n", "/* clang-format off */",
             f"const char *const wn_auto_model_sets[] = {{{names}, NULL}};\n", "const uint32_t wn_auto_model_data[] = {"]
    lines += [",".join(f"{n:#x}" if n > 9 else str(n) for n in numbers[i:i + 16].tolist()) + ","
              for i in range(0, len(numbers), 16)]
    lines += ["};", "/* clang-format on */\n", f"const uint32_t wn_auto_model_data_count = {len(numbers)};\n"]
    path.write_text("\n".join(lines))


def write_folds(folder, pages, options):
    """A table of folds for each set; pages of sets that nothing was learned from are judged by a model without their domain."""
    of_domain = dict(zip(pages.domains, pages.fold))
    for one in [options.set, *options.early, *options.stories, *options.items, *options.typed, *options.unseen]:
        these = Set(options.set, [one]) if one in options.unseen else pages
        fold = [of_domain.get(domain, fold) for domain, fold in zip(these.domains, these.fold)]
        with open(folder / f"{'folds' if one == options.set else one.name}.tsv", "w", encoding="utf-8") as table:
            table.writelines(f"{these.pages[i]['id']}\t{fold[i]}\n" for i in range(len(fold)) if these.folder[i] == one)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("set", type=Path)
    for name, text in (("early", "pages of the early web"), ("stories", "modern articles and threads"), ("items", "pages about one thing, of which some fields are known"),
                       ("typed", "pages whose types the gate learns"), ("unseen", "only a table of folds")):
        parser.add_argument(f"--{name}", type=Path, nargs="+", action="extend", default=[], metavar="SET", help=text)
    parser.add_argument("--labels", type=Path, help="which blocks of some of these pages are content")
    parser.add_argument("--leave-out", action="store_true", help="judge each of the stories and items by a model that has not seen it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "train")
    parser.add_argument("--only-folds", action="store_true", help="cross-validation only, no model for the library")
    options = parser.parse_args()
    folds = options.out / "folds"
    folds.mkdir(parents=True, exist_ok=True)

    pages = Set(options.set, options.early, options.stories, options.items, options.typed, read_labels(options.labels) if options.labels else {})
    pages.read(options.jobs, options.out / "found")
    print(f"{len(pages.pages)} pages of {len(set(pages.domains))} domains; {int(pages.read_by_us.sum())} were read, "
          f"{sum(found.lost for found in pages.found)} blocks of them are lost", flush=True)
    trainer = Trainer(pages, options.seed, options.out)
    if options.leave_out:
        leave_each_out(trainer, options)
        return
    parts, rows, scores, plain = [], {}, {}, {}
    with pool_of(options.jobs, trainer=trainer) as pool:
        for fold, (model, of_pages, found, without) in enumerate(pool.map(cross_validate, range(FOLDS))):
            parts.append(model)
            rows.update(zip(trainer.inside(fold), of_pages))
            scores.update(zip(trainer.inside(fold), found))
            plain.update(zip(trainer.inside(fold), (f1 for f1, _, _ in without)))
    for folder in [options.set, *options.early, *options.stories, *options.items]:
        report_set(folder.name, [scores[i] for i in range(len(pages.pages)) if pages.folder[i] == folder])
    for kind in TYPES:
        these = [scores[i] for i in np.flatnonzero(pages.read_by_us) if pages.pages[i]["told"] == kind]
        if these:
            report_set(f"read: {kind}", these)
    scores = {i: f1 for i, (f1, _, _) in scores.items()}
    everything = np.flatnonzero(pages.main)
    sixth = pages.fold[everything] == FOLDS - 1
    for name, these in (("folds 0-4", everything[~sixth]), ("fold 5", everything[sixth]), ("all", everything)):
        report(name, trainer, these, scores)
    guesses = {}
    for fold in range(FOLDS):
        of_pages, judges = trainer.page_parts(trainer.without(fold), rows, plain)
        guesses.update((i, [judge.predict(rows[i][:1, PAGE])[0] for judge in judges])
                       for i in trainer.inside(fold) if len(rows[i]))
        model_numbers(dict(parts[fold], **of_pages), CONSTANTS).tofile(folds / f"{fold}.model")
    report_pages(trainer, guesses, scores)
    write_folds(folds, pages, options)
    if options.only_folds:
        return

    parts = dict(trainer.block_model()[0], **trainer.page_parts(range(len(pages.pages)), rows, plain)[0])
    numbers = model_numbers(parts, CONSTANTS)
    numbers.tofile(options.out / "all.model")
    names = [folder.name for folder in [options.set, *options.early, *options.stories, *options.items]]
    write_table(ROOT / "src/auto/model_data.c", numbers, names, provenance(pages, options, names))
    print(f"src/auto/model_data.c: {len(numbers) * 4 / 1024:.0f} KB")


if __name__ == "__main__":
    main()
