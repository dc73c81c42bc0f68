// verdict: safe
// options: --races
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
_Thread_local int own;
int *kept;
sem_t there, read;
void *run(void *unused) {
  own = 3;
  kept = &own;
  sem_post(&there);
  sem_wait(&read);
  return 0;
}
int main(void) {
  pthread_t t;
  sem_init(&there, 0, 0);
  sem_init(&read, 0, 0);
  pthread_create(&t, 0, run, 0);
  sem_wait(&there);
  assert(*kept == 3);
  sem_post(&read);
  pthread_join(t, 0);
}
