/* GNU error.h */
#ifndef _ERROR_H
#define _ERROR_H
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
void (*error_print_progname)(void);
unsigned int error_message_count;
int error_one_per_line;
static inline void __says_error(int __status, const char *__format, va_list __list) {
  if (error_print_progname) error_print_progname();
  vfprintf(stderr, __format, __list);
  error_message_count++;
  if (__status) exit(__status);
}
static inline void error(int __status, int __number, const char *__format, ...) {
  va_list __list;
  va_start(__list, __format);
  __says_error(__status, __format, __list);
  va_end(__list);
}
static inline void error_at_line(int __status, int __number, const char *__file, unsigned int __line, const char *__format, ...) {
  va_list __list;
  if (__file) __library_reads(__file);
  va_start(__list, __format);
  if (error_one_per_line) __library_not_modelled("`error_one_per_line`");
  __says_error(__status, __format, __list);
  va_end(__list);
}
#endif
