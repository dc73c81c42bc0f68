// verdict: safe
// options: --memory pso
#include <assert.h>
#include <emmintrin.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int data, ready;

static void *w(void *arg) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  _mm_sfence();
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  if (atomic_load_explicit(&ready, memory_order_relaxed)) assert(atomic_load_explicit(&data, memory_order_relaxed));
  pthread_join(t, 0);
}
