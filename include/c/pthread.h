/* POSIX threads */
#ifndef _PTHREAD_H
#define _PTHREAD_H
#include <features.h>
#include <stddef.h>
#include <sys/types.h>
#include <sched.h>
#include <time.h>
#include <__system.h>
enum { PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK, __PTHREAD_MUTEX_ADAPTIVE };
#define PTHREAD_MUTEX_DEFAULT PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_TIMED_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_FAST_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_ADAPTIVE_NP PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_RECURSIVE_NP PTHREAD_MUTEX_RECURSIVE
#define PTHREAD_MUTEX_ERRORCHECK_NP PTHREAD_MUTEX_ERRORCHECK
#define PTHREAD_MUTEX_INITIALIZER { PTHREAD_MUTEX_NORMAL }
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP { PTHREAD_MUTEX_RECURSIVE }
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP { PTHREAD_MUTEX_ERRORCHECK }
#define PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP { PTHREAD_MUTEX_NORMAL }
#define PTHREAD_COND_INITIALIZER { 0 }
#define PTHREAD_RWLOCK_INITIALIZER { 0 }
#define PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP { 0 }
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_SCOPE_SYSTEM 0
#define PTHREAD_SCOPE_PROCESS 1
#define PTHREAD_INHERIT_SCHED 0
#define PTHREAD_EXPLICIT_SCHED 1
#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1
#define PTHREAD_PRIO_NONE 0
#define PTHREAD_PRIO_INHERIT 1
#define PTHREAD_PRIO_PROTECT 2
#define PTHREAD_MUTEX_STALLED 0
#define PTHREAD_MUTEX_ROBUST 1
#define PTHREAD_CANCEL_ENABLE 0
#define PTHREAD_CANCEL_DISABLE 1
#define PTHREAD_CANCEL_DEFERRED 0
#define PTHREAD_CANCEL_ASYNCHRONOUS 1
#define PTHREAD_CANCELED ((void *)-1)
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)

int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_tryjoin_np(pthread_t, void **);
int __thread_finished(pthread_t);
/* No function: a call of `pthread_join` that nobody makes would count among those of the program. */
#define pthread_tryjoin_np(who, result) ({ \
    pthread_t __who = (who); \
    void **__result = (result); \
    __thread_finished(__who) ? pthread_join(__who, __result) : 16; })
/* It is late if the thread still runs when the caller has a turn. */
int pthread_timedjoin_np(pthread_t, void **, const struct timespec *);
#define pthread_timedjoin_np(who, result, until) ({ \
    pthread_t __who = (who); \
    void **__result = (result); \
    const struct timespec *__until = (until); \
    time_t __second = __until ? __until->tv_sec : 0; \
    pthread_equal(__who, pthread_self()) ? 35 : !__until || __thread_finished(__who) ? pthread_join(__who, __result) : 110; })
#define pthread_clockjoin_np(who, result, clock, until) pthread_timedjoin_np(who, result, until)
int pthread_detach(pthread_t);
void pthread_exit(void *);
pthread_t pthread_self(void);
int pthread_equal(pthread_t, pthread_t);
int pthread_cancel(pthread_t);
void pthread_testcancel(void);
int pthread_setcancelstate(int, int *);
int pthread_setcanceltype(int, int *);
/* A number that is none of both is refused. A constant reaches the function as it is. */
#define pthread_setcancelstate(...) pthread_setcancelstate(__VA_ARGS__) __builtin_by_types(__cancel_by_types(pthread_setcancelstate, __VA_ARGS__, ,))
#define pthread_setcanceltype(...) pthread_setcanceltype(__VA_ARGS__) __builtin_by_types(__cancel_by_types(pthread_setcanceltype, __VA_ARGS__, ,))
#define __cancel_by_types(function, how, old, ...) \
  __builtin_choose_expr(__builtin_choose_expr(__builtin_constant_p(how), (unsigned)(how) <= 1, 0), (function)(how, old), ({ \
    int __how = (how), *__old = (old); \
    (unsigned)__how > 1 ? 22 : (function)(__how, __old); }))
