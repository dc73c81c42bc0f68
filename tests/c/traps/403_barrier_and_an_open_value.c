// A thread that does not wait at a barrier assumes nothing.
// verdict: safe
// options: --memory c11
#include <pthread.h>
#include <stdlib.h>
static pthread_barrier_t b;
static void *work(void *arg) {
  int n = rand();
  pthread_barrier_wait(&b);
  return NULL;
}
int main(void) {
  pthread_t t[2];
  pthread_barrier_init(&b, NULL, 2);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
}
