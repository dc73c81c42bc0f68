// verdict: safe
// options: --races
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static void *w(void *a) {
  atomic_store((atomic_int *)a, 1);
  return 0;
}
int main(void) {
  atomic_int *s = malloc(sizeof *s);
  pthread_t t;
  atomic_init(s, 0);
  pthread_create(&t, 0, w, s);
  if (!atomic_load(s))
    pthread_join(t, 0);
  free(s);
}
