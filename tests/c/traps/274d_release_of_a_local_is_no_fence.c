// A release store to a variable of one thread is no fence.
// verdict: bug assertion
// options: --memory tso
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;
static void *left(void *unused) {
  atomic_int own;
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&own, 1, memory_order_release);
  a = atomic_load_explicit(&y, memory_order_relaxed);
  return 0;
}
static void *right(void *unused) {
  atomic_int own;
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  atomic_store_explicit(&own, 1, memory_order_release);
  b = atomic_load_explicit(&x, memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, left, 0);
  pthread_create(&t, 0, right, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(a || b);
  return 0;
}
