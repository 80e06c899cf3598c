"""The interface of trafilatura, with winnow inside.

    from winnow.compat.trafilatura import extract      # instead of: from trafilatura import extract

Arguments and results are those of trafilatura.extract(): a str, or None if there is nothing. What differs:

- The text is winnow's, and so is the metadata. There is no fallback to other extractors: fast and no_fallback do nothing.
- output_format "json" and "csv" have winnow's fields, "xml" and "xmltei" its elements.
- target_language compares the language that the page declares or its text looks like; a page whose language is not known
  is kept.
- only_with_metadata wants title, date and URL, as trafilatura does.
- deduplicate, tei_validation, date_extraction_params, author_blacklist, prune_xpath, settingsfile, config and options
  are not supported: a value other than the default raises ValueError. winnow.Site drops what repeats on a site.
- max_tree_size is max_nodes: the page is cut there, not given up.
"""

import os
from collections.abc import Collection
from typing import Any

import winnow

__all__ = ["extract"]

_FORMATS = {
    "csv": "csv",
    "html": "html",
    "json": "json",
    "markdown": "markdown",
    "python": "json",
    "txt": "text",
    "xml": "xml",
    "xmltei": "tei",
}


def _bytes_or_text(filecontent: Any) -> Any:
    """trafilatura also takes a path, an open file, and what urllib3 returns."""
    if isinstance(filecontent, os.PathLike):
        with open(filecontent, "rb") as file:
            return file.read()
    for name in ("data", "read"):
        if not isinstance(filecontent, (str, bytes, bytearray, memoryview)) and hasattr(filecontent, name):
            found = getattr(filecontent, name)
            return found() if callable(found) else found
    return filecontent


def extract(
    filecontent: Any,
    url: str | None = None,
    record_id: str | None = None,
    fast: bool = False,
    no_fallback: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "txt",
    tei_validation: bool = False,
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool = False,
    include_links: bool = False,
    deduplicate: bool = False,
    date_extraction_params: dict[str, Any] | None = None,
    with_metadata: bool = False,
    only_with_metadata: bool = False,
    max_tree_size: int | None = None,
    url_blacklist: Collection[str] | None = None,
    author_blacklist: Collection[str] | None = None,
    settingsfile: str | None = None,
    prune_xpath: Any = None,
    config: Any = None,
    options: Any = None,
) -> str | None:
    """trafilatura.extract() by winnow; help(winnow.compat.trafilatura) lists the differences.

    >>> extract("<h1>Bread</h1><p>Take flour and water.</p>")
    'Bread\\n\\nTake flour and water.'
    >>> extract("") is None
    True
    """
    unsupported = {
        "tei_validation": tei_validation,
        "deduplicate": deduplicate,
        "date_extraction_params": date_extraction_params,
        "author_blacklist": author_blacklist,
        "settingsfile": settingsfile,
        "prune_xpath": prune_xpath,
        "config": config,
        "options": options,
    }
    for name, value in unsupported.items():
        if value:
            raise ValueError(f"winnow has no {name}; help(winnow.compat.trafilatura) lists the differences")
    if output_format not in _FORMATS:
        raise ValueError(f"unknown output_format {output_format!r}; there are {', '.join(_FORMATS)}")
    if filecontent is None:
        return None

    page = winnow.parse(
        _bytes_or_text(filecontent),
        url=url,
        precision=favor_precision,
        recall=favor_recall and not favor_precision,
        comments=include_comments,
        tables=include_tables,
        links=include_links,
        formatting=include_formatting,
        images=include_images,
        metadata=with_metadata,
        max_nodes=max_tree_size,
    )
    if page.status not in ("ok", "partial"):
        return None
    if target_language and page.language and page.language.split("-")[0] != target_language.split("-")[0]:
        return None
    if url_blacklist and {page.url, page.metadata.url} & set(url_blacklist):
        return None
    if only_with_metadata and not (page.title and page.published and (page.url or page.metadata.url)):
        return None
    name = "markdown" if output_format == "txt" and include_formatting else _FORMATS[output_format]
    return page.write(name).rstrip("\n") or None  # type: ignore[arg-type]
