// What is allocated is to be freed in the end.
// verdict: bug leak
// options: --property memleak
#include <pthread.h>
#include <stdlib.h>
int *shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *make(void *arg) {
  if (!shared) { // both may see that there is none
    int *own = malloc(sizeof(int));
    pthread_mutex_lock(&lock);
    shared = own;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, make, 0);
  pthread_create(&b, 0, make, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  free(shared);
  return 0;
}
