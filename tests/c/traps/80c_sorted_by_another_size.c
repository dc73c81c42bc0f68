// Two numbers are sorted as one element.
// verdict: safe
#include <assert.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
  int v[4] = {3, 1, 2, 0};
  qsort(v, 2, 2 * sizeof v[0], by_value);
  assert(v[0] == 2 && v[1] == 0 && v[2] == 3 && v[3] == 1);
  return 0;
}
