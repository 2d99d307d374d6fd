#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
#
# Builds the library in each variant and runs the tests: gcc and clang, AddressSanitizer with UBSan, ThreadSanitizer, valgrind.
# To be called from runtime/checked (make test). Ends with a line `N passed, N failed`.
set -u
build=${BUILD:-build}/tests
passed=0
failed=0
include="-I.. -I../include -Itests"
strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wundef -Werror"
core="$(echo ./*.c tagged/*.c) ../prim/abort.c ../prim/memory.c ../prim/space.c ../prim/thread.c"
tests="unit model thread"
mkdir -p "$build"

# count LABEL COMMAND…: runs a test program, adds up what it counts, shows what it says only if something failed.
count() {
    label=$1
    shift
    if output=$("$@" 2>&1); then status=0; else status=$?; fi
    line=$(printf '%s\n' "$output" | grep -E '^[0-9]+ tests, [0-9]+ failures$' | tail -n 1)
    of=${line%% tests*}
    bad=${line#*, }
    bad=${bad%% failures*}
    if [ -z "$line" ]; then of=1 bad=1; fi
    if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
    passed=$((passed + of - bad))
    failed=$((failed + bad))
    if [ "$bad" -ne 0 ]; then printf '%s\n%s: FAILED with status %s\n' "$(printf '%s\n' "$output" | tail -n 40)" "$label" "$status"; fi
    # The sum at the end counts, and nothing twice.
    if [ -n "$line" ]; then printf '%-28s %s of %s\n' "$label" $((of - bad)) "$of"; else printf '%-28s FAILED, status %s\n' "$label" "$status"; fi
}

# variant NAME COMPILER FLAGS: the library and the tests of it.
variant() {
    name=$1
    compiler=$2
    flags=$3
    where=$build/$name
    mkdir -p "$where/objects"
    # shellcheck disable=SC2086
    for source in $core; do
        "$compiler" -std=c11 -g $flags $strict -fPIC -pthread $include -c "$source" \
            -o "$where/objects/$(printf '%s' "$source" | tr './' '__').o" || { failed=$((failed + 1)); return 1; }
    done
    rm -f "$where/library.a"
    ar rcs "$where/library.a" "$where"/objects/*.o
    # What setjmp may do to variables does not matter in what the tests look at after it.
    # shellcheck disable=SC2086
    for test in $tests; do
        "$compiler" -std=gnu11 -g $flags -Wall -Wextra -Wno-unknown-warning-option -Wno-clobbered -Werror -pthread $include \
            "tests/${test}_test.c" tests/harness.c "$where/library.a" -o "$where/${test}_test" || { failed=$((failed + 1)); return 1; }
    done
}

# runs VARIANT LAUNCHER…: all its tests.
runs() {
    name=$1
    shift
    for test in $tests; do count "$name $test" "$@" "$build/${name%% *}/${test}_test"; done
}

has() { command -v "$1" >/dev/null 2>&1; }

for compiler in gcc clang; do
    has $compiler || continue
    for level in O2 O3; do variant $compiler-$level $compiler -$level && runs $compiler-$level env; done
done
if has gcc; then
    variant asan gcc "-O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer" && runs asan env
    if has valgrind; then runs "gcc-O2 valgrind" valgrind -q --error-exitcode=9; fi
fi
if has clang; then variant tsan clang "-O1 -fsanitize=thread" && runs tsan env TSAN_OPTIONS=halt_on_error=1; fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
