// A load is no fence on x86, also if it is `seq_cst`.
// verdict: bug assertion
// options: --memory tso
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;
static void *left(void *unused) {
  atomic_int own = 0;
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  int seen = own; (void)seen;
  a = atomic_load_explicit(&y, memory_order_relaxed);
  return 0;
}
static void *right(void *unused) {
  atomic_int own = 0;
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  int seen = own; (void)seen;
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
