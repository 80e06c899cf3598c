"""python -m winnow.spark: jobs over archives of any size.

    python -m winnow.spark extract --output texts crawl/*.warc.gz
    python -m winnow.spark site --output texts crawl/*.warc.gz

Also under spark-submit. Exit status: 0 all is well; 1 an input could not be read, the report names it, or the job failed;
2 wrong usage.
"""

import argparse
import json
import os
import sys
from typing import Any

from .inputs import SPLIT, InputError
from .reading import DEFAULT_COLUMNS, read_options
from .staging import JobError


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


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="archives, folders of pages, Parquet files, or patterns")
    parser.add_argument("--output", "-o", required=True, metavar="DIR", help="a folder that all workers can write to")
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


def _run_extract(arguments: argparse.Namespace) -> int:
    from .extract import extract, report_lines
    from .inputs import find_units
    from .session import open_session

    plan = _plan(arguments, arguments.output, arguments.format, [c.strip() for c in arguments.columns.split(",") if c.strip()])
    find_units(arguments.inputs, arguments.split)  # wrong names are told before Spark starts
    session = open_session(arguments.job, arguments.master, arguments.memory)
    report = extract(session, arguments.inputs, plan, split=arguments.split, partitions=arguments.partitions,
                     sites=arguments.job == "site", max_sites=getattr(arguments, "max_sites", 0),
                     overwrite=arguments.overwrite, quiet=arguments.quiet)
    if not arguments.quiet:
        print("winnow: " + report_lines(report).replace("\n", "\nwinnow: "), file=sys.stderr)
    return 1 if report["bad"] or report["failed"] else 0


_JOBS = {"extract": _run_extract, "site": _run_extract}


def main(arguments: list[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    try:
        return _JOBS[given.job](given)
    except (InputError, ValueError) as error:
        print(f"winnow: {error}", file=sys.stderr)
        return 2
    except JobError as error:
        print(f"winnow: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
