/* C11 7.27, POSIX time.h */
#ifndef _TIME_H
#define _TIME_H
#include <features.h>
#include <stddef.h>
#include <sys/types.h>
struct timespec { time_t tv_sec; long tv_nsec; };
struct itimerspec { struct timespec it_interval, it_value; };
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; };
#define CLOCKS_PER_SEC 1000000L
#define TIME_UTC 1
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define TIMER_ABSTIME 1
clock_t clock(void);
int clock_getres(clockid_t, struct timespec *);
int clock_gettime(clockid_t, struct timespec *);
int clock_nanosleep(clockid_t, int, const struct timespec *, struct timespec *);
char *ctime(const time_t *);
char *asctime(const struct tm *);
/* It is always the first second of 1970, which a verdict says. */
static inline struct tm __day(void) { return (struct tm){.tm_mday = 1, .tm_year = 70, .tm_wday = 4}; }
static inline double difftime(time_t __to, time_t __from) { return (double)(__to - __from); }
static inline struct tm *localtime_r(const time_t *__time, struct tm *__day_of) {
  *__day_of = __day();
  return __day_of;
}
static inline struct tm *gmtime_r(const time_t *__time, struct tm *__day_of) {
  *__day_of = __day();
  return __day_of;
}
struct tm __result_of_localtime;
static inline struct tm *localtime(const time_t *__time) {
  __result_of_localtime = __day();
  return &__result_of_localtime;
}
static inline struct tm *gmtime(const time_t *__time) { return localtime(__time); }
time_t mktime(struct tm *);
int nanosleep(const struct timespec *, struct timespec *);
static inline size_t strftime(char *__to, size_t __size, const char *__format, const struct tm *__day_of) {
  if (__size) *__to = 0;
  return 0;
}
time_t time(time_t *);
/* What it sets is declared below, and no file defines that. */
static inline void tzset(void) {}
extern long timezone;
extern int daylight;
extern char *tzname[2];
static inline int timespec_get(struct timespec *__now, int __base) {
  clock_gettime(CLOCK_REALTIME, __now);
  return __base;
}
#endif
