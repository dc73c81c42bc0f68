// Fences do not make relaxed operations seq_cst, though here they suffice.
// verdict: safe
// c11: not said of C11's memory
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int r, s;
void *first(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  r = atomic_load_explicit(&y, memory_order_relaxed);
  return 0;
}
void *second(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  s = atomic_load_explicit(&x, memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  assert(r || s);
}
