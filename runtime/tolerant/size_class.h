/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Size classes: multiples of 16 up to 256, then eight to each doubling up to 32 KiB, so that rounding wastes at most
 * an eighth. (papers/004…, §3.2, has powers of two.)
 */
#ifndef TENURE_TOLERANT_SIZE_CLASS_H
#define TENURE_TOLERANT_SIZE_CLASS_H

#include <stddef.h>
#include <stdint.h>

#define TT_GRAIN 16
#define TT_SMALL_MOST ((size_t)32 * 1024)
#define TT_CLASSES (16 + 8 * 7)

/* The class of a size from 1 to TT_SMALL_MOST; 0 counts as 1. */
static inline unsigned tt_class_of(size_t size) {
    if (size <= 256) return (unsigned)((size + (size == 0) - 1) >> 4);
    unsigned top = 63u - (unsigned)__builtin_clzll((unsigned long long)(size - 1));
    return 16 + (top - 8) * 8 + (unsigned)(((size - 1) >> (top - 3)) & 7);
}

/* The size of a class's slots in bytes. */
static inline size_t tt_class_size(unsigned size_class) {
    if (size_class < 16) return ((size_t)size_class + 1) * TT_GRAIN;
    unsigned above = size_class - 16;
    return ((size_t)9 + (above & 7)) << (5 + (above >> 3));
}

#endif
