"""Compares winnow's trees with lexbor's, page by page: names, attributes, text and structure.

    compare_trees.py TREE_DUMP FOLDER [SHOWN]

TREE_DUMP is the program made from tree_dump.c, which describes the form that is compared. Both
parsers read the same decoded text with scripting off. Prints the number of equal trees and, for up
to SHOWN (30) of the others, the first line that differs.
"""

import hashlib
import subprocess
import sys
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser


def escape(text):
    return (text or "").replace("\n", "\\n")


def dump(tree):
    """lexbor's tree in the form of tree_dump.c; without recursion, for pages that nest deeply."""
    lines = []
    node, depth = tree.root, 0
    while node is not None:
        indent = " " * depth
        child = None
        if node.is_element_node:
            tag = node.tag
            lines.append(f"{indent}<{tag}")
            attributes = node.attributes
            if attributes:
                lines += [f"{indent}@{name}={escape(attributes[name])}"
                          for name in sorted(attributes, key=str.encode)]
            child = node.first_child
        elif node.is_text_node:
            lines.append(f'{indent}"{escape(node.text_content)}')
        if child is not None:
            node, depth = child, depth + 1
            continue
        while node is not None and node.next is None:
            node, depth = node.parent, depth - 1
            if depth <= 0:
                node = None
        node = node.next if node is not None else None
    return "\n".join(lines) + "\n"


def pages_of(program, folder):
    """Yields name, decoded input and dump of each page."""
    names = sorted(p.name for p in Path(folder).iterdir() if not p.name.startswith("."))
    process = subprocess.Popen([program, folder], stdout=subprocess.PIPE)
    for name in names:
        _, input_size, dump_size = map(int, process.stdout.readline().split())
        yield name, process.stdout.read(input_size), process.stdout.read(dump_size)
    process.wait()


def first_difference(ours, theirs):
    ours, theirs = ours.split("\n"), theirs.split("\n")
    for number, (a, b) in enumerate(zip(ours, theirs), 1):
        if a != b:
            break
    else:
        number = min(len(ours), len(theirs)) + 1
        a, b = (lines[number - 1] if number <= len(lines) else "(end)" for lines in (ours, theirs))
    before = ours[number - 2] if number > 1 else ""
    return number, before, a, b


def digest(text):
    return hashlib.sha256(text).digest()


def main():
    program, folder = sys.argv[1:3]
    shown = int(sys.argv[3]) if len(sys.argv) > 3 else 30
    same = total = 0
    for name, source, ours in pages_of(program, folder):
        theirs = dump(LexborHTMLParser(source))
        total += 1
        if digest(ours) == digest(theirs.encode("utf-8", "surrogatepass")):
            same += 1
        elif shown > 0:
            shown -= 1
            number, before, a, b = first_difference(ours.decode("utf-8", "replace"), theirs)
            print(f"{name} differs in line {number}, after {before.strip()[:100]!r}")
            print(f"    winnow {a[:160]!r}\n    lexbor {b[:160]!r}")
    print(f"The same tree as lexbor's on {same} of {total} pages ({100 * same / total:.2f}%)")


main()
