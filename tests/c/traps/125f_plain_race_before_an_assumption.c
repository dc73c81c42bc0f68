// So may a plain access.
// verdict: safe
// c11: race on x where an assumption does not hold
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
void __VERIFIER_assume(int);
int x;
atomic_int y;
void *first(void *unused) {
  x = 1;
  y = 1;
  return 0;
}
void *second(void *unused) {
  if (!y) __VERIFIER_assume(x == 5);
  return 0;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
}
