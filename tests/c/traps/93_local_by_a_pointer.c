// verdict: proved
// options: --verify --delays any --property unreach-call
#include <assert.h>
#include <pthread.h>

// A function tells its caller by a pointer whether it has changed what all share: each of any number of threads has its own answer.
extern int __VERIFIER_nondet_int(void);
static int value = 1;

static void __VERIFIER_atomic_swap(int *at, int from, int to, int *done) {
  if (*at == from) {
    *at = to;
    *done = 1;
  } else {
    *done = 0;
  }
}

static void *work(void *arg) {
  int done = 2;
  while (done != 1) {
    int now = value;
    __VERIFIER_atomic_swap(&value, now, 3, &done);
    assert(done == 0 || done == 1);
  }
  assert(value == 3);
  return 0;
}

int main(void) {
  pthread_t thread;
  while (1) pthread_create(&thread, 0, work, 0);
}
