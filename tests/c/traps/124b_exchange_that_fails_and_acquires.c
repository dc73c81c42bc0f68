// An exchange that fails may acquire.
// verdict: safe
// c11: not said
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int data;
atomic_int flag;
void *first(void *unused) {
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  return 0;
}
void *second(void *unused) {
  int zero = 0;
  if (!atomic_compare_exchange_strong_explicit(&flag, &zero, 0, memory_order_relaxed, memory_order_acquire)) data = 2;
  return 0;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
}
