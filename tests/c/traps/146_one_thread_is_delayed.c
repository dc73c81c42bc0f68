// The bug needs one thread to wait for all others, whose writes must not be lost: at random that never happens.
// verdict: bug assertion
// options: --verify --delays any --property unreach-call
#include <assert.h>
#include <pthread.h>
#define COUNT 40
static int counter;
static void *checks(void *arg) {
  assert(counter < COUNT);
  return arg;
}
static void *counts(void *arg) {
  int old = counter;
  counter = old + 1;
  return arg;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, checks, 0);
  for (int i = 0; i < COUNT; i++) pthread_create(&thread, 0, counts, 0);
  return 0;
}
