/* Files that count: `eventfd`, and `timerfd`, whose expirations come at any time. Their numbers are above those of pipes. */
#ifndef __COUNTERS_H
#define __COUNTERS_H
#include <__pipes.h>
#define __FIRST_COUNTER 64
#define __MOST_COUNTERS 4
#define __COUNTER_ENDS 0xffffffffffffffffull
int __VERIFIER_load_await_int(int *, unsigned, int);
/* `__ready` is 1 while `__count` is not 0. The count of a timer is 1 where it is set, and 2 where something has told that it is over. */
struct __counter { unsigned long long __count; int __ready; _Bool __open, __never_waits, __one_by_one, __is_timer, __repeats; };
struct __counter __counters[__MOST_COUNTERS];
int __counters_made, __counters_ready;
static inline _Bool __is_counter(int __file) {
  return __file >= __FIRST_COUNTER && __file < __FIRST_COUNTER + __atomic_load_n(&__counters_made, 5);
}
static inline struct __counter *__its_counter(int __file) { return &__counters[__file - __FIRST_COUNTER]; }
/* Sets a count, within a section. */
static inline void __count_is(struct __counter *__c, unsigned long long __now) {
  _Bool __was = __c->__count != 0, __is = __now != 0;
  __c->__count = __now;
  if (__was == __is) return;
  __atomic_exchange_n(&__c->__ready, __is, 5);
  __atomic_fetch_add(&__counters_ready, __is ? 1 : -1, 5);
}
static inline int __make_counter(unsigned __first, int __how, _Bool __is_timer) {
  if (__how & ~02004001) return __fails_by(22);
  if (__VERIFIER_nondet_library_bool()) return __fails();
  __VERIFIER_atomic_begin();
  int __which = __counters_made;
  if (__which < __MOST_COUNTERS) {
    struct __counter *__c = &__counters[__which];
    __c->__open = 1;
    __c->__never_waits = (__how & __NEVER_WAITS) != 0;
    __c->__one_by_one = __how & 1;
    __c->__is_timer = __is_timer;
    __count_is(__c, __first);
    __atomic_exchange_n(&__counters_made, __which + 1, 5);
  }
  __VERIFIER_atomic_end();
  if (__which == __MOST_COUNTERS) __library_not_modelled("a program with more than 4 files of `eventfd` and `timerfd_create`");
  return __FIRST_COUNTER + __which;
}
/* How often a timer was over, within a section; 0 if it was not. */
static inline unsigned long long __expirations(struct __counter *__c) {
  if (__c->__count == 1 && __c->__never_waits && __VERIFIER_nondet_library_bool()) return 0;
  __count_is(__c, __c->__repeats);
  return __c->__repeats ? 1ull + (unsigned)__VERIFIER_nondet_library_int() : 1;
}
/* What a read takes. */
static inline unsigned long long __take_count(struct __counter *__c) {
  unsigned long long __taken = 0;
  __VERIFIER_atomic_begin();
  if (__c->__count) {
    if (__c->__is_timer) __taken = __expirations(__c);
    else {
      __taken = __c->__one_by_one ? 1 : __c->__count;
      __count_is(__c, __c->__count - __taken);
    }
  }
  __VERIFIER_atomic_end();
  return __taken;
}
#define number_of_a_file_that_counts(__c) __VERIFIER_load_await_int(&__c->__ready, 2, 1)
#define any_file_that_counts __VERIFIER_load_await_int(&__counters_ready, 1, 0)
static inline long __written___counter_read(int __file, void *__to, size_t __size) {
  if (!__is_counter(__file)) return __NO_PIPE;
  struct __counter *__c = __its_counter(__file);
  unsigned long long __taken = 0;
  if (!__c->__open) return __fails_by(9);
  if (__size < 8) return __fails_by(22);
  while (!__taken) {
    _Bool __waits = !__c->__never_waits;
    if (__waits) number_of_a_file_that_counts(__c);
    __taken = __take_count(__c);
    if (!__taken && !__waits) return __fails_by(11);
  }
  memcpy(__to, &__taken, 8);
  return 8;
}
static inline long __written___counter_write(int __file, const void *__from, size_t __size) {
  if (!__is_counter(__file)) return __NO_PIPE;
  struct __counter *__c = __its_counter(__file);
  unsigned long long __given;
  if (!__c->__open) return __fails_by(9);
  if (__size < 8 || __c->__is_timer) return __fails_by(22);
  memcpy(&__given, __from, 8);
  if (__given == __COUNTER_ENDS) return __fails_by(22);
  __VERIFIER_atomic_begin();
  _Bool __fits = __given < __COUNTER_ENDS - __c->__count;
  if (__fits) __count_is(__c, __c->__count + __given);
  __VERIFIER_atomic_end();
  if (__fits) return 8;
  if (!__c->__never_waits) __library_not_modelled("a write to an `eventfd` that waits");
  return __fails_by(11);
}
static inline int __written___counter_close(int __file) {
  if (!__is_counter(__file)) return __NO_PIPE;
  struct __counter *__c = __its_counter(__file);
  if (!__c->__open) return __fails_by(9);
  __VERIFIER_atomic_begin();
  __c->__open = 0;
  __count_is(__c, 0);
  __VERIFIER_atomic_end();
  return 0;
}
static inline int __written___counter_flags(int __file, int __what, int __flags) {
  if (!__is_counter(__file)) return __NO_PIPE;
  struct __counter *__c = __its_counter(__file);
  switch (__what) {
  case __GETFD: case __SETFD: return 0;
  case __GETFL: return 2 | (__c->__never_waits ? __NEVER_WAITS : 0);
  case __SETFL: __c->__never_waits = (__flags & __NEVER_WAITS) != 0; return 0;
  }
  __library_not_modelled("this use of `fcntl` for an `eventfd` or a timer");
  return 0;
}
/* Whether a file is one that counts. */
static inline int __written___counter_known(int __file) { return __is_counter(__file) ? 1 : __NO_PIPE; }
/* What such a file is ready for, as `poll` says it. A timer that is set may be over; with `__must`, it is. */
static inline int __written___counter_polled(int __file, _Bool __must) {
  if (!__is_counter(__file)) return __NO_PIPE;
  struct __counter *__c = __its_counter(__file);
  int __now = 32;
  __VERIFIER_atomic_begin();
  if (__c->__open && __c->__is_timer) {
    if (__c->__count == 1 && (__must || __VERIFIER_nondet_library_bool())) __c->__count = 2;
    __now = __c->__count == 2;
  } else if (__c->__open) {
    __now = (__c->__count != 0) + 4 * (__c->__count < __COUNTER_ENDS - 1);
  }
  __VERIFIER_atomic_end();
  return __now;
}
/* Waits until some file that counts may be read. */
static inline int __written___counter_awaited(void) { return any_file_that_counts; }
#undef number_of_a_file_that_counts
#undef any_file_that_counts
#endif
