"""NeMo Curator: a document extractor on bytes, in any language.

    from nemo_curator.stages.text.download import DocumentExtractStage     # or a DocumentDownloadExtractStage
    from winnow.adapters.nemo_curator import WinnowExtractor

    stage = DocumentExtractStage(extractor=WinnowExtractor(timeout=0.5))

It takes the place of CommonCrawlHTMLExtractor, after a CommonCrawlWarcIterator. No stop lists are needed, and no language
is left out.
"""

from typing import Any

from nemo_curator.stages.text.download import DocumentExtractor

import winnow


class WinnowExtractor(DocumentExtractor):
    """Records with `content` in, records with `text`, `language` and `title` out. Options are those of winnow.extract()."""

    def __init__(self, **options: Any):
        super().__init__()
        self.extractor = winnow.Extractor(**options)

    def extract(self, record: dict[str, Any]) -> dict[str, Any] | None:
        content = record.get("content")
        if not content:
            return None
        page = self.extractor.parse(content, url=record.get("url") or None)
        text = page.write(self.extractor.options.get("format", "text"))
        if not text:
            return None
        kept = {name: record[name] for name in ("url", "warc_id", "source_id") if name in record}
        return {**kept, "language": page.language, "title": page.title, "text": text}

    def input_columns(self) -> list[str]:
        return ["url", "warc_id", "source_id", "content"]

    def output_columns(self) -> list[str]:
        return ["url", "warc_id", "source_id", "language", "title", "text"]
