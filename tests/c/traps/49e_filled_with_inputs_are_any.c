// verdict: bug assertion
#include <assert.h>
#include <stdlib.h>
char __VERIFIER_nondet_char(void);
struct pair { int a, b; };

void *any(unsigned size) {
  char *p = malloc(size);
  for (unsigned i = 0; i < size; ++i)
    p[i] = __VERIFIER_nondet_char();
  return p;
}

int main(void) {
  struct pair *p = any(sizeof *p);
  assert(p->a != 1234567);
}
