// verdict: safe
// What `pthread_detach` gives where the thread was detached or joined before, as the library of GNU does it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t go;

static void *worker(void *arg) {
  sem_wait(&go);
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_attr_t detached;
  sem_init(&go, 0, 0);
  pthread_create(&t, NULL, worker, NULL);
  assert(pthread_detach(t) == 0);
  assert(pthread_detach(t) == EINVAL);
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  pthread_create(&t, &detached, worker, NULL);
  assert(pthread_detach(t) == EINVAL);
  pthread_create(&u, NULL, worker, NULL);
  sem_post(&go);
  sem_post(&go);
  sem_post(&go);
  pthread_join(u, NULL);
  assert(pthread_detach(u) == ESRCH);
  return 0;
}
