// A whole structure does not fit into the block.
// verdict: bug deref
#include <stdlib.h>
struct s { int a; long b; int c[4]; };
int main(void) {
  struct s *p = malloc(sizeof *p - 1), s = {1, 2, {3}};
  *p = s;
  free(p);
  return 0;
}
