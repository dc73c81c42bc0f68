/* Calls of Linux by their numbers: `syscall(n, ...)` calls `__syscall_n` with the other arguments, and with zeros for those that are missing. */
#ifndef _SYS_SYSCALL_H
#define _SYS_SYSCALL_H
#include <sys/types.h>
#define __NR_sched_yield 24
#define __NR_getpid 39
#define __NR_gettid 186
#define __NR_futex 202
#define __NR_membarrier 324
#define SYS_sched_yield __NR_sched_yield
#define SYS_getpid __NR_getpid
#define SYS_gettid __NR_gettid
#define SYS_futex __NR_futex
#define SYS_membarrier __NR_membarrier
int sched_yield(void);
pid_t gettid(void);
pid_t getpid(void);
static inline long __syscall_24(void) { return sched_yield(); }
static inline long __syscall_39(void) { return getpid(); }
static inline long __syscall_186(void) { return gettid(); }
static inline long __syscall_324(int __command, unsigned __flags, int __cpu) {
  __atomic_thread_fence(5);
  return 0;
}
/* Notes in `errno` why a call failed. */
void __library_failed(int);
void __library_not_modelled(const char *);
_Bool __VERIFIER_nondet_library_bool(void);
unsigned __number_of_thread(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
unsigned long __VERIFIER_load_await_word(unsigned long *, unsigned, unsigned long);
/* By the number of a thread: where it waits. Nobody wakes without a call; which of those that wait is woken is open. */
#define __FUTEX_THREADS 16
unsigned long __futexes[__FUTEX_THREADS];
static inline long __futex_wait(unsigned *__at, unsigned __value, int __timed) {
  unsigned long *__own = &__futexes[__number_of_thread()];
  int __waits = 0;
  __VERIFIER_atomic_begin();
  if (__atomic_load_n(__at, 5) == __value) {
    __atomic_store_n(__own, (unsigned long)__at, 5);
    __waits = 1;
  }
  __VERIFIER_atomic_end();
  if (!__waits) {
    __library_failed(11);
    return -1;
  }
  if (!__timed) {
    __VERIFIER_load_await_word(__own, 2, 0);
    return 0;
  }
  if (__atomic_exchange_n(__own, 0, 5)) {
    __library_failed(110);
    return -1;
  }
  return 0;
}
static inline long __futex_wake(unsigned *__at, int __most) {
  int __left = 0, __woken = 0;
  __VERIFIER_atomic_begin();
  for (unsigned __n = 0; __n < __FUTEX_THREADS; __n++)
    if (__atomic_load_n(&__futexes[__n], 5) == (unsigned long)__at) __left++;
  for (unsigned __n = 0; __n < __FUTEX_THREADS && __left && __woken < __most; __n++)
    if (__atomic_load_n(&__futexes[__n], 5) == (unsigned long)__at) {
      _Bool __this = __left <= __most - __woken;
      if (!__this) __this = __VERIFIER_nondet_library_bool();
      if (__this) {
        __atomic_store_n(&__futexes[__n], 0, 5);
        __woken++;
      }
      __left--;
    }
  __VERIFIER_atomic_end();
  return __woken;
}
static inline long __syscall_202(void *__at, int __what, unsigned __value, const void *__time, void *__other, unsigned __more) {
  __what = __what & 127;
  if (__what == 0 || __what == 9) return __futex_wait(__at, __value, __time != 0);
  if (__what == 1 || __what == 10) return __futex_wake(__at, __value);
  __library_not_modelled("this operation of a futex is not modelled (those that are: WAIT and WAKE)");
  return -1;
}
#endif
