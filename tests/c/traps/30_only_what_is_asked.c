// A deadlock is no error for who asks about assertions.
// verdict: safe
// options: --property unreach-call
#include <pthread.h>
void reach_error(void) {}
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int both;
void *other(void *arg) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  if (both) reach_error();
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  both = 1;
  both = 0;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_join(t, 0);
  return 0;
}
