#ifndef _NETDB_H
#define _NETDB_H

#include <netinet/in.h>

#define AI_PASSIVE 1
#define AI_CANONNAME 2
#define AI_NUMERICHOST 4
#define AI_V4MAPPED 8
#define AI_ALL 16
#define AI_ADDRCONFIG 32
#define AI_NUMERICSERV 1024
#define NI_NUMERICHOST 1
#define NI_NUMERICSERV 2
#define NI_NOFQDN 4
#define NI_NAMEREQD 8
#define NI_DGRAM 16
#define NI_MAXHOST 1025
#define NI_MAXSERV 32
#define EAI_BADFLAGS (-1)
#define EAI_NONAME (-2)
#define EAI_AGAIN (-3)
#define EAI_FAIL (-4)
#define EAI_FAMILY (-6)
#define EAI_SOCKTYPE (-7)
#define EAI_SERVICE (-8)
#define EAI_MEMORY (-10)
#define EAI_SYSTEM (-11)
#define EAI_OVERFLOW (-12)

/* One address of a list. Its ai_addr has ai_addrlen bytes, to be given to bind or connect as they stand.
   The list is the program's own, on the heap: freeaddrinfo does nothing. */
struct __attribute__((not_c("pass `ai_addr` and `ai_addrlen`: the bytes of an address are C's"))) addrinfo {
  int ai_flags;
  int ai_family;
  int ai_socktype;
  int ai_protocol;
  socklen_t ai_addrlen;
  char ?ai_addr;
  char *ai_canonname;
  struct addrinfo *ai_next;
};

int getaddrinfo(const char ?node, const char ?service, const struct addrinfo *hints, struct addrinfo *`H @result) TN_LINK(tn_getaddrinfo);
static inline void freeaddrinfo(struct addrinfo *list) { }
const char *gai_strerror(int error) TN_LINK(tn_gai_strerror);

#endif
