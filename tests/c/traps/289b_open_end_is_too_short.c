// verdict: bug deref
#include <stdlib.h>
#include <string.h>
struct vector { int length; int data[]; };
int main(void) {
  struct vector *v = calloc(1, sizeof *v + 2 * sizeof(int)), *w = malloc(sizeof *w + 3 * sizeof(int));
  memcpy(w, v, sizeof *v + 3 * sizeof(int));
  return 0;
}
