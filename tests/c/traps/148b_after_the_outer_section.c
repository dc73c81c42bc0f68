// verdict: bug assertion
// options: --no-races
// The end of an inner section ends nothing; that of the outer one does.
#include <assert.h>
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x, y;

void add(void) {
  __VERIFIER_atomic_begin();
  x++;
  __VERIFIER_atomic_end();
}

void *thread(void *arg) {
  __VERIFIER_atomic_begin();
  add();
  add();
  __VERIFIER_atomic_end();
  y = 2;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  __VERIFIER_atomic_begin();
  int seen = x;
  __VERIFIER_atomic_end();
  assert(seen != 1);
  assert(seen == 0 || y == 2);
  pthread_join(t, 0);
}
