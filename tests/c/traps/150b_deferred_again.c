// verdict: safe
// options: --no-races
// What the type was is given back, and deferred cancellation waits for a place.
#include <assert.h>
#include <pthread.h>
int x, old;

void *thread(void *arg) {
  pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old);
  assert(old == PTHREAD_CANCEL_DEFERRED);
  x = 1;
  x = 0;
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
  pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old);
  assert(old == PTHREAD_CANCEL_ASYNCHRONOUS);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  pthread_cancel(t);
  pthread_join(t, 0);
  assert(x == 0);
}
