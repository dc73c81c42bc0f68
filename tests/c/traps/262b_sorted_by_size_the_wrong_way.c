// As 262, with a comparison the other way.
// verdict: bug assertion
#include <assert.h>
#include <stdlib.h>
static int by_value(const void *l, const void *r) { return *(const int *)r - *(const int *)l; }
static void sort(void *all, size_t n, size_t size) { qsort(all, n, size, by_value); }
int main(void) {
  int v[3] = {3, 1, 2};
  sort(v, 3, sizeof *v);
  assert(v[0] == 1);
  return 0;
}
