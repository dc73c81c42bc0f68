// Whoever tries a mutex may find it held, however little its holder does meanwhile.
// verdict: bug assertion
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *run(void *arg) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  assert(pthread_mutex_trylock(&m) == 0);
}
