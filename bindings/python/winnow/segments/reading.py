"""Pages of a segment: what a worker does. Only winnow, pyarrow and the standard library are needed there."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import winnow

from .inputs import Piece, Segment, archive_kind, check_html_column, is_remote, local_path, open_remote

# Columns of the data source: those of the record, in its order, and where the page is. Each has a type of Spark.
COLUMNS = {
    "id": "string", "file": "string", "offset": "long", "inner": "long", "length": "long", "url": "string", "date": "string",
    "http_status": "long", "media_type": "string", "status": "string", "error": "string", "method": "string", "encoding": "string", "type": "string", "confidence": "double", "title": "string",
    "authors": "array<string>", "published": "string", "modified": "string", "site": "string", "description": "string",
    "language": "string", "canonical": "string", "image": "string", "tags": "array<string>", "categories": "array<string>",
    "license": "string", "text": "string", "markdown": "string", "html": "string", "json": "string",
}
DEFAULT_COLUMNS = tuple(name for name in COLUMNS if name not in ("markdown", "html", "json"))
_FORMATS = ("text", "markdown", "html", "json")
_PLAIN = ("id", "file", "offset", "inner", "length", "url", "date", "http_status", "media_type", "status", "error", "method", "encoding", "type", "confidence")
_BATCH = 256  # rows

_BOOLS = ("precision", "recall", "comments", "tables", "links", "formatting", "images", "metadata", "blocks")
_NUMBERS = ("max_bytes", "max_nodes", "max_depth", "max_attributes", "max_memory")
_TEXTS = ("method", "charset")


def read_options(options: dict[str, str]) -> dict[str, Any]:
    """Options of extraction out of texts; ValueError with winnow's own sentence if one is wrong."""
    found: dict[str, Any] = {}
    for name, value in options.items():
        key = name.lower().replace("-", "_")
        if key in _BOOLS:
            if value.lower() not in ("true", "false", "1", "0", "yes", "no"):
                raise ValueError(f"{name} takes true or false, not '{value}'")
            found[key] = value.lower() in ("true", "1", "yes")
        elif key in _NUMBERS:
            try:
                found[key] = int(value)
            except ValueError:
                raise ValueError(f"{name} takes a number, not '{value}'") from None
        elif key == "timeout":
            try:
                found[key] = float(value)
            except ValueError:
                raise ValueError(f"timeout takes seconds, not '{value}'") from None
        elif key in _TEXTS:
            found[key] = value
        else:
            known = ", ".join(sorted((*_BOOLS, *_NUMBERS, *_TEXTS, "timeout")))
            raise ValueError(f"unknown option '{name}'; of extraction there are {known}")
    winnow.Extractor(**found)  # raises what is wrong with a value
    return found


def formats_of(columns: Iterable[str]) -> list[str]:
    """What extraction must prepare for these columns: nothing that nobody asks for."""
    wanted = [name for name in columns if name in _FORMATS]
    if any(name not in _FORMATS and name not in _PLAIN for name in columns):
        wanted.append("metadata")
    return wanted


def place_id(record: winnow.Record) -> winnow.Record:
    """The record with an id: one that has none is named by its place, as everywhere."""
    if record.id:
        return record
    place = f"{record.file}@{record.offset}" + (f"+{record.inner}" if record.inner else "")
    return winnow.Record(record.body, url=record.url, charset=record.charset, id=place, date=record.date, type=record.type,
                         status=record.status, media_type=record.media_type, truncated=record.truncated,
                         damaged=record.damaged, problem=record.problem, offset=record.offset, inner=record.inner,
                         length=record.length, file=record.file)


def _with_file(record: winnow.Record, name: str) -> winnow.Record:
    return winnow.Record(record.body, url=record.url, charset=record.charset, id=record.id, date=record.date, type=record.type,
                         status=record.status, media_type=record.media_type, truncated=record.truncated,
                         damaged=record.damaged, problem=record.problem, offset=record.offset, inner=record.inner,
                         length=record.length, file=name)


