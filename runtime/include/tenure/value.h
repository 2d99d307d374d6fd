/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The values of compiled programs: words, fat pointers, zero-terminated sequences, and the
 * conversions that C leaves undefined.
 *
 * Everything here is a pure function of its arguments, hence safe in any thread and in a signal handler.
 */
#ifndef TENURE_VALUE_H
#define TENURE_VALUE_H

#include "tenure/platform.h"

/* --- words -------------------------------------------------------------------------------------
 * A value of type `a occupies one word; integers, enumerations, pointers, float and double are
 * converted where they pass into or out of polymorphic code. The conversions copy bits. */

typedef void *tn_word;

/* A word in memory whose effective type is that of the instance. */
typedef void *TN_MAY_ALIAS tn_word_alias;

_Static_assert(sizeof(tn_word) == 8, "a word holds a 64-bit integer and a double");

TN_INLINE tn_word tn_word_from_i64(int64_t x) { return (tn_word)(intptr_t)x; }
TN_INLINE tn_word tn_word_from_u64(uint64_t x) { return (tn_word)(uintptr_t)x; }
TN_INLINE int64_t tn_word_to_i64(tn_word w) { return (int64_t)(intptr_t)w; }
TN_INLINE uint64_t tn_word_to_u64(tn_word w) { return (uint64_t)(uintptr_t)w; }

TN_INLINE tn_word tn_word_from_f64(double x) {
    uint64_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return tn_word_from_u64(bits);
}

TN_INLINE double tn_word_to_f64(tn_word w) {
    uint64_t bits = tn_word_to_u64(w);
    double x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

TN_INLINE tn_word tn_word_from_f32(float x) {
    uint32_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return tn_word_from_u64(bits);
}

TN_INLINE float tn_word_to_f32(tn_word w) {
    uint32_t bits = (uint32_t)tn_word_to_u64(w);
    float x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

/* --- fat pointers ------------------------------------------------------------------------------
 * The current element is base[idx]; it may be accessed iff idx < len. NULL has base NULL and len 0.
 * Arithmetic changes idx alone, modulo 2^32, so that no arithmetic can make an access leave the
 * object: at worst it meets another element of it. There are at most TN_FAT_MAX elements. */

#define TN_FAT_MAX UINT32_MAX

#define TN_FAT_DECLARE(Name, T) \
    struct Name {               \
        T *base;                \
        uint32_t idx;           \
        uint32_t len;           \
    }

TN_FAT_DECLARE(tn_fat, void);

/* Elements from the current one on; 0 when the pointer is outside its object or NULL. */
TN_INLINE uint32_t tn_fat_numelts(uint32_t idx, uint32_t len) { return idx < len ? len - idx : 0; }

/* The index of p + k for a 32-bit k (signed or unsigned, converted by C to uint32_t). */
TN_INLINE uint32_t tn_fat_offset_i32(uint32_t idx, int32_t k) { return idx + (uint32_t)k; }

/* Where a fat pointer stands, counted in elements from its first. The 2^32 values of idx are as many positions: those
 * of the object and its end, and as many others below and above as are left, of an object of less than 2^31 elements
 * from -2^31 to 2^31 - 1, of a longer one up to its end. So a pointer that was moved below its first element compares
 * as below it. */
TN_INLINE int64_t tn_fat_position(uint32_t idx, uint32_t len) {
    if (tn_unlikely(len > INT32_MAX)) return idx <= len ? (int64_t)idx : (int64_t)(int32_t)idx;
    return (int32_t)idx;
}

/* Whether p + k has no position, for a k of 64 bits that 32 do not hold; steps of 32 bits go round. An unsigned k from
 * 2^63 on is read as a negative step, because that is what `p + (size_t)-1` means where pointers have 64 bits. */
TN_INLINE int tn_fat_step_leaves(uint32_t idx, uint32_t len, int64_t k) {
    if (tn_likely(k == (int32_t)k)) return 0;
    int64_t last = len > INT32_MAX ? (int64_t)len : (int64_t)INT32_MAX, to;
    if (__builtin_add_overflow(tn_fat_position(idx, len), k, &to)) return 1;
    return to > last || to < last - (int64_t)UINT32_MAX;
}

/* The element that p[i] means for a 64-bit i, in 64 bits: in bounds iff the result < len. Exact for
 * every p inside or at the end of its object. */
TN_INLINE uint64_t tn_index_i64(uint32_t idx, int64_t i) { return (uint64_t)idx + (uint64_t)i; }
TN_INLINE uint64_t tn_index_u64(uint32_t idx, uint64_t i) { return (uint64_t)idx + i; }

/* The element that p[i] means for a 32-bit i: in bounds iff the result < len. */
TN_INLINE uint32_t tn_index_i32(uint32_t idx, int32_t i) { return idx + (uint32_t)i; }
TN_INLINE uint32_t tn_index_u32(uint32_t idx, uint32_t i) { return idx + i; }

/* count * size, or SIZE_MAX (which no allocation satisfies) when that does not fit. */
TN_INLINE size_t tn_size_mul(size_t count, size_t size) {
    size_t product;
    return __builtin_mul_overflow(count, size, &product) ? SIZE_MAX : product;
}

/* a + b, or SIZE_MAX when that does not fit. */
TN_INLINE size_t tn_size_add(size_t a, size_t b) {
    size_t sum;
    return __builtin_add_overflow(a, b, &sum) ? SIZE_MAX : sum;
}

/* --- zero-terminated sequences -----------------------------------------------------------------
 * One function per element size 1, 2, 4, 8. */

/* Whether the elements 0 … i-1 of the zero-terminated sequence p are all non-zero, that is whether
 * element i exists (it may be the terminating zero). p is not NULL. Reads at most up to the zero. */
#define TN_ZT_REACHES(bytes, bits)                                                    \
    TN_INLINE int tn_zt_reaches_##bytes(const void *p, size_t i) {                     \
        typedef uint##bits##_t TN_MAY_ALIAS element;                                  \
        const element *e = (const element *)p;                                        \
        for (size_t k = 0; k < i; k++)                                                \
            if (e[k] == 0) return 0;                                                  \
        return 1;                                                                     \
    }
TN_ZT_REACHES(1, 8)
TN_ZT_REACHES(2, 16)
TN_ZT_REACHES(4, 32)
TN_ZT_REACHES(8, 64)
#undef TN_ZT_REACHES

/* Whether a zero stands in the fat pointer's object from the current element on, so that a pointer to the current
 * element is zero-terminated. False for NULL and for a pointer outside its object. */
#define TN_FAT_HAS_ZERO(bytes, bits)                                                         \
    TN_INLINE int tn_fat_has_zero_##bytes(const void *base, uint32_t idx, uint32_t len) {     \
        typedef uint##bits##_t TN_MAY_ALIAS element;                                         \
        const element *e = (const element *)base;                                            \
        for (; idx < len; idx++)                                                             \
            if (e[idx] == 0) return 1;                                                       \
        return 0;                                                                            \
    }
