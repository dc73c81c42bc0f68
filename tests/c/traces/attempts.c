// Attempts that fail and broadcasts that reach no thread write nothing: they commute.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *attempt(void *arg) {
  if (pthread_mutex_trylock(&lock) == 0)
    pthread_mutex_unlock(&lock);
  pthread_cond_broadcast(&cond);
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_mutex_lock(&lock);
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, attempt, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  pthread_mutex_unlock(&lock);
  return 0;
}
