// Whether a mutex can be destroyed is seen after its thread has ended.
// verdict: bug assertion
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m;
void *work(void *none) {
  pthread_mutex_lock(&m);
  return none;
}
int main(void) {
  pthread_t thread;
  pthread_mutex_init(&m, 0);
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  assert(pthread_mutex_destroy(&m) == 0);
  return 0;
}
