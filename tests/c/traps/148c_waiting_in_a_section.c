// verdict: bug assertion
// options: --no-races
// Who waits in a section lets the others go on: nobody waits for ever, and what the section has done so far is seen.
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
  pthread_mutex_lock(&m);
  assert(!half);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
