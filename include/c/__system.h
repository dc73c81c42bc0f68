/* Calls of the operating system, which may fail. What they read is any. */
#ifndef __SYSTEM_H
#define __SYSTEM_H
#include <stddef.h>
void __library_failed(int);
unsigned char __VERIFIER_nondet_library_uchar(void);
_Bool __VERIFIER_nondet_library_bool(void);
char __VERIFIER_nondet_library_char(void);
int __VERIFIER_nondet_library_int(void);
/* For any reason. */
static inline int __fails(void) {
  __library_failed(1 + (__VERIFIER_nondet_library_uchar() & 127));
  return -1;
}
static inline int __fails_or_is_done(void) { return __VERIFIER_nondet_library_bool() ? __fails() : 0; }
void __library_not_modelled(const char *);
/* Sockets and their like have numbers of their own. */
int __files_open;
static inline int __number_of_a_file(void) {
  int __number = __atomic_fetch_add(&__files_open, 1, 5);
  if (__number == 28) __library_not_modelled("a program that opens more than 28 sockets and other files");
  return 4 + __number;
}
static inline long __any_bytes(void *__to, size_t __size) {
  long __all = __VERIFIER_nondet_library_int();
  if (__all < 0 || __all > __size) return __fails();
  char *__bytes = __to;
  for (long __n = 0; __n < __all; __n++) __bytes[__n] = __VERIFIER_nondet_library_char();
  return __all;
}
#endif