int pthread_yield(void);
_Bool __VERIFIER_nondet_library_bool(void);
char __VERIFIER_nondet_library_char(void);
static inline int pthread_setname_np(pthread_t __who, const char *__name) {
  int __n = 0;
  while (__n < 16 && __name[__n]) __n++;
  return __n == 16 ? 34 : __VERIFIER_nondet_library_bool() ? 2 : 0;
}
static inline int pthread_getname_np(pthread_t __who, char *__to, size_t __size) {
  if (__size < 16) return 34;
  if (__VERIFIER_nondet_library_bool()) return 2;
  for (int __n = 0; __n < 15; __n++) __to[__n] = __VERIFIER_nondet_library_char();
  __to[15] = 0;
  return 0;
}
int __concurrency;
static inline int pthread_setconcurrency(int __level) {
  if (__level < 0) return 22;
  __atomic_store_n(&__concurrency, __level, 5);
  return 0;
}
static inline int pthread_getconcurrency(void) { return __atomic_load_n(&__concurrency, 5); }
int pthread_setaffinity_np(pthread_t, size_t, const cpu_set_t *);
static inline int pthread_getaffinity_np(pthread_t __who, size_t __size, cpu_set_t *__to) {
  return sched_getaffinity(0, __size, __to) ? 1 + (__VERIFIER_nondet_library_uchar() & 127) : 0;
}
int pthread_setschedparam(pthread_t, int, const struct sched_param *);
/* How threads are scheduled is not kept: it is any. */
static inline int pthread_getschedparam(pthread_t __who, int *__how, struct sched_param *__to) {
  if (__VERIFIER_nondet_library_bool()) return 3;
  *__how = __VERIFIER_nondet_library_uchar() % 3;
  __to->sched_priority = __VERIFIER_nondet_library_uchar() % 100;
  return 0;
}
int pthread_setschedprio(pthread_t, int);
static inline int pthread_getcpuclockid(pthread_t __who, clockid_t *__to) {
  if (__VERIFIER_nondet_library_bool()) return 2;
  *__to = -2 - (__VERIFIER_nondet_library_int() & 0x3fffffff);
  return 0;
}
static inline int pthread_atfork(void (*__before)(void), void (*__parent)(void), void (*__child)(void)) { return 0; }

int pthread_attr_init(pthread_attr_t *);
int pthread_attr_destroy(pthread_attr_t *);
int pthread_attr_setdetachstate(pthread_attr_t *, int);
int pthread_attr_getdetachstate(const pthread_attr_t *, int *);
int pthread_attr_setstacksize(pthread_attr_t *, size_t);
unsigned long __VERIFIER_nondet_library_size(void);
size_t __stack_size(const pthread_attr_t *);
static inline int pthread_attr_getstacksize(const pthread_attr_t *__a, size_t *__size) {
  size_t __own = __stack_size(__a);
  *__size = __own ? __own : __VERIFIER_nondet_library_size();
  return 0;
}
int pthread_attr_getguardsize(const pthread_attr_t *, size_t *);
static inline int pthread_attr_getscope(const pthread_attr_t *__a, int *__to) {
  *__to = PTHREAD_SCOPE_SYSTEM;
  return 0;
}
int pthread_attr_getinheritsched(const pthread_attr_t *, int *);
int pthread_attr_getschedpolicy(const pthread_attr_t *, int *);
int __kept_priority(const pthread_attr_t *);
int __keep_priority(pthread_attr_t *, int);
static inline int pthread_attr_getschedparam(const pthread_attr_t *__a, struct sched_param *__to) {
  __to->sched_priority = __kept_priority(__a);
  return 0;
}
int pthread_attr_getstack(const pthread_attr_t *, void **, size_t *);
int pthread_attr_setstack(pthread_attr_t *, void *, size_t);
int pthread_attr_setguardsize(pthread_attr_t *, size_t);
int pthread_attr_setscope(pthread_attr_t *, int);
int pthread_attr_setinheritsched(pthread_attr_t *, int);
int pthread_attr_setschedpolicy(pthread_attr_t *, int);
static inline int pthread_attr_setschedparam(pthread_attr_t *__a, const struct sched_param *__from) { return __keep_priority(__a, __from->sched_priority); }
static inline int pthread_attr_setaffinity_np(pthread_attr_t *__a, size_t __size, const cpu_set_t *__from) {
  if (__from) __library_reads_bytes(__from, __size);
  return 0;
}

