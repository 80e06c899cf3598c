"""Exactly once: results of tasks are staged under names of their own, and appear in the output when a unit is complete.

    OUT/_work/plan.json              what is done: another command may not go on with it
    OUT/_work/00003-x.warc.gz.2      the result of part 2 of unit 3, and ….json beside it: its counts
    OUT/00003-x.warc.gz.jsonl.zst    all parts of unit 3
    OUT/_report.json                 pages, failures, bad archives; written last

A task writes to a name nobody else has and renames when all is written. So a task that is killed leaves nothing that is read,
one that runs twice writes the same bytes twice, and a rerun finds what is there and does the rest.
"""

import json
import os
import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

WORK = "_work"
REPORT = "_report.json"


class JobError(RuntimeError):
    """A job that cannot run; the message says what to do."""


@contextmanager
def staged(path: str) -> Iterator[str]:
    """A path to write to; its file becomes `path` at the end, or goes if that fails."""
    temporary = f"{path}.{uuid.uuid4().hex}.tmp"
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


def write_json(path: str, value: Any) -> None:
    with staged(path) as temporary:
        with open(temporary, "w", encoding="utf-8") as file:
            json.dump(value, file, indent=1, sort_keys=True)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())


def read_json(path: str) -> Any:
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def check_empty(output: str) -> None:
    """JobError if the folder holds something that is not ours."""
    ours = any(os.path.exists(os.path.join(output, *name)) for name in ((REPORT,), (WORK, "plan.json")))
    if not ours and os.path.isdir(output) and os.listdir(output):
        raise JobError(f"{output} is not empty; name another folder, or say --overwrite")


def begin(output: str, plan: dict[str, Any], overwrite: bool = False) -> bool:
    """Prepares the folder; False if everything in it is done already. JobError if it belongs to another command."""
    if overwrite and os.path.isdir(output):
        shutil.rmtree(output)
    work = os.path.join(output, WORK)
    kept = os.path.join(work, "plan.json")
    report = os.path.join(output, REPORT)
    plan = json.loads(json.dumps(plan))
    if os.path.exists(report):
        if read_json(report).get("plan") == plan:
            return False
        raise JobError(f"{output} holds the result of another command; name another folder, or say --overwrite")
    if os.path.exists(kept):
        if read_json(kept) != plan:
            raise JobError(f"{output} holds an unfinished run of another command; run that again, or say --overwrite")
    check_empty(output)
    os.makedirs(work, exist_ok=True)
    write_json(kept, plan)
    return True


def finish(output: str, report: dict[str, Any]) -> None:
    """Writes the report and removes what was staged."""
    write_json(os.path.join(output, REPORT), report)
    shutil.rmtree(os.path.join(output, WORK), ignore_errors=True)


def stage(path: str, write: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    """Stages what `write` puts into a file, with the counts that it returns; if it was staged before, only those."""
    counts = path + ".json"
    if os.path.exists(counts) and os.path.exists(path):
        return read_json(counts)
    with staged(path) as temporary:
        found = write(temporary)
        with open(temporary, "rb") as file:
            os.fsync(file.fileno())
    write_json(counts, found)  # last: where it is, the file is complete
    return found
