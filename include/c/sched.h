/* POSIX sched.h; affinity as on Linux */
#ifndef _SCHED_H
#define _SCHED_H
#include <features.h>
#include <sys/types.h>
#include <time.h>
#include <__system.h>
struct sched_param { int sched_priority; };
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
#define SCHED_BATCH 3
#define SCHED_IDLE 5
#define SCHED_DEADLINE 6
#define SCHED_RESET_ON_FORK 1073741824
#define CLONE_VM 0x100
#define CLONE_FS 0x200
#define CLONE_FILES 0x400
#define CLONE_SIGHAND 0x800
#define CLONE_PTRACE 0x2000
#define CLONE_VFORK 0x4000
#define CLONE_PARENT 0x8000
#define CLONE_THREAD 0x10000
#define CLONE_NEWNS 0x20000
#define CLONE_SYSVSEM 0x40000
#define CLONE_SETTLS 0x80000
#define CLONE_PARENT_SETTID 0x100000
#define CLONE_CHILD_CLEARTID 0x200000
#define CLONE_DETACHED 0x400000
#define CLONE_UNTRACED 0x800000
#define CLONE_CHILD_SETTID 0x1000000
#define CLONE_NEWCGROUP 0x2000000
#define CLONE_NEWUTS 0x4000000
#define CLONE_NEWIPC 0x8000000
#define CLONE_NEWUSER 0x10000000
#define CLONE_NEWPID 0x20000000
#define CLONE_NEWNET 0x40000000
#define CLONE_IO 0x80000000
int clone(int (*)(void *), void *, int, void *, ...);
int setns(int, int);
int unshare(int);
typedef struct { unsigned long __bits[16]; } cpu_set_t;
#define CPU_SETSIZE 1024
#define CPU_ZERO(set) __cpu_zero(set)
#define CPU_SET(cpu, set) __cpu_set(cpu, set)
#define CPU_ISSET(cpu, set) __cpu_isset(cpu, set)
#define CPU_CLR(cpu, set) __cpu_clear(cpu, set)
#define CPU_COUNT(set) __cpu_count(set)
#define CPU_EQUAL(l, r) __cpu_equal(l, r)
#define __CPUS_IN_WORD (8 * sizeof(long))
static inline void __cpu_zero(cpu_set_t *__set) {
  for (unsigned __at = 0; __at < 16; __at++) __set->__bits[__at] = 0;
}
static inline void __cpu_set(size_t __cpu, cpu_set_t *__set) {
  if (__cpu < 16 * __CPUS_IN_WORD) __set->__bits[__cpu / __CPUS_IN_WORD] |= 1UL << __cpu % __CPUS_IN_WORD;
}
static inline void __cpu_clear(size_t __cpu, cpu_set_t *__set) {
  if (__cpu < 16 * __CPUS_IN_WORD) __set->__bits[__cpu / __CPUS_IN_WORD] &= ~(1UL << __cpu % __CPUS_IN_WORD);
}
static inline int __cpu_isset(size_t __cpu, const cpu_set_t *__set) {
  return __cpu < 16 * __CPUS_IN_WORD ? __set->__bits[__cpu / __CPUS_IN_WORD] >> __cpu % __CPUS_IN_WORD & 1 : 0;
}
static inline int __cpu_count(const cpu_set_t *__set) {
  int __count = 0;
  for (unsigned __at = 0; __at < 16; __at++) __count += __builtin_popcountl(__set->__bits[__at]);
  return __count;
}
static inline int __cpu_equal(const cpu_set_t *__l, const cpu_set_t *__r) {
  for (unsigned __at = 0; __at < 16; __at++)
    if (__l->__bits[__at] != __r->__bits[__at]) return 0;
  return 1;
}
/* Any processors. */
static inline int sched_getaffinity(pid_t __who, size_t __size, cpu_set_t *__to) {
  char *__bytes = (char *)__to;
  if (__fails_or_is_done()) return -1;
  if (__size == sizeof *__to) {
    cpu_set_t __any;
    *__to = __any;
  } else {
    __any_chars(__bytes, __size);
  }
  return 0;
}
int sched_setaffinity(pid_t, size_t, const cpu_set_t *);
static inline int __priority(int __how, int __real) {
  if (__how == SCHED_FIFO || __how == SCHED_RR) return __real;
  return __how == SCHED_OTHER || __how == SCHED_BATCH || __how == SCHED_IDLE || __how == SCHED_DEADLINE ? 0 : -1;
}
static inline int sched_get_priority_max(int __how) { return __priority(__how, 99); }
static inline int sched_get_priority_min(int __how) { return __priority(__how, 1); }
static inline int sched_setparam(pid_t __who, const struct sched_param *__new) {
  int __priority = __new->sched_priority;
  return __fails_or_is_done();
}
static inline int sched_setscheduler(pid_t __who, int __how, const struct sched_param *__new) { return sched_setparam(__who, __new); }
static inline int sched_getscheduler(pid_t __who) { return __fails_or_is_done() ? -1 : __VERIFIER_nondet_library_uchar() % 7; }
static inline int sched_getparam(pid_t __who, struct sched_param *__to) {
  if (__fails_or_is_done()) return -1;
  __to->sched_priority = __VERIFIER_nondet_library_uchar() % 100;
  return 0;
}
static inline int sched_rr_get_interval(pid_t __who, struct timespec *__to) {
  unsigned __seconds = __VERIFIER_nondet_library_int(), __parts = __VERIFIER_nondet_library_int();
  if (__fails_or_is_done()) return -1;
  *__to = (struct timespec){__seconds, __parts % 1000000000};
  return 0;
}
static inline int sched_getcpu(void) { return __fails_or_is_done() ? -1 : __VERIFIER_nondet_library_int() & 0xffff; }
int sched_yield(void);
#endif
