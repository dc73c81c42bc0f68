// Relaxed operations that something else orders do no harm.
// verdict: safe
// c11: holds for C11's memory too
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *first(void *unused) {
  pthread_mutex_lock(&m);
  atomic_store_explicit(&x, atomic_load_explicit(&x, memory_order_relaxed) + 1, memory_order_relaxed);
  pthread_mutex_unlock(&m);
  return 0;
}
void *second(void *unused) {
  pthread_mutex_lock(&m);
  atomic_store_explicit(&x, atomic_load_explicit(&x, memory_order_relaxed) + 1, memory_order_relaxed);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  assert(atomic_load_explicit(&x, memory_order_relaxed) == 2);
}
