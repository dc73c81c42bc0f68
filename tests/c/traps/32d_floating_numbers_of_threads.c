// verdict: bug assertion
#include <assert.h>
#include <pthread.h>
static double sum;
static void *w(void *arg) {
  sum = sum + 1.5;
  return arg;
}

// options: --no-races
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, w, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(sum == 3);
}
