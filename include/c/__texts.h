/* Texts that are made and read by formats: where the format or the list of arguments is only known when the program runs, and where
   floating numbers are written. */
#ifndef ___TEXTS_H
#define ___TEXTS_H
#include <stddef.h>
#include <stdarg.h>
#include <__errors.h>
#include <__fractions.h>
#include <stdio.h>
void __library_unknown(void);
__float_bits __library_float_bits(double);
/* The value of `errno`; the given one if the program does not name that. The texts of 84 and 0 are the longest and the shortest one. */
int __library_errno(int);
int __VERIFIER_nondet_library_int(void);
static inline size_t __put(char *__to, size_t __room, size_t __at, char __c) {
  if (__at + 1 < __room) __to[__at] = __c;
  return __at + 1;
}
static inline size_t __put_many(char *__to, size_t __room, size_t __at, char __c, long __n) {
  for (; __n > 0; __n--) __at = __put(__to, __room, __at, __c);
  return __at;
}
/* Decimal digits of a number, the point before the one of that index; zeros follow. */
struct __decimal { unsigned char __digits[1400]; long __count, __point; };
/* The digits of a number that is not negative, rounded to so many behind the point, or behind the first one that is not zero. */
static inline struct __decimal __decimal_of(__float_bits __bits, long __wanted, _Bool __from_first) {
  struct __decimal __d = {{0}, 0, 0};
  unsigned __limbs[36] = {0};
  long __width_in_limbs = 0;
  struct __float_parts __p = {0, 0};
  if (__bits) __p = __float_parts(__bits);
  while (__p.__m && !(__p.__m & 1)) {
    __p.__m = __p.__m >> 1;
    __p.__e++;
  }
  __float_bits __whole = 0, __power = 1;
  if (__p.__e > 10) {
    int __at = __p.__e / 32, __by = __p.__e % 32;
    __limbs[__at] = __p.__m << __by;
    __limbs[__at + 1] = __p.__m >> (32 - __by);
    if (__by) __limbs[__at + 2] = __p.__m >> (64 - __by);
    unsigned char __reversed[310] = {0};
    for (__width_in_limbs = __at + 3; __width_in_limbs;) {
      __float_bits __rest = 0;
      for (long __n = __width_in_limbs; __n-- > 0;) {
        __rest = __rest << 32 | __limbs[__n];
        __limbs[__n] = __rest / 10;
        __rest = __rest % 10;
      }
      __reversed[__d.__count++] = __rest;
      while (__width_in_limbs && !__limbs[__width_in_limbs - 1]) __width_in_limbs--;
    }
    for (long __n = 0; __n < __d.__count; __n++) __d.__digits[__n] = __reversed[__d.__count - 1 - __n];
  } else {
    __whole = __p.__e >= 0 ? __p.__m << __p.__e : __p.__e > -64 ? __p.__m >> -__p.__e : 0;
    while (__power <= __whole / 10) __power *= 10;
    if (__whole || !__from_first || !__bits)
      for (; __power; __power /= 10) __d.__digits[__d.__count++] = __whole / __power % 10;
  }
  __d.__point = __d.__count;
  if (__p.__e < 0) {
    __float_bits __part = __p.__e > -64 ? __p.__m & ((1ULL << -__p.__e) - 1) : __p.__m;
    __width_in_limbs = (31 - __p.__e) / 32;
    int __by = 32 * __width_in_limbs + __p.__e;
    __limbs[__width_in_limbs - 1] = __part << __by;
    if (__width_in_limbs > 1) __limbs[__width_in_limbs - 2] = __part >> (32 - __by);
    if (__width_in_limbs > 2 && __by) __limbs[__width_in_limbs - 3] = __part >> (64 - __by);
  }
  while (__width_in_limbs && __d.__count <= (__from_first ? __wanted + 1 : __d.__point + __wanted)) {
    __float_bits __carry = 0;
    for (long __n = __width_in_limbs; __n-- > 0;) {
      __carry = __carry + __limbs[__n] * 10ULL;
      __limbs[__n] = __carry;
      __carry = __carry >> 32;
    }
    while (__width_in_limbs && !__limbs[__width_in_limbs - 1]) __width_in_limbs--;
    if (__from_first && !__d.__count && !__carry) __d.__point--;
    else __d.__digits[__d.__count++] = __carry;
  }
  long __kept = __from_first ? __wanted + 1 : __d.__point + __wanted;
  if (__d.__count <= __kept) return __d;
  _Bool __rest = __width_in_limbs > 0;
  for (long __n = __kept + 1; __n < __d.__count; __n++) __rest = __rest || __d.__digits[__n];
  unsigned char __next = __d.__digits[__kept];
  __d.__count = __kept;
  if (__next < 5 || __next == 5 && !__rest && !(__d.__digits[__kept - 1] & 1)) return __d;
  long __last = __kept - 1;
  while (__last >= 0 && __d.__digits[__last] == 9) __d.__digits[__last--] = 0;
  if (__last >= 0) __d.__digits[__last]++;
  else {
    __d.__digits[0] = 1;
    __d.__digits[__kept] = 0;
    __d.__point++;
    if (!__from_first) __d.__count++;
  }
  return __d;
}
static inline size_t __put_float(char *__to, size_t __room, size_t __at, __float_bits __bits, char __how, long __width, long __precision, _Bool __left, _Bool __zeros, _Bool __marked, char __plus) {
  char __sign = __bits & __FLOAT_SIGN ? '-' : __plus, __lower = __how | 32;
  /* The sign of what is no number is not said anywhere. */
  if (__float_is_none(__bits)) __library_unknown();
  if (__float_is_infinite(__bits)) {
    __width -= __sign ? 4 : 3;
    if (!__left) __at = __put_many(__to, __room, __at, ' ', __width);
    if (__sign) __at = __put(__to, __room, __at, __sign);
    for (int __n = 0; __n < 3; __n++) __at = __put(__to, __room, __at, (__how == __lower ? "inf" : "INF")[__n]);
    return __left ? __put_many(__to, __room, __at, ' ', __width) : __at;
  }
  _Bool __general = __lower == 'g';
  if (__precision < 0) __precision = 6;
  if (__general && !__precision) __precision = 1;
  struct __decimal __d = __decimal_of(__bits & ~__FLOAT_SIGN, __precision - __general, __lower != 'f');
  long __exponent = __d.__point - 1, __after = __precision;
  _Bool __scientific = __lower == 'e' || __general && (__exponent < -4 || __exponent >= __precision);
  if (__general) {
    while (__d.__count > 1 && !__d.__digits[__d.__count - 1]) __d.__count--;
    __after = __marked ? __precision : __d.__count;
    __after -= __scientific ? 1 : __d.__point;
    if (__after < 0) __after = 0;
  }
  long __before = __scientific || __d.__point < 1 ? 1 : __d.__point;
  long __size = __exponent < 0 ? -__exponent : __exponent;
  _Bool __dot = __after || __marked;
  __width -= (__sign != 0) + __before + __dot + __after + (__scientific ? __size > 99 ? 5 : 4 : 0);
  if (!__left && !__zeros) __at = __put_many(__to, __room, __at, ' ', __width);
  if (__sign) __at = __put(__to, __room, __at, __sign);
  if (!__left && __zeros) __at = __put_many(__to, __room, __at, '0', __width);
  long __index = __scientific || __d.__point > 0 ? 0 : __d.__point - 1;
  for (long __n = 0; __n < __before + __after; __n++) {
    if (__n == __before) __at = __put(__to, __room, __at, '.');
    __at = __put(__to, __room, __at, '0' + (__index >= 0 && __index < __d.__count ? __d.__digits[__index] : 0));
    __index++;
  }
  if (__dot && !__after) __at = __put(__to, __room, __at, '.');
  if (__scientific) {
    __at = __put(__to, __room, __at, __how == __lower ? 'e' : 'E');
    __at = __put(__to, __room, __at, __exponent < 0 ? '-' : '+');
    if (__size > 99) __at = __put(__to, __room, __at, '0' + __size / 100);
    __at = __put(__to, __room, __at, '0' + __size / 10 % 10);
    __at = __put(__to, __room, __at, '0' + __size % 10);
  }
  return __left ? __put_many(__to, __room, __at, ' ', __width) : __at;
}
static inline int __written_vsnprintf(char *__to, size_t __room, const char *__f, va_list __list) {
  size_t __at = 0;
  for (; *__f; __f++) {
    if (*__f != '%') {
      __at = __put(__to, __room, __at, *__f);
      continue;
    }
    _Bool __left = 0, __zeros = 0, __marked = 0;
    char __plus = 0;
    for (__f++;; __f++) {
      if (*__f == '-') __left = 1;
      else if (*__f == '0') __zeros = 1;
      else if (*__f == '#') __marked = 1;
      else if (*__f == '+' || *__f == ' ' && !__plus) __plus = *__f;
      /* The locale "C" groups no digits. */
      else if (*__f != ' ' && *__f != '\'') break;
    }
    long __width = 0, __precision = -1, __length;
    if (*__f == '*') {
      __width = va_arg(__list, int);
      if (__width < 0) {
        __left = 1;
        __width = -__width;
      }
      __f++;
    } else
      while (*__f >= '0' && *__f <= '9') __width = __width * 10 + *__f++ - '0';
    if (*__f == '.') {
      __f++;
      __precision = 0;
      if (*__f == '*') {
        __precision = va_arg(__list, int);
        __f++;
      } else
        while (*__f >= '0' && *__f <= '9') __precision = __precision * 10 + *__f++ - '0';
    }
    int __longs = 0;
    for (;; __f++) {
      if (*__f == 'l') __longs++;
      else if (*__f == 'h') __longs--;
      else if (*__f == 'z' || *__f == 't') __longs = 1;
      else if (*__f == 'j') __longs = 2;
      else break;
    }
    if (*__f == '%') {
      __at = __put(__to, __room, __at, '%');
    } else if (*__f == 'c' || *__f == 'C') {
      int __c = va_arg(__list, int);
      if ((*__f == 'C' || __longs > 0) && (unsigned)__c > 127) __library_not_modelled("`%lc` writes a character beyond ASCII");
      if (!__left) __at = __put_many(__to, __room, __at, ' ', __width - 1);
      __at = __put(__to, __room, __at, __c);
      if (__left) __at = __put_many(__to, __room, __at, ' ', __width - 1);
    } else if (*__f == 's' && __longs <= 0 || *__f == 'm') {
      const char *__text = *__f == 'm' ? __text_of_error(__library_errno(__VERIFIER_nondet_library_bool() ? 84 : 0)) : va_arg(__list, const char *);
      for (__length = 0; (__precision < 0 || __length < __precision) && __text[__length];) __length++;
      if (!__left) __at = __put_many(__to, __room, __at, ' ', __width - __length);
      for (long __n = 0; __n < __length; __n++) __at = __put(__to, __room, __at, __text[__n]);
      if (__left) __at = __put_many(__to, __room, __at, ' ', __width - __length);
    } else if (*__f == 'd' || *__f == 'i' || *__f == 'u' || *__f == 'x' || *__f == 'X' || *__f == 'o' || *__f == 'b') {
      _Bool __with_sign = *__f == 'd' || *__f == 'i', __below = 0;
      unsigned __base = __with_sign || *__f == 'u' ? 10 : *__f == 'o' ? 8 : *__f == 'b' ? 2 : 16;
      unsigned long long __value;
      if (__longs > 1) __value = va_arg(__list, long long);
      else if (__longs == 1) __value = __with_sign ? (unsigned long long)va_arg(__list, long) : va_arg(__list, unsigned long);
      else {
        int __number = va_arg(__list, int);
        if (__longs == -1) __number = (short)__number;
        if (__longs < -1) __number = (signed char)__number;
        __value = __number;
        if (!__with_sign) __value = __longs == 0 ? (unsigned)__number : __longs == -1 ? (unsigned short)__number : (unsigned char)__number;
      }
      if (__with_sign && (long long)__value < 0) {
        __below = 1;
        __value = -__value;
      }
      unsigned long long __power = 1;
      for (__length = 1; __power <= __value / __base; __length++) __power *= __base;
      if (!__value && !__precision) __length = 0;
      long __before = __below || __with_sign && __plus ? 1 : __marked && (__base == 16 || __base == 2) && __value ? 2 : 0;
      long __fill = __precision >= 0 ? __precision - __length : __zeros && !__left ? __width - __length - __before : 0;
      if (__marked && __base == 8 && __fill <= 0 && (__value || !__length)) __fill = 1;
      if (__fill < 0) __fill = 0;
      __width -= __before + __fill + __length;
      if (!__left) __at = __put_many(__to, __room, __at, ' ', __width);
      if (__below) __at = __put(__to, __room, __at, '-');
      else if (__with_sign && __plus) __at = __put(__to, __room, __at, __plus);
      else if (__before == 2) __at = __put(__to, __room, __put(__to, __room, __at, '0'), *__f);
      __at = __put_many(__to, __room, __at, '0', __fill);
      for (; __length > 0; __length--) {
        unsigned __digit = __value / __power % __base;
        __at = __put(__to, __room, __at, __digit < 10 ? '0' + __digit : (*__f == 'X' ? 'A' : 'a') - 10 + __digit);
        __power /= __base;
      }
      if (__left) __at = __put_many(__to, __room, __at, ' ', __width);
    } else if (*__f >= 'e' && *__f <= 'g' || *__f >= 'E' && *__f <= 'G') {
      __float_bits __bits = __library_float_bits(va_arg(__list, double));
      __at = __put_float(__to, __room, __at, __bits, *__f, __width, __precision, __left, __zeros, __marked, __plus);
    } else if (*__f == 'n') {
      if (__longs > 1) *va_arg(__list, long long *) = __at;
      else if (__longs == 1) *va_arg(__list, long *) = __at;
      else if (__longs == -1) *va_arg(__list, short *) = __at;
      else if (__longs < -1) *va_arg(__list, signed char *) = __at;
      else *va_arg(__list, int *) = __at;
    } else if (*__f == 'p') {
      __library_not_modelled("a text is made here by `%p`, which is not computed");
    } else if (*__f == 'a' || *__f == 'A') {
      __library_not_modelled("a text is made here by `%a`, which is not computed");
    } else if (*__f == 's' || *__f == 'S') {
      __library_not_modelled("a text is made here by `%ls`, which is not computed");
    } else if (*__f == 'L') {
      __library_not_modelled("a text is made here of a `long double`, which is not computed");
    } else if (*__f == '$') {
      __library_not_modelled("a text is made here of arguments by their numbers (`%1$d`), which is not computed");
    } else
      __library_unknown();
  }
  if (__room) __to[__at < __room ? __at : __room - 1] = 0;
  return __at;
}
static inline int __written_vsprintf(char *__to, const char *__f, va_list __list) {
  return __written_vsnprintf(__to, (size_t)-1 >> 1, __f, __list);
}
/* What a format speaks of is read, and gone. How many characters that are is not computed. */
static inline int __written_vprintf(const char *__f, va_list __list) {
  for (; *__f; __f++) {
    if (*__f != '%') continue;
    for (__f++; *__f == '-' || *__f == '+' || *__f == ' ' || *__f == '#' || *__f == '\'' || *__f >= '0' && *__f <= '9'; __f++) {}
    long __most = -1;
    if (*__f == '*') {
      va_arg(__list, int);
      __f++;
    }
    if (*__f == '.') {
      __f++;
      __most = 0;
      if (*__f == '*') {
        __most = va_arg(__list, int);
        __f++;
      } else
        while (*__f >= '0' && *__f <= '9') __most = __most * 10 + *__f++ - '0';
    }
    int __longs = 0;
    for (;; __f++) {
      if (*__f == 'l' || *__f == 'q') __longs++;
      else if (*__f == 'z' || *__f == 't') __longs = 1;
      else if (*__f == 'j' || *__f == 'L') __longs = 2;
      else if (*__f != 'h') break;
    }
    char __how = *__f;
    if (__how == '%' || __how == 'm') continue;
    if (__how == 's' && !__longs) {
      const char *__text = va_arg(__list, const char *);
      if (__is_text_of_error(__text)) continue;
      for (long __n = 0; (__most < 0 || __n < __most) && __text[__n];) __n++;
    } else if (__how == 's' || __how == 'p')
      va_arg(__list, void *);
    else if (__how == 'd' || __how == 'i' || __how == 'u' || __how == 'x' || __how == 'X' || __how == 'o' || __how == 'c') {
      if (__longs > 1) va_arg(__list, long long);
      else if (__longs) va_arg(__list, long);
      else va_arg(__list, int);
    } else if (__how >= 'a' && __how <= 'g' || __how >= 'A' && __how <= 'G') {
      if (__longs > 1) va_arg(__list, long double);
      else va_arg(__list, double);
    } else
      __library_unknown();
  }
  return __VERIFIER_nondet_library_int();
}
void __library_no_file(void);
static inline int __written_vfprintf(void *__file, const char *__f, va_list __list) {
  if (!__file) __library_no_file();
  return __written_vprintf(__f, __list);
}
static inline int __written_vdprintf(int __file, const char *__f, va_list __list) { return __written_vprintf(__f, __list); }
static inline int __written_printf(const char *__f, ...) {
  va_list __list;
  va_start(__list, __f);
  return __written_vprintf(__f, __list);
}
static inline int __written_fprintf(void *__file, const char *__f, ...) {
  if (!__file) __library_no_file();
  va_list __list;
  va_start(__list, __f);
  return __written_vprintf(__f, __list);
}
static inline int __written_dprintf(int __file, const char *__f, ...) {
  va_list __list;
  va_start(__list, __f);
  return __written_vprintf(__f, __list);
}
/* A text that is only printed: nobody sees which one it is, so it is the empty one. */
static inline int __printed_vsnprintf(char *__to, size_t __room, const char *__f, va_list __list) {
  if (__room) *__to = 0;
  return __written_vprintf(__f, __list);
}
static inline int __written_snprintf(char *__to, size_t __room, const char *__f, ...) {
  va_list __list;
  va_start(__list, __f);
  return __written_vsnprintf(__to, __room, __f, __list);
}
static inline int __written_sprintf(char *__to, const char *__f, ...) {
  va_list __list;
  va_start(__list, __f);
  return __written_vsnprintf(__to, (size_t)-1 >> 1, __f, __list);
}
static inline int __written_vasprintf(char **__to, const char *__f, va_list __list) {
  extern void *malloc(size_t);
  va_list __again;
  va_copy(__again, __list);
  int __length = __written_vsnprintf(0, 0, __f, __again);
  *__to = malloc(__length + 1);
  return *__to ? __written_vsnprintf(*__to, __length + 1, __f, __list) : -1;
}
static inline int __written_asprintf(char **__to, const char *__f, ...) {
  va_list __list;
  va_start(__list, __f);
  return __written_vasprintf(__to, __f, __list);
}
static inline _Bool __is_space(char __c) { return __c == ' ' || __c >= '\t' && __c <= '\r'; }
static inline int __digit_of(char __c) {
  if (__c >= '0' && __c <= '9') return __c - '0';
  if (__c >= 'a' && __c <= 'z') return __c - 'a' + 10;
  return __c >= 'A' && __c <= 'Z' ? __c - 'A' + 10 : 36;
}
/* Whether a character is one of those between the brackets of a format. */
static inline _Bool __is_in(const char *__set, char __c) {
  _Bool __within = 0, __not = *__set == '^';
  if (__not) __set++;
  for (long __n = 0; __set[__n] && (__set[__n] != ']' || !__n); __n++) {
    char __from = __set[__n], __to = __from;
    /* As glibc has it, a range that goes down is no range: each of its characters stands for itself. */
    if (__set[__n + 1] == '-' && __set[__n + 2] != ']' && (unsigned char)__set[__n + 2] >= (unsigned char)__from) {
      __n += 2;
      __to = __set[__n];
    }
    if ((unsigned char)__from <= (unsigned char)__c && (unsigned char)__c <= (unsigned char)__to) __within = 1;
  }
  return __within != __not;
}
/* What stands between `%` and the letter of a conversion, where `large` is one more size; and an integer of that size in its place. */
#define __SCAN_BEGINS(large) \
    _Bool __skip = *__f == '*'; \
    if (__skip) __f++; \
    long __most = 0; \
    while (*__f >= '0' && *__f <= '9') __most = __most * 10 + *__f++ - '0'; \
    int __longs = 0; \
    for (;; __f++) { \
      if (*__f == 'l') __longs++; \
      else if (*__f == 'h') __longs--; \
      else if (*__f == 'z' || *__f == 't') __longs = 1; \
      else if (*__f == 'j' || *__f == large) __longs = 2; \
      else break; \
    } \
    char __how = *__f;
