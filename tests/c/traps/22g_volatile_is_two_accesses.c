// Reading and writing it are two steps all the same.
// verdict: bug assertion
// options: --volatile atomic
#include <assert.h>
#include <pthread.h>
volatile int n;
void *count(void *arg) {
  n++;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, count, 0);
  n++;
  pthread_join(t, 0);
  assert(n == 2);
}
