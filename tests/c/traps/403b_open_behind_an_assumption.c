// Whether something races where the assumption does not hold is open, and so is the answer.
// verdict: inconclusive
// options: --memory c11
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_assume(int);
pthread_mutex_t m;
int x;
static void *work(void *arg) {
  int n = rand();
  __VERIFIER_assume(n > 3);
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return NULL;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
}
