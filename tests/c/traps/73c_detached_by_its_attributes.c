// verdict: bug misuse
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
  pthread_attr_t a;
  pthread_attr_init(&a);
  pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
  sem_init(&s, 0, 0);
  pthread_create(&t, &a, worker, NULL);
  sem_wait(&s);
  pthread_detach(t);
  return 0;
}
