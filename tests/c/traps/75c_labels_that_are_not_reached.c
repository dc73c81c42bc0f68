// verdict: safe
// options: --error-label ERROR --no-races
// `x` races.
#include <pthread.h>

static int x;

static void *worker(void *arg) {
  if (x > 1)
    goto ERROR;
  return arg;
ERROR:
  goto ERROR;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  x = 1;
  pthread_join(t, NULL);
  return 0;
}
