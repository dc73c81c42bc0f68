// Which element is written depends on the input, and it is never the same.
// verdict: safe
// options: --races
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int a[4], i, j;
void *run(void *arg) { a[i] = 1; return 0; }
int main(void) {
  pthread_t t;
  i = __VERIFIER_nondet_int();
  j = __VERIFIER_nondet_int();
  if (i == j || i < 0 || i > 3 || j < 0 || j > 3) return 0;
  pthread_create(&t, 0, run, 0);
  a[j] = 2;
  pthread_join(t, 0);
}
