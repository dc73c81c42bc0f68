/* POSIX poll.h */
#ifndef _POLL_H
#define _POLL_H
#include <unistd.h>
struct pollfd { int fd; short events, revents; };
typedef unsigned long nfds_t;
#define POLLIN 1
#define POLLPRI 2
#define POLLOUT 4
#define POLLERR 8
#define POLLHUP 16
#define POLLNVAL 32
#define POLLRDNORM 64
#define POLLWRNORM 256
#define POLLRDHUP 0x2000
#define POLLMSG 1024
#define POLLRDBAND 128
#define POLLREMOVE 4096
#define POLLWRBAND 512
void __library_not_modelled(const char *);
/* Files are not modelled: each that is asked about may be ready for any part of what is asked, or in trouble. */
static inline int poll(struct pollfd *__files, nfds_t __all, int __time) {
  int __ready = 0;
  struct pollfd *__last = 0;
  _Bool __count = 0;
  usleep(1);
  for (int __turn = 0;; __turn++) {
    for (nfds_t __n = 0; __n < __all; __n++) {
      int __now = 0, __asked = __files[__n].events | POLLERR | POLLHUP | POLLNVAL;
      if (__counter_known(__files[__n].fd) == 1) {
        __now = __counter_polled(__files[__n].fd, __turn) & __asked;
        __count = 1;
        __asked = 0;
      } else {
        __pipe_else(__files[__n].fd);
        if (__files[__n].fd < 0) __asked = 0;
        else __last = &__files[__n];
      }
      for (int __bit = 1; __bit <= __asked; __bit *= 2)
        if (__asked & __bit && __VERIFIER_nondet_library_bool()) __now |= __bit;
      __files[__n].revents = __now;
      if (__now) __ready++;
    }
    if (__ready || __time >= 0) return __ready;
    if (__last || !__count) break;
    if (__turn) __library_not_modelled("`poll` without a limit of time where other files that count are ready, or none is any more");
    __counter_awaited();
  }
  /* It does not end before one is ready. */
  if (__last) __last->revents = POLLHUP;
  else __library_not_modelled("`poll` without files and without a limit of time waits for a signal");
  return 1;
}
#endif
