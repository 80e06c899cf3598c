"""python -m winnow: the program winnow, which comes with the package."""

import os
import shutil
import sys
from pathlib import Path


def program() -> str:
    """The path of the program: in the package, or one that is installed."""
    inside = Path(__file__).parent / "bin" / "winnow"
    if inside.exists():
        return str(inside)
    # A console script of this package may be the first `winnow` in PATH: that one is not meant.
    scripts = str(Path(sys.argv[0]).resolve().parent)
    folders = [f for f in os.environ.get("PATH", "").split(os.pathsep) if Path(f).resolve() != Path(scripts)]
    found = shutil.which("winnow", path=os.pathsep.join(folders))
    if not found:
        sys.exit("winnow: this build of the package has no program, and none is installed")
    return found


def main() -> None:
    path = program()
    os.execv(path, ["winnow", *sys.argv[1:]])


if __name__ == "__main__":
    main()
