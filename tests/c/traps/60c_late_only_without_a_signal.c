// A thread that was signalled while it waited is not told that it was late.
// verdict: safe
// options: --spurious 0
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
int done;
void *run(void *arg) {
  pthread_mutex_lock(&lock);
  done = 1;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&lock);
  return arg;
}
int main(void) {
  struct timespec until = {1, 0};
  pthread_t t;
  int late = 0;
  pthread_create(&t, 0, run, 0);
  pthread_mutex_lock(&lock);
  if (!done) late = pthread_cond_timedwait(&ready, &lock, &until);
  assert(late == 0 || late == ETIMEDOUT);
  assert(done || late == ETIMEDOUT);
  pthread_mutex_unlock(&lock);
  pthread_join(t, 0);
  return 0;
}
