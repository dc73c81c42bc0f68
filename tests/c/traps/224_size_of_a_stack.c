// The size of a stack is the one that was set. One that is too small is not.
// verdict: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *thread(void *x) { return x; }

int main(void) {
  pthread_attr_t a;
  size_t size;
  pthread_attr_init(&a);
  assert(pthread_attr_setstacksize(&a, 1 << 20) == 0);
  assert(pthread_attr_setstacksize(&a, 100) == EINVAL);
  pthread_attr_getstacksize(&a, &size);
  assert(size == 1 << 20);
  pthread_attr_setdetachstate(&a, PTHREAD_CREATE_JOINABLE);
  pthread_t t;
  assert(pthread_create(&t, &a, thread, 0) == 0);
  assert(pthread_join(t, 0) == 0);
  assert(pthread_attr_setstacksize(&a, 1UL << 33) == 0);
  pthread_attr_getstacksize(&a, &size);
  assert(size == 1UL << 33);
}
