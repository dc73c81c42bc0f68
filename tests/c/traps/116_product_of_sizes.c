// A product that does not fit is no size.
// verdict: safe
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  size_t many = SIZE_MAX / 2 + 2;
  int *p = calloc(many, 2), *q = calloc(many, sizeof *q);
  assert(p == 0 && q == 0);
}
