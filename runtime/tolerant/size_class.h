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

/* Sizes up to this have their class in a table: by the size divided by the grain, rounded up. */
#define TT_TABLE_MOST ((size_t)1024)
extern const uint8_t tt_class_table[TT_TABLE_MOST / TT_GRAIN + 1] __attribute__((visibility("hidden")));

/* The sizes of classes, at the class's number and 1; at 0 there is 0. */
extern const uint16_t tt_class_sizes[TT_CLASSES + 1] __attribute__((visibility("hidden")));

/* The class of a size from 1 to TT_SMALL_MOST; 0 counts as 1. */
static inline unsigned tt_class_of(size_t size) {
    if (size <= TT_TABLE_MOST) return tt_class_table[(size + TT_GRAIN - 1) / TT_GRAIN];
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
