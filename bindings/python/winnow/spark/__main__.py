"""python -m winnow.spark: jobs over archives of any size.

    python -m winnow.spark extract --output texts crawl/*.warc.gz
    python -m winnow.spark site --output texts crawl/*.warc.gz
    python -m winnow.spark extract --format parquet --output pages crawl/*.warc.gz
    python -m winnow.spark dedup --output copies pages
    python -m winnow.spark outliers --output words pages
    python -m winnow.spark cloud --output cloud pages
    python -m winnow.spark eval --output scores SET

Also under spark-submit. Exit status: 0 all is well; 1 an input could not be read, the report names it, or the job failed;
2 wrong usage.
"""

import argparse
import os
import shutil
import subprocess
import sys
from typing import Any

from ..segments.inputs import SPLIT, InputError, find_units, is_remote, local_path
from ..segments.reading import DEFAULT_COLUMNS, read_options
from . import check_spark
from .staging import JobError, check_empty


def _size(text: str) -> int:
    factor = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}.get(text[-1:].upper(), 0)
    digits = text[:-1] if factor else text
    if not digits.isdigit() or int(digits) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size such as 128M")
    return int(digits) * (factor or 1)


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 on")
    return int(text)


def _output(text: str) -> str:
    if is_remote(text):
        raise argparse.ArgumentTypeError(f"'{text}' is an address; results go to a folder that all machines mount")
    return local_path(text)


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="archives, folders of pages, Parquet files, or patterns")
    parser.add_argument("--output", "-o", required=True, type=_output, metavar="DIR", help="a folder that all workers can write to")
    parser.add_argument("--overwrite", action="store_true", help="remove what is in DIR first")
    parser.add_argument("--method", "-m", help="how content is found (default: auto)")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of winnow.extract()")
    parser.add_argument("--split", type=_size, default=SPLIT, metavar="SIZE", help="bytes of an archive per task (default: 128M)")
    parser.add_argument("--partitions", type=_positive, metavar="N", help="tasks at most (default: one per part of an archive)")
    parser.add_argument("--html-column", default="html", metavar="NAME", help="of Parquet files (default: html)")
    parser.add_argument("--url-column", default="url", metavar="NAME", help="of Parquet files (default: url)")
    parser.add_argument("--master", help="the cluster: local[2], spark://host:7077 (default: that of spark-submit, or this machine)")
    parser.add_argument("--memory", default="2g", help="of the driver, if it is started here (default: 2g)")
    parser.add_argument("--quiet", "-q", action="store_true", help="no progress and no summary")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m winnow.spark", description=__doc__.split("\n")[0])
    jobs = parser.add_subparsers(dest="job", required=True, metavar="JOB")
    for name, text in ("extract", "the main content of pages, a file for each archive"), (
            "site", "the same, without what repeats on the pages of a site"):
        job = jobs.add_parser(name, help=text, description=text)
        _add_common(job)
        job.add_argument("--format", "-f", choices=("jsonl.zst", "jsonl", "parquet"), default="jsonl.zst")
        job.add_argument("--columns", default=",".join(DEFAULT_COLUMNS), help="of Parquet files, with commas between")
        if name == "site":
            job.add_argument("--max-sites", type=int, default=100000, metavar="N",
                             help="sites that are learned, those whose keys have the least hashes (default: 100000; 0: all)")
    dedup = jobs.add_parser("dedup", help="pages that are copies of others", description=(
        "INPUT is a folder that 'extract --format parquet' made, or what 'extract' takes. Writes DIR/copies.csv."))
    _add_common(dedup)
    dedup.add_argument("--threshold", type=float, default=0.8, metavar="J", help="Jaccard similarity of copies (default: 0.8)")
    dedup.add_argument("--exact", action="store_true", help="only pages with equal texts")
    dedup.add_argument("--bands", type=_positive, default=14, help="of the MinHash (default: 14)")
    dedup.add_argument("--rows", type=_positive, default=8, help="hash functions of a band (default: 8)")
    dedup.add_argument("--keep", choices=("first", "longest", "newest"), default="first")
    outliers = jobs.add_parser("outliers", help="the words of the collection, and which are noise", description=(
        "INPUT is as for dedup. Writes DIR/words.csv (or .json) and DIR/noise.txt."))
    _add_common(outliers)
    outliers.add_argument("--outliers", "-n", type=int, default=50, metavar="N", help="so many words (default: 50)")
    outliers.add_argument("--neighbours", "-k", type=_positive, default=30, metavar="K", help="(default: 30)")
    outliers.add_argument("--scale", choices=("none", "log", "z"), default="none")
    outliers.add_argument("--min-documents", type=int, default=0, metavar="N", help="only words on at least N pages")
    outliers.add_argument("--max-documents", type=int, default=0, metavar="N", help="only words on at most N pages")
    outliers.add_argument("--all", action="store_true", help="all words, not the outliers only")
    outliers.add_argument("--copies", metavar="FILE", help="copies.csv of the job dedup: these pages do not count")
    outliers.add_argument("--format", "-f", choices=("csv", "json"), default="csv")
    cloud = jobs.add_parser("cloud", help="the most frequent words, for a tag cloud", description=(
        "INPUT is as for dedup. Writes DIR/words.csv, and DIR/cloud.svg if the program winnow can draw."))
    _add_common(cloud)
    cloud.add_argument("--words", "-n", type=_positive, default=100, metavar="N", help="so many words (default: 100)")
    cloud.add_argument("--min-count", type=_positive, default=1, metavar="N", help="only words that occur N times (default: 1)")
    evaluation = jobs.add_parser("eval", help="methods against gold texts", description=(
        "INPUT is a set: html/ID.html, gold/ID.txt and pages.jsonl. Writes DIR/scores.csv, and the means to standard output. "
        "--method takes several with ; between."))
    _add_common(evaluation)
    return parser


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    given: dict[str, str] = {}
    for text in arguments.option:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"--option takes NAME=VALUE, not '{text}'")
        given[name] = value
    if arguments.method:
        given["method"] = arguments.method
    return read_options(given)


