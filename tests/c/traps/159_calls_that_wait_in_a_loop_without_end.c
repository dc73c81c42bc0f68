// verdict: safe
// options: --require-exhaustive
// Each turn of the loop takes a lock, in a function: others get a turn there as they are.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void step(void) {
  pthread_mutex_lock(&m);
  x = (x + 1) % 3;
  pthread_mutex_unlock(&m);
}

static void *work(void *unused) {
  while (1)
    step();
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_mutex_lock(&m);
  assert(x < 3);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
