#ifndef _UTIME_H
#define _UTIME_H

#include <tn/features.h>
#include <sys/types.h>
#include <tn/link.h>

struct utimbuf {
  time_t actime;
  time_t modtime;
};

/* The times of the last access and of the last change; NULL for now. */
int utime(const char ?path, const struct utimbuf *times) TN_LINK(tn_utime);

#endif
