"""The data source "winnow": pages of archives, folders and Parquet files as rows.

    spark.dataSource.register(winnow.spark.DataSource)
    pages = spark.read.format("winnow").option("columns", "url,title,text").load("crawl/*.warc.gz")

Options: those of winnow.extract() by their names (method, precision, links, timeout, …), and

    columns       names with commas between; what is not asked for is not made (default: all but markdown, html, json)
    split_bytes   bytes of an archive per task (default 128 MiB)
    paths         more than one path: a JSON list
    html_column   of Parquet files (default html); url_column: the same (default url)
    kind          archive, page or parquet, if the names do not tell

What is wrong with an archive is a row of its own, with the status "unreadable". A schema does what `columns` does:
.schema("url string, text string"). Spark refuses a reader that takes filters unless its setting
spark.sql.python.filterPushdown.enabled is true, which it is not by default. So there are two sources of one name: DataSource
leaves all filters to Spark and works everywhere; register(spark) switches the setting on and registers FilteringDataSource,
which applies filters on url, date, id and file before a page is extracted.
"""

import json
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from itertools import chain
from typing import Any

from pyspark.sql import datasource as api
from pyspark.sql.types import StructType

from ..segments.inputs import SPLIT, Segment, find_units
from ..segments.reading import COLUMNS, DEFAULT_COLUMNS, SegmentReader, arrow_batches, formats_of, read_options

_OWN = ("path", "paths", "columns", "split_bytes", "html_column", "url_column", "kind")
_EARLY = ("url", "date", "id", "file")  # known before a page is extracted


def _read_columns(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    return check_columns(names or list(DEFAULT_COLUMNS))


def check_columns(names: list[str]) -> list[str]:
    for name in names:
        if name not in COLUMNS:
            raise ValueError(f"unknown column '{name}'; there are {', '.join(COLUMNS)}")
    return names


class Partition(api.InputPartition):
    def __init__(self, segment: Segment):
        self.segment = segment


class DataSource(api.DataSource):
    """Register it, then spark.read.format("winnow")."""

    def __init__(self, options: MutableMapping[str, str]):
        super().__init__(options)
        given = dict(options)
        self.own = {name: given[name] for name in list(given) if name.lower() in _OWN}
        self.own = {name.lower(): value for name, value in self.own.items()}
        self.extraction = read_options({name: value for name, value in given.items() if name.lower() not in _OWN})
        self.columns = _read_columns(self.own.get("columns", ""))
        self.split = self._number("split_bytes", SPLIT)
        self.paths = self._paths()
        if self.own.get("kind") not in (None, "archive", "page", "parquet"):
            raise ValueError(f"kind takes archive, page or parquet, not '{self.own['kind']}'")

    def _number(self, name: str, otherwise: int) -> int:
        text = self.own.get(name, str(otherwise))
        if not text.isdigit() or int(text) < 1:
            raise ValueError(f"{name} takes a number of bytes, not '{text}'")
        return int(text)

    def _paths(self) -> list[str]:
        paths = [self.own["path"]] if self.own.get("path") else []
        if self.own.get("paths"):
            try:
                paths += list(json.loads(self.own["paths"]))
            except ValueError:
                raise ValueError("paths takes a JSON list of paths") from None
        return paths

    @classmethod
    def name(cls) -> str:
        return "winnow"

    @property
    def reader_type(self) -> "type[Reader]":
        return Reader

    def schema(self) -> str:
        return ", ".join(f"{name} {COLUMNS[name]}" for name in self.columns)

    def reader(self, schema: StructType) -> "Reader":
        names = check_columns(schema.fieldNames())
        for field in schema.fields:
            if field.dataType.simpleString().replace("bigint", "long") != COLUMNS[field.name]:
                raise ValueError(f"the column '{field.name}' is {COLUMNS[field.name]}, not {field.dataType.simpleString()}")
        html = self.own.get("html_column", "html")
        units = find_units(self.paths, self.split, self.own.get("kind"), must_exist=True, html_column=html)
        return self.reader_type([segment for unit in units for segment in unit.segments], names, self.extraction, html,
                                self.own.get("url_column", "url"))


class FilteringDataSource(DataSource):
    """Filters skip work; needs spark.sql.python.filterPushdown.enabled. See register()."""

    @property
    def reader_type(self) -> "type[Reader]":
        return FilteringReader


def register(spark: Any) -> None:
    """Makes spark.read.format("winnow") known to a session, with filters that skip work."""
    spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
    spark.dataSource.register(FilteringDataSource)


def _test_of(filter: Any) -> Callable[[Any], bool] | None:
    """A filter as a test of a record; None if it must wait for the text."""
    attribute = getattr(filter, "attribute", ())
    if len(attribute) != 1 or attribute[0] not in _EARLY:
        return None
    name, value = attribute[0], getattr(filter, "value", None)
    tests: dict[type, Callable[[Any], bool]] = {
        api.EqualTo: lambda r: getattr(r, name) == value,
        api.GreaterThan: lambda r: getattr(r, name) > value,
        api.GreaterThanOrEqual: lambda r: getattr(r, name) >= value,
        api.LessThan: lambda r: getattr(r, name) < value,
        api.LessThanOrEqual: lambda r: getattr(r, name) <= value,
        api.In: lambda r: getattr(r, name) in value,
        api.StringStartsWith: lambda r: getattr(r, name).startswith(value),
        api.StringEndsWith: lambda r: getattr(r, name).endswith(value),
        api.StringContains: lambda r: value in getattr(r, name),
    }
    return tests.get(type(filter))


class Reader(api.DataSourceReader):
    def __init__(self, segments: list[Segment], columns: list[str], extraction: dict[str, Any], html: str, url: str):
        self.segments, self.columns, self.extraction = segments, columns, extraction
        self.html, self.url = html, url
        self.filters: list[Any] = []

    def partitions(self) -> list[Partition]:
        return [Partition(segment) for segment in self.segments]

    def read(self, partition: Any) -> Iterator[Any]:
        tests = [test for test in map(_test_of, self.filters) if test]
        wanted = (lambda record: all(test(record) for test in tests)) if tests else None
        reader = SegmentReader(self.extraction, formats_of(self.columns), wanted, self.html, self.url)
        pages = chain(reader.pages(partition.segment), reader.problems())
        yield from arrow_batches(pages, self.columns)


class FilteringReader(Reader):
    def pushFilters(self, filters: list[Any]) -> Iterable[Any]:
        """Takes those that are known before a page is extracted. Page files have no records, so Spark tests them again."""
        for filter in filters:
            if _test_of(filter) is not None:
                self.filters.append(filter)
            yield filter
