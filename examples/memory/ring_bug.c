// A ring for one producer and one consumer: the index may reach memory before the item.
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

#define SIZE 2

int items[SIZE];
atomic_int head, tail;

void *produce(void *arg) {
  for (int i = 1; i <= 3; i++) {
    int at = atomic_load_explicit(&tail, memory_order_relaxed);
    if (at - atomic_load_explicit(&head, memory_order_acquire) == SIZE)
      break;
    items[at % SIZE] = i;
    atomic_store_explicit(&tail, at + 1, memory_order_relaxed);
  }
  return 0;
}

void *consume(void *arg) {
  int last = 0;
  for (int i = 0; i < 3; i++) {
    int at = atomic_load_explicit(&head, memory_order_relaxed);
    if (at == atomic_load_explicit(&tail, memory_order_relaxed))
      break;
    assert(items[at % SIZE] == last + 1);
    last++;
    atomic_store_explicit(&head, at + 1, memory_order_release);
  }
  return 0;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, produce, 0);
  pthread_create(&other, 0, consume, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
