// A store leaves the buffer when its memory has been freed: the flag passed it.
// verdict: bug deref
// options: --memory pso --no-races
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static int *p;
static atomic_int done;
static void *user(void *unused) {
  *p = 1;
  atomic_store_explicit(&done, 1, memory_order_relaxed);
  return 0;
}
int main(void) {
  p = malloc(sizeof *p);
  *p = 0;
  pthread_t t;
  pthread_create(&t, 0, user, 0);
  if (atomic_load_explicit(&done, memory_order_relaxed)) {
    free(p);
    pthread_join(t, 0);
    return 0;
  }
  pthread_join(t, 0);
  free(p);
  return 0;
}
