"""winnow on Apache Spark: a data source, and jobs over a whole crawl with the same results as on one machine.

    spark.dataSource.register(winnow.spark.DataSource)
    pages = spark.read.format("winnow").option("method", "auto").load("warcs/*.warc.gz")

    python -m winnow.spark extract --output texts warcs/*.warc.gz

Workers open the archives themselves and hand Arrow batches on, so the HTML of pages never crosses the JVM. docs/spark.md in
the repository is the manual.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .source import DataSource, FilteringDataSource, register

__all__ = ["DataSource", "FilteringDataSource", "check_spark", "check_version", "register"]


def check_version(version: str) -> None:
    """Raises ImportError if that version of Spark has no Python data sources."""
    if int(version.split(".")[0]) < 4:
        raise ImportError(f"winnow.spark needs Spark 4.0 or later, and this is {version}: pip install 'pyspark>=4.0'")


def check_spark() -> None:
    """Raises ImportError with what to do if Spark or pyarrow is missing or too old."""
    try:
        import pyspark
    except ImportError as error:
        raise ImportError("winnow.spark needs Spark: pip install 'winnow-extract[spark]'") from error
    check_version(pyspark.__version__)
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise ImportError("winnow.spark needs pyarrow: pip install 'winnow-extract[spark]'") from error


def __getattr__(name: str) -> Any:
    """The data source, when it is first asked for: so that `python -m winnow.spark` can say that Spark is missing."""
    if name not in ("DataSource", "FilteringDataSource", "register"):
        raise AttributeError(f"module 'winnow.spark' has no attribute '{name}'")
    check_spark()
    from . import source

    return getattr(source, name)
