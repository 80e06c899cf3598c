#!/usr/bin/env python3
"""Inputs made to cost more than they should.

    test_attacks.py build/winnow [-v] [NAME...]

Each attack is a function that makes an input of size n. The program reads it at n, 2n and 4n, and its
processor time and its peak memory are measured. An attack fails if

  - the program crashes, or ends in another way than with exit code 0 or 1;
  - time or memory grow faster than the input, with a margin;
  - 4n takes more than SECONDS + SECONDS_PER_MB, or more than MEMORY + MEMORY_PER_BYTE.

A new stage adds its own: a function with @attack(stage, command, n). In the command {page} is the file
with the input and {folder} an empty folder. With -v every measurement is printed.
Ends with a line "N passed, N failed, N skipped".
"""

import itertools
import os
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from typing import Callable

SECONDS, SECONDS_PER_MB = 0.6, 4.0
MEMORY, MEMORY_PER_BYTE = 100e6, 20
GROWTH = 3.0          # of time from 2n to 4n: linear is 2, quadratic 4
STEADY_SECONDS = 0.2  # what takes less is too short to tell how it grows
HANGS = 60            # seconds after which a run is ended

ATTACKS = []


@dataclass
class Attack:
    name: str
    stage: str
    command: list
    n: int
    make: Callable


def attack(stage, command, n):
    def add(function):
        ATTACKS.append(Attack(function.__name__, stage, command.split(), n, function))
        return function
    return add


# ---- Methods -------------------------------------------------------------------------------------


@attack("lineblock", "extract -m lineblock --explain {page}", 50_000)
def nul_in_plaintext(n):
    """Decoded text is three times as long as its source."""
    return "<title>a b</title><plaintext>x" + "\0" * n


