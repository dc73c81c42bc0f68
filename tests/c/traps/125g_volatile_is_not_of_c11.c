// A volatile variable that is taken for an atomic one is none in C11.
// verdict: safe
// options: --volatile atomic
// c11: not said of C11's memory: line 11 is one step that is no atomic operation of C11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
volatile int x;
int y;
void *first(void *unused) {
  x = 1;
  y = 1;
  return 0;
}
void *second(void *unused) {
  int a = x;
  return 0;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
}
