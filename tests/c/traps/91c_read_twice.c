// verdict: bug assertion
// options: --verify --delays any --property unreach-call
#include <pthread.h>

// What may have any value may change between two looks.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static volatile int count;

static void wrong(void) { reach_error(); }

static void *work(void *arg) {
  int before = count;
  int behind = count;
  if (before != behind) wrong();
  count = before + 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  while (__VERIFIER_nondet_int()) pthread_create(&thread, 0, work, 0);
  return 0;
}
