/* C11 7.24, POSIX string.h */
#ifndef _STRING_H
#define _STRING_H
#include <stddef.h>
void *memchr(const void *, int, size_t);
int memcmp(const void *, const void *, size_t);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int strcoll(const char *, const char *);
size_t strcspn(const char *, const char *);
int strerror_r(int, char *, size_t);
char *strndup(const char *, size_t);
size_t strnlen(const char *, size_t);
char *strpbrk(const char *, const char *);
char *strsep(char **, const char *);
size_t strspn(const char *, const char *);
char *strstr(const char *, const char *);
char *strtok(char *, const char *);
char *strtok_r(char *, const char *, char **);
int strcasecmp(const char *, const char *);
int strncasecmp(const char *, const char *, size_t);
void bzero(void *, size_t);
/* Those that programs use most are written out, so that they are read like anything else. */
static inline size_t strlen(const char *__s) {
  size_t __n = 0;
  while (__s[__n]) __n++;
  return __n;
}
static inline char *strcpy(char *__to, const char *__from) {
  size_t __n = 0;
  while (__from[__n]) {
    __to[__n] = __from[__n];
    __n++;
  }
  __to[__n] = 0;
  return __to;
}
static inline char *strncpy(char *__to, const char *__from, size_t __most) {
  size_t __n = 0;
  while (__n < __most && __from[__n]) {
    __to[__n] = __from[__n];
    __n++;
  }
  while (__n < __most) __to[__n++] = 0;
  return __to;
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
static inline char *strdup(const char *__s) {
  extern void *malloc(size_t);
  char *__copy = malloc(strlen(__s) + 1);
  return __copy ? strcpy(__copy, __s) : 0;
}
/* The texts differ from system to system. */
static inline char *strerror(int __e) { return (char *)(__e ? "an error" : "no error"); }
static inline char *strsignal(int __n) { return (char *)(__n ? "a signal" : "no signal"); }
#endif
