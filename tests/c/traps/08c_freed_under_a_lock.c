// The test whether memory was freed is no step of its own.
// verdict: safe
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *shared;
void *give_back(void *arg) {
  pthread_mutex_lock(&lock);
  if (shared) {
    *shared += 1;
    free(shared);
    shared = 0;
  }
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t a, b;
  shared = malloc(sizeof(int));
  *shared = 0;
  pthread_create(&a, 0, give_back, 0);
  pthread_create(&b, 0, give_back, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  free(shared); // null: nothing happens
  return 0;
}
