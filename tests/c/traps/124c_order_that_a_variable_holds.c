// An order that a variable holds is that one, and may change.
// verdict: bug race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int data;
atomic_int flag;
int order = memory_order_seq_cst;
void *first(void *unused) {
  data = 1;
  order = memory_order_relaxed;
  atomic_store_explicit(&flag, 1, order);
  return 0;
}
void *second(void *unused) {
  if (atomic_load_explicit(&flag, memory_order_acquire)) data = 2;
  return 0;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
}
