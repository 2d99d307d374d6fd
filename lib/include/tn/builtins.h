#ifndef TN_BUILTINS_H
#define TN_BUILTINS_H

#include <tn/link.h>

/* The functions that gcc and clang build in, as far as they are safe; each file that goes through the
   preprocessor has them. What cc leaves undefined for 0 is the number of bits here, and what cc takes
   for granted is not: `__builtin_unreachable` ends the program. */
extern "C" {
  int __builtin_clz(unsigned x) TN_LINK(tn_clz32);
  int __builtin_clzl(unsigned long x) TN_LINK(tn_clz64);
  int __builtin_clzll(unsigned long long x) TN_LINK(tn_clz_long_long);
  int __builtin_ctz(unsigned x) TN_LINK(tn_ctz32);
  int __builtin_ctzl(unsigned long x) TN_LINK(tn_ctz64);
  int __builtin_ctzll(unsigned long long x) TN_LINK(tn_ctz_long_long);
  int __builtin_popcount(unsigned x) TN_LINK(tn_popcount32);
  int __builtin_popcountl(unsigned long x) TN_LINK(tn_popcount64);
  int __builtin_popcountll(unsigned long long x) TN_LINK(tn_popcount_long_long);
  void __builtin_trap(void) TN_LINK(abort) __attribute__((noreturn));
  void __builtin_unreachable(void) TN_LINK(abort) __attribute__((noreturn));
}

static inline int __builtin_ffs(int x) { return x == 0 ? 0 : __builtin_ctz((unsigned)x) + 1; }
static inline int __builtin_ffsl(long x) { return x == 0 ? 0 : __builtin_ctzl((unsigned long)x) + 1; }
static inline int __builtin_ffsll(long long x) { return x == 0 ? 0 : __builtin_ctzll((unsigned long long)x) + 1; }
static inline int __builtin_parity(unsigned x) { return __builtin_popcount(x) & 1; }
static inline int __builtin_parityl(unsigned long x) { return __builtin_popcountl(x) & 1; }
static inline int __builtin_parityll(unsigned long long x) { return __builtin_popcountll(x) & 1; }

/* cc knows these forms and makes one instruction of each. */
static inline unsigned short __builtin_bswap16(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }
static inline unsigned __builtin_bswap32(unsigned x)
{
  return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}
static inline unsigned long __builtin_bswap64(unsigned long x)
{
  return (unsigned long)__builtin_bswap32((unsigned)x) << 32 | __builtin_bswap32((unsigned)(x >> 32));
}

#define __builtin_expect(value, expected) ((long)(value))
#define __builtin_expect_with_probability(value, expected, probability) ((long)(value))
#define __builtin_constant_p(value) 0
#define __builtin_prefetch(...) ((void)0)
#define __builtin_assume_aligned(pointer, ...) (pointer)
#define __builtin_huge_val() (1.0 / 0.0)
#define __builtin_huge_valf() (1.0f / 0.0f)
#define __builtin_huge_vall() (1.0L / 0.0L)
#define __builtin_inf() (1.0 / 0.0)
#define __builtin_inff() (1.0f / 0.0f)
#define __builtin_infl() (1.0L / 0.0L)
#define __builtin_nan(text) (-(0.0 / 0.0))
#define __builtin_nanf(text) (-(0.0f / 0.0f))
#define __builtin_nanl(text) (-(0.0L / 0.0L))

/* Where the header of the plain name is included. */
#define __builtin_memcpy memcpy
#define __builtin_memmove memmove
#define __builtin_memset memset
#define __builtin_memcmp memcmp
#define __builtin_memchr memchr
#define __builtin_strlen strlen
#define __builtin_strcmp strcmp
#define __builtin_strncmp strncmp
#define __builtin_strcpy strcpy
#define __builtin_strncpy strncpy
#define __builtin_strcat strcat
#define __builtin_strchr strchr
#define __builtin_strrchr strrchr
#define __builtin_strstr strstr
#define __builtin_malloc malloc
#define __builtin_calloc calloc
#define __builtin_free free
#define __builtin_abort abort
#define __builtin_exit exit
#define __builtin_printf printf
#define __builtin_puts puts
#define __builtin_putchar putchar
#define __builtin_snprintf snprintf
#define __builtin_sprintf sprintf
#define __builtin_abs abs
#define __builtin_labs labs
#define __builtin_llabs llabs
#define __builtin_fabs fabs
#define __builtin_fabsf fabsf
#define __builtin_sqrt sqrt
#define __builtin_sqrtf sqrtf
#define __builtin_floor floor
#define __builtin_ceil ceil
#define __builtin_isnan isnan
#define __builtin_isinf isinf
#define __builtin_isfinite isfinite
#define __builtin_signbit signbit

#endif
