#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
#
# Builds the runtime in each variant with each compiler that is there, and runs the tests under each:
# release at -O2 and -O0, debug level 3, libc's setjmp, AddressSanitizer with UBSan; then with the objects of two
# compilers mixed, and under valgrind if it is there; the collector's own test where the collector is installed.
# To be called from runtime/ (make test). Prints one line a run; exit status 1 if any failed.
set -eu

build=${BUILD:-build}
warnings="-Wall -Wextra -Wpedantic -Werror"
failed=0
sanitize=

# Which tests to run.
tests=tests/*_test.c

# The allocators of oom_test fail when it says so.
wrapped="-Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=aligned_alloc -Wl,--wrap=tn_os_map"

# run_tests COMPILER LIBRARY VARIANT LEVEL LAUNCHER…: compiles each test against the variant of the library and
# runs it.
run_tests() {
    cc=$1 library=$2/$3/libtenure.a variant=$3 level=$4
    label="$1 $(basename "$2")/$3 $4"
    shift 4
    where=$build/tests/$(printf '%s' "$label" | tr ' /' '--')
    mkdir -p "$where"
    flags=
    case $variant in
    asan) flags="-fsanitize=address,undefined -fno-sanitize-recover=undefined" ;;
    portable) flags=-DTN_PORTABLE_SETJMP ;;
    esac
    flags="$flags $sanitize"
    for source in $tests; do
        name=$(basename "$source" .c)
        [ "$name" = collector_test ] && continue
        link=
        [ "$name" = oom_test ] && link=$wrapped
        # shellcheck disable=SC2086
        "$cc" -std=c11 $level -g $warnings $flags -pthread -I. -Iinclude "$source" tests/harness.c \
            "$library" -lm $link -o "$where/$name"
        if output=$("$@" "$where/$name" one two 2>&1); then
            printf '%-28s %s: %s\n' "$label" "$name" "$(printf '%s\n' "$output" | tail -n 1)"
        else
            printf '%s\n%s: FAILED with %s\n' "$output" "$name" "$label"
            failed=1
        fi
    done
}

# run_collector_test COMPILER BUILD: against the release variant, with the collector in front of it.
run_collector_test() {
    label="$1 collector"
    program=$build/tests/collector-$1
    # shellcheck disable=SC2086
    "$1" -std=c11 -O2 -g $warnings -pthread -I. -Iinclude tests/collector_test.c tests/harness.c collector/collector.c \
        "$2/release/libtenure.a" -lgc -o "$program"
    if output=$("$program" one two 2>&1); then
        printf '%-28s %s: %s\n' "$label" collector_test "$(printf '%s\n' "$output" | tail -n 1)"
    else
        printf '%s\n%s: FAILED with %s\n' "$output" collector_test "$label"
        failed=1
    fi
}

compilers=
for compiler in gcc clang; do
    command -v "$compiler" >/dev/null || continue
    compilers="$compilers $compiler"
    built=$build/$compiler
    make -s all CC="$compiler" BUILD="$built" CFLAGS="-O2 -g -Werror"
    run_tests "$compiler" "$built" release -O2 env
    run_tests "$compiler" "$built" release -O0 env
    run_tests "$compiler" "$built" debug -O2 env
    run_tests "$compiler" "$built" portable -O2 env
    run_tests "$compiler" "$built" asan -O1 env ASAN_OPTIONS=detect_leaks=0
    if [ -e /usr/include/gc/gc.h ]; then run_collector_test "$compiler" "$built"; fi
done
# Objects of both compilers in one program.
if [ "$compilers" = " gcc clang" ]; then
    run_tests gcc "$build/clang" release -O2 env
    run_tests clang "$build/gcc" release -O2 env
fi
# Data races between threads. ThreadSanitizer knows libc's setjmp only, and faults and ends of processes are not what it is for.
if [ -d "$build/gcc" ]; then
    sanitize=-fsanitize=thread
    tests="tests/arena_test.c tests/exception_test.c tests/owned_test.c tests/trace_test.c"
    make -s CC=gcc BUILD="$build/race" CFLAGS="-O1 -g -Werror $sanitize" "$build/race/portable/libtenure.a"
    run_tests gcc "$build/race" portable -O1 env
    sanitize=
    tests=tests/*_test.c
fi
# Not with clang: its DWARF 5 is newer than many a valgrind.
if command -v valgrind >/dev/null && [ -d "$build/gcc" ]; then
    run_tests gcc "$build/gcc" release -O1 env TENURE_TEST_VALGRIND=1 valgrind -q --error-exitcode=9 --leak-check=full
fi
exit $failed
