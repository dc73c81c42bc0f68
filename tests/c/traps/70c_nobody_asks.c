// verdict: safe
// options: --no-races
// `x` is counted without the mutex, and races.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  x++;
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  return 0;
}
