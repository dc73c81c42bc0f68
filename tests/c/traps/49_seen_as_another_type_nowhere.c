// verdict: safe
// Bytes of another object are not looked at: nobody calls that function with one.
#include <assert.h>
#include <stdlib.h>
struct pair { int a, b; };

void fill(char *p, unsigned size) {
  for (unsigned i = 0; i < size; i++) p[i] = 1;
}

int main(void) {
  struct pair *p = malloc(sizeof *p);
  p->a = 1;
  fill((char *)p, 0);
  assert(p->a == 1);
  free(p);
}
