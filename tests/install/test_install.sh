#!/usr/bin/env bash
# Installs into a temporary folder and builds programs against what lies there: with pkg-config,
# with CMake's find_package, from C and from C++. Also: only what the headers declare is exported.
set -uo pipefail
cd "$(dirname "$0")/../.."

. tests/support/check.sh

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
page=tests/pages/article.html

exports_only_the_interface() { # LIBRARY HEADER
    local exported declared
    exported=$(nm -D --defined-only "build/$1" | awk '{print $3}' | sort)
    declared=$(grep -o 'winnow_[a-z_]*(' "$2" | tr -d '(' | sort -u |
        while read -r name; do grep -qE "^WINNOW_API .*\b$name\(" "$2" && echo "$name"; done)
    diff <(echo "$declared") <(echo "$exported")
}

# libwinnow-io has inner functions of libwinnow in it, but none of the public ones: what belongs to
# libwinnow.so is touched by libwinnow.so alone.
copies_nothing_public() {
    ! comm -12 <(nm -D --defined-only build/libwinnow.so | awk '{print $3}' | sort -u) \
        <(nm --defined-only build/libwinnow-io.so | awk '{print $3}' | sort -u) | grep '^winnow_'
}

has_soname() { # LIBRARY
    readelf -d "build/$1" | grep -F "soname: [$1.$(
        sed -n 's/^#define WINNOW_VERSION_MAJOR //p' include/winnow.h)]"
}

with_pkg_config() { # PACKAGE
    export PKG_CONFIG_SYSROOT_DIR=$stage
    PKG_CONFIG_PATH=$(dirname "$(find "$stage" -name winnow.pc)")
    export PKG_CONFIG_PATH
    # shellcheck disable=SC2046
    cc -o "$stage/with_pkg_config" examples/many.c $(pkg-config --cflags --libs "$1") &&
        LD_LIBRARY_PATH=$libdir "$stage/with_pkg_config" "$page" | grep -q ': ok, '
}

with_cmake() {
    cmake -S tests/install -B "$stage/build" -DCMAKE_PREFIX_PATH="$stage/usr/local" &&
        cmake --build "$stage/build" &&
        "$stage/build/with_shared" "$page" | grep -q ': ok, ' &&
        "$stage/build/with_static" "$page" | grep -q ': ok, ' &&
        "$stage/build/with_io" "$page" | grep -q ': ok, ' &&
        "$stage/build/with_io_static" "$page" | grep -q ': ok, ' &&
        "$stage/build/archive" "$page" | grep -q '"status":"ok"' &&
        "$stage/build/from_cxx" && "$stage/build/io_from_cxx"
}

installed_program() {
    "$stage/usr/local/bin/winnow" extract "$page" | grep -q .
}

installed_manual() {
    diff <(ls man) <(ls "$stage/usr/local/share/man/man1") &&
        test -s "$stage/usr/local/share/man/man1/winnow.1" -a -s "$stage/usr/local/include/winnow.h" &&
        test -s "$stage/usr/local/share/bash-completion/completions/winnow" &&
        test -s "$stage/usr/local/share/zsh/vendor-completions/_winnow" &&
        test -s "$stage/usr/local/share/fish/vendor_completions.d/winnow.fish"
}

check "make install" make --no-print-directory install DESTDIR="$stage" PREFIX=/usr/local
libdir=$(dirname "$(find "$stage" -name libwinnow.so | head -n 1)")
check "exported symbols are those of winnow.h" exports_only_the_interface libwinnow.so include/winnow.h
if [ -e include/winnow-io.h ]; then
    check "exported symbols are those of winnow-io.h" \
        exports_only_the_interface libwinnow-io.so include/winnow-io.h
fi
check "libwinnow-io copies nothing public" copies_nothing_public
check "soname of libwinnow" has_soname libwinnow.so
check "soname of libwinnow-io" has_soname libwinnow-io.so
check "pkg-config winnow" with_pkg_config winnow
check "pkg-config winnow-io" with_pkg_config winnow-io
check "find_package, C++" with_cmake
check "the installed program runs" installed_program
check "header and manual page" installed_manual

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
