#ifndef _NETINET_IN_H
#define _NETINET_IN_H

#include <sys/socket.h>

#define IPPROTO_IP 0
#define IPPROTO_ICMP 1
#define IPPROTO_TCP 6
#define IPPROTO_UDP 17
#define IPPROTO_IPV6 41
#define IPPROTO_RAW 255
#define IPV6_V6ONLY 26
#define INET_ADDRSTRLEN 16
#define INET6_ADDRSTRLEN 46
#define IPPORT_RESERVED 1024
#define IP_TTL 2
#define IP_TOS 1
#define IP_MULTICAST_TTL 33
#define IP_MULTICAST_LOOP 34

typedef uint16_t in_port_t;
typedef uint32_t in_addr_t;

struct in_addr {
  in_addr_t s_addr;
};

struct sockaddr_in {
  sa_family_t sin_family;
  in_port_t sin_port;
  struct in_addr sin_addr;
  unsigned char sin_zero[8];
};

struct in6_addr {
  union {
    uint8_t __u6_addr8[16];
    uint16_t __u6_addr16[8];
    uint32_t __u6_addr32[4];
  } __in6_u;
};
#define s6_addr __in6_u.__u6_addr8
#define s6_addr16 __in6_u.__u6_addr16
#define s6_addr32 __in6_u.__u6_addr32

struct sockaddr_in6 {
  sa_family_t sin6_family;
  in_port_t sin6_port;
  uint32_t sin6_flowinfo;
  struct in6_addr sin6_addr;
  uint32_t sin6_scope_id;
};

#define INADDR_ANY 0u
#define INADDR_BROADCAST 0xffffffffu
#define INADDR_NONE 0xffffffffu
#define INADDR_LOOPBACK 0x7f000001u

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
static inline uint16_t htons(uint16_t x) { return (uint16_t)(x << 8 | x >> 8); }
static inline uint32_t htonl(uint32_t x)
{
  return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}
#else
static inline uint16_t htons(uint16_t x) { return x; }
static inline uint32_t htonl(uint32_t x) { return x; }
#endif
static inline uint16_t ntohs(uint16_t x) { return htons(x); }
static inline uint32_t ntohl(uint32_t x) { return htonl(x); }

#endif
