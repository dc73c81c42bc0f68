/* POSIX arpa/inet.h */
#ifndef _ARPA_INET_H
#define _ARPA_INET_H
#include <errno.h>
#include <netinet/in.h>
void __library_reads(const char *);
/* Four numbers with dots between them, as `inet_pton` reads them. */
static inline int __four_numbers(const char *__text, unsigned char *__to) {
  for (int __n = 0; __n < 4; __n++) {
    int __number = 0, __digits = 0;
    for (; *__text >= '0' && *__text <= '9'; __text++, __digits++) {
      if (__digits && !__number) return 0;
      __number = 10 * __number + *__text - '0';
      if (__number > 255) return 0;
    }
    if (!__digits || *__text != (__n == 3 ? 0 : '.')) return 0;
    __text++;
    __to[__n] = __number;
  }
  return 1;
}
static inline int inet_pton(int __family, const char *__text, void *__to) {
  unsigned char __found[16];
  int __size = __family == AF_INET ? 4 : 16;
  if (__family == AF_INET) {
    if (!__four_numbers(__text, __found)) return 0;
  } else {
    __library_reads(__text);
    if (__family != AF_INET6) return __fails();
    if (__VERIFIER_nondet_library_bool()) return 0;
    __any_chars(__found, 16);
  }
  __builtin_memcpy(__to, __found, __size);
  return 1;
}
/* Other texts than four numbers are addresses, too, or none. */
static inline int inet_aton(const char *__text, struct in_addr *__to) {
  unsigned char __found[4];
  if (!__four_numbers(__text, __found)) {
    if (__VERIFIER_nondet_library_bool()) return 0;
    __any_chars(__found, 4);
  }
  __to->s_addr = __found[0] | __found[1] << 8 | __found[2] << 16 | (in_addr_t)__found[3] << 24;
  return 1;
}
static inline in_addr_t inet_addr(const char *__text) {
  struct in_addr __found;
  return inet_aton(__text, &__found) ? __found.s_addr : INADDR_NONE;
}
/* Any text of at least so many characters that fits. Bit 5 is set in all characters of addresses, and no text ends there. */
static inline void __address_in_words(char *__to, socklen_t __room, socklen_t __least) {
  __any_text(__to, __room);
  for (socklen_t __n = 0; __n < __least; __n++) __to[__n] |= 32;
}
static inline const char *inet_ntop(int __family, const void *__from, char *__to, socklen_t __size) {
  socklen_t __least = __family == AF_INET ? 7 : 2, __most = __family == AF_INET ? INET_ADDRSTRLEN : INET6_ADDRSTRLEN;
  if (__family != AF_INET && __family != AF_INET6) {
    __library_failed(EAFNOSUPPORT);
    return 0;
  }
  __library_reads_bytes(__from, __family == AF_INET ? 4 : 16);
  if (__size <= __least || __size < __most && __VERIFIER_nondet_library_bool()) {
    __library_failed(ENOSPC);
    return 0;
  }
  __address_in_words(__to, __size < __most ? __size : __most, __least);
  return __to;
}
/* Each thread has its own text. */
static inline char *inet_ntoa(struct in_addr __address) {
  static _Thread_local char __text[INET_ADDRSTRLEN];
  __address_in_words(__text, INET_ADDRSTRLEN, 7);
  return __text;
}
#endif
