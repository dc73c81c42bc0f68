// Attributes of a thread are given by a pointer, which may be NULL.
// verdict: safe
#include <assert.h>
#include <pthread.h>
static void *run(void *arg) { return arg; }
static int create(pthread_t *thread, int detached) {
  pthread_attr_t own, *given = 0;
  if (detached) {
    given = &own;
    if (pthread_attr_init(given) || pthread_attr_setdetachstate(given, PTHREAD_CREATE_DETACHED)) return 1;
  }
  return pthread_create(thread, given, run, 0);
}
int main(void) {
  pthread_t threads[2];
  assert(!create(&threads[0], 0));
  assert(!create(&threads[1], 1));
  assert(pthread_detach(threads[0]) == 0);
  assert(pthread_detach(threads[1]) != 0);
  return 0;
}
