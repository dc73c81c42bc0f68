// A mutex orders whoever takes it next, though the flag is relaxed.
// verdict: safe
// c11: race on flag and are relaxed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int data;
atomic_int flag;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *first(void *unused) {
  data = 1;
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return 0;
}
void *second(void *unused) {
  if (atomic_load_explicit(&flag, memory_order_relaxed)) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    data = 2;
  }
  return 0;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
}
