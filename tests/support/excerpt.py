"""What a test that failed said about it, from output that may be thousands of lines long.

    excerpt(output)    the lines to show: those of each failure, and the last ones of the output

Failures are found by the marks of the programs that run tests here: TAP (node), unittest, cmocka,
compilers and sanitizers. Short output is shown whole.
"""

import re

WHOLE = 60  # lines of output that are shown without a choice
TAIL = 30
LONGEST_BLOCK = 60  # of one failure; a longer one loses its middle
MOST_LINES = 400  # of all failures together

UNITTEST_RULE = "=" * 70
UNITTEST_END = re.compile(r"-{70}$")
TAP_FAILURE = re.compile(r"( *)not ok \d+(?!.*# (?:TODO|SKIP))")
CMOCKA_START = re.compile(r"\[ RUN +\] (.*)")
CMOCKA_FAILURE = re.compile(r"\[ +FAILED +\] (?!\d+ test)(.*)")
# Of a compiler, a linker, a sanitizer, a Python script, or a test that says so itself.
ERROR = re.compile(r"(?i:\b(?:fatal error|error|warning|runtime error): )|undefined reference|"
                   r"^Traceback \(most recent|^(?:FAILED|FAIL|not equal|SUMMARY)\b")
BEFORE_ERROR, AFTER_ERROR = 1, 8


def end_of_tap(lines, start, indent):
    """The line after the description of a failure: "  ---" to "  ..." below it."""
    if start + 1 < len(lines) and lines[start + 1] == indent + "  ---":
        for i in range(start + 2, len(lines)):
            if lines[i] == indent + "  ...":
                return i + 1
    return start + 1


def end_of_unittest(lines, start):
    """The line after a block "=====", "FAIL: …", "-----", traceback."""
    for i in range(start + 3, len(lines)):
        if lines[i] == UNITTEST_RULE or UNITTEST_END.match(lines[i]) and lines[i + 1:i + 2] and lines[i + 1].startswith("Ran "):
            return i
    return len(lines)


def failure_at(lines, i, running):
    """(start, end) of the failed test that line `i` reports; None if it reports none."""
    line = lines[i]
    if found := TAP_FAILURE.match(line):
        return i, end_of_tap(lines, i, found[1])
    if line == UNITTEST_RULE and lines[i + 1:i + 2] and re.match("FAIL|ERROR", lines[i + 1]):
        return i, end_of_unittest(lines, i)
    if found := CMOCKA_FAILURE.match(line):
        return running.get(found[1], i), i + 1
    return None


def blocks_of(lines):
    """(start, end) of each failure, in order; they may overlap."""
    running = {}  # the line on which each cmocka test began
    covered = 0  # lines up to here belong to a failure; errors in them are not shown once more
    for i, line in enumerate(lines):
        if found := CMOCKA_START.match(line):
            running[found[1]] = i
        elif failure := failure_at(lines, i, running):
            covered = failure[1]
            yield failure
        elif i >= covered and ERROR.search(line):
            yield max(0, i - BEFORE_ERROR), min(len(lines), i + 1 + AFTER_ERROR)


def chosen_lines(lines):
    """The numbers of the lines to show."""
    chosen = set()
    for start, end in blocks_of(lines):
        half = LONGEST_BLOCK // 2
        block = range(start, end)
        new = set(block if len(block) <= LONGEST_BLOCK else [*block[:half], *block[-half:]])
        if len(chosen | new) > MOST_LINES:
            break
        chosen |= new
    return chosen | set(range(max(0, len(lines) - TAIL), len(lines)))


def excerpt(output):
    lines = output.rstrip().split("\n")
    if len(lines) <= WHOLE:
        return lines
    shown, last = [], -1
    for i in sorted(chosen_lines(lines)):
        if i > last + 1:
            shown.append(f"[… {i - last - 1} lines]")
        shown.append(lines[i])
        last = i
    return shown
