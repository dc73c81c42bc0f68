// An exchange by another thread continues a release sequence, whatever its order.
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
  int one = 1;
  atomic_compare_exchange_strong_explicit(&flag, &one, 2, memory_order_relaxed, memory_order_relaxed);
  return 0;
}
void *third(void *unused) {
  if (atomic_load_explicit(&flag, memory_order_acquire) == 2) data = 2;
  return 0;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_create(&t[2], 0, third, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  pthread_join(t[2], 0);
}
