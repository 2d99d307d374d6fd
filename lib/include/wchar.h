#ifndef _WCHAR_H
#define _WCHAR_H

#include <tn/features.h>
#include <stddef.h>
#include <stdint.h>
#include <tn/link.h>
#include <wctype.h>

/* Wide strings end at their first zero or at their bound. What writes raises Array_bounds, before it writes,
   where the result with its zero does not fit. */

size_t wcslen(const wchar_t ?s) TN_LINK(tn_wcslen);
int wcscmp(const wchar_t ?a, const wchar_t ?b) TN_LINK(tn_wcscmp);
int wcsncmp(const wchar_t ?a, const wchar_t ?b, size_t n) TN_LINK(tn_wcsncmp);
wchar_t ?`r wcscpy(wchar_t ?`r dest, const wchar_t ?src) TN_LINK(tn_wcscpy) TN_CALLER;
wchar_t ?`r wcscat(wchar_t ?`r dest, const wchar_t ?src) TN_LINK(tn_wcscat);
const wchar_t ?`r wcschr(const wchar_t ?`r s, wchar_t c) TN_LINK(tn_wcschr);
/* The characters of a multibyte string in the current locale, at most n with the zero; (size_t)-1 where it is
   malformed. */
size_t mbstowcs(wchar_t ?dest, const char ?src, size_t n) TN_LINK(tn_mbstowcs) TN_CALLER;
size_t wcstombs(char ?dest, const wchar_t ?src, size_t n) TN_LINK(tn_wcstombs) TN_CALLER;

#endif
