// verdict: bug deref
#include <stdio.h>
int main(void) {
  FILE *f = fopen("out", "w");
  if (fprintf(f, "abc") < 0) return 1;
  return 0;
}
