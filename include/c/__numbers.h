/* Numbers that are read from texts. */
#ifndef ___NUMBERS_H
#define ___NUMBERS_H
static inline int __digit(char __c) {
  if (__c >= '0' && __c <= '9') return __c - '0';
  if (__c >= 'a' && __c <= 'z') return __c - 'a' + 10;
  if (__c >= 'A' && __c <= 'Z') return __c - 'A' + 10;
  return 36;
}
/* Notes in `errno` why a call failed. */
void __library_failed(int);
/* `__most` is the largest number there is, and `__least` what the least one is without its sign. */
static inline unsigned long long __number_in_text(const char *__s, char **__end, int __base, unsigned long long __most, unsigned long long __least) {
  const char *__begin = __s;
  unsigned long long __number = 0;
  if (__base < 0 || __base == 1 || __base > 36) {
    if (__end) *__end = (char *)__begin;
    __library_failed(22);
    return 0;
  }
  while (*__s == ' ' || *__s >= '\t' && *__s <= '\r') __s++;
  int __below = *__s == '-';
  if (*__s == '-' || *__s == '+') __s++;
  if ((__base == 0 || __base == 16) && *__s == '0') {
    int __hex = (__s[1] == 'x' || __s[1] == 'X') && __digit(__s[2]) < 16;
    if (__base == 0) __base = __hex ? 16 : 8;
    if (__hex) __s += 2;
  }
  if (__base == 0) __base = 10;
  unsigned long long __limit = __below ? __least : __most;
  int __digits = 0, __beyond = 0;
  for (;; __s++) {
    int __value = __digit(*__s);
    if (__value >= __base) break;
    if (__number > (__limit - __value) / __base) __beyond = 1;
    __number = __number * __base + __value;
    __digits = 1;
  }
  if (__end) *__end = (char *)(__digits ? __s : __begin);
  if (__beyond) {
    __library_failed(34);
    return __below && __least != __most ? -__least : __most;
  }
  return __below ? -__number : __number;
}
long strtol(const char *, char **, int);
long long strtoll(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
unsigned long long strtoull(const char *, char **, int);
#endif
