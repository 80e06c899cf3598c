"""The job `extract`: archives in, one file of results for each, exactly once.

With sites (the job `site`) what repeats on the pages of a site is dropped: a first pass learns the template of each host, and
the second extracts with it (sites.py).
"""

import json
import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

import winnow

from . import staging
from ..segments.inputs import Segment, Unit, archive_kind, find_units, is_remote, kind_of, local_path, open_remote
from ..segments.reading import SegmentReader, arrow_schema, arrow_batches, formats_of, problem_record, sentence_of

ENDINGS = {"jsonl": ".jsonl", "jsonl.zst": ".jsonl.zst", "parquet": ".parquet"}
_ROWS = 1024  # of a row group at least


@dataclass
class Plan:
    """What is done with each page; sent to the workers."""

    output: str
    format: str = "jsonl.zst"
    columns: list[str] = field(default_factory=list)  # of Parquet
    options: dict[str, Any] = field(default_factory=dict)
    html_column: str = "html"
    url_column: str = "url"
    sites: str = ""  # a folder of templates, "": none

    @property
    def formats(self) -> list[str]:
        return formats_of(self.columns) if self.format == "parquet" else ["jsonl"]

    def staged_path(self, name: str, part: int) -> str:
        return os.path.join(self.output, staging.WORK, f"{name}.{part}")

    def final_path(self, name: str) -> str:
        return os.path.join(self.output, name + ENDINGS[self.format])


# ---- One segment -------------------------------------------------------------------------------------------------------


class Counter:
    """Counts pages as they go by. `row` is the number of a page among those of the segment that could be read."""

    def __init__(self) -> None:
        self.counts = {"pages": 0, "extracted": 0, "empty": 0, "failed": 0, "rows": 0}

    def count(self, pages: Iterable[winnow.Page]) -> Iterator[winnow.Page]:
        for page in pages:
            self.counts["pages"] += 1
            kind = "empty" if page.status == "empty" else "failed" if page.error else "extracted"
            self.counts[kind] += 1
            self.counts["rows"] += kind != "failed"
            yield page


def _open_lines(path: str, format: str) -> Any:
    import pyarrow

    file = pyarrow.OSFile(path, "wb")
    return pyarrow.CompressedOutputStream(file, "zstd") if format.endswith(".zst") else file


def _write_lines(path: str, plan: Plan, pages: Iterable[winnow.Page]) -> None:
    with _open_lines(path, plan.format) as file:
        for page in pages:
            file.write(page.write("jsonl").encode("utf-8", "surrogatepass"))


def place_schema(columns: list[str]) -> Any:
    """The schema of Parquet files: the columns, and where a page is among all of them."""
    import pyarrow

    schema = arrow_schema(columns)
    for name in ("unit", "part", "row"):
        schema = schema.append(pyarrow.field(name, pyarrow.int64()))
    return schema


def _write_parquet(path: str, plan: Plan, pages: Iterable[winnow.Page], segment: Segment) -> None:
    import pyarrow
    import pyarrow.parquet as parquet

    schema = place_schema(plan.columns)
    row = 0
    columns = [*plan.columns, *(name for name in ("error", "status") if name not in plan.columns)]
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for batch in arrow_batches(pages, columns, rows=_ROWS):
            errors, statuses = batch.column("error").to_pylist(), batch.column("status").to_pylist()
            rows = []
            for error, status in zip(errors, statuses):
                kept = not error or status == "empty"
                rows.append(row if kept else -1)
                row += kept
            places = [pyarrow.array([value] * len(rows), pyarrow.int64()) for value in (segment.unit, segment.part)]
            kept_columns = [batch.column(name) for name in plan.columns]
            writer.write_batch(pyarrow.RecordBatch.from_arrays([*kept_columns, *places, pyarrow.array(rows, pyarrow.int64())],
                                                               schema=schema))


