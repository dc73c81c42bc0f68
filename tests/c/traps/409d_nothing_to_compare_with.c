// verdict: bug deref
#include <stdlib.h>
int main(void) {
  int a[2] = {2, 1};
  qsort(a, 2, sizeof *a, 0);
}
