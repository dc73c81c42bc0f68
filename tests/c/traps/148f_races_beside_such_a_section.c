// verdict: inconclusive
// options: --races
// Of sections that are no blocks nobody knows what they order.
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x;

void begin(void) { __VERIFIER_atomic_begin(); }

void *thread(void *arg) {
  begin();
  x = 1;
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  x = 2;
  pthread_join(t, 0);
}
