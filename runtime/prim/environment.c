/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE /* secure_getenv */
#include "prim/environment.h"

#include <stddef.h>
#include <stdlib.h>

const char *tn_environment(const char *name) {
    const char *value = secure_getenv(name);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

static int64_t unit_of(const char *suffix) {
    if (suffix[0] == '\0') return 1;
    if (suffix[1] != '\0') return 0;
    switch (suffix[0]) {
    case 'K': return INT64_C(1) << 10;
    case 'M': return INT64_C(1) << 20;
    case 'G': return INT64_C(1) << 30;
    default: return 0;
    }
}

int64_t tn_environment_number(const char *name, int64_t initial, int64_t least, int64_t most) {
    const char *text = tn_environment(name);
    if (text == NULL || text[0] < '0' || text[0] > '9') return initial;
    int64_t value = 0;
    while (*text >= '0' && *text <= '9') {
        if (__builtin_mul_overflow(value, (int64_t)10, &value) || __builtin_add_overflow(value, *text - '0', &value))
            value = INT64_MAX / 16;
        text++;
    }
    int64_t unit = unit_of(text);
    if (unit == 0) return initial;
    if (__builtin_mul_overflow(value, unit, &value)) value = INT64_MAX;
    if (value < least) return least;
    return value > most ? most : value;
}
