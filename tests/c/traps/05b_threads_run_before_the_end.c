// Before the end of `main` threads may come.
// verdict: bug assertion
#include <assert.h>
#include <pthread.h>
int x;
void *early(void *arg) { assert(x == 0); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, early, 0);
  x = 1;
}
