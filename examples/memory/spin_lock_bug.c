// A spin lock that is given back by a relaxed store: the store may reach memory before what the holder wrote.
//
// run: explore --no-races
// expect: safe
// run: explore --memory tso
// expect: safe
// run: explore --memory pso
// expect: bug assertion
// run: explore --memory c11
// expect: bug race
// run: explore --memory c11 --no-races
// expect: bug assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int taken;
int count;

static void lock(void) {
  while (atomic_exchange_explicit(&taken, 1, memory_order_acquire))
    ;
}

static void unlock(void) { atomic_store_explicit(&taken, 0, memory_order_relaxed); }

void *add(void *arg) {
  lock();
  count++;
  unlock();
  return 0;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, add, 0);
  pthread_create(&other, 0, add, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  assert(count == 2);
  return 0;
}
