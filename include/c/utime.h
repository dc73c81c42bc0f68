/* POSIX utime.h */
#ifndef _UTIME_H
#define _UTIME_H
#include <__system.h>
#include <sys/types.h>
struct utimbuf { time_t actime, modtime; };
static inline int utime(const char *__name, const struct utimbuf *__two) {
  if (__two) __library_reads_bytes(__two, sizeof *__two);
  return __is_done_to(__name);
}
#endif
