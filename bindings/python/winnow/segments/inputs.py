"""What is read: names become units, and units are cut into segments that many machines read.

    unit       what becomes one file of output: an archive, or some page files in a row
    segment    a part of a unit for one task: a byte range of an archive, row groups of a Parquet file, or page files

Units are numbered in the order of the names, and pages by (unit, offset, inner offset). Where an archive is cut does not
matter: ranges that touch share no record and miss none.
"""

import fnmatch
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

SPLIT = 128 << 20  # bytes of an archive per task
_CODECS = (".gz", ".zst", ".lz4", ".br")
_PAGES = (".html", ".htm", ".xhtml", ".xht", ".shtml")


class InputError(ValueError):
    """An input that cannot be read; the message says what to do."""


@dataclass(frozen=True)
class Piece:
    """A range of one file; `end` 0 is its end. Of a Parquet file: row groups."""

    name: str
    kind: str  # "archive", "page", "parquet"
    start: int = 0
    end: int = 0


@dataclass(frozen=True)
class Segment:
    unit: int
    part: int
    pieces: tuple[Piece, ...]
    bytes: int


@dataclass
class Unit:
    number: int
    name: str  # of its output, without ending
    segments: list[Segment] = field(default_factory=list)
    archive: str = ""  # the archive, if it was named and not found in a folder: one without pages is then a mistake

    @property
    def bytes(self) -> int:
        return sum(segment.bytes for segment in self.segments)


def is_remote(name: str) -> bool:
    return "://" in name and not name.startswith("file:")


def local_path(name: str) -> str:
    """The path of a name that may be a file: address."""
    if name.startswith("file:"):
        path = name[len("file:"):]
        return "/" + path.lstrip("/") if path.startswith("/") else path
    return name


class RemoteFile:
    """A file object with the name that the user gave, which is part of the ids of its pages."""

    def __init__(self, file: Any, name: str, system: Any):
        self._file, self.name = file, name
        self._system = system  # some close their files when they go

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._file, attribute)

    def __enter__(self) -> "RemoteFile":
        return self

    def __exit__(self, *_: Any) -> None:
        self._file.close()


def _file_system(name: str) -> tuple[Any, str]:
    """The file system of an address, through fsspec, and the path in it. s3a: is s3:, as Spark calls it."""
    try:
        import fsspec
    except ImportError as error:
        raise InputError(f"{name}: addresses are opened with fsspec: pip install fsspec, and the package for "
                         f"{name.split(':')[0]}: (s3fs, gcsfs, pyarrow for hdfs)") from error
    address = "s3" + name[3:] if name.startswith("s3a:") else name
    try:
        system, path = fsspec.core.url_to_fs(address)
    except (ImportError, ValueError, OSError) as error:
        raise InputError(f"{name}: {_first_line(error)}") from error
    return system, path


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__


def open_remote(name: str) -> RemoteFile:
    """A file object that can seek."""
    system, path = _file_system(name)
    return RemoteFile(system.open(path, "rb"), name, system)


def _glob_remote(name: str) -> list[tuple[str, int]]:
    system, path = _file_system(name)
    try:
        paths = sorted(system.glob(path)) if any(c in path for c in "*?[") else [path] if system.exists(path) else []
        sizes = [int(system.info(p)["size"]) for p in paths]
    except (ImportError, ValueError, OSError) as error:
        raise InputError(f"{name}: {_first_line(error)}") from error
    # What is before the path stays as the user wrote it: the scheme, and the host of hdfs:, which fsspec forgets. So does what
    # comes after it in a chained address (zip://a.warc::file.zip).
    head, chain, rest = name.partition("::")
    if not head.endswith(path):
        return [(system.unstrip_protocol(p), size) for p, size in zip(paths, sizes)]
    before = head[:len(head) - len(path)]
    return [(before + p + chain + rest, size) for p, size in zip(paths, sizes)]


def _without_codec(name: str) -> str:
    for codec in _CODECS:
        if name.endswith(codec):
            return name[:-len(codec)]
    return name


def _is_archive_name(name: str) -> bool:
    return _without_codec(name.lower()).endswith((".warc", ".arc", ".wet", ".wat", ".jsonl", ".ndjson"))


def archive_kind(name: str) -> str | None:
    """The kind of an archive by its name, as read_warc() takes it; None: its bytes decide. So one of which nothing can be
    read is known to be an archive."""
    bare = _without_codec(name.partition("::")[0].lower())
    if bare.endswith((".warc", ".arc", ".wet", ".wat")):
        return "warc"
    return "jsonl" if bare.endswith((".jsonl", ".ndjson")) else None


def kind_of(name: str) -> str:
    """What a file is, by its name; one that says nothing is looked at."""
    lower = name.partition("::")[0].lower()
    if lower.endswith(".parquet"):
        return "parquet"
    if _is_archive_name(lower):
        return "archive"
    if _without_codec(lower).endswith(_PAGES) or is_remote(name):
        return "page"
    return "archive" if _begins_like_archive(name) else "page"


def _begins_like_archive(name: str) -> bool:
    import winnow

    try:
        with winnow.read_warc(local_path(name)) as records:
            for record in records:
                return record.type != "page"
    except OSError:
        pass
    return False


