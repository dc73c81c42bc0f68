/* POSIX libgen.h */
#ifndef _LIBGEN_H
#define _LIBGEN_H
#include <stddef.h>
/* What stands before so many characters, without the slashes at its end. */
static inline size_t __without_slashes(const char *__name, size_t __n) {
  while (__n && __name[__n - 1] == '/') __n--;
  return __n;
}
static inline size_t __end_of_name(const char *__name) {
  size_t __n = 0;
  while (__name && __name[__n]) __n++;
  return __n;
}
static inline char *__xpg_basename(char *__name) {
  size_t __all = __end_of_name(__name), __n = __without_slashes(__name, __all), __from = __n;
  if (!__all) return (char *)".";
  if (!__n) return __name + __all - 1;
  if (__n < __all) __name[__n] = 0;
  while (__from && __name[__from - 1] != '/') __from--;
  return __name + __from;
}
/* That of GNU, which <string.h> has, leaves the name as it is. */
#define basename __xpg_basename
static inline char *dirname(char *__name) {
  size_t __end = __without_slashes(__name, __end_of_name(__name)), __n = __end;
  if (!__end) __n = __end_of_name(__name);
  while (__n && __name[__n - 1] != '/') __n--;
  if (!__n) return (char *)".";
  /* Two slashes at the beginning are more than one or three. */
  size_t __before = __without_slashes(__name, __n);
  __name[__before ? __before : __n == 2 ? 2 : 1] = 0;
  return __name;
}
#endif
