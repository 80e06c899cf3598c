"""datatrove: an extractor without a process per page, and a reader that hands over bytes.

    from winnow.adapters.datatrove import WinnowExtractor, WinnowWarcReader

    pipeline = [WinnowWarcReader("s3://commoncrawl/…"), WinnowExtractor(timeout=0.5), JsonlWriter("texts")]

datatrove runs its extractors in a process of their own because they may hang or eat memory. winnow keeps its limits by
itself, so run() calls it directly. Bytes and not text are read from archives: the encoding is then found as in a browser.
"""

from typing import Any

from datatrove.data import DocumentsPipeline
from datatrove.pipeline.extractors.base import BaseExtractor
from datatrove.pipeline.readers.base import BaseDiskReader
from datatrove.utils.typeshelper import StatHints

import winnow


class WinnowExtractor(BaseExtractor):
    """Replaces doc.text, which is HTML as str or bytes, by the content. Options are those of winnow.extract()."""

    name = "🌾 winnow"

    def __init__(self, timeout: float = 1, **options: Any):
        super().__init__(timeout=timeout)
        self.extractor = winnow.Extractor(timeout=timeout, **options)

    def extract(self, text: Any) -> str:
        return self.extractor.extract(text)

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        for doc in data:
            self.stat_update(StatHints.total)
            with self.track_time():
                url, charset = doc.metadata.get("url"), doc.metadata.pop("charset", None)
                doc.text = self.extractor.extract(doc.text, url=url or None, charset=charset or None)
            if doc.text:
                self.stat_update(StatHints.forwarded)
                self.update_doc_stats(doc)
                yield doc
            else:
                self.stat_update(StatHints.dropped)


class WinnowWarcReader(BaseDiskReader):
    """Pages of WARC, ARC and WET files, compressed or not. doc.text is bytes: put a WinnowExtractor after it.

    Arguments are those of datatrove's BaseDiskReader.
    """

    name = "🌾 winnow WARC"

    def read_file(self, filepath: str) -> Any:
        # Decompression is left to winnow: it reads from record to record.
        with self.data_folder.open(filepath, "rb") as file:
            for number, record in enumerate(winnow.read_warc(file, pages_only=True)):
                with self.track_time():
                    data = {"text": record.body, "id": record.id, "url": record.url, "date": record.date,
                            "charset": record.charset}
                    document = self.get_document_from_dict(data, filepath, number)
                if document:
                    yield document
