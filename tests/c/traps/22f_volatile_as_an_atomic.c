// A volatile variable may be taken for an atomic one: it races with nothing, and orders the rest.
// verdict: safe
// options: --races --volatile atomic
#include <pthread.h>
volatile int flag;
struct { volatile int turns; } counter;
int data;
void *set(void *arg) {
  data = 1;
  flag = 1;
  counter.turns++;
  return 0;
}
int main(void) {
  pthread_t t;
  volatile int *p = &flag;
  pthread_create(&t, 0, set, 0);
  if (*p)
    data++;
  counter.turns++;
  pthread_join(t, 0);
}
