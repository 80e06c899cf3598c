"""Polars: extraction as an expression.

    import polars as pl
    from winnow.adapters.polars import extract

    frame.with_columns(text=extract("html"), title=extract("html", column="title"))
    pl.DataFrame(winnow.to_arrow("crawl.warc.gz"))          # an archive as a frame needs no adapter
"""

from typing import Any

import polars as pl

from .batches import ExtractBatch


def extract(html: str | pl.Expr, column: str = "text", threads: int | None = None, **options: Any) -> pl.Expr:
    """The content of a column of pages (str or binary). `column` as in winnow.adapters.batches."""
    batch = ExtractBatch(columns=[column], threads=threads, **options)
    kinds = {"authors": pl.List(pl.String), "limited": pl.List(pl.String), "confidence": pl.Float64}
    kind = kinds.get(column, pl.String)

    def work(pages: pl.Series) -> pl.Series:
        return pl.Series(pages.name, batch.extract(pages)[column], dtype=kind)

    return (pl.col(html) if isinstance(html, str) else html).map_batches(work, return_dtype=kind)
