// verdict: bug deref
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *p = malloc(4);
  strcpy(p, "abc");
  free(p);
  printf("%s\n", p);
}
