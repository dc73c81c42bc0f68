// verdict: bug assertion
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int order;

static void first(void) { assert(order == 0); }
static void second(void) { order = 1; }

static void *worker(void *arg) {
  if (arg)
    exit(0);
  return arg;
}

int main(void) {
  pthread_t t;
  atexit(first);
  atexit(second);
  pthread_create(&t, NULL, worker, &t);
  pthread_join(t, NULL);
  return 0;
}
