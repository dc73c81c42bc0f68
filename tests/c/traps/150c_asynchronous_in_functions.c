// verdict: safe
// options: --no-races
// A function that the cancelled thread has called ends with it; its handlers run.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
int x, cleaned;

void clean(void *arg) { cleaned = 1; }

void spin(void) {
  for (;;) sched_yield();
}

void *thread(void *arg) {
  struct sched_param p = {0};
  pthread_setschedparam(pthread_self(), SCHED_OTHER, &p);
  pthread_cleanup_push(clean, 0);
  x = 1;
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
  spin();
  pthread_cleanup_pop(0);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  pthread_cancel(t);
  pthread_join(t, 0);
  assert(x == cleaned);
}
