// A sequence lock: the counter may reach memory after the data that it guards, or before it.
//
// run: explore --no-races
// expect: safe
// run: explore --memory tso
// expect: safe
// run: explore --memory pso
// expect: bug assertion
// run: explore --memory c11
// expect: bug assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int number, first, second;

void *writer(void *arg) {
  atomic_store_explicit(&number, 1, memory_order_relaxed);
  atomic_store_explicit(&first, 1, memory_order_relaxed);
  atomic_store_explicit(&second, 1, memory_order_relaxed);
  atomic_store_explicit(&number, 2, memory_order_relaxed);
  return 0;
}

void *reader(void *arg) {
  int before = atomic_load_explicit(&number, memory_order_acquire);
  int one = atomic_load_explicit(&first, memory_order_relaxed);
  int other = atomic_load_explicit(&second, memory_order_relaxed);
  atomic_thread_fence(memory_order_acquire);
  int after = atomic_load_explicit(&number, memory_order_relaxed);
  if (before == after && before % 2 == 0)
    assert(one == other);
  return 0;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, writer, 0);
  pthread_create(&other, 0, reader, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
