/* POSIX sys/times.h */
#ifndef _SYS_TIMES_H
#define _SYS_TIMES_H
#include <sys/types.h>
#include <time.h>
struct tms { clock_t tms_utime, tms_stime, tms_cutime, tms_cstime; };
static inline clock_t __some_ticks(void) {
  clock_t __ticks = __VERIFIER_nondet_library_long();
  return __ticks < 0 ? 0 : __ticks;
}
static inline clock_t times(struct tms *__to) {
  if (__to) *__to = (struct tms){__some_ticks(), __some_ticks(), __some_ticks(), __some_ticks()};
  return __some_ticks();
}
#endif
