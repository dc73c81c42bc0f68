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
struct ip {
  unsigned int ip_hl : 4, ip_v : 4;
  uint8_t ip_tos;
  unsigned short ip_len, ip_id, ip_off;
  uint8_t ip_ttl, ip_p;
  unsigned short ip_sum;
  struct in_addr ip_src, ip_dst;
};
#define IP_RF 0x8000
#define IP_DF 0x4000
#define IP_MF 0x2000
#define IP_OFFMASK 0x1fff
#define IPVERSION 4
#define IP_MAXPACKET 65535
#define IPTOS_LOWDELAY 0x10
#define IPTOS_THROUGHPUT 0x08
#define IPTOS_RELIABILITY 0x04
#define IPDEFTTL 64
#endif
