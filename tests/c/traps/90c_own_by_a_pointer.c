// verdict: bug assertion
// options: --verify --delays any --property unreach-call
#include <assert.h>
#include <pthread.h>

// A thread's own variable that others reach by a pointer is not only its own.
extern int __VERIFIER_nondet_int(void);
static _Thread_local int mine = 3;
static int *_Atomic last;

static void *work(void *arg) {
  int *other = last;
  if (other) *other = 4;
  last = &mine;
  assert(mine == 3);
  return 0;
}

int main(void) {
  pthread_t thread;
  while (__VERIFIER_nondet_int()) pthread_create(&thread, 0, work, 0);
  return 0;
}
