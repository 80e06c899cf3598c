"""Types of the C part; what they mean is in the docstrings: help(winnow.extract)."""

from collections.abc import Iterable, Iterator
from os import PathLike
from types import TracebackType
from typing import (
    Any,
    Literal,
    NamedTuple,
    Protocol,
    TypeAlias,
    TypedDict,
    final,
    type_check_only,
)

from typing_extensions import Buffer, Self, Unpack

@type_check_only
class BinaryFile(Protocol):
    def read(self, size: int, /) -> bytes: ...

Html: TypeAlias = str | Buffer
Source: TypeAlias = str | PathLike[str] | PathLike[bytes] | Buffer | BinaryFile
Format: TypeAlias = Literal[
    "text", "txt", "markdown", "md", "json", "jsonl", "html", "xml", "tei", "csv"
]
Prepared: TypeAlias = Format | Literal["metadata"]
Kind: TypeAlias = Literal["detect", "warc", "jsonl", "page"]
Item: TypeAlias = Html | PathLike[str] | PathLike[bytes] | tuple[Html, str | None] | Record

@type_check_only
class Options(TypedDict, total=False):
    url: str | None
    charset: str | None
    format: Format
    method: str
    precision: bool
    recall: bool
    comments: bool
    tables: bool
    links: bool
    formatting: bool
    images: bool
    metadata: bool
    blocks: bool
    standalone: bool
    timeout: float | None
    max_bytes: int | None
    max_nodes: int | None
    max_depth: int | None
    max_attributes: int | None
    max_memory: int | None
    site: Site | None
    model: Buffer | None
    noise: Html | None
    sheet_base: str | None

@final
class Link(NamedTuple):
    url: str
    text: str

@final
class Image(NamedTuple):
    url: str
    description: str

@final
class Block(NamedTuple):
    text: str
    kind: str
    level: int
    table: int
    row: int
    column: int
    kept: bool
    reason: str
    path: str
    start: int
    end: int
    links: tuple[Link, ...]
    images: tuple[Image, ...]

@final
class Metadata(NamedTuple):
    title: str
    authors: tuple[str, ...]
    published: str
    modified: str
    site: str
    description: str
    language: str
    url: str
    image: str
    tags: tuple[str, ...]
    categories: tuple[str, ...]
    license: str

@final
class Score(NamedTuple):
    precision: float
    recall: float
    f1: float

@final
class Parameter(NamedTuple):
    name: str
    help: str
    default: str
    allowed: str

@final
class Method(NamedTuple):
    name: str
    summary: str
    parameters: tuple[Parameter, ...]
    needs_layout: bool
    needs_noise: bool

