"""What the tests share: the program to compare with, data sets, sample pages.

The data sets are found by tools/data ($WINNOW_DATA); tests that need one are skipped without it.
"""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def program():
    """build/winnow, or the one that $WINNOW names."""
    path = Path(os.environ.get("WINNOW", ROOT / "build/winnow"))
    if not path.exists():
        pytest.skip(f"the program {path} is not built")
    return path


def find_data(name):
    found = subprocess.run([ROOT / "tools/data", name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if found.returncode:
        pytest.skip(f"the data set {name} is not here")
    return Path(found.stdout.strip()) / name


@pytest.fixture(scope="session")
def data():
    return find_data


@pytest.fixture(scope="session")
def article():
    return (ROOT / "tests/pages/article.html").read_bytes()


@pytest.fixture(scope="session")
def sample_pages():
    """Pages of the repository, for tests that must not depend on data sets."""
    return sorted((ROOT / "tests/pages").rglob("*.html"))


def pytest_terminal_summary(terminalreporter):
    """The line that tests/run counts by."""
    stats = {key: len(terminalreporter.stats.get(key, ())) for key in ("passed", "failed", "error", "skipped")}
    terminalreporter.write_line(f"{stats['passed']} passed, {stats['failed'] + stats['error']} failed, "
                                f"{stats['skipped']} skipped")
