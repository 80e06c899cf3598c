"""Arrow streams, read by the packages that are installed."""

import gc

import pytest
import winnow

ITEMS = [(f"<title>Page {i}</title><meta name=author content='A. Baker'><h1>Page {i}</h1><p>Take flour.</p>",
          f"http://a.example/{i}") for i in range(2500)]
COLUMNS = ["url", "title", "authors", "tags", "confidence", "offset", "text", "markdown", "json"]


def test_pyarrow():
    pa = pytest.importorskip("pyarrow")
    table = pa.table(winnow.to_arrow(ITEMS, columns=COLUMNS, threads=2))
    assert table.num_rows == 2500 and table.column_names == COLUMNS
    rows = table.to_pylist()
    pages = list(winnow.extract_many(ITEMS, formats=["text", "markdown", "json"]))
    for row, page in zip(rows, pages):
        assert row == {"url": page.url, "title": page.title, "authors": list(page.authors), "tags": [],
                       "confidence": page.confidence, "offset": 0, "text": page.text, "markdown": page.markdown,
                       "json": page.json()}
    table.validate(full=True)
    reader = pa.RecordBatchReader.from_stream(winnow.to_arrow(pages, batch_size=100))
    assert [batch.num_rows for batch in reader] == [100] * 25
    assert pa.schema(winnow.to_arrow([], columns=["text"])).names == ["text"]


def test_pyarrow_sees_exceptions():
    pa = pytest.importorskip("pyarrow")
    def source():
        yield "<p>One"
        raise KeyError("the source is broken")
    with pytest.raises(OSError, match="the source is broken"):
        pa.table(winnow.to_arrow(source()))


def test_stream_is_read_once():
    pa = pytest.importorskip("pyarrow")
    stream = winnow.to_arrow(["<p>One"])
    pa.table(stream)
    with pytest.raises(ValueError):
        stream.__arrow_c_stream__()


def test_streams_that_nobody_reads():
    for _ in range(100):
        winnow.to_arrow(ITEMS, threads=2).__arrow_c_stream__()
        winnow.to_arrow(ITEMS).__arrow_c_schema__()
        winnow.to_arrow(ITEMS)
    gc.collect()


def test_archive():
    pa = pytest.importorskip("pyarrow")
    lines = b'{"html": "<title>One</title><p>One fish", "url": "http://a.example/"}\n' * 10
    table = pa.table(winnow.to_arrow(lines, columns=["url", "title"]))
    assert table.to_pylist() == [{"url": "http://a.example/", "title": "One"}] * 10
    assert pa.table(winnow.to_arrow([])).num_rows == 0


def test_polars():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(winnow.to_arrow(ITEMS, columns=COLUMNS, threads=2))
    assert frame.shape == (2500, len(COLUMNS)) and frame["title"][7] == "Page 7"
    assert frame["authors"][3].to_list() == ["A. Baker"]


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    pages = winnow.to_arrow(ITEMS, columns=COLUMNS, threads=2)  # noqa: F841
    found = duckdb.sql("select count(*), max(title) from pages").fetchall()
    assert found == [(2500, "Page 999")]
