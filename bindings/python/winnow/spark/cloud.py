"""The job `cloud`: how often words are in the texts of a collection, for `winnow cloud --counts`.

Words are those of `winnow cloud`: without stop words, numbers and single letters. Forms of a word, those with one stem, are
counted together and shown by the commonest.
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

    counts: Counter[tuple[str, str]] = Counter()  # by word and form
    initials: Counter[tuple[str, str]] = Counter()

    def flush() -> Iterator[Any]:
        columns = [pyarrow.array([key[side] for key in counts], pyarrow.string()) for side in (0, 1)]
        columns += [pyarrow.array([numbers[key] for key in counts], pyarrow.int64()) for numbers in (counts, initials)]
        yield from pyarrow.table(columns, names=["word", "form", "count", "initial"]).to_batches(50_000)
        counts.clear()
        initials.clear()

    for batch in batches:
        for text, language in zip(batch.column("text").to_pylist(), batch.column("language").to_pylist()):
            for word, form, count, initial in _winnow._tag_counts(text, language or ""):
                counts[word, form] += count
                initials[word, form] += initial
        if len(counts) > _FLUSH:
            yield from flush()
    yield from flush()


def count_words(session: Any, folder: str, most: int, least: int = 1) -> list[tuple[str, int]]:
    """The most frequent words, equals by their bytes."""
    from pyspark.sql import functions as F

    pages = with_text(open_collection(session, folder)).select("text", "language")
    forms = pages.mapInArrow(_count, "word string, form string, count long, initial long").groupBy("word", "form").agg(
        F.sum("count").alias("count"), F.sum("initial").alias("initial"))
    best = F.max(F.struct("count", "initial", F.encode("form", "utf-8").alias("bytes"), "form"))
    counts = forms.groupBy("word").agg(F.sum(F.col("count") + F.col("initial")).alias("total"), best.alias("best"))
    rows = counts.where(F.col("total") >= least).select("total", F.col("best.form").alias("form")).sort(
        F.desc("total"), F.encode("form", "utf-8")).limit(most).collect()
    return [(row["form"], row["total"]) for row in rows]


def as_csv(counts: list[tuple[str, int]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("word", "count"))
    writer.writerows(counts)
    return out.getvalue()
