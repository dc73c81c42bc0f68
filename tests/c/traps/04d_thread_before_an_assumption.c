// verdict: bug assertion
// The thread can run before the assumption fails.
#include <assert.h>
#include <pthread.h>
void *thread(void *arg) { assert(0); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  __VERIFIER_assume(0);
}
