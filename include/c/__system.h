/* Calls of the operating system, which may fail. What they read is any. */
#ifndef __SYSTEM_H
#define __SYSTEM_H
#include <stddef.h>
void __library_failed(int);
unsigned char __VERIFIER_nondet_library_uchar(void);
_Bool __VERIFIER_nondet_library_bool(void);
char __VERIFIER_nondet_library_char(void);
int __VERIFIER_nondet_library_int(void);
long __VERIFIER_nondet_library_long(void);
/* Numbers below 0 are no files. */
static inline _Bool __is_no_file(int __file) {
  if (__file < 0) __library_failed(9);
  return __file < 0;
}
static inline int __fails_by(int __error) {
  __library_failed(__error);
  return -1;
}
/* For any reason. */
static inline int __fails(void) {
  __library_failed(1 + (__VERIFIER_nondet_library_uchar() & 127));
  return -1;
}
static inline int __fails_or_is_done(void) { return __VERIFIER_nondet_library_bool() ? __fails() : 0; }
static inline int __is_done_with(int __file) { return __is_no_file(__file) ? -1 : __fails_or_is_done(); }
/* On a file with a name. */
void __library_reads(const char *);
static inline int __is_done_to(const char *__name) {
  __library_reads(__name);
  return __fails_or_is_done();
}
void __library_not_modelled(const char *);
/* What a file that counts is ready for; -2 for any other file, and in a program without such files. */
int __counter_known(int);
int __counter_polled(int, _Bool);
int __counter_awaited(void);
/* A verdict says this, where it is called. */
static inline void __no_signal_comes(void) {}
/* Sockets and their like have numbers of their own. */
int __files_open;
static inline int __number_of_a_file(void) {
  int __number = __atomic_fetch_add(&__files_open, 1, 5);
  if (__number == 28) __library_not_modelled("a program that opens more than 28 sockets and other files");
  return 4 + __number;
}
#define __any_chars(to, size) for (size_t __n = 0; __n < (size); __n++) (to)[__n] = __VERIFIER_nondet_library_char()
/* Any text that fits. There is room for its end. */
#define __any_text(to, room) do { __any_chars(to, (room) - 1); (to)[(room) - 1] = 0; } while (0)
static inline long __any_bytes(void *__to, size_t __size) {
  long __all = __VERIFIER_nondet_library_int();
  if (__all < 0 || __all > __size) return __fails();
  char *__bytes = __to;
  __any_chars(__bytes, __all);
  return __all;
}
void __library_reads_bytes(const void *, size_t);
static inline long __is_sent(const void *__from, size_t __size) {
  __library_reads_bytes(__from, __size);
  long __all = __VERIFIER_nondet_library_long();
  return __all < 0 || __all > __size ? __fails() : __all;
}
#endif
