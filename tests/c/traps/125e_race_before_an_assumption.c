// An operation may race in an execution that an assumption drops: from there C11 may go on otherwise.
// verdict: safe
// c11: not said of C11's memory
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
void __VERIFIER_assume(int);
atomic_int x, y;
void *first(void *unused) {
  x = 1;
  y = 1;
  return 0;
}
void *second(void *unused) {
  int a = atomic_load_explicit(&x, memory_order_acquire);
  __VERIFIER_assume(a == 1);
  return 0;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
}
