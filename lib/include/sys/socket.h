#ifndef _SYS_SOCKET_H
#define _SYS_SOCKET_H

#include <sys/types.h>
#include <tn/link.h>

#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOCK_RAW 3
#define SOCK_SEQPACKET 5
#define SOCK_CLOEXEC 524288
#define SOCK_NONBLOCK 2048
#define PF_UNSPEC 0
#define PF_UNIX 1
#define PF_LOCAL 1
#define PF_INET 2
#define PF_INET6 10
#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_LOCAL 1
#define AF_INET 2
#define AF_INET6 10
#define SOL_SOCKET 1
#define SO_DEBUG 1
#define SO_REUSEADDR 2
#define SO_TYPE 3
#define SO_ERROR 4
#define SO_DONTROUTE 5
#define SO_BROADCAST 6
#define SO_SNDBUF 7
#define SO_RCVBUF 8
#define SO_KEEPALIVE 9
#define SO_OOBINLINE 10
#define SO_LINGER 13
#define SO_REUSEPORT 15
#define SO_RCVLOWAT 18
#define SO_SNDLOWAT 19
#define SO_RCVTIMEO 20
#define SO_SNDTIMEO 21
#define SO_ACCEPTCONN 30
#define SOMAXCONN 4096
#define MSG_OOB 1
#define MSG_PEEK 2
#define MSG_DONTROUTE 4
#define MSG_TRUNC 32
#define MSG_DONTWAIT 64
#define MSG_EOR 128
#define MSG_WAITALL 256
#define MSG_NOSIGNAL 16384
#define MSG_MORE 32768
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2

typedef unsigned short sa_family_t;

struct sockaddr {
  sa_family_t sa_family;
  char sa_data[14];
};

struct sockaddr_storage {
  sa_family_t ss_family;
  char __ss_padding[118];
  unsigned long __ss_align;
};

struct linger {
  int l_onoff;
  int l_linger;
};

extern "C" {
  int socket(int domain, int type, int protocol);
  int socketpair(int domain, int type, int protocol, int @{2} fds);
  int listen(int fd, int backlog);
  int shutdown(int fd, int how);
}

/* An address is any bits-only value, struct sockaddr_in or another, and is taken as its bytes: write &address
   without a cast. n is checked against it. */
int bind(int fd, const char ?address, socklen_t n) TN_LINK(tn_bind) __attribute__((bytes)) TN_CALLER;
int connect(int fd, const char ?address, socklen_t n) TN_LINK(tn_connect) __attribute__((bytes)) TN_CALLER;
/* *n is the room for the address and then its length; both may be NULL. */
int accept(int fd, char ?address, socklen_t *n) TN_LINK(tn_accept) __attribute__((bytes));
int getsockname(int fd, char ?address, socklen_t @n) TN_LINK(tn_getsockname) __attribute__((bytes)) TN_CALLER;
int getpeername(int fd, char ?address, socklen_t @n) TN_LINK(tn_getpeername) __attribute__((bytes)) TN_CALLER;
ssize_t send(int fd, const char ?buf, size_t n, int flags) TN_LINK(tn_send) __attribute__((bytes));
ssize_t recv(int fd, char ?buf, size_t n, int flags) TN_LINK(tn_recv) __attribute__((bytes));
ssize_t sendto(int fd, const char ?buf, size_t n, int flags, const char ?address, socklen_t room) TN_LINK(tn_sendto) __attribute__((bytes)) TN_CALLER;
ssize_t recvfrom(int fd, char ?buf, size_t n, int flags, char ?address, socklen_t *room) TN_LINK(tn_recvfrom) __attribute__((bytes)) TN_CALLER;
int setsockopt(int fd, int level, int name, const char ?value, socklen_t n) TN_LINK(tn_setsockopt) __attribute__((bytes)) TN_CALLER;
int getsockopt(int fd, int level, int name, char ?value, socklen_t @n) TN_LINK(tn_getsockopt) __attribute__((bytes)) TN_CALLER;

#endif
