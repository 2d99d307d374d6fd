/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The kernels of fat.c over one representation of fat pointers, chosen by WORDS:
 *   1  plain C pointers, nothing checked
 *   2  base, 32-bit index, 32-bit length (what the compiler uses)
 *   3  base, current, end (Cyclone's)
 * Every access is checked as emitted code does it without any check proved away.
 */
#include <stddef.h>

#include "tenure/rt.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define K(name) JOIN(name##_, WORDS)

static const struct tn_site site TN_UNUSED = {"fat.cyc", 1, 1, "kernel", "p[i]"};

#if WORDS == 1
#define FAT(T, Name) typedef T *Name; TN_INLINE Name make_##Name(T *p, size_t n) { (void)n; return p; }
#define AT(p, i) ((p)[i])
#define PLUS(p, k) ((p) + (k))
#elif WORDS == 2
#define FAT(T, Name)                                                                   \
    typedef struct { T *base; uint32_t idx, len; } Name;                               \
    TN_INLINE Name make_##Name(T *p, size_t n) { return (Name){p, 0, (uint32_t)n}; }   \
    TN_INLINE T *at_##Name(Name p, uint32_t i) {                                       \
        uint32_t k = p.idx + i;                                                        \
        if (tn_unlikely(k >= p.len)) tn_raise_fat(&site, p.base, k, p.len);            \
        return &p.base[k];                                                             \
    }                                                                                  \
    TN_INLINE T *at64_##Name(Name p, uint64_t i) {                                     \
        uint64_t k = tn_index_u64(p.idx, i);                                           \
        if (tn_unlikely(k >= p.len)) tn_raise_fat(&site, p.base, k, p.len);            \
        return &p.base[k];                                                             \
    }                                                                                  \
    TN_INLINE Name plus_##Name(Name p, uint32_t k) { p.idx += k; return p; }
#define PLUS(p, k) _Generic((p), ints: plus_ints, bytes: plus_bytes)((p), (uint32_t)(k))
#else
#define FAT(T, Name)                                                                        \
    typedef struct { T *base, *current, *end; } Name;                                       \
    TN_INLINE Name make_##Name(T *p, size_t n) { return (Name){p, p, p + n}; }              \
    TN_INLINE T *at64_##Name(Name p, uint64_t i) {                                          \
        T *q = (T *)((uintptr_t)p.current + i * sizeof(T));                                 \
        if (tn_unlikely(q < p.base || q >= p.end)) tn_raise_null(&site);                    \
        return q;                                                                           \
    }                                                                                       \
    TN_INLINE T *at_##Name(Name p, uint32_t i) { return at64_##Name(p, (uint64_t)(int32_t)i); } \
    TN_INLINE Name plus_##Name(Name p, uint64_t k) {                                        \
        p.current = (T *)((uintptr_t)p.current + k * sizeof(T));                            \
        return p;                                                                           \
    }
#define PLUS(p, k) _Generic((p), ints: plus_ints, bytes: plus_bytes)((p), (uint64_t)(k))
#endif

FAT(int, ints)
FAT(unsigned char, bytes)

#if WORDS == 1
#define AT32 AT
#define AT64 AT
#else
#define AT32(p, i) (*_Generic((p), ints: at_ints, bytes: at_bytes)((p), (uint32_t)(i)))
#define AT64(p, i) (*_Generic((p), ints: at64_ints, bytes: at64_bytes)((p), (uint64_t)(i)))
#endif

#define NOINLINE __attribute__((noinline))

static NOINLINE long sum_index32(ints p, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) sum += AT32(p, i);
    return sum;
}

static NOINLINE long sum_index64(ints p, size_t n) {
    long sum = 0;
    for (size_t i = 0; i < n; i++) sum += AT64(p, i);
    return sum;
}

static NOINLINE long sum_walk(ints p, int n) {
    long sum = 0;
    while (n-- > 0) {
        sum += AT32(p, 0);
        p = PLUS(p, 1);
    }
    return sum;
}

static NOINLINE void copy_string(bytes to, bytes from) {
    for (;;) {
        unsigned char c = AT32(from, 0);
        AT32(to, 0) = c;
        if (c == 0) return;
        to = PLUS(to, 1);
        from = PLUS(from, 1);
    }
}

static NOINLINE void quicksort(ints p, int n) {
    while (n > 1) {
        int pivot = AT32(p, n / 2), i = 0, j = n - 1;
        for (;;) {
            while (AT32(p, i) < pivot) i++;
            while (AT32(p, j) > pivot) j--;
            if (i >= j) break;
            int t = AT32(p, i);
            AT32(p, i) = AT32(p, j);
            AT32(p, j) = t;
            i++, j--;
        }
        quicksort(p, i);
        p = PLUS(p, i);
        n -= i;
    }
}

/* Fat pointers kept in memory: rows of a matrix, summed down the columns. */
static NOINLINE long sum_columns(const ints *rows, int count, int width) {
    long sum = 0;
    for (int c = 0; c < width; c++)
        for (int r = 0; r < count; r++) sum += AT32(rows[r], c);
    return sum;
}

/* Keeps the compiler from seeing that pass_around has no effect. */
static volatile int turns;

static NOINLINE long pass_around(ints a, ints b, int depth) {
    if (depth == 0) return (long)AT32(a, 0) + AT32(b, 0);
    turns = depth;
    return pass_around(b, PLUS(a, 1), depth - 1) + turns;
}

long K(run_index32)(int *data, size_t n) { return sum_index32(make_ints(data, n), (int)n); }
long K(run_index64)(int *data, size_t n) { return sum_index64(make_ints(data, n), n); }
long K(run_walk)(int *data, size_t n) { return sum_walk(make_ints(data, n), (int)n); }

long K(run_copy)(int *data, size_t n) {
    unsigned char *from = (unsigned char *)data, *to = from + n * 2;
    __builtin_memset(from, 'x', n * 2 - 1);
    from[n * 2 - 1] = 0;
    copy_string(make_bytes(to, n * 2), make_bytes(from, n * 2));
    return to[n];
}

long K(run_sort)(int *data, size_t n) {
    uint32_t state = 1;
    for (size_t i = 0; i < n; i++) data[i] = (int)((state = state * 1664525 + 1013904223) >> 8);
    quicksort(make_ints(data, n), (int)n);
    return data[n / 2];
}

long K(run_columns)(int *data, size_t n) {
    enum { ROWS = 2000 };
    static ints rows[ROWS];
    int width = (int)(n / ROWS);
    for (int r = 0; r < ROWS; r++) rows[r] = make_ints(data + r * width, (size_t)width);
    return sum_columns(rows, ROWS, width);
}

long K(run_pass)(int *data, size_t n) {
    long sum = 0;
    for (size_t i = 0; i < n / 100; i++) sum += pass_around(make_ints(data, n), make_ints(data + 1, n - 1), 40);
    return sum;
}
