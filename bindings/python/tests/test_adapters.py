"""Adapters, with the real package where it is installed, and the stand-in for trafilatura."""

import pickle
import sys
import types

import pytest
import winnow

HTML = ("<html lang=en><title>Bread</title><meta name=author content='A. Baker'><nav><a href='/'>Home</a></nav>"
        "<h1>Bread</h1><p>Take <b>flour</b> and water, and let it rest for an hour.</p>")
TEXT = "Bread\n\nTake flour and water, and let it rest for an hour.\n"
WARC = b"".join(
    b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:%d>\r\nWARC-Target-URI: http://a.example/%d\r\n"
    b"WARC-Date: 2024-05-03T10:11:12Z\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n"
    % (i, i, len(block), block)
    for i in range(3)
    for block in [b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + HTML.encode()])


def test_trafilatura_stand_in():
    from winnow.compat.trafilatura import extract
    assert extract(HTML) == TEXT.rstrip() and extract("") is None and extract(None) is None
    assert extract(HTML, output_format="markdown").startswith("# Bread")
    assert extract(HTML, include_formatting=True).count("**flour**") == 1
    assert "<TEI" in extract(HTML, output_format="xmltei") and '"title"' in extract(HTML, output_format="json")
    assert extract(HTML, target_language="de") is None and extract(HTML, target_language="en")
    assert extract(HTML, only_with_metadata=True) is None
    assert extract(HTML, with_metadata=True).startswith("---")
    for wrong in ({"deduplicate": True}, {"output_format": "pdf"}):
        with pytest.raises(ValueError):
            extract(HTML, **wrong)
    for favour in ({"favor_precision": True}, {"favor_recall": True}, {"favor_precision": True, "favor_recall": True}):
        assert "flour" in extract(HTML, **favour)


def test_trafilatura_takes_the_same_arguments():
    trafilatura = pytest.importorskip("trafilatura")
    import inspect

    from winnow.compat.trafilatura import extract
    theirs = inspect.signature(trafilatura.extract).parameters
    assert set(theirs) <= set(inspect.signature(extract).parameters)


def test_batches_of_lists():
    from winnow.adapters.batches import ExtractBatch
    batch = pickle.loads(pickle.dumps(ExtractBatch(url="url", columns=["text", "title", "authors"], drop_html=True, timeout=1)))
    found = batch({"html": [HTML, HTML.encode(), None], "url": ["http://a.example/", None, ""]})
    assert found == {"url": ["http://a.example/", None, ""], "text": [TEXT, TEXT, ""], "title": ["Bread", "Bread", ""],
                     "authors": [["A. Baker"], ["A. Baker"], []]}


def test_batches_of_arrow():
    pa = pytest.importorskip("pyarrow")
    from winnow.adapters.batches import ExtractBatch
    for html in ([HTML, None], [HTML.encode(), None]):
        table = ExtractBatch()(pa.table({"html": html}))
        assert table.column("text").to_pylist() == [TEXT, ""] and table.column_names[0] == "html"


def test_datasets():
    datasets = pytest.importorskip("datasets")
    from winnow.adapters.batches import ExtractBatch
    data = datasets.Dataset.from_dict({"html": [HTML] * 5, "url": ["http://a.example/"] * 5})
    assert data.map(ExtractBatch(url="url"), batched=True)["text"][4] == TEXT
    assert data.with_format("arrow").map(ExtractBatch(), batched=True)["text"].to_pylist()[4] == TEXT


def test_ray():
    ray = pytest.importorskip("ray")
    import ray.data
    from winnow.adapters.batches import ExtractBatch
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        rows = ray.data.from_items([{"html": HTML}] * 5).map_batches(ExtractBatch(drop_html=True), batch_format="pyarrow")
        assert [row["text"] for row in rows.take_all()] == [TEXT] * 5
    finally:
        ray.shutdown()


def test_polars():
    pl = pytest.importorskip("polars")
    from winnow.adapters.polars import extract
    frame = pl.DataFrame({"html": [HTML, None]})
    found = frame.with_columns(text=extract("html"), title=extract("html", column="title"), authors=extract("html", "authors"))
    assert found["text"].to_list() == [TEXT, ""] and found["authors"][0].to_list() == ["A. Baker"]
    assert frame.lazy().select(extract("html", format="markdown")).collect().height == 2


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    from winnow.adapters.duckdb import register
    connection = duckdb.connect()
    register(connection)
    register(connection, "winnow_title", column="title", binary=True)
    connection.execute("create table pages as select ? as html", [HTML])
    assert connection.sql("select winnow_text(html), winnow_title(html::blob) from pages").fetchall() == [(TEXT, "Bread")]


def test_datatrove(tmp_path):
    pytest.importorskip("datatrove")
    from winnow.adapters.datatrove import WinnowExtractor, WinnowWarcReader
    (tmp_path / "a.warc").write_bytes(WARC)
    reader = WinnowWarcReader(str(tmp_path), glob_pattern="*.warc")
    extractor = pickle.loads(pickle.dumps(WinnowExtractor(timeout=0.5)))
    documents = list(extractor.run(reader.run()))
    assert [d.text for d in documents] == [TEXT] * 3
    assert documents[1].metadata["url"] == "http://a.example/1" and "charset" not in documents[1].metadata


