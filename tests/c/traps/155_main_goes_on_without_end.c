// verdict: bug assertion
// A thread that only computes does not keep the others from running.
#include <assert.h>
#include <pthread.h>

static int x;

static void *work(void *unused) {
  x = 1;
  assert(x == 0);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  for (;;)
    ;
}
