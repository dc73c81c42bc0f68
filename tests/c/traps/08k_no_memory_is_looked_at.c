// verdict: safe
// options: --malloc-may-fail
#include <assert.h>
#include <errno.h>
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
  if (!shared) {
    assert(errno == ENOMEM);
    return 1;
  }
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  free(shared);
  return 0;
}
