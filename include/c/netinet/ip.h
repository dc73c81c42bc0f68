/* Linux netinet/ip.h */
#ifndef _NETINET_IP_H
#define _NETINET_IP_H
#include <netinet/in.h>
struct iphdr {
  unsigned int ihl : 4, version : 4;
  uint8_t tos;
  uint16_t tot_len, id, frag_off;
  uint8_t ttl, protocol;
  uint16_t check;
  uint32_t saddr, daddr;
};
#define IPVERSION 4
#define IP_MAXPACKET 65535
#define IPTOS_LOWDELAY 0x10
#define IPTOS_THROUGHPUT 0x08
#define IPTOS_RELIABILITY 0x04
#define IPDEFTTL 64
#endif
