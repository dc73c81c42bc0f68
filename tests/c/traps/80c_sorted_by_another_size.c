// verdict: refused
#include <stdlib.h>

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
  int v[4] = {3, 1, 2, 0};
  qsort(v, 2, 2 * sizeof v[0], by_value);
  return v[0];
}
