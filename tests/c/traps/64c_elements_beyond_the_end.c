// More elements are copied than there is room for.
// verdict: bug deref
#include <stdlib.h>
#include <string.h>
int main(void) {
  int a[5] = { 0 };
  size_t n = 5;
  int *h = malloc((n - 1) * sizeof *h);
  memcpy(h, a, n * sizeof *h);
  free(h);
}
