// peterson_bug.c with an exchange in the place of the store to `turn`: an exchange is a fence.
//
// run: explore --no-races
// expect: safe
// run: explore --memory tso
// expect: safe
// run: explore --memory pso
// expect: safe
// run: explore --memory c11
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2], turn;
atomic_int inside;

static void enter(int me) {
  atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
  atomic_exchange(&turn, 1 - me);
  while (atomic_load_explicit(&wants[1 - me], memory_order_relaxed) &&
         atomic_load_explicit(&turn, memory_order_relaxed) == 1 - me)
    ;
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  atomic_store_explicit(&wants[me], 0, memory_order_release);
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
