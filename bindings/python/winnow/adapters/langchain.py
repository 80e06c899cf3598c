"""LangChain: a parser of blobs, and a transformer of documents.

    from langchain_community.document_loaders.generic import GenericLoader
    from winnow.adapters.langchain import WinnowBlobParser, WinnowTransformer

    documents = GenericLoader.from_filesystem("pages", glob="*.html", parser=WinnowBlobParser(format="markdown")).load()
    documents = WinnowTransformer().transform_documents(AsyncHtmlLoader(urls).load())
"""

from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.document_loaders import BaseBlobParser
from langchain_core.documents import BaseDocumentTransformer, Document
from langchain_core.documents.base import Blob

import winnow


def _metadata(page: winnow.Page) -> dict[str, Any]:
    """What is known of the page, in the simple types that vector stores take."""
    found = {"title": page.title, "author": ", ".join(page.authors), "published": page.published,
             "language": page.language, "description": page.metadata.description, "url": page.url or page.metadata.url}
    return {name: value for name, value in found.items() if value}


class WinnowBlobParser(BaseBlobParser):
    """A blob of HTML to one Document. Options are those of winnow.extract(); format is "markdown" by default."""

    def __init__(self, **options: Any):
        self.extractor = winnow.Extractor(**{"format": "markdown", **options})

    def lazy_parse(self, blob: Blob) -> Iterator[Document]:
        page = self.extractor.parse(blob.as_bytes())
        text = page.write(self.extractor.options["format"])
        if text:
            source = {"source": blob.source} if blob.source else {}
            yield Document(page_content=text, metadata={**source, **blob.metadata, **_metadata(page)})


class WinnowTransformer(BaseDocumentTransformer):
    """Documents of HTML to documents of their content, on many threads."""

    def __init__(self, threads: int | None = None, **options: Any):
        self.options = {"format": "markdown", **options}
        self.threads = threads

    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> list[Document]:
        items = [(document.page_content, document.metadata.get("source")) for document in documents]
        format = self.options["format"]
        pages = winnow.extract_many(items, threads=self.threads, formats=[format, "metadata"], **self.options)
        return [Document(page_content=page.write(format), metadata={**document.metadata, **_metadata(page)})
                for document, page in zip(documents, pages)]
