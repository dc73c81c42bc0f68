// verdict: bug assertion
// No turn of the outer loop touches what others see, if the number is 0.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *spins(void *number) {
  int n = (int)(long)number, twice = 0;
  while (1)
    for (int i = 0; i < n; i++)
      twice = !twice;
  return 0;
}

static void *fails(void *unused) {
  x = 1;
  y = x;
  assert(y == 0);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, spins, 0);
  pthread_create(&t, 0, fails, 0);
  pthread_join(t, 0);
}
