// After the end of `main` no thread does anything.
// verdict: safe
#include <assert.h>
#include <pthread.h>
int ended;
void *late(void *arg) { assert(!ended); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, late, 0);
  return 0;
}
