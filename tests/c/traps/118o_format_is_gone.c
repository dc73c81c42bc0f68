// verdict: bug deref
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *format = strdup("%d\n");
  printf(format, 1);
  free(format);
  printf(format, 1);
}
