// How long the block is, is known only when the program runs: its last number may lie behind the end.
// verdict: bug deref
#include <stdlib.h>
struct s { int a; long b; int c[4]; };
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 24 || n > 32) return 0;
  struct s *p = malloc(n);
  p->c[3] = 1;
  free(p);
  return 0;
}
