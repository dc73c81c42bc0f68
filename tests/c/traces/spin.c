// Three threads poll a flag.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int go;
static int data;

static void *wait_for_it(void *arg) {
  (void)arg;
  while (!atomic_load(&go))
    sched_yield();
  assert(data == 1);
  return 0;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, wait_for_it, 0);
  data = 1;
  atomic_store(&go, 1);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  return 0;
}
