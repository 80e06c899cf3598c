"""A function over batches: for Hugging Face datasets, Ray Data, and whatever else maps batches.

    from winnow.adapters.batches import ExtractBatch

    dataset = dataset.map(ExtractBatch(html="html", url="url"), batched=True)                    # datasets
    dataset = dataset.with_format("arrow").map(ExtractBatch(), batched=True)                     # without Python objects
    rows = rows.map_batches(ExtractBatch(columns=["text", "title"]), batch_format="pyarrow")     # Ray Data

A batch is a dict of columns, a pyarrow.Table or RecordBatch, or a pandas.DataFrame; the result is of the same kind, with
the new columns. It can be pickled.
"""

from collections.abc import Iterable
from typing import Any

import winnow

_FORMATS = ("text", "markdown", "html", "json", "xml", "tei")


class ExtractBatch:
    """Adds the content of pages to a batch.

    html, url    the columns with the page (str or bytes) and its address; url may be None
    columns      what is added: attributes of winnow.Page, or formats
    prefix       before the names of added columns
    drop_html    leave the column of pages out
    threads      one by default: most of these packages run a process per core
    options      those of winnow.extract()
    """

    def __init__(self, html: str = "html", url: str | None = None, columns: Iterable[str] = ("text", "title", "language"),
                 prefix: str = "", drop_html: bool = False, threads: int | None = 1, **options: Any):
        self.html, self.url, self.columns = html, url, tuple(columns)
        self.prefix, self.drop_html, self.threads = prefix, drop_html, threads
        self.extractor = winnow.Extractor(**options)

    def _value(self, page: winnow.Page, name: str) -> Any:
        if name in _FORMATS:
            return page.write(name)  # type: ignore[arg-type]
        value = getattr(page, name)
        return list(value) if isinstance(value, tuple) else value

    def extract(self, pages: Iterable[Any], urls: Iterable[Any] | None = None) -> dict[str, list[Any]]:
        """The new columns of pages, which may be None."""
        items = (("" if html is None else html, url or None) for html, url in zip(pages, urls if urls is not None else iter(str, 0)))
        formats = ["metadata", *(name for name in self.columns if name in _FORMATS)]
        found: dict[str, list[Any]] = {self.prefix + name: [] for name in self.columns}
        for page in self.extractor.extract_many(items, threads=self.threads, formats=formats):  # type: ignore[arg-type]
            for name in self.columns:
                found[self.prefix + name].append(self._value(page, name))
        return found

    def __call__(self, batch: Any) -> Any:
        if hasattr(batch, "to_pydict") and hasattr(batch, "schema"):
            return self._arrow(batch)
        if hasattr(batch, "assign") and hasattr(batch, "drop"):
            return self._pandas(batch)
        added = self.extract(batch[self.html], batch[self.url] if self.url else None)
        kept = {name: column for name, column in batch.items() if not (self.drop_html and name == self.html)}
        return {**kept, **added}

    def _arrow(self, batch: Any) -> Any:
        import pyarrow

        table = batch if isinstance(batch, pyarrow.Table) else pyarrow.Table.from_batches([batch])
        pages = (page.as_buffer() if hasattr(page, "as_buffer") and page.is_valid else page.as_py()
                 for page in table.column(self.html))
        if pyarrow.types.is_string(table.schema.field(self.html).type) or pyarrow.types.is_large_string(
                table.schema.field(self.html).type):
            pages = (page.as_py() for page in table.column(self.html))
        urls = (url.as_py() for url in table.column(self.url)) if self.url else None
        for name, column in self.extract(pages, urls).items():
            values = pyarrow.array(column)
            place = table.schema.get_field_index(name)
            table = table.append_column(name, values) if place < 0 else table.set_column(place, name, values)
        if self.drop_html:
            table = table.drop_columns([self.html])
        return table if isinstance(batch, pyarrow.Table) else table.combine_chunks().to_batches()[0]

    def _pandas(self, frame: Any) -> Any:
        added = self.extract(frame[self.html], frame[self.url] if self.url else None)
        frame = frame.assign(**added)
        return frame.drop(columns=[self.html]) if self.drop_html else frame
