// A mutex that someone else gives back guards nothing.
// verdict: bug assertion
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *run(void *arg) {
  pthread_mutex_lock(&m);
  int before = x;
  x = before + 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, run, 0);
  pthread_create(&u, 0, run, 0);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  pthread_join(u, 0);
  pthread_mutex_lock(&m);
  assert(x == 2);
}
