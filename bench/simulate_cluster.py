#!/usr/bin/env python3
"""Replays measured tasks as a month of Common Crawl on clusters of 10 to 10,000 executors, for docs/scale.md.

    bench/simulate_cluster.py [--write]

bench/spark_tasks.csv, which `bench/spark --tasks` writes, has the compressed bytes and the times of real tasks of the job
`extract`, and the number of empty tasks that the driver handed out per second. A task of the month is an archive of 1.1 GB: as
many measured tasks, drawn at random, as fill it. Executors of one core take tasks as Spark hands them out, one after the other.
What cannot be measured on one machine is assumed, by the constants below: some machines are slow, executors are lost at random
and their task starts again elsewhere, and near the end a task that takes very long is run a second time (spark.speculation).
"""

import argparse
import heapq
import random
import re
import statistics
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ARCHIVES, BYTES = 90_000, 100e12  # of a month, compressed
SLOW_SHARE, SLOW_FACTOR = 0.01, 5.0  # machines that are slow
LOST_PER_HOUR = 0.002  # of the executors
RESTART = 30.0  # seconds until there is another executor
SPECULATION = 3.0  # times the median, after which a task is run again


class Measured:
    """The tasks of bench/spark_tasks.csv."""

    def __init__(self, path):
        head, _, *rows = path.read_text(encoding="utf-8").splitlines()
        self.dispatch = 1 / float(re.search(r"([\d.]+) per second", head)[1])  # seconds of the driver per task
        self.tasks = [tuple(map(int, row.split(","))) for row in rows]
        self.rate = sum(task[0] for task in self.tasks) / sum(task[1] / 1000 for task in self.tasks)  # bytes/s of a core

    def archives(self, seed):
        """Seconds of each task of the month."""
        chance = random.Random(seed)
        size = BYTES / ARCHIVES
        return [self._archive(chance, size) for _ in range(ARCHIVES)]

    def _archive(self, chance, size):
        seconds, left = chance.choice(self.tasks)[2] / 1000, size
        while left > 0:
            task_bytes, work, _ = chance.choice(self.tasks)
            share = min(1.0, left / task_bytes)
            seconds += work / 1000 * share
            left -= task_bytes * share
        return seconds


def run_all(times, executors, dispatch, chance):
    """(end, seconds, task) of each task, when each executor is free, and the seconds that were lost with executors."""
    factor = [SLOW_FACTOR if chance.random() < SLOW_SHARE else 1.0 for _ in range(executors)]
    free = [(0.0, e) for e in range(executors)]
    fresh, lost = list(range(len(times)))[::-1], []  # lost: (when, task) of those whose executor was lost
    ends, wasted, handed = [], 0.0, 0.0
    while fresh or lost:
        at, executor = heapq.heappop(free)
        handed = max(handed + dispatch, at)  # the driver hands out one task after the other
        if lost and (lost[0][0] <= handed or not fresh):
            known, task = heapq.heappop(lost)
            begin = max(handed, known)
        else:
            begin, task = handed, fresh.pop()
        seconds = times[task] * factor[executor]
        lost_after = chance.expovariate(LOST_PER_HOUR / 3600)
        if lost_after < seconds:
            wasted += lost_after
            heapq.heappush(lost, (begin + lost_after, task))
            heapq.heappush(free, (begin + lost_after + RESTART, executor))
            continue
        heapq.heappush(free, (begin + seconds, executor))
        ends.append((begin + seconds, seconds, task))
    return ends, free, wasted


def speculate(times, ends, free):
    """(seconds in all, seconds spent twice) if late tasks are run again as soon as an executor is idle."""
    limit = SPECULATION * statistics.median(seconds for _, seconds, _ in ends)
    idle = sorted(at for at, _ in free)
    late = sorted((task for task in ends if task[1] > limit), reverse=True)
    finish = max((end for end, seconds, _ in ends if seconds <= limit), default=0.0)
    twice = 0.0
    for (end, seconds, task), at in zip(late, idle):
        begin = max(end - seconds + limit, at)
        again = begin + times[task]
        twice += max(0.0, min(end, again) - begin)
        finish = max(finish, min(end, again))
    finish = max([finish, *(end for end, _, _ in late[len(idle):])])
    return finish, twice


def table(measured):
    times = measured.archives(1)
    work = sum(times)
    lines = ["| executors (one core) | hours | hours without speculation | core-hours | lost or twice | efficiency |",
             "| ---: | ---: | ---: | ---: | ---: | ---: |"]
    for executors in (10, 100, 1000, 10_000):
        ends, free, wasted = run_all(times, executors, measured.dispatch, random.Random(2))
        plain = max(end for end, _, _ in ends)
        finish, twice = speculate(times, ends, free)
        lines.append(f"| {executors:,} | {finish / 3600:,.2f} | {plain / 3600:,.2f} | {(work + wasted + twice) / 3600:,.0f} | "
                     f"{(wasted + twice) / work:.2%} | {work / (finish * executors):.0%} |")
    lines += ["", f"Replayed: {len(measured.tasks)} measured tasks, {measured.rate / 1e6:.1f} MB of compressed archives per second "
              f"and core; the driver hands out {1 / measured.dispatch:.0f} tasks per second."]
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="put the table into docs/scale.md")
    options = parser.parse_args()
    path = ROOT / "bench/spark_tasks.csv"
    if not path.exists():
        raise SystemExit("bench/simulate_cluster.py: no measured tasks; bench/spark --tasks writes bench/spark_tasks.csv")
    lines = table(Measured(path))
    print("\n".join(lines))
    if options.write:
        path = ROOT / "docs/scale.md"
        marks = r"(<!-- bench/simulate_cluster -->\n).*?(<!-- end -->)"
        path.write_text(re.sub(marks, lambda m: m[1] + "\n".join(lines) + "\n" + m[2], path.read_text(), flags=re.S))


if __name__ == "__main__":
    main()
