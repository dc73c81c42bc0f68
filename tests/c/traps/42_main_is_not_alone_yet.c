// One of the threads is not joined: what `main` reads in the end may still change.
// verdict: bug assertion
#include <pthread.h>
#include <assert.h>
int x;
void *run(void *arg) { x++; return 0; }
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 1; i++) pthread_join(t[i], 0);
  int before = x;
  assert(x == before);
}
