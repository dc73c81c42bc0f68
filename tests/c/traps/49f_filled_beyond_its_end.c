// verdict: bug deref
// options: --nondet 0..0
// A loop that goes on behind the end is no filling.
#include <stdlib.h>
char __VERIFIER_nondet_char(void);

char *any(unsigned size) {
  char *p = malloc(size);
  for (unsigned i = 0; i <= size; ++i)
    p[i] = __VERIFIER_nondet_char();
  return p;
}

int main(void) { return any(2)[0]; }
