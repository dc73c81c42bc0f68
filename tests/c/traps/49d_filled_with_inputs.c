// verdict: safe
// Memory that is filled with inputs where it is made holds any values, whatever type it is seen as.
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
  int a = p->a;
  p->b = 7;
  assert(p->b == 7 && p->a == a);
}
