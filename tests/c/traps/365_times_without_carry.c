// Nanoseconds beyond a second are no time. Mutexes look at the time only if they must wait.
// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>
pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
mtx_t own;
cnd_t sign;
int main(void) {
  struct timespec long_part = {1, 900000000}, below = {1, -1}, right = {1, 999999999};
  sem_t none, some;
  long_part.tv_nsec += 500000000;
  sem_init(&none, 0, 0);
  sem_init(&some, 0, 1);
  pthread_mutex_lock(&held);
  assert(pthread_mutex_timedlock(&held, &long_part) == EINVAL && pthread_mutex_timedlock(&held, &right) == ETIMEDOUT);
  assert(pthread_mutex_timedlock(&m, &below) == 0);
  assert(pthread_cond_timedwait(&c, &m, &below) == EINVAL && pthread_mutex_trylock(&m) == EBUSY);
  assert(pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &long_part) == EINVAL);
  int why = pthread_cond_timedwait(&c, &m, &right);
  assert(why == 0 || why == ETIMEDOUT);
  errno = 0;
  assert(sem_timedwait(&some, &below) == -1 && errno == EINVAL);
  assert(sem_timedwait(&none, &right) == -1 && errno == ETIMEDOUT);
  assert(sem_timedwait(&some, &right) == 0);
  assert(pthread_rwlock_timedrdlock(&l, &below) == EINVAL && pthread_rwlock_timedwrlock(&l, &long_part) == EINVAL);
  assert(pthread_rwlock_timedwrlock(&l, &right) == 0 && pthread_rwlock_trywrlock(&l) == EBUSY);
  mtx_init(&own, mtx_timed);
  cnd_init(&sign);
  assert(mtx_timedlock(&own, &below) == thrd_success && mtx_timedlock(&own, &below) == thrd_error);
  assert(cnd_timedwait(&sign, &own, &long_part) == thrd_error);
  return 0;
}
