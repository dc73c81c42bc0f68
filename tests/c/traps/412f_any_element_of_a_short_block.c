// Which elements of the array lie in the block is not looked at: executions are not followed.
// verdict: inconclusive
#include <stdlib.h>
struct s { int a; long b; int c[4]; };
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = __VERIFIER_nondet_int();
  if (n < 20 || n > 31 || i < 0 || i > 3) return 0;
  struct s *p = malloc(n);
  p->c[i] = 1;
  free(p);
  return 0;
}
