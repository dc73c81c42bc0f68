/* C11 7.28: in the locale "C", as wchar.h has it */
#ifndef _UCHAR_H
#define _UCHAR_H
#include <wchar.h>
#if __STDC_VERSION__ > 201710L
typedef unsigned char char8_t;
#endif
typedef uint_least16_t char16_t;
typedef uint_least32_t char32_t;
static inline size_t mbrtoc32(char32_t *__to, const char *__s, size_t __most, mbstate_t *__state) {
  wchar_t __c = 0;
  size_t __n = mbrtowc(&__c, __s, __most, __state);
  if (__to && __s && __most) *__to = __c;
  return __n;
}
static inline size_t mbrtoc16(char16_t *__to, const char *__s, size_t __most, mbstate_t *__state) {
  wchar_t __c = 0;
  size_t __n = mbrtowc(&__c, __s, __most, __state);
  if (__to && __s && __most) *__to = __c;
  return __n;
}
static inline size_t c32rtomb(char *__to, char32_t __c, mbstate_t *__state) { return wcrtomb(__to, __c, __state); }
static inline size_t c16rtomb(char *__to, char16_t __c, mbstate_t *__state) { return wcrtomb(__to, __c, __state); }
#endif
