// verdict: refused
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void last(void) { assert(0); }

static void *worker(void *arg) { return arg; }

int main(void) {
  pthread_t t;
  atexit(last);
  pthread_create(&t, NULL, worker, NULL);
  pthread_exit(NULL);
}
