// verdict: bug assertion
// Each byte of the members becomes 1.
#include <assert.h>
#include <stdlib.h>
struct pair { int a, b; };

void fill(char *p, unsigned size) {
  for (unsigned i = 0; i < size; i++) p[i] = 1;
}

int main(void) {
  struct pair *p = malloc(sizeof *p);
  p->a = 1;
  fill((char *)p, sizeof *p);
  assert(p->a == 1);
  free(p);
}
