// A thread that comes to no place where it can be cancelled ends by itself.
// verdict: bug assertion
#include <pthread.h>
#include <assert.h>
int ready;
void *run(void *arg) {
  if (ready) pthread_testcancel();
  return 0;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, run, 0);
  ready = 1;
  pthread_cancel(t);
  pthread_join(t, &result);
  assert(result == PTHREAD_CANCELED);
}
