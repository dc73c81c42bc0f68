/* Linux sys/epoll.h */
#ifndef _SYS_EPOLL_H
#define _SYS_EPOLL_H
#include <stdint.h>
#include <__system.h>
#include <sys/types.h>
int __pipe_else(int);
int usleep(useconds_t);
typedef union epoll_data { void *ptr; int fd; uint32_t u32; uint64_t u64; } epoll_data_t;
struct epoll_event { uint32_t events; epoll_data_t data; };
#define EPOLLIN 1
#define EPOLLPRI 2
#define EPOLLOUT 4
#define EPOLLERR 8
#define EPOLLHUP 16
#define EPOLLRDHUP 0x2000
#define EPOLLONESHOT (1u << 30)
#define EPOLLET (1u << 31)
#define EPOLL_CLOEXEC 02000000
#define EPOLL_CTL_ADD 1
#define EPOLL_CTL_DEL 2
#define EPOLL_CTL_MOD 3
/* What each `epoll` waits for. Any file may be ready for any part of what is asked, or in trouble. */
struct __watched_file { struct epoll_event __event; int __by, __file; _Bool __is_asked; };
struct __watched_file __watched_files[16];
int __watched;
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static inline int epoll_create1(int __how) { return __VERIFIER_nondet_library_bool() ? __fails() : __number_of_a_file(); }
static inline int epoll_create(int __size) { return epoll_create1(0); }
static inline int epoll_ctl(int __by, int __what, int __file, struct epoll_event *__event) {
  if (__is_no_file(__by) || __is_no_file(__file)) return -1;
  if (__counter_known(__file) != 1) __pipe_else(__file);
  else if (__what != EPOLL_CTL_DEL && __event->events & (EPOLLONESHOT | EPOLLET))
    __library_not_modelled("`EPOLLET` and `EPOLLONESHOT` for an `eventfd` or a timer");
  if (__what == EPOLL_CTL_ADD && __VERIFIER_nondet_library_bool()) return __fails();
  struct epoll_event __new;
  if (__what != EPOLL_CTL_DEL) __new = *__event;
  __VERIFIER_atomic_begin();
  int __at = 0;
  while (__at < __watched && (__watched_files[__at].__by != __by || __watched_files[__at].__file != __file)) __at++;
  _Bool __is_there = __at < __watched, __fits = __is_there || __watched < 16;
  if (__what == EPOLL_CTL_DEL) {
    if (__is_there) __watched_files[__at] = __watched_files[--__watched];
  } else if (__fits && __is_there == (__what == EPOLL_CTL_MOD)) {
    __watched_files[__at].__event = __new;
    __watched_files[__at].__by = __by;
    __watched_files[__at].__file = __file;
    __watched_files[__at].__is_asked = 1;
    if (!__is_there) __watched++;
  }
  __VERIFIER_atomic_end();
  if (!__fits) __library_not_modelled("`epoll` of more than 16 files");
  if (__is_there == (__what == EPOLL_CTL_ADD)) return __fails_by(__is_there ? 17 : 2);
  return 0;
}
static inline void __written___watched_no_more(int __file) {
  __VERIFIER_atomic_begin();
  for (int __at = __watched - 1; __at >= 0; __at--)
    if (__watched_files[__at].__file == __file) __watched_files[__at] = __watched_files[--__watched];
  __VERIFIER_atomic_end();
}
static inline int epoll_wait(int __by, struct epoll_event *__to, int __most, int __time) {
  struct epoll_event __last, __event;
  int __ready = 0;
  _Bool __asked = 0, __count = 0;
  if (__is_no_file(__by)) return -1;
  if (__most <= 0) return __fails_by(22);
  usleep(1);
  if (__VERIFIER_nondet_library_bool()) return __fails();
  for (int __turn = 0;; __turn++) {
    int __all = __atomic_load_n(&__watched, 5);
    for (int __n = 0; __n < __all && __ready < __most; __n++) {
      unsigned __now = 0;
      int __counts = -1;
      __VERIFIER_atomic_begin();
      if (__n < __watched && __watched_files[__n].__by == __by && __watched_files[__n].__is_asked) {
        __event = __watched_files[__n].__event;
        if (__counter_known(__watched_files[__n].__file) == 1) {
          __counts = __watched_files[__n].__file;
        } else {
          __asked = 1;
          __last = __event;
          unsigned __bits = __event.events & 0xffff | EPOLLERR | EPOLLHUP;
          for (unsigned __bit = 1; __bit <= __bits; __bit *= 2)
            if (__bits & __bit && __VERIFIER_nondet_library_bool()) __now |= __bit;
          if (__now && __event.events & EPOLLONESHOT) __watched_files[__n].__is_asked = 0;
        }
      }
      __VERIFIER_atomic_end();
      if (__counts >= 0) {
        __count = 1;
        __now = __counter_polled(__counts, __turn) & __event.events;
      }
      if (__now) {
        __event.events = __now;
        __to[__ready++] = __event;
      }
    }
    if (__ready || __time >= 0) return __ready;
    if (__asked || !__count) break;
    if (__turn) __library_not_modelled("`epoll_wait` without a limit of time where other files that count are ready, or none is any more");
    __counter_awaited();
  }
  /* It does not end before one is ready. */
  if (!__asked) __library_not_modelled("`epoll_wait` without files and without a limit of time waits for ever");
  __last.events = EPOLLHUP;
  *__to = __last;
  return 1;
}
#endif
