// verdict: safe
// A value is awaited and exchanged in one step: nobody comes between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int __VERIFIER_xchg_await_aint(atomic_int *var, int value, int cond, int operand);
int __VERIFIER_load_await_aint(atomic_int *var, int cond, int operand);
enum { EQUAL = 2, SIGNED_LESS = 12 };

atomic_int lock = -3, inside;

void *thread(void *arg) {
  int old = __VERIFIER_xchg_await_aint(&lock, 1, SIGNED_LESS, 0);
  assert(old == -3);
  assert(++inside == 1);
  inside--;
  lock = -3;
  return 0;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, thread, 0);
  pthread_create(&u, 0, thread, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(__VERIFIER_load_await_aint(&lock, EQUAL, -3) == -3);
}
