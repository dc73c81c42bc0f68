/* Linux sys/ioctl.h */
#ifndef _SYS_IOCTL_H
#define _SYS_IOCTL_H
#include <stdarg.h>
#include <__system.h>
struct winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; };
#define TIOCGWINSZ 0x5413
#define FIONREAD 0x541B
#define FIONBIO 0x5421
int __pipe_else(int);
/* What there is to read, and how large a screen is, is any. */
static inline int ioctl(int __file, unsigned long __what, ...) {
  va_list __list;
  __pipe_else(__file);
  if (__is_done_with(__file)) return -1;
  va_start(__list, __what);
  if (__what == FIONREAD) {
    *va_arg(__list, int *) = __VERIFIER_nondet_library_int() & 0x7fffffff;
  } else if (__what == TIOCGWINSZ) {
    struct winsize *__to = va_arg(__list, struct winsize *);
    __to->ws_row = __VERIFIER_nondet_library_int();
    __to->ws_col = __VERIFIER_nondet_library_int();
    __to->ws_xpixel = __VERIFIER_nondet_library_int();
    __to->ws_ypixel = __VERIFIER_nondet_library_int();
  } else if (__what != FIONBIO)
    __library_not_modelled("a call of `ioctl` that is not for `FIONREAD`, `FIONBIO` or `TIOCGWINSZ`");
  va_end(__list);
  return 0;
}
#endif
