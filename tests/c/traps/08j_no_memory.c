// verdict: bug deref
// options: --malloc-may-fail
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *worker(void *arg) {
  *shared = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  shared = malloc(sizeof *shared);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  free(shared);
  return 0;
}
