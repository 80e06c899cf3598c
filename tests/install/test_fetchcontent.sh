#!/usr/bin/env bash
# Winnow as a part of another project, with FetchContent (examples/CMakeLists.txt): only the libraries
# are built, nothing of winnow is installed, and the other project keeps its own flags.
set -uo pipefail
cd "$(dirname "$0")/../.."

. tests/support/check.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
build=$folder/build

builds() {
    cmake -S examples -B "$build" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON &&
        cmake --build "$build" -j"$(nproc)"
}

runs() {
    "$build/extract" | grep -F "throw grain into the air" &&
        "$build/many" tests/pages/article.html | grep -F ': ok, '
}

no_program() {
    [ -z "$(find "$build" -name winnow -type f)" ] && [ -z "$(find "$build" -name libwinnow_program.a)" ]
}

installs_nothing() {
    cmake --install "$build" --prefix "$folder/installed" && [ ! -e "$folder/installed" ]
}

# The examples are compiled without a build type, so no flag of winnow may be there.
keeps_flags() {
    python3 - "$build/compile_commands.json" <<'END'
import json, sys
commands = [c["command"] for c in json.load(open(sys.argv[1])) if "/examples/" in c["file"]]
found = [f for c in commands for f in c.split() if f.startswith(("-f", "-O", "-W", "-std", "-D_FORT", "-g"))]
sys.exit(f"flags of winnow: {found}" if found or not commands else 0)
END
}

check "the examples build with FetchContent" builds
check "the examples run" runs
check "the program is not built" no_program
check "nothing is installed" installs_nothing
check "the flags of the other project stay" keeps_flags

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
