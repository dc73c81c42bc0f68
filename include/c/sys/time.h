/* POSIX sys/time.h */
#ifndef _SYS_TIME_H
#define _SYS_TIME_H
#include <sys/types.h>
struct timezone { int tz_minuteswest, tz_dsttime; };
struct itimerval { struct timeval it_interval, it_value; };
#define ITIMER_REAL 0
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
int setitimer(int, const struct itimerval *, struct itimerval *);
int utimes(const char *, const struct timeval *);
#include <sys/select.h>
#endif
