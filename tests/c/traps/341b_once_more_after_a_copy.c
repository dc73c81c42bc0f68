// A copy of what was done is done.
// verdict: bug assertion
#include <pthread.h>
#include <assert.h>
static pthread_once_t done, copy;
static int calls;
static void call(void) { calls++; }
int main(void) {
  pthread_once(&done, call);
  copy = done;
  pthread_once(&copy, call);
  assert(calls == 2);
  return 0;
}
