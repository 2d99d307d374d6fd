/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Where formatted text is put together before it is written or copied: one growing buffer a thread.
 * printf.cyc reads the format and calls one function per piece. Formatting calls nothing of the program's, so
 * one buffer is enough; tnc_text_begin empties what an exception may have left behind.
 */
#define _GNU_SOURCE
#include "shim_stdio.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* As printf.cyc has them. */
enum { LEFT = 1, PLUS = 2, SPACE = 4, ALTERNATE = 8, ZERO = 16, QUOTE = 32 };

static _Thread_local struct {
    char *data;
    size_t used, room;
    int failed; /* an allocation failed: the text is incomplete */
} text;

void tnc_text_begin(void);
void tnc_text_add(const char *s, size_t n);
void tnc_text_field(const char *s, size_t n, int flags, int width);
void tnc_text_integer(unsigned long value, int is_signed, int base, int upper, int flags, int width, int precision);
void tnc_text_double(double value, int conversion, int flags, int width, int precision);
void tnc_text_long_double(long double value, int conversion, int flags, int width, int precision);
long tnc_text_length(void);
void tnc_text_copy(char *to, size_t n);
char *tnc_text_keep(void);
long tnc_text_write(FILE *f);
long tnc_text_write_fd(int fd);

void tnc_text_begin(void) {
    text.used = 0;
    text.failed = 0;
    /* One large text does not keep its buffer for ever. */
    if (text.room > 1 << 20) {
        free(text.data);
        text.data = NULL;
        text.room = 0;
    }
}

/* Room for n more characters, which count as used from now on; NULL if there is no memory. */
static char *more(size_t n) {
    if (text.room - text.used < n) {
        size_t room = text.room < 512 ? 512 : text.room * 2;
        if (room - text.used < n) room = text.used + n;
        char *data = realloc(text.data, room);
        if (data == NULL) {
            text.failed = 1;
            return NULL;
        }
        text.data = data;
        text.room = room;
    }
    char *at = text.data + text.used;
    text.used += n;
    return at;
}

void tnc_text_add(const char *s, size_t n) {
    char *at = more(n);
    if (at != NULL && n > 0) memcpy(at, s, n);
}

static void fill(char c, size_t n) {
    char *at = more(n);
    if (at != NULL) memset(at, c, n);
}

void tnc_text_field(const char *s, size_t n, int flags, int width) {
    size_t pad = width > 0 && (size_t)width > n ? (size_t)width - n : 0;
    if (!(flags & LEFT)) fill(' ', pad);
    tnc_text_add(s, n);
    if (flags & LEFT) fill(' ', pad);
}

static const char *digits_of(char *end, unsigned long value, int base, int upper) {
    const char *symbols = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    if (base == 10) {
        for (; value != 0; value /= 10) *--end = (char)('0' + value % 10);
    } else {
        unsigned shift = base == 16 ? 4 : base == 8 ? 3 : 1;
        for (; value != 0; value >>= shift) *--end = symbols[value & ((1u << shift) - 1)];
    }
    return end;
}

void tnc_text_integer(unsigned long value, int is_signed, int base, int upper, int flags, int width, int precision) {
    char buffer[64];
    char prefix[2];
    size_t prefixed = 0;
    int negative = is_signed && (long)value < 0;
    if (negative) value = 0 - value;
    if (negative) prefix[prefixed++] = '-';
    else if (is_signed && (flags & PLUS)) prefix[prefixed++] = '+';
    else if (is_signed && (flags & SPACE)) prefix[prefixed++] = ' ';
    else if ((flags & ALTERNATE) && value != 0 && (base == 16 || base == 2)) {
        prefix[prefixed++] = '0';
        prefix[prefixed++] = (char)((base == 16 ? 'x' : 'b') - (upper ? 32 : 0));
    }
    const char *digits = digits_of(buffer + sizeof buffer, value, base, upper);
    size_t count = (size_t)(buffer + sizeof buffer - digits);
    size_t least = precision < 0 ? 1 : (size_t)precision;
    size_t zeros = count < least ? least - count : 0;
    if (base == 8 && (flags & ALTERNATE) && zeros == 0 && (count == 0 || digits[0] != '0')) zeros = 1;
    size_t total = prefixed + zeros + count;
    size_t pad = width > 0 && (size_t)width > total ? (size_t)width - total : 0;
    if ((flags & ZERO) && !(flags & LEFT) && precision < 0) {
        zeros += pad;
        pad = 0;
    }
    if (!(flags & LEFT)) fill(' ', pad);
    tnc_text_add(prefix, prefixed);
    fill('0', zeros);
    tnc_text_add(digits, count);
    if (flags & LEFT) fill(' ', pad);
}

