// verdict: bug assertion
// options: --error-label ERROR
#include <pthread.h>

static int x;

static void *worker(void *arg) {
  x = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  if (x)
    goto ERROR;
  pthread_join(t, NULL);
  return 0;
ERROR:
  return 1;
}
