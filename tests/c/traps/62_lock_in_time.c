// The lock is held for a while: the thread may be late.
// verdict: bug assertion
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int sum;
void *run(void *arg) {
  struct timespec until = {1, 0};
  if (pthread_mutex_timedlock(&lock, &until) == 0) {
    sum++;
    pthread_mutex_unlock(&lock);
  }
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_mutex_lock(&lock);
  sum++;
  pthread_mutex_unlock(&lock);
  pthread_join(t, 0);
  assert(sum == 2);
  return 0;
}
