#!/usr/bin/env python3
"""Stores that are damaged: what is in a database is input, and no input may crash the program.

    test_damaged.py build/winnow [-v] [--runs N]

A store in SQLite is changed by chance, a few bytes of it or its length, and then read by each command that reads
stores; the program must end by itself, with an exit code and not by a signal, in a few seconds. Run it with the
program of a sanitizer build to see reads out of bounds. With PostgreSQL, texts that are not UTF-8 are put into
tables; skipped where no server is installed. The last line is "N passed, N failed, N skipped".
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
import postgres  # noqa: E402

RUNS = 180    # damaged stores, unless --runs says otherwise
SECONDS = 60
READERS = ["corpus search {store} words OR page", "corpus show {store} 1 2", "corpus dedup -q --dry-run {store}",
           "corpus outliers -q --dry-run -k 2 -n 3 -j 1 {store}", "corpus export -q --stems {store}", "corpus stats {store}"]
GOOD_ENDS = (0, 1, 2, 3)


def make_pages(folder):
    (folder / "pages").mkdir()
    for i in range(12):
        text = f"<title>Page {i}</title><p>The words of page {i}, which has others too: w{i} \u0e20\u0e32\u0e29\u0e32 \u4e2d\u6587 " + f"more{i} " * 30
        (folder / f"pages/{i}.html").write_text(text, encoding="utf-8")


def damage(chance, content):
    """The same bytes but for some; a few are cut."""
    content = bytearray(content)
    if chance.random() < 0.2:
        return bytes(content[:chance.randrange(len(content))])
    for _ in range(chance.choice((1, 2, 8, 64))):
        content[chance.randrange(len(content))] = chance.choice((0, 0xFF, chance.randrange(256)))
    if chance.random() < 0.3:  # a text that ends in the middle of a character
        at = content.find(chance.choice((b"words", b"more", b"page", b"w1")), chance.randrange(len(content)))
        if at >= 0:
            content[at + 2:at + 4] = b"\xf0\x9f"
    return bytes(content)


def read(winnow, command, store):
    """What is wrong with how the program ends; empty if nothing is."""
    env = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0:exitcode=99:abort_on_error=0", "UBSAN_OPTIONS": "exitcode=99"}
    try:
        done = subprocess.run([winnow, *(word.format(store=store) for word in command.split())], env=env,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return f"{command}: hangs"
    if done.returncode not in GOOD_ENDS:
        return f"{command}: exit code {done.returncode}: {done.stderr[-600:].decode('utf-8', 'replace')}"
    try:
        done.stdout.decode()
    except UnicodeDecodeError:
        return f"{command}: its output is not UTF-8"
    return ""


def read_damaged(winnow, folder, content, number):
    chance = random.Random(number)
    own = folder / f"run{number}"
    own.mkdir()
    store = own / "store.db"
    store.write_bytes(damage(chance, content))
    command = READERS[number % len(READERS)]
    problem = read(winnow, command, store)
    shutil.rmtree(own)
    return f"damage {number}: {problem}" if problem else ""


def test_sqlite(winnow, folder, runs):
    store = folder / "store.db"
    subprocess.run([winnow, "corpus", "add", "-q", str(store), str(folder / "pages")], check=True)
    content = store.read_bytes()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda number: read_damaged(winnow, folder, content, number), range(runs)))


def test_postgres(winnow, folder):
    """Texts that are not UTF-8: a database in SQL_ASCII takes them."""
    server = postgres.Server()
    try:
        server.sql("CREATE DATABASE damaged ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
        store = f"postgresql://winnow@/damaged?host={server.folder}"
        added = subprocess.run([winnow, "corpus", "add", "-q", store, str(folder / "pages")], capture_output=True)
        if added.returncode not in GOOD_ENDS:
            return [f"add: exit code {added.returncode}: {added.stderr.decode()}"]
        columns = server.sql("SELECT table_name || ' ' || column_name FROM information_schema.columns WHERE table_schema = "
                             "'public' AND data_type = 'text'", "damaged").split("\n")
        for table, column in (line.split() for line in columns if line):
            server.sql(f"UPDATE {table} SET {column} = {column} || E'\\xf0\\x9f' WHERE {column} IS NOT NULL AND "
                       f"NOT EXISTS (SELECT 1 FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY(c.conkey) "
                       f"WHERE c.conrelid = '{table}'::regclass AND a.attname = '{column}')", "damaged")
        return [read(winnow, command, store) for command in READERS]
    finally:
        server.stop()


def main():
    winnow, arguments = os.path.abspath(sys.argv[1]), sys.argv[2:]
    runs = int(arguments[arguments.index("--runs") + 1]) if "--runs" in arguments else RUNS
    skipped = 0
    with tempfile.TemporaryDirectory(prefix="winnow-damaged-") as folder:
        folder = Path(folder)
        make_pages(folder)
        os.chmod(folder, 0o755)
        results = test_sqlite(winnow, folder, runs)
        if postgres.programs():
            results += test_postgres(winnow, folder)
        else:
            print("no PostgreSQL server is installed: its part is skipped")
            skipped = 1
    problems = [problem for problem in results if problem]
    for problem in problems[:10]:
        print(problem)
    print(f"{len(results) - len(problems)} passed, {len(problems)} failed, {skipped} skipped")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
