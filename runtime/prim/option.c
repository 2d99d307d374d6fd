/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE /* secure_getenv */
#include "prim/option.h"

#include <stdatomic.h>
#include <stdlib.h>

#ifndef TN_DEBUG_LEVEL_DEFAULT
#define TN_DEBUG_LEVEL_DEFAULT 0
#endif

#define KIB INT64_C(1024)
#define MIB (1024 * KIB)

static const struct option_row {
    const char *variable;
    int64_t initial, least, most;
} rows[TN_OPTION_COUNT] = {
    [TN_OPTION_DEBUG_LEVEL] = {"TENURE_DEBUG_LEVEL", TN_DEBUG_LEVEL_DEFAULT, 0, 3},
    [TN_OPTION_STATISTICS] = {"TENURE_STATISTICS", 0, 0, 1},
    [TN_OPTION_PAGE_FIRST] = {"TENURE_PAGE_FIRST", KIB, 256, MIB},
    [TN_OPTION_PAGE_MOST] = {"TENURE_PAGE_MOST", MIB, 4 * KIB, 1024 * MIB},
    [TN_OPTION_PAGE_CACHE] = {"TENURE_PAGE_CACHE", 8 * MIB, 0, INT64_MAX},
    [TN_OPTION_TRACE_BYTES] = {"TENURE_TRACE_BYTES", 64 * KIB, 1, INT64_MAX},
    [TN_OPTION_HEAP_ONLY] = {"TENURE_HEAP_ONLY", 0, 0, 1},
    [TN_OPTION_REGION_QUOTA] = {"TENURE_REGION_QUOTA", 0, 0, INT64_MAX},
    [TN_OPTION_STM_EXTENSION] = {"TENURE_STM_EXTENSION", 65535, 0, INT32_MAX},
    [TN_OPTION_STM_BOUND] = {"TENURE_STM_BOUND", 1, 1, INT32_MAX},
    [TN_OPTION_STM_EAGER] = {"TENURE_STM_EAGER", 0, 0, 1},
    [TN_OPTION_STM_CACHE] = {"TENURE_STM_CACHE", MIB, 0, INT64_MAX},
    [TN_OPTION_STM_CHECKED] = {"TENURE_STM_CHECKED", 0, 0, 1},
    [TN_OPTION_STM_SCOPE_FREE] = {"TENURE_STM_SCOPE_FREE", 1, 0, 1},
};

static _Atomic int64_t values[TN_OPTION_COUNT];
static atomic_int loaded;

static int64_t into_range(const struct option_row *row, int64_t value) {
    if (value < row->least) return row->least;
    return value > row->most ? row->most : value;
}

/* The number that text is, or the row's default. */
static int64_t parse(const struct option_row *row, const char *text) {
    char *rest;
    long long value = strtoll(text, &rest, 10);
    if (rest == text) return row->initial;
    int64_t unit = 1;
    switch (*rest) {
    case 'G': unit = 1024 * MIB; break;
    case 'M': unit = MIB; break;
    case 'K': unit = KIB; break;
    case '\0': return into_range(row, value);
    default: return row->initial;
    }
    if (rest[1] != '\0') return row->initial;
    int64_t scaled;
    if (__builtin_mul_overflow((int64_t)value, unit, &scaled)) scaled = value < 0 ? INT64_MIN : INT64_MAX;
    return into_range(row, scaled);
}

void tn_options_load(void) {
    if (atomic_load_explicit(&loaded, memory_order_acquire)) return;
    /* Two threads that race here store the same values. */
    for (int i = 0; i < TN_OPTION_COUNT; i++) {
        const char *text = secure_getenv(rows[i].variable);
        atomic_store_explicit(&values[i], text != NULL ? parse(&rows[i], text) : rows[i].initial,
                              memory_order_relaxed);
    }
    atomic_store_explicit(&loaded, 1, memory_order_release);
}

int64_t tn_option_get(enum tn_option option) {
    tn_options_load();
    return atomic_load_explicit(&values[option], memory_order_relaxed);
}

void tn_option_set(enum tn_option option, int64_t value) {
    tn_options_load();
    atomic_store_explicit(&values[option], into_range(&rows[option], value), memory_order_relaxed);
}

const char *tn_option_text(enum tn_text_option option) {
    static const char *const variables[] = {
        [TN_TEXT_MEMORY_TRACE] = "TENURE_MEMORY_TRACE",
        [TN_TEXT_STM_MEASURE] = "TENURE_STM_MEASURE",
    };
    const char *text = secure_getenv(variables[option]);
    return text != NULL && text[0] != '\0' ? text : NULL;
}
