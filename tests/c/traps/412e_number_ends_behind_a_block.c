// A number begins in the block and ends behind it.
// verdict: bug deref
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 6 || n > 8) return 0;
  int *p = malloc(n);
  p[1] = 1;
  free(p);
  return 0;
}
