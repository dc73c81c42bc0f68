// verdict: safe
// options: --memory tso
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;

static void *w(void *arg) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  __asm__ __volatile__("lock; addl $0,0(%%rsp)" ::: "memory");
  a = atomic_load_explicit(&y, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  asm volatile("lock orq $0, -8(%%rsp)" ::: "memory", "cc");
  b = atomic_load_explicit(&x, memory_order_relaxed);
  pthread_join(t, 0);
  assert(a || b);
}
