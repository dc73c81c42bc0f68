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
int sched_get_priority_max(int);
int sched_get_priority_min(int);
int sched_setscheduler(pid_t, int, const struct sched_param *);
int sched_getcpu(void);
int sched_yield(void);
#endif
