// Who has switched cancellation off is not cancelled; the state before is told.
// verdict: safe
#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
sem_t off, done;
int came;
void *run(void *arg) {
  int before = 7;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  assert(before == PTHREAD_CANCEL_ENABLE);
  sem_post(&off);
  sem_wait(&done);
  pthread_testcancel();
  came = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  void *result;
  sem_init(&off, 0, 0);
  sem_init(&done, 0, 0);
  pthread_create(&t, 0, run, 0);
  sem_wait(&off);
  pthread_cancel(t);
  sem_post(&done);
  pthread_join(t, &result);
  assert(result == 0 && came == 1);
}
