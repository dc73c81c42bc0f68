/* POSIX net/if.h */
#ifndef _NET_IF_H
#define _NET_IF_H
#define IFNAMSIZ 16
#define IF_NAMESIZE 16
char *if_indextoname(unsigned int, char *);
unsigned int if_nametoindex(const char *);
#endif
