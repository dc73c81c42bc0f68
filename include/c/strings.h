/* POSIX strings.h */
#ifndef _STRINGS_H
#define _STRINGS_H
#include <string.h>
static inline void bcopy(const void *__from, void *__to, size_t __size) { memmove(__to, __from, __size); }
static inline int bcmp(const void *__l, const void *__r, size_t __size) { return memcmp(__l, __r, __size); }
static inline char *index(const char *__s, int __c) { return strchr(__s, __c); }
static inline char *rindex(const char *__s, int __c) { return strrchr(__s, __c); }
#endif
