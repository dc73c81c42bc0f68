// The block ends between the bytes of neighbouring bit-fields, which are one place in memory.
// verdict: inconclusive
#include <stdlib.h>
struct s { int a; unsigned f : 3, g : 17; };
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 5 || n > 6) return 0;
  struct s *p = malloc(n);
  p->f = 1;
  free(p);
  return 0;
}