class SegmentReader:
    """Reads the pieces of a segment one after the other. `errors` gets (file, sentence) of what is wrong with a file."""

    def __init__(self, options: dict[str, Any], formats: Iterable[str], wanted: Callable[[Any], bool] | None = None,
                 html_column: str = "html", url_column: str = "url"):
        self.extractor = winnow.Extractor(**options)
        self.options, self.formats = options, list(formats)
        self.wanted, self.html_column, self.url_column = wanted, html_column, url_column
        self.errors: list[tuple[str, str]] = []

    def records(self, piece: Piece) -> Iterator[winnow.Record]:
        """The records of an archive that are pages, each with an id."""
        source = open_remote(piece.name) if is_remote(piece.name) else local_path(piece.name)
        try:
            records = winnow.read_warc(source, pages_only=True, start=piece.start, end=piece.end,  # type: ignore[arg-type]
                                       kind=archive_kind(piece.name))
        except OSError as error:
            self.errors.append((piece.name, sentence_of(error)))
            return
        with records:
            for record in records:
                if is_remote(piece.name) and not record.file:
                    record = _with_file(record, piece.name)
                record = place_id(record)
                if self.wanted is None or self.wanted(record):
                    yield record
            if records.error:
                self.errors.append((piece.name, records.error))

    def _archive(self, piece: Piece) -> Iterator[winnow.Page]:
        if self.wanted is not None or is_remote(piece.name):
            yield from self.extractor.extract_many(self.records(piece), threads=1, formats=self.formats)  # type: ignore[arg-type]
            return
        try:
            pages = self.extractor.extract_warc(local_path(piece.name), threads=1, formats=self.formats,  # type: ignore[arg-type]
                                                start=piece.start, end=piece.end, kind=archive_kind(piece.name))
        except OSError as error:
            self.errors.append((piece.name, sentence_of(error)))
            return
        with closing(pages):
            yield from pages
            if pages.error:
                self.errors.append((piece.name, pages.error))

    def _parquet(self, piece: Piece) -> Iterator[winnow.Page]:
        yield from self.extractor.extract_many(self.parquet_records(piece), threads=1, formats=self.formats)  # type: ignore[arg-type]

    def parquet_records(self, piece: Piece) -> Iterator[winnow.Record]:
        """The rows of Parquet row groups as records: html, and url and id if there are such columns."""
        import pyarrow

        try:
            yield from self._parquet_rows(piece)
        except (pyarrow.ArrowException, OSError) as error:
            if isinstance(error, OSError) and error.errno:
                raise  # of the file system, and may go away; what is wrong inside a file has no number
            self.errors.append((piece.name, str(error).partition("\n")[0]))

    def _parquet_rows(self, piece: Piece) -> Iterator[winnow.Record]:
        import pyarrow.parquet as parquet

        with (open_remote(piece.name) if is_remote(piece.name) else open(local_path(piece.name), "rb")) as file:
            table = parquet.ParquetFile(file)
            names = table.schema_arrow.names
            check_html_column(piece.name, names, self.html_column)
            chosen = [name for name in (self.html_column, self.url_column, "id") if name in names]
            first = sum(table.metadata.row_group(g).num_rows for g in range(piece.start))
            for batch in table.iter_batches(_BATCH, row_groups=list(range(piece.start, piece.end)), columns=chosen):
                for row in batch.to_pylist():
                    record = winnow.Record(row[self.html_column] or b"", url=row.get(self.url_column) or "",
                                           id=str(row.get("id") or f"{piece.name}@{first}"), file=piece.name, offset=first)
                    first += 1
                    if self.wanted is None or self.wanted(record):
                        yield record

    def pages(self, segment: Segment) -> Iterator[winnow.Page]:
        files: list[Path] = []
        for piece in segment.pieces:
            if piece.kind == "page" and not is_remote(piece.name):
                files.append(Path(local_path(piece.name)))
            elif piece.kind == "page":
                with open_remote(piece.name) as file:
                    record = winnow.Record(file.read(), id=piece.name)
                yield from self.extractor.extract_many([record], threads=1, formats=self.formats)  # type: ignore[arg-type]
            elif piece.kind == "parquet":
                yield from self._parquet(piece)
            else:
                yield from self._archive(piece)
        if files:
            yield from self.extractor.extract_many(files, threads=1, formats=self.formats)  # type: ignore[arg-type]

    def problems(self) -> Iterator[winnow.Page]:
        """What is wrong with files, as pages that could not be read: so the program reports it too."""
        records = [problem_record(name, sentence) for name, sentence in self.errors]
        yield from self.extractor.extract_many(records, threads=1, formats=self.formats)  # type: ignore[arg-type]


def problem_record(name: str, sentence: str) -> winnow.Record:
    return winnow.Record(b"", id=name, problem=sentence)


def sentence_of(error: OSError) -> str:
    """What is wrong with a file, as the program says it."""
    return os.strerror(error.errno) if error.errno else str(error).removeprefix("the archive cannot be read: ")


def arrow_batches(pages: Iterable[winnow.Page], columns: list[str], schema: Any = None, rows: int = _BATCH) -> Iterator[Any]:
    """The pages as Arrow batches with plain strings, which is what Spark takes."""
    import pyarrow

    if schema is None:
        schema = arrow_schema(columns)
    for batch in pyarrow.RecordBatchReader.from_stream(winnow.to_arrow(pages, columns=columns, batch_size=rows)):
        yield pyarrow.RecordBatch.from_arrays([column.cast(field.type) for column, field in zip(batch.columns, schema)],
                                              schema=schema)


def arrow_schema(columns: Iterable[str]) -> Any:
    import pyarrow

    types = {"string": pyarrow.string(), "long": pyarrow.int64(), "double": pyarrow.float64(),
             "array<string>": pyarrow.list_(pyarrow.field("element", pyarrow.string(), nullable=True))}
    return pyarrow.schema([(name, types[COLUMNS[name]]) for name in columns])
