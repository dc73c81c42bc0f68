// What attributes were given, they give back.
// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
int main(void) {
  pthread_attr_t a;
  pthread_rwlockattr_t r;
  struct sched_param p = {0};
  size_t size = 9;
  int v = 9;
  pthread_attr_init(&a);
  assert(pthread_attr_getinheritsched(&a, &v) == 0 && v == PTHREAD_INHERIT_SCHED);
  assert(pthread_attr_getschedpolicy(&a, &v) == 0 && v == SCHED_OTHER);
  assert(pthread_attr_setguardsize(&a, 5000) == 0 && pthread_attr_getguardsize(&a, &size) == 0 && size == 5000);
  assert(pthread_attr_setinheritsched(&a, PTHREAD_EXPLICIT_SCHED) == 0 && pthread_attr_setinheritsched(&a, 7) == EINVAL);
  assert(pthread_attr_getinheritsched(&a, &v) == 0 && v == PTHREAD_EXPLICIT_SCHED);
  p.sched_priority = 5;
  assert(pthread_attr_setschedparam(&a, &p) == EINVAL && pthread_attr_setschedpolicy(&a, SCHED_RR) == 0);
  assert(pthread_attr_getschedpolicy(&a, &v) == 0 && v == SCHED_RR);
  assert(pthread_attr_setschedparam(&a, &p) == 0);
  p.sched_priority = 0;
  assert(pthread_attr_setschedparam(&a, &p) == EINVAL);
  assert(pthread_attr_getschedparam(&a, &p) == 0 && p.sched_priority == 5);
  assert(pthread_setconcurrency(2) == 0 && pthread_getconcurrency() == 2 && pthread_setconcurrency(-1) == EINVAL);
  pthread_rwlockattr_init(&r);
  assert(pthread_rwlockattr_setkind_np(&r, PTHREAD_RWLOCK_PREFER_WRITER_NP) == 0);
  assert(pthread_rwlockattr_getkind_np(&r, &v) == 0 && v == PTHREAD_RWLOCK_PREFER_WRITER_NP);
  assert(pthread_setname_np(pthread_self(), "0123456789abcdef") == ERANGE);
  return 0;
}
