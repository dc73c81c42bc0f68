// A thread that waits may end a release sequence meanwhile. Turns of its loop are not left out and have no end: an execution at random shows the race.
// verdict: bug race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int lock, turn, go;
int data;
void *first(void *unused) {
  data = 1;
  atomic_store_explicit(&lock, 0, memory_order_release);
  atomic_store_explicit(&turn, 1, memory_order_relaxed);
  return 0;
}
void *second(void *unused) {
  while (!atomic_load_explicit(&turn, memory_order_relaxed)) atomic_store_explicit(&lock, 0, memory_order_relaxed);
  atomic_store_explicit(&go, 1, memory_order_relaxed);
  return 0;
}
void *third(void *unused) {
  if (atomic_load_explicit(&go, memory_order_relaxed) && !atomic_load_explicit(&lock, memory_order_acquire)) data = 2;
  return 0;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_create(&t[2], 0, third, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  pthread_join(t[2], 0);
}
