// verdict: proved
// options: --verify --delays any --property unreach-call
#include <assert.h>
#include <pthread.h>

// Each of any number of threads has its own variable, also in the functions that it calls.
extern int __VERIFIER_nondet_int(void);
static _Thread_local int mine = 3;

static void step(void) { mine = mine + 1; }

static void *work(void *arg) {
  assert(mine == 3);
  step();
  step();
  assert(mine == 5);
  return 0;
}

int main(void) {
  pthread_t thread;
  mine = 7;
  while (__VERIFIER_nondet_int()) pthread_create(&thread, 0, work, 0);
  assert(mine == 7);
  return 0;
}
