/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tenure/rt.h"

int callee(int i);

int callee(int i) {
    if (tn_unlikely(i < 0)) tn_raise_index(NULL, (uint64_t)i, 1);
    return i ^ 3;
}
