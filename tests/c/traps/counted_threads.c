// verdict: proved
// options: --verify --delays any --property unreach-call
#include <assert.h>
#include <pthread.h>

// As many threads as an input says. Nothing wraps, as that is an int; and threads that are gone when main returns break no count.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static _Atomic int begun, done;

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
