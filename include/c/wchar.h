/* C11 wchar.h, as far as types and plain functions go */
#ifndef _WCHAR_H
#define _WCHAR_H
#include <stddef.h>
#include <stdint.h>
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
  for (size_t __n = 0; __n < __count; __n++)
    if (__l[__n] != __r[__n]) return __l[__n] < __r[__n] ? -1 : 1;
  return 0;
}
static inline wchar_t *wmemchr(const wchar_t *__s, wchar_t __c, size_t __count) {
  for (size_t __n = 0; __n < __count; __n++)
    if (__s[__n] == __c) return (wchar_t *)__s + __n;
  return 0;
}
size_t mbrtowc(wchar_t *, const char *, size_t, mbstate_t *);
size_t wcrtomb(char *, wchar_t, mbstate_t *);
#endif