def _walk(folder: str) -> Iterator[str]:
    """The pages and web archives below a folder, in the order in which the program takes them."""
    stack = [folder.rstrip("/") + "/"]
    while stack:
        path = stack.pop()
        if not path.endswith("/"):
            yield path
            continue
        entries = []
        with os.scandir(path) as found:
            for entry in found:
                if entry.is_dir(follow_symlinks=False):
                    entries.append(entry.name + "/")
                elif entry.name.endswith(_PAGES) or _without_codec(entry.name).endswith((".warc", ".arc", ".wet")):
                    entries.append(entry.name)
        stack.extend(path + name for name in sorted(entries, key=os.fsencode, reverse=True))


def _glob(pattern: str) -> list[str]:
    """Files that a pattern with *, ? and [] matches, in bytewise order. ** is not special."""
    found = [""] if pattern.startswith("/") else ["."]
    parts = [part for part in pattern.split("/") if part]
    for part in parts:
        further = []
        for folder in found:
            if not any(c in part for c in "*?["):
                further.append(f"{folder}/{part}")
                continue
            try:
                names = os.listdir(folder or "/")
            except OSError:
                continue
            hidden = part.startswith(".")
            further += [f"{folder}/{name}" for name in names if fnmatch.fnmatchcase(name, part) and (hidden or name[0] != ".")]
        found = further
    if not pattern.startswith("/"):
        found = [path[2:] for path in found]
    return sorted((path for path in found if os.path.exists(path)), key=os.fsencode)


def _expand(name: str, must_exist: bool) -> list[tuple[str, int]]:
    """(file, size) of a name. Where a file may be missing its size is then -1: that is part of the result."""
    if is_remote(name):
        found = _glob_remote(name)
        if not found:
            raise InputError(f"{name}: there is no such file")
        return found
    path = local_path(name)
    paths = [path]
    if any(c in path for c in "*?[") and not os.path.exists(path):
        paths = _glob(path)
        if not paths:
            raise InputError(f"{name}: no file has such a name")
    if must_exist and not os.path.exists(path) and paths == [path]:
        raise InputError(f"{name}: there is no such file")
    files: list[str] = []
    for each in paths:
        files += _walk(each) if os.path.isdir(each) else [each]
    if not files:
        raise InputError(f"{name}: there are no pages and no archives in this folder")
    return [(file, os.path.getsize(file) if os.path.exists(file) else -1) for file in files]


def check_html_column(name: str, names: list[str], wanted: str) -> None:
    if wanted not in names:
        raise InputError(f"{name} has no column '{wanted}'; there are {', '.join(names)}; the option html_column names another")


def _parquet_pieces(piece: Piece, size: int, html_column: str) -> list[tuple[Piece, int]]:
    """A piece for each row group. A file that cannot be read stays whole: whoever reads it reports what is wrong."""
    import pyarrow
    import pyarrow.parquet as parquet

    name = piece.name
    with (open_remote(name) if is_remote(name) else open(local_path(name), "rb")) as file:
        try:
            found = parquet.ParquetFile(file)
        except pyarrow.ArrowException:
            return [(piece, size)]
        check_html_column(name, found.schema_arrow.names, html_column)
        return [(Piece(name, "parquet", group, group + 1), found.metadata.row_group(group).total_byte_size)
                for group in range(found.metadata.num_row_groups)]


def _cut(piece: Piece, size: int, split: int, html_column: str) -> list[tuple[Piece, int]]:
    if piece.kind == "parquet" and size >= 0:
        return _parquet_pieces(piece, size, html_column)
    if piece.kind != "archive" or size <= split:
        return [(piece, max(size, 0))]
    cuts = [*range(0, size, split), 0]
    return [(Piece(piece.name, "archive", start, end), (end or size) - start) for start, end in zip(cuts, cuts[1:])]


def find_units(names: Iterable[str], split: int = SPLIT, kind: str | None = None, must_exist: bool = False,
               html_column: str = "html") -> list[Unit]:
    """The units of all names. InputError if a pattern or folder has no files, or a Parquet file no such column; with
    must_exist also if a file is missing."""
    units: list[Unit] = []
    pages: list[tuple[Piece, int]] = []

    def end_pages() -> None:
        if pages:
            unit = Unit(len(units), f"{len(units):05}-pages")
            unit.segments.append(Segment(unit.number, 0, tuple(p for p, _ in pages), sum(size for _, size in pages)))
            units.append(unit)
            pages.clear()

    names = list(names)
    if not names:
        raise InputError("there is no input; name archives, folders of pages, or patterns such as 'crawl/*.warc.gz'")
    for name in names:
        for file, size in _expand(name, must_exist):
            piece = Piece(file, kind or kind_of(file))
            if piece.kind == "page":
                pages.append((piece, max(size, 0)))
                if sum(s for _, s in pages) >= split or len(pages) >= 10000:
                    end_pages()
                continue
            end_pages()
            unit = Unit(len(units), f"{len(units):05}-{os.path.basename(file.partition('::')[0])}")
            if archive_kind(file) == "warc" and not os.path.isdir(local_path(name)):
                unit.archive = file
            for part, (cut, bytes_) in enumerate(_cut(piece, size, split, html_column)):
                unit.segments.append(Segment(unit.number, part, (cut,), bytes_))
            units.append(unit)
    end_pages()
    return units
