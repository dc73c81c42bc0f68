// Two threads add to each other's number N times. The greatest number that comes of it is the Fibonacci number of 2 N + 2,
// and comes in one order only; with -DBUG it must not come.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int i = 1, j = 1;

static void *first(void *arg) {
  for (int k = 0; k < N; k++) atomic_store(&i, atomic_load(&i) + atomic_load(&j));
  return 0;
}

static void *second(void *arg) {
  for (int k = 0; k < N; k++) atomic_store(&j, atomic_load(&j) + atomic_load(&i));
  return 0;
}

int main(void) {
  int last = 1, most = 1;
  for (int k = 0; k < 2 * N; k++) {
    int next = last + most;
    last = most;
    most = next;
  }
#ifdef BUG
  most--;
#endif
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(atomic_load(&i) <= most && atomic_load(&j) <= most);
  return 0;
}
