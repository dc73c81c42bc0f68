// verdict: bug assertion
// A detached thread is known until it has ended: then the library forgets it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *worker(void *arg) { return arg; }

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_detach(t);
  assert(pthread_detach(t) == EINVAL);
  return 0;
}
