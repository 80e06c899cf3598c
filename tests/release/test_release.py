#!/usr/bin/env python3
"""What is given to others: the tarball of the sources, the list of parts, the version everywhere.

    test_release.py [-v] [NAME...]
"""

import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
VERSION = ".".join(re.findall(r"^#define WINNOW_VERSION_\w+ (\d+)$", (ROOT / "include/winnow.h").read_text(), re.MULTILINE))


def is_repository():
    done = subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return done.returncode == 0


class Version(unittest.TestCase):
    def test_it_is_the_same_everywhere(self):
        self.assertEqual(json.loads((ROOT / "bindings/js/package.json").read_text())["version"], VERSION)
        self.assertIn(f"winnow ({VERSION}-", (ROOT / "debian/changelog").read_text().split("\n")[0])
        self.assertEqual(re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE).group(1), VERSION)
        for page in (ROOT / "man").iterdir():
            self.assertIn(f'"winnow {VERSION}"', page.read_text(encoding="utf-8"), page.name)


@unittest.skipUnless(is_repository(), "not a Git repository")
class Sources(unittest.TestCase):
    def make(self, umask):
        """The tarball of a clone elsewhere; its bytes."""
        folder = Path(tempfile.mkdtemp(prefix="winnow-release-"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        clone = folder / "clone"
        subprocess.run(["git", "clone", "-q", ROOT, clone], check=True, umask=umask)
        subprocess.run([clone / "tools/release", "dist"], check=True, umask=umask, stdout=subprocess.DEVNULL,
                       env={**os.environ, "TZ": "Asia/Bangkok" if umask else "UTC"})
        return (clone / f"dist/winnow-{VERSION}.tar.gz").read_bytes()

    def test_two_builds_give_the_same_bytes(self):
        one, other = self.make(0o022), self.make(0o077)
        self.assertEqual(hashlib.sha256(one).hexdigest(), hashlib.sha256(other).hexdigest())
        with tempfile.TemporaryFile() as file:
            file.write(gzip.decompress(one))
            file.seek(0)
            with tarfile.open(fileobj=file) as archive:
                members = archive.getmembers()
        names = {member.name for member in members}
        self.assertTrue({f"winnow-{VERSION}/{name}" for name in ("CMakeLists.txt", "include/winnow.h", "LICENSE")} <= names)
        self.assertTrue(all(name.startswith(f"winnow-{VERSION}") and ".." not in name for name in names))
        self.assertEqual({(member.uname, member.gname) for member in members}, {("root", "root")})
        self.assertEqual({oct(member.mode) for member in members if member.isfile()}, {"0o644", "0o755"})


class Parts(unittest.TestCase):
    def test_the_list_is_valid_and_the_same_every_time(self):
        done = subprocess.run([ROOT / "tools/release", "sbom"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode and "pip" in done.stderr:
            self.skipTest("PyPI is not within reach")
        self.assertEqual(done.returncode, 0, done.stderr)
        path = ROOT / f"dist/winnow-{VERSION}.cdx.json"
        parts = json.loads(path.read_text())
        self.assertEqual(parts["metadata"]["component"]["version"], VERSION)
        libraries = {part["name"] for part in parts["components"] if part["type"] == "library"}
        self.assertTrue({"libcurl", "zlib", "sqlite3", "icu-uc", "libstemmer"} <= libraries)
        again = subprocess.run([sys.executable, ROOT / "tools/sbom.py"], stdout=subprocess.PIPE, check=True).stdout
        self.assertEqual(again, path.read_bytes())


if __name__ == "__main__":
    unittest.main()
