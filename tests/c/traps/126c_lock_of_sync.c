// The same with older functions of GNU C.
// verdict: safe
// c11: not said
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int lock, data;
void *first(void *unused) {
  while (__sync_lock_test_and_set(&lock, 1)) ;
  data++;
  __sync_lock_release(&lock);
  return 0;
}
void *second(void *unused) {
  while (__sync_lock_test_and_set(&lock, 1)) ;
  data++;
  __sync_lock_release(&lock);
  return 0;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
}