def _plan(arguments: argparse.Namespace, output: str, format: str, columns: list[str]) -> Any:
    from .extract import Plan
    from .source import check_columns

    return Plan(os.path.abspath(output), format, check_columns(columns), _options(arguments), arguments.html_column,
                arguments.url_column)


def _check_inputs(arguments: argparse.Namespace) -> None:
    """What is wrong with the inputs is told before Spark starts."""
    find_units(arguments.inputs, arguments.split, must_exist=True, html_column=arguments.html_column)


def _run_extract(arguments: argparse.Namespace) -> int:
    from .extract import extract, report_lines
    from .session import open_session

    plan = _plan(arguments, arguments.output, arguments.format, [c.strip() for c in arguments.columns.split(",") if c.strip()])
    _check_inputs(arguments)
    if not arguments.overwrite:
        check_empty(plan.output)
    session = open_session(arguments.job, arguments.master, arguments.memory)
    report = extract(session, arguments.inputs, plan, split=arguments.split, partitions=arguments.partitions,
                     sites=arguments.job == "site", max_sites=getattr(arguments, "max_sites", 0),
                     overwrite=arguments.overwrite, quiet=arguments.quiet)
    if not arguments.quiet:
        print("winnow: " + report_lines(report).replace("\n", "\nwinnow: "), file=sys.stderr)
    return 1 if report["bad"] or report["failed"] else 0


def _collection(arguments: argparse.Namespace, session: Any) -> tuple[str, int]:
    """The folder of the pages, which are extracted if they are not yet; and the exit status so far."""
    from . import collection
    from .extract import extract, report_lines

    if collection.is_collection(arguments.inputs):
        return os.path.abspath(arguments.inputs[0]), 0
    plan = _plan(arguments, os.path.join(arguments.output, "pages"), "parquet", collection.COLUMNS)
    report = extract(session, arguments.inputs, plan, split=arguments.split, partitions=arguments.partitions,
                     quiet=arguments.quiet)
    if not arguments.quiet:
        print("winnow: " + report_lines(report).replace("\n", "\nwinnow: "), file=sys.stderr)
    return plan.output, 1 if report["bad"] or report["failed"] else 0


def _prepare(arguments: argparse.Namespace) -> Any:
    """Checks the inputs and the folder, and opens the session."""
    from . import collection
    from .session import open_session

    if not collection.is_collection(arguments.inputs):
        _check_inputs(arguments)
    _options(arguments)
    if arguments.overwrite and os.path.isdir(arguments.output):
        shutil.rmtree(arguments.output)
    os.makedirs(arguments.output, exist_ok=True)
    session = open_session(arguments.job, arguments.master, arguments.memory)
    if arguments.partitions:
        session.conf.set("spark.sql.shuffle.partitions", str(arguments.partitions))
    return session


