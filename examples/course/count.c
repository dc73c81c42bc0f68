// Exercise 1 in C, with two threads: an increment gets lost, and the two race.
//
// run: explore --no-races
// expect: bug assertion
// run: explore
// expect: bug
#include <assert.h>
#include <pthread.h>

static int x;

static void *add(void *unused) {
  int old = x;
  x = old + 1;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, add, NULL);
  pthread_create(&b, NULL, add, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(x == 2);
  return 0;
}
