#!/usr/bin/env python3
"""The manual pages against the program: every command has a page, every option of a command is in its page,
every option of a page is one of the command, and the pages are well-formed.

    test_manual.py build/winnow [-v] [NAME...]
"""

import json
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/support"))
import outside  # noqa: E402

WINNOW = "winnow"
OPTION = re.compile(r"^ {2}(?:-(\w), | {4})--([a-z-]+)", re.MULTILINE)


def run(*args, **kwargs):
    return subprocess.run([WINNOW, *args], stdout=subprocess.PIPE, text=True, check=True, **kwargs).stdout


def commands(*group):
    """The names of commands that --help lists, without `help` itself."""
    listed = run(*group, "--help").split("Commands:\n")[1].split("\n\n")[0]
    return [line.split()[0] for line in listed.splitlines() if line.split()[0] != "help"]


def page(command):
    return ROOT / f"man/winnow-{command}.1"


def text_of(path):
    return path.read_text(encoding="utf-8").replace("\\-", "-")


def options_of_help(command):
    """(letter, name) of each option of a command, and of its commands."""
    found = set(OPTION.findall(run(command, "--help")))
    if command == "corpus":
        for name in commands("corpus"):
            found |= set(OPTION.findall(run("corpus", name, "--help")))
    return found


def heads(text):
    """The names of options that have a paragraph, or share one."""
    lines = re.findall(r"^\.TP\n(.*)$", text, re.MULTILINE)
    return {name for line in lines for name in re.findall(r"--([a-z-]+)", line)}


class Manual(unittest.TestCase):
    def test_every_command_has_a_page(self):
        self.assertEqual({page(name).name for name in commands()} | {"winnow.1"},
                         {path.name for path in (ROOT / "man").iterdir()})

    def test_every_option_is_in_the_page_of_its_command(self):
        for command in commands():
            text = text_of(page(command))
            for letter, name in options_of_help(command) - {("", "help")}:
                self.assertIn(name, heads(text), command)
                if letter:
                    self.assertRegex(text, rf"(?m)^\.B.* ?-{letter}\b", f"{command} -{letter}")

    def test_every_option_of_a_page_is_one_of_the_command(self):
        for command in commands():
            known = {name for _, name in options_of_help(command)} | {"help"}
            self.assertEqual(heads(text_of(page(command))) - known, set(), command)

    def test_each_command_of_corpus_has_its_options(self):
        parts = re.split(r"^\.SS ", text_of(page("corpus")), flags=re.MULTILINE)
        sections = {part.split()[1]: part for part in parts if part.startswith("corpus ")}
        shared = heads(next(part for part in parts if part.startswith("Which pages"))) | {"help", "color"}
        self.assertEqual(set(sections), set(commands("corpus")))
        for name, section in sections.items():
            options = {option for _, option in OPTION.findall(run("corpus", name, "--help"))}
            self.assertEqual(options - heads(section) - shared, set(), name)

    def test_the_page_of_extract_has_the_keys_of_records_in_their_order(self):
        section = text_of(page("extract")).split("A record has these keys")[1].split("\n.SH")[0]
        found = [key for line in re.findall(r"^\.TP\n\.BR? (.*)$", section, re.MULTILINE) for key in re.findall(r"[a-z_]+", line)]
        line = {"html": "<title>Mills</title><p>A mill. <img src=a.png alt=wheel> " + "It grinds grain all day. " * 20}
        record = run("extract", "-q", "-f", "jsonl", "--explain", "--links", "--images", "--text-format", "md", "--timing",
                     "--from", "jsonl", "-", input=json.dumps(line))
        self.assertEqual([key for key in found if key != "inner"], list(json.loads(record)))

    def test_the_overview_names_all_pages(self):
        overview = text_of(ROOT / "man/winnow.1")
        for command in commands():
            self.assertGreaterEqual(overview.count(f"winnow-{command} (1)"), 2, command)

    def test_version(self):
        version = run("--version").strip()
        for path in (ROOT / "man").iterdir():
            self.assertIn(f'"{version}"', text_of(path).split(".TH", 1)[1].split("\n")[0], path.name)

    def test_pages_are_well_formed(self):
        if not shutil.which("mandoc"):
            self.skipTest("mandoc is not installed")
        done = subprocess.run(["mandoc", "-Tlint", "-Wwarning", *sorted(map(str, (ROOT / "man").iterdir()))],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    sys.exit(outside.main(sys.modules[__name__]))
