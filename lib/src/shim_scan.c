/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Where the scanf family reads from: one source a thread, a stream or a string. scan.cyc reads the
 * format and asks for characters and numbers. Scanning calls nothing of the program's, and tnc_scan_end
 * forgets the string, so that no pointer to it outlives the call.
 */
#define _GNU_SOURCE
#include "shim_stdio.h"

#include <errno.h>
#include <stdlib.h>

static _Thread_local struct {
    FILE *stream; /* NULL: the string */
    const char *at, *end;
    long count; /* characters taken */
} source;

/* What the number functions return. */
enum { AT_END = -1, NO_MATCH = 0, MATCH = 1 };

int tnc_scan_file(struct tn_file *f);
void tnc_scan_string(const char *s, size_t n);
void tnc_scan_end(void);
int tnc_scan_next(void);
void tnc_scan_back(int c);
void tnc_scan_space(void);
long tnc_scan_count(void);
int tnc_scan_integer(int base, int width, unsigned long *value);
int tnc_scan_floating(int width, double *value);

int tnc_scan_file(struct tn_file *f) {
    source.stream = f->stream;
    source.at = source.end = NULL;
    source.count = 0;
    if (f->stream == NULL) errno = EBADF;
    return f->stream == NULL ? -1 : 0;
}

void tnc_scan_string(const char *s, size_t n) {
    source.stream = NULL;
    source.at = s;
    source.end = s == NULL ? s : s + n;
    source.count = 0;
}

void tnc_scan_end(void) {
    source.stream = NULL;
    source.at = source.end = NULL;
}

int tnc_scan_next(void) {
    int c = EOF;
    if (source.stream != NULL) c = getc_unlocked(source.stream);
    else if (source.at < source.end) c = *source.at != 0 ? (unsigned char)*source.at++ : EOF;
    if (c != EOF) source.count++;
    return c;
}

/* Puts back the character that tnc_scan_next returned last; nothing for EOF. */
void tnc_scan_back(int c) {
    if (c == EOF) return;
    source.count--;
    if (source.stream != NULL) ungetc(c, source.stream);
    else source.at--;
}

long tnc_scan_count(void) { return source.count; }

static int is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

void tnc_scan_space(void) {
    int c;
    do c = tnc_scan_next();
    while (is_space(c));
    tnc_scan_back(c);
}

static int digit_value(int c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return 99;
}

/* base 0 takes C's prefixes. A value that is too large wraps, as C leaves it open. */
int tnc_scan_integer(int base, int width, unsigned long *value) {
    int left = width > 0 ? width : 0x7fffffff;
    int c = tnc_scan_next();
    if (c == EOF) return AT_END;
    int negative = c == '-';
    if (c == '-' || c == '+') {
        c = --left > 0 ? tnc_scan_next() : EOF;
    }
    int digits = 0;
    if (c == '0' && (base == 0 || base == 16)) {
        digits = 1;
        c = --left > 0 ? tnc_scan_next() : EOF;
        if ((c == 'x' || c == 'X') && left > 0) {
            base = 16;
            digits = 0;
            c = --left > 0 ? tnc_scan_next() : EOF;
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0) base = 10;
    unsigned long sum = 0;
    while (digit_value(c) < base) {
        sum = sum * (unsigned long)base + (unsigned long)digit_value(c);
        digits++;
        c = --left > 0 ? tnc_scan_next() : EOF;
    }
    tnc_scan_back(c);
    if (digits == 0) return NO_MATCH;
    *value = negative ? 0 - sum : sum;
    return MATCH;
}

/* The longest prefix that looks like a number goes to strtod; 400 characters hold any double's digits
 * that matter. */
int tnc_scan_floating(int width, double *value) {
    char text[400];
    size_t n = 0;
    size_t most = width > 0 && (size_t)width < sizeof text - 1 ? (size_t)width : sizeof text - 1;
    int c = tnc_scan_next();
    if (c == EOF) return AT_END;
    int hex = 0;
    while (n < most) {
        int previous = n > 0 ? text[n - 1] : 0;
        int sign_may_stand = n == 0 || (!hex && (previous | 32) == 'e') || (hex && (previous | 32) == 'p');
        int letter = c | 32;
        int word = (letter >= 'a' && letter <= 'z') && (n == 0 || previous == '-' || previous == '+' ||
                    ((previous | 32) >= 'a' && (previous | 32) <= 'z' && !hex));
        int fits = (c >= '0' && c <= '9') || c == '.' || ((c == '+' || c == '-') && sign_may_stand) ||
                   (letter == 'x' && previous == '0') || (!hex && letter == 'e') || (hex && letter == 'p') ||
                   (hex && letter >= 'a' && letter <= 'f') || (word && letter != 'e');
        if (c == EOF || !fits) break;
        if (letter == 'x' && previous == '0') hex = 1;
        text[n++] = (char)c;
        c = tnc_scan_next();
    }
    tnc_scan_back(c);
    text[n] = 0;
    char *end;
    *value = strtod(text, &end);
    return end == text ? NO_MATCH : MATCH;
}
