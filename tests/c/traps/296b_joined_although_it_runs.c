// A thread need not have ended.
// verdict: bug assertion
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
static void *nothing(void *a) { return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, nothing, 0);
  assert(pthread_tryjoin_np(t, 0) == 0);
  return 0;
}
