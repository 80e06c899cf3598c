#!/usr/bin/env bash
# Installs into a temporary folder and builds programs against what lies there: with pkg-config,
# with CMake's find_package, from C and from C++. Also: only winnow_* symbols are exported.
set -uo pipefail
cd "$(dirname "$0")/../.."

passed=0
failed=0
check() { # NAME COMMAND...
    local name=$1 output
    shift
    if output=$("$@" 2>&1); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED %s\n%s\n' "$name" "$output"
    fi
}

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
page=tests/pages/article.html

exports_only_the_interface() {
    local exported declared
    exported=$(nm -D --defined-only build/libwinnow.so | awk '{print $3}' | sort)
    declared=$(grep -o 'winnow_[a-z_]*(' include/winnow.h | tr -d '(' | sort -u |
        while read -r name; do grep -qE "^WINNOW_API .*\b$name\(" include/winnow.h && echo "$name"; done)
    diff <(echo "$declared") <(echo "$exported")
}

has_soname() {
    readelf -d build/libwinnow.so | grep -F "soname: [libwinnow.so.$(
        sed -n 's/^#define WINNOW_VERSION_MAJOR //p' include/winnow.h)]"
}

with_pkg_config() { # extra flags of pkg-config, then of the compiler
    export PKG_CONFIG_SYSROOT_DIR=$stage
    PKG_CONFIG_PATH=$(dirname "$(find "$stage" -name winnow.pc)")
    export PKG_CONFIG_PATH
    # shellcheck disable=SC2046
    cc -o "$stage/with_pkg_config" examples/many.c $(pkg-config --cflags --libs winnow) &&
        LD_LIBRARY_PATH=$libdir "$stage/with_pkg_config" "$page" | grep -q ': ok, '
}

with_cmake() {
    cmake -S tests/install -B "$stage/build" -DCMAKE_PREFIX_PATH="$stage/usr/local" &&
        cmake --build "$stage/build" &&
        "$stage/build/with_shared" "$page" | grep -q ': ok, ' &&
        "$stage/build/with_static" "$page" | grep -q ': ok, ' &&
        "$stage/build/from_cxx"
}

installed_program() {
    "$stage/usr/local/bin/winnow" extract "$page" | grep -q .
}

installed_manual() {
    test -s "$stage/usr/local/share/man/man1/winnow.1" -a -s "$stage/usr/local/include/winnow.h"
}

check "make install" make --no-print-directory install DESTDIR="$stage" PREFIX=/usr/local
libdir=$(dirname "$(find "$stage" -name libwinnow.so | head -n 1)")
check "exported symbols are those of winnow.h" exports_only_the_interface
check "soname" has_soname
check "pkg-config" with_pkg_config
check "find_package, C++" with_cmake
check "the installed program runs" installed_program
check "header and manual page" installed_manual

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
