// As many elements as the program says are copied; where they lie over each other, as they were before.
// verdict: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct pair { int a; short b; };
int main(void) {
  int a[6] = { 1, 2, 3, 4, 5, 6 };
  size_t n = 5;
  memmove(a + 1, a, n * sizeof *a);
  assert(a[0] == 1 && a[1] == 1 && a[5] == 5);
  memmove(a, a + 2, 4 * sizeof(int));
  assert(a[0] == 2 && a[3] == 5 && a[4] == 4);
  struct pair x[3] = { { 1, 2 }, { 3, 4 }, { 5, 6 } }, y[3];
  memset(y, 0, sizeof y);
  memcpy(y + 1, x, 2 * sizeof(struct pair));
  assert(y[1].a == 1 && y[2].b == 4 && y[0].a == 0);
  struct pair *h = malloc(2 * sizeof *h);
  memset(h, 0, 2 * sizeof *h);
  memcpy(&h[1], &x[2], sizeof *h);
  assert(h[0].a == 0 && h[1].b == 6);
  memset(h, 0xff, (n - 4) * sizeof *h);
  assert(h[0].a == -1 && h[1].a == 5);
  free(h);
}
