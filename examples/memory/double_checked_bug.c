// Double-checked locking: the flag may reach memory before the value.
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

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
atomic_int made;
int value;

void *use(void *arg) {
  if (!atomic_load_explicit(&made, memory_order_relaxed)) {
    pthread_mutex_lock(&mutex);
    if (!atomic_load_explicit(&made, memory_order_relaxed)) {
      value = 7;
      atomic_store_explicit(&made, 1, memory_order_relaxed);
    }
    pthread_mutex_unlock(&mutex);
  }
  assert(value == 7);
  return 0;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, use, 0);
  pthread_create(&other, 0, use, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
