/* Linux sys/timerfd.h */
#ifndef _SYS_TIMERFD_H
#define _SYS_TIMERFD_H
#include <time.h>
#include <__counters.h>
#define TFD_TIMER_ABSTIME 1
#define TFD_TIMER_CANCEL_ON_SET 2
#define TFD_NONBLOCK 04000
#define TFD_CLOEXEC 02000000
static inline int timerfd_create(int __clock, int __how) {
  if (__how & 1) return __fails_by(22);
  return __make_counter(0, __how, 1);
}
/* Any time that may be left. */
static inline int timerfd_gettime(int __file, struct itimerspec *__to) {
  if (__is_no_file(__file)) return -1;
  if (!__is_counter(__file) || !__its_counter(__file)->__is_timer) return __fails_by(22);
  if (!__its_counter(__file)->__open) return __fails_by(9);
  unsigned __some[4];
  for (int __n = 0; __n < 4; __n++) __some[__n] = (unsigned)__VERIFIER_nondet_library_int() % 1000000000;
  __VERIFIER_atomic_begin();
  _Bool __set = __its_counter(__file)->__count != 0, __again = __set && __its_counter(__file)->__repeats;
  __VERIFIER_atomic_end();
  *__to = (struct itimerspec){{__again * __some[0], __again * __some[1]}, {__set * __some[2], __set * __some[3]}};
  return 0;
}
static inline int timerfd_settime(int __file, int __how, const struct itimerspec *__new, struct itimerspec *__old) {
  struct itimerspec __given = *__new;
  if (__is_no_file(__file)) return -1;
  if (!__is_counter(__file) || !__its_counter(__file)->__is_timer || __how & ~3) return __fails_by(22);
  if (!__its_counter(__file)->__open) return __fails_by(9);
  if (__given.it_value.tv_sec < 0 || (unsigned long)__given.it_value.tv_nsec > 999999999) return __fails_by(22);
  if (__given.it_interval.tv_sec < 0 || (unsigned long)__given.it_interval.tv_nsec > 999999999) return __fails_by(22);
  if (__how & 2) __library_not_modelled("a timer that ends where the clock is set");
  if (__old) timerfd_gettime(__file, __old);
  __VERIFIER_atomic_begin();
  __its_counter(__file)->__repeats = __given.it_interval.tv_sec || __given.it_interval.tv_nsec;
  __count_is(__its_counter(__file), __given.it_value.tv_sec || __given.it_value.tv_nsec);
  __VERIFIER_atomic_end();
  return 0;
}
#endif
