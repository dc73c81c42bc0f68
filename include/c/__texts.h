/* Texts that are made and read by formats, where the format or the list of arguments is only known when the program runs.
   Numbers that are not integers are not computed. */
#ifndef ___TEXTS_H
#define ___TEXTS_H
#include <stddef.h>
#include <stdarg.h>
void __library_unknown(void);
int __VERIFIER_nondet_library_int(void);
static inline size_t __put(char *__to, size_t __room, size_t __at, char __c) {
  if (__at + 1 < __room) __to[__at] = __c;
  return __at + 1;
}
static inline size_t __put_many(char *__to, size_t __room, size_t __at, char __c, long __n) {
  for (; __n > 0; __n--) __at = __put(__to, __room, __at, __c);
  return __at;
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
      else if (*__f != ' ') break;
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
    } else if (*__f == 'c') {
      char __c = va_arg(__list, int);
      if (!__left) __at = __put_many(__to, __room, __at, ' ', __width - 1);
      __at = __put(__to, __room, __at, __c);
      if (__left) __at = __put_many(__to, __room, __at, ' ', __width - 1);
    } else if (*__f == 's') {
      const char *__text = va_arg(__list, const char *);
      for (__length = 0; (__precision < 0 || __length < __precision) && __text[__length];) __length++;
      if (!__left) __at = __put_many(__to, __room, __at, ' ', __width - __length);
      for (long __n = 0; __n < __length; __n++) __at = __put(__to, __room, __at, __text[__n]);
      if (__left) __at = __put_many(__to, __room, __at, ' ', __width - __length);
    } else if (*__f == 'd' || *__f == 'i' || *__f == 'u' || *__f == 'x' || *__f == 'X' || *__f == 'o') {
      _Bool __with_sign = *__f == 'd' || *__f == 'i', __below = 0;
      unsigned __base = __with_sign || *__f == 'u' ? 10 : *__f == 'o' ? 8 : 16;
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
      long __before = __below || __with_sign && __plus ? 1 : __marked && __base == 16 && __value ? 2 : 0;
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
    } else if (*__f == 'n') {
      if (__longs > 1) *va_arg(__list, long long *) = __at;
      else if (__longs == 1) *va_arg(__list, long *) = __at;
      else if (__longs == -1) *va_arg(__list, short *) = __at;
      else if (__longs < -1) *va_arg(__list, signed char *) = __at;
      else *va_arg(__list, int *) = __at;
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
  _Bool __in = 0, __not = *__set == '^';
  if (__not) __set++;
  for (long __n = 0; __set[__n] && (__set[__n] != ']' || !__n); __n++) {
    char __from = __set[__n], __to = __from;
    if (__set[__n + 1] == '-' && __set[__n + 2] && __set[__n + 2] != ']') {
      __n += 2;
      __to = __set[__n];
    }
    if ((unsigned char)__from <= (unsigned char)__c && (unsigned char)__c <= (unsigned char)__to) __in = 1;
  }
  return __in != __not;
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
    _Bool __skip = *__f == '*';
    if (__skip) __f++;
    long __most = 0;
    while (*__f >= '0' && *__f <= '9') __most = __most * 10 + *__f++ - '0';
    int __longs = 0;
    for (;; __f++) {
      if (*__f == 'l') __longs++;
      else if (*__f == 'h') __longs--;
      else if (*__f == 'z' || *__f == 't') __longs = 1;
      else if (*__f == 'j') __longs = 2;
      else break;
    }
    char __how = *__f;
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
      for (; __most > 0 && __digit_of(*__s) < __base; __s++, __most--) {
        __value = __value * __base + __digit_of(*__s);
        __some = 1;
      }
      if (!__some && __hex) __library_unknown();
      if (!__some) return __done;
      if (__below) __value = -__value;
      if (!__skip) {
        if (__longs > 1) *va_arg(__list, unsigned long long *) = __value;
        else if (__longs == 1) *va_arg(__list, unsigned long *) = __value;
        else if (__longs == -1) *va_arg(__list, unsigned short *) = __value;
        else if (__longs < -1) *va_arg(__list, unsigned char *) = __value;
        else *va_arg(__list, unsigned *) = __value;
        __done++;
      }
    } else
      __library_unknown();
  }
  return __done;
}
static inline int __written_sscanf(const char *__s, const char *__f, ...) {
  va_list __list;
  va_start(__list, __f);
  return __written_vsscanf(__s, __f, __list);
}
#endif
