"""Connected components of a graph of any size: large-star and small-star (Kiveris and others, "Connected Components in
MapReduce and Beyond", 2014).

Both steps keep the components and move each node nearer to the least one of its component: large-star links the larger
neighbours of a node to the least, small-star the smaller ones. Alternating, they end when every node is linked to the least
node of its component. Rounds grow with the square of the logarithm at most, also for chains.

Before each round every task replaces the edges that it holds by a spanning star of what they connect, so the graph shrinks
fast; and a graph that has become small enough is finished in one task, in memory.
"""

import os
import uuid
from collections.abc import Iterator
from typing import Any

import numpy as np

IN_MEMORY = 20_000_000  # edges that one task finishes; 16 bytes each, some times over
MOST_ROUNDS = 60


def components_of(left: Any, right: Any) -> tuple[Any, Any]:
    """(node, least node of its component) of a graph in memory: every root is hooked to the least neighbour of its tree, and
    the trees are flattened, until nothing changes."""
    nodes, places = np.unique(np.concatenate([left, right]), return_inverse=True)
    a, b = places[:len(left)], places[len(left):]
    label = np.arange(len(nodes))
    while len(a):
        roots_a, roots_b = label[a], label[b]
        different = roots_a != roots_b
        a, b, roots_a, roots_b = a[different], b[different], roots_a[different], roots_b[different]
        if not len(a):
            break
        low, high = np.minimum(roots_a, roots_b), np.maximum(roots_a, roots_b)
        np.minimum.at(label, high, low)
        while True:  # flatten
            further = label[label]
            if np.array_equal(further, label):
                break
            label = further
    return nodes, nodes[label]


def _shrink(batches: Iterator[Any]) -> Iterator[Any]:
    """The edges of one task as stars."""
    import pyarrow

    tables = list(batches)
    if not tables:
        return
    table = pyarrow.Table.from_batches(tables)
    nodes, least = components_of(table.column("u").to_numpy(), table.column("v").to_numpy())
    kept = nodes != least
    yield pyarrow.RecordBatch.from_arrays([pyarrow.array(nodes[kept]), pyarrow.array(least[kept])], names=["u", "v"])


def _large_star(edges: Any) -> Any:
    from pyspark.sql import functions as F

    both = edges.union(edges.select(F.col("v").alias("u"), F.col("u").alias("v")))
    least = both.groupBy("u").agg(F.least(F.min("v"), F.first("u")).alias("m"))
    return both.join(least, "u").where("v > u").select(F.col("v").alias("u"), F.col("m").alias("v")).where("u <> v")


def _small_star(edges: Any) -> Any:
    from pyspark.sql import functions as F

    down = edges.select(F.greatest("u", "v").alias("u"), F.least("u", "v").alias("v"))
    least = down.groupBy("u").agg(F.min("v").alias("m"))
    linked = down.join(least, "u")
    return linked.select(F.col("v").alias("u"), F.col("m").alias("v")).union(least.select("u", F.col("m").alias("v"))).where("u <> v")


def connected_components(session: Any, edges: Any, folder: str, in_memory: int = IN_MEMORY) -> tuple[Any, int]:
    """(DataFrame of node and component, rounds) of edges (u, v). Rounds are written to `folder`: nothing is lost with a
    machine. Nodes without edges have no row."""
    from pyspark.sql import functions as F

    folder = os.path.join(folder, f"components-{uuid.uuid4().hex}")

    def settle(frame: Any, name: str) -> tuple[Any, int, Any]:
        path = os.path.join(folder, name)
        frame.write.parquet(path)
        kept = session.read.parquet(path)
        count, digest = kept.agg(F.count("*"), F.sum(F.xxhash64("u", "v").cast("decimal(38,0)"))).first()
        return kept, count, digest

    current, count, digest = settle(edges.where("u <> v").distinct(), "start")
    rounds = 0
    while count > in_memory:
        rounds += 1
        if rounds > MOST_ROUNDS:
            raise RuntimeError(f"the components are not found after {MOST_ROUNDS} rounds")
        shrunk = current.repartition("v").mapInArrow(_shrink, "u long, v long")
        current, count, further = settle(_small_star(_large_star(shrunk)).distinct(), f"round{rounds}")
        if further == digest:  # every node is linked to the least of its component
            return current.select(F.col("u").alias("node"), F.col("v").alias("component")).union(
                current.select(F.col("v").alias("node"), F.col("v").alias("component")).distinct()), rounds
        digest = further

    def finish(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        tables = list(batches)
        if tables:
            table = pyarrow.Table.from_batches(tables)
            nodes, least = components_of(table.column("u").to_numpy(), table.column("v").to_numpy())
            yield from pyarrow.table({"node": nodes, "component": least}).to_batches(max_chunksize=100_000)

    return current.coalesce(1).mapInArrow(finish, "node long, component long"), rounds
