// `atomic_init` is a plain store (C11, 7.17.2.2): it races.
// verdict: bug race
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *begin(void *unused) {
  atomic_init(&x, 1);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, begin, 0);
  int seen = atomic_load(&x);
  pthread_join(t, 0);
  return seen > 1;
}
