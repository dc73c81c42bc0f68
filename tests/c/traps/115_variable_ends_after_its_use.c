// Who has seen the flag knows that the other thread does not touch it any more.
// verdict: safe
// options: --races
#include <pthread.h>
#include <stdatomic.h>
static void *w(void *a) {
  atomic_store((atomic_int *)a, 1);
  return 0;
}
static void go(void) {
  atomic_int s = 0;
  pthread_t t;
  pthread_create(&t, 0, w, &s);
  if (atomic_load(&s))
    pthread_detach(t);
  else
    pthread_join(t, 0);
}
int main(void) { go(); }
