#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
#
# Builds the library in each variant and runs the tests: gcc and clang, AddressSanitizer with UBSan, ThreadSanitizer, valgrind; the
# interposers; checked mode. To be called from runtime/shortterm (make test). Ends with a line `N passed, N failed`.
set -u
build=${BUILD:-build}/tests
passed=0
failed=0
include="-I.. -I../include -Itests"
strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wundef -Werror"
core="$(echo ./*.c) ../prim/memory.c ../prim/option.c ../prim/stream.c ../prim/thread.c ../prim/watch.c"
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

# holds LABEL COMMAND…: one test that is the command's exit status.
holds() {
    label=$1
    shift
    if output=$("$@" 2>&1); then
        passed=$((passed + 1))
        printf '%-28s ok\n' "$label"
    else
        failed=$((failed + 1))
        printf '%s\n' "$output" | tail -n 40
        printf '%-28s FAILED\n' "$label"
    fi
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
        "$compiler" -std=c11 -g $flags $strict -fPIC -fvisibility=hidden -pthread $include -c "$source" \
            -o "$where/objects/$(basename "$source" .c).o" || { failed=$((failed + 1)); return 1; }
    done
    rm -f "$where/library.a"
    ar rcs "$where/library.a" "$where"/objects/*.o
    for test in unit hostile oom model states checked libscm; do
        source=tests/${test}_test.c
        # shellcheck disable=SC2086
        "$compiler" -std=gnu11 -g $flags -Wall -Wextra -Werror -rdynamic -pthread $include "$source" tests/harness.c \
            "$where/library.a" -o "$where/$(basename "$source" .c)" || { failed=$((failed + 1)); return 1; }
    done
}

has() { command -v "$1" >/dev/null 2>&1; }

if has gcc && variant gcc gcc -O2; then
    for test in unit hostile oom model states libscm; do count "gcc $test" "$build/gcc/${test}_test"; done
    count "gcc model, nothing kept" env TENURE_STM_CACHE=0 "$build/gcc/model_test" 1000000 7
    count "gcc eager unit" env TENURE_STM_MEASURE="$build/measure.csv" "$build/gcc/unit_test"
    count "gcc checked mode" env TENURE_STM_CHECKED=1 "$build/gcc/checked_test"
    if has valgrind; then
        for test in unit hostile oom libscm; do
            count "valgrind $test" env TENURE_STM_CACHE=0 valgrind -q --error-exitcode=9 "$build/gcc/${test}_test"
        done
        count "valgrind model" env TENURE_STM_CACHE=0 valgrind -q --error-exitcode=9 "$build/gcc/model_test" 40000
    fi
fi
if has clang && variant clang clang -O2; then
    for test in unit hostile oom; do count "clang $test" "$build/clang/${test}_test"; done
fi
if has gcc && variant asan gcc "-O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"; then
    for test in unit hostile oom libscm; do
        count "asan $test" env ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 "$build/asan/${test}_test"
    done
    count "asan model" env ASAN_OPTIONS=detect_leaks=0 "$build/asan/model_test" 100000
fi
if has gcc && variant tsan gcc "-O1 -fsanitize=thread"; then
    count "tsan hostile" env TSAN_OPTIONS=allocator_may_return_null=1:die_after_fork=0 "$build/tsan/hostile_test"
    count "tsan unit" env TSAN_OPTIONS=allocator_may_return_null=1 "$build/tsan/unit_test"
    count "tsan libscm" "$build/tsan/libscm_test"
    count "tsan model" "$build/tsan/model_test" 40000
fi

runs_aarch64() {
    has aarch64-linux-gnu-gcc && has qemu-aarch64 &&
        echo 'int main(void) { return 0; }' | aarch64-linux-gnu-gcc -static -x c - -o "$build/aarch64_trial" 2>/dev/null
}
if runs_aarch64 && variant aarch64 aarch64-linux-gnu-gcc "-O2 -static"; then
    for test in unit hostile oom libscm; do count "aarch64 $test" qemu-aarch64 "$build/aarch64/${test}_test"; done
    count "aarch64 model" qemu-aarch64 "$build/aarch64/model_test" 40000
fi

# The libraries as they are installed.
if make -s BUILD="$build/product" CFLAGS="-O2 -g -Werror"; then
    product=$build/product
    # shellcheck disable=SC2086
    cc -O2 -fno-builtin -Wall -Wextra -Werror -pthread $include tests/scope_test.c tests/harness.c "$product/libtenure-shortterm.so" \
        -Wl,-rpath,"$PWD/$product" -o "$build/scope_preloaded"
    count "scopes, preloaded" env LD_PRELOAD="$product/libtenure-shortterm-preload.so" "$build/scope_preloaded"
    # As a program that knows nothing of this tree: headers, libraries and flags as they are installed.
    installed=$PWD/$build/installed
    case $build in /*) installed=$build/installed ;; esac
    make -s install BUILD="$build/product" CFLAGS="-O2 -g" DESTDIR= PREFIX="$installed"
    c_flags=-I$installed/include libraries="-L$installed/lib -ltenure-shortterm"
    if has pkg-config; then
        c_flags=$(PKG_CONFIG_PATH=$installed/lib/pkgconfig pkg-config --cflags tenure-shortterm)
        libraries=$(PKG_CONFIG_PATH=$installed/lib/pkgconfig pkg-config --libs tenure-shortterm)
    fi
    if has c++; then
        # shellcheck disable=SC2086
        c++ -std=c++17 -O2 -Wall -Wextra -Werror $c_flags tests/adaptors_test.cpp $libraries -Wl,-rpath,"$installed/lib" \
            -o "$build/adaptors_test"
        count "C++, installed" "$build/adaptors_test"
    fi
    # Each way to link that the README names, in both orders of the flags. Without pkg-config the same words by hand.
    if has pkg-config; then
        stm() { PKG_CONFIG_PATH=$installed/lib/pkgconfig pkg-config "$@" tenure-shortterm; }
    else
        stm() {
            case $* in
                *wrap*) sed -n "s|^wrap=||; s|[$]{libdir}|$installed/lib|p" "$installed/lib/pkgconfig/tenure-shortterm.pc" | head -n 1 ;;
                *) echo "-I$installed/include -L$installed/lib -ltenure-shortterm -pthread" ;;
            esac
        }
    fi
    # linked LABEL SCOPED FLAGS…: the program above with these flags, and what it says when it runs.
    linked() {
        label=$1
        scoped=$2
        shift 2
        rm -f "$build/linked_test"
        cc -O2 -fno-builtin -Wall -Wextra -Werror tests/linked_test.c "$@" -Wl,-rpath,"$installed/lib" -o "$build/linked_test"
        count "$label" "$build/linked_test" "$scoped"
    }
    # shellcheck disable=SC2046
    {
        linked "linked, shared" plain $(stm --cflags --libs)
        linked "linked, static" plain -static $(stm --static --cflags --libs)
        linked "linked, the archive alone" plain $(stm --cflags) "$installed/lib/libtenure-shortterm.a" -pthread
        linked "linked, wrapped, shared" scoped $(stm --cflags --libs) $(stm --variable=wrap)
        linked "linked, wrapped first" scoped $(stm --variable=wrap) $(stm --cflags --libs)
        linked "linked, wrapped, static" scoped -static $(stm --static --cflags --libs) $(stm --variable=wrap)
        linked "linked, wrapped first, static" scoped -static $(stm --variable=wrap) $(stm --static --cflags --libs)
        linked "linked, some wrapped" scoped -Wl,--wrap=malloc -Wl,--wrap=realloc -Wl,--wrap=free $(stm --cflags --libs) \
            -ltenure-shortterm-wrap -ltenure-shortterm
        linked "linked, some wrapped, static" scoped -static -Wl,--wrap malloc -Wl,--wrap realloc -Wl,--wrap free \
            $(stm --static --cflags --libs) -ltenure-shortterm-wrap -ltenure-shortterm
        cc -O2 -fno-builtin -Wall -Wextra -Werror tests/linked_test.c $(stm --cflags --libs) -Wl,-rpath,"$installed/lib" -o "$build/linked_test"
        count "linked, shared, preloaded" env LD_PRELOAD="$installed/lib/libtenure-shortterm-preload.so" "$build/linked_test" scoped
    }
    # A program that was written for libscm, as it is.
    printf '%s\n' '#include <libscm.h>' 'int main(void) {' 'for (int i = 0; i < 100000; i++) { char *p = malloc(1000); memset(p, 1, 1000);' \
        'scm_refresh(p, SCM_MAX_EXPIRATION_EXTENSION / 2); free(p); scm_tick(); }' 'scm_collect(); return malloc_usable_size(malloc(9)) < 9; }' >"$build/scm.c"
    for static in "" -static; do
        # shellcheck disable=SC2046,SC2086
        holds "libscm's header and wraps $static" sh -c "$(printf '%s ' cc -O2 $static -include malloc.h "$build/scm.c" \
            -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc -Wl,--wrap=free -Wl,--wrap=malloc_usable_size \
            -I"$installed/include" -I"$installed/include/tenure-libscm" -L"$installed/lib" -ltenure-shortterm-wrap -ltenure-shortterm -pthread \
            -Wl,-rpath,"$installed/lib" -o "$build/scm" '&&' "$build/scm")"
    done
    # shellcheck disable=SC2046,SC2086
    cc -O2 -fno-builtin -Wall -Wextra -Werror -pthread $include tests/scope_test.c tests/harness.c $(stm --variable=wrap) \
        "$product/libtenure-shortterm-wrap.a" "$product/libtenure-shortterm.a" -o "$build/scope_wrapped"
    count "scopes, wrapped" env LD_LIBRARY_PATH="$installed/lib" "$build/scope_wrapped" wrapped
    preload=$PWD/$product/libtenure-shortterm-preload.so
    case $product in /*) preload=$product/libtenure-shortterm-preload.so ;; esac
    cc -O2 -fno-builtin -Wall -Wextra -Werror -pthread tests/late_test.c -o "$build/late_test" -ldl
    count "first use, late" env LD_PRELOAD="$preload" "$build/late_test"
    count "first use, measured" env LD_PRELOAD="$preload" TENURE_STM_MEASURE="$build/late.csv" "$build/late_test" ours
    if has ldconfig && ldconfig -p | grep -q 'libmimalloc\.so\.2'; then
        count "first use, mimalloc" env LD_PRELOAD="$preload libmimalloc.so.2" "$build/late_test" ours
    fi
    sh tests/unmodified.sh "$preload" "$build/unmodified" >"$build/unmodified.out" 2>&1
    count "unmodified programs" cat "$build/unmodified.out"
    if has bash && has python3; then count "use cases" bash examples/check.sh "$product" "$build/examples"; fi
else
    failed=$((failed + 1))
fi

if has python3; then holds "reference is up to date" python3 ../../tools/shortterm-reference --check; fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
