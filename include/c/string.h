/* C11 7.24, POSIX string.h */
#ifndef _STRING_H
#define _STRING_H
#include <features.h>
#include <stddef.h>
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
void bzero(void *, size_t);
/* Those that programs use most are written out, so that they are read like anything else. */
static inline size_t strlen(const char *__s) {
  size_t __n = 0;
  while (__s[__n]) __n++;
  return __n;
}
void __library_overlap(void);
static inline void __overlap(const char *__to, const char *__from, size_t __n) {
  if (__to != __from && __to < __from + __n && __from < __to + __n) __library_overlap();
}
static inline char *strcpy(char *__to, const char *__from) {
  size_t __n = 0;
  while (__from[__n]) {
    __to[__n] = __from[__n];
    __n++;
  }
  __to[__n] = 0;
  __overlap(__to, __from, __n + 1);
  return __to;
}
static inline char *stpcpy(char *__to, const char *__from) {
  return strcpy(__to, __from) + strlen(__from);
}
static inline char *strncpy(char *__to, const char *__from, size_t __most) {
  size_t __n = 0;
  while (__n < __most && __from[__n]) {
    __to[__n] = __from[__n];
    __n++;
  }
  __overlap(__to, __from, __n);
  while (__n < __most) __to[__n++] = 0;
  return __to;
}
static inline char *stpncpy(char *__to, const char *__from, size_t __most) {
  size_t __n = 0;
  while (__n < __most && __from[__n]) __n++;
  strncpy(__to, __from, __most);
  return __to + __n;
}
static inline char *strcat(char *__to, const char *__from) {
  strcpy(__to + strlen(__to), __from);
  return __to;
}
static inline char *strncat(char *__to, const char *__from, size_t __most) {
  size_t __n = 0, __end = strlen(__to);
  while (__n < __most && __from[__n]) {
    __to[__end + __n] = __from[__n];
    __n++;
  }
  __to[__end + __n] = 0;
  return __to;
}
static inline int strncmp(const char *__l, const char *__r, size_t __most) {
  for (size_t __n = 0; __n < __most; __n++) {
    unsigned char __a = __l[__n], __b = __r[__n];
    if (__a != __b) return __a < __b ? -1 : 1;
    if (!__a) return 0;
  }
  return 0;
}
static inline int strcmp(const char *__l, const char *__r) {
  return strncmp(__l, __r, (size_t)-1);
}
static inline char *strchr(const char *__s, int __c) {
  while (*__s && *__s != (char)__c) __s++;
  return *__s == (char)__c ? (char *)__s : 0;
}
static inline char *strrchr(const char *__s, int __c) {
  char *__last = 0;
  for (;; __s++) {
    if (*__s == (char)__c) __last = (char *)__s;
    if (!*__s) return __last;
  }
}
static inline char *strstr(const char *__s, const char *__part) {
  for (size_t __at = 0;; __at++) {
    size_t __n = 0;
    while (__part[__n] && __s[__at + __n] == __part[__n]) __n++;
    if (!__part[__n]) return (char *)__s + __at;
    if (!__s[__at + __n]) return 0;
  }
}
static inline size_t strnlen(const char *__s, size_t __most) {
  size_t __n = 0;
  while (__n < __most && __s[__n]) __n++;
  return __n;
}
/* What is called for a text that is written into a member, where that is named and is not the last one: so many bytes may be written. */
void __library_wrong(const char *);
static inline void __fits(size_t __size, size_t __room) {
  if (__size > __room) __library_wrong("a text is written beyond the end of a member");
}
static inline char *__within_strcpy(char *__to, const char *__from, size_t __room) {
  __fits(strlen(__from) + 1, __room);
  return strcpy(__to, __from);
}
static inline char *__within_stpcpy(char *__to, const char *__from, size_t __room) {
  __fits(strlen(__from) + 1, __room);
  return stpcpy(__to, __from);
}
static inline char *__within_strcat(char *__to, const char *__from, size_t __room) {
  __fits(strlen(__to) + strlen(__from) + 1, __room);
  return strcat(__to, __from);
}
static inline char *__within_strncpy(char *__to, const char *__from, size_t __most, size_t __room) {
  __fits(__most, __room);
  return strncpy(__to, __from, __most);
}
static inline char *__within_stpncpy(char *__to, const char *__from, size_t __most, size_t __room) {
  __fits(__most, __room);
  return stpncpy(__to, __from, __most);
}
static inline char *__within_strncat(char *__to, const char *__from, size_t __most, size_t __room) {
  __fits(strlen(__to) + strnlen(__from, __most) + 1, __room);
  return strncat(__to, __from, __most);
}
static inline size_t __strspan(const char *__s, const char *__set, int __in) {
  size_t __n = 0;
  while (__s[__n]) {
    size_t __at = 0;
    while (__set[__at] && __set[__at] != __s[__n]) __at++;
    if ((__set[__at] != 0) != __in) break;
    __n++;
  }
  return __n;
}
static inline size_t strspn(const char *__s, const char *__set) { return __strspan(__s, __set, 1); }
static inline size_t strcspn(const char *__s, const char *__set) { return __strspan(__s, __set, 0); }
static inline char *strpbrk(const char *__s, const char *__set) {
  size_t __n = strcspn(__s, __set);
  return __s[__n] ? (char *)__s + __n : 0;
}
static inline char *strtok_r(char *__s, const char *__ends, char **__rest) {
  if (!__s) __s = *__rest;
  if (!__s) return 0;
  __s = __s + strspn(__s, __ends);
  *__rest = 0;
  if (!*__s) return 0;
  size_t __n = strcspn(__s, __ends);
  if (__s[__n]) {
    __s[__n] = 0;
    *__rest = __s + __n + 1;
  }
  return __s;
}
char *__strtok_rest;
static inline char *strtok(char *__s, const char *__ends) {
  return strtok_r(__s, __ends, &__strtok_rest);
}
static inline char *strsep(char **__rest, const char *__ends) {
  char *__s = *__rest;
  if (!__s) return 0;
  size_t __n = strcspn(__s, __ends);
  *__rest = 0;
  if (__s[__n]) {
    __s[__n] = 0;
    *__rest = __s + __n + 1;
  }
  return __s;
}
static inline int __lower(char __c) { return __c >= 'A' && __c <= 'Z' ? __c + 32 : __c; }
static inline int strncasecmp(const char *__l, const char *__r, size_t __most) {
  for (size_t __n = 0; __n < __most; __n++) {
    int __a = (unsigned char)__lower(__l[__n]), __b = (unsigned char)__lower(__r[__n]);
    if (__a != __b) return __a < __b ? -1 : 1;
    if (!__a) return 0;
  }
  return 0;
}
static inline int strcasecmp(const char *__l, const char *__r) {
  return strncasecmp(__l, __r, (size_t)-1);
}
static inline char *strndup(const char *__s, size_t __most) {
  extern void *malloc(size_t);
  size_t __length = strnlen(__s, __most);
  char *__copy = malloc(__length + 1);
  if (!__copy) return 0;
  for (size_t __n = 0; __n < __length; __n++) __copy[__n] = __s[__n];
  __copy[__length] = 0;
  return __copy;
}
/* Of characters; objects of other types are not seen as their bytes. */
static inline int memcmp(const void *__l, const void *__r, size_t __size) {
  const unsigned char *__a = __l, *__b = __r;
  /* Both must have so many bytes, wherever they differ. */
  if (__size && __a[__size - 1] == __b[__size - 1]) __size--;
  for (size_t __n = 0; __n < __size; __n++)
    if (__a[__n] != __b[__n]) return __a[__n] < __b[__n] ? -1 : 1;
  return 0;
}
static inline void *memchr(const void *__s, int __c, size_t __size) {
  const unsigned char *__a = __s;
  for (size_t __n = 0; __n < __size; __n++)
    if (__a[__n] == (unsigned char)__c) return (void *)(__a + __n);
  return 0;
}
static inline void *memccpy(void *__to, const void *__from, int __c, size_t __size) {
  char *__l = __to;
  const char *__r = __from;
  for (size_t __n = 0; __n < __size; __n++) {
    __l[__n] = __r[__n];
    if (__r[__n] == (char)__c) return __l + __n + 1;
  }
  return 0;
}
static inline char *strdup(const char *__s) {
  extern void *malloc(size_t);
  char *__copy = malloc(strlen(__s) + 1);
  return __copy ? strcpy(__copy, __s) : 0;
}
/* The locale is always "C". */
static inline int strcoll(const char *__l, const char *__r) { return strcmp(__l, __r); }
static inline size_t strxfrm(char *__to, const char *__from, size_t __size) {
  size_t __length = strlen(__from);
  if (__size) strncpy(__to, __from, __length < __size ? __length + 1 : __size);
  return __length;
}
static inline size_t strlcpy(char *__to, const char *__from, size_t __size) {
  size_t __length = strlen(__from), __n = 0;
  for (; __n + 1 < __size && __n < __length; __n++) __to[__n] = __from[__n];
  if (__size) __to[__n] = 0;
  return __length;
}
static inline size_t strlcat(char *__to, const char *__from, size_t __size) {
  size_t __length = strnlen(__to, __size);
  return __length + (__length < __size ? strlcpy(__to + __length, __from, __size - __length) : strlen(__from));
}
#if __STDC_VERSION__ > 201710L
static inline void *memset_explicit(void *__to, int __c, size_t __size) { return memset(__to, __c, __size); }
#endif
static inline void explicit_bzero(void *__to, size_t __size) { memset(__to, 0, __size); }
/* Where programs do not ask for them, they may have their own. */
#ifdef _GNU_SOURCE
static inline void *mempcpy(void *__to, const void *__from, size_t __size) { return (char *)memcpy(__to, __from, __size) + __size; }
static inline void *rawmemchr(const void *__s, int __c) {
  const unsigned char *__a = __s;
  while (*__a != (unsigned char)__c) __a++;
  return (void *)__a;
}
#define strdupa(s) ({ \
    const char *__old = (s); \
    strcpy(__builtin_alloca(strlen(__old) + 1), __old); })
