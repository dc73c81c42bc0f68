/* Linux netinet/udp.h */
#ifndef _NETINET_UDP_H
#define _NETINET_UDP_H
#include <stdint.h>
struct udphdr { uint16_t source, dest, len, check; };
#define UDP_CORK 1
#endif
