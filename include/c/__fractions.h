/* Floating numbers that are read from texts: rounded once. */
#ifndef ___FRACTIONS_H
#define ___FRACTIONS_H
#include <__floats.h>
void __library_failed(int);
/* Words of 32 bits as one number, the lowest first: times ten, and so much more. Gives how many words there are then. */
static inline long __words_times_10(unsigned *__words, long __from, long __n, __float_bits __carry) {
  for (long __at = __from; __at < __n || __carry; __at++) {
    if (__at == __n) __n++;
    __carry = __carry + __words[__at] * 10ULL;
    __words[__at] = __carry;
    __carry = __carry >> 32;
  }
  return __n;
}
/* `__m * 2^__e`; for a `float` so many bits less that nothing is rounded yet, where the lowest says whether there is anything below. */
static inline __float_bits __float_rounded(__float_bits __m, long __e, _Bool __short) {
  if (__e > 4000) return __FLOAT_INFINITE;
  if (__e < -4000) return 0;
  for (; __m < 1ULL << 62; __e--) __m = __m << 1;
  if (__short) return __float_made(0, __m >> 11 | ((__m & 2047) != 0), (int)__e + 11);
  return __float_made(0, __m, (int)__e);
}
/* The number of so many digits, among which a point may stand. The last one counts `10^__e`. */
static inline __float_bits __float_of_digits(const char *__s, long __count, long __e, _Bool __short) {
  if (__count > 400) __library_not_modelled("a fraction of more than 400 digits");
  if (__e + __count > 310) return __FLOAT_INFINITE;
  if (__e + __count < -330) return 0;
  unsigned __words[144] = {0};
  long __below = __e < 0 ? -__e / 8 + 3 : 0, __n = __below;
  for (; __count; __s++)
    if (*__s != '.') {
      __n = __words_times_10(__words, __below, __n, *__s - '0');
      __count--;
    }
  for (; __e > 0; __e--) __n = __words_times_10(__words, 0, __n, 0);
  _Bool __rest = 0;
  for (; __e < 0; __e++) {
    __float_bits __left = 0;
    for (long __at = __n; __at-- > 0;) {
      __left = __left << 32 | __words[__at];
      __words[__at] = __left / 10;
      __left = __left % 10;
    }
    __rest = __rest || __left;
    while (!__words[__n - 1]) __n--;
  }
  __float_bits __m = (__float_bits)__words[__n - 1] << 32 | (__n > 1 ? __words[__n - 2] : 0);
  unsigned __next = __n > 2 ? __words[__n - 3] : 0;
  for (long __at = 0; __at < __n - 3; __at++) __rest = __rest || __words[__at];
  long __by = 32 * (__n - 2 - __below);
  while (__m < 1ULL << 62) {
    __m = __m << 1 | __next >> 31;
    __next = __next << 1;
    __by--;
  }
  return __float_rounded(__m | (__rest || __next), __by, __short);
}
/* Adds the exponent behind a letter, if there is one. Gives where it ends. */
static inline const char *__exponent(const char *__s, char __letter, long *__e) {
  if ((*__s | 32) != __letter) return __s;
  const char *__at = __s + 1;
  _Bool __below = *__at == '-';
  if (*__at == '-' || *__at == '+') __at++;
  if (*__at < '0' || *__at > '9') return __s;
  long __more = 0;
  for (; *__at >= '0' && *__at <= '9'; __at++)
    if (__more < 100000) __more = __more * 10 + (*__at - '0');
  *__e += __below ? -__more : __more;
  return __at;
}
/* From this one on a number that was read is infinite; one that becomes a `float` is still to be rounded. */
static inline __float_bits __float_limit(_Bool __short) { return __short ? (1151ULL << 52) - (1ULL << 28) : __FLOAT_INFINITE; }
/* A number after `0x`. */
static inline const char *__float_of_hex(const char *__s, _Bool __short, __float_bits *__bits) {
  __float_bits __m = 0;
  long __e = 0;
  for (_Bool __point = 0;; __s++) {
    if (*__s == '.' && !__point) {
      __point = 1;
      continue;
    }
    int __value = *__s >= '0' && *__s <= '9' ? *__s - '0' : (*__s | 32) >= 'a' && (*__s | 32) <= 'f' ? (*__s | 32) - 'a' + 10 : 16;
    if (__value == 16) break;
    _Bool __fits = __m < 1ULL << 59;
    __m = __fits ? __m << 4 | __value : __m | !!__value;
    __e = __e + (__fits ? 0 : 4) - (__point ? 4 : 0);
  }
  __s = __exponent(__s, 'p', &__e);
  *__bits = __m ? __float_rounded(__m, __e, __short) : 0;
  if (*__bits >= __float_limit(__short)) __library_failed(34);
  if (__m && *__bits < (__short ? 897ULL : 1) << 52) __library_not_modelled("a hexadecimal fraction this near to zero");
  return __s;
}
static inline const char *__float_of_decimal(const char *__s, _Bool __short, __float_bits *__bits) {
  const char *__first = 0, *__past = 0;
  long __count = 0, __e = 0;
  for (_Bool __point = 0;; __s++) {
    if (*__s == '.' && !__point) {
      __point = 1;
      if (__past) __past++;
      continue;
    }
    if (*__s < '0' || *__s > '9') break;
    __past = __s + 1;
    if (*__s != '0' && !__first) __first = __s;
    if (__first) __count++;
    if (__point) __e--;
  }
  if (!__past) return 0;
  const char *__end = __exponent(__s, 'e', &__e);
  if (__end != __s) __past = __end;
  *__bits = __first ? __float_of_digits(__first, __count, __e, __short) : 0;
  /* What is rounded up to the least number of its kind is not too small. */
  __float_bits __least = __short ? (897ULL << 52) - (1ULL << 28) : 1ULL << 52;
  if (__first && (*__bits < __least || *__bits >= __float_limit(__short))) __library_failed(34);
  return __past;
}
static inline _Bool __begins_with(const char *__s, const char *__word) {
  for (; *__word; __s++, __word++)
    if ((*__s | 32) != *__word) return 0;
  return 1;
}
static inline __float_bits __float_in_text(const char *__s, char **__end, _Bool __short) {
  const char *__past = 0, *__begin = __s;
  __float_bits __bits = 0, __sign = 0;
  while (*__s == ' ' || *__s >= '\t' && *__s <= '\r') __s++;
  if (*__s == '-') __sign = __FLOAT_SIGN;
  if (*__s == '-' || *__s == '+') __s++;
  if (__begins_with(__s, "inf")) {
    __past = __s + (__begins_with(__s + 3, "inity") ? 8 : 3);
    __bits = __FLOAT_INFINITE;
  } else if (__begins_with(__s, "nan")) {
    __past = __s + 3;
    if (*__past == '(') __library_not_modelled("the payload of a NaN");
    __bits = __FLOAT_NONE & ~__FLOAT_SIGN;
  } else if (*__s == '0' && (__s[1] | 32) == 'x') {
    _Bool __point = __s[2] == '.';
    char __c = __s[__point ? 3 : 2];
    _Bool __is_hex = __c >= '0' && __c <= '9' || (__c | 32) >= 'a' && (__c | 32) <= 'f';
    __past = __is_hex ? __float_of_hex(__s + 2, __short, &__bits) : __s + 1;
  } else {
    __past = __float_of_decimal(__s, __short, &__bits);
  }
  if (__end) *__end = (char *)(__past ? __past : __begin);
  return __past ? __sign | __bits : 0;
}
static inline double strtod(const char *__s, char **__end) {
  union { __float_bits __bits; double __number; } __read = {__float_in_text(__s, __end, 0)};
  return __read.__number;
}
static inline float strtof(const char *__s, char **__end) {
  union { __float_bits __bits; double __number; } __read = {__float_in_text(__s, __end, 1)};
  return (float)__read.__number;
}
static inline double atof(const char *__s) { return strtod(__s, 0); }
#endif
