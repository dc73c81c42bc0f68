// verdict: bug assertion
// options: --property unreach-call
#include <assert.h>
#include <pthread.h>
static int x;

static void *w(void *arg) {
  asm volatile("incl %0" : "+m"(x));
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  w(0);
  pthread_join(t, 0);
  assert(x == 2);
}
