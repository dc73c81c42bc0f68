// verdict: safe
// options: --races
#include <pthread.h>
#include <semaphore.h>
static void *w(void *a) {
  sem_post(a);
  return 0;
}
static void go(void) {
  sem_t s;
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, w, &s);
  sem_wait(&s);
  pthread_detach(t);
}
int main(void) { go(); }
