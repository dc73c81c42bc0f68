/* Pipes, for programs that call `pipe`: bytes from one thread to another. Their numbers are above those of all other files. */
#ifndef __PIPES_H
#define __PIPES_H
#include <__system.h>
#define __FIRST_PIPE 32
#define __MOST_PIPES 4
#define __MOST_IN_PIPE 128
#define __NO_PIPE -2
/* As in <fcntl.h>, which a program need not include. */
enum { __GETFD = 1, __SETFD, __GETFL, __SETFL };
#define __NEVER_WAITS 04000
void *memcpy(void *, const void *, size_t);
int __VERIFIER_xchg_await_int(int *, int, unsigned, int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
/* `__ready` is 1 while a reader need not wait: there are bytes, or there is no writer any more. The ends are the reader's and the writer's. */
struct __pipe { char __bytes[__MOST_IN_PIPE]; int __first, __count, __ready; struct { _Bool __open, __never_waits; } __ends[2]; };
struct __pipe __pipes[__MOST_PIPES];
int __pipes_made;
static inline int __make_pipe(int *__two, _Bool __never_waits) {
  __VERIFIER_atomic_begin();
  int __which = __pipes_made;
  if (__which < __MOST_PIPES) {
    __pipes_made++;
    for (int __end = 0; __end < 2; __end++) {
      __pipes[__which].__ends[__end].__open = 1;
      __pipes[__which].__ends[__end].__never_waits = __never_waits;
    }
  }
  __VERIFIER_atomic_end();
  if (__which == __MOST_PIPES) __library_not_modelled("a program with more than 4 pipes");
  __two[0] = __FIRST_PIPE + 2 * __which;
  __two[1] = __two[0] + 1;
  return 0;
}
/* A program without pipes runs nothing where these are called, and gets `__NO_PIPE`. */
long __pipe_read(int, void *, size_t);
int __pipe_close(int);
int __pipe_flags(int, int, int);
int __pipe_else(int);
/* A program without files that count runs nothing where these are called, and gets `__NO_PIPE`. */
long __counter_read(int, void *, size_t);
long __counter_write(int, const void *, size_t);
int __counter_close(int);
int __counter_flags(int, int, int);
int __counter_known(int);
static inline _Bool __is_pipe(int __file) { return __file >= __FIRST_PIPE && __file < __FIRST_PIPE + 2 * __pipes_made; }
static inline struct __pipe *__pipe_of(int __file) { return &__pipes[(__file - __FIRST_PIPE) / 2]; }
/* Whether a file is the end of a pipe that is open; otherwise the call fails. */
static inline _Bool __is_open_end(int __file, int __end) {
  _Bool __open = __file % 2 == __end && __pipe_of(__file)->__ends[__end].__open;
  if (!__open) __library_failed(9);
  return __open;
}
#define bytes_of_a_pipe(__p) __VERIFIER_xchg_await_int(&__p->__ready, 0, 2, 1)
static inline long __from_pipe(int __file, void *__to, size_t __size) {
  if (!__is_open_end(__file, 0)) return -1;
  if (!__size) return 0;
  struct __pipe *__p = __pipe_of(__file);
  if (!__p->__ends[0].__never_waits) bytes_of_a_pipe(__p);
  else if (!__atomic_exchange_n(&__p->__ready, 0, 5)) return __fails_by(11);
  char __taken[__MOST_IN_PIPE];
  __VERIFIER_atomic_begin();
  long __all = __p->__count < __size ? __p->__count : __size;
  for (long __n = 0; __n < __all; __n++) __taken[__n] = __p->__bytes[(__p->__first + __n) % __MOST_IN_PIPE];
  __p->__first = (__p->__first + __all) % __MOST_IN_PIPE;
  __p->__count -= __all;
  if (__p->__count || !__p->__ends[1].__open) __atomic_exchange_n(&__p->__ready, 1, 5);
  __VERIFIER_atomic_end();
  memcpy(__to, __taken, __all);
  return __all;
}
#undef bytes_of_a_pipe
static inline long __to_pipe(int __file, const void *__from, size_t __size) {
  char __given[__MOST_IN_PIPE];
  if (!__is_open_end(__file, 1)) return -1;
  if (__size > __MOST_IN_PIPE) __library_not_modelled("more than 128 bytes are written to a pipe at once");
  memcpy(__given, __from, __size);
  struct __pipe *__p = __pipe_of(__file);
  __VERIFIER_atomic_begin();
  _Bool __fits = __p->__count + __size <= __MOST_IN_PIPE, __read = __p->__ends[0].__open;
  for (size_t __n = 0; __fits && __n < __size; __n++) __p->__bytes[(__p->__first + __p->__count + __n) % __MOST_IN_PIPE] = __given[__n];
  if (__fits && __size) {
    __p->__count += __size;
    __atomic_exchange_n(&__p->__ready, 1, 5);
  }
  __VERIFIER_atomic_end();
  if (!__read) __library_not_modelled("a write to a pipe whose other end is closed: the signal `SIGPIPE`");
  if (!__fits) __library_not_modelled("a pipe with more than 128 bytes");
  return __size;
}
static inline int __close_pipe(int __file) {
  int __end = __file % 2;
  if (!__is_open_end(__file, __end)) return -1;
  struct __pipe *__p = __pipe_of(__file);
  __VERIFIER_atomic_begin();
  __p->__ends[__end].__open = 0;
  if (__end) __atomic_exchange_n(&__p->__ready, 1, 5);
  __VERIFIER_atomic_end();
  return 0;
}
static inline long __written___pipe_read(int __file, void *__to, size_t __size) {
  return __is_pipe(__file) ? __from_pipe(__file, __to, __size) : __counter_read(__file, __to, __size);
}
static inline long __written_write(int __file, const void *__from, size_t __size) {
  if (__is_pipe(__file)) return __to_pipe(__file, __from, __size);
  long __all = __counter_write(__file, __from, __size);
  return __all != __NO_PIPE ? __all : __is_sent(__from, __size);
}
static inline int __written___pipe_close(int __file) { return __is_pipe(__file) ? __close_pipe(__file) : __counter_close(__file); }
static inline int __written___pipe_else(int __file) {
  if (__is_pipe(__file)) __library_not_modelled("a pipe is used by another function than `read`, `write`, `close` and `fcntl`");
  if (__counter_known(__file) != __NO_PIPE) __library_not_modelled("an `eventfd` or a timer is used by this function");
  return __NO_PIPE;
}
static inline int __written___pipe_flags(int __file, int __what, int __flags) {
  if (!__is_pipe(__file)) return __counter_flags(__file, __what, __flags);
  _Bool *__never_waits = &__pipe_of(__file)->__ends[__file % 2].__never_waits;
  switch (__what) {
  case __GETFD: case __SETFD: return 0;
  case __GETFL: return __file % 2 | (*__never_waits ? __NEVER_WAITS : 0);
  case __SETFL: *__never_waits = (__flags & __NEVER_WAITS) != 0; return 0;
  }
  __library_not_modelled("this use of `fcntl` for a pipe");
  return 0;
}
#endif
