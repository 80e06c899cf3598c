#!/usr/bin/env python3
"""Simulates the tasks of a month of Common Crawl on clusters of 10 to 10,000 executors, for docs/scale.md.

    bench/simulate_cluster.py [--pages-per-second 900] [--write]

A job is a list of tasks, one per archive. A task takes what its archive's pages take at the measured rate of one core; sizes
are spread as those of real archives are (log-normal). Executors with one core each take tasks in turn, as Spark hands them out.
Some tasks are slow (a bad machine), executors are lost at random and their task starts again, and near the end a slow task is
run a second time elsewhere (spark.speculation). Only the rate comes from a measurement; spread, slow machines, losses and the
speed of the driver are assumptions, the constants below.
"""

import argparse
import heapq
import random
import re
import statistics
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ARCHIVES, PAGES = 90_000, 3_000_000_000
SPREAD = 0.25  # sigma of the logarithm of a task's time
SLOW_SHARE, SLOW_FACTOR = 0.01, 5.0  # machines that are slow
LOST_PER_HOUR = 0.002  # of the executors
START = 0.15  # seconds that the driver takes to hand out a task, shared by all: 1 / (tasks per second)
DISPATCH = 1 / 400  # seconds of the driver per task


def task_times(rate, seed):
    chance = random.Random(seed)
    mean = PAGES / ARCHIVES / rate
    shift = -SPREAD ** 2 / 2  # so that the mean is the mean
    return [mean * chance.lognormvariate(shift, SPREAD) for _ in range(ARCHIVES)]


def simulate(times, executors, speculation, seed):
    """(seconds in all, core seconds that were lost or spent twice)."""
    chance = random.Random(seed)
    factor = [SLOW_FACTOR if chance.random() < SLOW_SHARE else 1.0 for _ in range(executors)]
    median = statistics.median(times)
    free = [(0.0, e) for e in range(executors)]
    heapq.heapify(free)
    waiting = list(range(len(times)))[::-1]
    ends, wasted, handed = [], 0.0, 0.0
    while waiting:
        task = waiting.pop()
        at, executor = heapq.heappop(free)
        handed = max(handed + DISPATCH, at)  # the driver hands out one task after the other
        seconds = times[task] * factor[executor] + START
        lost_after = chance.expovariate(LOST_PER_HOUR / 3600)
        if lost_after < seconds:
            wasted += lost_after
            waiting.append(task)
            heapq.heappush(free, (handed + lost_after + 30, executor))  # a new executor takes some seconds to start
            continue
        heapq.heappush(free, (handed + seconds, executor))
        ends.append((handed + seconds, seconds, task))
    finish = max(end for end, _, _ in ends)
    if speculation:
        # A task that takes three times the median is run again as soon as an executor is idle.
        idle = sorted(at for at, _ in free)
        late = sorted(((end, seconds, task) for end, seconds, task in ends if seconds > 3 * median), reverse=True)
        finish = max((end for end, seconds, _ in ends if seconds <= 3 * median), default=0.0)
        for (end, seconds, task), at in zip(late, idle):
            again = max(end - seconds + 3 * median, at) + times[task]
            wasted += max(0.0, min(end, again) - max(end - seconds + 3 * median, at))
            finish = max(finish, min(end, again))
        for end, _, _ in late[len(idle):]:
            finish = max(finish, end)
    return finish, wasted


def table(rate):
    times = task_times(rate, 1)
    work = sum(times)
    lines = ["| executors (one core) | hours | hours without speculation | core-hours | lost or twice | efficiency |",
             "| ---: | ---: | ---: | ---: | ---: | ---: |"]
    for executors in (10, 100, 1000, 10_000):
        finish, wasted = simulate(times, executors, True, 2)
        plain, _ = simulate(times, executors, False, 2)
        lines.append(f"| {executors:,} | {finish / 3600:,.2f} | {plain / 3600:,.2f} | {(work + wasted) / 3600:,.0f} | "
                     f"{wasted / work:.2%} | {work / (finish * executors):.0%} |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pages-per-second", type=float, default=900, help="of one core (default: 900)")
    parser.add_argument("--write", action="store_true", help="put the table into docs/scale.md")
    options = parser.parse_args()
    lines = table(options.pages_per_second)
    print("\n".join(lines))
    if options.write:
        path = ROOT / "docs/scale.md"
        marks = r"(<!-- bench/simulate_cluster -->\n).*?(<!-- end -->)"
        path.write_text(re.sub(marks, lambda m: m[1] + "\n".join(lines) + "\n" + m[2], path.read_text(), flags=re.S))


if __name__ == "__main__":
    main()
