#ifndef _SYS_TIME_H
#define _SYS_TIME_H

#include <sys/types.h>
#include <tn/link.h>

#define ITIMER_REAL 0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2

struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};

struct itimerval {
  struct timeval it_interval;
  struct timeval it_value;
};

static inline int timercmp_(struct timeval a, struct timeval b)
{
  return a.tv_sec != b.tv_sec ? (a.tv_sec > b.tv_sec) - (a.tv_sec < b.tv_sec) : (a.tv_usec > b.tv_usec) - (a.tv_usec < b.tv_usec);
}

extern "C" {
  /* Nothing is written for a time zone, whose type holds nothing. */
  int tn_gettimeofday(struct timeval @out);
  int setitimer(int which, const struct itimerval @value, struct itimerval *old);
  int getitimer(int which, struct itimerval @value);
}

#define gettimeofday(out, zone) tn_gettimeofday(out)
#define timercmp(a, b, op) (timercmp_(*(a), *(b)) op 0)
#define timerclear(t) ((t)->tv_sec = 0, (t)->tv_usec = 0)
#define timerisset(t) ((t)->tv_sec != 0 || (t)->tv_usec != 0)

int utimes(const char ?path, const struct timeval @{2} times) TN_LINK(tn_utimes);

#endif
