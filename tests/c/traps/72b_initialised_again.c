// verdict: safe
// options: --check misuse
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *worker(void *arg) {
  sem_post(&s);
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, NULL, worker, NULL);
  sem_wait(&s);
  pthread_join(t, NULL);
  sem_destroy(&s);
  sem_init(&s, 0, 1);
  sem_destroy(&s);
  return 0;
}
