"""The job `eval`: methods against gold texts, page by page as `winnow eval -f csv` scores them.

A set is a folder with html/ID.html, gold/ID.txt and pages.jsonl. Every task scores some of its pages; the driver has the means.
"""

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import winnow

from ..segments.inputs import InputError

MEASURES = ("words", "lcs", "length", "shingles")
_PAGES_PER_TASK = 50


def read_set(folder: str) -> list[tuple[str, str]]:
    """(id, url) of the pages of a set."""
    path = os.path.join(folder, "pages.jsonl")
    if not os.path.exists(path):
        raise InputError(f"{folder} is no set of pages with gold texts: there is no pages.jsonl in it")
    pages = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                page = json.loads(line)
                pages.append((str(page["id"]), page.get("url") or ""))
            except (ValueError, KeyError, TypeError, AttributeError):
                raise InputError(f"{path}, line {number}: it is not an object with an id") from None
    return pages


def _score(folder: str, method: str, options: dict[str, Any], pages: Iterable[tuple[str, str]]) -> Iterator[tuple[Any, ...]]:
    extractor = winnow.Extractor(**{**options, "method": method})
    for id_, url in pages:
        html = Path(folder, "html", id_ + ".html").read_bytes()
        gold = Path(folder, "gold", id_ + ".txt").read_text(encoding="utf-8", errors="replace")
        page = extractor.parse(html, url=url or None)
        scores = [winnow.evaluate(page.text, gold, measure=measure) for measure in MEASURES]  # type: ignore[arg-type]
        yield id_, method, *(value for score in scores for value in (score.precision, score.recall, score.f1))


def evaluate(session: Any, folder: str, methods: list[str], options: dict[str, Any]) -> list[tuple[Any, ...]]:
    """(id, method, precision, recall and F1 of each measure), in the order of the pages, method by method."""
    pages = read_set(folder)
    folder = os.path.abspath(folder)
    parts = [(method, at) for method in methods for at in range(0, len(pages), _PAGES_PER_TASK)]
    tasks = session.sparkContext.parallelize(parts, max(len(parts), 1))
    scored = tasks.map(lambda part: (part, list(_score(folder, part[0], options, pages[part[1]:part[1] + _PAGES_PER_TASK]))))
    order = {part: number for number, part in enumerate(parts)}
    return [row for _, rows in sorted(scored.collect(), key=lambda found: order[found[0]]) for row in rows]


def header() -> list[str]:
    return ["id", "method", *(f"{measure}_{figure}" for measure in MEASURES for figure in ("precision", "recall", "f1"))]


def write_csv(rows: list[tuple[Any, ...]], path: str) -> None:
    import csv

    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header())
        for row in rows:
            writer.writerow([*row[:2], *(f"{value:.6f}" for value in row[2:])])


def summary(rows: list[tuple[Any, ...]]) -> str:
    """Mean F1 by method and measure."""
    lines = [f"{'method':<24}{'pages':>7}" + "".join(f"{measure:>10}" for measure in MEASURES)]
    for method in dict.fromkeys(row[1] for row in rows):
        own = [row for row in rows if row[1] == method]
        means = [sum(row[4 + 3 * i] for row in own) / len(own) for i in range(len(MEASURES))]
        lines.append(f"{method:<24}{len(own):>7}" + "".join(f"{mean:>10.4f}" for mean in means))
    return "\n".join(lines)
