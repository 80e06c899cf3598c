"""Pages of a collection for the jobs that compare them: extracted once, numbered by their place, as a DataFrame.

A collection is the Parquet output of the job `extract`, or archives, which are then extracted into DIR/pages first. Pages that
could be read have the numbers 1, 2, … in the order of (unit, offset, inner offset): the ids that they have in a store to which
the program adds the same inputs.
"""

import os
from typing import Any

from . import staging

COLUMNS = ["id", "file", "offset", "inner", "url", "status", "error", "published", "modified", "language", "text"]


def is_collection(names: list[str]) -> bool:
    return len(names) == 1 and os.path.exists(os.path.join(names[0], staging.REPORT))


def open_collection(session: Any, folder: str) -> Any:
    """The pages of a folder that `extract --format parquet` made, with their numbers."""
    from pyspark.sql import functions as F

    report = staging.read_json(os.path.join(folder, staging.REPORT))
    if report["plan"].get("format") != "parquet":
        raise staging.JobError(f"{folder} has no Parquet files; extract with --format parquet")
    if missing := [name for name in COLUMNS if name not in report["plan"]["columns"]]:
        raise staging.JobError(f"{folder} has no column {', '.join(missing)}; extract with all columns")
    bases, base = [], 0
    for unit, part, rows in report["rows"]:
        bases.append((unit, part, base))
        base += rows
    starts = session.createDataFrame(bases, "unit long, part long, base long")
    pages = session.read.parquet(*sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".parquet")))
    numbered = pages.where("row >= 0").join(F.broadcast(starts), ["unit", "part"])
    return numbered.withColumn("number", F.col("base") + F.col("row") + 1)


def with_text(pages: Any) -> Any:
    """Those that take part in comparisons and statistics."""
    return pages.where("status in ('ok', 'partial')")
