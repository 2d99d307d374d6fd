#!/bin/bash
# SPDX-License-Identifier: MIT OR Apache-2.0
#
# usage: check.sh PRODUCT WORK [long]
# Builds the example programs against the libraries in PRODUCT and compares what they put out with the plain versions' output. `long` is
# the whole of papers/003…'s loads: 900 frames, more music. With TENURE_STM_FIGURES=DIR, draws memory over time there. Ends with
# `N tests, N failures`; what needs a library that is not installed is skipped with a message.
set -u
[ $# -ge 2 ] || { echo "usage: check.sh PRODUCT WORK [long]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
product=$(cd "$1" && pwd)
mkdir -p "$2"
work=$(cd "$2" && pwd)
frames=60 seconds=2 songs=2 figures=${TENURE_STM_FIGURES:-}
if [ "${3:-}" = long ]; then frames=900 seconds=20 songs=6; fi
export LC_ALL=C
tests=0
failures=0
preload=$product/libtenure-shortterm-preload.so

# agrees LABEL COMMAND…
agrees() {
    local label=$1
    shift
    tests=$((tests + 1))
    if "$@" >"$work/log" 2>&1; then return; fi
    failures=$((failures + 1))
    echo "FAILED: $label"
    head -n 20 "$work/log"
}

build() { # program libraries…
    local program=$1
    shift
    cc -std=gnu11 -O2 -Wall -Wextra -Werror -pthread -I"$here/../../include" "$here/$program.c" -o "$work/$program" \
        "$product/libtenure-shortterm.so" -Wl,-rpath,"$product" "$@"
}

same() { cmp "$work/$1" "$work/$2"; }

indexer() {
    build indexer || return 1
    (cd "$here/../../.." && find . \( -name '*.md' -o -name '*.h' \) -not -path '*/target/*' -not -path '*/build/*') | sort |
        head -n 400 | sed "s|^[.]|$here/../../..|" >"$work/names"
    [ -s "$work/names" ] || return 1
    "$work/indexer" plain <"$work/names" >"$work/indexer.plain" && "$work/indexer" short <"$work/names" >"$work/indexer.short" || return 1
    xargs cat <"$work/names" | tr -cs 'A-Za-z' '\n' | tr 'A-Z' 'a-z' | grep . | sort | uniq -c | sort -k1,1nr -k2,2 | head -n 20 |
        awk '{ print $2, $1 }' >"$work/indexer.tools"
    tail -n 20 "$work/indexer.short" >"$work/indexer.tail"
}

webserver() {
    build webserver || return 1
    python3 "$here/visit.py" 8 12 "$work/webserver" plain >"$work/web.plain" &&
        python3 "$here/visit.py" 8 12 "$work/webserver" short >"$work/web.short"
}

mp3() {
    build mp3batch -lmpg123 || return 1
    mkdir -p "$work/mp3" "$work/wav.plain" "$work/wav.lazy" "$work/wav.eager" "$work/wav.ignored"
    for i in $(seq "$songs"); do
        [ -e "$work/mp3/song$i.mp3" ] && continue
        python3 "$here/tone.py" "$work/song.wav" $((seconds + i)) "$i" &&
            lame --quiet "$work/song.wav" "$work/mp3/song$i.mp3" || return 1
    done
    local run=(env "LD_PRELOAD=$preload")
    "${run[@]}" TENURE_STM_MEASURE="$work/mp3-plain.csv" "$work/mp3batch" plain "$work/wav.plain" "$work"/mp3/*.mp3 &&
        "${run[@]}" TENURE_STM_MEASURE="$work/mp3-lazy.csv" "$work/mp3batch" scope "$work/wav.lazy" "$work"/mp3/*.mp3 &&
        "${run[@]}" TENURE_STM_EAGER=1 TENURE_STM_MEASURE="$work/mp3-eager.csv" "$work/mp3batch" scope "$work/wav.eager" \
            "$work"/mp3/*.mp3 &&
        "${run[@]}" TENURE_STM_SCOPE_FREE=0 "$work/mp3batch" scope "$work/wav.ignored" "$work"/mp3/*.mp3 &&
        "${run[@]}" TENURE_STM_CHECKED=1 "$work/mp3batch" scope "$work/wav.ignored" "$work"/mp3/*.mp3
}

encode_one() { # mode threads
    env TENURE_STM_MEASURE="$work/encode-$1-$2.csv" "$work/encode" "$1" "$2" "$frames" "$work/$1-$2.264"
}

agrees "indexer" indexer
agrees "indexer, short-term as plain" same indexer.plain indexer.short
agrees "indexer as tr, sort and uniq" same indexer.tail indexer.tools
agrees "webserver" webserver
agrees "webserver, short-term as plain" same web.plain web.short

if echo '#include <mpg123.h>' | cc -E - >/dev/null 2>&1 && command -v lame >/dev/null; then
    agrees "mp3batch" mp3
    for way in lazy eager ignored; do agrees "mp3batch, $way as plain" diff -r "$work/wav.plain" "$work/wav.$way"; done
else
    echo "mp3batch: skipped, libmpg123-dev or lame is not installed"
fi

if printf '#include <stdint.h>\n#include <x264.h>' | cc -E - >/dev/null 2>&1; then
    agrees "encode" build encode -lx264
    for threads in 1 2; do
        agrees "encode, pool, $threads" encode_one pool "$threads"
        for mode in single continuous local-single local-continuous global-single global-continuous; do
            agrees "encode, $mode, $threads" encode_one "$mode" "$threads"
            agrees "encode, $mode as pool, $threads" same "pool-$threads.264" "$mode-$threads.264"
        done
    done
    agrees "encode, checked" env TENURE_STM_CHECKED=1 "$work/encode" continuous 1 30 "$work/checked.264"
else
    echo "encode: skipped, libx264-dev is not installed"
fi

if [ -n "$figures" ]; then
    mkdir -p "$figures"
    agrees "figures" python3 "$here/draw.py" "$work" "$figures"
fi
echo "$tests tests, $failures failures"
[ "$failures" -eq 0 ]
