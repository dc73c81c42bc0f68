// glibc refuses to destroy a mutex that is locked.
// verdict: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>
int main(void) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&m);
  assert(pthread_mutex_destroy(&m) == EBUSY);
  pthread_mutex_unlock(&m);
  assert(pthread_mutex_destroy(&m) == 0);
  return 0;
}
