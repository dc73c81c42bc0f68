/* C11 wchar.h, as far as types and plain functions go */
#ifndef _WCHAR_H
#define _WCHAR_H
#include <stddef.h>
#include <stdint.h>
#include <__numbers.h>
typedef unsigned int wint_t;
typedef struct { int __count; wint_t __value; } mbstate_t;
#define WEOF ((wint_t)-1)
static inline size_t wcslen(const wchar_t *__s) {
  size_t __n = 0;
  while (__s[__n]) __n++;
  return __n;
}
static inline size_t wcsnlen(const wchar_t *__s, size_t __most) {
  size_t __n = 0;
  while (__n < __most && __s[__n]) __n++;
  return __n;
}
static inline wchar_t *wcscpy(wchar_t *__to, const wchar_t *__from) {
  size_t __n = 0;
  for (; __from[__n]; __n++) __to[__n] = __from[__n];
  __to[__n] = 0;
  return __to;
}
static inline wchar_t *wcsncpy(wchar_t *__to, const wchar_t *__from, size_t __most) {
  size_t __n = 0;
  for (; __n < __most && __from[__n]; __n++) __to[__n] = __from[__n];
  for (; __n < __most; __n++) __to[__n] = 0;
  return __to;
}
static inline wchar_t *wcscat(wchar_t *__to, const wchar_t *__from) {
  wcscpy(__to + wcslen(__to), __from);
  return __to;
}
static inline wchar_t *wcsncat(wchar_t *__to, const wchar_t *__from, size_t __most) {
  size_t __n = 0, __end = wcslen(__to);
  for (; __n < __most && __from[__n]; __n++) __to[__end + __n] = __from[__n];
  __to[__end + __n] = 0;
  return __to;
}
static inline int wcsncmp(const wchar_t *__l, const wchar_t *__r, size_t __most) {
  for (size_t __n = 0; __n < __most; __n++) {
    if (__l[__n] != __r[__n]) return __l[__n] < __r[__n] ? -1 : 1;
    if (!__l[__n]) return 0;
  }
  return 0;
}
static inline int wcscmp(const wchar_t *__l, const wchar_t *__r) { return wcsncmp(__l, __r, (size_t)-1); }
static inline wchar_t *wcschr(const wchar_t *__s, wchar_t __c) {
  for (; *__s != __c; __s++)
    if (!*__s) return 0;
  return (wchar_t *)__s;
}
static inline wchar_t *wcsrchr(const wchar_t *__s, wchar_t __c) {
  const wchar_t *__last = 0;
  for (;; __s++) {
    if (*__s == __c) __last = __s;
    if (!*__s) return (wchar_t *)__last;
  }
}
static inline wchar_t *wcsstr(const wchar_t *__s, const wchar_t *__part) {
  size_t __length = wcslen(__part);
  for (;; __s++) {
    if (!wcsncmp(__s, __part, __length)) return (wchar_t *)__s;
    if (!*__s) return 0;
  }
}
static inline size_t __wcsspan(const wchar_t *__s, const wchar_t *__set, _Bool __in) {
  size_t __n = 0;
  while (__s[__n] && (wcschr(__set, __s[__n]) != 0) == __in) __n++;
  return __n;
}
static inline size_t wcsspn(const wchar_t *__s, const wchar_t *__set) { return __wcsspan(__s, __set, 1); }
static inline size_t wcscspn(const wchar_t *__s, const wchar_t *__set) { return __wcsspan(__s, __set, 0); }
static inline wchar_t *wcspbrk(const wchar_t *__s, const wchar_t *__set) {
  size_t __n = wcscspn(__s, __set);
  return __s[__n] ? (wchar_t *)__s + __n : 0;
}
static inline wchar_t *wcstok(wchar_t *__s, const wchar_t *__ends, wchar_t **__rest) {
  if (!__s) __s = *__rest;
  if (!__s) return 0;
  __s = __s + wcsspn(__s, __ends);
  *__rest = 0;
  if (!*__s) return 0;
  size_t __n = wcscspn(__s, __ends);
  if (__s[__n]) {
    __s[__n] = 0;
    *__rest = __s + __n + 1;
  }
  return __s;
}
static inline int wcscoll(const wchar_t *__l, const wchar_t *__r) { return wcscmp(__l, __r); }
static inline wchar_t *wcsdup(const wchar_t *__s) {
  extern void *malloc(size_t);
  wchar_t *__new = malloc((wcslen(__s) + 1) * sizeof(wchar_t));
  return __new ? wcscpy(__new, __s) : 0;
}
static inline wchar_t *wmemset(wchar_t *__to, wchar_t __c, size_t __count) {
  for (size_t __n = 0; __n < __count; __n++) __to[__n] = __c;
  return __to;
}
static inline wchar_t *wmemcpy(wchar_t *__to, const wchar_t *__from, size_t __count) {
  extern void *memcpy(void *, const void *, size_t);
  return memcpy(__to, __from, __count * sizeof(wchar_t));
}
static inline wchar_t *wmemmove(wchar_t *__to, const wchar_t *__from, size_t __count) {
  extern void *memmove(void *, const void *, size_t);
  return memmove(__to, __from, __count * sizeof(wchar_t));
}
static inline int wmemcmp(const wchar_t *__l, const wchar_t *__r, size_t __count) {
  if (__count && __l[__count - 1] == __r[__count - 1]) __count--;
  for (size_t __n = 0; __n < __count; __n++)
    if (__l[__n] != __r[__n]) return __l[__n] < __r[__n] ? -1 : 1;
  return 0;
}
static inline wchar_t *wmemchr(const wchar_t *__s, wchar_t __c, size_t __count) {
  for (size_t __n = 0; __n < __count; __n++)
    if (__s[__n] == __c) return (wchar_t *)__s + __n;
  return 0;
}
/* In the locale "C" a character is a byte. Systems differ in what they make of those beyond ASCII. */
void __library_not_modelled(const char *);
static inline wint_t btowc(int __c) {
  if (__c > 127 && __c < 256) __library_not_modelled("a wide character beyond ASCII is made or read");
  return __c >= 0 && __c < 128 ? __c : WEOF;
}
static inline int wctob(wint_t __c) {
  if (__c > 127 && __c != WEOF) __library_not_modelled("a wide character beyond ASCII is made or read");
  return __c < 128 ? __c : -1;
}
static inline int mbsinit(const mbstate_t *__state) { return 1; }
static inline size_t mbrtowc(wchar_t *__to, const char *__s, size_t __most, mbstate_t *__state) {
  if (!__s) return 0;
  if (!__most) return -2;
  wchar_t __c = btowc((unsigned char)*__s);
  if (__to) *__to = __c;
  return __c != 0;
}
static inline size_t mbrlen(const char *__s, size_t __most, mbstate_t *__state) { return mbrtowc(0, __s, __most, __state); }
static inline size_t wcrtomb(char *__to, wchar_t __c, mbstate_t *__state) {
  if (!__to) return 1;
  if (__c < 0 || __c > 127) __library_not_modelled("a wide character beyond ASCII is made or read");
  *__to = __c;
  return 1;
}
static inline size_t mbsrtowcs(wchar_t *__to, const char **__from, size_t __most, mbstate_t *__state) {
  const char *__s = *__from;
  size_t __n = 0;
  for (; !__to || __n < __most; __n++) {
    wchar_t __c = btowc((unsigned char)__s[__n]);
    if (__to) __to[__n] = __c;
    if (!__c) {
      if (__to) *__from = 0;
      return __n;
    }
  }
  *__from = __s + __n;
  return __n;
}
static inline size_t wcsrtombs(char *__to, const wchar_t **__from, size_t __most, mbstate_t *__state) {
  const wchar_t *__s = *__from;
  size_t __n = 0;
  for (; !__to || __n < __most; __n++) {
    char __c = wctob(__s[__n]);
    if (__to) __to[__n] = __c;
    if (!__c) {
      if (__to) *__from = 0;
      return __n;
    }
  }
  *__from = __s + __n;
  return __n;
}
/* The characters of a number in a wide text. */
static inline void __narrow(const wchar_t *__s, char *__text) {
  int __n = 0;
  for (; __n < 79 && __s[__n]; __n++) __text[__n] = __s[__n] > 0 && __s[__n] < 128 ? __s[__n] : '@';
  if (__s[__n]) __library_not_modelled("a number in a wide text of more than 79 characters");
  __text[__n] = 0;
}
#define __WIDE_NUMBER(type, wide, narrow) \
  static inline type wide(const wchar_t *__s, wchar_t **__end, int __base) { \
    char __text[80], *__past; \
    __narrow(__s, __text); \
    type __number = narrow(__text, &__past, __base); \
    if (__end) *__end = (wchar_t *)__s + (__past - __text); \
    return __number; \
  }
