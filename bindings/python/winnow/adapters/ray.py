"""Ray Data: archives as a dataset of pages, extracted where they are read.

    from winnow.adapters.ray import read_archives

    pages = read_archives(["crawl/*.warc.gz"], columns=["url", "title", "text"], timeout=1.0)

which is the same as

    segments = ray.data.from_items(segments_of(["crawl/*.warc.gz"]))
    pages = segments.map_batches(ExtractSegments(["url", "title", "text"], timeout=1.0), batch_size=1, batch_format="numpy")

A segment is a range of bytes of an archive, and workers open the files themselves. For pages that are in a dataset already,
winnow.adapters.batches.ExtractBatch is a function for map_batches.
"""

import pickle
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from winnow.segments import DEFAULT_COLUMNS, SPLIT, SegmentReader, arrow_batches, find_units, formats_of


def segments_of(names: Iterable[str], split: int = SPLIT) -> list[dict[str, bytes]]:
    """The inputs, cut into segments: rows for a dataset."""
    units = find_units(names, split, must_exist=True)
    return [{"segment": pickle.dumps(segment)} for unit in units for segment in unit.segments]


class ExtractSegments:
    """A function for map_batches: segments in, tables of pages out.

    columns    those of winnow.segments.COLUMNS; what is not asked for is not made
    options    those of winnow.extract()
    """

    def __init__(self, columns: Iterable[str] = DEFAULT_COLUMNS, **options: Any):
        self.columns, self.options = list(columns), options
        SegmentReader(options, formats_of(self.columns))  # a wrong option is told here, not on a worker

    def __call__(self, batch: dict[str, Any]) -> Iterator[Any]:
        import pyarrow

        for pickled in batch["segment"]:
            reader = SegmentReader(self.options, formats_of(self.columns))
            pages = chain(reader.pages(pickle.loads(pickled)), reader.problems())
            for found in arrow_batches(pages, self.columns):
                yield pyarrow.Table.from_batches([found])


def read_archives(names: Iterable[str], columns: Iterable[str] = DEFAULT_COLUMNS, split: int = SPLIT, **options: Any) -> Any:
    """The pages of archives as a ray.data.Dataset."""
    import ray.data

    extract = ExtractSegments(columns, **options)
    return ray.data.from_items(segments_of(names, split)).map_batches(extract, batch_size=1, batch_format="numpy")
