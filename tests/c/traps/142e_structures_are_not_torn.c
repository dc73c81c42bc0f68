// verdict: safe
// options: --memory c11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct pair { int a, b; };
static _Atomic struct pair x;

static void *w(void *arg) {
  atomic_store_explicit(&x, ((struct pair){1, 1}), memory_order_relaxed);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  struct pair seen = atomic_load_explicit(&x, memory_order_relaxed);
  assert(seen.a == seen.b);
  pthread_join(t, 0);
}
