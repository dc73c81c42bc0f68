// verdict: bug assertion
// options: --verify --delays any --property unreach-call
#include <pthread.h>

// The same, but who comes second to the count gives the lock back twice.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);
static volatile int held;
static volatile unsigned users;
static _Thread_local int told;

static void take(void) {
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(held == 0);
  held = 1;
  __VERIFIER_atomic_end();
}

static void give(void) {
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(held == 1);
  held = 0;
  __VERIFIER_atomic_end();
}

static void check(void) {
  if (held != 1) reach_error();
}

static void *work(void *arg) {
  while (1) {
    if (__VERIFIER_nondet_int()) {
      take();
      check();
      users++;
      give();
    } else {
      take();
      check();
      --users;
      if (users == 0) told = 1;
      if (told) {
        give();
        users = 5;
        check();
      }
      give();
    }
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  while (1) pthread_create(&thread, 0, work, 0);
}
