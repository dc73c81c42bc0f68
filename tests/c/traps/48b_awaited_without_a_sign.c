// verdict: bug deadlock
// Without signs -3 is no less than 0.
#include <pthread.h>
#include <stdatomic.h>
int __VERIFIER_xchg_await_aint(atomic_int *var, int value, int cond, int operand);

atomic_int lock = -3;

void *thread(void *arg) {
  __VERIFIER_xchg_await_aint(&lock, 1, 4, 0);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, 0);
}