def extract_segment(plan: Plan, name: str, segment: Segment) -> dict[str, Any]:
    """Stages the result of a segment; its counts."""

    def write(path: str) -> dict[str, Any]:
        reader = SegmentReader(plan.options, plan.formats, html_column=plan.html_column, url_column=plan.url_column)
        counter = Counter()
        if plan.sites:
            from .sites import pages_with_sites

            pages = pages_with_sites(reader, segment, plan.sites)
        else:
            pages = reader.pages(segment)
        if plan.format == "parquet":
            _write_parquet(path, plan, counter.count(pages), segment)
        else:
            _write_lines(path, plan, counter.count(pages))
        return {**counter.counts, "bytes": segment.bytes, "errors": reader.errors, "unit": segment.unit, "part": segment.part}

    return staging.stage(plan.staged_path(name, segment.part), write)


# ---- One unit ----------------------------------------------------------------------------------------------------------


def _whole_error(name: str) -> str:
    """What is wrong with a whole archive: parts of it know only of their own damage."""
    try:
        records = winnow.read_warc(local_path(name), pages_only=True, kind=archive_kind(name))
    except OSError as error:
        return sentence_of(error)
    with records:
        for _ in records:
            pass
        return records.error


def _problems(counts: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """(file, sentence) of what is wrong with the files of a unit."""
    found: dict[str, list[str]] = {}
    for part in counts:
        for name, sentence in part["errors"]:
            found.setdefault(name, []).append(sentence)

    def needs_all(name: str) -> bool:
        return len(counts) > 1 and not is_remote(name) and kind_of(name) == "archive"

    return [(name, _whole_error(name) if needs_all(name) else sentences[0]) for name, sentences in found.items()]


def _without_pages(name: str) -> list[tuple[str, str]]:
    """What is wrong with a sound archive that has no pages: it was named, so somebody expected some."""
    source: Any = open_remote(name) if is_remote(name) else local_path(name)
    with winnow.read_warc(source, kind=archive_kind(name)) as records:
        count = sum(1 for _ in records)
    if not count:
        return []
    # The program's sentences: its records and ours are the same bytes.
    return [(name, "its only record is not a web page" if count == 1 else f"none of its {count} records is a web page")]


def _append_problems(path: str, plan: Plan, problems: list[tuple[str, str]], unit: int) -> None:
    """A record for each, as the program writes it."""
    extractor = winnow.Extractor(**plan.options)
    pages = extractor.extract_many([problem_record(*problem) for problem in problems], threads=1,
                                   formats=plan.formats)  # type: ignore[arg-type]
    if plan.format == "parquet":
        _write_parquet(path, plan, pages, Segment(unit, -1, (), 0))
    else:
        _write_lines(path, plan, pages)


def _join(parts: list[str], path: str, plan: Plan) -> None:
    """All parts in one file. Frames of zstd and lines just follow each other; of Parquet the row groups are written again."""
    if len(parts) == 1:
        _share(parts[0], path)
        return
    if plan.format != "parquet":
        with open(path, "wb") as file:
            for part in parts:
                with open(part, "rb") as source:
                    shutil.copyfileobj(source, file, 1 << 20)
            file.flush()
            os.fsync(file.fileno())
        return
    import pyarrow.parquet as parquet

    with parquet.ParquetWriter(path, place_schema(plan.columns), compression="zstd") as writer:
        for part in parts:
            source = parquet.ParquetFile(part)
            for group in range(source.num_row_groups):
                writer.write_table(source.read_row_group(group))


def _share(part: str, path: str) -> None:
    """The file of a part under a second name; the first stays, as the task may run again. A copy where files have one name."""
    try:
        os.link(part, path)
    except OSError:
        shutil.copyfile(part, path)


def commit_unit(plan: Plan, name: str, number: int, parts: int, archive: str = "") -> dict[str, Any]:
    """Puts the parts of a unit together; its counts, part by part. `archive` is its file, if it was named."""
    final, done = plan.final_path(name), os.path.join(plan.output, staging.WORK, name + ".done")
    if os.path.exists(done) and os.path.exists(final):
        return staging.read_json(done)
    paths = [plan.staged_path(name, part) for part in range(parts)]
    counts = [staging.read_json(path + ".json") for path in paths]
    problems = _problems(counts)
    if archive and not problems and not any(part["pages"] for part in counts):
        problems = _without_pages(archive)
    if problems:
        paths.append(plan.staged_path(name, parts))
        with staging.staged(paths[-1]) as temporary:
            _append_problems(temporary, plan, problems, number)
    with staging.staged(final) as temporary:
        _join(paths, temporary, plan)
    found = {"name": name, "unit": number, "parts": counts, "problems": problems}
    staging.write_json(done, found)
    return found


# ---- All of them -------------------------------------------------------------------------------------------------------


def _run_segment(plan: Plan, progress: tuple[Any, Any, Any], task: tuple[str, Segment]) -> None:
    counts = extract_segment(plan, *task)
    for accumulator, value in zip(progress, (counts["pages"], counts["failed"], counts["bytes"])):
        accumulator.add(value)


def run_units(session: Any, plan: Plan, units: list[Unit], partitions: int | None, quiet: bool) -> list[dict[str, Any]]:
    """Extracts all units and commits them; what commit_unit() found, in order."""
    from .session import Progress

    context = session.sparkContext
    tasks = [(unit.name, segment) for unit in units for segment in unit.segments]
    with Progress(context, sum(unit.bytes for unit in units), quiet) as progress:
        counters = (progress.pages, progress.failed, progress.bytes)
        context.parallelize(tasks, min(partitions or len(tasks), len(tasks))).foreach(lambda t: _run_segment(plan, counters, t))
        commits = context.parallelize([(unit.name, unit.number, len(unit.segments), unit.archive) for unit in units],
                                      min(partitions or len(units), len(units)))
        return sorted(commits.map(lambda c: commit_unit(plan, *c)).collect(), key=lambda found: found["unit"])


def make_report(plan_json: dict[str, Any], found: list[dict[str, Any]]) -> dict[str, Any]:
    names = ("pages", "extracted", "empty", "failed", "rows", "bytes")
    totals = {name: sum(part[name] for unit in found for part in unit["parts"]) for name in names}
    bad = [{"file": name, "error": sentence} for unit in found for name, sentence in unit["problems"]]
    rows = [[part["unit"], part["part"], part["rows"]] for unit in found for part in unit["parts"]]
    return {"plan": plan_json, **totals, "bad": bad, "rows": rows}


def extract(session: Any, names: list[str], plan: Plan, *, split: int, partitions: int | None = None, sites: bool = False,
            max_sites: int = 0, overwrite: bool = False, quiet: bool = False) -> dict[str, Any]:
    """The whole job; its report."""
    units = find_units(names, split, html_column=plan.html_column)
    plan_json = {"names": names, "split": split, "site": sites, "max_sites": max_sites, "version": winnow.__version__,
                 **{key: value for key, value in asdict(plan).items() if key not in ("output", "sites")}}
    if not staging.begin(plan.output, plan_json, overwrite):
        return staging.read_json(os.path.join(plan.output, staging.REPORT))
    if sites:
        from .sites import learn_sites

        plan.sites = learn_sites(session, plan, units, partitions, max_sites)
    report = make_report(plan_json, run_units(session, plan, units, partitions, quiet))
    staging.finish(plan.output, report)
    return report


def report_lines(report: dict[str, Any]) -> str:
    """The report for people."""
    lines = [f"{report['extracted']:,} extracted, {report['empty']:,} empty, {report['failed']:,} failed"]
    lines += [f"cannot read {json.dumps(bad['file'])}: {bad['error']}" for bad in report["bad"]]
    return "\n".join(lines)
