"""DuckDB: extraction as a function in SQL.

    import duckdb
    from winnow.adapters.duckdb import register

    connection = duckdb.connect()
    register(connection)
    connection.sql("select url, winnow_text(html) as text from 'pages.parquet'")

    pages = winnow.to_arrow("crawl.warc.gz")                # an archive as a table needs no adapter
    connection.sql("select url, title from pages where language = 'en'")
"""

from typing import Any

from .batches import ExtractBatch


def register(connection: Any, name: str = "winnow_text", column: str = "text", binary: bool = False,
             threads: int | None = 1, **options: Any) -> None:
    """Makes a function of a page (VARCHAR, or BLOB if `binary`) that returns a VARCHAR.

    `column` is what it returns: "text", "markdown", "title", … With pyarrow installed, whole batches go through C.
    """
    batch = ExtractBatch(columns=[column], threads=threads, **options)
    kind = "BLOB" if binary else "VARCHAR"
    try:
        import numpy  # noqa: F401 - DuckDB needs it for batches
        import pyarrow
    except ImportError:
        connection.create_function(name, lambda page: batch.extract([page])[column][0], [kind], "VARCHAR")
        return

    def work(pages: Any) -> Any:
        return pyarrow.array(batch.extract(page.as_py() for page in pages)[column], pyarrow.string())

    connection.create_function(name, work, [kind], "VARCHAR", type="arrow")
