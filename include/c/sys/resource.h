/* POSIX sys/resource.h */
#ifndef _SYS_RESOURCE_H
#define _SYS_RESOURCE_H
#include <__system.h>
#include <sys/time.h>
#include <sys/types.h>
typedef unsigned long rlim_t;
struct rlimit { rlim_t rlim_cur, rlim_max; };
struct rusage { struct timeval ru_utime, ru_stime; long ru_maxrss, ru_ixrss, ru_idrss, ru_isrss, ru_minflt, ru_majflt, ru_nswap, ru_inblock, ru_oublock, ru_msgsnd, ru_msgrcv, ru_nsignals, ru_nvcsw, ru_nivcsw; };
#define PRIO_PROCESS 0
#define RLIMIT_STACK 3
#define RLIMIT_CORE 4
#define RLIMIT_NPROC 6
#define RLIMIT_NOFILE 7
#define RLIMIT_MEMLOCK 8
#define RLIMIT_AS 9
#define RLIM_INFINITY ((rlim_t)-1)
#define RUSAGE_SELF 0
#define RUSAGE_THREAD 1
#define PRIO_MIN (-20)
#define PRIO_PGRP 1
#define PRIO_USER 2
#define PRIO_MAX 20
#define RLIM_SAVED_CUR (-1)
#define RLIM_SAVED_MAX (-1)
#define RLIM_NLIMITS 16
#define RLIMIT_CPU 0
#define RLIMIT_FSIZE 1
#define RLIMIT_DATA 2
#define RLIMIT_RSS 5
#define RLIMIT_OFILE 7
#define RLIMIT_LOCKS 10
#define RLIMIT_SIGPENDING 11
#define RLIMIT_MSGQUEUE 12
#define RLIMIT_NICE 13
#define RLIMIT_RTPRIO 14
#define RLIMIT_RTTIME 15
#define RUSAGE_CHILDREN (-1)
static inline int getpriority(int __which, id_t __who) { return __fails_or_is_done() ? -1 : __VERIFIER_nondet_library_uchar() % 40 - 20; }
unsigned long __VERIFIER_nondet_library_ulong(void);
static inline int getrlimit(int __what, struct rlimit *__limit) {
  __limit->rlim_cur = __limit->rlim_max = __VERIFIER_nondet_library_ulong();
  return 0;
}
_Bool __VERIFIER_nondet_library_bool(void);
static inline int getrusage(int __who, struct rusage *__result) {
  struct rusage __any;
  *__result = __any;
  return __fails_or_is_done();
}
static inline int setpriority(int __which, id_t __who, int __priority) { return __fails_or_is_done(); }
static inline int setrlimit(int __what, const struct rlimit *__new) {
  struct rlimit __given = *__new;
  return __fails_or_is_done();
}
#endif
