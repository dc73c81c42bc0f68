// What an argument does is done, also where the library does not look at it.
// verdict: safe
#include <assert.h>
#include <pthread.h>
int count;
pthread_condattr_t *none(void) {
  count++;
  return 0;
}
struct timespec now;
struct timespec *until(void) {
  count++;
  return &now;
}
int main(void) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t c;
  pthread_barrier_t b;
  pthread_cond_init(&c, none());
  assert(count == 1);
  pthread_mutex_lock(&m);
  pthread_cond_timedwait(&c, &m, until());
  assert(count == 2);
  pthread_barrier_init(&b, (count++, (pthread_barrierattr_t *)0), 1);
  assert(count == 3);
}
