#!/usr/bin/env python3
"""Inputs made to cost more than they should.

    test_attacks.py build/winnow [-v] [--large] [--limits] [--write FILE] [NAME...]
    test_attacks.py --recipes FOLDER

Each attack makes an input of size n. The program reads it at n, 2n and 4n, and its processor time and its
peak memory are measured. An attack fails if

  - the program crashes, or ends in another way than with exit code 0, 1 or 3;
  - time grows faster than the input, with a margin;
  - 4n takes more than SECONDS + SECONDS_PER_MB, or more than MEMORY + MEMORY_PER_BYTE (attack.py).

NAME is an attack or a stage. With --large, n is 8 times as large. With --limits the largest input is read
again with --max-memory 200M --max-time 2, by the commands that take them, and must stay below 250 MB and
2.5 s. --write puts a table by stage into FILE. With -v every measurement is printed. --recipes FOLDER runs
nothing; it writes those that repeat something as recipes of the performance fuzzers (fuzz/cost.h), which begin with them.

A new stage adds its own, to the module it belongs to: @attack(stage, command, n) before a function that
makes the input, or a line of repeated(). Ends with a line "N passed, N failed, N skipped".
"""

import os
import sys
from concurrent.futures import ThreadPoolExecutor

import attack
import attack_archives
import attack_pages
import attack_stores
import attack_styles

LARGE = 8
MODULES = (attack_pages, attack_styles, attack_stores, attack_archives)


def measure(winnow, one, scale, limits):
    runs, problem = attack.try_attack(winnow, one, scale)
    limited = None
    if limits and not problem and attack.takes_limits(one):
        limited, problem = attack.try_limited(winnow, one, scale)
    return one, runs, limited, problem


def show(one, runs, limited, problem):
    last = runs[-1]
    within = f"{limited.seconds:6.2f} s {limited.memory / 1e6:5.0f} MB limited" if limited else ""
    print(f"{'FAILED' if problem else 'ok':8}{one.stage:12} {one.name:32} {last.size / 1e3:7.0f} KB "
          f"{last.seconds:6.2f} s {last.memory / 1e6:6.0f} MB {within}  {problem}", flush=True)


def table(results):
    """Lines of Markdown: a row for each stage."""
    lines = ["| stage | inputs | size, up to | worst time per MB | worst memory | with limits |",
             "| --- | ---: | ---: | ---: | ---: | ---: |"]
    for stage in dict.fromkeys(one.stage for one, *_ in results):
        rows = [(runs[-1], limited) for one, runs, limited, _ in results if one.stage == stage]
        # Of short runs the start of the program would be most of the time.
        rates = [run.seconds / max(run.size / 1e6, 0.1) for run, _ in rows]
        limited = [run for _, run in rows if run]
        within = (f"{max(run.seconds for run in limited):.1f} s, {max(run.memory for run in limited) / 1e6:.0f} MB"
                  if limited else "")
        lines.append(f"| {stage} | {len(rows)} | {max(run.size for run, _ in rows) / 1e6:.1f} MB | {max(rates):.2f} s | "
                     f"{max(run.memory for run, _ in rows) / 1e6:.0f} MB | {within} |")
    return lines


def write_table(path, results):
    """Replaces what is between the two marks of the file."""
    begin, end = "<!-- attacks: begin -->\n", "<!-- attacks: end -->\n"
    with open(path, encoding="utf-8") as file:
        text = file.read()
    before, rest = text.split(begin)
    after = rest.split(end)[1]
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + begin + "\n" + "\n".join(table(results)) + "\n\n" + end + after)


METHODS = ("auto", "all", "lineblock", "bte", "xpath")  # as in fuzz/cost_extract.c
FORMATS = ("txt", "md", "json", "jsonl", "html", "xml", "tei", "csv")
LONGEST_RECIPE = 512


def option_of(words, name, values, default):
    value = words[words.index(name) + 1].split(":")[0] if name in words else default
    return values.index(value) if value in values else values.index(default)


def recipe_of(one):
    """The fuzzer that an attack is for, and its recipe; None if it is for none."""
    words = one.commands[0]
    first = words[0] if isinstance(words[0], str) else ""
    if first in ("words", "cloud"):
        fuzzer, choice = "words", 3
    elif first == "warc" or one.stage in ("warc", "compression", "json lines"):
        fuzzer, choice = "archive", int(one.stage == "json lines")
    elif first == "segment" or "eifce" in words or "fe" in words or "kfe" in words:
        fuzzer, choice = "layout", 0
    elif first == "extract":
        fuzzer = "extract"
        choice = option_of(words, "-m", METHODS, "auto") + len(METHODS) * option_of(words, "-f", FORMATS, "txt")
    else:
        return None
    parts = [p if isinstance(p, bytes) else p.encode("utf-8", "surrogatepass") for p in one.parts]
    recipe = bytes([choice]) + b"\xff".join(parts)
    return (fuzzer, recipe) if parts and b"\xff" not in b"".join(parts) and len(recipe) <= LONGEST_RECIPE else None


def write_recipes(folder):
    written = 0
    for one in attack.ATTACKS:
        if found := recipe_of(one):
            path = os.path.join(folder, found[0])
            os.makedirs(path, exist_ok=True)
            with open(os.path.join(path, f"{one.stage}-{one.name}".replace(" ", "-")), "wb") as file:
                written += file.write(found[1]) > 0
    print(f"{written} recipes")
    return 0 if written else 1


def main():
    if sys.argv[1] == "--recipes":
        return write_recipes(sys.argv[2])
    winnow, arguments = os.path.abspath(sys.argv[1]), sys.argv[2:]
    path = None
    if "--write" in arguments:
        at = arguments.index("--write")
        path = arguments[at + 1]
        del arguments[at:at + 2]
    names = [name for name in arguments if not name.startswith("-")]
    chosen = [a for a in attack.ATTACKS if not names or any(name in (a.name, a.stage) for name in names)]
    scale = LARGE if "--large" in arguments else 1
    results = []
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for result in pool.map(lambda one: measure(winnow, one, scale, "--limits" in arguments), chosen):
            results.append(result)
            if result[-1] or "-v" in arguments:
                show(*result)
    failed = sum(bool(result[-1]) for result in results)
    if path:
        write_table(path, results)
    print(f"{len(chosen) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
