// verdict: bug deref
#include <stdio.h>
int main(void) {
  FILE *f = fopen("x", "w");
  fprintf(f, "%d\n", 1);
}
