// verdict: bug deref
#include <stdlib.h>
#include <string.h>
struct s { int a; long b; int c[4]; };
int main(void) {
  struct s *p = malloc(sizeof p);
  memset(p, 0, sizeof *p);
  free(p);
  return 0;
}
