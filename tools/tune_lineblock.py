#!/usr/bin/env python3
"""Chooses what the paper of lineblock leaves open: D, the lines without text inside a line-block, and a λ for each
feature of `thresholds=sigma`.

    tools/tune_lineblock.py [--winnow PROGRAM] SET

The rule: the greatest mean LCS F1 on the set (cleaneval-dev) with `rule=rescue`, the default; of equal ones the
smallest values. A λ is above 0, which would leave its feature out. All combinations of the grid are tried. The chosen values belong into src/extract/lineblock.c.
"""

import argparse
import itertools
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DISTANCES = (0, 1, 2, 3, 5, 10)
GRID = {
    "lambda_ttr": (0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1),
    "lambda_attr": (0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 1, 1.5, 2),
    "lambda_tkd": (0.25, 0.5, 1, 1.5, 2, 3, 5),
}
AT_ONCE = 64  # methods of one run


def scores(winnow, folder, methods):
    """The mean LCS F1 of each method."""
    found = {}
    for start in range(0, len(methods), AT_ONCE):
        names = methods[start:start + AT_ONCE]
        command = [winnow, "eval", "-q", "-f", "json", "--no-timing", "--measure", "lcs", "-m", ",".join(names), folder]
        done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True)
        if done.returncode not in (0, 1):  # 1: some data could not be used
            sys.exit(f"winnow eval: exit status {done.returncode}")
        for name, method in zip(names, json.loads(done.stdout)["methods"]):
            found[name] = method["all"]["lcs"]["f1"]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--winnow", default=ROOT / "build" / "winnow", type=Path)
    parser.add_argument("set", type=Path)
    options = parser.parse_args()
    by_distance = scores(options.winnow, options.set, [f"lineblock:distance={d}" for d in DISTANCES])
    print("LCS F1 by distance:", ", ".join(f"{d} -> {score:.4f}" for d, score in zip(DISTANCES, by_distance.values())))
    names = {}
    for values in itertools.product(*GRID.values()):
        given = ",".join(f"{name}={value}" for name, value in zip(GRID, values))
        names[f"lineblock:thresholds=sigma,{given}"] = values
    found = scores(options.winnow, options.set, list(names))
    ranked = sorted(found, key=lambda name: (-round(found[name], 6), names[name]))
    for name in ranked[:10]:
        print(f"{found[name]:.4f}  {name}")


if __name__ == "__main__":
    main()
