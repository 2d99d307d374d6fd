#ifndef _ARPA_INET_H
#define _ARPA_INET_H

#include <netinet/in.h>

in_addr_t inet_addr(const char ?s) TN_LINK(tn_inet_addr);
int inet_aton(const char ?s, struct in_addr @out) TN_LINK(tn_inet_aton);
/* Text on the heap. */
char *inet_ntoa(struct in_addr address) TN_LINK(tn_inet_ntoa);
/* The address is a struct in_addr or in6_addr, as its bytes. */
int inet_pton(int family, const char ?s, char ?address) TN_LINK(tn_inet_pton) __attribute__((bytes)) TN_CALLER;
char ?`r inet_ntop(int family, const char ?address, char ?`r buf, socklen_t n) TN_LINK(tn_inet_ntop) __attribute__((bytes, overload(inet_ntop_z))) TN_CALLER;
char ?@zeroterm`r inet_ntop_z(int family, const char ?address, char ?@zeroterm`r buf, socklen_t n) TN_LINK(tn_inet_ntop_z) __attribute__((bytes)) TN_CALLER;

#endif
