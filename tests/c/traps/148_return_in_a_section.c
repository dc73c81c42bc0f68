// verdict: safe
// options: --no-races
// A section goes on after a `return`: the caller ends it.
#include <assert.h>
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x, y;

int begin(void) {
  __VERIFIER_atomic_begin();
  return 1;
}

void *thread(void *arg) {
  x = begin();
  y = 1;
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  begin();
  assert(x == y);
  __VERIFIER_atomic_end();
  pthread_join(t, 0);
}
