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

int tnc_scan_file(FILE *f);
void tnc_scan_string(const char *s, size_t n);
void tnc_scan_end(void);
int tnc_scan_next(void);
void tnc_scan_back(int c);
void tnc_scan_space(void);
long tnc_scan_count(void);
int tnc_scan_integer(int base, int width, unsigned long *value);
int tnc_scan_floating(int width, double *value);

int tnc_scan_file(FILE *f) {
    source.stream = tn_open_stream(f);
    source.at = source.end = NULL;
    source.count = 0;
    return source.stream == NULL ? -1 : 0;
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

/* The state of a number being collected: what may follow depends on what was read. */
struct number {
    char text[400]; /* holds any double's digits that matter */
    size_t length, most;
    int next; /* the character after the text, not yet taken */
};

static void take(struct number *number) {
    number->text[number->length++] = (char)number->next;
    number->next = number->length < number->most ? tnc_scan_next() : EOF;
}

static int take_digits(struct number *number, int base) {
    int any = 0;
    for (; digit_value(number->next) < base; any = 1) take(number);
    return any;
}

/* As much of the word as is there, in either case. */
static void take_word(struct number *number, const char *word) {
    for (; *word != 0 && (number->next | 32) == *word; word++) take(number);
}

static void take_sign(struct number *number) {
    if (number->next == '+' || number->next == '-') take(number);
}

/* Takes the longest prefix that a number may have, which strtod reads. One character is all that can be put
 * back, so that what looks like an exponent and is none is lost, as in C. */
int tnc_scan_floating(int width, double *value) {
    struct number number;
    number.length = 0;
    number.most = sizeof number.text - 1;
    if (width > 0 && (size_t)width < number.most) number.most = (size_t)width;
    number.next = tnc_scan_next();
    if (number.next == EOF) return AT_END;
    take_sign(&number);
    if ((number.next | 32) == 'i') {
        take_word(&number, "infinity");
    } else if ((number.next | 32) == 'n') {
        take_word(&number, "nan");
    } else {
        int base = 10;
        int any = number.next == '0';
        if (any) take(&number);
        if (any && (number.next | 32) == 'x') {
            take(&number);
            base = 16;
        }
        any |= take_digits(&number, base);
        if (number.next == '.') {
            take(&number);
            any |= take_digits(&number, base);
        }
        if (any && (number.next | 32) == (base == 16 ? 'p' : 'e')) {
            take(&number);
            take_sign(&number);
            take_digits(&number, 10);
        }
    }
    tnc_scan_back(number.next);
    number.text[number.length] = 0;
    char *end;
    *value = strtod(number.text, &end);
    return end == number.text ? NO_MATCH : MATCH;
}
