// An exchange is a fence on SPARC, also of an element of an array of one thread.
// verdict: safe
// options: --memory pso
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;
static void *left(void *unused) {
  int own[2] = {0, 0};
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  __sync_lock_test_and_set(&own[1], 1);
  a = atomic_load_explicit(&y, memory_order_relaxed);
  return 0;
}
static void *right(void *unused) {
  int own[2] = {0, 0};
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  __sync_lock_test_and_set(&own[1], 1);
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
