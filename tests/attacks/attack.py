"""How attacks are described, run and judged; test_attacks.py has the manual.

An attack is a function that makes an input of about n bytes, and the commands that read it. Its result is
the page (text or bytes), a dict of files by their names, or an object with `folder_files` and `close` for
what is more than files. In the commands {page} is the file of the page, {folder} the folder with all
files, {n} the size.
"""

import json
import os
import resource
import shlex
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from typing import Callable

SECONDS, SECONDS_PER_MB = 0.6, 4.0
MEMORY, MEMORY_PER_BYTE = 100e6, 20
GROWTH = 3.0          # of time from 2n to 4n: linear is 2, quadratic 4
STEADY_SECONDS = 0.2  # what takes less is too short to tell how it grows
HANGS = 60            # seconds after which a run is ended

LIMITS = ["--max-memory", "200M", "--max-time", "2"]
LIMITED_SECONDS, LIMITED_MEMORY = 2.5, 250e6

GOOD_ENDS = (0, 1, 3)  # all is well; an input is not a page, or damaged; a page without content

ATTACKS = []


@dataclass
class Attack:
    name: str
    stage: str
    commands: list  # of lists of words
    n: int
    make: Callable
    bounded: bool = False  # a search that is quadratic by its nature, and refuses large pages
    parts: tuple = ()      # head, unit and tail, of one that repeats a unit


@dataclass
class Run:
    size: int
    seconds: float = 0
    memory: int = 0
    problem: str = ""


def add_attack(stage, command, n, name, make):
    commands = [shlex.split(one) for one in command.split(" && ")]
    ATTACKS.append(Attack(name, stage, commands, n, make))


def attack(stage, command, n):
    """Of a function that makes the input. Several commands have " && " between them."""
    def add(function):
        add_attack(stage, command, n, function.__name__, function)
        return function
    return add


def repeated(stage, command, n, **inputs):
    """Attacks that repeat something n bytes long: NAME=UNIT, or NAME=(HEAD, UNIT) or (HEAD, UNIT, TAIL)."""
    for name, parts in inputs.items():
        head, unit, tail = parts if isinstance(parts, tuple) and len(parts) == 3 else (
            (*parts, type(parts[0])()) if isinstance(parts, tuple) else (type(parts)(), parts, type(parts)()))
        add_attack(stage, command, n, name,
                   lambda size, head=head, unit=unit, tail=tail: head + unit * (size // len(unit)) + tail)
        ATTACKS[-1].parts = (head, unit, tail)


# ---- Running ---------------------------------------------------------------------------------------


def end_early():
    resource.setrlimit(resource.RLIMIT_CPU, (HANGS, HANGS))
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))


def put_files(folder, files):
    """Writes the files of an attack; returns the size of all."""
    size = 0
    for name, content in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        content = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
        with open(path, "wb") as file:
            file.write(content)
        size += len(content)
    return size


class Runner:
    """A small process that starts the program. The peak memory of a process counts from its fork, so one that
    was started from here would have that of the inputs made so far."""

    def __init__(self):
        self.process = subprocess.Popen([sys.executable, "-S", __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self, command, folder):
        """Exit code, seconds of processor time, peak memory in bytes."""
        self.process.stdin.write(json.dumps([command, folder]).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def serve_commands():
    """The work of that process: a command per line."""
    for line in sys.stdin:
        command, folder = json.loads(line)
        with open(os.path.join(folder, "messages"), "wb") as messages:
            process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=messages, preexec_fn=end_early)
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        print(json.dumps([process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024]), flush=True)


_runners = threading.local()


def run_command(command, folder, result):
    if not hasattr(_runners, "runner"):
        _runners.runner = Runner()
    code, seconds, memory = _runners.runner.run(command, folder)
    result.seconds += seconds
    result.memory = max(result.memory, memory)
    if code not in GOOD_ENDS:
        with open(os.path.join(folder, "messages"), "rb") as messages:
            result.problem = f"exit code {code}: {messages.read(300).decode('utf-8', 'replace')}"


def run(winnow, attack, factor, limited=False):
    """All commands of an attack, one after the other; their processor time is of all threads."""
    made = attack.make(attack.n * factor)
    server = made if hasattr(made, "close") else None
    files = server.folder_files if server else made if isinstance(made, dict) else {"page.html": made}
    try:
        with tempfile.TemporaryDirectory(prefix="attack-") as folder:
            result = Run(put_files(folder, files))
            values = {"page": os.path.join(folder, "page.html"), "folder": folder, "n": attack.n * factor}
            if server:
                result.size = server.size
                values["url"] = server.url
            for words in attack.commands:
                words = [word.format(**values) for word in words]
                run_command([winnow, *words, *(LIMITS if limited else [])], folder, result)
                if result.problem:
                    break
            return result
    finally:
        if server:
            server.close()


# ---- Judging ---------------------------------------------------------------------------------------


def problem_of(runs, bounded=False):
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
    # Inputs of several parts do not grow by exactly 2.
    growth = GROWTH * last.size / (2 * runs[-2].size) if len(runs) > 1 and runs[-2].size else GROWTH
    if not bounded and len(runs) > 1 and last.seconds > STEADY_SECONDS and last.seconds > growth * runs[-2].seconds:
        return "time grows faster than the input: " + ", ".join(f"{one.seconds:.2f} s" for one in runs)
    return ""


def try_attack(winnow, attack, scale=1):
    """The runs of an attack and what is wrong. What is too slow is measured again: others may use the machine."""
    for attempt in range(3):
        runs = [run(winnow, attack, 4 * scale)]
        # Where 4n takes no time, how it grows cannot be told, and need not be.
        if not runs[0].problem and STEADY_SECONDS < runs[0].seconds < 20:
            runs = [run(winnow, attack, scale), run(winnow, attack, 2 * scale), *runs]
        problem = problem_of(runs, attack.bounded)
        if not problem or runs[-1].problem or runs[-1].seconds > 20:
            break
    return runs, problem


def takes_limits(attack):
    """Whether its commands have --max-memory and --max-time."""
    return all(words[0] in ("extract", "segment", "words", "cloud") for words in attack.commands)


def try_limited(winnow, attack, scale=1):
    """The largest run again, with limits: they hold, whatever the input is."""
    for attempt in range(3):
        result = run(winnow, attack, 4 * scale, limited=True)
        problem = result.problem
        if not problem and result.memory > LIMITED_MEMORY:
            problem = f"{result.memory / 1e6:.0f} MB with {' '.join(LIMITS)}"
        if not problem and result.seconds > LIMITED_SECONDS:
            problem = f"{result.seconds:.2f} s with {' '.join(LIMITS)}"
            continue
        break
    return result, problem


if __name__ == "__main__":
    serve_commands()
