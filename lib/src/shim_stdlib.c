/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Numbers out of bounded strings, and what else of stdlib needs C.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <langinfo.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

long tnc_parse_long(const char *s, size_t n, int base, size_t *used);
unsigned long tnc_parse_ulong(const char *s, size_t n, int base, size_t *used);
double tnc_parse_double(const char *s, size_t n, size_t *used);
float tnc_parse_float(const char *s, size_t n, size_t *used);
long double tnc_parse_long_double(const char *s, size_t n, size_t *used);
double tnc_string_double(const char *s, size_t *used);
float tnc_string_float(const char *s, size_t *used);
long double tnc_string_long_double(const char *s, size_t *used);
int tn_getloadavg(double *loads, int n);
int tn_atexit(void (*f)(void));
char *tnc_realpath(const char *path);
int tnc_mkdtemp(char *path_template);

static int is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static unsigned digit_value(unsigned char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10u;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10u;
    return 99;
}

/* The magnitude of the number at the start of s, its sign, and in *used how many characters were part of
 * it (0 if there is no number). Returns 1 if the magnitude fits an unsigned long. */
static int parse_magnitude(const char *s, size_t n, int base, size_t *used, int *negative, unsigned long *magnitude) {
    size_t i = 0;
    *used = 0;
    *negative = 0;
    *magnitude = 0;
    if (base != 0 && (base < 2 || base > 36)) {
        errno = EINVAL;
        return 1;
    }
    while (i < n && is_space((unsigned char)s[i])) i++;
    if (i < n && (s[i] == '-' || s[i] == '+')) *negative = s[i++] == '-';
    if ((base == 0 || base == 16) && n - i > 2 && s[i] == '0' && (s[i + 1] | 32) == 'x' &&
        digit_value((unsigned char)s[i + 2]) < 16) {
        base = 16;
        i += 2;
    } else if (base == 0) {
        base = i < n && s[i] == '0' ? 8 : 10;
    }
    int fits = 1;
    unsigned long sum = 0;
    for (; i < n; i++) {
        unsigned digit = digit_value((unsigned char)s[i]);
        if (digit >= (unsigned)base) break;
        if (__builtin_mul_overflow(sum, (unsigned long)base, &sum) || __builtin_add_overflow(sum, digit, &sum)) fits = 0;
        *used = i + 1;
    }
    *magnitude = sum;
    return fits;
}

long tnc_parse_long(const char *s, size_t n, int base, size_t *used) {
    int negative;
    unsigned long magnitude;
    int fits = parse_magnitude(s, n, base, used, &negative, &magnitude);
    unsigned long limit = negative ? (unsigned long)LONG_MAX + 1 : LONG_MAX;
    if (!fits || magnitude > limit) {
        errno = ERANGE;
        return negative ? LONG_MIN : LONG_MAX;
    }
    return (long)(negative ? 0 - magnitude : magnitude);
}

unsigned long tnc_parse_ulong(const char *s, size_t n, int base, size_t *used) {
    int negative;
    unsigned long magnitude;
    if (!parse_magnitude(s, n, base, used, &negative, &magnitude)) {
        errno = ERANGE;
        return ULONG_MAX;
    }
    return negative ? 0 - magnitude : magnitude;
}

/* Powers of ten that a double holds exactly. */
static const double exact_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Digits that a double holds exactly. */
#define EXACT_DIGITS 15

/* What stands between the digits, in the current locale. */
static char radix(void) { return nl_langinfo(RADIXCHAR)[0]; }

/* The character behind digits makes a longer number of them. */
static int goes_on(char c, int after_point) {
    if (c == 0 || is_space((unsigned char)c)) return 0;
    return (c | 32) == 'e' || (c | 32) == 'x' || (!after_point && c == radix());
}

/* A number of few digits and without an exponent is the quotient of two doubles that are exact, so one division rounds
 * it as strtod would (Clinger, "How to read floating point numbers accurately", PLDI 1990). How many characters it has,
 * 0 if it is no such number. */
static size_t parse_short_double(const char *s, size_t n, double *value) {
    size_t i = 0;
    while (i < n && is_space((unsigned char)s[i])) i++;
    int negative = i < n && s[i] == '-';
    if (negative || (i < n && s[i] == '+')) i++;
    uint64_t digits = 0;
    size_t count = 0, point = 0;
    for (; i < n; i++) {
        unsigned digit = (unsigned)(unsigned char)s[i] - '0';
        if (digit < 10) {
            digits = 10 * digits + digit;
            if (++count > EXACT_DIGITS) return 0;
        } else if (s[i] == '.' && point == 0 && count > 0 && radix() == '.') {
            point = i + 1;
        } else {
            break;
        }
    }
    if (count == 0 || (i < n && goes_on(s[i], point > 0))) return 0;
    double magnitude = (double)digits / exact_ten[point == 0 ? 0 : i - point];
    *value = negative ? -magnitude : magnitude;
    return i;
}

/* strtod and its kin want a zero. Where none is near, a short number is copied to the stack, a long one to the heap. */
#define PARSE_FLOATING(type, parse)                                      \
    size_t start = 0;                                                    \
    char *end;                                                           \
    *used = 0;                                                           \
    if (n > 0 && memchr(s, 0, n < 32 ? n : 32) != NULL) {                \
        type direct = parse(s, &end);                                    \
        *used = (size_t)(end - s);                                       \
        return direct;                                                   \
    }                                                                    \
    while (start < n && is_space((unsigned char)s[start])) start++;      \
    size_t length = start;                                               \
    while (length < n && s[length] != 0 && !is_space((unsigned char)s[length])) length++; \
    length -= start;                                                     \
    char small[128];                                                     \
    char *text = length < sizeof small ? small : malloc(length + 1);     \
    if (text == NULL) return 0;                                          \
    if (length > 0) memcpy(text, s + start, length);                     \
    text[length] = 0;                                                    \
    type value = parse(text, &end);                                      \
    if (end != text) *used = start + (size_t)(end - text);               \
    if (text != small) free(text);                                       \
    return value

static double parse_any_double(const char *s, size_t n, size_t *used) { PARSE_FLOATING(double, strtod); }
double tnc_parse_double(const char *s, size_t n, size_t *used) {
    double value;
    *used = parse_short_double(s, n, &value);
    return *used > 0 ? value : parse_any_double(s, n, used);
}
float tnc_parse_float(const char *s, size_t n, size_t *used) { PARSE_FLOATING(float, strtof); }
long double tnc_parse_long_double(const char *s, size_t n, size_t *used) { PARSE_FLOATING(long double, strtold); }

/* The same of strings that have their zero; NULL is an empty one. */
#define PARSE_STRING(name, type, parse)             \
    type name(const char *s, size_t *used) {        \
        *used = 0;                                  \
        if (s == NULL) return 0;                    \
        char *end;                                  \
        type value = parse(s, &end);                \
        *used = (size_t)(end - s);                  \
        return value;                               \
    }

PARSE_STRING(tnc_string_double, double, strtod)
PARSE_STRING(tnc_string_float, float, strtof)
PARSE_STRING(tnc_string_long_double, long double, strtold)

int tn_getloadavg(double *loads, int n) { return n < 0 || n > 3 ? -1 : getloadavg(loads, n); }

int tn_atexit(void (*f)(void)) { return atexit(f); }

/* Memory that stays: the program keeps it as a heap string. */
char *tnc_realpath(const char *path) { return realpath(path, NULL); }

int tnc_mkdtemp(char *path_template) { return mkdtemp(path_template) == NULL ? -1 : 0; }
