// verdict: bug assertion
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
static int order(const void *l, const void *r, void *sign) { return *(int *)sign * (*(const int *)l - *(const int *)r); }
int main(void) {
  int a[3] = {1, 3, 2}, sign = -1;
  qsort_r(a, 3, sizeof *a, order, &sign);
  assert(a[0] == 1);
  return 0;
}
