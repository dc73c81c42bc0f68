// Only as many bytes are allocated as a pointer has.
// verdict: bug deref
#include <stdlib.h>
struct s { long a, b, c; };
int main(void) {
  struct s *p = malloc(sizeof(p));
  if (p) p->a = 1, p->c = 3;
  return 0;
}
