"""cc-pyspark: a job class that reads archives with winnow, and a job that extracts their text.

    # word_count_winnow.py
    from winnow.adapters.cc_pyspark import ExtractTextJob

    if __name__ == "__main__":
        ExtractTextJob().run()

    $SPARK_HOME/bin/spark-submit word_count_winnow.py --output_format parquet input/test_warc.txt texts
"""

from collections.abc import Iterable, Iterator
from typing import Any

from pyspark.sql.types import StringType, StructField, StructType

import winnow

try:
    from cc_pyspark.sparkcc import CCSparkJob  # installed from its repository
except ImportError:
    from sparkcc import CCSparkJob  # beside the job, as its README shows


class CCWinnowSparkJob(CCSparkJob):  # type: ignore[misc]
    """Process Common Crawl's WARC, WAT and WET files with winnow's reader: process_record() gets a winnow.Record."""

    name = "CCWinnowSparkJob"
    winnow_pages_only = False  # a subclass may want nothing but web pages

    def process_warc(self, uri: str, stream: Any) -> Iterator[Any]:
        records = winnow.read_warc(stream, pages_only=self.winnow_pages_only)
        yield from self.iterate_records(uri, records)
        if records.error:
            self.warc_input_failed.add(1)
            self.get_logger().error(f"Invalid WARC: {uri} - {records.error}")

    def iterate_records(self, _warc_uri: str, archive_iterator: Iterable[winnow.Record]) -> Iterator[Any]:
        for record in archive_iterator:
            yield from self.process_record(record)
            self.records_processed.add(1)

    @staticmethod
    def get_payload_stream(record: winnow.Record) -> Any:
        import io
        return io.BytesIO(record.body)

    @staticmethod
    def get_warc_header(record: winnow.Record, header: str, default: Any = None) -> Any:
        return record.headers.get(header, default)

    @staticmethod
    def get_http_headers(record: winnow.Record) -> Any:
        return record.http_headers.items()

    @staticmethod
    def is_response_record(record: winnow.Record) -> bool:
        return record.type == "response"

    @staticmethod
    def is_wet_text_record(record: winnow.Record) -> bool:
        return record.type == "conversion" and record.media_type == "text/plain"

    @staticmethod
    def is_wat_json_record(record: winnow.Record) -> bool:
        return record.type == "metadata" and record.media_type == "application/json"

    @staticmethod
    def is_html(record: winnow.Record) -> bool:
        return record.is_page


class ExtractTextJob(CCWinnowSparkJob):
    """The content of all pages: url, language, title, text."""

    name = "ExtractText"
    winnow_pages_only = True
    winnow_options: dict[str, Any] = {"timeout": 1.0}
    output_schema = StructType([StructField(name, StringType(), True) for name in ("url", "language", "title", "text")])

    def iterate_records(self, _warc_uri: str, archive_iterator: Iterable[winnow.Record]) -> Iterator[Any]:
        # One thread: Spark runs a task per core.
        for page in winnow.extract_many(archive_iterator, threads=1, **self.winnow_options):
            self.records_processed.add(1)
            if page.text:
                yield page.url, page.language, page.title, page.text

    def reduce_by_key_func(self, a: Any, b: Any) -> Any:
        raise NotImplementedError("every page is a row of its own")

    def run_job(self, session: Any) -> None:
        input_data = session.sparkContext.textFile(self.args.input, minPartitions=self.args.num_input_partitions)
        output = input_data.mapPartitionsWithIndex(self.process_warcs)
        session.createDataFrame(output, schema=self.output_schema).coalesce(self.args.num_output_partitions).write.format(
            self.args.output_format).option("compression", self.args.output_compression).saveAsTable(self.args.output)
        self.log_accumulators(session.sparkContext)
