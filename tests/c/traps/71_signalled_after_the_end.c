// verdict: bug misuse
// options: --check misuse --no-races
// The state of the condition variable races, too.
#include <pthread.h>
#include <stdlib.h>

struct job {
  pthread_mutex_t m;
  pthread_cond_t c;
  int done;
};

static void *worker(void *arg) {
  struct job *j = arg;
  pthread_mutex_lock(&j->m);
  j->done = 1;
  pthread_mutex_unlock(&j->m);
  pthread_cond_signal(&j->c);
  return NULL;
}

int main(void) {
  pthread_t t;
  struct job *j = malloc(sizeof *j);
  pthread_mutex_init(&j->m, NULL);
  pthread_cond_init(&j->c, NULL);
  j->done = 0;
  pthread_create(&t, NULL, worker, j);
  pthread_detach(t);
  pthread_mutex_lock(&j->m);
  while (!j->done)
    pthread_cond_wait(&j->c, &j->m);
  pthread_mutex_unlock(&j->m);
  pthread_cond_destroy(&j->c);
  pthread_mutex_destroy(&j->m);
  return 0;
}
