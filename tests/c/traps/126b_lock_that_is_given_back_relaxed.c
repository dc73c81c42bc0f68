// A lock that is given back without release does not.
// verdict: bug race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_flag lock = ATOMIC_FLAG_INIT;
int data;
void *first(void *unused) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) ;
  data++;
  atomic_flag_clear_explicit(&lock, memory_order_relaxed);
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
