// `pthread_exit` in `main` leaves the other threads running.
// verdict: bug assertion
#include <assert.h>
#include <pthread.h>
int x;
void *late(void *arg) { assert(x == 0); return 0; }
int main(void) {
  pthread_t t;
  x = 0;
  pthread_create(&t, 0, late, 0);
  x = 1;
  pthread_exit(0);
}
