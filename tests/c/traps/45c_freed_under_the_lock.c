// The same under the lock, and nobody touches it afterwards.
// verdict: safe
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *p;
void *run(void *arg) {
  pthread_mutex_lock(&lock);
  if (p) {
    *p = 1;
    *p = 2;
  }
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t t;
  p = malloc(sizeof *p);
  pthread_create(&t, 0, run, 0);
  pthread_mutex_lock(&lock);
  free(p);
  p = 0;
  pthread_mutex_unlock(&lock);
  pthread_join(t, 0);
}
