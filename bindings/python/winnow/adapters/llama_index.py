"""LlamaIndex: a reader of HTML files.

    from llama_index.core import SimpleDirectoryReader
    from winnow.adapters.llama_index import WinnowReader

    documents = SimpleDirectoryReader("pages", file_extractor={".html": WinnowReader()}).load_data()
    documents = WinnowReader().load_data("crawl.warc.gz")
"""

from pathlib import Path
from typing import Any

from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document

import winnow


class WinnowReader(BaseReader):
    """Files and archives to documents. Options are those of winnow.extract(); format is "markdown" by default."""

    def __init__(self, threads: int | None = None, **options: Any):
        self.threads = threads
        self.options = {"format": "markdown", **options}

    def load_data(self, file: str | Path, extra_info: dict[str, Any] | None = None, fs: Any = None) -> list[Document]:
        """The documents of a page, an archive, or a file of JSON lines; `fs` is a file system of fsspec."""
        source = fs.open(str(file), "rb") if fs else Path(file)
        format = self.options["format"]
        documents = []
        for page in winnow.extract_warc(source, threads=self.threads, formats=[format, "metadata"], **self.options):
            text = page.write(format)
            if not text:
                continue
            found = {"title": page.title, "author": ", ".join(page.authors), "published": page.published,
                     "language": page.language, "url": page.url or page.metadata.url}
            documents.append(Document(text=text, metadata={**(extra_info or {}), **{k: v for k, v in found.items() if v}}))
        return documents
