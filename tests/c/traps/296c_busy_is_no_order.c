// A thread that has not ended orders nothing.
// verdict: bug race
#define _GNU_SOURCE
#include <pthread.h>
static int x;
static void *write(void *a) { x = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, write, 0);
  if (pthread_tryjoin_np(t, 0)) x = 2;
  return 0;
}
