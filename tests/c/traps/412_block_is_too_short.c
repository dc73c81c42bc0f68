// The block is as long as a pointer, and not as the structure: its array lies behind the end.
// verdict: bug deref
#include <stdlib.h>
struct s { int a; long b; int c[4]; };
int main(void) {
  struct s *p = malloc(sizeof p);
  p->a = 1;
  p->c[2] = 1;
  free(p);
  return 0;
}
