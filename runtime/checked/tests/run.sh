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
core="$(echo ./*.c tagged/*.c moving/*.c) ../prim/abort.c ../prim/memory.c ../prim/space.c ../prim/thread.c ../prim/watch.c"
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
    if [ -n "$line" ]; then printf '%-32s %s of %s\n' "$label" $((of - bad)) "$of"; else printf '%-32s FAILED, status %s\n' "$label" "$status"; fi
}

# The tests that each form of the heap has.
tests_of() {
    case $1 in
    TAGGED) echo unit model thread control ;;
    TRAPPING) echo model control ;;
    *) echo unit model thread moving ;;
    esac
}

# A heap that moves all objects at each poll does less in the same time.
steps_of() { if [ "$1" = TRAPPING ]; then echo $(($2 / 20)); else echo "$2"; fi; }

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
    for form in TAGGED MOVING STRICT TRAPPING; do
        for test in $(tests_of $form); do
            "$compiler" -std=gnu11 -g $flags -DTN_CHECKED_FORM=TN_CHECKED_$form -Wall -Wextra -Wno-unknown-warning-option \
                -Wno-clobbered -Werror -pthread $include "tests/${test}_test.c" tests/harness.c "$where/library.a" \
                -o "$where/$form-$test" || { failed=$((failed + 1)); return 1; }
        done
    done
}

# special NAME TEST FLAGS…: a test of gcc-O2 that is linked in its own way.
special() {
    name=$1
    source=$2
    shift 2
    # shellcheck disable=SC2086
    gcc -std=gnu11 -O2 -g -Wall -Wextra -Wno-clobbered -Werror $include "$@" "tests/${source}_test.c" tests/harness.c \
        "$build/gcc-O2/library.a" -pthread -o "$build/gcc-O2/$name" || failed=$((failed + 1))
}

# runs VARIANT TESTS STEPS LAUNCHER…: those of its tests, the random ones as long.
runs() {
    name=$1
    some=$2
    steps=$3
    shift 3
    for form in TAGGED MOVING STRICT TRAPPING; do
        for test in $(tests_of $form); do
            case " $some " in *" $test "*) count "$name $form $test" "$@" "$build/$name/$form-$test" "$(steps_of $form $steps)" ;; esac
        done
    done
}

has() { command -v "$1" >/dev/null 2>&1; }

# The chapter's program, as it says: the last line does not print.
chapter() {
    awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' ../../docs/checked.md >"$build/chapter.c"
    for form in TAGGED STRICT; do
        gcc -std=gnu11 -O2 -DTN_CHECKED_FORM=TN_CHECKED_$form $include "$build/chapter.c" "$build/gcc-O2/library.a" -pthread \
            -o "$build/chapter" || return 1
        said=$(stdbuf -o0 "$build/chapter" 2>&1)
        case $said in
        *7*"checked heap: the object was deleted"*"used at "*" in main"*) ;;
        *) printf '%s\n' "$said"; return 1 ;;
        esac
    done
}

all="unit model thread moving control"
if has gcc; then
    variant gcc-O2 gcc -O2 && runs gcc-O2 "$all" 200000 env
    wraps=-Wl,--wrap=tn_os_map,--wrap=tn_os_map_sparse,--wrap=tn_space_reserve,--wrap=tn_space_open,--wrap=tn_space_discard
    for form in TAGGED MOVING STRICT; do special $form-refusal refusal -DTN_CHECKED_FORM=TN_CHECKED_$form $wraps; done
    special states states
    # The protocol alone, and a system that refuses; these need no other variant.
    if chapter; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "docs/checked.md: FAILED"; fi
    count "states" "$build/gcc-O2/states"
    for form in TAGGED MOVING STRICT; do count "gcc-O2 $form refusal" "$build/gcc-O2/$form-refusal"; done
    for seed in 2 3 4; do
        for form in TAGGED MOVING STRICT; do count "gcc-O2 $form model, seed $seed" "$build/gcc-O2/$form-model" 200000 $seed; done
    done
    variant gcc-O3 gcc -O3 && runs gcc-O3 "unit moving" 0 env
    variant asan gcc "-O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer" &&
        runs asan "unit model thread moving" 20000 env
    # Valgrind has little address space to give.
    if has valgrind && variant valgrind gcc "-O1 -DTN_MOVING_SPACE_SHIFT=34"; then
        runs valgrind "unit model thread" 5000 valgrind -q --error-exitcode=9
    fi
fi
if has clang; then
    variant clang-O3 clang -O3 && runs clang-O3 "$all" 200000 env
    variant tsan clang "-O1 -fsanitize=thread" && runs tsan "model thread" 20000 env TSAN_OPTIONS=halt_on_error=1
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
