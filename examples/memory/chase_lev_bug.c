// The queue of Chase and Lev with one item: the owner takes from the bottom, a thief from the top. The store to `bottom` may stay in
// the buffer while `top` is read: both take the item.
//
// run: explore --no-races
// expect: safe
// run: explore --memory tso
// expect: bug assertion
// run: explore --memory pso
// expect: bug assertion
// run: explore --memory c11
// expect: bug assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int top, bottom = 2;
atomic_int taken[2];

static void got(int item) { assert(atomic_fetch_add(&taken[item], 1) == 0); }

static void take(void) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
  int t = atomic_load_explicit(&top, memory_order_relaxed);
  if (t < b) {
    got(b);
    return;
  }
  if (t == b && atomic_compare_exchange_strong(&top, &t, t + 1))
    got(b);
  atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

static void steal(void) {
  int t = atomic_load_explicit(&top, memory_order_acquire);
  atomic_thread_fence(memory_order_seq_cst);
  int b = atomic_load_explicit(&bottom, memory_order_acquire);
  if (t < b && atomic_compare_exchange_strong(&top, &t, t + 1))
    got(t);
}

void *owner(void *arg) {
  take();
  take();
  return 0;
}

void *thief(void *arg) {
  steal();
  steal();
  return 0;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, owner, 0);
  pthread_create(&other, 0, thief, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
