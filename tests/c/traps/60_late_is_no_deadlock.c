// Nobody signals: the thread is late, and goes on. (With a deadlock for its verdict the model would wait for ever.)
// verdict: safe
// options: --spurious 0
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
int main(void) {
  struct timespec until = {1, 0};
  pthread_mutex_lock(&lock);
  assert(pthread_cond_timedwait(&ready, &lock, &until) == ETIMEDOUT);
  pthread_mutex_unlock(&lock);
  return 0;
}
