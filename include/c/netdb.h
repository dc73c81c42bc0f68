/* POSIX netdb.h */
#ifndef _NETDB_H
#define _NETDB_H
#include <netinet/in.h>
#include <stdlib.h>
struct hostent { char *h_name; char **h_aliases; int h_addrtype, h_length; char **h_addr_list; };
struct protoent { char *p_name; char **p_aliases; int p_proto; };
struct servent { char *s_name; char **s_aliases; int s_port; char *s_proto; };
_Thread_local int h_errno;
#define h_addr h_addr_list[0]
struct addrinfo { int ai_flags, ai_family, ai_socktype, ai_protocol; socklen_t ai_addrlen; struct sockaddr *ai_addr; char *ai_canonname; struct addrinfo *ai_next; };
#define AI_PASSIVE 1
#define AI_CANONNAME 2
#define AI_NUMERICHOST 4
#define AI_V4MAPPED 8
#define AI_ALL 16
#define AI_ADDRCONFIG 32
#define AI_NUMERICSERV 1024
#define EAI_IDN_ENCODE (-105)
#define EAI_INTR (-104)
#define EAI_ALLDONE (-103)
#define EAI_NOTCANCELED (-102)
#define EAI_CANCELED (-101)
#define EAI_INPROGRESS (-100)
#define EAI_OVERFLOW (-12)
#define EAI_SYSTEM (-11)
#define EAI_MEMORY (-10)
#define EAI_ADDRFAMILY (-9)
#define EAI_SERVICE (-8)
#define EAI_SOCKTYPE (-7)
#define EAI_FAMILY (-6)
#define EAI_NODATA (-5)
#define EAI_FAIL (-4)
#define EAI_AGAIN (-3)
#define EAI_NONAME (-2)
#define EAI_BADFLAGS (-1)
#define HOST_NOT_FOUND 1
#define NI_NUMERICHOST 1
#define NI_NUMERICSERV 2
#define NI_NOFQDN 4
#define NI_NAMEREQD 8
#define NI_DGRAM 16
#define NI_IDN 32
#define NI_MAXSERV 32
#define NI_IDN_ALLOW_UNASSIGNED 64
#define NI_IDN_USE_STD3_ASCII_RULES 128
#define NI_MAXHOST 1025
#define NO_RECOVERY 3
#define NO_ADDRESS 4
#define NO_DATA 4
#define TRY_AGAIN 2
void __library_reads(const char *);
/* Some error, or one or two addresses of any numbers. */
struct __found_address { struct addrinfo __info; union { struct sockaddr __any; struct sockaddr_in __four; struct sockaddr_in6 __six; } __address; };
static inline struct addrinfo *__any_found(const struct addrinfo *__hints) {
  struct __found_address *__new = calloc(1, sizeof(struct __found_address));
  if (!__new) return 0;
  struct addrinfo *__info = &__new->__info;
  _Bool __six = __hints && __hints->ai_family ? __hints->ai_family == AF_INET6 : __VERIFIER_nondet_library_bool();
  __info->ai_flags = __hints ? __hints->ai_flags : 0;
  __info->ai_family = __six ? AF_INET6 : AF_INET;
  __info->ai_socktype = __hints && __hints->ai_socktype ? __hints->ai_socktype : SOCK_STREAM;
  __info->ai_protocol = __hints ? __hints->ai_protocol : 0;
  __info->ai_addr = &__new->__address.__any;
  if (__six) {
    __info->ai_addrlen = sizeof(struct sockaddr_in6);
    __new->__address.__six.sin6_family = AF_INET6;
    __new->__address.__six.sin6_port = __VERIFIER_nondet_library_uint();
    __any_chars(__new->__address.__six.sin6_addr.s6_addr, sizeof(struct in6_addr));
  } else {
    __info->ai_addrlen = sizeof(struct sockaddr_in);
    __new->__address.__four.sin_family = AF_INET;
    __new->__address.__four.sin_port = __VERIFIER_nondet_library_uint();
    __new->__address.__four.sin_addr.s_addr = __VERIFIER_nondet_library_uint();
  }
  return __info;
}
static inline int getaddrinfo(const char *__host, const char *__service, const struct addrinfo *__hints, struct addrinfo **__to) {
  if (__host) __library_reads(__host);
  if (__service) __library_reads(__service);
  usleep(1);
  if (__VERIFIER_nondet_library_bool()) {
    __fails();
    return -1 - (__VERIFIER_nondet_library_uchar() & 7);
  }
  struct addrinfo *__first = __any_found(__hints);
  if (!__first) return EAI_MEMORY;
  if (__VERIFIER_nondet_library_bool()) __first->ai_next = __any_found(__hints);
  *__to = __first;
  return 0;
}
static inline void freeaddrinfo(struct addrinfo *__first) {
  while (__first) {
    struct addrinfo *__next = __first->ai_next;
    free(__first);
    __first = __next;
  }
}
static inline const char *gai_strerror(int __error) {
  static const char __texts[][43] = {
    "", "Bad value for ai_flags", "Name or service not known", "Temporary failure in name resolution",
    "Non-recoverable failure in name resolution", "No address associated with hostname", "ai_family not supported",
    "ai_socktype not supported", "Servname not supported for ai_socktype", "Address family for hostname not supported",
    "Memory allocation failure", "System error", "Unknown error", "Processing request in progress", "Request canceled",
    "Request not canceled", "All requests done", "Interrupted by a signal", "Parameter string not correctly encoded",
  };
  int __at = __error <= -100 && __error >= -105 ? 13 - 100 - __error : __error < 0 && __error >= -11 ? -__error : 12;
  return __texts[__at];
}
static inline const char *hstrerror(int __error) {
  static const char __texts[][32] = {
    "Resolver Error 0 (no error)", "Unknown host", "Host name lookup failure", "Unknown server error", "No address associated with name",
    "Unknown resolver error", "Resolver internal error",
  };
  return __texts[__error < 0 ? 6 : __error > 4 ? 5 : __error];
}
static inline void herror(const char *__text) { if (__text) __library_reads(__text); }
/* The answers lie where those of other calls did, as in the C library. */
static inline struct hostent *gethostbyname(const char *__name) {
  static struct in_addr __address;
  static char *__all[2] = {(char *)&__address}, *__others[1], __text[16];
  static struct hostent __found = {__text, __others, AF_INET, 4, __all};
  __library_reads(__name);
  usleep(1);
  if (__VERIFIER_nondet_library_bool()) {
    h_errno = 1 + (__VERIFIER_nondet_library_uchar() & 3);
    return 0;
  }
  __address.s_addr = __VERIFIER_nondet_library_uint();
  __any_text(__text, sizeof __text);
  return &__found;
}
static inline int getnameinfo(const struct sockaddr *__of, socklen_t __size, char *__host, socklen_t __room, char *__service, socklen_t __other, int __how) {
  __library_reads_bytes(__of, __size);
  if (__VERIFIER_nondet_library_bool()) return -1 - (__VERIFIER_nondet_library_uchar() & 7);
  if (__host && __room) __any_text(__host, __room);
  if (__service && __other) __any_text(__service, __other);
  return 0;
}
struct protoent *getprotobyname(const char *);
struct servent *getservbyname(const char *, const char *);
#endif
