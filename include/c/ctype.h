/* C11 7.4 */
#ifndef _CTYPE_H
#define _CTYPE_H
#include <features.h>
/* In the locale "C", in which programs begin. */
static inline int isascii(int __c) { return __c >= 0 && __c < 128; }
static inline int toascii(int __c) { return __c & 127; }
/* The table of glibc has these numbers. */
void __library_wrong(const char *);
static inline void __is_in_table(int __c) {
  if (__c < -128 || __c > 255) __library_wrong("this is asked of a number that is neither a character nor EOF");
}
static inline int isdigit(int __c) {
  __is_in_table(__c);
  return __c >= '0' && __c <= '9';
}
static inline int islower(int __c) {
  __is_in_table(__c);
  return __c >= 'a' && __c <= 'z';
}
static inline int isupper(int __c) {
  __is_in_table(__c);
  return __c >= 'A' && __c <= 'Z';
}
static inline int isalpha(int __c) { return islower(__c) || isupper(__c); }
static inline int isalnum(int __c) { return isalpha(__c) || isdigit(__c); }
static inline int isblank(int __c) {
  __is_in_table(__c);
  return __c == ' ' || __c == '\t';
}
static inline int isspace(int __c) {
  __is_in_table(__c);
  return __c == ' ' || (__c >= '\t' && __c <= '\r');
}
static inline int isgraph(int __c) {
  __is_in_table(__c);
  return __c > ' ' && __c < 127;
}
static inline int isprint(int __c) {
  __is_in_table(__c);
  return __c >= ' ' && __c < 127;
}
static inline int iscntrl(int __c) { return !isprint(__c) && isascii(__c); }
static inline int ispunct(int __c) { return isgraph(__c) && !isalnum(__c); }
static inline int isxdigit(int __c) { return isdigit(__c) || (__c >= 'a' && __c <= 'f') || (__c >= 'A' && __c <= 'F'); }
static inline int tolower(int __c) { return __c >= 'A' && __c <= 'Z' ? __c + ('a' - 'A') : __c; }
static inline int toupper(int __c) { return __c >= 'a' && __c <= 'z' ? __c - ('a' - 'A') : __c; }
#endif
