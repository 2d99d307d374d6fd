#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
#
# The use cases whole (900 frames, longer music; what needs a library that is not installed is skipped), then the model test with one
# seed after another for SOAK_SECONDS. To be called from runtime/shortterm (make soak).
set -eu
build=${BUILD:-build}/soak
mkdir -p "$build"
include="-I.. -I../include -Itests"
core="$(echo ./*.c) ../prim/memory.c ../prim/option.c ../prim/stream.c ../prim/thread.c ../prim/watch.c"
# shellcheck disable=SC2086
cc -std=gnu11 -O2 -g -pthread $include $core tests/model_test.c tests/harness.c -o "$build/model_test"
if command -v bash >/dev/null && command -v python3 >/dev/null; then
    make -s BUILD="$build/product"
    bash examples/check.sh "$build/product" "$build/examples" long
fi
end=$(($(date +%s) + ${SOAK_SECONDS:-60}))
seed=1
while [ "$(date +%s)" -lt "$end" ]; do
    "$build/model_test" 4000000 "$seed"
    TENURE_STM_CACHE=0 "$build/model_test" 4000000 "$((seed + 1))"
    seed=$((seed + 2))
done
