// A thread is joined if it has ended: then its result is there, and nothing races.
// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static int x;
static void *write(void *a) { x = 1; return &x; }
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, write, 0);
  int found = pthread_tryjoin_np(t, &result);
  assert(found == 0 || found == EBUSY);
  if (found) pthread_join(t, &result);
  assert(x == 1 && result == &x);
  return 0;
}
