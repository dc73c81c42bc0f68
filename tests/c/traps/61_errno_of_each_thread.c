// Each thread has an `errno` of its own, which a call that fails sets.
// verdict: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
sem_t none;
void *run(void *arg) {
  struct timespec until = {1, 0};
  if (sem_timedwait(&none, &until) == -1 && errno != ETIMEDOUT) printf("%s\n", strerror(errno));
  assert(errno == ETIMEDOUT);
  return arg;
}
int main(void) {
  pthread_t t;
  sem_init(&none, 0, 0);
  pthread_create(&t, 0, run, 0);
  assert(errno == 0);
  assert(sem_trywait(&none) == -1);
  assert(errno == EAGAIN);
  pthread_join(t, 0);
  assert(errno == EAGAIN);
  return 0;
}
