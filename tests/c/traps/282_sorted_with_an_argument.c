// `qsort_r` gives its last argument to each comparison.
// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
static int calls;
static int order(const void *l, const void *r, void *sign) {
  calls++;
  return *(int *)sign * (*(const int *)l - *(const int *)r);
}
static int first(const void *l, const void *r, void *at) {
  return ((const char *)l)[*(int *)at] - ((const char *)r)[*(int *)at];
}
static void sort(void *all, size_t n, size_t size, int *sign) { qsort_r(all, n, size, order, sign); }
int main(void) {
  int a[3] = {1, 3, 2}, sign = -1, column = 1;
  qsort_r(a, 3, sizeof *a, order, &sign);
  assert(a[0] == 3 && a[1] == 2 && a[2] == 1 && calls >= 2);
  sign = 1;
  sort(a, 3, sizeof *a, &sign);
  assert(a[0] == 1 && a[2] == 3);
  char text[5] = "a2b1";
  qsort_r(text, 2, 2, first, &column);
  assert(text[0] == 'b' && text[3] == '2');
  return 0;
}
