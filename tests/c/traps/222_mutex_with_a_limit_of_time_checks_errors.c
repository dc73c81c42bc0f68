// A mutex that checks errors refuses the thread that holds it, also within some time.
// verdict: safe
// options: --spurious 0
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static void *other(void *m) {
  struct timespec t = {0};
  int r = pthread_mutex_clocklock(m, CLOCK_MONOTONIC, &t);
  assert(r == ETIMEDOUT);
  return 0;
}

int main(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
  int kind;
  pthread_mutexattr_gettype(&a, &kind);
  assert(kind == PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_t m;
  pthread_mutex_init(&m, &a);
  struct timespec t = {0};
  assert(pthread_mutex_timedlock(&m, &t) == 0);
  assert(pthread_mutex_timedlock(&m, &t) == EDEADLK);
  assert(pthread_mutex_clocklock(&m, CLOCK_REALTIME, &t) == EDEADLK);
  pthread_t thread;
  pthread_create(&thread, 0, other, &m);
  pthread_join(thread, 0);
  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  assert(pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &t) == ETIMEDOUT);
  assert(pthread_mutex_unlock(&m) == 0);
  sem_t s;
  sem_init(&s, 0, 0);
  assert(sem_clockwait(&s, CLOCK_MONOTONIC, &t) == -1 && errno == ETIMEDOUT);
}
