#ifndef _SYS_EPOLL_H
#define _SYS_EPOLL_H

#include <sys/types.h>
#include <tn/link.h>

#define EPOLL_CLOEXEC 0x80000
#define EPOLLIN 1
#define EPOLLPRI 2
#define EPOLLOUT 4
#define EPOLLERR 0x8
#define EPOLLHUP 0x10
#define EPOLLRDNORM 0x40
#define EPOLLRDBAND 0x80
#define EPOLLWRNORM 0x100
#define EPOLLWRBAND 0x200
#define EPOLLMSG 0x400
#define EPOLLRDHUP 0x2000
#define EPOLLEXCLUSIVE 0x10000000
#define EPOLLWAKEUP 0x20000000
#define EPOLLONESHOT 0x40000000
#define EPOLLET 0x80000000u
#define EPOLL_CTL_ADD 1
#define EPOLL_CTL_DEL 2
#define EPOLL_CTL_MOD 3

/* The program's own 64 bits, without C's `void *ptr`: the kernel keeps no pointer alive. */
typedef union epoll_data {
  int fd;
  uint32_t u32;
  uint64_t u64;
} epoll_data_t;
#define EPOLL_DATA_FD(data) ((int)(data).u64)

struct epoll_event {
  uint32_t events;
  epoll_data_t data;
#if defined(__x86_64__)
} __attribute__((packed));
#else
};
#endif

extern "C" {
  int epoll_create(int size);
  int epoll_create1(int flags);
  int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event);
}

int epoll_wait(int epoll, struct epoll_event ?events, int most, int milliseconds) TN_LINK(tn_epoll_wait) TN_CALLER;

#endif
