#!/usr/bin/env bash
# Programs that were compiled with an earlier winnow.h run with the library of today.
#
# tests/abi/winnow-1.h is the first header of this interface and stays as it is; program.c is compiled with
# it and linked with build/libwinnow.so. tests/abi/symbols.txt lists the functions of the library: one that is
# added must be listed, and one that is gone breaks programs. All memory must come through base/memory.c, where
# an allocator of the caller takes its place.
set -uo pipefail
cd "$(dirname "$0")/../.."
export LC_ALL=C

. tests/support/check.sh

[ -e build/libwinnow.so ] || { echo "build/libwinnow.so is not here" && exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
nm -D --defined-only build/libwinnow.so | awk '{print $3}' | sort >"$folder/exported"

old_program() {
    cc -std=c11 -pedantic -Wall -Wextra -Werror -o "$folder/program" tests/abi/program.c -Lbuild -lwinnow \
        -Wl,-rpath,"$PWD/build" && "$folder/program"
}

nothing_is_gone() {
    ! comm -13 "$folder/exported" tests/abi/symbols.txt | grep .
}

everything_is_listed() {
    ! comm -23 "$folder/exported" tests/abi/symbols.txt | grep .
}

# Each undefined symbol is preceded by the name of its object.
memory_has_one_source() {
    ! nm -A -u build/libwinnow.a | grep -E ' U (malloc|calloc|realloc|free|strdup|strndup|aligned_alloc)$' |
        grep -v ':memory\.c\.o:'
}

check "a program that was compiled with winnow-1.h" old_program
check "no function is gone" nothing_is_gone
check "every function is in tests/abi/symbols.txt" everything_is_listed
check "memory comes from base/memory.c alone" memory_has_one_source

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
