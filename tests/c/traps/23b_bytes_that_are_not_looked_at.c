// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static int own;

static int *count(sem_t *of) { return *(int **)of; }

static void *w(void *arg) {
  if (own) (*count(&s))++;
  else sem_post(&s);
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, w, 0);
  sem_wait(&s);
  pthread_join(t, 0);
}
