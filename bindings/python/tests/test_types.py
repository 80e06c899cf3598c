"""Types, docstrings and the examples in them."""

import doctest
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest
import winnow
import winnow._winnow

HERE = Path(__file__).parent


def test_docstrings():
    """Every public name is documented, and the examples are right."""
    runner = doctest.DocTestRunner()
    tried = 0
    objects = [winnow] + [getattr(winnow, name) for name in winnow.__all__ if name != "__version__"]
    for thing in objects:
        assert inspect.getdoc(thing), thing
        if inspect.isclass(thing):
            for name, member in vars(thing).items():
                if not name.startswith("_"):
                    assert inspect.getdoc(member), (thing, name)
        name = getattr(thing, "__name__", str(thing))
        tests = [doctest.DocTestParser().get_doctest(inspect.getdoc(thing), {}, name, None, 0)]
        if inspect.isclass(thing):
            tests += [doctest.DocTestParser().get_doctest(inspect.getdoc(m) or "", {}, f"{name}.{n}", None, 0)
                      for n, m in vars(thing).items() if not n.startswith("_")]
        for test in tests:
            tried += runner.run(test).attempted
    assert runner.failures == 0 and tried > 20


def test_help_is_enough():
    help_of_extract = inspect.getdoc(winnow.extract)
    for name in ("format", "method", "url", "charset", "precision", "recall", "comments", "tables", "links", "formatting",
                 "images", "metadata", "blocks", "standalone", "timeout", "max_bytes", "max_nodes", "max_depth",
                 "max_attributes", "max_memory", "site", "model", "noise", "sheet_base"):
        assert name in help_of_extract
        assert str(inspect.signature(winnow.extract)).startswith("(html")


def test_stubs_name_everything():
    stub = (Path(winnow.__file__).parent / "_winnow.pyi").read_text()
    for name in winnow.__all__:
        assert name in stub
        thing = getattr(winnow, name)
        if inspect.isclass(thing) and not issubclass(thing, tuple):
            body = re.split(rf"class {name}\b", stub)[1].split("\n@final")[0]
            for member in vars(thing):
                if not member.startswith("_"):
                    assert member in body, (name, member)


def mypy(*args):
    pytest.importorskip("mypy")
    return subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir=/dev/null", *map(str, args)],
                          stdout=subprocess.PIPE, text=True, cwd=HERE)


def test_mypy_takes_the_example():
    done = mypy(HERE / "typed_example.py")
    assert done.returncode == 0, done.stdout


def test_mypy_finds_mistakes(tmp_path):
    (tmp_path / "wrong.py").write_text("import winnow\nx: int = winnow.extract('')\nwinnow.extract('', colour=1)\n"
                                       "winnow.extract(3)\nwinnow.parse('').colour\n")
    done = mypy(tmp_path / "wrong.py")
    assert "Found 4 errors" in done.stdout, done.stdout
