// Memory is sequentially consistent, whatever the orders say; the answer says so.
// verdict: safe
// c11: not said of C11's memory: lines 10 and 16 race on x and are relaxed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int r, s;
void *left(void *arg) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  r = atomic_load_explicit(&y, memory_order_relaxed);
  return 0;
}
void *right(void *arg) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  s = atomic_load_explicit(&x, memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(r || s);
}
