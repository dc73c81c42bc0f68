// N threads fill an array, each from the place before; one looks for the last zero from behind. What it finds is still zero, as
// nobody writes to the first place; with -DBUG somebody does.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int array[N + 1];

static void *reader(void *arg) {
  int i = N;
  while (i > 0 && atomic_load(&array[i]) != 0) i--;
  if (i == 0) assert(atomic_load(&array[0]) == 0);
  return 0;
}

static void *writer(void *arg) {
  int i = (int)(long)arg;
  atomic_store(&array[i], atomic_load(&array[i - 1]) + 1);
#ifdef BUG
  if (i == N) atomic_store(&array[0], 1);
#endif
  return 0;
}

int main(void) {
  pthread_t threads[N + 1];
  pthread_create(&threads[0], 0, reader, 0);
  for (int i = 1; i <= N; i++) pthread_create(&threads[i], 0, writer, (void *)(long)i);
  for (int i = 0; i <= N; i++) pthread_join(threads[i], 0);
  return 0;
}
