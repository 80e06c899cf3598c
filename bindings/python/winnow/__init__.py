"""The main content of web pages, and nothing else.

>>> import winnow
>>> winnow.extract("<nav>Home</nav><h1>Bread</h1><p>Take flour and water.</p>")
'Bread\\n\\nTake flour and water.\\n'

    extract(html)           str or bytes in, str out
    parse(html)             a Page: text, Markdown, title, authors, blocks, links, …
    extract_many(iterable)  pages in order, on many threads
    extract_warc(path)      the pages of a web archive, on many threads
    read_warc(path)         the records of a web archive
    to_arrow(pages)         an Arrow stream for pyarrow, polars, duckdb
    Extractor(**options)    options once
    Site                    what repeats on the pages of a site
    words(), evaluate(), methods(), components()

help(winnow.extract) lists the options.
"""

import os as _os

# The dictionary that libthai cuts Thai with. The program, if one is started, sees it too.
_data = _os.path.join(_os.path.dirname(__file__), "data")
if _os.path.exists(_os.path.join(_data, "thbrk.tri")):
    _os.environ.setdefault("LIBTHAI_DICTDIR", _data)

from ._winnow import (  # noqa: E402
    ArrowPages,
    Block,
    Extractor,
    Image,
    Link,
    Metadata,
    Method,
    Page,
    Pages,
    Parameter,
    Record,
    Records,
    Score,
    Site,
    __version__,
    components,
    evaluate,
    extract,
    extract_many,
    extract_warc,
    methods,
    parse,
    read_warc,
    to_arrow,
    words,
)

__all__ = [
    "ArrowPages",
    "Block",
    "Extractor",
    "Image",
    "Link",
    "Metadata",
    "Method",
    "Page",
    "Pages",
    "Parameter",
    "Record",
    "Records",
    "Score",
    "Site",
    "__version__",
    "components",
    "evaluate",
    "extract",
    "extract_many",
    "extract_warc",
    "methods",
    "parse",
    "read_warc",
    "to_arrow",
    "words",
]
