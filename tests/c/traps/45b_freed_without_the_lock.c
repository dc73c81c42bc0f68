// The object is only touched under the lock, and freed without it.
// verdict: bug deref
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *p;
void *run(void *arg) {
  pthread_mutex_lock(&lock);
  *p = 1;
  *p = 2;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t t;
  int *mine = p = malloc(sizeof *p);
  pthread_create(&t, 0, run, 0);
  pthread_mutex_lock(&lock);
  *p = 3;
  pthread_mutex_unlock(&lock);
  free(mine);
  pthread_join(t, 0);
}