__WIDE_NUMBER(long, wcstol, strtol)
__WIDE_NUMBER(long long, wcstoll, strtoll)
__WIDE_NUMBER(unsigned long, wcstoul, strtoul)
__WIDE_NUMBER(unsigned long long, wcstoull, strtoull)
#undef __WIDE_NUMBER
#ifdef _GNU_SOURCE
static inline wchar_t *wmempcpy(wchar_t *__to, const wchar_t *__from, size_t __count) { return wmemcpy(__to, __from, __count) + __count; }
#endif
static inline wchar_t *wcpcpy(wchar_t *__to, const wchar_t *__from) { return wcscpy(__to, __from) + wcslen(__from); }
static inline wchar_t *wcpncpy(wchar_t *__to, const wchar_t *__from, size_t __most) { return wcsncpy(__to, __from, __most) + wcsnlen(__from, __most); }
static inline wchar_t __wide_lower(wchar_t __c) { return __c >= 'A' && __c <= 'Z' ? __c + 32 : __c; }
static inline int wcsncasecmp(const wchar_t *__l, const wchar_t *__r, size_t __most) {
  for (size_t __n = 0; __n < __most; __n++) {
    wchar_t __a = __wide_lower(__l[__n]), __b = __wide_lower(__r[__n]);
    if (__a != __b) return __a < __b ? -1 : 1;
    if (!__a) return 0;
  }
  return 0;
}
static inline int wcscasecmp(const wchar_t *__l, const wchar_t *__r) { return wcsncasecmp(__l, __r, (size_t)-1); }
#endif
