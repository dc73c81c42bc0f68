// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

// What is not asked for in between does not change.
static void *worker(void *arg) {
  char *d = getenv("DIRECTORY") ? getenv("DIRECTORY") : "d";
  assert(d);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  char *d = getenv("DIRECTORY") ? getenv("DIRECTORY") : "d";
  assert(d);
  pthread_join(t, 0);
  if (!setenv("MODE", "fast", 1))
    assert(getenv("MODE"));
  if (!unsetenv("MODE"))
    assert(!getenv("MODE"));
  return 0;
}