/* The format of one floating-point conversion, with `*` for width and precision. */
static void spell(char *spec, int conversion, int flags, int is_long) {
    *spec++ = '%';
    if (flags & LEFT) *spec++ = '-';
    if (flags & PLUS) *spec++ = '+';
    if (flags & SPACE) *spec++ = ' ';
    if (flags & ALTERNATE) *spec++ = '#';
    if (flags & ZERO) *spec++ = '0';
    *spec++ = '*';
    *spec++ = '.';
    *spec++ = '*';
    if (is_long) *spec++ = 'L';
    *spec++ = strchr("aAeEfFgG", conversion) != NULL && conversion != 0 ? (char)conversion : 'g';
    *spec = 0;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#define ADD_FLOATING(value)                                                     \
    do {                                                                        \
        char small[128];                                                        \
        int n = snprintf(small, sizeof small, spec, width, precision, (value)); \
        if (n < 0) {                                                            \
            text.failed = 1;                                                    \
        } else if ((size_t)n < sizeof small) {                                  \
            tnc_text_add(small, (size_t)n);                                     \
        } else {                                                                \
            char *at = more((size_t)n + 1);                                     \
            if (at == NULL) return;                                             \
            snprintf(at, (size_t)n + 1, spec, width, precision, (value));       \
            text.used--;                                                        \
        }                                                                       \
    } while (0)

void tnc_text_double(double value, int conversion, int flags, int width, int precision) {
    char spec[16];
    spell(spec, conversion, flags, 0);
    ADD_FLOATING(value);
}

void tnc_text_long_double(long double value, int conversion, int flags, int width, int precision) {
    char spec[16];
    spell(spec, conversion, flags, 1);
    ADD_FLOATING(value);
}
#pragma GCC diagnostic pop

/* -1 if the text is incomplete. */
long tnc_text_length(void) { return text.failed ? -1 : (long)text.used; }

void tnc_text_copy(char *to, size_t n) {
    size_t count = n < text.used ? n : text.used;
    if (count > 0) memcpy(to, text.data, count);
}

/* The text as a string that stays; what stands behind a zero in it is cut off. NULL if there is no memory. */
char *tnc_text_keep(void) { return text.used == 0 ? strdup("") : strndup(text.data, text.used); }

long tnc_text_write(FILE *f) {
    FILE *stream = tn_open_stream(f);
    if (text.failed || stream == NULL) return -1;
    if (text.used == 0) return 0;
    return fwrite_unlocked(text.data, 1, text.used, stream) == text.used ? (long)text.used : -1;
}

long tnc_text_write_fd(int fd) {
    if (text.failed) return -1;
    return tnc_write_fd(fd, text.data, text.used);
}

/* --- what constant formats are lowered to, as in shim_stdio.c ----------------------------------
 *
 * The text is put together elsewhere first: an argument may lie in the buffer. */

void tnc_too_short(size_t need, size_t have, const char *function, const char *header);

/* A text of a usual length needs no memory. */
struct direct {
    const char *text;
    char small[512];
};

/* The length of the text, or -1. */
__attribute__((format(printf, 2, 0))) static int format_directly(struct direct *d, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(d->small, sizeof d->small, format, args);
    d->text = d->small;
    if (length >= (int)sizeof d->small) {
        tnc_text_begin();
        char *at = more((size_t)length + 1);
        d->text = at;
        length = at == NULL ? -1 : vsnprintf(at, (size_t)length + 1, format, again);
    }
    va_end(again);
    return length;
}

int tn_snprintf_direct(char *to, unsigned have, size_t n, const char *format, ...) {
    if (n > have) tnc_too_short(n, have, "snprintf", "<stdio.h>");
    struct direct d;
    va_list args;
    va_start(args, format);
    int length = format_directly(&d, format, args);
    va_end(args);
    if (length < 0 || n == 0) return length;
    size_t copied = (size_t)length < n ? (size_t)length : n - 1;
    memcpy(to, d.text, copied);
    to[copied] = 0;
    return length;
}

int tn_sprintf_direct(char *to, unsigned have, const char *format, ...) {
    struct direct d;
    va_list args;
    va_start(args, format);
    int length = format_directly(&d, format, args);
    va_end(args);
    if (length < 0) return length;
    if ((size_t)length >= have) tnc_too_short((size_t)length + 1, have, "sprintf", "<stdio.h>");
    memcpy(to, d.text, (size_t)length + 1);
    return length;
}