int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_timedlock(pthread_mutex_t *, const struct timespec *);
int pthread_mutex_clocklock(pthread_mutex_t *, clockid_t, const struct timespec *);
int pthread_mutex_unlock(pthread_mutex_t *);
static inline int pthread_mutex_consistent(pthread_mutex_t *__m) { return 22; }
int pthread_mutexattr_init(pthread_mutexattr_t *);
int pthread_mutexattr_destroy(pthread_mutexattr_t *);
int pthread_mutexattr_settype(pthread_mutexattr_t *, int);
int pthread_mutexattr_gettype(const pthread_mutexattr_t *, int *);
int pthread_mutexattr_setpshared(pthread_mutexattr_t *, int);
int pthread_mutexattr_getpshared(const pthread_mutexattr_t *, int *);
static inline int pthread_mutexattr_setprotocol(pthread_mutexattr_t *__a, int __how) {
  if (__how == PTHREAD_PRIO_INHERIT || __how == PTHREAD_PRIO_PROTECT) __library_not_modelled("a mutex that changes priorities");
  return __how == PTHREAD_PRIO_NONE ? 0 : 22;
}
static inline int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *__a, int *__to) {
  *__to = PTHREAD_PRIO_NONE;
  return 0;
}
static inline int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *__a, int __priority) { return __priority < 1 || __priority > 99 ? 22 : 0; }
static inline int pthread_mutexattr_setrobust(pthread_mutexattr_t *__a, int __how) {
  if (__how == PTHREAD_MUTEX_ROBUST) __library_not_modelled("a mutex whose holder may end");
  return __how == PTHREAD_MUTEX_STALLED ? 0 : 22;
}
static inline int pthread_mutexattr_getrobust(const pthread_mutexattr_t *__a, int *__to) {
  *__to = PTHREAD_MUTEX_STALLED;
  return 0;
}
#define pthread_mutexattr_setrobust_np pthread_mutexattr_setrobust
#define pthread_mutex_consistent_np pthread_mutex_consistent

int pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *);
int pthread_cond_destroy(pthread_cond_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
int pthread_cond_clockwait(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);
int pthread_cond_signal(pthread_cond_t *);
int pthread_cond_broadcast(pthread_cond_t *);
int pthread_condattr_init(pthread_condattr_t *);
int pthread_condattr_destroy(pthread_condattr_t *);
int pthread_condattr_setclock(pthread_condattr_t *, clockid_t);
int pthread_condattr_getclock(const pthread_condattr_t *, clockid_t *);
int pthread_condattr_setpshared(pthread_condattr_t *, int);
int pthread_condattr_getpshared(const pthread_condattr_t *, int *);

int pthread_rwlock_init(pthread_rwlock_t *, const pthread_rwlockattr_t *);
int pthread_rwlock_destroy(pthread_rwlock_t *);
int pthread_rwlock_rdlock(pthread_rwlock_t *);
int pthread_rwlock_tryrdlock(pthread_rwlock_t *);
int pthread_rwlock_timedrdlock(pthread_rwlock_t *, const struct timespec *);
int pthread_rwlock_wrlock(pthread_rwlock_t *);
int pthread_rwlock_trywrlock(pthread_rwlock_t *);
int pthread_rwlock_timedwrlock(pthread_rwlock_t *, const struct timespec *);
int pthread_rwlock_unlock(pthread_rwlock_t *);
int pthread_rwlockattr_init(pthread_rwlockattr_t *);
int pthread_rwlockattr_destroy(pthread_rwlockattr_t *);
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *, int);
int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *, int *);
/* In glibc only the last one is not as the first one. */
enum { PTHREAD_RWLOCK_PREFER_READER_NP, PTHREAD_RWLOCK_PREFER_WRITER_NP, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP };
#define PTHREAD_RWLOCK_DEFAULT_NP PTHREAD_RWLOCK_PREFER_READER_NP
int __set_rwlock_kind(pthread_rwlockattr_t *, int);
static inline int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *__a, int __how) {
  if (__how == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) __library_not_modelled("a read-write lock that prefers writers");
  return __how < 0 || __how > 2 ? 22 : __set_rwlock_kind(__a, __how);
}
int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *, int *);

int pthread_barrier_init(pthread_barrier_t *, const pthread_barrierattr_t *, unsigned int);
int pthread_barrier_destroy(pthread_barrier_t *);
int pthread_barrier_wait(pthread_barrier_t *);
int pthread_barrierattr_init(pthread_barrierattr_t *);
int pthread_barrierattr_destroy(pthread_barrierattr_t *);
int pthread_barrierattr_setpshared(pthread_barrierattr_t *, int);
int pthread_barrierattr_getpshared(const pthread_barrierattr_t *, int *);

int pthread_spin_init(pthread_spinlock_t *, int);
int pthread_spin_destroy(pthread_spinlock_t *);
int pthread_spin_lock(pthread_spinlock_t *);
int pthread_spin_trylock(pthread_spinlock_t *);
int pthread_spin_unlock(pthread_spinlock_t *);

int pthread_once(pthread_once_t *, void (*)(void));
int pthread_key_create(pthread_key_t *, void (*)(void *));
int pthread_key_delete(pthread_key_t);
void *pthread_getspecific(pthread_key_t);
int pthread_setspecific(pthread_key_t, const void *);

void __pthread_cleanup_push(void (*)(void *), void *);
void __pthread_cleanup_pop(int);
#define pthread_cleanup_push(function, argument) do { __pthread_cleanup_push(function, argument)
#define pthread_cleanup_pop(execute) __pthread_cleanup_pop(execute); } while (0)
#endif
