// The handle of the first thread is lost: only the second one is joined.
// verdict: bug assertion
#include <pthread.h>
#include <assert.h>
int x;
void *run(void *arg) { x++; return 0; }
int main(void) {
  pthread_t t;
  for (int i = 0; i < 2; i++) pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  int before = x;
  assert(x == before);
}
