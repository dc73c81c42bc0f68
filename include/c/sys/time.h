/* POSIX sys/time.h */
#ifndef _SYS_TIME_H
#define _SYS_TIME_H
#include <sys/types.h>
#include <__system.h>
struct timezone { int tz_minuteswest, tz_dsttime; };
struct itimerval { struct timeval it_interval, it_value; };
#define ITIMER_REAL 0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2
#define timercmp(a, b, op) ((a)->tv_sec == (b)->tv_sec ? (a)->tv_usec op (b)->tv_usec : (a)->tv_sec op (b)->tv_sec)
#define timerisset(a) ((a)->tv_sec || (a)->tv_usec)
#define timerclear(a) ((a)->tv_sec = (a)->tv_usec = 0)
#define timeradd(a, b, to) \
  do { \
    (to)->tv_sec = (a)->tv_sec + (b)->tv_sec; \
    (to)->tv_usec = (a)->tv_usec + (b)->tv_usec; \
    if ((to)->tv_usec >= 1000000) (to)->tv_sec++, (to)->tv_usec -= 1000000; \
  } while (0)
#define timersub(a, b, to) \
  do { \
    (to)->tv_sec = (a)->tv_sec - (b)->tv_sec; \
    (to)->tv_usec = (a)->tv_usec - (b)->tv_usec; \
    if ((to)->tv_usec < 0) (to)->tv_sec--, (to)->tv_usec += 1000000; \
  } while (0)
int gettimeofday(struct timeval *, void *);
static inline int getitimer(int __which, struct itimerval *__to) {
  unsigned __all[4];
  if ((unsigned)__which > ITIMER_PROF) return __fails_by(22);
  *__to = (struct itimerval){{__all[0], __all[1] % 1000000}, {__all[2], __all[3] % 1000000}};
  return 0;
}
static inline int setitimer(int __which, const struct itimerval *__new, struct itimerval *__old) {
  struct itimerval __set = {{0, 0}, {0, 0}};
  __no_signal_comes();
  if (__new) __set = *__new;
  if ((unsigned)__which > ITIMER_PROF || (unsigned long)__set.it_interval.tv_usec > 999999 || (unsigned long)__set.it_value.tv_usec > 999999) return __fails_by(22);
  return __old ? getitimer(__which, __old) : 0;
}
static inline int utimes(const char *__name, const struct timeval *__two) {
  __library_reads(__name);
  if (__two) __library_reads_bytes(__two, 2 * sizeof *__two);
  return __fails_or_is_done();
}
#include <sys/select.h>
#endif
