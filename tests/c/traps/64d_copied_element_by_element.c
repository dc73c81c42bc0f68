// Who reads meanwhile sees a part of what is copied.
// verdict: bug assertion
#include <assert.h>
#include <pthread.h>
#include <string.h>
int from[2] = { 1, 1 }, to[2];
void *copy(void *arg) { size_t n = *(size_t *)arg; memcpy(to, from, n * sizeof *to); return 0; }
int main(void) {
  pthread_t t;
  size_t n = 2;
  pthread_create(&t, 0, copy, &n);
  int second = to[1], first = to[0];
  pthread_join(t, 0);
  int seen = first == 1 && second == 0;
  assert(!seen);
}
