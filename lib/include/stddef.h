#ifndef _STDDEF_H
#define _STDDEF_H

#include <tn/features.h>

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef long double max_align_t;

/* NULL is a word of the language; the macro serves `#ifdef NULL`. */
#define NULL NULL
#define offsetof(type, member) __builtin_offsetof(type, member)

#endif
