/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * libc's string functions over (pointer, bound): string.cyc passes the bound of each pointer, so that nothing
 * here reads or writes past one. A pointer may be NULL where its bound is 0.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <string.h>
#include <strings.h>

size_t tnc_strnlen(const char *s, size_t n);
int tnc_strcmp(const char *a, size_t na, const char *b, size_t nb);
int tnc_strcasecmp(const char *a, size_t na, const char *b, size_t nb);
long tnc_find_byte(const char *s, size_t n, int c);
long tnc_find_last_byte(const char *s, size_t n, int c);
long tnc_find_bytes(const char *s, size_t n, const char *needle, size_t m);
size_t tnc_span(const char *s, size_t n, const char *set, size_t m, int inside);
void tnc_copy(char *to, const char *from, size_t n);
void tnc_fill(char *to, int c, size_t n);
int tnc_compare(const char *a, const char *b, size_t n);
int tnc_strcoll(const char *a, const char *b);
size_t tnc_strxfrm(char *to, const char *from, size_t n);
const char *tnc_strerror(int error);
const char *tnc_strsignal(int sig);
char *tnc_keep(const char *s);

size_t tnc_strnlen(const char *s, size_t n) { return n == 0 ? 0 : strnlen(s, n); }

/* The order of two strings that agree in their first min(na, nb) characters. */
static int order_of_rest(const char *a, size_t na, const char *b, size_t nb) {
    size_t n = na < nb ? na : nb;
    if (na == nb || (n > 0 && memchr(a, 0, n) != NULL)) return 0;
    return na < nb ? -(b[n] != 0) : a[n] != 0;
}

/* The order of two strings that agree in their first `from` characters. Apart, so that tnc_strcmp needs no stack. */
__attribute__((noinline)) static int order_of_long(const char *a, size_t na, const char *b, size_t nb, size_t from) {
    size_t n = na < nb ? na : nb;
    int order = from < n ? strncmp(a + from, b + from, n - from) : 0;
    return order != 0 ? order : order_of_rest(a, na, b, nb);
}

/* Most strings that are compared differ early: what libc's function takes to start is more than these few steps. */
int tnc_strcmp(const char *a, size_t na, const char *b, size_t nb) {
    size_t n = na < nb ? na : nb;
    n = n < 8 ? n : 8;
    for (size_t i = 0; i < n; i++) {
        int order = (unsigned char)a[i] - (unsigned char)b[i];
        if (order != 0 || a[i] == 0) return order;
    }
    return order_of_long(a, na, b, nb, n);
}

int tnc_strcasecmp(const char *a, size_t na, const char *b, size_t nb) {
    size_t n = na < nb ? na : nb;
    int order = n == 0 ? 0 : strncasecmp(a, b, n);
    return order != 0 ? order : order_of_rest(a, na, b, nb);
}

/* The index, or -1. */
long tnc_find_byte(const char *s, size_t n, int c) {
    const char *at = n == 0 ? NULL : memchr(s, c, n);
    return at == NULL ? -1 : (long)(at - s);
}

long tnc_find_last_byte(const char *s, size_t n, int c) {
    const char *at = n == 0 ? NULL : memrchr(s, c, n);
    return at == NULL ? -1 : (long)(at - s);
}

long tnc_find_bytes(const char *s, size_t n, const char *needle, size_t m) {
    if (m == 0) return 0;
    const char *at = n < m ? NULL : memmem(s, n, needle, m);
    return at == NULL ? -1 : (long)(at - s);
}

/* How many of the first n characters are all in the set (inside = 1) or all outside it (0). */
size_t tnc_span(const char *s, size_t n, const char *set, size_t m, int inside) {
    unsigned char member[256] = {0};
    for (size_t i = 0; i < m; i++) member[(unsigned char)set[i]] = 1;
    size_t i = 0;
    while (i < n && member[(unsigned char)s[i]] == inside) i++;
    return i;
}

/* The ranges may overlap: in a safe language they cannot be kept apart. */
void tnc_copy(char *to, const char *from, size_t n) {
    if (n > 0) memmove(to, from, n);
}

void tnc_fill(char *to, int c, size_t n) {
    if (n > 0) memset(to, c, n);
}

int tnc_compare(const char *a, const char *b, size_t n) { return n == 0 ? 0 : memcmp(a, b, n); }

int tnc_strcoll(const char *a, const char *b) { return strcoll(a, b); }
size_t tnc_strxfrm(char *to, const char *from, size_t n) { return strxfrm(to, from, n); }

/* A copy that stays: a zero-terminated string on the program's heap. NULL for NULL, or where there is no memory. */
char *tnc_keep(const char *s) { return s == NULL ? NULL : strdup(s); }

/* In a buffer of the thread's own: the caller copies it. */
const char *tnc_strerror(int error) { return strerror(error); }
const char *tnc_strsignal(int sig) {
    const char *text = strsignal(sig);
    return text == NULL ? "Unknown signal" : text;
}
