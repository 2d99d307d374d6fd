/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Calendar time: a program's struct tm is C's.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <string.h>
#include <time.h>

long tn_mktime(struct tm *when);
long tn_timegm(struct tm *when);
int tnc_gmtime(const long *when, struct tm *out);
int tnc_localtime(const long *when, struct tm *out);
size_t tnc_strftime(char *buffer, size_t n, const char *format, const struct tm *when);
long tnc_strptime(const char *s, const char *format, struct tm *out);
int tnc_nanosleep(const struct timespec *wanted, struct timespec *rest);

long tn_mktime(struct tm *when) { return mktime(when); }
long tn_timegm(struct tm *when) { return timegm(when); }
int tnc_gmtime(const long *when, struct tm *out) { return gmtime_r(when, out) == NULL ? -1 : 0; }

int tnc_localtime(const long *when, struct tm *out) {
    tzset();
    return localtime_r(when, out) == NULL ? -1 : 0;
}

/* libc indexes its tables of names with wday and mon: what lies outside them is brought back in. */
size_t tnc_strftime(char *buffer, size_t n, const char *format, const struct tm *when) {
    struct tm tm = *when;
    if (tm.tm_wday < 0 || tm.tm_wday > 6) tm.tm_wday = 0;
    if (tm.tm_mon < 0 || tm.tm_mon > 11) tm.tm_mon = 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    return strftime(buffer, n, format, &tm);
#pragma GCC diagnostic pop
}

/* How many characters were used, or -1. */
long tnc_strptime(const char *s, const char *format, struct tm *out) {
    struct tm tm = *out;
    const char *end = strptime(s, format, &tm);
    if (end == NULL) return -1;
    *out = tm;
    return end - s;
}

int tnc_nanosleep(const struct timespec *wanted, struct timespec *rest) { return nanosleep(wanted, rest); }
