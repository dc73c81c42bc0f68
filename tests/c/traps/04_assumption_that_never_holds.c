// A bound on threads is no assumption: a program with more of them is not called safe.
// verdict: inconclusive
#include <assert.h>
#include <pthread.h>
__thread int own;
int x;
void *add(void *arg) { own = 1; x = own; return 0; }
int main(void) {
  pthread_t t;
  for (int i = 0; i < 40; i++) { pthread_create(&t, 0, add, 0); pthread_join(t, 0); }
  assert(x == 1);
}
