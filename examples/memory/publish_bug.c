// Publication: the flag may reach memory before the data.
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

int data;
atomic_int ready;

void *writer(void *arg) {
  data = 42;
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return 0;
}

void *reader(void *arg) {
  if (atomic_load_explicit(&ready, memory_order_relaxed))
    assert(data == 42);
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
