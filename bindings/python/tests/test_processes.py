"""Processes: fork, spawn, the end of the interpreter, subinterpreters."""

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest
import winnow

HTML = "<title>Bread</title><h1>Bread</h1>" + "<p>Take flour and water.</p>" * 500


def run(code, **more):
    return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=60, **more)


def title(html):
    return winnow.parse(html).title


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_pools(method):
    x = winnow.Extractor(format="markdown")
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(title, [HTML] * 6) == ["Bread"] * 6
        assert pool.map(x.extract, [HTML] * 6) == [x.extract(HTML)] * 6
        pages = pool.map(winnow.parse, [HTML] * 3)
        assert [p.text for p in pages] == [winnow.extract(HTML)] * 3


def in_child(work):
    """Runs work() in a forked child; 0 if it returned True in time."""
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            os._exit(0 if work() else 1)
        except BaseException:
            os._exit(2)
    return os.waitpid(child, 0)[1]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fork_while_threads_work():
    many = winnow.extract_many((HTML for _ in range(10_000)), threads=2)
    next(many)
    pages = [winnow.parse(HTML) for _ in range(4)]
    stop = threading.Event()
    def busy():
        while not stop.is_set():
            for p in pages:
                p.select("all").text
    workers = [threading.Thread(target=busy) for _ in range(3)]
    [w.start() for w in workers]

    def child():
        try:
            next(many)
            return False
        except RuntimeError:
            pass
        good = winnow.extract(HTML) and [p.text for p in winnow.extract_many([HTML] * 4, threads=2)]
        good = good and all(p.select("all").text and p.text for p in pages)
        return bool(good)
    try:
        for _ in range(10):
            assert in_child(child) == 0
    finally:
        stop.set()
        [w.join() for w in workers]
    assert next(many).title == "Bread"


@pytest.mark.parametrize("end", ["", "sys.exit(0)", "del many", "import os; os.kill(os.getpid(), 15)"])
def test_interpreter_ends_while_an_iterator_runs(end):
    done = run(f"""
        import itertools, sys, winnow
        html = "<h1>Bread</h1>" + "<p>Take flour and water.</p>" * 2000
        many = winnow.extract_many((html for _ in itertools.count()), threads=4)
        next(many)
        {end}
    """)
    assert done.returncode in (0, -15), done.stderr
    assert done.stderr == ""


def test_interpreter_ends_while_a_daemon_thread_works():
    done = run("""
        import itertools, threading, time, winnow
        html = "<h1>Bread</h1>" + "<p>Take flour and water.</p>" * 2000
        def work():
            for page in winnow.extract_many((html for _ in itertools.count()), threads=2):
                page.markdown
        threading.Thread(target=work, daemon=True).start()
        time.sleep(0.3)
    """)
    assert done.returncode == 0, done.stderr


def test_keyboard_interrupt_ends_a_program():
    child = subprocess.Popen([sys.executable, "-c", textwrap.dedent("""
        import itertools, winnow
        html = "<h1>Bread</h1>" + "<p>Take flour and water.</p>" * 2000
        print("ready", flush=True)
        for page in winnow.extract_many((html for _ in itertools.count()), threads=2):
            page.text
    """)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    child.stdout.readline()
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=20)
    assert "KeyboardInterrupt" in errors and child.returncode in (1, 130, -2)


def test_subinterpreters():
    done = run("""
        try:
            import _xxsubinterpreters as interpreters
        except ImportError:
            import _interpreters as interpreters
        import winnow
        code = '''
        import winnow
        html = "<h1>Bread</h1><p>Take flour and water.</p>"
        assert winnow.extract(html) == "Bread\\\\n\\\\nTake flour and water.\\\\n"
        assert [p.text for p in winnow.extract_many([html] * 20, threads=2)] == [winnow.extract(html)] * 20
        page = winnow.parse(html)
        '''
        import textwrap
        for _ in range(3):
            try:
                other = interpreters.create("legacy")
            except TypeError:
                other = interpreters.create(isolated=False)
            failed = interpreters.run_string(other, textwrap.dedent(code))
            assert not failed, failed
            interpreters.destroy(other)
        assert winnow.extract("<h1>Bread</h1><p>Take flour.</p>")
        print("done")
    """)
    assert done.stdout == "done\n", done.stderr


def test_not_imported_twice_into_a_wrong_state():
    """The module can be imported again, as some test runners do."""
    done = run("""
        import sys, winnow, gc
        first = winnow.extract
        html = "<h1>Bread</h1><p>Take flour and water.</p>"
        page = winnow.parse(html)
        for name in [n for n in sys.modules if n.startswith("winnow")]:
            del sys.modules[name]
        import winnow as again
        del winnow
        gc.collect()
        assert again.extract(html) == first(html) == page.text == again.parse(html).text
        print("done")
    """)
    assert done.stdout == "done\n", done.stderr
