// A function with a result that touches what threads share becomes part of its callers.
// verdict: safe
// options: --memory c11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static int seen(int least) {
  int now = atomic_load_explicit(&x, memory_order_relaxed);
  if (now < least)
    return least;
  return now;
}
static void *set(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  int first = seen(0);
  assert(first <= seen(first));
  pthread_join(t, 0);
  assert(seen(0) == 1);
  return 0;
}
