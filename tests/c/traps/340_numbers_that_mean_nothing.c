// Numbers that mean nothing are refused, and what was told is told again.
// verdict: safe
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <time.h>
int main(void) {
  pthread_attr_t a; int n, old = 7;
  pthread_attr_init(&a);
  assert(pthread_attr_setdetachstate(&a, 7) == EINVAL);
  assert(pthread_attr_getdetachstate(&a, &n) == 0 && n == PTHREAD_CREATE_JOINABLE);
  assert(pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED) == 0);
  assert(pthread_attr_getdetachstate(&a, &n) == 0 && n == PTHREAD_CREATE_DETACHED);
  assert(pthread_attr_setschedpolicy(&a, 77) == EINVAL);
  assert(pthread_attr_setschedpolicy(&a, SCHED_RR) == 0);
  assert(pthread_attr_setinheritsched(&a, 2) == EINVAL);
  assert(pthread_attr_setinheritsched(&a, PTHREAD_EXPLICIT_SCHED) == 0);
  pthread_mutexattr_t m;
  pthread_mutexattr_init(&m);
  assert(pthread_mutexattr_gettype(&m, &n) == 0 && n == PTHREAD_MUTEX_DEFAULT);
  assert(pthread_mutexattr_settype(&m, 99) == EINVAL);
  assert(pthread_mutexattr_settype(&m, -1) == EINVAL);
  assert(pthread_mutexattr_settype(&m, PTHREAD_MUTEX_RECURSIVE) == 0);
  assert(pthread_mutexattr_gettype(&m, &n) == 0 && n == PTHREAD_MUTEX_RECURSIVE);
  assert(pthread_mutexattr_getpshared(&m, &n) == 0 && n == PTHREAD_PROCESS_PRIVATE);
  assert(pthread_mutexattr_setpshared(&m, 2) == EINVAL);
  assert(pthread_mutexattr_setpshared(&m, PTHREAD_PROCESS_SHARED) == 0);
  assert(pthread_mutexattr_getpshared(&m, &n) == 0 && n == PTHREAD_PROCESS_SHARED);
  pthread_mutex_t lock;
  pthread_mutex_init(&lock, &m);
  pthread_mutexattr_destroy(&m);
  assert(pthread_mutex_lock(&lock) == 0 && pthread_mutex_lock(&lock) == 0);
  assert(pthread_mutex_unlock(&lock) == 0 && pthread_mutex_unlock(&lock) == 0);
  pthread_condattr_t c; clockid_t k;
  pthread_condattr_init(&c);
  assert(pthread_condattr_getclock(&c, &k) == 0 && k == CLOCK_REALTIME);
  assert(pthread_condattr_setclock(&c, CLOCK_MONOTONIC) == 0);
  assert(pthread_condattr_getclock(&c, &k) == 0 && k == CLOCK_MONOTONIC);
  assert(pthread_condattr_setclock(&c, CLOCK_PROCESS_CPUTIME_ID) == EINVAL);
  assert(pthread_condattr_setpshared(&c, 3) == EINVAL);
  assert(pthread_condattr_getpshared(&c, &n) == 0 && n == PTHREAD_PROCESS_PRIVATE);
  pthread_rwlockattr_t r; pthread_barrierattr_t b;
  pthread_rwlockattr_init(&r); pthread_barrierattr_init(&b);
  assert(pthread_rwlockattr_setpshared(&r, PTHREAD_PROCESS_SHARED) == 0);
  assert(pthread_rwlockattr_getpshared(&r, &n) == 0 && n == PTHREAD_PROCESS_SHARED);
  assert(pthread_barrierattr_getpshared(&b, &n) == 0 && n == PTHREAD_PROCESS_PRIVATE);
  assert(pthread_setcanceltype(9, &old) == EINVAL && old == 7);
  assert(pthread_setcancelstate(9, &old) == EINVAL && old == 7);
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
  int way = old;
  assert(pthread_setcancelstate(way, &old) == 0 && old == PTHREAD_CANCEL_DISABLE);
  way = -1;
  assert(pthread_setcancelstate(way, &old) == EINVAL && old == PTHREAD_CANCEL_DISABLE);
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL) == 0);
  assert(pthread_setconcurrency(-1) == EINVAL);
  return 0;
}
