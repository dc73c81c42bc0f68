// verdict: bug deref
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char *p = calloc(2, 1);
  perror(p);
  free(p);
  perror(p);
}
