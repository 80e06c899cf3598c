#!/usr/bin/env python3
"""Every record of a run against docs/record.schema.json.

    tests/formats/test_schema.py build/winnow

The pages of tests/pages and tests/formats with every option that adds keys, and inputs that fail. The part of JSON Schema that
the file uses is checked here, so that no package is needed. Ends with a line "N passed, N failed, N skipped".
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SCHEMA = json.loads((ROOT / "docs/record.schema.json").read_text())
TYPES = {"string": str, "object": dict, "array": list, "boolean": bool, "null": type(None)}
KNOWN = {"$schema", "$defs", "$ref", "title", "type", "enum", "required", "properties", "additionalProperties", "items"}


def has_type(value, name):
    if name in ("number", "integer"):
        return isinstance(value, (int,) if name == "integer" else (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def problems(value, schema, place="record"):
    """What is wrong with a value, as sentences."""
    assert set(schema) <= KNOWN, set(schema) - KNOWN
    if "$ref" in schema:
        return problems(value, SCHEMA["$defs"][schema["$ref"].rsplit("/", 1)[1]], place)
    found = []
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{place}: {value!r} is not one of {schema['enum']}")
    names = schema.get("type", [])
    if names and not any(has_type(value, name) for name in ([names] if isinstance(names, str) else names)):
        return [f"{place}: {value!r} is not {names}"]
    if isinstance(value, dict):
        found += [f"{place}: {key} is missing" for key in schema.get("required", []) if key not in value]
        for key, part in value.items():
            if key in schema.get("properties", {}):
                found += problems(part, schema["properties"][key], f"{place}.{key}")
            elif schema.get("additionalProperties") is False:
                found.append(f"{place}: {key} is not in the schema")
    if isinstance(value, list) and "items" in schema:
        for i, part in enumerate(value):
            found += problems(part, schema["items"], f"{place}[{i}]")
    return found


def records(winnow, *options):
    done = subprocess.run([winnow, "extract", "-q", "-f", "jsonl", *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=120)
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def pages(folder):
    """The pages of the suite as files."""
    for path in sorted((ROOT / "tests/formats").glob("*/*.txt")):
        page = path.read_text().split("===== md\n")[0].removeprefix("===== page\n")
        (folder / f"{path.parent.name}-{path.stem}.html").write_text(page)
    (folder / "binary.html").write_bytes(b"%PDF-1.7\n\x00\x01")
    (folder / "empty.html").write_bytes(b"")
    return folder


def main():
    winnow = Path(sys.argv[1]).resolve()
    runs = ([], ["--with-blocks", "--links", "--images"], ["--explain", "--links", "--images"], ["-m", "all", "--with-blocks"],
            ["--text-format", "md", "--timing"], ["-m", "bte", "--explain"], ["-m", "xpath", "--explain"])
    passed = failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pages(Path(name))
        for options in runs:
            made = records(winnow, *options, ROOT / "tests/pages", folder, folder / "missing.html")
            found = [f"{record['id']}: {problem}" for record in made for problem in problems(record, SCHEMA)]
            if len(made) < 100 or found:
                failed += 1
                print(f"{' '.join(map(str, options))}: {len(made)} records", *found[:10], sep="\n    ")
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
