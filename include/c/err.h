/* The functions of BSD that complain and, some of them, exit */
#ifndef _ERR_H
#define _ERR_H
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
static inline void vwarnx(const char *__format, va_list __list) {
  if (__format) vfprintf(stderr, __format, __list);
}
static inline void vwarn(const char *__format, va_list __list) { vwarnx(__format, __list); }
static inline void verrx(int __status, const char *__format, va_list __list) {
  vwarnx(__format, __list);
  exit(__status);
}
static inline void verr(int __status, const char *__format, va_list __list) { verrx(__status, __format, __list); }
static inline void warn(const char *__format, ...) {
  va_list __list;
  va_start(__list, __format);
  vwarnx(__format, __list);
  va_end(__list);
}
static inline void warnx(const char *__format, ...) {
  va_list __list;
  va_start(__list, __format);
  vwarnx(__format, __list);
  va_end(__list);
}
static inline void err(int __status, const char *__format, ...) {
  va_list __list;
  va_start(__list, __format);
  verrx(__status, __format, __list);
  va_end(__list);
}
static inline void errx(int __status, const char *__format, ...) {
  va_list __list;
  va_start(__list, __format);
  verrx(__status, __format, __list);
  va_end(__list);
}
#endif
