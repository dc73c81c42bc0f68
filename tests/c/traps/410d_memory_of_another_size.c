// verdict: bug deref
#undef __STDC_VERSION__
#define __STDC_VERSION__ 202311L
#include <stdlib.h>
int main(void) {
  struct point { int x, y; } *p = malloc(sizeof *p);
  if (p) free_sized(p, sizeof p - 4);
}
