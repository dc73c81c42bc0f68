// A thread that is cancelled while it waits takes the mutex again before its handlers run.
// verdict: safe
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int given;
void give(void *mutex) {
  given++;
  pthread_mutex_unlock(mutex);
}
void *run(void *arg) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push(give, &m);
  for (;;) pthread_cond_wait(&c, &m);
  pthread_cleanup_pop(1);
  return 0;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, run, 0);
  pthread_cancel(t);
  pthread_join(t, &result);
  assert(result == PTHREAD_CANCELED && given == 1);
  assert(pthread_mutex_trylock(&m) == 0);
}
