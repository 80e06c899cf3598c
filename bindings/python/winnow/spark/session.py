"""The Spark session of a job, and what its driver shows while it works."""

import os
import shutil
import subprocess
import sys
import threading
import time
from typing import Any

from .staging import JobError


_JAVA = "Spark needs Java 17 or later"
_PATIENCE = 30.0  # seconds without an executor until that is said


def _find_java() -> str:
    """The program that Spark will start; JobError with what to do if there is none."""
    home = os.environ.get("JAVA_HOME")
    java = os.path.join(home, "bin/java") if home else shutil.which("java")
    if not java:
        raise JobError(f"{_JAVA}, and there is none; on Debian: apt-get install openjdk-17-jre-headless; or set JAVA_HOME")
    if not os.access(java, os.X_OK):
        raise JobError(f"{_JAVA}; JAVA_HOME is {home}, and there is no program bin/java there: set or unset it")
    return java


def _java_version(java: str) -> str:
    try:
        done = subprocess.run([java, "-version"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, timeout=60)
        return done.stderr.partition("\n")[0]
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)


def open_session(name: str, master: str | None, memory: str | None = None) -> Any:
    """The session; JobError with what to do if there can be none. Under spark-submit its settings hold."""
    from pyspark.sql import SparkSession

    java = _find_java()
    builder = SparkSession.builder.appName(f"winnow {name}")
    if not master and "SPARK_ENV_LOADED" not in os.environ and "MASTER" not in os.environ:
        master = "local[*]"
    if master:
        builder = builder.master(master)
    settings = {
        "spark.ui.showConsoleProgress": "false",
        "spark.task.maxFailures": "12",  # machines and executors come and go
        "spark.sql.execution.arrow.maxRecordsPerBatch": "20000",
    }
    if master and master.startswith("local"):
        settings["spark.sql.shuffle.partitions"] = "8"  # 200 are for clusters
    if master and not master.startswith("local"):  # an executor on which a task fails, say of a full disk, does not get it again
        settings["spark.excludeOnFailure.enabled"] = "true"
        settings["spark.excludeOnFailure.task.maxTaskAttemptsPerNode"] = "11"
    if "SPARK_ENV_LOADED" not in os.environ:  # not under spark-submit
        # The workers have our interpreter. Without this Spark takes the first python3 of the PATH, which has no winnow
        # unless the environment was activated.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        if memory:
            settings["spark.driver.memory"] = memory
    for key, value in settings.items():
        builder = builder.config(key, value)
    try:
        session = builder.getOrCreate()
    except Exception as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        if "JAVA_GATEWAY_EXITED" in reason:
            reason += f" {_JAVA}, and {java} says: {_java_version(java)}"
        raise JobError(f"Spark does not start: {reason}") from error
    session.sparkContext.setLogLevel("ERROR")
    if not session.sparkContext.master.startswith("local"):
        threading.Thread(target=_say_if_waiting, args=(session.sparkContext,), daemon=True).start()
    return session


def _say_if_waiting(context: Any) -> None:
    """A cluster that is busy or lost lets a job wait for ever, and Spark says so only in a log that is switched off here."""
    time.sleep(_PATIENCE)
    try:
        executors = context._jsc.sc().getExecutorMemoryStatus().size() - 1  # one of them is the driver
        memory = context.getConf().get("spark.executor.memory", "1g")
    except Exception:  # the session has ended
        return
    if executors < 1:
        print(f"winnow: {context.master} has started no executor in {_PATIENCE:.0f} s; the job waits until there are free cores, and "
              f"{memory} of memory beside them (spark.executor.memory)", file=sys.stderr, flush=True)


class Progress:
    """Counts of the tasks, shown on standard error now and then: pages, MB, pages/s, failed, time left."""

    def __init__(self, context: Any, total_bytes: int, quiet: bool):
        self.pages, self.failed, self.bytes = (context.accumulator(0) for _ in range(3))
        self.total, self.quiet, self.start = total_bytes, quiet, time.monotonic()
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._show, daemon=True)

    def line(self) -> str:
        seconds = max(time.monotonic() - self.start, 1e-3)
        done = min(self.bytes.value / self.total, 1.0) if self.total else 0.0
        left = f", {seconds / done - seconds:,.0f} s left" if 0 < done < 1 else ""
        return (f"{self.pages.value:,} pages, {self.bytes.value / 1e6:,.1f} of {self.total / 1e6:,.1f} MB, "
                f"{self.pages.value / seconds:,.0f} pages/s, {self.failed.value:,} failed{left}")

    def _show(self) -> None:
        while not self.ended.wait(2.0):
            print(f"winnow: {self.line()}", file=sys.stderr, flush=True)

    def __enter__(self) -> "Progress":
        if not self.quiet:
            self.thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self.ended.set()
        if not self.quiet:
            self.thread.join()
            print(f"winnow: {self.line()}", file=sys.stderr, flush=True)
