// verdict: bug assertion
// options: --error-label ERROR --error-label AGAIN
#include <pthread.h>

static int x;

static void *worker(void *arg) {
  int n = 0;
  if (x)
    goto INSIDE;
  {
    n++;
  INSIDE:
    n += 2;
  }
ERROR2:
  if (n++ < 3)
    goto ERROR2;
  while (n > 0) {
    n--;
    if (n == 7) {
    AGAIN:
      n = 0;
    }
  }
  if (x == 1)
    goto ERROR;
  if (n > 100) {
    n = 0;
  ERROR:
    n = 1;
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  x = 1;
  pthread_join(t, NULL);
  return 0;
}
