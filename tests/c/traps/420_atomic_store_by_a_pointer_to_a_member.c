// A pointer leads to a variable or to a member: each store is one operation of C11's memory.
// verdict: safe
// options: --memory c11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static struct { int n; atomic_int y; } s;
#ifndef ORDER
#define ORDER memory_order_release
#endif
static void put(atomic_int *at) { atomic_store_explicit(at, 1, ORDER); }
static void *writes(void *u) {
  put(&x);
  put(&s.y);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writes, 0);
  if (atomic_load_explicit(&s.y, memory_order_acquire))
    assert(atomic_load_explicit(&x, memory_order_relaxed));
  pthread_join(t, 0);
}