#define strndupa(s, most) ({ \
    const char *__old = (s); \
    size_t __length = strnlen(__old, (most)); \
    char *__new = __builtin_alloca(__length + 1); \
    __new[__length] = 0; \
    strncpy(__new, __old, __length); })
#ifndef basename
static inline char *basename(const char *__name) {
  const char *__last = strrchr(__name, '/');
  return (char *)(__last ? __last + 1 : __name);
}
#endif
/* 0 for other characters, 1 for digits, 2 for a zero. */
static inline int __digit_kind(char __c) { return __c == '0' ? 2 : __c >= '0' && __c <= '9'; }
/* Before the first difference stand, since the last other character: none, a number, digits behind zeros, zeros. Digits are compared
   as numbers, and behind zeros as what stands behind a point. */
static inline int strverscmp(const char *__l, const char *__r) {
  size_t __n = 0, __more = 1;
  int __before = 0;
  for (; __l[__n] == __r[__n]; __n++) {
    if (!__l[__n]) return 0;
    __before = "\0\1\3\0\1\1\0\2\2\0\2\3"[3 * __before + __digit_kind(__l[__n])];
  }
  int __order = (unsigned char)__l[__n] - (unsigned char)__r[__n];
  _Bool __left = __digit_kind(__l[__n]), __right = __digit_kind(__r[__n]);
  if (__left != __right && __before == 1) return __left ? 1 : -1;
  if (__left != __right && __before == 3) return __left ? -1 : 1;
  if (!__left || !__right || __before > 1 || !__before && (__l[__n] == '0' || __r[__n] == '0')) return __order;
  while (__digit_kind(__l[__n + __more]) && __digit_kind(__r[__n + __more])) __more++;
  __left = __digit_kind(__l[__n + __more]);
  __right = __digit_kind(__r[__n + __more]);
  return __left ? 1 : __right ? -1 : __order;
}
static inline char *strchrnul(const char *__s, int __c) {
  while (*__s && *__s != (char)__c) __s++;
  return (char *)__s;
}
static inline char *strcasestr(const char *__s, const char *__part) {
  for (;; __s++) {
    size_t __n = 0;
    while (__part[__n] && __lower(__s[__n]) == __lower(__part[__n])) __n++;
    if (!__part[__n]) return (char *)__s;
    if (!*__s) return 0;
  }
}
static inline void *memrchr(const void *__s, int __c, size_t __size) {
  const unsigned char *__a = __s;
  while (__size-- > 0)
    if (__a[__size] == (unsigned char)__c) return (void *)(__a + __size);
  return 0;
}
static inline void *memmem(const void *__s, size_t __size, const void *__part, size_t __of_part) {
  const unsigned char *__a = __s;
  for (size_t __at = 0; __of_part <= __size && __at <= __size - __of_part; __at++)
    if (!memcmp(__a + __at, __part, __of_part)) return (void *)(__a + __at);
  return 0;
}
#endif
#include <__errors.h>
static inline char *strerror(int __e) { return __text_of_error(__e); }
/* Writes as much of a text as there is room for; whether that is all. */
static inline _Bool __put_text_of_error(int __e, char *__to, size_t __size) {
  const char *__text = __text_of_error(__e);
  size_t __n = 0;
  if (!__size) return 0;
  for (; __n + 1 < __size && __text[__n]; __n++) __to[__n] = __text[__n];
  __to[__n] = 0;
  return !__text[__n];
}
#ifdef _GNU_SOURCE
static inline char *strerror_r(int __e, char *__to, size_t __size) {
  if (__is_text_of_error(__text_of_error(__e))) return __text_of_error(__e);
  __put_text_of_error(__e, __to, __size);
  return __to;
}
#else
static inline int strerror_r(int __e, char *__to, size_t __size) {
  _Bool __all = __put_text_of_error(__e, __to, __size);
  return __is_text_of_error(__text_of_error(__e)) ? __all ? 0 : 34 : 22;
}
#endif
_Thread_local char __unknown_signal[32];
static inline char *strsignal(int __n) {
  static char __texts[][25] = {
    "", "Hangup", "Interrupt", "Quit", "Illegal instruction", "Trace/breakpoint trap", "Aborted", "Bus error", "Floating point exception", "Killed",
    "User defined signal 1", "Segmentation fault", "User defined signal 2", "Broken pipe", "Alarm clock", "Terminated", "Stack fault", "Child exited",
    "Continued", "Stopped (signal)", "Stopped", "Stopped (tty input)", "Stopped (tty output)", "Urgent I/O condition", "CPU time limit exceeded",
    "File size limit exceeded", "Virtual timer expired", "Profiling timer expired", "Window changed", "I/O possible", "Power failure",
    "Bad system call",
  };
  if (__n > 0 && __n < 32) return __texts[__n];
  if (__n >= 34 && __n <= 64) return __numbered_text(__unknown_signal, "Real-time signal ", __n - 34);
  return __numbered_text(__unknown_signal, "Unknown signal ", __n);
}
#endif
