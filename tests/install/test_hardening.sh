#!/usr/bin/env bash
# The program and the libraries are built hardened, as Debian builds: position-independent, relocations
# read-only and resolved at the start, guarded stacks, checked calls of libc. What is installed must pass Debian's
# own hardening-check, too.
set -uo pipefail
cd "$(dirname "$0")/../.."
export LC_ALL=C

passed=0
failed=0
skipped=0
check() { # NAME COMMAND...
    local name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $name"
    fi
}

command -v readelf >/dev/null || { echo "readelf is not here" && exit 77; }
is_elf=$(readelf -h build/winnow 2>/dev/null)
[ -n "$is_elf" ] || { echo "build/winnow is not here, or no ELF file" && exit 77; }

# grep reads everything, so that readelf is not ended by a closed pipe.
is_pie() { readelf -W -d "$1" | grep 'FLAGS_1' | grep -w PIE >/dev/null; }
has_relro() { readelf -W -l "$1" | grep -w GNU_RELRO >/dev/null; }
binds_now() { readelf -W -d "$1" | grep -w BIND_NOW >/dev/null; }
guards_stacks() { readelf -W --dyn-syms "$1" | grep -w __stack_chk_fail >/dev/null; }
checks_calls() { readelf -W --dyn-syms "$1" | grep -E ' __[a-z]+_chk(@|$| )' >/dev/null; }

check "winnow is position-independent" is_pie build/winnow
for file in build/winnow build/libwinnow.so build/libwinnow-io.so; do
    check "$file: read-only relocations" has_relro "$file"
    check "$file: nothing is bound later" binds_now "$file"
    check "$file: guarded stacks" guards_stacks "$file"
    check "$file: checked calls (_FORTIFY_SOURCE)" checks_calls "$file"
done

command -v hardening-check >/dev/null || tools/packages hardening >/dev/null 2>&1
if command -v hardening-check >/dev/null; then
    stage=$(mktemp -d)
    trap 'rm -rf "$stage"' EXIT
    DESTDIR=$stage cmake --install build --prefix /usr >/dev/null
    while read -r file; do
        # Our objects have control flow protection; the linker drops its mark, as crti.o of Debian 12 has none.
        check "hardening-check ${file#"$stage"}" hardening-check --quiet --nocfprotection "$file"
    done < <(find "$stage" -type f \( -path '*/bin/winnow' -o -name 'libwinnow*.so.*' \))
    check "something was installed" [ "$passed" -ge 16 ]
else
    echo "hardening-check (Debian's devscripts) is not here and cannot be installed"
    skipped=1
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
