// verdict: bug assertion
#include <assert.h>
#include <pthread.h>
static unsigned long first;
static void *w(void *arg) {
  assert((unsigned long)pthread_self() == first);
  return arg;
}

int main(void) {
  pthread_t t, none = 0;
  first = (unsigned long)pthread_self();
  if (none == 0 && !none && none != pthread_self()) pthread_create(&t, 0, w, 0);
  pthread_join(t, 0);
}
