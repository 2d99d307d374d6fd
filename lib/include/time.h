#ifndef _TIME_H
#define _TIME_H

#include <tn/features.h>
#include <sys/types.h>
#include <tn/link.h>

#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define TIMER_ABSTIME 1
#define CLOCKS_PER_SEC 1000000l
#define TIME_UTC 1

struct timespec {
  time_t tv_sec;
  long tv_nsec;
};

struct tm {
  int tm_sec;
  int tm_min;
  int tm_hour;
  int tm_mday;
  int tm_mon;
  int tm_year;
  int tm_wday;
  int tm_yday;
  int tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};

extern "C" {
  time_t time(time_t *out);
  clock_t clock(void);
  double difftime(time_t later, time_t earlier);
  int clock_gettime(clockid_t which, struct timespec @out);
  int clock_getres(clockid_t which, struct timespec *out);
  int timespec_get(struct timespec @out, int base);
  void tzset(void);
  int clock_settime(clockid_t which, const struct timespec @time);
  time_t mktime(struct tm @when) TN_LINK(tn_mktime);
  time_t timegm(struct tm @when) TN_LINK(tn_timegm);
}

/* gmtime and localtime give a cell of the library's own that the next call overwrites; the _r forms write to the
   caller's. NULL where the year does not fit. */
struct tm *gmtime(const time_t @when) TN_LINK(tn_gmtime);
struct tm *localtime(const time_t @when) TN_LINK(tn_localtime);
struct tm *`r gmtime_r(const time_t @when, struct tm @`r out) TN_LINK(tn_gmtime_r);
struct tm *`r localtime_r(const time_t @when, struct tm @`r out) TN_LINK(tn_localtime_r);

/* Text on the heap, with C's newline at its end. */
char *asctime(const struct tm @when) TN_LINK(tn_asctime);
char *ctime(const time_t @when) TN_LINK(tn_ctime);
/* In the caller's buffer, which has room for 26 characters. */
char ?`r asctime_r(const struct tm @when, char ?`r buf) TN_LINK(tn_asctime_r) TN_CALLER;
char ?`r ctime_r(const time_t @when, char ?`r buf) TN_LINK(tn_ctime_r) TN_CALLER;
/* At most n characters, the zero included; 0 where they do not fit. */
size_t strftime(char ?buf, size_t n, const char ?format, const struct tm @when) TN_LINK(tn_strftime) TN_CALLER __attribute__((overload(strftime_z)));
size_t strftime_z(char ?@zeroterm buf, size_t n, const char ?format, const struct tm @when) TN_LINK(tn_strftime_z) TN_CALLER;
/* The rest of the string, NULL where it does not match. */
const char ?`r strptime(const char ?`r s, const char ?format, struct tm @out) TN_LINK(tn_strptime);
int nanosleep(const struct timespec @wanted, struct timespec *rest) TN_LINK(tn_nanosleep);

#endif
