// A counter that one thread changes under a lock, and another reads without it: a data race, though no assertion fails.
//
// run: explore --no-races
// expect: safe
// run: explore
// expect: bug race
// run: explore --strategy dpor
// expect: bug race
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *unused) {
  pthread_mutex_lock(&lock);
  counter++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, count, NULL);
  int seen = counter;
  pthread_join(thread, NULL);
  return seen > 1;
}
