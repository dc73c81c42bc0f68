// One thread writes a number twice, N threads read it: never more than the last; with -DBUG the number in between is too great.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int number;

static void *writer(void *arg) {
#ifdef BUG
  atomic_store(&number, 3);
#else
  atomic_store(&number, 1);
#endif
  atomic_store(&number, 2);
  return 0;
}

static void *reader(void *arg) {
  int seen = atomic_load(&number);
  assert(seen <= 2);
  return 0;
}

int main(void) {
  pthread_t threads[N + 1];
  pthread_create(&threads[N], 0, writer, 0);
  for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, reader, 0);
  for (int i = 0; i <= N; i++) pthread_join(threads[i], 0);
  return 0;
}