@final
class Page:
    @property
    def text(self) -> str: ...
    @property
    def markdown(self) -> str: ...
    @property
    def html(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def authors(self) -> tuple[str, ...]: ...
    @property
    def published(self) -> str: ...
    @property
    def modified(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def metadata(self) -> Metadata: ...
    @property
    def blocks(self) -> list[Block]: ...
    @property
    def links(self) -> list[Link]: ...
    @property
    def images(self) -> list[Image]: ...
    @property
    def comments(self) -> list[Block]: ...
    @property
    def status(self) -> str: ...
    @property
    def limited(self) -> tuple[str, ...]: ...
    @property
    def type(self) -> str: ...
    @property
    def confidence(self) -> float: ...
    @property
    def encoding(self) -> str: ...
    @property
    def method(self) -> str: ...
    @property
    def error(self) -> str: ...
    @property
    def url(self) -> str: ...
    @property
    def id(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def date(self) -> str: ...
    @property
    def offset(self) -> int: ...
    @property
    def length(self) -> int: ...
    @property
    def http_status(self) -> int: ...
    @property
    def media_type(self) -> str: ...
    def json(self) -> str: ...
    def write(
        self,
        format: Format,
        /,
        *,
        links: bool = ...,
        formatting: bool = ...,
        images: bool = ...,
        metadata: bool = ...,
        blocks: bool = ...,
        standalone: bool = ...,
    ) -> str: ...
    def select(self, method: str, /) -> Page: ...
    def explain(self) -> list[Block]: ...

@final
class Pages(Iterator[Page]):
    @property
    def error(self) -> str: ...
    def __iter__(self) -> Self: ...
    def __next__(self) -> Page: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
        /,
    ) -> None: ...
    def close(self) -> None: ...

@final
class Record:
    def __new__(
        cls,
        body: Html,
        url: str = "",
        charset: str = "",
        id: str = "",
        date: str = "",
        type: str = "",
        status: int = 0,
        media_type: str = "",
        is_page: bool = True,
        truncated: bool = False,
        damaged: bool = False,
        problem: str = "",
        header: bytes = b"",
        http_header: bytes = b"",
        offset: int = 0,
        inner: int = 0,
        length: int = 0,
        file: str = "",
    ) -> Self: ...
    @property
    def body(self) -> bytes: ...
    @property
    def html(self) -> bytes: ...
    @property
    def type(self) -> str: ...
    @property
    def id(self) -> str: ...
    @property
    def url(self) -> str: ...
    @property
    def date(self) -> str: ...
    @property
    def status(self) -> int: ...
    @property
    def media_type(self) -> str: ...
    @property
    def charset(self) -> str: ...
    @property
    def is_page(self) -> bool: ...
    @property
    def truncated(self) -> bool: ...
    @property
    def damaged(self) -> bool: ...
    @property
    def problem(self) -> str: ...
    @property
    def header(self) -> bytes: ...
    @property
    def headers(self) -> dict[str, str]: ...
    @property
    def http_header(self) -> bytes: ...
    @property
    def http_headers(self) -> dict[str, str]: ...
    @property
    def file(self) -> str: ...
    @property
    def offset(self) -> int: ...
    @property
    def inner(self) -> int: ...
    @property
    def length(self) -> int: ...

@final
class Records(Iterator[Record]):
    @property
    def error(self) -> str: ...
    def __iter__(self) -> Self: ...
    def __next__(self) -> Record: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
        /,
    ) -> None: ...
    def close(self) -> None: ...

@final
class ArrowPages:
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class Site:
    def __new__(cls, data: Buffer | None = None) -> Self: ...
    @property
    def pages(self) -> int: ...
    def learn(self, html: Html, /) -> None: ...
    def merge(self, other: Site, /) -> None: ...
    def save(self) -> bytes: ...
    @classmethod
    def load(cls, data: Buffer, /) -> Self: ...

@final
class Extractor:
    def __new__(cls, **options: Unpack[Options]) -> Self: ...
    @property
    def options(self) -> dict[str, Any]: ...
    def extract(
        self, html: Html, *, url: str | None = None, charset: str | None = None
    ) -> str: ...
    def parse(
        self, html: Html, *, url: str | None = None, charset: str | None = None
    ) -> Page: ...
    def extract_many(
        self,
        iterable: Iterable[Item],
        /,
        *,
        threads: int | None = None,
        formats: Prepared | Iterable[Prepared] = ("text", "metadata"),
    ) -> Pages: ...
    def extract_warc(
        self,
        source: Source,
        /,
        *,
        threads: int | None = None,
        formats: Prepared | Iterable[Prepared] = ("text", "metadata"),
        start: int | None = 0,
        end: int | None = 0,
        kind: Kind | None = None,
        max_record: int | None = None,
        html_field: str | None = None,
        url_field: str | None = None,
        id_field: str | None = None,
    ) -> Pages: ...

def extract(html: Html, /, **options: Unpack[Options]) -> str: ...
def parse(html: Html, /, **options: Unpack[Options]) -> Page: ...
def extract_many(
    iterable: Iterable[Item],
    /,
    *,
    threads: int | None = None,
    formats: Prepared | Iterable[Prepared] = ("text", "metadata"),
    **options: Unpack[Options],
) -> Pages: ...
def extract_warc(
    source: Source,
    /,
    *,
    threads: int | None = None,
    formats: Prepared | Iterable[Prepared] = ("text", "metadata"),
    start: int | None = 0,
    end: int | None = 0,
    kind: Kind | None = None,
    max_record: int | None = None,
    html_field: str | None = None,
    url_field: str | None = None,
    id_field: str | None = None,
    **options: Unpack[Options],
) -> Pages: ...
def read_warc(
    source: Source,
    /,
    *,
    pages_only: bool = False,
    start: int | None = 0,
    end: int | None = 0,
    kind: Kind | None = None,
    max_record: int | None = None,
    html_field: str | None = None,
    url_field: str | None = None,
    id_field: str | None = None,
) -> Records: ...
def to_arrow(
    pages: Source | Iterable[Page] | Iterable[Item],
    /,
    *,
    columns: Iterable[str] | None = None,
    threads: int | None = None,
    batch_size: int = 1024,
    **options: Unpack[Options],
) -> ArrowPages: ...
def words(
    text: str,
    language: str | None = None,
    *,
    lower: bool = False,
    stopwords: bool = True,
) -> list[str]: ...
def evaluate(
    text: str,
    gold: str,
    *,
    measure: Literal["words", "lcs", "length", "shingles"] = "words",
) -> Score: ...
def methods() -> list[Method]: ...
def components() -> dict[str, str | None]: ...

__version__: str
