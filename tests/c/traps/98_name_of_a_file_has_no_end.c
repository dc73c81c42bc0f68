// verdict: bug deref
#include <stdio.h>
int main(void) {
  char name[3] = {'a', 'b', 'c'};
  FILE *f = fopen(name, "r");
  if (f) fclose(f);
  return 0;
}
