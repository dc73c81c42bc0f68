/* POSIX sys/select.h */
#ifndef _SYS_SELECT_H
#define _SYS_SELECT_H
#include <sys/time.h>
#include <time.h>
#define FD_SETSIZE 1024
#define __FD_WIDTH (8 * sizeof(long))
#define FD_ZERO(set) (*(set) = (fd_set){{0}})
#define FD_SET(fd, set) ((void)((set)->__bits[(fd) / __FD_WIDTH] |= 1ul << (fd) % __FD_WIDTH))
#define FD_CLR(fd, set) ((void)((set)->__bits[(fd) / __FD_WIDTH] &= ~(1ul << (fd) % __FD_WIDTH)))
#define FD_ISSET(fd, set) (((set)->__bits[(fd) / __FD_WIDTH] >> (fd) % __FD_WIDTH & 1) != 0)
_Bool __VERIFIER_nondet_library_bool(void);
int __pipe_else(int);
int __counter_known(int);
void __library_not_modelled(const char *);
/* Files are not modelled: each that is asked about may be ready. */
static inline int select(int __all, fd_set *__reads, fd_set *__writes, fd_set *__failed, struct timeval *__time) {
  extern int usleep(useconds_t);
  int __ready = 0, __last = -1;
  fd_set *__in = 0;
  usleep(1);
  for (int __kind = 0; __kind < 3; __kind++) {
    fd_set *__now = __kind == 0 ? __reads : __kind == 1 ? __writes : __failed;
    for (int __fd = 0; __now && __fd < __all; __fd++)
      if (FD_ISSET(__fd, __now)) {
        if (__counter_known(__fd) == 1) __library_not_modelled("`select` of an `eventfd` or a timer");
        __pipe_else(__fd);
        __in = __now;
        __last = __fd;
        if (__VERIFIER_nondet_library_bool()) __ready++;
        else FD_CLR(__fd, __now);
      }
  }
  if (__ready || __time) return __ready;
  /* It does not end before one is ready. */
  if (__in) FD_SET(__last, __in);
  else __library_not_modelled("`select` without files and without a limit of time waits for a signal");
  return 1;
}
#endif
