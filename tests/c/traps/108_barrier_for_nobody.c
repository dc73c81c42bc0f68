// verdict: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
int main(void) {
  pthread_barrier_t b;
  sem_t s;
  assert(pthread_barrier_init(&b, 0, 0) == EINVAL);
  assert(pthread_barrier_init(&b, 0, 2) == 0);
  assert(sem_init(&s, 0, -1) == -1 && errno == EINVAL);
  assert(sem_init(&s, 0, 3) == 0);
}