def test_dolma():
    pytest.importorskip("dolma")
    linearizers = pytest.importorskip("dolma.warc.linearizers")
    import winnow.adapters.dolma  # noqa: F401
    linearizer = linearizers.LinearizerRegistry.get("winnow")()
    assert linearizer.linearize(HTML.encode()) == TEXT
    assert linearizer.linearize(HTML.encode("utf-16-le"), encoding="utf-16le") == TEXT


def test_nemo_curator():
    pytest.importorskip("nemo_curator.stages.text.download", reason="needs nemo-curator[text_cpu]")
    from winnow.adapters.nemo_curator import WinnowExtractor
    extractor = WinnowExtractor(timeout=0.5)
    record = {"url": "http://a.example/", "warc_id": "1", "source_id": "a.warc", "content": HTML.encode()}
    found = extractor.extract(record)
    assert found["text"] == TEXT and set(found) == set(extractor.output_columns())
    assert extractor.extract({"content": b""}) is None


def test_scrapy():
    pytest.importorskip("scrapy")
    from scrapy.http import HtmlResponse
    from scrapy.utils.test import get_crawler
    from winnow.adapters.scrapy import WinnowPipeline, page_of
    response = HtmlResponse("http://a.example/b", body=HTML.encode(), headers={"Content-Type": "text/html; charset=utf-8"})
    page = page_of(response, timeout=1)
    assert page.text == TEXT and page.url == "http://a.example/b"
    crawler = get_crawler(settings_dict={"WINNOW_FIELDS": ["text", "title", "json"], "WINNOW_OPTIONS": {"timeout": 1}})
    pipeline = WinnowPipeline.from_crawler(crawler)
    for html in (HTML, HTML.encode(), response):
        item = pipeline.process_item({"html": html, "url": "http://a.example/"}, None)
        assert item["text"] == TEXT and item["title"] == "Bread" and "html" not in item
    assert pipeline.process_item({"x": 1}, None) == {"x": 1}


def test_langchain(tmp_path):
    pytest.importorskip("langchain_core")
    from langchain_core.documents import Document
    from langchain_core.documents.base import Blob
    from winnow.adapters.langchain import WinnowBlobParser, WinnowTransformer
    (tmp_path / "a.html").write_text(HTML)
    (document,) = WinnowBlobParser().parse(Blob.from_path(tmp_path / "a.html"))
    assert document.page_content.startswith("# Bread") and document.metadata["author"] == "A. Baker"
    assert document.metadata["source"].endswith("a.html")
    found = WinnowTransformer(format="text").transform_documents([Document(page_content=HTML, metadata={"source": "http://a.example/"})])
    assert found[0].page_content == TEXT and found[0].metadata["url"] == "http://a.example/"


def test_llama_index(tmp_path):
    pytest.importorskip("llama_index.core")
    from llama_index.core import SimpleDirectoryReader
    from winnow.adapters.llama_index import WinnowReader
    (tmp_path / "a.html").write_text(HTML)
    (tmp_path / "b.warc").write_bytes(WARC)
    (document,) = SimpleDirectoryReader(input_files=[str(tmp_path / "a.html")], file_extractor={".html": WinnowReader()}).load_data()
    assert document.text.startswith("# Bread") and document.metadata["title"] == "Bread"
    assert len(WinnowReader(format="text").load_data(tmp_path / "b.warc")) == 3


def test_cc_pyspark(monkeypatch):
    """cc-pyspark is not on PyPI: its documented interface stands in for it."""
    pytest.importorskip("pyspark")
    import io

    class Count:
        def __init__(self):
            self.value = 0
        def add(self, n):
            self.value += n

    class CCSparkJob:
        def __init__(self):
            self.records_processed, self.warc_input_failed = Count(), Count()
        def process_warc(self, uri, stream):
            raise NotImplementedError
    module = types.ModuleType("sparkcc")
    module.CCSparkJob = CCSparkJob
    monkeypatch.setitem(sys.modules, "sparkcc", module)
    monkeypatch.delitem(sys.modules, "winnow.adapters.cc_pyspark", raising=False)
    from winnow.adapters.cc_pyspark import CCWinnowSparkJob, ExtractTextJob
    job = ExtractTextJob()
    rows = list(job.process_warc("a.warc", io.BytesIO(WARC)))
    assert rows[2] == ("http://a.example/2", "en", "Bread", TEXT) and job.records_processed.value == 3

    class Titles(CCWinnowSparkJob):
        def process_record(self, record):
            if self.is_response_record(record) and self.is_html(record):
                yield self.get_warc_header(record, "WARC-Target-URI"), len(self.get_payload_stream(record).read())
    assert list(Titles().process_warc("a.warc", io.BytesIO(WARC)))[0] == ("http://a.example/0", len(HTML))


def test_winnow_imports_none_of_them():
    import subprocess
    code = ("import sys, winnow; print([m for m in sys.modules if m.split('.')[0] in "
            "('pyarrow','polars','numpy','pandas','datasets') or m.startswith('winnow.')])")
    out = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True).stdout
    assert out.strip() == "['winnow._winnow']"
