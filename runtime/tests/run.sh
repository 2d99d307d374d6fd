#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
#
# Builds the runtime in each variant with each compiler that is there, and runs the tests under each:
# release at -O2 and -O0, debug level 3, AddressSanitizer with UBSan, and release under valgrind if it is there.
# To be called from runtime/ (make test). Prints one line a run; exit status 1 if any failed.
set -eu

build=${BUILD:-build}
warnings="-Wall -Wextra -Wpedantic -Werror"
failed=0

# run_tests COMPILER VARIANT LEVEL LAUNCHER…: compiles each test against the variant and runs it.
run_tests() {
    compiler=$1 variant=$2 level=$3
    shift 3
    where=$build/$compiler/tests-$variant$level
    mkdir -p "$where"
    sanitize=
    [ "$variant" = asan ] && sanitize="-fsanitize=address,undefined -fno-sanitize-recover=undefined"
    for source in tests/*_test.c; do
        program=$where/$(basename "$source" .c)
        # shellcheck disable=SC2086
        "$compiler" -std=c11 $level -g $warnings $sanitize -pthread -I. -Iinclude "$source" tests/harness.c \
            "$build/$compiler/$variant/libtenure.a" -lm -o "$program"
        if output=$("$@" "$program" one two 2>&1); then
            printf '%-6s %-8s %-4s %s: %s\n' "$compiler" "$variant" "$level" "$(basename "$program")" \
                "$(printf '%s\n' "$output" | tail -n 1)"
        else
            printf '%s\n%s: FAILED with %s %s %s\n' "$output" "$program" "$compiler" "$variant" "$*"
            failed=1
        fi
    done
}

for compiler in gcc clang; do
    command -v "$compiler" >/dev/null || continue
    make -s all CC="$compiler" BUILD="$build/$compiler" CFLAGS="-O2 -g -Werror"
    run_tests "$compiler" release -O2 env
    run_tests "$compiler" release -O0 env
    run_tests "$compiler" debug -O2 env
    run_tests "$compiler" asan -O1 env ASAN_OPTIONS=detect_leaks=0
done
if command -v valgrind >/dev/null; then
    run_tests gcc release -O2 env TENURE_TEST_VALGRIND=1 valgrind -q --error-exitcode=9 --leak-check=full
fi
exit $failed
