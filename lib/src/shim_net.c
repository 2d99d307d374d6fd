/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Sockets and waiting on descriptors. Addresses and buffers come with lengths that net.cyc has checked.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>

_Static_assert(sizeof(struct sockaddr_in) == 16 && sizeof(struct sockaddr_in6) == 28, "as <netinet/in.h> of the library");
_Static_assert(sizeof(struct pollfd) == 8 && sizeof(fd_set) == 128, "as <poll.h> and <sys/select.h> of the library");

int tnc_bind(int fd, const char *address, unsigned n);
int tnc_connect(int fd, const char *address, unsigned n);
int tnc_accept(int fd, char *address, unsigned *n);
int tnc_getsockname(int fd, char *address, unsigned *n);
int tnc_getpeername(int fd, char *address, unsigned *n);
long tnc_sendto(int fd, const char *buffer, size_t n, int flags, const char *address, unsigned room);
long tnc_recvfrom(int fd, char *buffer, size_t n, int flags, char *address, unsigned *room);
int tnc_setsockopt(int fd, int level, int name, const char *value, unsigned n);
int tnc_getsockopt(int fd, int level, int name, char *value, unsigned *n);
int tnc_poll(struct pollfd *fds, unsigned long n, int milliseconds);
int tnc_select(int n, fd_set *reading, fd_set *writing, fd_set *failing, struct timeval *timeout);
int tnc_epoll_wait(int epoll, struct epoll_event *events, int most, int milliseconds);
int tnc_wait(int pid, int *status, int options);
int tnc_inet_aton(const char *s, uint32_t *out);
int tnc_inet_pton(int family, const char *s, char *address);
int tnc_inet_ntop(int family, const char *address, char *buffer, unsigned n);
int tnc_getaddrinfo(const char *node, const char *service, int has_hints, int flags, int family, int type, int protocol);
int tnc_addrinfo_next(int *family, int *type, int *protocol, unsigned *n);
void tnc_addrinfo_address(char *to, unsigned n);
const char *tnc_addrinfo_name(void);
const char *tnc_gai_strerror(int error);

int tnc_bind(int fd, const char *address, unsigned n) { return bind(fd, (const struct sockaddr *)(const void *)address, n); }
int tnc_connect(int fd, const char *address, unsigned n) { return connect(fd, (const struct sockaddr *)(const void *)address, n); }
int tnc_accept(int fd, char *address, unsigned *n) { return accept(fd, (struct sockaddr *)(void *)address, n); }
int tnc_getsockname(int fd, char *address, unsigned *n) { return getsockname(fd, (struct sockaddr *)(void *)address, n); }
int tnc_getpeername(int fd, char *address, unsigned *n) { return getpeername(fd, (struct sockaddr *)(void *)address, n); }

long tnc_sendto(int fd, const char *buffer, size_t n, int flags, const char *address, unsigned room) {
    return sendto(fd, buffer, n, flags, (const struct sockaddr *)(const void *)address, room);
}

long tnc_recvfrom(int fd, char *buffer, size_t n, int flags, char *address, unsigned *room) {
    return recvfrom(fd, buffer, n, flags, (struct sockaddr *)(void *)address, room);
}

/* Whether an option's value is plain bytes of the length that is said. Refused: filters, which hold pointers and count
 * their length in instructions; packet filter tables, which hold pointers that the kernel writes through; and received
 * pages, which the kernel maps. */
static int is_plain(int level, int name) {
    switch (level) {
    case SOL_SOCKET: return name != SO_ATTACH_FILTER && name != SO_ATTACH_REUSEPORT_CBPF;
    case IPPROTO_TCP: return name != TCP_ZEROCOPY_RECEIVE;
    case IPPROTO_UDP: return 1;
    case IPPROTO_IP: return name < 64;
    case IPPROTO_IPV6: return name < 64;
    default: return 0;
    }
}

int tnc_setsockopt(int fd, int level, int name, const char *value, unsigned n) {
    if (is_plain(level, name)) return setsockopt(fd, level, name, value, n);
    errno = EINVAL;
    return -1;
}

int tnc_getsockopt(int fd, int level, int name, char *value, unsigned *n) {
    if (is_plain(level, name)) return getsockopt(fd, level, name, value, n);
    errno = EINVAL;
    return -1;
}

int tnc_poll(struct pollfd *fds, unsigned long n, int milliseconds) { return poll(fds, n, milliseconds); }

int tnc_select(int n, fd_set *reading, fd_set *writing, fd_set *failing, struct timeval *timeout) {
    if (n < 0 || n > FD_SETSIZE) {
        errno = EINVAL;
        return -1;
    }
    return select(n, reading, writing, failing, timeout);
}

int tnc_epoll_wait(int epoll, struct epoll_event *events, int most, int milliseconds) {
    return epoll_wait(epoll, events, most, milliseconds);
}

int tnc_wait(int pid, int *status, int options) { return waitpid(pid, status, options); }

int tnc_inet_aton(const char *s, uint32_t *out) {
    struct in_addr address;
    if (inet_aton(s, &address) == 0) return 0;
    *out = address.s_addr;
    return 1;
}

int tnc_inet_pton(int family, const char *s, char *address) { return inet_pton(family, s, address); }

int tnc_inet_ntop(int family, const char *address, char *buffer, unsigned n) {
    return inet_ntop(family, address, buffer, n) == NULL ? -1 : 0;
}

/* --- the answer of a resolver, handed over one address at a time -------------------------------- */

static _Thread_local struct addrinfo *answer, *place;

int tnc_getaddrinfo(const char *node, const char *service, int has_hints, int flags, int family, int type, int protocol) {
    struct addrinfo hints;
    memset(&hints, 0, sizeof hints);
    hints.ai_flags = flags;
    hints.ai_family = family;
    hints.ai_socktype = type;
    hints.ai_protocol = protocol;
    if (answer != NULL) freeaddrinfo(answer);
    answer = place = NULL;
    int result = getaddrinfo(node, service, has_hints ? &hints : NULL, &answer);
    if (result != 0) answer = NULL;
    return result;
}

/* Moves to the next address; 0 at the end, where the answer is freed. */
int tnc_addrinfo_next(int *family, int *type, int *protocol, unsigned *n) {
    place = place == NULL ? answer : place->ai_next;
    if (place == NULL) {
        if (answer != NULL) freeaddrinfo(answer);
        answer = NULL;
        return 0;
    }
    *family = place->ai_family;
    *type = place->ai_socktype;
    *protocol = place->ai_protocol;
    *n = place->ai_addrlen;
    return 1;
}

void tnc_addrinfo_address(char *to, unsigned n) {
    if (place != NULL && n <= place->ai_addrlen) memcpy(to, place->ai_addr, n);
}

const char *tnc_addrinfo_name(void) { return place == NULL ? NULL : place->ai_canonname; }
const char *tnc_gai_strerror(int error) { return gai_strerror(error); }
