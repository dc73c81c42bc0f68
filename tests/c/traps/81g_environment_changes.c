// verdict: bug assertion
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *arg) {
  unsetenv("ONE");
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  if (getenv("ONE"))
    assert(getenv("ONE"));
  pthread_join(t, 0);
  return 0;
}
