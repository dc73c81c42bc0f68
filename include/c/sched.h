/* POSIX sched.h; affinity as on Linux */
#ifndef _SCHED_H
#define _SCHED_H
#include <features.h>
#include <sys/types.h>
#include <time.h>
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
void __cpu_zero(cpu_set_t *);
void __cpu_set(int, cpu_set_t *);
int __cpu_isset(int, cpu_set_t *);
int sched_getaffinity(pid_t, size_t, cpu_set_t *);
int sched_setaffinity(pid_t, size_t, const cpu_set_t *);
static inline int __priority(int __how, int __real) {
  if (__how == SCHED_FIFO || __how == SCHED_RR) return __real;
  return __how == SCHED_OTHER || __how == SCHED_BATCH || __how == SCHED_IDLE || __how == SCHED_DEADLINE ? 0 : -1;
}
static inline int sched_get_priority_max(int __how) { return __priority(__how, 99); }
static inline int sched_get_priority_min(int __how) { return __priority(__how, 1); }
int sched_setscheduler(pid_t, int, const struct sched_param *);
int sched_getcpu(void);
int sched_yield(void);
#endif
