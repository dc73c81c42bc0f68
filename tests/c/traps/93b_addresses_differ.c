// verdict: bug assertion
// options: --verify --delays any --property unreach-call
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

// The addresses of two threads' locals differ, also if they are only kept as numbers.
extern int __VERIFIER_nondet_int(void);
static _Atomic intptr_t last;

static void *work(void *arg) {
  int own = 0;
  last = (intptr_t)&own;
  assert(last == (intptr_t)&own);
  return 0;
}

int main(void) {
  pthread_t thread;
  while (__VERIFIER_nondet_int()) pthread_create(&thread, 0, work, 0);
  return 0;
}
