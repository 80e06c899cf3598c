"""The job `cloud`: how often words stand in the texts of a collection, for `winnow cloud --counts`.

Words are those of `winnow cloud`: without stop words, numbers and single letters, without regard to case.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterator
from typing import Any

from .collection import open_collection, with_text

_FLUSH = 200_000  # words that a task holds before it hands them on


def _count(batches: Iterator[Any]) -> Iterator[Any]:
    import pyarrow

    from winnow import _winnow

    counts: Counter[str] = Counter()

    def flush() -> Iterator[Any]:
        table = pyarrow.table([pyarrow.array(list(counts), pyarrow.string()), pyarrow.array(list(counts.values()), pyarrow.int64())],
                              names=["word", "count"])
        yield from table.to_batches(50_000)
        counts.clear()

    for batch in batches:
        for text, language in zip(batch.column("text").to_pylist(), batch.column("language").to_pylist()):
            for word, count in _winnow._tag_counts(text, language or ""):
                counts[word] += count
        if len(counts) > _FLUSH:
            yield from flush()
    yield from flush()


def count_words(session: Any, folder: str, most: int, least: int = 1) -> list[tuple[str, int]]:
    """The most frequent words, equals by their bytes."""
    from pyspark.sql import functions as F

    pages = with_text(open_collection(session, folder)).select("text", "language")
    counts = pages.mapInArrow(_count, "word string, count long").groupBy("word").agg(F.sum("count").alias("count"))
    rows = counts.where(F.col("count") >= least).sort(F.desc("count"), F.encode("word", "utf-8")).limit(most).collect()
    return [(row["word"], row["count"]) for row in rows]


def as_csv(counts: list[tuple[str, int]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("word", "count"))
    writer.writerows(counts)
    return out.getvalue()
