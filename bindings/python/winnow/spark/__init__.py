"""winnow on Apache Spark: a data source, and jobs over a whole crawl with the same results as on one machine.

    spark.dataSource.register(winnow.spark.DataSource)
    pages = spark.read.format("winnow").option("method", "auto").load("warcs/*.warc.gz")

    python -m winnow.spark extract --output texts warcs/*.warc.gz

Workers open the archives themselves and hand Arrow batches on, so the HTML of pages never crosses the JVM. docs/spark.md in
the repository is the manual.
"""

try:
    import pyspark
except ImportError as error:  # pragma: no cover
    raise ImportError("winnow.spark needs Spark: pip install 'winnow-extract[spark]'") from error


def check_version(version: str) -> None:
    """Raises ImportError if that version of Spark has no Python data sources."""
    if int(version.split(".")[0]) < 4:
        raise ImportError(f"winnow.spark needs Spark 4.0 or later, and this is {version}: pip install 'pyspark>=4.0'")


check_version(pyspark.__version__)

try:
    import pyarrow as _pyarrow  # noqa: F401
except ImportError as error:  # pragma: no cover
    raise ImportError("winnow.spark needs pyarrow: pip install 'winnow-extract[spark]'") from error

from .source import DataSource, FilteringDataSource, register  # noqa: E402

__all__ = ["DataSource", "FilteringDataSource", "check_version", "register"]
