// verdict: safe
// options: --no-races
// The section of a thread ends with the thread.
#include <assert.h>
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x;

void *thread(void *arg) {
  __VERIFIER_atomic_begin();
  x = 1;
  if (x) pthread_exit(0);
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  int before = x, after = x;
  assert(before <= after);
  pthread_join(t, 0);
  assert(x == 1);
}
