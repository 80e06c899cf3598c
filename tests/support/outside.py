"""How tests that run the program from outside are started.

    test_NAME.py build/winnow [-v] [NAME...]

The last line is "N passed, N failed, N skipped".
"""

import os
import sys
import unittest


def main(module):
    """Runs the tests of a module, whose WINNOW becomes the program that is named; returns the exit code."""
    module.WINNOW = os.path.abspath(sys.argv[1])
    arguments = sys.argv[2:]
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{name}*" for name in arguments if not name.startswith("-")] or None
    suite = loader.loadTestsFromModule(module)
    result = unittest.TextTestRunner(verbosity=2 if "-v" in arguments else 1).run(suite)
    failed = len(result.failures) + len(result.errors)
    skipped = len(result.skipped)
    print(f"{result.testsRun - failed - skipped} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not result.testsRun else 0
