"""The job `outliers`: the words of a collection and which of them are noise, the same table as `winnow corpus outliers`.

Each task counts the words of its pages, by label; the counts are whole numbers and are summed by Spark. The table of all words
comes to the driver, where the outliers are found: --min-documents leaves rare words out before.
"""

import os
from collections.abc import Iterator
from typing import Any

from .collection import open_collection, with_text

SCALES = ("none", "log", "z")
_MOST = (1 << 64) - 1
_FLUSH = 200_000  # words that a task holds before it hands them on


def label_of(file: str, here: str) -> str:
    """The label of a page: the name of the folder that its file lies in. Relative names begin at `here`."""
    path = file if file.startswith("/") or "://" in file else f"{here}/{file}"
    folders = [part for part in path.split("/")[:-1] if part not in ("", ".")]
    return folders[-1] if folders else ""


def _count(batches: Iterator[Any]) -> Iterator[Any]:
    """(word, label, total, documents, tf) of the pages of a task."""
    import pyarrow

    from winnow import _winnow

    counts: dict[tuple[str, str], list[int]] = {}

    def flush() -> Iterator[Any]:
        keys, values = list(counts), list(counts.values())
        columns = [pyarrow.array([key[i] for key in keys], pyarrow.string()) for i in (0, 1)]
        columns += [pyarrow.array([value[i] for value in values], pyarrow.int64()) for i in (0, 1)]
        columns += [pyarrow.array([str(value[2]) for value in values], pyarrow.string())]
        yield from pyarrow.table(columns, names=["word", "label", "total", "documents", "tf"]).to_batches(50_000)
        counts.clear()

    for batch in batches:
        rows = zip(*(batch.column(name).to_pylist() for name in ("text", "language", "label")))
        for text, language, label in rows:
            for word, count, share in _winnow._word_counts(text, language or ""):
                known = counts.setdefault((word, label), [0, 0, 0])
                known[0] += count
                known[1] += 1
                known[2] += share
        if len(counts) > _FLUSH:
            yield from flush()
    yield from flush()


def outlier_table(session: Any, folder: str, *, n: int = 50, k: int = 30, scale: str = "none", min_documents: int = 0,
                  max_documents: int = 0, copies: Any = None, every_word: bool = False, json: bool = False,
                  threads: int = 2) -> tuple[bytes, bytes, int]:
    """(the table, the noise words, the number of words). `copies` is a frame with the ids of pages that do not count."""
    from pyspark.sql import functions as F
    from winnow import _winnow

    pages = with_text(open_collection(session, folder))
    if copies is not None:
        pages = pages.join(copies.select(F.col("id").alias("number")), "number", "left_anti")
    here = os.getcwd()
    label = F.udf(lambda file: label_of(file, here), "string")
    where = F.when(F.col("file") != "", F.col("file")).otherwise(F.col("id"))
    pages = pages.select("text", "language", label(where).alias("label"))
    documents = pages.count()
    labels = [(row["label"], row["count"]) for row in pages.where("label <> ''").groupBy("label").count().collect()]
    counted = pages.mapInArrow(_count, "word string, label string, total long, documents long, tf string")
    by_label = counted.groupBy("word", "label").agg(F.sum("total").alias("total"), F.sum("documents").alias("documents"),
                                                    F.sum(F.col("tf").cast("decimal(38,0)")).alias("tf"))
    rows = by_label.groupBy("word").agg(
        F.sum("total").alias("total"), F.sum("documents").alias("documents"),
        F.sum(F.when(F.col("label") != "", F.col("documents")).otherwise(0)).alias("labelled"),
        F.sum("tf").alias("tf"), F.collect_list(F.struct("label", "total")).alias("labels"))
    words = 0

    def table() -> Iterator[tuple[Any, ...]]:
        nonlocal words
        for row in rows.toLocalIterator(prefetchPartitions=True):
            words += 1
            yield (row["word"], row["total"], row["documents"], row["labelled"], min(int(row["tf"]), _MOST),
                   tuple((each["label"], each["total"]) for each in row["labels"] if each["label"]))

    written, noise = _winnow._outliers(table(), labels, documents, n, k, SCALES.index(scale), threads, min_documents,
                                       max_documents, every_word, json)
    return written, noise, words
