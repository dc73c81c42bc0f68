// A thread frees memory to which its own store still waits in the buffer.
// verdict: safe
// options: --memory pso --no-races
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x, y;
static void *both(void *unused) {
  int *own = malloc(sizeof *own);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  *own = 1;
  free(own);
  return (void *)(long)atomic_load_explicit(&y, memory_order_relaxed);
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, both, 0);
  pthread_create(&t, 0, both, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
