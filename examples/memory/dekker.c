// dekker_bug.c with a fence between the store and the load.
//
// run: explore --no-races
// expect: safe
// run: explore --memory tso
// expect: safe
// run: explore --memory pso
// expect: safe
// run: explore --memory c11
// expect: safe
// run: explore --memory tso --strategy dpor
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2];
atomic_int inside;

static void enter(int me) {
  atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  if (atomic_load_explicit(&wants[1 - me], memory_order_relaxed))
    return;
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
}

void *left(void *arg) {
  enter(0);
  return 0;
}

void *right(void *arg) {
  enter(1);
  return 0;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, left, 0);
  pthread_create(&other, 0, right, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
