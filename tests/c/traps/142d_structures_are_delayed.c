// verdict: bug assertion
// options: --memory tso
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct pair { int a, b; };
static _Atomic struct pair x, y;
static struct pair p, q;

static void *w(void *arg) {
  atomic_store_explicit(&x, ((struct pair){1, 1}), memory_order_relaxed);
  p = atomic_load_explicit(&y, memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  atomic_store_explicit(&y, ((struct pair){1, 1}), memory_order_relaxed);
  q = atomic_load_explicit(&x, memory_order_relaxed);
  pthread_join(t, 0);
  assert(p.a == p.b && q.a == q.b);
  assert(p.a || q.b);
}
