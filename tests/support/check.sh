# Tests in shell scripts: `check NAME COMMAND...` runs one and counts it in $passed or $failed; the output of a command
# is shown if it fails.

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