def _run_dedup(arguments: argparse.Namespace) -> int:
    from .dedup import Dedup, copies, write_csv

    if not 0 < arguments.threshold <= 1:
        raise ValueError("--threshold takes a number above 0 and at most 1")
    if arguments.bands * arguments.rows > 2048:
        raise ValueError("--bands times --rows is at most 2048")
    session = _prepare(arguments)
    folder, code = _collection(arguments, session)
    work = os.path.abspath(os.path.join(arguments.output, "_work"))
    dedup = Dedup(session, folder, work, bands=0 if arguments.exact else arguments.bands, rows=arguments.rows,
                  threshold=arguments.threshold)
    count = write_csv(copies(dedup.clusters(), arguments.keep), os.path.join(arguments.output, "copies.csv"))
    shutil.rmtree(work, ignore_errors=True)
    if not arguments.quiet:
        print(f"winnow: {count:,} copies, {dedup.compared:,} pairs compared", file=sys.stderr)
    return code


def _run_outliers(arguments: argparse.Namespace) -> int:
    from .dedup import read_copies
    from .outliers import outlier_table
    from .staging import staged

    session = _prepare(arguments)
    folder, code = _collection(arguments, session)
    copied = read_copies(session, arguments.copies) if arguments.copies else None
    table, noise, words = outlier_table(
        session, folder, n=arguments.outliers, k=arguments.neighbours, scale=arguments.scale,
        min_documents=arguments.min_documents, max_documents=arguments.max_documents, copies=copied, every_word=arguments.all,
        json=arguments.format == "json", threads=os.cpu_count() or 1)
    for name, content in (f"words.{arguments.format}", table), ("noise.txt", noise):
        with staged(os.path.join(arguments.output, name)) as temporary, open(temporary, "wb") as file:
            file.write(content)
    if not arguments.quiet:
        print(f"winnow: {words:,} words, {len(noise.splitlines()):,} outliers", file=sys.stderr)
    return code


def _run_cloud(arguments: argparse.Namespace) -> int:
    from ..__main__ import program
    from .cloud import as_csv, count_words
    from .staging import staged

    session = _prepare(arguments)
    folder, code = _collection(arguments, session)
    counts = count_words(session, folder, arguments.words, arguments.min_count)
    path = os.path.join(arguments.output, "words.csv")
    with staged(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as file:
        file.write(as_csv(counts))
    drawn = subprocess.run([program(), "cloud", "-q", "--counts", path, "-n", str(min(arguments.words, 2000)), "--overwrite",
                            "-o", os.path.join(arguments.output, "cloud.svg")], stderr=subprocess.PIPE, text=True)
    if drawn.returncode and not arguments.quiet:
        print(f"winnow: the words are in {path}; no picture: {drawn.stderr.strip()}", file=sys.stderr)
    return code


def _run_eval(arguments: argparse.Namespace) -> int:
    from .evaluation import evaluate, read_set, summary, write_csv
    from .session import open_session
    from .staging import staged

    methods = (arguments.method or "auto").split(";")
    arguments.method = None
    options = _options(arguments)
    for method in methods:
        read_options({"method": method})
    if len(arguments.inputs) != 1:
        raise ValueError("eval takes one set of pages with gold texts")
    read_set(arguments.inputs[0])
    os.makedirs(arguments.output, exist_ok=True)
    rows = evaluate(open_session("eval", arguments.master, arguments.memory), arguments.inputs[0], methods, options)
    with staged(os.path.join(arguments.output, "scores.csv")) as temporary:
        write_csv(rows, temporary)
    print(summary(rows))
    return 0


_JOBS = {"extract": _run_extract, "site": _run_extract, "dedup": _run_dedup, "outliers": _run_outliers, "cloud": _run_cloud,
         "eval": _run_eval}


def _sentence_of(error: Exception) -> str:
    """What Spark says is the matter, without the stacks of Java and Python: of an exception in a worker its last line."""
    lines = [line for line in str(error).splitlines() if line.strip() and not line.startswith(("\tat ", "  ", "SQLSTATE"))]
    if "Traceback" not in str(error):
        return lines[0] if lines else type(error).__name__
    exceptions = [line for line in lines if ": " in line and line.split(": ")[0].replace(".", "").isidentifier()]
    return exceptions[-1] if exceptions else lines[-1]


def main(arguments: list[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    try:
        check_spark()
    except ImportError as error:
        print(f"winnow: {error}", file=sys.stderr)
        return 1
    try:
        return _JOBS[given.job](given)
    except (InputError, ValueError) as error:
        print(f"winnow: {error}", file=sys.stderr)
        return 2
    except JobError as error:
        print(f"winnow: {error}", file=sys.stderr)
        return 1
    except Exception as error:
        if "py4j" not in type(error).__module__ and "pyspark" not in type(error).__module__:
            raise
        print(f"winnow: the job failed; the same command continues where it stopped. Spark says: {_sentence_of(error)}",
              file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
