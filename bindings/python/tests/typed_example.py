"""An example that mypy --strict takes; test_types.py runs it through mypy, and it runs by itself."""

from collections.abc import Iterator
from pathlib import Path

import winnow

HTML = "<title>Bread</title><h1>Bread</h1><p>Take flour and <a href='w'>water</a>.</p>"


def titles(folder: Path) -> Iterator[tuple[str, str]]:
    for page in winnow.extract_many(sorted(folder.glob("*.html")), threads=2, formats=("markdown", "metadata")):
        yield page.title, page.markdown


def pages_of(archive: Path) -> list[winnow.Page]:
    with winnow.extract_warc(archive, timeout=0.5) as pages:
        return [page for page in pages if page.status == "ok" and page.language.startswith("en")]


def main() -> None:
    text: str = winnow.extract(HTML)
    extractor = winnow.Extractor(method="auto", precision=True, timeout=0.5, max_memory=1 << 30)
    page: winnow.Page = extractor.parse(HTML.encode(), url="https://example.org/")
    links: list[str] = [link.url for link in page.links]
    names: tuple[str, ...] = page.metadata.authors
    score: float = winnow.evaluate(text, page.text).f1
    for record in winnow.read_warc(b'{"html": "<p>One"}', pages_only=True):
        print(record.url, len(record.html))
    for many in extractor.extract_many([HTML, (HTML.encode(), "https://example.org/"), Path("nope.html")]):
        print(many.status)
    print(text, links, names, score, [method.name for method in winnow.methods()], winnow.words(text, "en"))


if __name__ == "__main__":
    main()
