// verdict: bug assertion
// options: --no-races
// With asynchronous cancellation a thread may end before any statement, also in a loop that waits for nothing.
#include <assert.h>
#include <pthread.h>
int x;

void *thread(void *arg) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
  x = 1;
  x = 2;
  for (;;) ;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  pthread_cancel(t);
  pthread_join(t, 0);
  assert(x != 1);
}
