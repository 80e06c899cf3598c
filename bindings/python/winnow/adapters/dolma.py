"""dolma: winnow as a linearizer.

    import winnow.adapters.dolma                      # registers it
    # in the configuration of `dolma warc`:
    #   linearizer: winnow
"""

from typing import Any, Optional

from dolma.warc.linearizers import BaseLinearizer, LinearizerRegistry

import winnow


@LinearizerRegistry.add("winnow")
class WinnowLinearizer(BaseLinearizer):
    """The main content of a page. Options are those of winnow.extract()."""

    def __init__(self, **options: Any) -> None:
        self.extractor = winnow.Extractor(**options)

    def linearize(self, content: bytes, encoding: Optional[str] = None) -> str:
        return self.extractor.extract(content, charset=encoding)
