// verdict: safe
// options: --no-races
// A section with a free mutex is one step.
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int half;

void __VERIFIER_atomic_both(void) {
  half = 1;
  pthread_mutex_lock(&m);
  half = 0;
  pthread_mutex_unlock(&m);
}

void *thread(void *arg) {
  __VERIFIER_atomic_both();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  assert(!half);
  pthread_join(t, 0);
}
