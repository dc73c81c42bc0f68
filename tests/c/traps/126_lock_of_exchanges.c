// A lock that is taken with acquire and given back with release guards. A thread that waits takes it from itself again and again.
// verdict: safe
// c11: not said
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_flag lock = ATOMIC_FLAG_INIT;
int data;
void *first(void *unused) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) ;
  data++;
  atomic_flag_clear_explicit(&lock, memory_order_release);
  return 0;
}
void *second(void *unused) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) ;
  data++;
  atomic_flag_clear_explicit(&lock, memory_order_release);
  return 0;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
}
