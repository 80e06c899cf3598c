#!/usr/bin/env python3
"""What winnow is made of, as a list of components in CycloneDX 1.5 (https://cyclonedx.org/).

    tools/sbom.py                    writes the list to standard output
    tools/sbom.py --validate FILE    checks a list against the schema, with cyclonedx-python-lib from PyPI

The libraries are those that CMakeLists.txt asks pkg-config for, with the versions that are installed
here; the data are what the repository carries. The time is that of the last commit, and the serial
number follows from the content, so that the same sources and libraries give the same bytes.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import uuid
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# The licences of the libraries, as their projects state them, and what winnow uses each for.
LIBRARIES = {
    "uchardet": ("MPL-1.1 OR GPL-2.0-or-later OR LGPL-2.1-or-later", "guesses undeclared encodings"),
    "libthai": ("LGPL-2.1-or-later", "finds Thai words"),
    "icu-uc": ("Unicode-3.0", "finds words in scripts without spaces"),
    "libcurl": ("curl", "fetches pages"),
    "zlib": ("Zlib", "gzip and deflate"),
    "libdeflate": ("MIT", "gzip and deflate, faster"),
    "libzstd": ("BSD-3-Clause OR GPL-2.0-only", "zstd"),
    "liblz4": ("BSD-2-Clause", "lz4"),
    "libbrotlidec": ("MIT", "brotli"),
    "libpsl": ("MIT", "public suffixes of hosts"),
    "pangocairo": ("LGPL-2.0-or-later", "sets text in pictures"),
    "cairo": ("LGPL-2.1-only OR MPL-1.1", "draws pictures"),
    "sqlite3": ("blessing", "keeps collections in files"),
    "libpq": ("PostgreSQL", "keeps collections in PostgreSQL"),
    "libmicrohttpd": ("LGPL-2.1-or-later", "serves HTTP"),
}
STEMMER = ("libstemmer", "BSD-3-Clause", "stems of words")  # has no file for pkg-config


def version_of_winnow():
    parts = re.findall(r"^#define WINNOW_VERSION_\w+ (\d+)$", (ROOT / "include/winnow.h").read_text(), re.MULTILINE)
    return ".".join(parts)


def output_of(*command):
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def modules_of_the_build():
    """The modules of pkg-config that CMakeLists.txt asks for."""
    calls = re.findall(r"winnow_find\(\w+ ([^)]+)\)", (ROOT / "CMakeLists.txt").read_text())
    return sorted({module for call in calls for module in call.split()} - {"cairo-pdf"} | {"cairo"})


def library(name, version, licence, use):
    component = {"type": "library", "bom-ref": f"pkg:generic/{name}@{version}" if version else f"pkg:generic/{name}", "name": name}
    if version:
        component["version"] = version
    return {**component, "description": use, "scope": "required" if name in ("libcurl", "zlib") else "optional",
            "licenses": [{"expression": licence}] if " OR " in licence else [{"license": {"id": licence}}]}


def libraries():
    modules = modules_of_the_build()
    if unknown := set(modules) - set(LIBRARIES):
        sys.exit(f"tools/sbom.py: say what these are: {', '.join(sorted(unknown))}")
    found = [library(name, output_of("pkg-config", "--modversion", name), *LIBRARIES[name]) for name in modules]
    return [*found, library(STEMMER[0], None, *STEMMER[1:])]


def data_files():
    """The model and the tables that were made from other data."""
    for name, use in (("src/auto/model_data.c", "the model of the method auto, made by tools/train"),):
        content = (ROOT / name).read_bytes()
        yield {"type": "machine-learning-model", "bom-ref": name, "name": name, "description": use,
               "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(content).hexdigest()}]}


def make_list():
    version = version_of_winnow()
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or output_of("git", "log", "-1", "--format=%ct") or 0)
    components = sorted([*libraries(), *data_files()], key=lambda component: component["bom-ref"])
    main = f"pkg:generic/winnow@{version}"
    body = {
        "metadata": {
            "timestamp": datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {"type": "application", "bom-ref": main, "name": "winnow", "version": version, "purl": main,
                          "description": "the main content of web pages", "licenses": [{"license": {"id": "Apache-2.0"}}]},
        },
        "components": components,
        "dependencies": [{"ref": main, "dependsOn": [component["bom-ref"] for component in components]}],
    }
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(body, sort_keys=True))
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "serialNumber": f"urn:uuid:{serial}", "version": 1, **body}


def validate(path):
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator
    problem = JsonStrictValidator(SchemaVersion.V1_5).validate_str(Path(path).read_text())
    if problem:
        sys.exit(f"tools/sbom.py: {path} is not CycloneDX: {problem}")


def main():
    if sys.argv[1:2] == ["--validate"]:
        validate(sys.argv[2])
    else:
        json.dump(make_list(), sys.stdout, indent=2, ensure_ascii=False)
        print()


if __name__ == "__main__":
    main()
