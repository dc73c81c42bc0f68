// verdict: bug assertion
// options: --memory tso
// `sfence` orders stores, and `lfence` loads: a load may still come before an earlier store.
#include <assert.h>
#include <emmintrin.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;

static void *w(void *arg) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  asm volatile("sfence" ::: "memory");
  a = atomic_load_explicit(&y, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  _mm_lfence();
  b = atomic_load_explicit(&x, memory_order_relaxed);
  pthread_join(t, 0);
  assert(a || b);
}
