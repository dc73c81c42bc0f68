// verdict: safe
// options: --no-races
// `stopped` is written beside the sections, and races.
// An atomic section may end in a branch that leaves the function; what stands after its end there is no part of it.
#include <assert.h>
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int stopped, pending = 1, left;

int enter(void) {
  __VERIFIER_atomic_begin();
  if (stopped) {
    __VERIFIER_atomic_end();
    left = 1;
    return -1;
  }
  pending = pending + 1;
  __VERIFIER_atomic_end();
  return 0;
}

void *thread(void *arg) {
  if (enter() == 0) assert(pending == 2);
  else assert(left == 1);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  stopped = 1;
  pthread_join(t, 0);
  assert(pending == (left ? 1 : 2));
}
