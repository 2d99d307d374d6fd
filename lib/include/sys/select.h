#ifndef _SYS_SELECT_H
#define _SYS_SELECT_H

#include <sys/types.h>
#include <sys/time.h>
#include <tn/link.h>

#define FD_SETSIZE 1024

typedef struct {
  long fds_bits[16];
} fd_set;

/* A descriptor outside 0 … FD_SETSIZE - 1 raises Array_bounds. */
static inline void FD_ZERO(fd_set @set)
{
  for (int i = 0; i < 16; i++)
    set->fds_bits[i] = 0;
}
static inline void FD_SET(int fd, fd_set @set) { set->fds_bits[fd >> 6] |= (long)(1ul << (fd & 63)); }
static inline void FD_CLR(int fd, fd_set @set) { set->fds_bits[fd >> 6] &= (long)~(1ul << (fd & 63)); }
static inline int FD_ISSET(int fd, const fd_set @set) { return (int)(set->fds_bits[fd >> 6] >> (fd & 63) & 1); }

int select(int n, fd_set *reading, fd_set *writing, fd_set *failing, struct timeval *timeout) TN_LINK(tn_select);

#endif
