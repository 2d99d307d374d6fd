#ifndef _STDDEF_H
#define _STDDEF_H

#include <tn/features.h>

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __WCHAR_TYPE__ wchar_t;
#ifdef __clang__
#define __max_align_ll __clang_max_align_nonce1
#define __max_align_ld __clang_max_align_nonce2
#endif
typedef struct {
  long long __max_align_ll __attribute__((aligned(8)));
  long double __max_align_ld __attribute__((aligned(16)));
} max_align_t;
#undef __max_align_ll
#undef __max_align_ld

/* NULL is a word of the language; the macro serves `#ifdef NULL`. */
#define NULL NULL
#define offsetof(type, member) __builtin_offsetof(type, member)

#endif
