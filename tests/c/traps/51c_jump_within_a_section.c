// verdict: safe
#include <assert.h>
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x, y;

void *thread(void *arg) {
  __VERIFIER_atomic_begin();
  assert(x == 0);
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  __VERIFIER_atomic_begin();
  x = x + 1;
  if (x == y) {
    goto same;
  }
  y = x;
same:
  x = x - y;
  __VERIFIER_atomic_end();
  pthread_join(t, 0);
}
