#!/usr/bin/env python3
"""What tests/run shows of a test that failed: real output of node, unittest, cmocka and gcc, made long.

    test_excerpt.py [-v] [NAME...]
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from excerpt import MOST_LINES, TAIL, WHOLE, excerpt

UNITTESTS = """
import unittest
class Many(unittest.TestCase):
    def test_wrong(self):
        self.assertEqual("expected-in-unittest", "found-in-unittest")
for i in range(200):
    setattr(Many, f"test_{i:03}", lambda self: None)
unittest.main(verbosity=2)
"""

TAP = """TAP version 13
# Subtest: the first
{before}    # Subtest: inner
    not ok 2 - inner
      ---
      duration_ms: 1.5
      failureType: 'testCodeFailure'
      error: 'Expected values to be strictly equal'
      expected: 'one'
      actual: 'two'
      stack: |-
        at file.mjs:12:10
      ...
    1..2
not ok 1 - the first
  ---
  error: '1 subtest failed'
  ...
not ok 2 - known to fail # TODO
{after}# pass 200
# fail 1
"""

CMOCKA = """[==========] Running 200 test(s).
{before}[ RUN      ] reads_tables
[  ERROR   ] --- 0x3 != 0x2
[   LINE   ] --- tests/unit/test_page.c:12: error: Failure!
[  FAILED  ] reads_tables
{after}[==========] 200 test(s) run.
[  PASSED  ] 199 test(s).
[  FAILED  ] 1 test(s), listed below:
[  FAILED  ] reads_tables
"""


class Excerpt(unittest.TestCase):
    def check(self, output, *expected):
        shown = "\n".join(excerpt(output))
        for text in expected:
            self.assertIn(text, shown)
        self.assertLess(len(shown.split("\n")), len(output.split("\n")))
        self.assertTrue(shown.endswith("\n".join(output.rstrip().split("\n")[-TAIL:])))
        return shown

    def test_short_output_is_whole(self):
        lines = [f"line {i}" for i in range(WHOLE)]
        self.assertEqual(excerpt("\n".join(lines) + "\n"), lines)

    def test_unittest(self):
        with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
            script.write(UNITTESTS)
            script.flush()
            done = subprocess.run([sys.executable, script.name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        output = done.stdout + "".join(f"server log {i}\n" for i in range(100))  # what comes after the failure
        shown = self.check(output, "FAIL: test_wrong", "expected-in-unittest", "found-in-unittest")
        self.assertNotIn("test_150", shown)

    def test_tap(self):
        before = "".join(f"    # Subtest: {i}\n    ok {i} - passes {i}\n" for i in range(200))
        after = "".join(f"ok {i} - later {i}\n" for i in range(3, 200))
        shown = self.check(TAP.format(before=before, after=after), "    not ok 2 - inner", "actual: 'two'",
                           "at file.mjs:12:10", "not ok 1 - the first", "1 subtest failed")
        self.assertNotIn("passes 100", shown)
        self.assertNotIn("known to fail", shown)

    def test_cmocka(self):
        lines = ["".join(f"[ RUN      ] {name}_{i}\n[       OK ] {name}_{i}\n" for i in range(100)) for name in "ab"]
        shown = self.check(CMOCKA.format(before=lines[0], after=lines[1]), "[  ERROR   ] --- 0x3 != 0x2", "test_page.c:12")
        self.assertNotIn("a_50", shown)

    def test_compiler(self):
        done = subprocess.run(["cc", "-xc", "-c", "-o", "/dev/null", "-"], input="int f(void) { return unknown_name; }\n",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        lines = "".join(f"[ {i}%] Building C object\n" for i in range(100))
        self.check(lines + done.stdout + lines, "unknown_name")

    def test_endless_failures(self):
        output = "".join(f"FAILED case {i}\nexpected one\ngot two\n" for i in range(5000))
        self.assertLess(len(excerpt(output)), MOST_LINES + TAIL + 10)
        self.check(output, "FAILED case 0", "FAILED case 4999")

    def test_gaps_are_counted(self):
        shown = excerpt("".join(f"line {i}\n" for i in range(200)))
        self.assertEqual(shown[0], f"[… {200 - TAIL} lines]")


if __name__ == "__main__":
    unittest.main()
