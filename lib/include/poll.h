#ifndef _POLL_H
#define _POLL_H

#include <tn/link.h>

#define POLLIN 1
#define POLLPRI 2
#define POLLOUT 4
#define POLLERR 0x8
#define POLLHUP 0x10
#define POLLNVAL 0x20
#define POLLRDNORM 0x40
#define POLLRDBAND 0x80
#define POLLWRNORM 0x100
#define POLLWRBAND 0x200
#define POLLRDHUP 0x2000

typedef unsigned long nfds_t;

struct pollfd {
  int fd;
  short events;
  short revents;
};

int poll(struct pollfd ?fds, nfds_t n, int milliseconds) TN_LINK(tn_poll_descriptors) TN_CALLER;

#endif
