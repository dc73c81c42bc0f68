// verdict: bug deref
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
  pthread_detach(t);
}
int main(void) { go(); }
