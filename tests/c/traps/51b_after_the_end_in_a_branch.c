// verdict: bug assertion
// What stands after the end of a section in a branch is a step of its own.
#include <assert.h>
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int on = 1, x, y;

void *thread(void *arg) {
  __VERIFIER_atomic_begin();
  x = 1;
  if (on) {
    __VERIFIER_atomic_end();
    y = 1;
    return 0;
  }
  y = 1;
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  __VERIFIER_atomic_begin();
  assert(x == y);
  __VERIFIER_atomic_end();
  pthread_join(t, 0);
}