#define __SCAN_STORES(value) \
    if (__longs > 1) *va_arg(__list, unsigned long long *) = value; \
    else if (__longs == 1) *va_arg(__list, unsigned long *) = value; \
    else if (__longs == -1) *va_arg(__list, unsigned short *) = value; \
    else if (__longs < -1) *va_arg(__list, unsigned char *) = value; \
    else *va_arg(__list, unsigned *) = value;
static inline _Bool __is_of_fractions(char __how) {
  __how = __how | 32;
  return __how >= 'e' && __how <= 'g' || __how == 'a';
}
static inline int __written_vsscanf(const char *__s, const char *__f, va_list __list) {
  const char *__begin = __s;
  int __done = 0;
  for (; *__f; __f++) {
    if (__is_space(*__f)) {
      while (__is_space(*__s)) __s++;
      continue;
    }
    if (*__f != '%') {
      if (*__s != *__f) return *__s || __done ? __done : -1;
      __s++;
      continue;
    }
    __f++;
    __SCAN_BEGINS('j')
    if (__how != 'c' && __how != 'n' && __how != '[')
      while (__is_space(*__s)) __s++;
    if (__how == 'n') {
      if (__skip) continue;
      if (__longs > 1) *va_arg(__list, long long *) = __s - __begin;
      else if (__longs == 1) *va_arg(__list, long *) = __s - __begin;
      else if (__longs == -1) *va_arg(__list, short *) = __s - __begin;
      else if (__longs < -1) *va_arg(__list, signed char *) = __s - __begin;
      else *va_arg(__list, int *) = __s - __begin;
      continue;
    }
    if (!*__s) return __done ? __done : -1;
    if (__how == '%') {
      if (*__s != '%') return __done;
      __s++;
    } else if (__how == 's' || __how == 'c' || __how == '[') {
      const char *__set = __f + 1;
      if (__how == '[') {
        __f++;
        if (*__f == '^') __f++;
        for (__f++; *__f && *__f != ']';) __f++;
        if (!*__f) __library_unknown();
      }
      if (__longs) __library_unknown();
      if (__how == 'c' && !__most) __most = 1;
      char *__to = __skip ? 0 : va_arg(__list, char *);
      long __n = 0;
      for (; __s[__n] && (!__most || __n < __most); __n++) {
        if (__how == 's' && __is_space(__s[__n]) || __how == '[' && !__is_in(__set, __s[__n])) break;
        if (__to) __to[__n] = __s[__n];
      }
      __s = __s + __n;
      /* Libraries differ in what they make of too few characters, and of `0x` without a digit. */
      if (__how == 'c' && __n < __most) __library_unknown();
      if (!__n) return __done;
      if (__to && __how != 'c') __to[__n] = 0;
      if (__to) __done++;
    } else if (__is_of_fractions(__how) && !__most && *__f != 'L') {
      char *__past;
      union { __float_bits __bits; double __number; } __read = {__float_in_text(__s, &__past, !__longs)};
      if (__past == __s) return __done;
      /* Libraries differ in what they make of `1e`, `0x`, `infi`, where a part is no number. */
      char __next = *__past | 32;
      if (__next == 'e' || __next == 'p' || __next == 'i' || __next == 'x' && __past[-1] == '0') __library_unknown();
      __s = __past;
      if (__skip) continue;
      if (__longs) *va_arg(__list, double *) = __read.__number;
      else *va_arg(__list, float *) = (float)__read.__number;
      __done++;
    } else if (__how == 'd' || __how == 'i' || __how == 'u' || __how == 'x' || __how == 'X' || __how == 'o') {
      int __base = __how == 'd' || __how == 'u' ? 10 : __how == 'o' ? 8 : __how == 'i' ? 0 : 16;
      if (!__most) __most = 0x7fffffff;
      _Bool __below = *__s == '-', __some = 0, __hex = 0;
      if (*__s == '-' || *__s == '+') {
        __s++;
        __most--;
      }
      if ((__base == 0 || __base == 16) && *__s == '0' && __most > 0) {
        __some = 1;
        __s++;
        __most--;
        if ((*__s == 'x' || *__s == 'X') && __most > 0) {
          __base = 16;
          __some = 0;
          __hex = 1;
          __s++;
          __most--;
        } else if (__base == 0)
          __base = 8;
      }
      if (__base == 0) __base = 10;
      unsigned long long __value = 0;
      /* A number beyond 64 bits is the nearest one, as `strtol` says. */
      unsigned long long __limit = __how != 'd' && __how != 'i' ? -1ULL : (1ULL << 63) - !__below;
      for (; __most > 0 && __digit_of(*__s) < __base; __s++, __most--) {
        _Bool __fits = __value <= (__limit - __digit_of(*__s)) / __base;
        __value = __fits ? __value * __base + __digit_of(*__s) : __limit;
        __some = 1;
      }
      if (!__some && __hex) __library_unknown();
      if (!__some) return __done;
      if (__below) __value = -__value;
      if (!__skip) {
        __SCAN_STORES(__value)
        __done++;
      }
    } else
      __library_unknown();
  }
  return __done;
}
char __VERIFIER_nondet_library_char(void);
_Bool __VERIFIER_nondet_library_bool(void);
long long __VERIFIER_nondet_library_longlong(void);
double __VERIFIER_nondet_library_double(void);
/* Of a file any text is read that fits the format, or its beginning. No zeros are read as parts of words. */
static inline int __any_scanned(const char *__f, va_list __list) {
  int __done = 0;
  /* Whether it may end between the last conversion and here. */
  _Bool __ends = 0;
  for (; *__f; __f++) {
    if (*__f != '%') {
      if (!__is_space(*__f)) __ends = 1;
      continue;
    }
    __f++;
    __SCAN_BEGINS('L')
    const char *__set = __f + 1;
    if (__how == '[') {
      __f++;
      if (*__f == '^') __f++;
      for (__f++; *__f && *__f != ']';) __f++;
    }
    if (!*__f) __library_unknown();
    if (__how == '%' || __skip) {
      if (__how != 'n') __ends = 1;
      continue;
    }
    if ((__how != 'n' || __ends) && __VERIFIER_nondet_library_bool()) return __done ? __done : -__VERIFIER_nondet_library_bool();
    __ends = 0;
    long long __value = __VERIFIER_nondet_library_longlong();
    if (__how == 'n') __value = __value & 0x7fffffff;
    if (__how == 's' || __how == 'c' || __how == '[') {
      if (__longs) __library_unknown();
      if (__how == 'c' && !__most) __most = 1;
      char *__to = va_arg(__list, char *);
      long __n = 0;
      for (; !__most || __n < __most; __n++) {
        char __c = __VERIFIER_nondet_library_char();
        if (__how != 'c' && !__c || __how == 's' && __is_space(__c) || __how == '[' && !__is_in(__set, __c)) break;
        __to[__n] = __c;
      }
      if (!__n) return __done;
      if (__how != 'c') __to[__n] = 0;
    } else if (__how == 'n' || __how == 'd' || __how == 'i' || __how == 'u' || __how == 'x' || __how == 'X' || __how == 'o') {
      __SCAN_STORES(__value)
    } else if (__how >= 'e' && __how <= 'g' || __how >= 'E' && __how <= 'G' || __how == 'a' || __how == 'A') {
      if (__longs > 1) *va_arg(__list, long double *) = __VERIFIER_nondet_library_double();
      else if (__longs) *va_arg(__list, double *) = __VERIFIER_nondet_library_double();
      else *va_arg(__list, float *) = __VERIFIER_nondet_library_double();
    } else
      __library_unknown();
    if (__how != 'n') __done++;
  }
  return __done;
}
static inline int __written_vfscanf(void *__file, const char *__f, va_list __list) {
  if (!__file) __library_no_file();
  __before_reading(__file);
  return __any_scanned(__f, __list);
}
static inline int __written_vscanf(const char *__f, va_list __list) {
  __before_reading(stdin);
  return __any_scanned(__f, __list);
}
static inline int __written_scanf(const char *__f, ...) {
  va_list __list;
  va_start(__list, __f);
  __before_reading(stdin);
  return __any_scanned(__f, __list);
}
static inline int __written_fscanf(void *__file, const char *__f, ...) {
  if (!__file) __library_no_file();
  __before_reading(__file);
  va_list __list;
  va_start(__list, __f);
  return __any_scanned(__f, __list);
}
static inline int __written_sscanf(const char *__s, const char *__f, ...) {
  va_list __list;
  va_start(__list, __f);
  return __written_vsscanf(__s, __f, __list);
}
#undef __SCAN_BEGINS
#undef __SCAN_STORES
#endif
