#!/usr/bin/env bash
# The wheel where nothing of ours is installed, and the source distribution without the repository.
set -euo pipefail
cd "$(dirname "$0")/../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
check() { # NAME COMMAND...: one test
    if "${@:2}" >"$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1"
        tail -n 20 "$work/log"
    fi
}

tools/python_package build >/dev/null
wheel=$(ls "$PWD"/dist/winnow_extract-*.whl)
sdist=$(ls "$PWD"/dist/winnow_extract-*.tar.gz)
"${PYTHON:-python3}" -m venv "$work/clean"
"$work/clean/bin/pip" install -q --disable-pip-version-check --no-index "$wheel"

# No library of the package may come from the system, other than those that every Linux has (the
# rules of manylinux: libc, the compiler's, zlib).
only_inside() {
    local site
    site=$("$work/clean/bin/python" -c 'import winnow, os; print(os.path.dirname(winnow.__file__))')
    ldd "$site/_winnow.abi3.so" "$site/bin/winnow" | awk '$3 ~ "^/" { print $1, $3 }' | sort -u >"$work/libraries"
    ! grep -vE "winnow_extract\.libs|^(libc|libm|libpthread|libdl|librt|libresolv|libgcc_s|libstdc\+\+|libz)\.so" "$work/libraries"
}
check "libraries come from the wheel" only_inside

in_empty_environment() { env -i LD_LIBRARY_PATH= "$work/clean/bin/python" -I "$@"; }
check "import and extract" in_empty_environment -c '
import winnow
assert winnow.extract("<p>Take flour and water, and let it rest.</p>") == "Take flour and water, and let it rest.\n"
assert [p.text for p in winnow.extract_many(["<p>Take flour and water.</p>"] * 9, threads=2)][8]
assert all(winnow.components()[name] is not None for name in ("uchardet", "ICU", "libthai", "libstemmer"))
assert winnow.words("ฉันรักภาษาไทย") == ["ฉัน", "รัก", "ภาษา", "ไทย"]'
check "python -m winnow" in_empty_environment -m winnow extract tests/pages/article.html
check "the command winnow" env -i "$work/clean/bin/winnow" --version

# The dictionary of Thai comes with the wheel: without that of the system the words are the same.
thai_alone() {
    mkdir "$work/thai"
    cp "$("$work/clean/bin/python" -c 'import winnow; print(winnow._data)')/thbrk.tri" "$work/thai"
    cmp "$work/thai/thbrk.tri" /usr/share/libthai/thbrk.tri
}
[ ! -e /usr/share/libthai/thbrk.tri ] || check "the dictionary of Thai" thai_alone

for newer in ${WINNOW_PYTHONS:-}; do
    "$newer" -m venv "$work/newer"
    "$work/newer/bin/pip" install -q --no-index "$wheel"
    check "$newer" "$work/newer/bin/python" -I -c 'import winnow; assert winnow.parse("<title>Bread</title><p>x").title == "Bread"'
    rm -rf "$work/newer"
done

# What a source distribution needs is in it: it configures without the repository.
tar -xzf "$sdist" -C "$work"
has_sources() { cd "$work"/winnow_extract-*/ && cmake -S . -B "$work/configured" -DWINNOW_PYTHON=ON -DWINNOW_INSTALL=OFF; }
check "the source distribution configures" has_sources
check "the source distribution is small" test "$(stat -c %s "$sdist")" -lt 5000000

echo "$passed passed, $failed failed"
[ $failed = 0 ]
