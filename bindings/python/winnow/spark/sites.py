"""Site templates in two passes: what repeats on the pages of a host is learned first, and dropped then.

A site is a sum over pages, so every task learns the sites of its own pages, and sites with the same key are merged. A host with
half of all pages is not a bottleneck: its parts are merged by many tasks first, and then by one. The templates are files in the
work folder, which tasks of the second pass read when they meet a page of that site: nothing of them is broadcast.
"""

import os
from collections import OrderedDict, deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import winnow
from winnow import _winnow

from . import staging
from ..segments.inputs import Segment, Unit, is_remote, local_path
from ..segments.reading import SegmentReader

MOST_SITES = 100000  # as the program learns; those whose keys have the least hashes
_READING = ("charset", "timeout", "max_bytes", "max_nodes", "max_depth", "max_attributes", "max_memory")
_FAN = 64  # tasks that merge the parts of one site first
_KEPT = 64  # templates that a task keeps at hand; a large one takes 1 MB


def _items(reader: SegmentReader, segment: Segment) -> Iterator[tuple[str, winnow.Record | Path]]:
    """(site key, page) of all pages of a segment, in order."""
    for piece in segment.pieces:
        if piece.kind == "page" and not is_remote(piece.name):
            yield _winnow._site_key("", piece.name), Path(local_path(piece.name))
        elif piece.kind == "parquet":
            for record in reader.parquet_records(piece):
                yield _winnow._site_key(record.url, piece.name), record
        else:
            for record in reader.records(piece):
                yield _winnow._site_key(record.url, piece.name), record


def _learn_segment(plan: Any, segment: Segment) -> Iterator[tuple[tuple[str, int], bytes]]:
    """((key, part of the merge), site) of the hosts of a segment."""
    reader = SegmentReader(plan.options, [], html_column=plan.html_column, url_column=plan.url_column)
    # All visible text is learned: of the options only those count that say how a page is read.
    learner = winnow.Extractor(method="all", **{name: value for name, value in plan.options.items() if name in _READING})
    sites: dict[str, winnow.Site] = {}
    keys: deque[str] = deque()  # of the pages that are on their way

    def items() -> Iterator[winnow.Record | Path]:
        for key, item in _items(reader, segment):
            keys.append(key)
            yield item

    for page in learner.extract_many(items(), threads=1, formats=["text"]):
        key = keys.popleft()
        if key and page.status in ("ok", "partial"):
            sites.setdefault(key, winnow.Site())._learn_text(page.text)  # type: ignore[attr-defined]
    for key, site in sites.items():
        yield (key, (segment.unit + segment.part) % _FAN), site.save()


def merge(left: bytes, right: bytes) -> bytes:
    site = winnow.Site.load(left)
    site.merge(winnow.Site.load(right))
    return site.save()


def site_path(folder: str, key: str) -> str:
    name = f"{_winnow._hash(key):016x}"
    return os.path.join(folder, name[:2], name)


def _write_site(folder: str, key: str, site: bytes) -> None:
    path = site_path(folder, key)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with staging.staged(path) as temporary:
        Path(temporary).write_bytes(site)


def learn_sites(session: Any, plan: Any, units: list[Unit], partitions: int | None, most: int) -> str:
    """Learns the templates of all sites; the folder that holds them."""
    folder = os.path.join(plan.output, staging.WORK, "sites")
    if os.path.exists(folder + ".done"):
        return folder
    segments = [segment for unit in units for segment in unit.segments]
    context = session.sparkContext
    width = min(partitions or len(segments), len(segments))
    parts = context.parallelize(segments, width).flatMap(lambda segment: _learn_segment(plan, segment))
    merged = parts.reduceByKey(merge, width).map(lambda pair: (pair[0][0], pair[1])).reduceByKey(merge, width)
    hash_of = _winnow._hash
    if most and len(least := merged.keys().map(lambda key: (hash_of(key), key)).takeOrdered(most + 1)) > most:
        last = least[-2]
        merged = merged.filter(lambda pair: (hash_of(pair[0]), pair[0]) <= last)
    merged.foreach(lambda pair: _write_site(folder, *pair))
    os.makedirs(folder, exist_ok=True)
    Path(folder + ".done").touch()
    return folder


class _Templates:
    """Templates by key, the last ones that were used."""

    def __init__(self, folder: str, options: dict[str, Any]):
        self.folder, self.options = folder, options
        self.kept: OrderedDict[str, winnow.Extractor] = OrderedDict()

    def extractor(self, key: str) -> winnow.Extractor:
        if key not in self.kept:
            path = Path(site_path(self.folder, key))
            site = winnow.Site.load(path.read_bytes()) if key and path.exists() else None
            self.kept[key] = winnow.Extractor(**self.options, site=site)
            if len(self.kept) > _KEPT:
                self.kept.popitem(last=False)
        self.kept.move_to_end(key)
        return self.kept[key]


def pages_with_sites(reader: SegmentReader, segment: Segment, folder: str) -> Iterator[winnow.Page]:
    """The pages of a segment, each extracted with the template of its site. Runs of one site are extracted together."""
    templates = _Templates(folder, reader.options)
    run: list[winnow.Record | Path] = []
    run_key = ""
    for key, item in _items(reader, segment):
        if run and (key != run_key or len(run) >= 64):
            yield from templates.extractor(run_key).extract_many(run, threads=1, formats=reader.formats)  # type: ignore[arg-type]
            run = []
        run_key = key
        run.append(item)
    if run:
        yield from templates.extractor(run_key).extract_many(run, threads=1, formats=reader.formats)  # type: ignore[arg-type]
