/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Calendar time: struct tm as the library's <time.h> has it, without C's pointer to the zone's name.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <string.h>
#include <time.h>

struct tn_tm {
    int sec, min, hour, mday, mon, year, wday, yday, isdst;
    long gmtoff;
};

long tn_mktime(struct tn_tm *when);
long tn_timegm(struct tn_tm *when);
int tnc_gmtime(const long *when, struct tn_tm *out);
int tnc_localtime(const long *when, struct tn_tm *out);
size_t tnc_strftime(char *buffer, size_t n, const char *format, const struct tn_tm *when);
long tnc_strptime(const char *s, const char *format, struct tn_tm *out);
int tnc_nanosleep(const struct timespec *wanted, struct timespec *rest);

static void give(const struct tm *from, struct tn_tm *to) {
    to->sec = from->tm_sec;
    to->min = from->tm_min;
    to->hour = from->tm_hour;
    to->mday = from->tm_mday;
    to->mon = from->tm_mon;
    to->year = from->tm_year;
    to->wday = from->tm_wday;
    to->yday = from->tm_yday;
    to->isdst = from->tm_isdst;
    to->gmtoff = from->tm_gmtoff;
}

static struct tm take(const struct tn_tm *from) {
    struct tm to;
    memset(&to, 0, sizeof to);
    to.tm_sec = from->sec;
    to.tm_min = from->min;
    to.tm_hour = from->hour;
    to.tm_mday = from->mday;
    to.tm_mon = from->mon;
    to.tm_year = from->year;
    to.tm_wday = from->wday;
    to.tm_yday = from->yday;
    to.tm_isdst = from->isdst;
    to.tm_gmtoff = from->gmtoff;
    return to;
}

long tn_mktime(struct tn_tm *when) {
    struct tm tm = take(when);
    long result = mktime(&tm);
    give(&tm, when);
    return result;
}

long tn_timegm(struct tn_tm *when) {
    struct tm tm = take(when);
    long result = timegm(&tm);
    give(&tm, when);
    return result;
}

int tnc_gmtime(const long *when, struct tn_tm *out) {
    struct tm tm;
    time_t t = *when;
    if (gmtime_r(&t, &tm) == NULL) return -1;
    give(&tm, out);
    return 0;
}

int tnc_localtime(const long *when, struct tn_tm *out) {
    struct tm tm;
    time_t t = *when;
    tzset();
    if (localtime_r(&t, &tm) == NULL) return -1;
    give(&tm, out);
    return 0;
}

/* libc indexes its tables of names with wday and mon: what lies outside them is brought back in. The zone's name is
 * found by normalising a copy. */
size_t tnc_strftime(char *buffer, size_t n, const char *format, const struct tn_tm *when) {
    struct tm tm = take(when);
    struct tm named = tm;
    mktime(&named);
    tm.tm_zone = named.tm_gmtoff == tm.tm_gmtoff ? named.tm_zone : "GMT";
    if (tm.tm_wday < 0 || tm.tm_wday > 6) tm.tm_wday = 0;
    if (tm.tm_mon < 0 || tm.tm_mon > 11) tm.tm_mon = 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    return strftime(buffer, n, format, &tm);
#pragma GCC diagnostic pop
}

/* How many characters were used, or -1. */
long tnc_strptime(const char *s, const char *format, struct tn_tm *out) {
    struct tm tm = take(out);
    const char *end = strptime(s, format, &tm);
    if (end == NULL) return -1;
    give(&tm, out);
    return end - s;
}

int tnc_nanosleep(const struct timespec *wanted, struct timespec *rest) { return nanosleep(wanted, rest); }
