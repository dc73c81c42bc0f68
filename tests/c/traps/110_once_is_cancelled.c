// The routine that was cancelled is called again.
// verdict: safe
#include <assert.h>
#include <pthread.h>
pthread_once_t once = PTHREAD_ONCE_INIT;
int begun, done;
void routine(void) {
  begun++;
  if (begun == 1)
    pthread_testcancel();
  done++;
}
void *run(void *unused) {
  pthread_cancel(pthread_self());
  pthread_once(&once, routine);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  pthread_once(&once, routine);
  assert(begun == 2 && done == 1);
}
