// verdict: bug assertion
// options: --verify --delays any --property unreach-call
#include <assert.h>
#include <pthread.h>

// As many threads as an input says, in a number that is too small for them: it wraps.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static _Atomic signed char begun = 126;
static _Atomic signed char done = 125;

static void *count(void *arg) {
  begun++;
  int before = done;
  assert(before < begun);
  done++;
  return 0;
}

int main(void) {
  pthread_t thread;
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 0);
  for (int i = 0; i < n; i++) pthread_create(&thread, 0, count, 0);
  return 0;
}
