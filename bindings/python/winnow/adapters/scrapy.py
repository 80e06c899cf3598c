"""Scrapy: an item pipeline, and pages of responses.

    # in a spider
    from winnow.adapters.scrapy import page_of

    def parse(self, response):
        page = page_of(response)
        yield {"url": response.url, "title": page.title, "text": page.text}

    # or in settings.py, for items with a field "html"
    ITEM_PIPELINES = {"winnow.adapters.scrapy.WinnowPipeline": 300}
    WINNOW_HTML_FIELD = "html"                        # where the page is: str, bytes, or a response
    WINNOW_FIELDS = ["text", "title", "language"]     # attributes of winnow.Page that become fields
    WINNOW_KEEP_HTML = False
    WINNOW_OPTIONS = {"timeout": 0.5}                 # of winnow.extract()
"""

from email.message import Message
from typing import Any

import winnow

try:
    from itemadapter import ItemAdapter
except ImportError as error:
    raise ImportError("winnow.adapters.scrapy needs Scrapy") from error


def _declared_charset(response: Any) -> str | None:
    """The charset of the HTTP header; Scrapy's own guess is left out: winnow's is as good as a browser's."""
    value = response.headers.get("Content-Type")
    if not value:
        return None
    header = Message()
    header["Content-Type"] = value.decode("latin-1") if isinstance(value, bytes) else value
    charset = header.get_param("charset")
    return charset if isinstance(charset, str) else None


def page_of(response: Any, extractor: winnow.Extractor | None = None, **options: Any) -> winnow.Page:
    """The winnow.Page of a Scrapy response. Options are those of winnow.extract()."""
    extractor = extractor or winnow.Extractor(**options)
    return extractor.parse(response.body, url=response.url, charset=_declared_charset(response))


class WinnowPipeline:
    """Replaces the page in an item by its content."""

    def __init__(self, html_field: str = "html", fields: Any = ("text", "title"), keep_html: bool = False,
                 options: dict[str, Any] | None = None):
        self.html_field = html_field
        self.fields = tuple(fields)
        self.keep_html = keep_html
        self.extractor = winnow.Extractor(**(options or {}))

    @classmethod
    def from_crawler(cls, crawler: Any) -> "WinnowPipeline":
        settings = crawler.settings
        return cls(settings.get("WINNOW_HTML_FIELD", "html"), settings.getlist("WINNOW_FIELDS", ["text", "title"]),
                   settings.getbool("WINNOW_KEEP_HTML", False), settings.getdict("WINNOW_OPTIONS"))

    def process_item(self, item: Any, spider: Any = None) -> Any:
        fields = ItemAdapter(item)
        html = fields.get(self.html_field)
        if html is None:
            return item
        if hasattr(html, "body"):
            page = page_of(html, self.extractor)
        else:
            page = self.extractor.parse(html, url=fields.get("url"))
        for name in self.fields:
            fields[name] = page.json() if name == "json" else getattr(page, name)
        if not self.keep_html and self.html_field not in self.fields:
            del fields[self.html_field]
        return item
