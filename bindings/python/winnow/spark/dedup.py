"""The job `dedup`: exact and near duplicates, the same clusters as `winnow corpus dedup`.

    1. A pass over the texts: each leaves its length, its hash and the keys of its MinHash bands. Pages with equal texts are one
       node of the graph from here on; its number is that of its first page.
    2. The keys are sorted. Under each key the texts are ordered by length and hash, and each is paired with the eight before it
       and the first four. This needs no texts, and no memory for a key that a million texts share.
    3. Pairs are compared by the true Jaccard similarity of their shingles: only texts that are in a pair are read again.
    4. Clusters are connected components.

Step 2 to 4 run twice: first each text with the one before it, which joins most of a large cluster; then all other pairs that
are not in one cluster already. The clusters are the same, since a pair inside a cluster can only join what is joined.
"""

import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .collection import open_collection, with_text
from .components import connected_components

BEFORE, FIRST = 8, 4  # as in app/corpus/dedup.h
_SIGN = 1 << 63


def _as_signed(hash_: int) -> int:
    """A hash as a long of the same order."""
    return (hash_ ^ _SIGN) - (1 << 64) if (hash_ ^ _SIGN) >= _SIGN else hash_ ^ _SIGN


def _fingerprints(bands: int, rows: int) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def run(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        from winnow import _winnow

        for batch in batches:
            sizes, hashes, keys = [], [], []
            for text in batch.column("text").to_pylist():
                sizes.append(len(text.encode("utf-8", "surrogatepass")))
                hashes.append(_as_signed(_winnow._hash(text)))
                keys.append(_winnow._dedup_keys(text, bands, rows) if bands else b"")
            yield pyarrow.RecordBatch.from_arrays(
                [batch.column("number"), pyarrow.array(sizes, pyarrow.int64()), pyarrow.array(hashes, pyarrow.int64()),
                 pyarrow.array(keys, pyarrow.binary()), batch.column("date")], names=["number", "bytes", "hash", "keys", "date"])
    return run


def _spread_keys(batches: Iterator[Any]) -> Iterator[Any]:
    """A row for each key of a text."""
    import pyarrow

    for batch in batches:
        keys = [np.frombuffer(value, np.int64) for value in batch.column("keys").to_pylist()]
        counts = np.array([len(value) for value in keys])
        if not counts.sum():
            continue
        columns = [np.repeat(batch.column(name).to_numpy(), counts) for name in ("bytes", "hash", "node")]
        yield from pyarrow.table([np.concatenate(keys), *columns], names=["key", "bytes", "hash", "node"]).to_batches(100_000)


class PairMaker:
    """Pairs of nodes under sorted keys, batch by batch. Of the key that goes on in the next batch it remembers the last few
    nodes, the first ones, and how many there were."""

    def __init__(self, nearest: bool):
        self.nearest = nearest  # only each with the one before it; else all others
        self.key: int | None = None
        self.tail = np.empty(0, np.int64)
        self.first = np.empty(0, np.int64)
        self.seen = 0

    def add(self, keys: Any, nodes: Any) -> tuple[Any, Any]:
        carried = len(self.tail) if len(keys) and self.key is not None and keys[0] == self.key else 0
        if not carried:
            self.tail, self.first, self.seen = np.empty(0, np.int64), np.empty(0, np.int64), 0
        all_keys = np.concatenate([np.full(carried, keys[0] if len(keys) else 0, np.int64), keys])
        all_nodes = np.concatenate([self.tail[len(self.tail) - carried:], nodes])
        begins = np.ones(len(keys), bool)
        begins[1:] = keys[1:] != keys[:-1]
        if carried:
            begins[0] = False
        index = np.arange(len(keys))
        start = np.maximum.accumulate(np.where(begins, index, -1))  # -1: in the batch before
        place = np.where(start >= 0, index - start, index + self.seen)
        first = np.concatenate([self.first, nodes[start < 0]])[:FIRST]  # of the key that goes on
        left, right = [], []
        for distance in range(1, BEFORE + 1):
            if self.nearest != (distance == 1):
                continue
            here = index + carried
            fits = here >= distance
            fits[fits] &= all_keys[here[fits] - distance] == keys[fits]
            left.append(nodes[fits])
            right.append(all_nodes[here[fits] - distance])
        for other in range(FIRST if not self.nearest else 0):
            fits = place - BEFORE > other
            new = fits & (start >= 0)
            left.append(nodes[new])
            right.append(nodes[start[new] + other])
            old = fits & (start < 0)
            left.append(nodes[old])
            right.append(np.full(old.sum(), first[other] if old.any() else 0, np.int64))
        self._remember(keys, nodes, start, place)
        return np.concatenate(left), np.concatenate(right)

    def _remember(self, keys: Any, nodes: Any, start: Any, place: Any) -> None:
        if not len(keys):
            return
        last = start[-1]
        if last >= 0:
            self.first, self.tail = nodes[last:last + FIRST], nodes[last:]
        else:
            missing = FIRST - len(self.first)
            self.first = np.concatenate([self.first, nodes[:max(missing, 0)]])
            self.tail = np.concatenate([self.tail, nodes])
        self.tail = self.tail[-BEFORE:]
        self.key, self.seen = int(keys[-1]), int(place[-1]) + 1


def _pairs(nearest: bool) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def run(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        maker = PairMaker(nearest)
        for batch in batches:
            left, right = maker.add(batch.column("key").to_numpy(), batch.column("node").to_numpy())
            if len(left):
                yield from pyarrow.table({"a": np.maximum(left, right), "b": np.minimum(left, right)}).to_batches(100_000)
    return run


def _shingle(batches: Iterator[Any]) -> Iterator[Any]:
    import pyarrow

    from winnow import _winnow

    for batch in batches:
        sets = [_winnow._shingles(text) for text in batch.column("text").to_pylist()]
        yield pyarrow.RecordBatch.from_arrays([batch.column("number"), pyarrow.array(sets, pyarrow.binary())],
                                              names=["number", "shingles"])


def _compare(threshold: float) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def run(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        from winnow import _winnow

        for batch in batches:
            columns = (batch.column(name).to_pylist() for name in ("a", "b", "x", "y"))
            alike = [(a, b) for a, b, x, y in zip(*columns) if _winnow._jaccard(x, y) >= threshold]
            yield pyarrow.RecordBatch.from_arrays([pyarrow.array([pair[i] for pair in alike], pyarrow.int64()) for i in (0, 1)],
                                                  names=["u", "v"])
    return run


class Dedup:
    def __init__(self, session: Any, folder: str, work: str, *, bands: int = 14, rows: int = 8, threshold: float = 0.8,
                 in_memory: int | None = None):
        self.session, self.folder, self.work = session, folder, work
        self.bands, self.rows, self.threshold, self.in_memory = bands, rows, threshold, in_memory
        self.compared = self.rounds = 0

    def _kept(self, frame: Any, name: str) -> Any:
        """A frame that is read back from files, so that it is computed once and survives the loss of a machine."""
        path = os.path.join(self.work, name)
        frame.write.mode("overwrite").parquet(path)
        return self.session.read.parquet(path)

    def _pages(self) -> Any:
        from pyspark.sql import functions as F

        date = F.when(F.col("published") != "", F.col("published")).otherwise(F.col("modified"))
        pages = with_text(open_collection(self.session, self.folder)).select("number", "text", date.alias("date"))
        return pages

    def _edges(self, keys: Any, pages: Any, nearest: bool, joined: Any) -> Any:
        """The pairs of a round that are alike."""
        from pyspark.sql import functions as F

        name = "near" if nearest else "far"
        pairs = keys.mapInArrow(_pairs(nearest), "a long, b long").distinct()
        if joined is not None:
            left = joined.select(F.col("node").alias("a"), F.col("component").alias("ca"))
            right = joined.select(F.col("node").alias("b"), F.col("component").alias("cb"))
            pairs = pairs.join(left, "a", "left").join(right, "b", "left")
            pairs = pairs.where("coalesce(ca, a) <> coalesce(cb, b)").select("a", "b")
        pairs = self._kept(pairs, f"pairs-{name}")
        count = pairs.count()
        self.compared += count
        if not count:
            return None
        nodes = pairs.select(F.col("a").alias("number")).union(pairs.select(F.col("b").alias("number"))).distinct()
        sets = self._kept(pages.join(nodes, "number").select("number", "text").mapInArrow(_shingle, "number long, shingles binary"),
                          f"shingles-{name}")
        both = pairs.join(sets.select(F.col("number").alias("a"), F.col("shingles").alias("x")), "a").join(
            sets.select(F.col("number").alias("b"), F.col("shingles").alias("y")), "b")
        return self._kept(both.mapInArrow(_compare(self.threshold), "u long, v long"), f"edges-{name}")

    def _components(self, edges: Any) -> Any:
        limit = {} if self.in_memory is None else {"in_memory": self.in_memory}
        found, rounds = connected_components(self.session, edges, self.work, **limit)
        self.rounds += rounds
        return self._kept(found, f"clusters-{self.rounds}-{self.compared}")

    def clusters(self) -> Any:
        """A frame of all pages with text: number, bytes, date, and `cluster`, the number of its first page."""
        from pyspark.sql import functions as F

        pages = self._pages()
        prints = self._kept(pages.mapInArrow(_fingerprints(self.bands, self.rows),
                                             "number long, bytes long, hash long, keys binary, date string"), "fingerprints")
        nodes = prints.groupBy("bytes", "hash").agg(F.min("number").alias("node"), F.first("keys").alias("keys"))
        nodes = self._kept(nodes.where("bytes > 0"), "nodes")
        keys = nodes.where("length(keys) > 0").mapInArrow(_spread_keys, "key long, bytes long, hash long, node long")
        keys = self._kept(keys.repartition("key").sortWithinPartitions("key", "bytes", "hash"), "keys") if self.bands else None
        joined = None
        if keys is not None:
            keys = keys.repartition("key").sortWithinPartitions("key", "bytes", "hash")
            edges = self._edges(keys, pages, True, None)
            joined = self._components(edges) if edges is not None else None
            further = self._edges(keys, pages, False, joined)
            if further is not None:
                joined = self._components(edges.union(further) if edges is not None else further)
        of_page = prints.drop("keys").join(nodes.drop("keys"), ["bytes", "hash"], "left")
        of_page = of_page.withColumn("node", F.coalesce("node", "number"))
        if joined is None:
            return of_page.select("number", "bytes", "date", F.col("node").alias("cluster"))
        return of_page.join(joined, "node", "left").select("number", "bytes", "date",
                                                           F.coalesce("component", "node").alias("cluster"))


def _date_number() -> Any:
    """2024-05-31 as 20240531, as the program compares dates."""
    from pyspark.sql import functions as F

    digits = F.substring(F.regexp_replace("date", "[^0-9]", ""), 1, 8)
    return F.when(digits == "", 0).otherwise(F.rpad(digits, 8, "0").cast("long"))


def copies(clusters: Any, keep: str = "first") -> Any:
    """(id, copy_of, pages) of every page that is a copy, by id."""
    from pyspark.sql import functions as F

    best = {"first": [F.lit(0)], "longest": [-F.col("bytes")], "newest": [-_date_number()]}[keep]
    order = F.struct(*best, F.col("number").alias("number"))
    kept = clusters.groupBy("cluster").agg(F.min(order)["number"].alias("copy_of"), F.count("*").alias("pages")).where("pages > 1")
    return clusters.join(kept, "cluster").where("number <> copy_of").select(F.col("number").alias("id"), "copy_of", "pages")


def write_csv(found: Any, path: str) -> int:
    """The copies as the program writes them; how many there are."""
    from .staging import staged

    count = 0
    with staged(path) as temporary, open(temporary, "w", encoding="utf-8") as file:
        file.write("id,copy_of,pages\n")
        for row in found.sort("id").toLocalIterator(prefetchPartitions=True):
            file.write(f"{row['id']},{row['copy_of']},{row['pages']}\n")
            count += 1
    return count


def read_copies(session: Any, path: str) -> Any:
    """The table that write_csv() wrote. With its types named, Spark does not read it twice more to find them."""
    return session.read.csv(os.path.abspath(path), header=True, schema="id long, copy_of long, pages long", mode="FAILFAST")
