// verdict: bug assertion
// options: --verify --delays any --property unreach-call
#include <assert.h>
#include <pthread.h>

// A bit of what is computed of an address tells threads apart.
static _Atomic long sum;

static void *work(void *arg) {
  char own = 0;
  long here = (long)&own;
  here = here * 3 + 1;
  long before = sum;
  sum = here;
  assert(before == 0 || before == here);
  return 0;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, work, 0);
  pthread_create(&other, 0, work, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
