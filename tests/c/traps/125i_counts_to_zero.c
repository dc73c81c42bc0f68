// Exchanges of acquire and release come after each other: nothing races.
// verdict: safe
// c11: holds for C11's memory too
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int users = 2;
int data[2];
void *first(void *unused) {
  data[0] = 1;
  if (atomic_fetch_sub_explicit(&users, 1, memory_order_acq_rel) == 1) data[1] = 2;
  return 0;
}
void *second(void *unused) {
  data[1] = 1;
  if (atomic_fetch_sub_explicit(&users, 1, memory_order_acq_rel) == 1) data[0] = 2;
  return 0;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
}
