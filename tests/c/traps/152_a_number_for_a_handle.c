// verdict: bug assertion
// options: --no-races
// An `unsigned long` holds a handle, as on Linux.
#include <assert.h>
#include <pthread.h>
int x;

void *thread(void *arg) {
  x = 1;
  return 0;
}

int main(void) {
  unsigned long t, u[2];
  pthread_create(&t, 0, thread, 0);
  pthread_create(&u[1], 0, thread, 0);
  assert(t != u[1]);
  pthread_join(t, 0);
  pthread_join(u[1], 0);
  assert(x == 0);
}
