"""Inputs of any size as segments that many machines read: what winnow.spark and winnow.adapters.ray share.

    units = find_units(["crawl/*.warc.gz"])
    reader = SegmentReader({"method": "auto"}, formats=["text"])
    for page in reader.pages(units[0].segments[0]):
        ...
"""

from .inputs import SPLIT, InputError, Piece, Segment, Unit, find_units
from .reading import COLUMNS, DEFAULT_COLUMNS, SegmentReader, arrow_batches, formats_of, read_options

__all__ = ["COLUMNS", "DEFAULT_COLUMNS", "SPLIT", "InputError", "Piece", "Segment", "SegmentReader", "Unit", "arrow_batches",
           "find_units", "formats_of", "read_options"]