@attack("lineblock", "extract -m lineblock --explain {page}", 50_000)
def long_references(n):
    """The same by references that stand for more bytes than they have."""
    return "<title>a b</title><p>" + "&nGt;" * (n // 5)


# ---- Writers -------------------------------------------------------------------------------------


@attack("markdown", "extract -m all -f md {page}", 25_000)
def colons(n):
    """Each colon could be that of an address, which ends where the word does."""
    return "<p>" + ":" * n


@attack("markdown", "extract -m all -f md {page}", 100_000)
def addresses_in_one_word(n):
    return "<p>" + "https://" * (n // 8)


@attack("markdown", "extract -m all -f md {page}", 100_000)
def addresses_with_references(n):
    """An address with a reference in it gets no brackets, but the next one could."""
    return "<p>" + ",https://&amp;amp;" * (n // 18)


@attack("markdown", "extract -m all -f md {page}", 100_000)
def addresses_in_a_cell(n):
    return "<table><tr><th>a<th>b<tr><td>c<td>" + ",http://|" * (n // 9) + "</table>"


# ---- Styles --------------------------------------------------------------------------------------


@attack("styles", "extract -m eifce -f jsonl {page}", 50_000)
def long_generated_text(n):
    half = n // 2
    return f'<style>p::before{{content:"{"long " * (half // 5)}"}}</style>' + "<p>x</p>" * (half // 8)


@attack("styles", "extract -m eifce -f jsonl {page}", 50_000)
def generated_attributes(n):
    """A text that is copied for each element, as an attribute comes after it."""
    half = n // 2
    return f'<style>p::after{{content:"{"long " * (half // 5)}" attr(a)}}</style>' + "<p a=b>x</p>" * (half // 12)


@attack("styles", "extract -m eifce -f jsonl {page}", 200_000)
def words_of_long_attributes(n):
    rules = "".join(f"[a~=w{i}]{{color:red}}" for i in range(n // 60))
    return f"<style>{rules}</style>" + "".join(f'<p a="{"v " * (n // 60)}{i}">x</p>' for i in range(20))


@attack("styles", "extract -m eifce -f jsonl {page}", 200_000)
def parts_of_long_attributes(n):
    rules = "".join(f"[a*=w{i}w]{{color:red}}" for i in range(n // 60))
    return f"<style>{rules}</style>" + "".join(f'<p a="{"wv" * (n // 60)}{i}">x</p>' for i in range(20))


@attack("styles", "extract -m eifce -f jsonl {page}", 50_000)
def one_style_per_element(n):
    return "".join(f"<p style=width:{i}px>x</p>" for i in range(n // 25))


# ---- Layout --------------------------------------------------------------------------------------


@attack("layout", "extract -m eifce -f jsonl {page}", 19_000)
def grids_with_far_rows(n):
    return "<style>div{display:grid}p{grid-row:9999}</style>" + "<div><p>x</p></div>" * (n // 19)


@attack("layout", "extract -m eifce -f jsonl {page}", 30_000)
def grids_with_many_tracks(n):
    return ("<style>div{display:grid;grid-template-rows:repeat(1000,1px)}</style>" + "<div>x</div>" * (n // 12))


@attack("layout", "extract -m eifce -f jsonl {page}", 32_000)
def large_spans_in_a_grid(n):
    return ("<style>body{display:grid}p{grid-column:span 1000;grid-row:span 1000}</style>" + "<p>x</p>" * (n // 8))


@attack("layout", "extract -m eifce -f jsonl {page}", 32_000)
def long_rows_in_a_grid(n):
    return "<style>body{display:grid}p{grid-row:1/20000}</style>" + "<p>x</p>" * (n // 8)


@attack("layout", "extract -m eifce -f jsonl {page}", 32_000)
def dense_grid(n):
    return ("<style>body{display:grid;grid-auto-flow:dense;grid-template-columns:repeat(9,1fr)}</style>" +
            "<p>x</p>" * (n // 8))


@attack("layout", "extract -m eifce -f jsonl {page}", 32_000)
def many_full_grids(n):
    """Each has a million cells that are taken, and an item that looks for a free one."""
    return ("<style>div{display:grid;grid-auto-flow:dense}p{grid-area:1/1/1000/1000}</style>" +
            "<div><p>x</p><b>y</b></div>" * (n // 27))


@attack("layout", "extract -m eifce -f jsonl {page}", 64_000)
def wide_cells(n):
    return "<table><td colspan=1000>x</table>" * (n // 33)


@attack("layout", "extract -m eifce --max-memory 200M -f jsonl {page}", 500_000)
def limited_memory(n):
    """What is laid out with --max-memory takes no more than that."""
    return "".join(f"<p style=width:{i}px><b>x</b><i>y</i>" for i in range(n // 34))


# ---- Words ---------------------------------------------------------------------------------------


def colliding_words(count):
    """Words whose 32-bit FNV-1a ends in the same 18 bits: hash tables without a key put them into one
    place. From each state several blocks of letters lead to the same next one; k times b of them make
    b^k words."""
    state, stages, words, mask = 2166136261 & 0x3FFFF, [], 1, 0x3FFFF
    blocks = ["".join(letters) for letters in itertools.product("etaoinshrdlucmfw", repeat=4)]
    while words < count:
        ends = {}
        for block in blocks:
            end = state
            for letter in block.encode():
                end = (end ^ letter) * 16777619 & mask
            ends.setdefault(end, []).append(block)
        state = max(ends, key=lambda end: len(ends[end]))
        stages.append(ends[state])
        words *= len(ends[state])
    return ["".join(parts) for parts in itertools.islice(itertools.product(*stages), count)]


_flood = []


def flood(n):
    """A page whose words collide; n is the number of words."""
    if len(_flood) < n:
        _flood[:] = colliding_words(4 * n)
    return "<html lang=en><p>" + " ".join(_flood[:n])


@attack("cloud", "cloud -m all -f csv {page}", 2000)
def flood_of_a_cloud(n):
    return flood(n)


@attack("corpus", "corpus add {folder}/store.db -m all {page}", 2000)
def flood_of_a_store(n):
    return flood(n)


@attack("outlier", "extract -m outlier {page} {page}", 2000)
def flood_of_outliers(n):
    return flood(n)


@attack("styles", "extract -m eifce -f jsonl {page}", 1000)
def flood_of_classes(n):
    words = flood(n).split()[2:]
    return ("<style>" + "".join(f".{word}{{color:red}}" for word in words) + "</style>" +
            "".join(f"<p class={word}>x</p>" for word in words))


# ---- Measuring -----------------------------------------------------------------------------------


@dataclass
class Run:
    size: int
    seconds: float = 0
    memory: int = 0
    problem: str = ""


def end_early():
    resource.setrlimit(resource.RLIMIT_CPU, (HANGS, HANGS))
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))


def run(winnow, attack, content):
    """One run of the program; its processor time is of all its threads."""
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        page = os.path.join(folder, "page.html")
        with open(page, "wb") as file:
            file.write(content)
        inner = os.path.join(folder, "inner")
        os.mkdir(inner)
        command = [winnow] + [part.format(page=page, folder=inner) for part in attack.command]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, preexec_fn=end_early)
        message = process.stderr.read().decode("utf-8", "replace")
        _, status, usage = os.wait4(process.pid, 0)
        process.stderr.close()
        process.returncode = os.waitstatus_to_exitcode(status)
    result = Run(len(content), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)
    if process.returncode not in (0, 1):
        result.problem = f"exit code {process.returncode}: {message[:200]}"
    return result


def measure(winnow, attack, factor):
    content = attack.make(attack.n * factor)
    return run(winnow, attack, content if isinstance(content, bytes) else content.encode())


def problem_of(runs):
    """What is wrong with the runs of one attack; empty if nothing is."""
    for one in runs:
        if one.problem:
            return one.problem
    last = runs[-1]
    most_seconds = SECONDS + SECONDS_PER_MB * last.size / 1e6
    most_memory = MEMORY + MEMORY_PER_BYTE * last.size
    if last.seconds > most_seconds:
        return f"{last.seconds:.2f} s for {last.size} bytes, more than {most_seconds:.2f} s"
    if last.memory > most_memory:
        return f"{last.memory / 1e6:.0f} MB for {last.size} bytes, more than {most_memory / 1e6:.0f} MB"
    if last.seconds > STEADY_SECONDS and last.seconds > GROWTH * runs[-2].seconds:
        return "time grows faster than the input: " + ", ".join(f"{one.seconds:.2f} s" for one in runs)
    return ""


def try_attack(winnow, attack):
    """The runs of an attack and what is wrong. What is too slow is measured again: others may use the machine."""
    for attempt in range(2):
        runs = []
        for factor in (1, 2, 4):
            runs.append(measure(winnow, attack, factor))
            if runs[-1].problem or runs[-1].seconds > 20:
                break
        problem = problem_of(runs)
        if not problem or runs[-1].problem or runs[-1].seconds > 20:
            break
    return runs, problem


def main():
    winnow, arguments = os.path.abspath(sys.argv[1]), sys.argv[2:]
    names = [name for name in arguments if not name.startswith("-")]
    chosen = [a for a in ATTACKS if not names or any(name in (a.name, a.stage) for name in names)]
    failed = 0
    for one in chosen:
        runs, problem = try_attack(winnow, one)
        failed += bool(problem)
        if problem or "-v" in arguments:
            last = runs[-1]
            print(f"{'FAILED' if problem else 'ok':8}{one.stage:10} {one.name:28} {last.size / 1e3:6.0f} KB "
                  f"{last.seconds:6.2f} s {last.memory / 1e6:6.0f} MB  {problem}", flush=True)
    print(f"{len(chosen) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
