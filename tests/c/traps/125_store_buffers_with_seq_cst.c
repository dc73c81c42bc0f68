// If all atomics that race are seq_cst, nothing else happens in C11.
// verdict: safe
// c11: holds for C11's memory too
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int r, s;
void *first(void *unused) {
  x = 1;
  r = y;
  return 0;
}
void *second(void *unused) {
  y = 1;
  s = x;
  return 0;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  assert(r || s);
}
