// What one thread writes into a member is read from another one by the other thread.
// verdict: bug assertion
#include <assert.h>
#include <pthread.h>
union { unsigned all; struct { unsigned short low, high; } half; } word;
void *run(void *arg) { word.half.high = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  unsigned seen = word.all;
  pthread_join(t, 0);
  assert(seen == 0);
}