TN_FAT_HAS_ZERO(1, 8)
TN_FAT_HAS_ZERO(2, 16)
TN_FAT_HAS_ZERO(4, 32)
TN_FAT_HAS_ZERO(8, 64)
#undef TN_FAT_HAS_ZERO

/* --- floating point to integer -----------------------------------------------------------------
 * tn_<from>_to_<to>: truncates toward zero; a value outside the target's range gives the nearest
 * value of the range, and NaN gives 0. <from> is f32, f64 or f80 (long double).
 *
 * The upper comparison is with 2^n rather than with the maximum, because 2^n is exact in every
 * format and the maximum is not. */
__extension__ typedef __int128 tn_i128;
__extension__ typedef unsigned __int128 tn_u128;
#define TN_I128_MAX ((tn_i128)(~(tn_u128)0 >> 1))
#define TN_FLOAT_TO_INT(from, F, to, I, low, high, two_to_n)      \
    TN_INLINE I tn_##from##_to_##to(F x) {                        \
        if (tn_unlikely(!(x < (F)(two_to_n)))) return x != x ? 0 : (high); \
        if (tn_unlikely(x <= (F)(low))) return (low);             \
        return (I)x;                                              \
    }
#define TN_FLOAT_TO_INTS(from, F)                                                   \
    TN_FLOAT_TO_INT(from, F, i8, int8_t, INT8_MIN, INT8_MAX, 0x1p7)                 \
    TN_FLOAT_TO_INT(from, F, i16, int16_t, INT16_MIN, INT16_MAX, 0x1p15)            \
    TN_FLOAT_TO_INT(from, F, i32, int32_t, INT32_MIN, INT32_MAX, 0x1p31)            \
    TN_FLOAT_TO_INT(from, F, i64, int64_t, INT64_MIN, INT64_MAX, 0x1p63)            \
    TN_FLOAT_TO_INT(from, F, u8, uint8_t, 0, UINT8_MAX, 0x1p8)                      \
    TN_FLOAT_TO_INT(from, F, u16, uint16_t, 0, UINT16_MAX, 0x1p16)                  \
    TN_FLOAT_TO_INT(from, F, u32, uint32_t, 0, UINT32_MAX, 0x1p32)                  \
    TN_FLOAT_TO_INT(from, F, u64, uint64_t, 0, UINT64_MAX, 0x1p64)                  \
    TN_FLOAT_TO_INT(from, F, i128, tn_i128, -TN_I128_MAX - 1, TN_I128_MAX, 0x1p127) \
    TN_FLOAT_TO_INT(from, F, u128, tn_u128, 0, ~(tn_u128)0, 0x1p128)
TN_FLOAT_TO_INTS(f32, float)
TN_FLOAT_TO_INTS(f64, double)
TN_FLOAT_TO_INTS(f80, long double)
#undef TN_FLOAT_TO_INTS
#undef TN_FLOAT_TO_INT
#undef TN_I128_MAX

/* Counts of bits; of 0 the number of bits, where cc's own say nothing. */
TN_INLINE int tn_clz32(unsigned x) { return x != 0 ? __builtin_clz(x) : 32; }
TN_INLINE int tn_clz64(unsigned long x) { return x != 0 ? __builtin_clzl(x) : 64; }
TN_INLINE int tn_clz_long_long(unsigned long long x) { return tn_clz64(x); }
TN_INLINE int tn_ctz32(unsigned x) { return x != 0 ? __builtin_ctz(x) : 32; }
TN_INLINE int tn_ctz64(unsigned long x) { return x != 0 ? __builtin_ctzl(x) : 64; }
TN_INLINE int tn_ctz_long_long(unsigned long long x) { return tn_ctz64(x); }
TN_INLINE int tn_popcount32(unsigned x) { return __builtin_popcount(x); }
TN_INLINE int tn_popcount64(unsigned long x) { return __builtin_popcountl(x); }
TN_INLINE int tn_popcount_long_long(unsigned long long x) { return tn_popcount64(x); }

#endif
