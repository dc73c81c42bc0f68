// Two threads add handlers at the same time: both run.
// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int ran;
void count(void) { ran++; }
void both(void) { assert(ran == 2); }
void *run(void *unused) {
  atexit(count);
  return 0;
}
int main(void) {
  pthread_t a, b;
  atexit(both);
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
