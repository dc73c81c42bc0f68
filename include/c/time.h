/* C11 7.27, POSIX time.h */
#ifndef _TIME_H
#define _TIME_H
#include <features.h>
#include <stddef.h>
#include <sys/types.h>
#include <__system.h>
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
#define CLOCK_REALTIME_ALARM 8
#define CLOCK_BOOTTIME_ALARM 9
#define CLOCK_TAI 11
#define TIMER_ABSTIME 1
clock_t clock(void);
static inline int clock_getres(clockid_t __clock, struct timespec *__to) {
  unsigned __parts = __VERIFIER_nondet_library_int();
  if ((unsigned)__clock > CLOCK_BOOTTIME && __fails_or_is_done()) return -1;
  if (__to) *__to = (struct timespec){.tv_sec = 0, .tv_nsec = __parts % 1000000000};
  return 0;
}
int clock_gettime(clockid_t, struct timespec *);
int clock_nanosleep(clockid_t, int, const struct timespec *, struct timespec *);
/* Days from 1 January 1970 to the first of a month, which is counted from March. The calendar repeats itself after 400 years. */
static inline long long __days_before(long long __year, int __month) {
  long long __y = __year + 2400000000LL;
  return __y * 365 + __y / 4 - __y / 100 + __y / 400 + (153 * __month + 2) / 5 - 146097LL * 6000000 - 719468;
}
/* The day of a time in UTC; whether its year is a number. */
static inline _Bool __day_at(long long __time, struct tm *__to) {
  long long __days = __time / 86400, __rest = __time % 86400;
  if (__rest < 0) {
    __rest += 86400;
    __days--;
  }
  long long __since = __days + 719468, __era = __since / 146097, __in_era = __since % 146097;
  if (__in_era < 0) {
    __in_era += 146097;
    __era--;
  }
  long long __of_era = (__in_era - __in_era / 1460 + __in_era / 36524 - __in_era / 146096) / 365;
  int __in_year = __in_era - (365 * __of_era + __of_era / 4 - __of_era / 100), __month = (5 * __in_year + 2) / 153;
  long long __year = __era * 400 + __of_era + (__month >= 10) - 1900;
  if (__year > 2147483647 || __year < -2147483647 - 1) return 0;
  int __weekday = (__days + 4) % 7;
  *__to = (struct tm){
    .tm_sec = __rest % 60, .tm_min = __rest / 60 % 60, .tm_hour = __rest / 3600,
    .tm_mday = __in_year - (153 * __month + 2) / 5 + 1, .tm_mon = __month < 10 ? __month + 2 : __month - 10, .tm_year = __year,
    .tm_wday = __weekday < 0 ? __weekday + 7 : __weekday, .tm_yday = __days - __days_before(__year + 1899, 10),
  };
  return 1;
}
/* Where a program makes times of days, a time is the one of its day. Otherwise it is the first second of 1970, which a verdict says. */
_Bool __makes_times;
static inline time_t timegm(struct tm *__of) {
  __atomic_store_n(&__makes_times, 1, 5);
  long long __months = __of->tm_mon + 10LL, __year = __of->tm_year + 1899LL + __months / 12;
  int __month = __months % 12;
  if (__month < 0) {
    __month += 12;
    __year--;
  }
  long long __time = (__days_before(__year, __month) + __of->tm_mday - 1) * 86400 + __of->tm_hour * 3600LL + __of->tm_min * 60LL + __of->tm_sec;
  struct tm __day;
  if (__time != (time_t)__time || !__day_at(__time, &__day)) return __fails_by(75);
  *__of = __day;
  return __time;
}
/* In UTC there is no summer time: libraries differ in what they make of it. */
static inline time_t mktime(struct tm *__of) {
  if (__of->tm_isdst > 0) __library_not_modelled("a time of a day in summer time");
  return timegm(__of);
}
static inline time_t timelocal(struct tm *__of) { return mktime(__of); }
static inline struct tm *localtime_r(const time_t *__time, struct tm *__to) {
  time_t __now = *__time;
  if (!__atomic_load_n(&__makes_times, 5)) *__to = (struct tm){.tm_mday = 1, .tm_year = 70, .tm_wday = 4};
  else if (!__day_at(__now, __to)) {
    __library_failed(75);
    return 0;
  }
  return __to;
}
static inline struct tm *gmtime_r(const time_t *__time, struct tm *__to) { return localtime_r(__time, __to); }
struct tm __result_of_localtime;
static inline struct tm *localtime(const time_t *__time) { return localtime_r(__time, &__result_of_localtime); }
static inline struct tm *gmtime(const time_t *__time) { return localtime(__time); }
static inline double difftime(time_t __to, time_t __from) { return (double)(__to - __from); }
static inline int __put_in_day(char *__to, int __room, int __at, char __c) {
  if (__at + 1 < __room) __to[__at] = __c;
  return __at + 1;
}
static inline int __put_name_in_day(char *__to, int __room, int __at, const char *__names, int __n, int __count) {
  for (int __c = 0; __c < 3; __c++) __at = __put_in_day(__to, __room, __at, __n < 0 || __n >= __count ? '?' : __names[3 * __n + __c]);
  return __at;
}
static inline int __put_number_in_day(char *__to, int __room, int __at, int __n, int __digits, int __width) {
  char __text[12];
  int __first = 12;
  unsigned __rest = __n < 0 ? -(unsigned)__n : __n;
  for (; __rest || __digits > 0; __digits--) {
    __text[--__first] = '0' + __rest % 10;
    __rest /= 10;
  }
  if (__n < 0) __text[--__first] = '-';
  while (12 - __first < __width) __text[--__first] = ' ';
  while (__first < 12) __at = __put_in_day(__to, __room, __at, __text[__first++]);
  return __at;
}
/* As `"%.3s %.3s%3d %.2d:%.2d:%.2d %d\n"` writes it. */
static inline char *__text_of_day(const struct tm *__of, char *__to, int __room) {
  if (!__of) {
    __library_failed(22);
    return 0;
  }
  if (__of->tm_year > 2147483647 - 1900) {
    __library_failed(75);
    return 0;
  }
  int __at = __put_name_in_day(__to, __room, 0, "SunMonTueWedThuFriSat", __of->tm_wday, 7);
  __at = __put_in_day(__to, __room, __at, ' ');
  __at = __put_name_in_day(__to, __room, __at, "JanFebMarAprMayJunJulAugSepOctNovDec", __of->tm_mon, 12);
  __at = __put_number_in_day(__to, __room, __at, __of->tm_mday, 1, 3);
  __at = __put_in_day(__to, __room, __at, ' ');
  __at = __put_number_in_day(__to, __room, __at, __of->tm_hour, 2, 0);
  __at = __put_in_day(__to, __room, __at, ':');
  __at = __put_number_in_day(__to, __room, __at, __of->tm_min, 2, 0);
  __at = __put_in_day(__to, __room, __at, ':');
  __at = __put_number_in_day(__to, __room, __at, __of->tm_sec, 2, 0);
  __at = __put_in_day(__to, __room, __at, ' ');
  __at = __put_number_in_day(__to, __room, __at, 1900 + __of->tm_year, 1, 0);
  __at = __put_in_day(__to, __room, __at, '\n');
  __to[__at < __room ? __at : __room - 1] = 0;
  if (__at < __room) return __to;
  __library_failed(75);
  return 0;
}
char __result_of_asctime[114];
static inline char *asctime(const struct tm *__of) { return __text_of_day(__of, __result_of_asctime, 114); }
static inline char *asctime_r(const struct tm *__of, char *__to) { return __text_of_day(__of, __to, 26); }
static inline char *ctime(const time_t *__time) { return asctime(localtime(__time)); }
static inline char *ctime_r(const time_t *__time, char *__to) {
  struct tm __day;
  return asctime_r(localtime_r(__time, &__day), __to);
}
int nanosleep(const struct timespec *, struct timespec *);
static inline size_t strftime(char *__to, size_t __size, const char *__format, const struct tm *__day_of) {
  if (__size) *__to = 0;
  return 0;
}
static inline time_t time(time_t *__to) {
  time_t __now = __VERIFIER_nondet_library_long();
  if (__to) *__to = __now;
  return __now;
}
/* The time zone is always UTC. */
long timezone;
int daylight;
char *tzname[2];
static inline void tzset(void) { tzname[0] = tzname[1] = "UTC"; }
/* Known by another name, so that a program is seen to ask no clock. */
int __read_clock(clockid_t, struct timespec *);
static inline int timespec_get(struct timespec *__now, int __base) {
  __read_clock(CLOCK_REALTIME, __now);
  return __base;
}
#endif
