// How many threads there are comes from outside: a safe verdict says up to how many turns of a loop.
// verdict: bug assertion
// options: --verify --unroll 5
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int x;
void *add(void *arg) { x++; assert(x < 4); return 0; }
int main(void) {
  pthread_t t;
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) { pthread_create(&t, 0, add, 0); pthread_join(t, 0); }
}
